// Sums and products that do not fit are nothing, and all others are what they are.

#include <tidepool/core/checked.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace tp = tidepool;

namespace {

__extension__ using wide = __int128;

std::optional<std::int64_t> narrowed(wide value)
{
    const bool fits = value >= std::numeric_limits<std::int64_t>::min() && value <= std::numeric_limits<std::int64_t>::max();
    return fits ? std::optional(static_cast<std::int64_t>(value)) : std::nullopt;
}

/// Of every magnitude, the extremes often.
rc::Gen<std::int64_t> any_number()
{
    const auto shifted = rc::gen::map(rc::gen::pair(rc::gen::resize(100, rc::gen::arbitrary<std::int64_t>()), rc::gen::inRange(0, 63)),
                                      [](const auto& drawn) { return drawn.first >> drawn.second; });
    return rc::gen::oneOf(shifted,
                          rc::gen::elementOf(std::vector<std::int64_t>{INT64_MIN, INT64_MIN + 1, -1, 0, 1, 2, INT64_MAX - 1, INT64_MAX}));
}

RC_GTEST_PROP(Checked, SumsAreExactOrNothing, ())
{
    const auto left = *any_number();
    const auto right = *any_number();
    RC_ASSERT(tp::checked_add(left, right) == narrowed(wide{left} + right));
}

RC_GTEST_PROP(Checked, ProductsAreExactOrNothing, ())
{
    const auto left = *any_number();
    const auto right = *any_number();
    RC_ASSERT(tp::checked_multiply(left, right) == narrowed(wide{left} * right));
}

TEST(Checked, HoldsForUnsignedToo)
{
    EXPECT_EQ(tp::checked_add<std::uint32_t>(UINT32_MAX, 0), UINT32_MAX);
    EXPECT_EQ(tp::checked_add<std::uint32_t>(UINT32_MAX, 1), std::nullopt);
    EXPECT_EQ(tp::checked_multiply<std::uint32_t>(1U << 16U, 1U << 16U), std::nullopt);
}

}  // namespace
