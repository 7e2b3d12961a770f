// Theorem 3.1 where only a linear algorithm ends in time.

#include "theorems.hpp"

#include <gtest/gtest.h>

using testing_decision::operators_a_layer;

namespace {

TEST(TheoremsLong, AMillionLayersTakeAsManyOperatorsEach) { EXPECT_LE(operators_a_layer(1'000'000), 1.2 * operators_a_layer(10'000)); }

}  // namespace
