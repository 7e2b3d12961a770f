// A policy of your own: two terms that the library does not have, composed with its own, replayed on a recorded step.
//
//   example_custom_policy --log step.log --budget-ratio 0.5,0.3

#include <tidepool/tidepool.hpp>
#include <tidepool/tools/replay_main.hpp>

#include <cmath>
#include <vector>

namespace tp = tidepool;

/// Metadata: how often each storage was recomputed. The core keeps it only for expressions that need it.
class recomputations {
public:
    using needs = tp::needs_set<>;
    using value_type = std::int64_t;

    void operator_added(const auto& state, tp::operator_id) { counts_.resize(state.graph().storages().bound()); }
    void computed(const auto&, tp::operator_id, std::span<const tp::storage_id> filled, bool again)
    {
        for (const tp::storage_id id : filled) {
            counts_[index(id)] += again ? 1 : 0;
        }
    }
    void forgetting(const auto&, tp::storage_id id) { counts_[index(id)] = 0; }  // ids are used again
    std::int64_t value(const auto&, tp::storage_id id) const { return counts_[index(id)]; }

private:
    std::vector<std::int64_t> counts_;
};

/// Term: MegEngine's penalty on victims that keep coming back, 1.0001 to the power of the recomputations.
struct penalty_term {
    using needs = tp::needs_set<recomputations>;
    static constexpr std::string_view name = "penalty";
    static double value(const auto& storage, const tp::decision_clock&)
    {
        return std::pow(1.0001, static_cast<double>(storage.template get<recomputations>()));
    }
};

/// Term: what this user knows and no heuristic does. Convolutions should stay a little longer than their cost says.
struct priority_term {
    using needs = tp::needs_set<>;
    static constexpr std::string_view name = "priority";
    static std::int64_t value(const auto& storage, const tp::decision_clock&) { return storage.kind() == tp::kind_of("cudnn_convolution") ? 2 : 1; }
};

int main(int argc, char** argv)
{
    using namespace tp::terms;
    constexpr penalty_term penalty;
    constexpr priority_term priority;
    return tp::replay_main<tp::evict_by<penalty * priority * cost(neighborhood) / (size * staleness)>>(argc, argv);
}
