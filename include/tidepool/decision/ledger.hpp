#pragma once

// The books of the decision core: what is resident, locked and pinned, what it adds up to, and which storage goes next.

#include "../core/decision_clock.hpp"
#include "../graph/computation_graph.hpp"
#include "../policy/expression.hpp"
#include "../policy/metadata.hpp"
#include "../policy/search.hpp"
#include "../policy/semantics.hpp"
#include "executor.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

namespace tidepool::decision {

/// What happened so far. Times in nanoseconds, memory in bytes.
struct counters {
    nanoseconds model_compute = 0;         ///< of operators run for the first time
    nanoseconds remat_compute = 0;         ///< of operators run again
    byte_count max_memory = 0;             ///< the most at once, results that were there already and came out again included
    std::uint64_t evictions = 0;           ///< for whatever reason
    std::uint64_t pressure_evictions = 0;  ///< to make room
    std::uint64_t rematerializations = 0;  ///< operators run again
    std::uint64_t heuristic_evals = 0;     ///< scores computed
};

/// Books over one fast tier. Every change to them is made here; when to make which is decided above.
///
/// Thread safety: none. Nothing here recurses.
template <auto Heuristic, decision_semantics Semantics, search_pool Pool>
class ledger {
public:
    using semantics_type = Semantics;
    using needs = typename decltype(Heuristic)::needs;
    using metadata_type = metadata_objects<needs, Semantics>;
    static constexpr bool views_are_recomputed = Semantics::views_are_recomputed;
    /// Whether any term of the heuristic needs it.
    template <metadata_kind Kind>
    static constexpr bool keeps = detail::is_among<metadata_keeper<Kind, Semantics>, metadata_type>;

    explicit ledger(byte_count budget, std::uint64_t seed) : budget_(budget), seed_(seed) {}

    // What metadata and terms may ask.
    [[nodiscard]] const computation_graph& graph() const noexcept { return graph_; }
    [[nodiscard]] const decision_clock& clock() const noexcept { return clock_; }
    [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }
    [[nodiscard]] bool is_resident(storage_id id) const noexcept { return residencies_[index(id)].resident; }
    [[nodiscard]] bool is_pinned(storage_id id) const noexcept { return residencies_[index(id)].pinned; }
    [[nodiscard]] bool is_locked(storage_id id) const noexcept { return residencies_[index(id)].locks > 0; }
    template <metadata_kind Kind>
    [[nodiscard]] auto& metadata() noexcept { return std::get<metadata_keeper<Kind, Semantics>>(metadata_); }
    template <metadata_kind Kind>
    [[nodiscard]] const auto& metadata() const noexcept { return std::get<metadata_keeper<Kind, Semantics>>(metadata_); }

    // The account, in bytes.
    [[nodiscard]] byte_count budget() const noexcept { return budget_; }
    [[nodiscard]] byte_count used() const noexcept { return used_; }
    [[nodiscard]] byte_count locked() const noexcept { return locked_; }
    [[nodiscard]] bool fits(byte_count bytes) const noexcept { return bytes <= budget_ - used_; }
    void set_budget(byte_count budget) noexcept { budget_ = budget; }
    [[nodiscard]] const decision::counters& counters() const noexcept { return counters_; }
    /// How many storages may be evicted.
    [[nodiscard]] std::size_t evictable() const noexcept { return pool_.size() + spare_.size(); }

    [[nodiscard]] computation_graph& graph() noexcept { return graph_; }

    /// Adds an operator that has not run. Each result has one reference. On `std::bad_alloc` nothing that is resident is lost.
    operator_id add(operator_description what, std::span<const tensor_id> inputs, std::span<const output> results, bool keep_consumers)
    {
        tell([&](auto& kind) {
            if constexpr (requires { kind.operator_coming(*this); }) {
                kind.operator_coming(*this);
            }
        });
        const operator_id id = graph_.add(what, inputs, results, keep_consumers);
        residencies_.resize(graph_.storages().bound());
        pool_.reserve(graph_.storages().bound());
        if constexpr (Semantics::unreferenced_go_first) {
            spare_.reserve(graph_.storages().bound());
        }
        for (const tensor_id result : graph_[id].outputs) {
            graph_.retain(result);
        }
        tell([&](auto& kind) {
            if constexpr (requires { kind.operator_added(*this, id); }) {
                kind.operator_added(*this, id);
            }
        });
        return id;
    }

    void touch(storage_id id) noexcept
    {
        tell([&](auto& kind) {
            if constexpr (requires { kind.accessed(*this, id); }) {
                kind.accessed(*this, id);
            }
        });
    }

    void lock(storage_id id) noexcept
    {
        residency& r = residencies_[index(id)];
        if (r.locks++ == 0) {
            make_unevictable(id);
            locked_ += r.resident ? graph_[id].bytes : 0;
        }
    }
    void unlock(storage_id id) noexcept
    {
        residency& r = residencies_[index(id)];
        if (--r.locks == 0) {
            make_evictable(id);
            locked_ -= r.resident ? graph_[id].bytes : 0;
        }
    }
    /// A lock that is never taken back.
    void pin(storage_id id) noexcept
    {
        if (!residencies_[index(id)].pinned) {
            lock(id);
            residencies_[index(id)].pinned = true;
        }
    }
    /// Takes back every lock, the pin included; the storage does not become evictable. For what is about to be dropped.
    void unlock_for_good(storage_id id) noexcept
    {
        residency& r = residencies_[index(id)];
        locked_ -= r.resident && r.locks > 0 ? graph_[id].bytes : 0;
        r.locks = 0;
        r.pinned = false;
    }

    /// The evictable storage with the least score.
    [[nodiscard]] std::optional<storage_id> victim()
    {
        const auto score = [this](storage_id id) {
            ++counters_.heuristic_evals;
            const double value = detail::to_double(Heuristic.value(storage_view<ledger>(*this, id), clock_));
            return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;  // 0 * infinity: last, but not never
        };
        return (spare_.size() > 0 ? spare_ : pool_).choose(score, Semantics::stops_at_zero);
    }

    template <executor Executor>
    void evict(storage_id id, eviction_reason reason, Executor& carry_out) noexcept
    {
        tell([&](auto& kind) {
            if constexpr (requires { kind.evicting(*this, id); }) {
                kind.evicting(*this, id);
            }
        });
        carry_out.evict(graph_, id, reason);
        residencies_[index(id)].resident = false;
        used_ -= graph_[id].bytes;
        make_unevictable(id);
        ++counters_.evictions;
        counters_.pressure_evictions += reason == eviction_reason::pressure ? 1U : 0U;
        tell([&](auto& kind) {
            if constexpr (requires { kind.evicted(*this, id); }) {
                kind.evicted(*this, id);
            }
        });
    }

    /// Runs an operator whose inputs are resident and whose results fit. Afterwards the storages in `filled`, which were not
    /// resident before, are so and evictable, in that order; other results were recomputed for nothing and are dropped.
    template <executor Executor>
    void run(operator_id id, bool again, std::span<const storage_id> filled, Executor& carry_out) noexcept
    {
        const operator_node& op = graph_[id];
        carry_out.run(graph_, id, again);
        clock_.advance(op.cost);
        counters_.max_memory = std::max(counters_.max_memory, used_ + op.bytes);
        nanoseconds& compute = again ? counters_.remat_compute : counters_.model_compute;
        compute = saturating_add(compute, op.cost);
        counters_.rematerializations += again ? 1U : 0U;
        for (const storage_id storage : filled) {
            residencies_[index(storage)].resident = true;
            used_ += graph_[storage].bytes;
            make_evictable(storage);
        }
        tell([&](auto& kind) {
            if constexpr (requires { kind.computed(*this, id, filled, again); }) {
                kind.computed(*this, id, filled, again);
            }
        });
    }

    /// The storage leaves all neighbourhoods: it is pinned for good, or about to be forgotten.
    void leave_neighborhoods(storage_id id) noexcept
    {
        tell_backwards([&](auto& kind) {
            if constexpr (requires { kind.forgetting(*this, id); }) {
                kind.forgetting(*this, id);
            }
        });
    }

    /// The simulator's banishing: the storage leaves the neighbourhoods of others. It keeps its own, and may come back beside a
    /// sibling.
    void banish(storage_id id) noexcept
    {
        tell_backwards([&](auto& kind) {
            if constexpr (requires { kind.banished(*this, id); }) {
                kind.banished(*this, id);
            }
        });
    }

    /// How often metadata looked at a storage, scores included.
    [[nodiscard]] std::uint64_t heuristic_accesses() const noexcept
    {
        std::uint64_t sum = counters_.heuristic_evals;
        std::apply([&](const auto&... kind) { (..., add_accesses(sum, kind)); }, metadata_);
        return sum;
    }

private:
    struct residency {
        std::uint32_t locks = 0;
        bool resident = false;
        bool pinned = false;
    };

    void make_evictable(storage_id id) noexcept
    {
        const bool spare = Semantics::unreferenced_go_first && graph_[id].references == 0;
        (spare ? spare_ : pool_).insert(id);
    }
    void make_unevictable(storage_id id) noexcept
    {
        pool_.erase(id);
        if constexpr (Semantics::unreferenced_go_first) {
            spare_.erase(id);
        }
    }

    template <class Function>
    void tell(Function&& function)
    {
        std::apply([&](auto&... kind) { (..., function(kind)); }, metadata_);
    }
    template <std::size_t Done = 0, class Function>
    void tell_backwards(Function&& function)
    {
        constexpr std::size_t count = std::tuple_size_v<metadata_type>;
        if constexpr (Done < count) {
            function(std::get<count - 1 - Done>(metadata_));
            tell_backwards<Done + 1>(function);
        }
    }
    template <class Kind>
    static void add_accesses(std::uint64_t& sum, const Kind& kind) noexcept
    {
        if constexpr (requires { kind.accesses(); }) {
            sum += kind.accesses();
        }
    }

    computation_graph graph_;
    decision_clock clock_;
    std::vector<residency> residencies_;  ///< by storage
    [[no_unique_address]] metadata_type metadata_;
    Pool pool_;   ///< what may be evicted,
    Pool spare_;  ///< and of that, what the program let go of, where such goes first
    decision::counters counters_;
    byte_count budget_;
    byte_count used_ = 0;
    byte_count locked_ = 0;  ///< resident and locked or pinned
    std::uint64_t seed_;
};

}  // namespace tidepool::decision
