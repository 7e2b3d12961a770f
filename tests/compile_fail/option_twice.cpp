// expect: decision_core: an option is given twice
// Two heuristics: which one counts?

#include <tidepool/decision/core.hpp>

#ifdef TIDEPOOL_CORRECT
using core = tidepool::decision_core<tidepool::evict_by<tidepool::h_lru>>;
#else
using core = tidepool::decision_core<tidepool::evict_by<tidepool::h_lru>, tidepool::evict_by<tidepool::h_dtr>>;
#endif
core decisions;
