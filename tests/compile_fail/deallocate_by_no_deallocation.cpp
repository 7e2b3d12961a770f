// expect: (satisfaction of .deallocation<|does not satisfy 'deallocation')
// The answer is not the policy.

#include <tidepool/decision/core.hpp>

#ifdef TIDEPOOL_CORRECT
using core = tidepool::decision_core<tidepool::deallocate_by<tidepool::eager_eviction>>;
#else
using core = tidepool::decision_core<tidepool::deallocate_by<tidepool::release_action>>;
#endif
core decisions;
