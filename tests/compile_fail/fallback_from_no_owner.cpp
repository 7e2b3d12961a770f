// expect: owning_resource|owns
// A fallback must be able to tell whose a block is.

#include <tidepool/memory/adaptors/fallback.hpp>
#include <tidepool/memory/adaptors/tracked.hpp>
#include <tidepool/memory/pipe.hpp>
#include <tidepool/memory/sources/counted_memory.hpp>
#include <tidepool/memory/sources/host_memory.hpp>

#ifdef TIDEPOOL_CORRECT
tidepool::pipe<tidepool::fallback_to<tidepool::counted_memory>, tidepool::tracked, tidepool::host_memory> memory;
#else
tidepool::pipe<tidepool::fallback_to<tidepool::counted_memory>, tidepool::host_memory> memory;
#endif
