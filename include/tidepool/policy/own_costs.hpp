#pragma once

// What it costs to run the operators that make a storage.

#include "metadata.hpp"

#include <vector>

namespace tidepool::metadata {

/// Cost of the operator that fills a storage, in nanoseconds; where views have to be made again, of their operators too.
class own_costs {
public:
    using needs = needs_set<>;
    using value_type = nanoseconds;

    template <class State>
    void operator_added(const State& state, operator_id id)
    {
        const auto& graph = state.graph();
        costs_.resize(graph.storages().bound());
        const auto& op = graph[id];
        for (std::size_t place = 0; place < op.outputs.size(); ++place) {
            const tensor_id result = op.outputs[place];
            const storage_id storage = graph.storage_of(result);
            if (!graph.is_view(result)) {
                costs_[index(storage)] = op.cost;
            } else if (State::views_are_recomputed && !seen_before(graph, op.outputs, place)) {
                costs_[index(storage)] += op.cost;
            }
        }
    }
    template <class State>
    [[nodiscard]] nanoseconds value(const State&, storage_id id) const noexcept
    {
        return costs_[index(id)];
    }

private:
    /// Whether an earlier result of the same operator lies in the same storage: its cost counts once.
    template <class Graph>
    static bool seen_before(const Graph& graph, std::span<const tensor_id> outputs, std::size_t place) noexcept
    {
        for (std::size_t earlier = 0; earlier < place; ++earlier) {
            if (graph.storage_of(outputs[earlier]) == graph.storage_of(outputs[place])) {
                return true;
            }
        }
        return false;
    }

    std::vector<nanoseconds> costs_;
};

}  // namespace tidepool::metadata
