#pragma once

// The laws of `executor`: `my_executor e; testing_laws::expect_executor_laws(e);`

#include <tidepool/decision/replay.hpp>
#include <tidepool/graph/linear_network.hpp>

#include <gtest/gtest.h>

namespace testing_laws {

/// Who carries decisions out has no say in them.
template <tidepool::executor E>
void expect_executor_laws(E& executor)
{
    using core = tidepool::decision_core<tidepool::evict_by<tidepool::h_lru>>;
    const tidepool::program network = tidepool::linear_network(100);
    const tidepool::decision::limits limits{.budget = 20};
    core alone(limits);
    core carried_out(limits);
    tidepool::null_executor nobody;
    tidepool::program_feed<core> first(network, alone);
    tidepool::program_feed<core> second(network, carried_out);
    while (!first.done()) {
        ASSERT_EQ(first.step(nobody), tidepool::decision::outcome::done);
        ASSERT_EQ(second.step(executor), tidepool::decision::outcome::done);
        ASSERT_EQ(carried_out.clock().now(), alone.clock().now());
        ASSERT_EQ(carried_out.counters().evictions, alone.counters().evictions);
        ASSERT_EQ(carried_out.books().used(), alone.books().used());
    }
    EXPECT_GT(alone.counters().rematerializations, 0U);
}

}  // namespace testing_laws
