// expect: deallocate_sync
// A source that gives and never takes back.

#include <tidepool/memory/adaptors/limited.hpp>
#include <tidepool/memory/pipe.hpp>

#include <cstddef>

struct giver {
    void* allocate_sync(std::size_t bytes, std::size_t alignment);
#ifdef TIDEPOOL_CORRECT
    void deallocate_sync(void* pointer, std::size_t bytes, std::size_t alignment) noexcept;
#endif
    friend bool operator==(const giver&, const giver&) = default;
};
tidepool::pipe<tidepool::limited, giver> memory(100);
