// expect: out_of_memory_hook
// A hook that does not say how much it gave back could go on forever.

#include <tidepool/memory/adaptors/retried.hpp>
#include <tidepool/memory/pipe.hpp>
#include <tidepool/memory/sources/host_memory.hpp>

#include <cstddef>

struct silent {
#ifdef TIDEPOOL_CORRECT
    std::size_t operator()(std::size_t) { return 0; }
#else
    void operator()(std::size_t) {}
#endif
};
tidepool::pipe<tidepool::retried_after<silent>, tidepool::host_memory> memory;
