// expect: host_accessible
// What the CPU cannot write cannot be poisoned.

#include <tidepool/memory/pipe.hpp>
#include <tidepool/memory/sources/counted_memory.hpp>
#include <tidepool/memory/sources/host_memory.hpp>
#include <tidepool/memory/testing/poisoning.hpp>

#ifdef TIDEPOOL_CORRECT
tidepool::pipe<tidepool::testing::poisoning, tidepool::host_memory> memory;
#else
tidepool::pipe<tidepool::testing::poisoning, tidepool::counted_memory> memory;
#endif
