#pragma once

// What must run to bring back what a request wants, in order, and what is held meanwhile.

#include "../graph/computation_graph.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tidepool::decision {

/// Adds a storage unless it is there already. For short lists.
inline void add_once(std::vector<storage_id>& to, storage_id storage)
{
    if (std::find(to.begin(), to.end(), storage) == to.end()) {
        to.push_back(storage);
    }
}

/// The operators that make what is missing for a request, in topological order, and locks on the values that they need.
///
/// A value is held from when it is there until its last use in the plan. Collecting is linear in the operators found, their
/// inputs and results; without anything missing, in the request's inputs. No recursion.
template <class Ledger>
class restore_plan {
public:
    explicit restore_plan(Ledger& books) : books_(books) {}

    /// Must follow every growth of the graph, before a request names what is new.
    void grow()
    {
        parts_.resize(graph().storages().bound());
        planned_.resize(graph().operators().bound());
    }

    [[nodiscard]] std::size_t size() const noexcept { return steps_.size(); }
    [[nodiscard]] operator_id operator[](std::size_t place) const noexcept { return steps_[place].op; }

    /// Plans anew for `wanted`, distinct storages, and holds what is resident of what the plan needs.
    void collect(std::span<const storage_id> wanted)
    {
        ++plan_;
        steps_.clear();
        held_.clear();
        stack_.clear();
        for (auto want = wanted.rbegin(); want != wanted.rend(); ++want) {
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
            if (std::exchange(planned_[index(now.op)], plan_) == plan_) {
                stack_.pop_back();
                continue;
            }
            inputs_.clear();
            for (const tensor_id input : graph()[now.op].inputs) {
                add_once(inputs_, graph().storage_of(input));  // each counts once, however often the operator takes it
            }
            for (auto input = inputs_.rbegin(); input != inputs_.rend(); ++input) {
                visit(*input);
            }
        }
    }

    /// Whether each step, and at last `wanted` with `bytes` more, fits beside what is pinned and locked by others. Just collected.
    [[nodiscard]] bool could_fit(std::span<const storage_id> wanted, byte_count bytes)
    {
        byte_count held = 0;
        for (const storage_id storage : held_) {
            held += graph()[storage].bytes;
        }
        const byte_count room = books_.budget() - (books_.locked() - held);
        for (const step& s : steps_) {
            inputs_.clear();
            for (const tensor_id input : graph()[s.op].inputs) {
                add_once(inputs_, graph().storage_of(input));
            }
            if (graph()[s.op].bytes + unpinned_bytes(inputs_) > room) {
                return false;
            }
        }
        return bytes + unpinned_bytes(wanted) <= room;
    }

    /// Whether a step still to run, or the request, takes a storage.
    [[nodiscard]] bool needs(storage_id storage) noexcept { return part_of(storage).uses > 0; }

    /// One that takes it has run. True if that was the last; it is then held no more.
    bool use(storage_id storage) noexcept
    {
        if (--part_of(storage).uses > 0) {
            return false;
        }
        let_go(storage);
        return true;
    }

    void hold(storage_id storage)
    {
        part& p = part_of(storage);
        if (!p.held && !books_.is_pinned(storage)) {
            held_.push_back(storage);
            p.held = true;
            books_.lock(storage);
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

    /// Lets go of the held value that is needed latest from the step at `place` on, but of none in `but_not`. False if there is
    /// none. Linear in what is held; the first time at a place, also in what is left of the plan.
    bool give_up_latest(std::size_t place, std::span<const storage_id> but_not)
    {
        find_next_uses(place);
        std::erase_if(held_, [&](storage_id storage) { return !part_of(storage).held; });
        auto latest = held_.end();
        for (auto held = held_.begin(); held != held_.end(); ++held) {
            if (std::find(but_not.begin(), but_not.end(), *held) == but_not.end() &&
                (latest == held_.end() || part_of(*held).next_use > part_of(*latest).next_use)) {
                latest = held;
            }
        }
        if (latest == held_.end()) {
            return false;
        }
        let_go(*latest);
        return true;
    }

private:
    /// What the plan knows of a storage.
    struct part {
        std::uint64_t plan = 0;    ///< the plan that the rest belongs to
        std::uint32_t uses = 0;    ///< operators still to run that take it, the request among them
        bool held = false;         ///< locked until its last use
        std::size_t next_use = 0;  ///< place of the next step that takes it, as `find_next_uses` last found
    };
    struct step {
        operator_id op;
        bool ready;  ///< on the way: its inputs have been visited
    };

    [[nodiscard]] const computation_graph& graph() const noexcept { return std::as_const(books_).graph(); }

    part& part_of(storage_id id) noexcept
    {
        part& p = parts_[index(id)];
        if (p.plan != plan_) {
            p = {plan_, 0, false, 0};
        }
        return p;
    }

    void visit(storage_id storage)
    {
        ++part_of(storage).uses;
        if (books_.is_resident(storage)) {
            hold(storage);
        } else {
            stack_.push_back({graph().maker_of(storage), false});
        }
    }

    [[nodiscard]] byte_count unpinned_bytes(std::span<const storage_id> storages) const noexcept
    {
        byte_count sum = 0;
        for (const storage_id storage : storages) {
            sum += books_.is_pinned(storage) ? 0 : graph()[storage].bytes;
        }
        return sum;
    }

    void find_next_uses(std::size_t from)
    {
        if (std::exchange(uses_found_, {plan_, from}) == std::pair{plan_, from}) {
            return;
        }
        for (const storage_id storage : held_) {
            part_of(storage).next_use = steps_.size();  // by the request
        }
        for (std::size_t place = steps_.size(); place-- > from;) {
            for (const tensor_id input : graph()[steps_[place].op].inputs) {
                part_of(graph().storage_of(input)).next_use = place;
            }
        }
    }

    Ledger& books_;
    std::uint64_t plan_ = 0;
    std::vector<part> parts_;             ///< by storage
    std::vector<std::uint64_t> planned_;  ///< by operator: the latest plan that it is in
    std::vector<storage_id> held_;        ///< in this plan so far
    std::vector<storage_id> inputs_;      ///< of the operator in hand
    std::vector<step> stack_;
    std::vector<step> steps_;
    std::pair<std::uint64_t, std::size_t> uses_found_{};  ///< plan and place
};

}  // namespace tidepool::decision
