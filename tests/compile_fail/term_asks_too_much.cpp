// expect: a term asks for metadata that is not kept: declare it in the term's `needs`
// A term that asks for the last access without saying so.

#include <tidepool/decision/core.hpp>

#include <cstdint>
#include <string_view>

struct idle_time {
#ifdef TIDEPOOL_CORRECT
    using needs = tidepool::needs_set<tidepool::metadata::access_times>;
#else
    using needs = tidepool::needs_set<>;
#endif
    static constexpr std::string_view name = "idle_time";
    template <class Storage>
    static std::int64_t value(const Storage& storage, const tidepool::decision_clock& clock)
    {
        return clock.now() - storage.template get<tidepool::metadata::access_times>();
    }
};

tidepool::decision::outcome shrink(tidepool::decision_core<tidepool::evict_by<idle_time{}>>& decisions, tidepool::null_executor& nobody)
{
    return decisions.set_budget(1, nobody);
}
