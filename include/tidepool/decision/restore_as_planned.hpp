#pragma once

// Bringing back what is missing as an engine wants it: collected first, run in order, given back at the last use.

#include "../policy/deallocation.hpp"
#include "ledger.hpp"
#include "outcome.hpp"
#include "restore_plan.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tidepool::decision {

/// Collects the missing sub-graph that a request needs, runs it in topological order, and holds each value of it only until its
/// last use there. What then nobody refers to is the first to go when room is needed, and until then saves running it again
/// for the next request; what nobody can ever ask for is forgotten.
///
/// Views are looks at a storage, there whenever it is. A request that cannot fit beside what is locked and pinned, or whose
/// missing operators cannot, is refused before anything is evicted. When room runs out while values are held, those needed
/// latest are given up and collected again; 64 attempts that bring the request no nearer end it. No recursion; memory in
/// proportion to live nodes.
template <class Ledger>
class restore_as_planned {
public:
    restore_as_planned(Ledger& books, bool banishes) : books_(books), banishes_(banishes), plan_(books) {}

    template <executor Executor>
    call_result call(operator_description what, std::span<const tensor_id> inputs, std::span<const output> results, nanoseconds limit,
                     Executor& carry_out)
    {
        byte_count bytes = 0;
        for (const output& result : results) {
            bytes += result.bytes;
        }
        wanted_.clear();
        for (const tensor_id input : inputs) {
            add_once(wanted_, graph().storage_of(input));
        }
        const hold_guard guard{*this};
        if (const outcome result = restore(bytes, limit, carry_out); result != outcome::done) {
            return {result, no_operator};
        }
        const operator_id op = books_.add(what, inputs, results, banishes_);
        plan_.grow();
        for (const storage_id storage : wanted_) {
            books_.touch(storage);
        }
        compute(op, false, carry_out);
        for (const tensor_id made : graph()[op].outputs) {
            books_.touch(graph().storage_of(made));
        }
        return {outcome::done, op};
    }

    template <executor Executor>
    outcome read(tensor_id tensor, nanoseconds limit, Executor& carry_out)
    {
        const hold_guard guard{*this};
        wanted_.assign(1, graph().storage_of(tensor));
        const outcome result = restore(0, limit, carry_out);
        if (result == outcome::done) {
            books_.touch(wanted_.front());
        }
        return result;
    }

    /// Afterwards nothing needs to be kept that only served to make it again.
    template <executor Executor>
    outcome pin(tensor_id tensor, nanoseconds limit, Executor& carry_out)
    {
        const outcome result = read(tensor, limit, carry_out);
        if (result == outcome::done) {
            make_constant(graph().storage_of(tensor));
            forget_unneeded(carry_out);
        }
        return result;
    }

    template <executor Executor>
    void last_release(tensor_id tensor, release_action action, Executor& carry_out)
    {
        const storage_id storage = graph().storage_of(tensor);
        if (!graph().is_needed(storage)) {
            unneeded_.push_back(storage);
            forget_unneeded(carry_out);
        } else if (action == release_action::banish) {
            try_banish(storage, carry_out);
        } else if (books_.is_resident(storage) && !books_.is_locked(storage)) {
            books_.evict(storage, eviction_reason::unreferenced, carry_out);
        }
    }

    template <executor Executor>
    void evict(storage_id storage, eviction_reason reason, Executor& carry_out)
    {
        books_.evict(storage, reason, carry_out);
    }

private:
    /// Lets go of what is held when the request is over, also by `std::bad_alloc`.
    struct hold_guard {
        restore_as_planned& restore;
        ~hold_guard() { restore.plan_.drop_holds(); }
    };
    [[nodiscard]] computation_graph& graph() noexcept { return books_.graph(); }

    /// Makes `wanted_` resident and held, with room for `bytes` more.
    template <executor Executor>
    outcome restore(byte_count bytes, nanoseconds limit, Executor& carry_out)
    {
        std::size_t fewest_steps = SIZE_MAX;
        int attempts_without_progress = 0;
        for (;;) {
            plan_.collect(wanted_);
            if (!plan_.could_fit(wanted_, bytes)) {
                return outcome::out_of_budget;
            }
            // Giving up held values makes the way longer again; that it becomes shorter now and then is progress.
            if (plan_.size() < fewest_steps) {
                fewest_steps = plan_.size();
                attempts_without_progress = 0;
            } else if (++attempts_without_progress > most_attempts) {
                return outcome::out_of_budget;
            }
            const progress made = run_steps(bytes, limit, carry_out);
            if (made == progress::complete) {
                return outcome::done;
            }
            plan_.drop_holds();
            if (made != progress::lost_a_value) {
                return made == progress::over_limit ? outcome::over_limit : outcome::out_of_budget;
            }
        }
    }

    enum class progress : std::uint8_t { complete, lost_a_value, no_room, over_limit };

    template <executor Executor>
    progress run_steps(byte_count bytes, nanoseconds limit, Executor& carry_out)
    {
        for (std::size_t place = 0; place < plan_.size(); ++place) {
            const operator_id op = plan_[place];
            const auto& inputs = graph()[op].inputs;
            needed_now_.clear();
            for (const tensor_id input : inputs) {
                add_once(needed_now_, graph().storage_of(input));
            }
            if (!all_resident(needed_now_)) {
                return progress::lost_a_value;
            }
            for (const storage_id storage : needed_now_) {
                books_.touch(storage);
            }
            if (!make_room(graph()[op].bytes, place, carry_out)) {
                return progress::no_room;
            }
            compute(op, true, carry_out);
            use_up(needed_now_, carry_out);
            if (books_.counters().remat_compute > limit) {
                return progress::over_limit;
            }
        }
        needed_now_ = wanted_;
        if (!all_resident(wanted_)) {
            return progress::lost_a_value;
        }
        return make_room(bytes, plan_.size(), carry_out) ? progress::complete : progress::no_room;
    }

    bool all_resident(const std::vector<storage_id>& storages) const noexcept
    {
        return std::all_of(storages.begin(), storages.end(), [&](storage_id s) { return books_.is_resident(s); });
    }

    template <executor Executor>
    bool make_room(byte_count bytes, std::size_t place, Executor& carry_out)
    {
        while (!books_.fits(bytes)) {
            if (const auto victim = books_.victim()) {
                books_.evict(*victim, eviction_reason::pressure, carry_out);
            } else if (!plan_.give_up_latest(place + 1, needed_now_)) {
                return false;
            }
        }
        return true;
    }

    template <executor Executor>
    void compute(operator_id op, bool again, Executor& carry_out)
    {
        filled_.clear();
        for (const tensor_id result : graph()[op].outputs) {
            if (result != no_tensor && !graph().is_view(result) && !books_.is_resident(graph().storage_of(result))) {
                filled_.push_back(graph().storage_of(result));
            }
        }
        books_.run(op, again, filled_, carry_out);
        if (!again) {
            return;
        }
        for (const storage_id storage : filled_) {
            if (plan_.needs(storage)) {
                plan_.hold(storage);
            }
        }
    }

    template <executor Executor>
    void use_up(const std::vector<storage_id>& storages, Executor& carry_out)
    {
        for (const storage_id storage : storages) {
            const bool forgotten = !books_.is_resident(storage);  // with an input before it
            if (!forgotten && plan_.use(storage) && banishes_ && graph()[storage].references == 0) {
                try_banish(storage, carry_out);
            }
        }
    }

    void make_constant(storage_id storage)
    {
        books_.pin(storage);
        books_.leave_neighborhoods(storage);
        graph().forget_maker(storage, [&](storage_id unneeded) { unneeded_.push_back(unneeded); });
    }

    template <executor Executor>
    void forget_unneeded(Executor& carry_out)
    {
        while (!unneeded_.empty()) {
            const storage_id storage = unneeded_.back();
            unneeded_.pop_back();
            plan_.let_go(storage);
            if (books_.is_resident(storage)) {
                books_.unlock_for_good(storage);
                books_.evict(storage, eviction_reason::unreferenced, carry_out);
            }
            books_.leave_neighborhoods(storage);
            graph().forget(storage, [&](storage_id unneeded) { unneeded_.push_back(unneeded); });
        }
    }

    /// A dead storage goes for good once nothing that would need it is missing; what it made then cannot be made again.
    template <executor Executor>
    void try_banish(storage_id storage, Executor& carry_out)
    {
        dependents_.clear();
        for (const tensor_id view : graph()[storage].views) {
            for (const operator_id consumer : graph()[view].consumers) {
                for (const tensor_id result : graph()[consumer].outputs) {
                    if (result == no_tensor || graph().is_view(result)) {
                        continue;
                    }
                    if (!books_.is_resident(graph().storage_of(result))) {
                        return;
                    }
                    add_once(dependents_, graph().storage_of(result));
                }
            }
        }
        for (const storage_id dependent : dependents_) {
            if (!books_.is_pinned(dependent)) {
                make_constant(dependent);
            }
        }
        forget_unneeded(carry_out);
    }

    static constexpr int most_attempts = 64;

    Ledger& books_;
    bool banishes_;
    restore_plan<Ledger> plan_;
    std::vector<storage_id> wanted_;      ///< by the request
    std::vector<storage_id> needed_now_;  ///< by the step that runs
    std::vector<storage_id> filled_;
    std::vector<storage_id> unneeded_;
    std::vector<storage_id> dependents_;
};

}  // namespace tidepool::decision
