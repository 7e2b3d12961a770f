#pragma once

// The programs of the paper's two theorems. DTR, section 3 and appendices A and B.

#include <tidepool/decision/replay.hpp>
#include <tidepool/graph/linear_network.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace testing_decision {

/// Theorem 3.1: operators run for a linear network of `nodes` layers with 2 · ceil(sqrt(nodes)) bytes, for each layer.
inline double operators_a_layer(std::size_t nodes)
{
    using core = tidepool::decision_core<tidepool::evict_by<tidepool::h_e>, tidepool::deallocate_by<tidepool::banishing>>;
    const auto budget = 2 * static_cast<tidepool::byte_count>(std::ceil(std::sqrt(static_cast<double>(nodes))));
    const tidepool::program network = tidepool::linear_network(nodes);
    const tidepool::replay_result run = tidepool::replay<core>(network, {.budget = budget});
    EXPECT_EQ(run.outcome, tidepool::replay_outcome::pass);
    EXPECT_LE(run.counters.max_memory, budget);
    return static_cast<double>(network.operator_count() + run.counters.rematerializations) / static_cast<double>(nodes);
}

/// Theorem 3.2: `budget` chains from one root; the adversary always extends one of which nothing but the root is resident,
/// the shortest of those, so that no heuristic does better or worse than it must. Operators run for `nodes` of the program's own.
template <class Core>
double operators_against_adversary(std::size_t nodes, std::size_t budget)
{
    Core core({.budget = static_cast<tidepool::byte_count>(budget)});
    tidepool::null_executor nobody;
    constexpr std::array<tidepool::output, 1> result{tidepool::output{1}};
    const auto call = [&](std::span<const tidepool::tensor_id> inputs) {
        const auto called = core.call(1, inputs, result, nobody);
        EXPECT_EQ(called.result, tidepool::decision::outcome::done);
        return core.graph()[called.op].outputs.front();
    };
    const tidepool::tensor_id root = call({});
    std::vector<std::vector<tidepool::tensor_id>> chains(budget, std::vector{root});
    std::size_t made = 1;
    const auto is_gone = [&](const std::vector<tidepool::tensor_id>& chain) {
        for (std::size_t place = 1; place < chain.size(); ++place) {
            if (core.is_resident(chain[place])) {
                return false;
            }
        }
        return true;
    };
    while (made < nodes) {
        // The root or a fresh result takes a slot: of `budget` chains, one has nothing.
        std::vector<tidepool::tensor_id>* shortest = nullptr;
        for (auto& chain : chains) {
            if ((shortest == nullptr || chain.size() < shortest->size()) && is_gone(chain)) {
                shortest = &chain;
            }
        }
        if (shortest == nullptr) {
            ADD_FAILURE() << "every chain has something resident";
            return 0;
        }
        shortest->push_back(call(std::span(&shortest->back(), 1)));
        ++made;
    }
    return static_cast<double>(core.counters().model_compute + core.counters().remat_compute);
}

}  // namespace testing_decision
