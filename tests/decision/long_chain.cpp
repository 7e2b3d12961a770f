// A million operators in a row, with next to no stack: nothing recurses over the program, and nothing is quadratic in it.

#include "long_chain.hpp"

#include <tidepool/decision/core.hpp>

#include <gtest/gtest.h>

#include <cstddef>

namespace tp = tidepool;
using testing_decision::expect_chain_on_small_stack;

namespace {

constexpr std::size_t million = 1'000'000;

template <auto Heuristic, class... Options>
using engine = tp::decision_core<tp::evict_by<Heuristic>, Options...>;
template <auto Heuristic, class... Options>
using simulator = tp::decision_core<tp::evict_by<Heuristic>, tp::semantics<tp::simrd>, Options...>;

TEST(LongChain, UnderClasses)
{
    expect_chain_on_small_stack<engine<tp::h_dtr_eq>>(million);
    expect_chain_on_small_stack<simulator<tp::h_dtr_eq>>(million);
}

TEST(LongChain, UnderAccessTimes)
{
    expect_chain_on_small_stack<engine<tp::h_lru>>(million);
    expect_chain_on_small_stack<simulator<tp::h_lru>>(million);
}

TEST(LongChain, UnderBanishing)
{
    expect_chain_on_small_stack<engine<tp::h_dtr_eq, tp::deallocate_by<tp::banishing>>>(million);
    expect_chain_on_small_stack<simulator<tp::h_lru, tp::deallocate_by<tp::banishing>>>(million);
}

/// Each eviction walks the evicted neighbourhood, so that this chain is quadratic: a shorter one.
TEST(LongChain, UnderNeighborhoods)
{
    expect_chain_on_small_stack<engine<tp::h_dtr>>(10'000);
    expect_chain_on_small_stack<simulator<tp::h_dtr>>(10'000);
}

}  // namespace
