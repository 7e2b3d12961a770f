#pragma once

// A program run by the decision core alone: what a policy would cost, without an engine.

#include "../core/fnv.hpp"
#include "../graph/operator_kind.hpp"
#include "../graph/program.hpp"
#include "core.hpp"

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace tidepool {

enum class replay_outcome : std::uint8_t {
    pass,
    oom,       ///< what had to be resident at once did not fit
    thrashed,  ///< more was recomputed than the limit allows
};

[[nodiscard]] constexpr std::string_view to_string(replay_outcome outcome) noexcept
{
    constexpr std::string_view names[] = {"pass", "oom", "thrashed"};
    return names[static_cast<std::size_t>(outcome)];
}

struct replay_result {
    replay_outcome outcome = replay_outcome::pass;
    nanoseconds clock = 0;  ///< at the end, or where it stopped
    decision::counters counters;
    std::uint64_t heuristic_accesses = 0;
    fnv_hash evictions;           ///< over the serial numbers of what was evicted, in order
    fnv_hash pressure_evictions;  ///< of those made for room
};

/// What a program asks for when nothing is limited.
struct replay_baseline {
    byte_count peak = 0;      ///< highest memory; releases are banishing, under `simrd`
    nanoseconds compute = 0;  ///< every operator once
};

/// Carries out nothing and hashes what is evicted, in order.
class hashing_executor {
public:
    void run(const computation_graph&, operator_id, bool) noexcept {}
    void evict(const computation_graph& graph, storage_id storage, eviction_reason reason) noexcept
    {
        all_.add(graph[storage].serial);
        if (reason == eviction_reason::pressure) {
            pressure_.add(graph[storage].serial);
        }
    }

    [[nodiscard]] fnv_hash all() const noexcept { return all_; }
    [[nodiscard]] fnv_hash under_pressure() const noexcept { return pressure_; }

private:
    fnv_hash all_;
    fnv_hash pressure_;
};

/// Feeds a program's events to a core, one at a time.
///
/// A request that is refused may be tried again by calling `step` again, after the core's budget was raised; not under `simrd`,
/// whose refused operators stay in the graph. Throws `invalid_program` where a tensor is used that the core has forgotten.
template <class Core>
class program_feed {
public:
    program_feed(const program& source, Core& core)
        : program_(source), core_(core), tensors_(source.tensor_count(), no_tensor), references_(source.tensor_count(), 0)
    {
    }

    [[nodiscard]] bool done() const noexcept { return next_ == program_.events().size(); }

    /// Carries the next event through; on an outcome other than `done` the position stays.
    template <executor Executor>
    [[nodiscard]] decision::outcome step(Executor& carry_out)
    {
        const program::event event = program_.events()[next_];
        decision::outcome result = decision::outcome::done;
        switch (event.kind) {
            case event_kind::compute:
                result = call(event.as_operator(), carry_out);
                break;
            case event_kind::get:
                require_referenced(event.as_tensor());
                ++references_[event.target];
                core_.retain(tensors_[event.target]);
                break;
            case event_kind::release:
                if (references_[event.target] == 0) {
                    throw invalid_program("tidepool: a tensor is released more often than it was referenced");
                }
                --references_[event.target];
                core_.release(tensors_[event.target], carry_out);
                break;
            case event_kind::pin:
                require_referenced(event.as_tensor());
                result = core_.pin(tensors_[event.target], carry_out);
                break;
        }
        next_ += result == decision::outcome::done ? 1U : 0U;
        return result;
    }

    /// What the core calls one of the program's tensors.
    [[nodiscard]] tensor_id in_core(tensor_id tensor) const noexcept { return tensors_[index(tensor)]; }

private:
    template <executor Executor>
    decision::outcome call(operator_id op, Executor& carry_out)
    {
        inputs_.clear();
        for (const tensor_id input : program_.inputs(op)) {
            require_referenced(input);
            inputs_.push_back(in_core(input));
        }
        const decision::call_result called = core_.call({program_.cost(op), program_.kind(op)}, inputs_, program_.outputs(op), carry_out);
        if (called.result == decision::outcome::done) {
            std::size_t tensor = index(program_.first_output(op));
            for (const tensor_id result : core_.graph()[called.op].outputs) {
                references_[tensor] = 1;
                tensors_[tensor++] = result;
            }
        }
        return called.result;
    }

    /// Where the core forgets, a tensor that was let go is gone. The simulator lets it be used, and brings it back.
    void require_referenced(tensor_id tensor) const
    {
        if (Core::forgets && core_.drops_released() && references_[index(tensor)] == 0) {
            throw invalid_program("tidepool: a tensor is used after its last release: only simrd semantics can replay that");
        }
    }

    const program& program_;
    Core& core_;
    std::vector<tensor_id> tensors_;
    std::vector<std::uint32_t> references_;  ///< by tensor of the program
    std::vector<tensor_id> inputs_;
    std::size_t next_ = 0;
};

/// Runs a program to its end or to the first refusal. Throws `invalid_program` as `program_feed` does. Complexity and memory: the
/// core's.
template <class Core>
[[nodiscard]] replay_result replay(const program& source, const decision::limits& limits, typename Core::deallocation_type deallocation = {})
{
    Core core(limits, deallocation);
    hashing_executor executor;
    program_feed<Core> feed(source, core);
    decision::outcome result = decision::outcome::done;
    while (!feed.done() && result == decision::outcome::done) {
        result = feed.step(executor);
    }
    return {static_cast<replay_outcome>(result), core.clock().now(),  core.counters(),
            core.books().heuristic_accesses(),   executor.all(), executor.under_pressure()};
}

/// Runs a program without limits, as simrd's first runtime does: the scale to which budgets refer. (A template so that only
/// those who call it compile its core.)
template <class Core = decision_core<evict_by<h_lru>, deallocate_by<banishing>, semantics<simrd>>>
[[nodiscard]] replay_baseline measure_baseline(const program& source)
{
    const replay_result run = replay<Core>(source, {});
    return {run.counters.max_memory, run.counters.model_compute};
}

}  // namespace tidepool
