// expect: (satisfaction of .term<|does not satisfy 'term')
// A heuristic is an expression over terms; a number is none.

#include <tidepool/decision/core.hpp>

#ifdef TIDEPOOL_CORRECT
using core = tidepool::decision_core<tidepool::evict_by<1 / tidepool::terms::size>>;
#else
using core = tidepool::decision_core<tidepool::evict_by<42>>;
#endif
core decisions;
