// expect: (satisfaction of .search_pool<|does not satisfy 'search_pool')
// A container is not yet a search.

#include <tidepool/decision/core.hpp>

#include <vector>

#ifdef TIDEPOOL_CORRECT
using core = tidepool::decision_core<tidepool::search_by<tidepool::exhaustive>>;
#else
using core = tidepool::decision_core<tidepool::search_by<std::vector<tidepool::storage_id>>>;
#endif
core decisions;
