#pragma once

// The evicted neighbourhood e*, summed anew only for storages around which something changed.

#include "evicted_neighborhood.hpp"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace tidepool::metadata {

/// For each resident storage the costs of the evicted storages that can be reached from it through evicted ones: towards what
/// was computed from it, and towards what it was computed from.
///
/// Exact at every time. A change marks the resident storages on the boundary of the evicted component around it; a marked
/// storage is summed again when it is next asked for. Both linear in the component. Memory: 28 bytes a storage.
class neighborhoods {
public:
    using value_type = evicted_neighborhood::value_type;
    using needs = evicted_neighborhood::needs;

    template <class State>
    void operator_added(const State& state, operator_id id)
    {
        const std::size_t bound = state.graph().storages().bound();
        costs_.resize(bound, {stale, stale});
        stamps_.resize(bound);
        reached_.reserve(stamps_.capacity());
        for (const tensor_id result : state.graph()[id].outputs) {
            if (State::views_are_recomputed || !state.graph().is_view(result)) {
                mark_around(state, state.graph().storage_of(result));  // new edges, towards a storage that is not there yet
            }
        }
    }
    template <class State>
    void evicted(const State& state, storage_id id) noexcept
    {
        mark_around(state, id);
    }
    template <class State>
    void computed(const State& state, operator_id, std::span<const storage_id> filled, bool) noexcept
    {
        for (const storage_id id : filled) {
            mark_around(state, id);
        }
    }
    template <class State>
    void forgetting(const State& state, storage_id id) noexcept
    {
        mark_around(state, id);
    }

    template <class State>
    [[nodiscard]] value_type value(const State& state, storage_id id) noexcept
    {
        both_costs& known = costs_[index(id)];
        for (const direction way : both_directions) {
            if (known[way] == stale) {
                known[way] = sum(state, way, id);
            }
        }
        return {known[towards_children], known[towards_parents]};
    }

private:
    static constexpr nanoseconds stale = -1;

    using both_costs = std::array<nanoseconds, 2>;

    template <class State>
    static std::span<const storage_id> next(const State& state, direction way, storage_id id) noexcept
    {
        return state.template metadata<neighbors>().value(state, id)[way];
    }

    template <class State>
    void mark_around(const State& state, storage_id base) noexcept
    {
        for (const direction way : both_directions) {
            costs_[index(base)][way] = stale;
            // Whoever sees `base` looking one way is found from it looking the other way.
            const direction seen = opposite(way);
            walk(
                state, way, base, [](storage_id) {}, [&](storage_id seer) { costs_[index(seer)][seen] = stale; });
        }
    }

    template <class State>
    nanoseconds sum(const State& state, direction way, storage_id id) noexcept
    {
        nanoseconds total = 0;
        const auto& costs = state.template metadata<own_costs>();
        walk(
            state, way, id, [&](storage_id inside) { total += costs.value(state, inside); }, [](storage_id) {});
        return total;
    }

    /// Visits what can be reached from `base` through evicted storages: those, and the resident ones where that ends.
    template <class State, class Inside, class Boundary>
    void walk(const State& state, direction way, storage_id base, Inside&& inside, Boundary&& boundary) noexcept
    {
        ++visit_;
        stamps_[index(base)] = visit_;
        reached_.assign(1, base);
        for (std::size_t place = 0; place < reached_.size(); ++place) {
            for (const storage_id id : next(state, way, reached_[place])) {
                if (std::exchange(stamps_[index(id)], visit_) == visit_) {
                    continue;
                }
                if (state.is_resident(id)) {
                    boundary(id);
                } else {
                    inside(id);
                    reached_.push_back(id);
                }
            }
        }
    }

    std::vector<both_costs> costs_;  ///< by storage
    std::vector<std::uint64_t> stamps_;
    std::vector<storage_id> reached_;
    std::uint64_t visit_ = 0;
};

}  // namespace tidepool::metadata
