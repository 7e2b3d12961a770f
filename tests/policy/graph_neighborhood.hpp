#pragma once

// The evicted neighbourhood read off the graph itself: every node, every time.

#include <tidepool/policy/evicted_neighborhood.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace testing_policy {

/// Whether an operator makes `child` from `parent`; views are looks at a storage, not made from it.
template <class State>
bool is_made_from(const State& state, tidepool::storage_id child, tidepool::storage_id parent)
{
    const tidepool::computation_graph& graph = state.graph();
    if (child == parent || graph[child].views.empty() || graph.maker_of(child) == tidepool::no_operator) {
        return false;
    }
    for (const tidepool::tensor_id input : graph[graph.maker_of(child)].inputs) {
        if (graph.storage_of(input) == parent) {
            return true;
        }
    }
    return false;
}

/// The operator's cost of each evicted storage that can be reached from `base` through evicted ones, summed.
template <class State>
tidepool::nanoseconds cost_reached(const State& state, tidepool::storage_id base, bool towards_children)
{
    const tidepool::computation_graph& graph = state.graph();
    const auto bound = static_cast<std::uint32_t>(graph.storages().bound());
    std::vector<bool> seen(bound);
    seen[index(base)] = true;
    std::vector<tidepool::storage_id> reached{base};
    tidepool::nanoseconds sum = 0;
    for (std::size_t place = 0; place < reached.size(); ++place) {
        for (std::uint32_t i = 0; i < bound; ++i) {
            const tidepool::storage_id next{i};
            const bool is_next = towards_children ? is_made_from(state, next, reached[place]) : is_made_from(state, reached[place], next);
            if (!seen[i] && is_next && !state.is_resident(next)) {
                seen[i] = true;
                reached.push_back(next);
                sum += graph[graph.maker_of(next)].cost;
            }
        }
    }
    return sum;
}

/// Both directions.
template <class State>
tidepool::metadata::evicted_neighborhood::value_type graph_neighborhood(const State& state, tidepool::storage_id base)
{
    return {cost_reached(state, base, true), cost_reached(state, base, false)};
}

}  // namespace testing_policy
