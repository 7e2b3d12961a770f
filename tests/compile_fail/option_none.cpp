// expect: policy_option.*exhaustive|exhaustive.*policy_option
// A type that is no option at all: an allocator forgotten in the list, a policy without its `..._by<>`.

#include <tidepool/decision/core.hpp>

#ifdef TIDEPOOL_CORRECT
using core = tidepool::decision_core<tidepool::search_by<tidepool::exhaustive>>;
#else
using core = tidepool::decision_core<tidepool::exhaustive>;
#endif
core decisions;
