// expect: copyable_between
// A copy to memory that is a number only.

#include <tidepool/memory/copy.hpp>
#include <tidepool/memory/sources/counted_memory.hpp>
#include <tidepool/memory/sources/host_memory.hpp>

#include <cstddef>

#ifdef TIDEPOOL_CORRECT
using target = tidepool::host_memory;
#else
using target = tidepool::counted_memory;
#endif
void copy(const target& to, void* pointer, const tidepool::host_memory& from, const void* source, std::size_t bytes)
{
    tidepool::copy_sync(to, pointer, from, source, bytes);
}
