// The paper's theorems, counted: linear on linear networks, and as bad as any against an adversary.

#include "theorems.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <string>

namespace tp = tidepool;
using testing_decision::operators_a_layer;
using testing_decision::operators_against_adversary;

namespace {

/// Theorem 3.1: O(N) operators with O(sqrt(N)) memory.
TEST(Theorems, LinearNetworksTakeLinearTime)
{
    const double small = operators_a_layer(10'000);
    const double large = operators_a_layer(100'000);
    EXPECT_LE(small, 6.0);
    EXPECT_LE(large, 1.2 * small);
    RecordProperty("operators_a_layer_1e4", std::to_string(small));
    RecordProperty("operators_a_layer_1e5", std::to_string(large));
}

/// The exponent of `cost` between two sizes.
double slope(double small_cost, double large_cost, double factor) { return std::log(large_cost / small_cost) / std::log(factor); }

/// Theorem 3.2: Ω(N²/B) operators, whatever the heuristic: a fixed share of it, and the growth in N.
template <class Core>
void expect_quadratic_in_nodes()
{
    for (const std::size_t budget : {8U, 16U}) {
        const double few = operators_against_adversary<Core>(500, budget);
        const double more = operators_against_adversary<Core>(1'000, budget);
        const double many = operators_against_adversary<Core>(2'000, budget);
        EXPECT_NEAR(slope(few, more, 2), 2.0, 0.25);
        EXPECT_NEAR(slope(more, many, 2), 2.0, 0.25);
        EXPECT_GE(many, 2'000.0 * 2'000 / static_cast<double>(budget) / 8);
    }
}

/// Twice the slots, half the operators.
template <class Core>
void expect_inverse_in_budget()
{
    const double narrow = operators_against_adversary<Core>(2'000, 8);
    const double wide = operators_against_adversary<Core>(2'000, 16);
    const double wider = operators_against_adversary<Core>(2'000, 32);
    EXPECT_NEAR(slope(narrow, wide, 2), -1.0, 0.35);
    EXPECT_NEAR(slope(wide, wider, 2), -1.0, 0.35);
}

TEST(Theorems, TheAdversaryBeatsDtr)
{
    expect_quadratic_in_nodes<tp::decision_core<tp::evict_by<tp::h_dtr>>>();
    expect_inverse_in_budget<tp::decision_core<tp::evict_by<tp::h_dtr>>>();
}

TEST(Theorems, TheAdversaryBeatsLru)
{
    expect_quadratic_in_nodes<tp::decision_core<tp::evict_by<tp::h_lru>>>();
    expect_inverse_in_budget<tp::decision_core<tp::evict_by<tp::h_lru>>>();
}

/// All storages are of one size, so that this one evicts the latest: it pays more than it must, and more room does not help.
TEST(Theorems, TheAdversaryBeatsSize) { expect_quadratic_in_nodes<tp::decision_core<tp::evict_by<tp::h_size>>>(); }

}  // namespace
