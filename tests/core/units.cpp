// Sizes read as people write them.

#include <tidepool/core/units.hpp>

#include <gtest/gtest.h>

#include <type_traits>

namespace {

using namespace tidepool::literals;

TEST(Units, LiteralsCountBytes)
{
    EXPECT_EQ(7_B, 7);
    EXPECT_EQ(1_KiB, 1024);
    EXPECT_EQ(3_MiB, 3 * 1024_KiB);
    EXPECT_EQ(2_GiB, 2147483648);
    EXPECT_EQ(16_GiB, 16 * 1024_MiB);
}

TEST(Units, DifferencesNeedNoCast)
{
    static_assert(std::is_signed_v<tidepool::byte_count> && std::is_signed_v<tidepool::nanoseconds>);
    EXPECT_LT(1_KiB - 2_KiB, 0);
}

}  // namespace
