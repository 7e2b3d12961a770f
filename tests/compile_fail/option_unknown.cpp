// expect: decision_core: an option that a decision core does not take
// An option of something else.

#include <tidepool/decision/core.hpp>

struct place_by_hand {
    using category = struct placement;
};

#ifdef TIDEPOOL_CORRECT
using core = tidepool::decision_core<>;
#else
using core = tidepool::decision_core<place_by_hand>;
#endif
core decisions;
