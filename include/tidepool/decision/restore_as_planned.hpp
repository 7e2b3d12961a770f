#pragma once

// Bringing back what is missing as an engine wants it: collected first, run in order, given back at the last use.

#include "../policy/deallocation.hpp"
#include "ledger.hpp"
#include "outcome.hpp"

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
/// latest are given up and collected again. No recursion; memory in proportion to live nodes.
template <class Ledger>
class restore_as_planned {
public:
    restore_as_planned(Ledger& books, bool banishes) : books_(books), banishes_(banishes) {}

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
        if (const outcome result = restore(bytes, limit, carry_out); result != outcome::done) {
            return {result, no_operator};
        }
        const hold_guard guard{*this};
        const operator_id op = books_.add(what, inputs, results, banishes_);
        grow();
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
        wanted_.assign(1, graph().storage_of(tensor));
        const outcome result = restore(0, limit, carry_out);
        if (result == outcome::done) {
            books_.touch(wanted_.front());
            drop_holds();
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
    /// What the request in hand knows of a storage.
    struct part {
        std::uint64_t plan = 0;       ///< the plan that the rest belongs to
        std::uint32_t uses = 0;       ///< operators still to run that take it, the request among them
        bool held = false;            ///< locked until its last use
    };
    /// Lets go of what is held when the request is over, also by `std::bad_alloc`.
    struct hold_guard {
        restore_as_planned& restore;
        ~hold_guard() { restore.drop_holds(); }
    };
    struct step {
        operator_id op;
        storage_id storage;  ///< on the way: what it was found for
        bool ready;          ///< on the way: its inputs have been visited
    };

    [[nodiscard]] computation_graph& graph() noexcept { return books_.graph(); }

    void grow()
    {
        parts_.resize(graph().storages().bound());
        planned_.resize(graph().operators().bound());
    }

    static void add_once(std::vector<storage_id>& to, storage_id storage)
    {
        if (std::find(to.begin(), to.end(), storage) == to.end()) {
            to.push_back(storage);
        }
    }

    part& part_of(storage_id id) noexcept
    {
        part& p = parts_[index(id)];
        if (p.plan != plan_) {
            p = {plan_, 0, false};
        }
        return p;
    }

    /// Makes `wanted_` resident and held, with room for `bytes` more.
    template <executor Executor>
    outcome restore(byte_count bytes, nanoseconds limit, Executor& carry_out)
    {
        std::size_t fewest_steps = SIZE_MAX;
        int attempts_without_progress = 0;
        for (;;) {
            collect();
            if (!could_fit(bytes)) {
                drop_holds();
                return outcome::out_of_budget;
            }
            // Giving up held values makes the way longer again; that it becomes shorter now and then is progress.
            if (steps_.size() < fewest_steps) {
                fewest_steps = steps_.size();
                attempts_without_progress = 0;
            } else if (++attempts_without_progress > most_attempts) {
                drop_holds();
                return outcome::out_of_budget;
            }
            const progress made = run_steps(bytes, limit, carry_out);
            if (made == progress::complete) {
                return outcome::done;
            }
            drop_holds();
            if (made != progress::lost_a_value) {
                return made == progress::over_limit ? outcome::over_limit : outcome::out_of_budget;
            }
        }
    }

    /// Fills `steps_` with the operators to run, in topological order, and holds what is resident of their inputs.
    void collect()
    {
        ++plan_;
        steps_.clear();
        held_.clear();
        stack_.clear();
        for (auto want = wanted_.rbegin(); want != wanted_.rend(); ++want) {
            visit(*want);
        }
        while (!stack_.empty()) {
            step& top = stack_.back();
            const step now = top;
            if (now.ready) {
                stack_.pop_back();
                steps_.push_back(now);
                continue;
            }
            top.ready = true;
            if (planned_[index(now.op)] == plan_) {
                stack_.pop_back();
                continue;
            }
            planned_[index(now.op)] = plan_;
            const auto& inputs = graph()[now.op].inputs;
            for (std::size_t place = inputs.size(); place-- > 0;) {
                visit_input(inputs, place);
            }
        }
    }

    /// Each input counts once, however often the operator takes its storage.
    void visit_input(const compact_vector<tensor_id>& inputs, std::size_t place)
    {
        const storage_id storage = graph().storage_of(inputs[place]);
        for (std::size_t earlier = 0; earlier < place; ++earlier) {
            if (graph().storage_of(inputs[earlier]) == storage) {
                return;
            }
        }
        visit(storage);
    }

    void visit(storage_id storage)
    {
        part& p = part_of(storage);
        ++p.uses;
        if (books_.is_resident(storage)) {
            hold(storage);
        } else {
            stack_.push_back({graph().maker_of(storage), storage, false});
        }
    }

    void hold(storage_id storage)
    {
        part& p = part_of(storage);
        if (!p.held && !books_.is_pinned(storage)) {
            p.held = true;
            books_.lock(storage);
            held_.push_back(storage);
        }
    }
    void let_go(storage_id storage) noexcept
    {
        part& p = part_of(storage);
        if (p.held) {
            p.held = false;
            books_.unlock(storage);
        }
    }
    void drop_holds() noexcept
    {
        for (const storage_id storage : held_) {
            let_go(storage);
        }
        held_.clear();
    }

    /// Whether each step, and at last the request, fits beside what is locked by others and pinned.
    bool could_fit(byte_count bytes) noexcept
    {
        byte_count held = 0;
        for (const storage_id storage : held_) {
            held += graph()[storage].bytes;
        }
        const byte_count room = books_.budget() - (books_.locked() - held);
        for (const step& s : steps_) {
            const operator_node& op = graph()[s.op];
            byte_count needed = op.bytes;
            for (std::size_t place = 0; place < op.inputs.size(); ++place) {
                needed += size_beside_pins(op.inputs, place);
            }
            if (needed > room) {
                return false;
            }
        }
        for (const storage_id storage : wanted_) {
            bytes += books_.is_pinned(storage) ? 0 : graph()[storage].bytes;
        }
        return bytes <= room;
    }
    byte_count size_beside_pins(const compact_vector<tensor_id>& inputs, std::size_t place) noexcept
    {
        const storage_id storage = graph().storage_of(inputs[place]);
        for (std::size_t earlier = 0; earlier < place; ++earlier) {
            if (graph().storage_of(inputs[earlier]) == storage) {
                return 0;
            }
        }
        return books_.is_pinned(storage) ? 0 : graph()[storage].bytes;
    }

    enum class progress : std::uint8_t { complete, lost_a_value, no_room, over_limit };

    template <executor Executor>
    progress run_steps(byte_count bytes, nanoseconds limit, Executor& carry_out)
    {
        for (std::size_t place = 0; place < steps_.size(); ++place) {
            const operator_id op = steps_[place].op;
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
        return make_room(bytes, steps_.size(), carry_out) ? progress::complete : progress::no_room;
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
            } else if (!give_up_latest(place)) {
                return false;
            }
        }
        return true;
    }

    /// Lets go of the held value that is needed latest, but not of what the step at `place` needs. False if there is none.
    bool give_up_latest(std::size_t place)
    {
        const auto needed_now = [&](storage_id s) { return std::find(needed_now_.begin(), needed_now_.end(), s) != needed_now_.end(); };
        std::size_t latest = 0;
        storage_id found{};
        bool any = false;
        for (const storage_id storage : held_) {
            if (!part_of(storage).held || needed_now(storage)) {
                continue;
            }
            const std::size_t next = next_use(storage, place + 1);
            if (!any || next > latest) {
                any = true;
                latest = next;
                found = storage;
            }
        }
        if (any) {
            let_go(found);
        }
        return any;
    }
    std::size_t next_use(storage_id storage, std::size_t from) noexcept
    {
        for (std::size_t place = from; place < steps_.size(); ++place) {
            for (const tensor_id input : graph()[steps_[place].op].inputs) {
                if (graph().storage_of(input) == storage) {
                    return place;
                }
            }
        }
        return steps_.size();
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
            if (part_of(storage).uses > 0) {
                hold(storage);
            }
        }
    }

    template <executor Executor>
    void use_up(const std::vector<storage_id>& storages, Executor& carry_out)
    {
        for (const storage_id storage : storages) {
            part& p = part_of(storage);
            if (!books_.is_resident(storage) || --p.uses > 0) {  // not resident: forgotten with an input before it
                continue;
            }
            let_go(storage);
            if (banishes_ && graph()[storage].references == 0) {
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
            let_go(storage);
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
    std::uint64_t plan_ = 0;
    std::vector<part> parts_;                ///< by storage
    std::vector<std::uint64_t> planned_;    ///< by operator: the latest plan that it is in
    std::vector<storage_id> wanted_;        ///< by the request
    std::vector<storage_id> needed_now_;    ///< by the step that runs
    std::vector<storage_id> held_;          ///< in this plan so far
    std::vector<step> stack_;
    std::vector<step> steps_;
    std::vector<storage_id> filled_;
    std::vector<storage_id> unneeded_;
    std::vector<storage_id> dependents_;
};

}  // namespace tidepool::decision
