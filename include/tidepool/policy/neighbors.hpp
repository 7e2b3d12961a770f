#pragma once

// Which storages are computed from which: the graph that the costs of neighbourhoods are summed over.

#include "../core/compact_vector.hpp"
#include "metadata.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tidepool::metadata {

/// Which way to look from a storage. Usable as an index.
enum direction : std::uint8_t { towards_children, towards_parents };

inline constexpr std::array<direction, 2> both_directions{towards_children, towards_parents};

[[nodiscard]] constexpr direction opposite(direction way) noexcept { return way == towards_children ? towards_parents : towards_children; }

/// Storages from which a storage is computed, and those computed from it; each named once.
///
/// What is pinned is left out when an operator takes it: it is never evicted, so that it never adds to a cost.
class neighbors {
public:
    struct value_type {
        std::span<const storage_id> parents;
        std::span<const storage_id> children;

        [[nodiscard]] std::span<const storage_id> operator[](direction way) const noexcept
        {
            return way == towards_children ? children : parents;
        }
    };
    using needs = needs_set<>;

    template <class State>
    void operator_added(const State& state, operator_id id)
    {
        const auto& graph = state.graph();
        parents_.resize(graph.storages().bound());
        children_.resize(graph.storages().bound());
        const auto& op = graph[id];
        for (const tensor_id result : op.outputs) {
            if (graph.is_view(result) && !State::views_are_recomputed) {
                continue;
            }
            const storage_id child = graph.storage_of(result);
            for (const tensor_id input : op.inputs) {
                const storage_id parent = graph.storage_of(input);
                if (parent != child && !state.is_pinned(parent) && !parents_[index(child)].contains(parent)) {
                    parents_[index(child)].push_back(parent);
                    children_[index(parent)].push_back(child);
                }
            }
        }
    }
    template <class State>
    void banished(const State&, storage_id id) noexcept
    {
        leave_others(id);
    }
    template <class State>
    void forgetting(const State&, storage_id id) noexcept
    {
        leave_others(id);
        parents_[index(id)].clear();
        children_[index(id)].clear();
    }
    template <class State>
    [[nodiscard]] value_type value(const State&, storage_id id) const noexcept
    {
        return {parents_[index(id)], children_[index(id)]};
    }

private:
    void leave_others(storage_id id) noexcept
    {
        for (const storage_id parent : parents_[index(id)]) {
            children_[index(parent)].remove_first(id);
        }
        for (const storage_id child : children_[index(id)]) {
            parents_[index(child)].remove_first(id);
        }
    }

    std::vector<compact_vector<storage_id>> parents_;
    std::vector<compact_vector<storage_id>> children_;
};

}  // namespace tidepool::metadata
