// expect: free_pinned
// A driver whose operation may throw instead of saying how it went.

#include <tidepool/memory/sources/pinned_host_memory.hpp>

struct throwing : tidepool::examples::minimal_backend {
#ifndef TIDEPOOL_CORRECT
    tidepool::backend_status free_pinned(void* pointer);
#endif
};
using memory = tidepool::pinned_host_memory<throwing>;
