#pragma once

// The evicted neighbourhood e* with its boundary, as the authors' simulator sees it.

#include "../core/sparse_bits.hpp"
#include "evicted_neighborhood.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tidepool::metadata {

/// For each resident storage the evicted storages that can be reached from it through evicted ones, towards what was computed
/// from it and towards what it was computed from, with their costs, and the resident storages at which that ends.
///
/// To the letter of the reference simulator: a region sees a new operator, or the cost of a view on an evicted storage, only
/// when it is next rebuilt. Bringing a storage back rebuilds the regions of all on its boundary. Here that waits until a region
/// is asked for, or about to change otherwise, and those that wait are rebuilt together: as the graph has no cycle, what can be
/// reached from each evicted storage is found once, as a row of bits, and shared.
class regions {
public:
    using value_type = evicted_neighborhood::value_type;
    using needs = evicted_neighborhood::needs;

    /// What waits must not see the operator that comes.
    template <class State>
    void operator_coming(const State& state)
    {
        rebuild_all_waiting(state);
    }

    template <class State>
    void operator_added(const State& state, operator_id id)
    {
        const auto& graph = state.graph();
        const std::size_t bound = graph.storages().bound();
        for (auto& side : sides_) {
            side.resize(bound);
        }
        costs_.resize(bound);
        stamps_.resize(bound);
        places_.resize(bound);
        // A view that takes a second storage is an edge to an older one: the only way to a cycle, and to an edge that one region
        // has seen and another has not.
        for (const tensor_id result : graph[id].outputs) {
            has_edges_back_ = has_edges_back_ || (graph.is_view(result) && graph[id].inputs.size() > 1);
        }
    }

    /// What waits and sees the storage is rebuilt while it is still there.
    template <class State>
    void evicting(const State& state, storage_id id)
    {
        for (const direction way : both_directions) {
            rebuild_waiting(state, way, [&](storage_id waiting) { return waiting == id; });
        }
        for (const direction way : both_directions) {
            const sparse_bits& seers = region_of(opposite(way), id).frontier;
            rebuild_waiting(state, way, [&](storage_id waiting) { return seers.contains(index(waiting)); });
        }
    }

    template <class State>
    void evicted(const State& state, storage_id id)
    {
        for (const direction way : both_directions) {
            region_of(opposite(way), id).frontier.for_each([&](std::size_t seer) {
                if (seer != index(id)) {
                    absorb(state, way, storage_id{static_cast<std::uint32_t>(seer)}, id);
                }
            });
        }
        for (const direction way : both_directions) {
            clear(way, id);
        }
    }

    template <class State>
    void computed(const State& state, operator_id, std::span<const storage_id> filled, bool)
    {
        for (const direction way : both_directions) {
            rebuild(state, way, filled);
        }
        for (const direction way : both_directions) {
            for (const storage_id id : filled) {
                region_of(opposite(way), id).frontier.for_each([&](std::size_t seer) {
                    if (std::exchange(costs_[seer][way], waits) != waits) {
                        waiting_[way].push_back(storage_id{static_cast<std::uint32_t>(seer)});
                    }
                });
            }
        }
        if (has_edges_back_) {
            rebuild_all_waiting(state);  // a region that saw such an edge need not be seen from the other side: it must not wait
        }
    }

    template <class State>
    [[nodiscard]] value_type value(const State& state, storage_id id)
    {
        for (const direction way : both_directions) {
            if (cost_of(way, id) == waits) {
                rebuild_waiting(state, way, [&](storage_id waiting) { return !state.is_locked(waiting); });
            }
        }
        const both_costs& costs = costs_[index(id)];
        return {costs[towards_children], costs[towards_parents]};
    }

    /// Storages and edges looked at.
    [[nodiscard]] std::uint64_t accesses() const noexcept { return accesses_; }

private:
    struct region {
        sparse_bits interior;  ///< evicted
        sparse_bits frontier;  ///< resident, may be evicted next
    };
    using both_costs = std::array<nanoseconds, 2>;
    static constexpr nanoseconds waits = -1;  ///< in place of a cost: to be rebuilt

    [[nodiscard]] region& region_of(direction way, storage_id id) noexcept { return sides_[way][index(id)]; }
    [[nodiscard]] nanoseconds& cost_of(direction way, storage_id id) noexcept { return costs_[index(id)][way]; }

    void clear(direction way, storage_id id) noexcept
    {
        region_of(way, id).interior.clear();
        region_of(way, id).frontier.clear();
        cost_of(way, id) = 0;
    }

    template <class State>
    static std::span<const storage_id> next(const State& state, direction way, storage_id id) noexcept
    {
        return state.template metadata<neighbors>().value(state, id)[way];
    }
    template <class State>
    static nanoseconds own_cost(const State& state, std::size_t id) noexcept
    {
        return state.template metadata<own_costs>().value(state, storage_id{static_cast<std::uint32_t>(id)});
    }

    /// `gone`, on the boundary of `seer`, was evicted: what lay behind it is now inside.
    template <class State>
    void absorb(const State& state, direction way, storage_id seer, storage_id gone)
    {
        region& r = region_of(way, seer);
        const region& behind = region_of(way, gone);
        if (!r.frontier.erase(index(gone))) {
            return;
        }
        nanoseconds& cost = cost_of(way, seer);
        const auto add_cost = [&](std::size_t id) {
            ++accesses_;
            cost += own_cost(state, id);
        };
        r.frontier.merge(behind.frontier, [](std::size_t) {});
        r.interior.merge(behind.interior, add_cost);
        r.interior.insert(index(gone));
        add_cost(index(gone));
    }

    template <class State>
    void rebuild_all_waiting(const State& state)
    {
        for (const direction way : both_directions) {
            rebuild_waiting(state, way, [](storage_id) { return true; });
        }
    }

    /// Rebuilds those of the waiting regions that `choose(storage)` chooses.
    template <class State, class Choose>
    void rebuild_waiting(const State& state, direction way, Choose&& choose)
    {
        auto& waiting = waiting_[way];
        if (waiting.empty()) {
            return;
        }
        chosen_.clear();
        std::erase_if(waiting, [&](storage_id id) {
            assert(cost_of(way, id) == waits);  // it leaves the list before it is evicted, and whenever it is rebuilt
            const bool chosen = choose(id);
            if (chosen) {
                chosen_.push_back(id);
            }
            return chosen;
        });
        rebuild(state, way, chosen_);
    }

    /// Finds the regions of `bases` anew. What is pinned is left out: it is never asked for, and never evicted.
    template <class State>
    void rebuild(const State& state, direction way, std::span<const storage_id> bases)
    {
        bases_.clear();
        for (const storage_id base : bases) {
            clear(way, base);
            if (!state.is_pinned(base)) {
                bases_.push_back(base);
            }
        }
        if (bases_.size() > fewest_to_share && !has_edges_back_) {
            reach(state, way, bases_);
            const std::size_t width = words_for(reached_.size()) + words_for(boundary_.size());
            if (reached_.size() * width <= most_shared_words && width <= words_worth_a_base * bases_.size()) {
                rebuild_together(state, way);
                return;
            }
        }
        for (const storage_id base : bases_) {
            reach(state, way, std::span(&base, 1));
            region& r = region_of(way, base);
            for (const storage_id id : reached_) {
                cost_of(way, base) += own_cost(state, index(id));
            }
            in_order(reached_, [&](std::uint32_t place, std::uint64_t bits) { r.interior.append_word(place, bits); });
            in_order(boundary_, [&](std::uint32_t place, std::uint64_t bits) { r.frontier.append_word(place, bits); });
        }
    }

    /// Fills `reached_` with what can be reached from `bases` through evicted storages, and `boundary_` with where that ends.
    template <class State>
    void reach(const State& state, direction way, std::span<const storage_id> bases)
    {
        ++visit_;
        reached_.clear();
        boundary_.clear();
        if (bases.size() == 1) {
            stamps_[index(bases.front())] = visit_;  // a base is not on its own boundary
        }
        const auto visit_from = [&](storage_id from) {
            for (const storage_id id : next(state, way, from)) {
                ++accesses_;
                if (std::exchange(stamps_[index(id)], visit_) == visit_) {
                    continue;
                }
                if (!state.is_resident(id)) {
                    reached_.push_back(id);
                } else if (!state.is_pinned(id)) {
                    boundary_.push_back(id);
                }
            }
        };
        for (const storage_id base : bases) {
            visit_from(base);
        }
        for (std::size_t place = 0; place < reached_.size(); ++place) {
            visit_from(reached_[place]);
        }
    }

    /// Calls `function(place, bits)` for each word of a set of distinct ids that is not zero, in order. Ids of a region cluster:
    /// setting a bit for each and reading them off is faster than comparing.
    template <class Function>
    void in_order(std::vector<storage_id>& ids, Function&& function)
    {
        if (ids.empty()) {
            return;
        }
        const auto [least, most] = std::minmax_element(ids.begin(), ids.end());
        const std::size_t first = index(*least) / 64;
        words_.assign(index(*most) / 64 - first + 1, 0);
        for (const storage_id id : ids) {
            set_bit(words_.data(), index(id) - first * 64);
        }
        for (std::size_t offset = 0; offset < words_.size(); ++offset) {
            if (words_[offset] != 0) {
                function(static_cast<std::uint32_t>(first + offset), words_[offset]);
            }
        }
    }
    void sort(std::vector<storage_id>& ids)
    {
        sorted_.clear();
        in_order(ids, [&](std::uint32_t place, std::uint64_t bits) {
            for_each_bit({&bits, 1}, false,
                         [&](std::size_t bit) { sorted_.push_back(storage_id{place * 64 + static_cast<std::uint32_t>(bit)}); });
        });
        ids.swap(sorted_);
    }

    [[nodiscard]] static std::size_t words_for(std::size_t bits) noexcept { return (bits + 63) / 64; }

    /// One row of bits for each storage in `reached_`, joined from the rows of those behind it; then one for each base.
    ///
    /// A row has a bit for each place in `reached_`, then one for each place in `boundary_`.
    template <class State>
    void rebuild_together(const State& state, direction way)
    {
        // Ids grow from parents to children: sorted, it is a topological order. What lies behind comes first.
        sort(reached_);
        sort(boundary_);
        if (way == towards_children) {
            std::reverse(reached_.begin(), reached_.end());
        }
        const std::size_t interior_words = words_for(reached_.size());
        const std::size_t row_words = interior_words + words_for(boundary_.size());
        rows_.assign((reached_.size() + 1) * row_words, 0);
        for (std::size_t place = 0; place < reached_.size(); ++place) {
            places_[index(reached_[place])] = static_cast<std::uint32_t>(place);
        }
        for (std::size_t place = 0; place < boundary_.size(); ++place) {
            places_[index(boundary_[place])] = static_cast<std::uint32_t>(place);
        }
        std::uint64_t* row = rows_.data();
        for (std::size_t place = 0; place < reached_.size(); ++place, row += row_words) {
            join_rows(state, way, reached_[place], row, interior_words, row_words);
            set_bit(row, place);
        }
        for (const storage_id base : bases_) {
            std::fill(row, row + row_words, 0);
            join_rows(state, way, base, row, interior_words, row_words);
            region& r = region_of(way, base);
            nanoseconds& cost = cost_of(way, base);
            for_each_bit({row, interior_words}, way == towards_children, [&](std::size_t place) {
                r.interior.append(index(reached_[place]));
                cost += own_cost(state, index(reached_[place]));
            });
            for_each_bit({row + interior_words, row_words - interior_words}, false,
                         [&](std::size_t place) { r.frontier.append(index(boundary_[place])); });
        }
    }

    template <class State>
    void join_rows(const State& state, direction way, storage_id from, std::uint64_t* row, std::size_t interior_words,
                   std::size_t row_words)
    {
        for (const storage_id id : next(state, way, from)) {
            ++accesses_;
            const std::size_t place = places_[index(id)];
            if (!state.is_resident(id)) {
                const std::uint64_t* const behind = rows_.data() + place * row_words;
                for (std::size_t word = 0; word <= place / 64; ++word) {  // it reaches only what comes before it
                    row[word] |= behind[word];
                }
                for (std::size_t word = interior_words; word < row_words; ++word) {
                    row[word] |= behind[word];
                }
            } else if (!state.is_pinned(id)) {
                set_bit(row + interior_words, place);
            }
        }
    }

    static void set_bit(std::uint64_t* row, std::size_t place) noexcept { row[place / 64] |= std::uint64_t{1} << (place % 64); }

    template <class Function>
    static void for_each_bit(std::span<const std::uint64_t> row, bool last_first, Function&& function)
    {
        for (std::size_t step = 0; step < row.size(); ++step) {
            const std::size_t word = last_first ? row.size() - 1 - step : step;
            for (std::uint64_t bits = row[word]; bits != 0;) {
                const auto bit = static_cast<std::size_t>(last_first ? 63 - std::countl_zero(bits) : std::countr_zero(bits));
                bits ^= std::uint64_t{1} << bit;
                function(word * 64 + bit);
            }
        }
    }

    // Sharing joins rows along each edge once; otherwise each base walks along each edge that it reaches.
    static constexpr std::size_t fewest_to_share = 2;
    static constexpr std::size_t words_worth_a_base = 4;
    static constexpr std::size_t most_shared_words = std::size_t{1} << 21U;  // 16 MiB of rows

    std::array<std::vector<region>, 2> sides_;
    std::vector<both_costs> costs_;  ///< by storage
    std::array<std::vector<storage_id>, 2> waiting_;
    std::vector<storage_id> chosen_;
    std::vector<storage_id> bases_;
    std::vector<storage_id> reached_;
    std::vector<storage_id> boundary_;
    std::vector<std::uint64_t> stamps_;
    std::vector<std::uint32_t> places_;  ///< by storage, in `reached_` or `boundary_`
    std::vector<std::uint64_t> rows_;
    std::vector<std::uint64_t> words_;
    std::vector<storage_id> sorted_;
    std::uint64_t visit_ = 0;
    std::uint64_t accesses_ = 0;
    bool has_edges_back_ = false;
};

}  // namespace tidepool::metadata
