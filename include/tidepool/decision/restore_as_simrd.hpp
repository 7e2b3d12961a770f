#pragma once

// Bringing back what is missing as the authors' simulator does it, to the letter.

#include "../policy/deallocation.hpp"
#include "ledger.hpp"
#include "outcome.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tidepool::decision {

/// Depth first, parents from left to right; every operator that waits for a missing parent keeps its other parents locked.
///
/// The simulator recurses; here frames lie on a stack of their own. What it does that an engine would not want: a request is
/// refused only after everything evictable was evicted; nodes stay for ever; a result that comes back brings its siblings.
template <class Ledger>
class restore_as_simrd {
public:
    /// `banishes`: the simulator's first runtime, which counts what depends on what is missing.
    restore_as_simrd(Ledger& books, bool banishes) : books_(books), banishes_(banishes) {}

    template <executor Executor>
    call_result call(operator_description what, std::span<const tensor_id> inputs, std::span<const output> results, nanoseconds limit,
                     Executor& carry_out)
    {
        const operator_id op = books_.add(what, inputs, results, banishes_);
        defined_.resize(graph().tensors().bound(), 0);
        if (banishes_) {
            missing_dependents_.resize(graph().storages().bound());
            banished_.resize(graph().storages().bound(), 0);
            note_missing(op);
        }
        const tensor_id first = graph()[op].outputs.front();
        const outcome result = materialize(first, false, limit, carry_out);
        for (const tensor_id made : graph()[op].outputs) {
            if (books_.is_resident(graph().storage_of(made))) {  // over the limit it is, too
                books_.touch(graph().storage_of(made));
            }
        }
        return {result, op};
    }

    template <executor Executor>
    outcome read(tensor_id tensor, nanoseconds limit, Executor& carry_out)
    {
        return is_defined(tensor) ? outcome::done : materialize(tensor, true, limit, carry_out);
    }

    template <executor Executor>
    outcome pin(tensor_id tensor, nanoseconds limit, Executor& carry_out)
    {
        const outcome result = read(tensor, limit, carry_out);
        if (result == outcome::done) {
            books_.pin(graph().storage_of(tensor));
        }
        return result;
    }

    template <executor Executor>
    void last_release(tensor_id tensor, release_action action, Executor& carry_out)
    {
        const storage_id storage = graph().storage_of(tensor);
        if (action == release_action::banish) {
            try_banish(storage, carry_out);
        } else if (books_.is_resident(storage) && !books_.is_pinned(storage)) {
            evict(storage, eviction_reason::unreferenced, carry_out);
        }
    }

    template <executor Executor>
    void evict(storage_id storage, eviction_reason reason, Executor& carry_out)
    {
        books_.evict(storage, reason, carry_out);
        for (const tensor_id view : graph()[storage].views) {
            defined_[index(view)] = 0;
            if (banishes_) {
                for (const tensor_id parent : graph()[graph().producer_of(view)].inputs) {
                    add_missing(graph().storage_of(parent), storage, view);
                }
            }
        }
    }

private:
    struct frame {
        tensor_id tensor;
        bool again;
        std::size_t first_waiting;  ///< into `waiting_`: the parents that were missing when this began
        std::size_t next_waiting;
        std::size_t last_waiting;
        std::size_t first_locked;  ///< into `locked_`
    };

    [[nodiscard]] computation_graph& graph() noexcept { return books_.graph(); }
    [[nodiscard]] bool is_defined(tensor_id id) const noexcept { return defined_[index(id)] != 0; }
    [[nodiscard]] operator_node& maker(tensor_id id) noexcept { return graph()[graph().producer_of(id)]; }

    void begin(tensor_id tensor, bool again)
    {
        frame f{tensor, again, waiting_.size(), waiting_.size(), 0, locked_.size()};
        const auto& parents = maker(tensor).inputs;
        for (const tensor_id parent : parents) {
            if (!banishes_ || graph()[graph().storage_of(parent)].references > 0) {
                books_.touch(graph().storage_of(parent));
            }
        }
        for (const tensor_id parent : parents) {
            if (is_defined(parent)) {
                lock(parent);
            }
        }
        for (const tensor_id parent : parents) {
            if (!is_defined(parent)) {
                waiting_.push_back(parent);
            }
        }
        f.last_waiting = waiting_.size();
        frames_.push_back(f);
    }

    void lock(tensor_id tensor)
    {
        locked_.push_back(graph().storage_of(tensor));
        books_.lock(locked_.back());
    }

    template <executor Executor>
    outcome materialize(tensor_id wanted, bool wanted_again, nanoseconds limit, Executor& carry_out)
    {
        begin(wanted, wanted_again);
        while (!frames_.empty()) {
            frame& f = frames_.back();
            if (f.next_waiting < f.last_waiting) {
                const tensor_id parent = waiting_[f.next_waiting];
                if (is_defined(parent)) {
                    lock(parent);
                    ++f.next_waiting;
                } else {
                    begin(parent, true);
                }
                continue;
            }
            if (const outcome result = finish(f, limit, carry_out); result != outcome::done) {
                give_up();
                return result;
            }
            waiting_.resize(f.first_waiting);
            frames_.pop_back();
        }
        return outcome::done;
    }

    template <executor Executor>
    outcome finish(const frame& f, nanoseconds limit, Executor& carry_out)
    {
        const operator_id op = graph().producer_of(f.tensor);
        const byte_count bytes = graph()[op].bytes;
        while (!books_.fits(bytes)) {
            const auto victim = books_.victim();
            if (!victim) {
                return outcome::out_of_budget;
            }
            evict(*victim, eviction_reason::pressure, carry_out);
        }
        compute(f.tensor, f.again, carry_out);
        // By place, not by iterator: banishing a parent removes it from this very list, and the one after it is skipped.
        const auto& parents = graph()[op].inputs;
        for (std::size_t place = 0; place < parents.size(); ++place) {
            const storage_id parent = graph().storage_of(parents[place]);
            books_.unlock(parent);
            if (banishes_) {
                for (const tensor_id made : made_) {
                    if (graph().storage_of(made) != parent) {
                        missing_dependents_[index(parent)].remove_first(made);
                    }
                }
                try_banish(parent, carry_out);
            }
        }
        locked_.resize(f.first_locked);
        return books_.counters().remat_compute > limit ? outcome::over_limit : outcome::done;
    }

    /// Siblings first, the wanted tensor last: that is the order in which they become evictable.
    template <executor Executor>
    void compute(tensor_id wanted, bool again, Executor& carry_out)
    {
        made_.clear();
        filled_.clear();
        const operator_id op = graph().producer_of(wanted);
        for (const tensor_id result : graph()[op].outputs) {
            if (result != wanted && !is_defined(result)) {
                made_.push_back(result);
            }
        }
        made_.push_back(wanted);
        for (const tensor_id result : graph()[op].outputs) {
            if (result != wanted && !books_.is_resident(graph().storage_of(result))) {
                filled_.push_back(graph().storage_of(result));
            }
        }
        if (const storage_id storage = graph().storage_of(wanted); !books_.is_resident(storage)) {
            filled_.push_back(storage);
        }
        for (const tensor_id made : made_) {
            defined_[index(made)] = 1;
        }
        books_.run(op, again, filled_, carry_out);
    }

    /// Nothing stays locked by operators that will not run.
    void give_up() noexcept
    {
        for (const storage_id storage : locked_) {
            if (books_.is_locked(storage)) {
                books_.unlock(storage);
            }
        }
        locked_.clear();
        waiting_.clear();
        frames_.clear();
    }

    void note_missing(operator_id op)
    {
        for (const tensor_id result : graph()[op].outputs) {
            for (const tensor_id parent : graph()[op].inputs) {
                add_missing(graph().storage_of(parent), graph().storage_of(result), result);
            }
        }
    }
    void add_missing(storage_id parent, storage_id child, tensor_id dependent)
    {
        if (parent != child && !missing_dependents_[index(parent)].contains(dependent)) {
            missing_dependents_[index(parent)].push_back(dependent);
        }
    }

    template <executor Executor>
    void try_banish(storage_id storage, Executor& carry_out)
    {
        if (graph()[storage].references > 0 || !missing_dependents_[index(storage)].empty()) {
            return;
        }
        if (books_.is_resident(storage)) {
            books_.unlock_for_good(storage);
            evict(storage, eviction_reason::unreferenced, carry_out);
        }
        for (const tensor_id view : graph()[storage].views) {
            const operator_id op = graph().producer_of(view);
            for (const tensor_id parent : graph()[op].inputs) {
                const storage_id parent_storage = graph().storage_of(parent);
                if (parent_storage != storage) {
                    missing_dependents_[index(parent_storage)].remove_first(view);
                }
            }
            for (const operator_id consumer : graph()[view].consumers) {
                bool removed = false;
                for (const tensor_id child : graph()[consumer].outputs) {
                    const storage_id child_storage = graph().storage_of(child);
                    if (child_storage == storage || banished_[index(child_storage)] != 0) {
                        continue;
                    }
                    if (!removed) {
                        graph()[consumer].inputs.remove_first(view);
                        removed = true;
                    }
                    books_.pin(child_storage);
                }
            }
        }
        banished_[index(storage)] = 1;
        books_.banish(storage);
    }

    Ledger& books_;
    bool banishes_;
    std::vector<std::uint8_t> defined_;  ///< by tensor: whether it can be used as it is
    std::vector<frame> frames_;
    std::vector<tensor_id> waiting_;
    std::vector<storage_id> locked_;
    std::vector<tensor_id> made_;
    std::vector<storage_id> filled_;
    std::vector<compact_vector<tensor_id>> missing_dependents_;  ///< by storage, where banishing
    std::vector<std::uint8_t> banished_;                         ///< by storage, where banishing
};

}  // namespace tidepool::decision
