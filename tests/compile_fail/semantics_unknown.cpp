// expect: (satisfaction of .decision_semantics<|does not satisfy 'decision_semantics')
// A meaning that nobody defined.

#include <tidepool/decision/core.hpp>

#ifdef TIDEPOOL_CORRECT
using core = tidepool::decision_core<tidepool::semantics<tidepool::simrd>>;
#else
using core = tidepool::decision_core<tidepool::semantics<1>>;
#endif
core decisions;
