#pragma once

// The laws of `deallocation`: `testing_laws::expect_deallocation_laws(my_deallocation{});`

#include <tidepool/policy/deallocation.hpp>

#include <gtest/gtest.h>

namespace testing_laws {

/// The same answer at every call, and from a copy.
template <tidepool::deallocation D>
void expect_deallocation_laws(const D& deallocation)
{
    const tidepool::release_action first = deallocation.on_last_release();
    const D copy = deallocation;
    EXPECT_EQ(deallocation.on_last_release(), first);
    EXPECT_EQ(copy.on_last_release(), first);
    EXPECT_TRUE(first == tidepool::release_action::ignore || first == tidepool::release_action::evict ||
                first == tidepool::release_action::banish);
}

}  // namespace testing_laws
