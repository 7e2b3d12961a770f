#pragma once

// Evicted components as a union-find sees them: cheap, and an estimate once something came back. DTR, section 4.1.

#include "neighbors.hpp"
#include "own_costs.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tidepool::metadata {

/// Sum over the evicted components next to a storage, and its own cost, in nanoseconds.
///
/// Evicting joins the components around a storage; bringing it back subtracts its own cost from its component, which is never
/// split. So values may drift, also below zero where a view was added to an evicted storage. No recursion; classes that
/// nobody is in are used again.
class equivalence_classes {
public:
    using needs = needs_set<neighbors, own_costs>;
    using value_type = nanoseconds;

    template <class State>
    void operator_added(const State& state, operator_id id)
    {
        const auto& graph = state.graph();
        class_of_.resize(graph.storages().bound(), none);
        for (const tensor_id result : graph[id].outputs) {
            if (!graph.is_view(result)) {
                class_of_[index(graph.storage_of(result))] = create(0);
            }
        }
        classes_.reserve(class_of_.capacity() * 2);  // an eviction never allocates
        free_.reserve(classes_.capacity());
    }

    template <class State>
    void evicted(const State& state, storage_id id) noexcept
    {
        class_of_[index(id)] = create(own_cost(state, id));
        for_each_evicted(state, id, [&](storage_id neighbor) { merge(neighbor, id); });
    }

    template <class State>
    void computed(const State& state, operator_id, std::span<const storage_id> filled, bool) noexcept
    {
        for (const storage_id id : filled) {
            leave(state, id);
        }
    }

    template <class State>
    void banished(const State& state, storage_id id) noexcept
    {
        leave(state, id);
    }
    template <class State>
    void forgetting(const State& state, storage_id id) noexcept
    {
        leave(state, id);
    }

    template <class State>
    [[nodiscard]] nanoseconds value(const State& state, storage_id id)
    {
        nanoseconds sum = own_cost(state, id);
        ++visit_;
        for_each_evicted(state, id, [&](storage_id neighbor) {
            node& root = classes_[find(class_of_[index(neighbor)])];
            if (std::exchange(root.visit, visit_) != visit_) {
                sum += root.cost;
            }
        });
        return sum;
    }

    /// Nodes of the union-find that are in use; those that nothing points to are handed out again.
    [[nodiscard]] std::size_t classes() const noexcept { return classes_.size() - free_.size(); }

private:
    using class_id = std::uint32_t;
    static constexpr class_id none = UINT32_MAX;

    struct node {
        nanoseconds cost;
        class_id parent;      ///< itself for a root
        std::uint32_t users;  ///< storages and other nodes that point here
        std::uint64_t visit;  ///< the latest sum that counted it
    };

    template <class State>
    static nanoseconds own_cost(const State& state, storage_id id) noexcept
    {
        return state.template metadata<own_costs>().value(state, id);
    }

    /// What the simulator banished is missing, but in no class.
    template <class State, class Function>
    void for_each_evicted(const State& state, storage_id id, Function&& function)
    {
        const auto around = state.template metadata<neighbors>().value(state, id);
        for (const auto side : {around.parents, around.children}) {
            for (const storage_id neighbor : side) {
                if (!state.is_resident(neighbor) && class_of_[index(neighbor)] != none) {
                    function(neighbor);
                }
            }
        }
    }

    class_id create(nanoseconds cost)
    {
        class_id id = static_cast<class_id>(classes_.size());
        if (free_.empty()) {
            classes_.push_back({});
        } else {
            id = free_.back();
            free_.pop_back();
        }
        classes_[id] = {cost, id, 1, 0};
        return id;
    }

    void drop(class_id id) noexcept
    {
        while (--classes_[id].users == 0) {
            free_.push_back(id);
            if (classes_[id].parent == id) {
                return;
            }
            id = classes_[id].parent;
        }
    }

    /// The root, with every node on the way then pointing to it.
    class_id find(class_id id) noexcept
    {
        class_id root = id;
        while (classes_[root].parent != root) {
            root = classes_[root].parent;
        }
        bool held = false;  // what pointed to `id` points to the root now; keep `id` until it does so too
        while (id != root && classes_[id].parent != root) {
            const class_id next = std::exchange(classes_[id].parent, root);
            ++classes_[root].users;
            if (held) {
                drop(id);
            }
            held = true;
            id = next;
        }
        if (held) {
            drop(id);
        }
        return root;
    }

    /// The class with fewer users goes under the other, so that a node without storages does not pile up on a path.
    void merge(storage_id left, storage_id right) noexcept
    {
        class_id above = find(class_of_[index(left)]);
        class_id below = find(class_of_[index(right)]);
        if (above == below) {
            return;
        }
        if (classes_[above].users < classes_[below].users) {
            std::swap(above, below);
        }
        classes_[below].parent = above;
        ++classes_[above].users;
        classes_[above].cost += classes_[below].cost;
    }

    template <class State>
    void leave(const State& state, storage_id id) noexcept
    {
        const class_id own = std::exchange(class_of_[index(id)], none);
        if (own == none) {
            return;  // resident, or the simulator banished it; then it can still come back, beside a sibling
        }
        classes_[find(own)].cost -= own_cost(state, id);
        drop(own);
    }

    std::vector<class_id> class_of_;  ///< by storage; `none` while it is resident
    std::vector<node> classes_;
    std::vector<class_id> free_;
    std::uint64_t visit_ = 0;
};

}  // namespace tidepool::metadata
