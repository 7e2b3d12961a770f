// Time is what was charged, from 1.

#include <tidepool/core/decision_clock.hpp>

#include <gtest/gtest.h>

namespace tp = tidepool;

namespace {

TEST(DecisionClock, MovesOnlyByWhatIsCharged)
{
    tp::decision_clock clock;
    EXPECT_EQ(clock.now(), 1);
    clock.advance(0);
    EXPECT_EQ(clock.now(), 1);
    clock.advance(40);
    clock.advance(2);
    EXPECT_EQ(clock.now(), 43);
}

}  // namespace
