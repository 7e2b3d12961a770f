// Heuristics as expressions: what they say, and that integers stay exact in them.

#include <tidepool/policy/heuristics.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace tp = tidepool;
using namespace tidepool::terms;

namespace {

/// Stands in for the core's storage: only the size is known.
struct sized {
    std::int64_t size;
    [[nodiscard]] std::int64_t bytes() const noexcept { return size; }
};

/// A term with a value that the test chooses.
struct twice_the_size {
    using needs = tp::needs_set<>;
    static constexpr std::string_view name = "twice";
    static std::int64_t value(const auto& storage, const tp::decision_clock&) { return 2 * storage.bytes(); }
};

const tp::decision_clock at_start;

TEST(Formula, IsWhatWasWritten)
{
    EXPECT_EQ(tp::formula(tp::h_dtr), "(cost(neighborhood) / (size * staleness))");
    EXPECT_EQ(tp::formula(tp::h_dtr_eq), "(cost(equivalence_class) / (size * staleness))");
    EXPECT_EQ(tp::formula(tp::h_dtr_local), "(cost(local) / (size * staleness))");
    EXPECT_EQ(tp::formula(tp::h_dtr_unopt), "(cost(neighborhood_scan) / (size * staleness(neighborhood_scan)))");
    EXPECT_EQ(tp::formula(tp::h_msps), "(cost(ancestors) / size)");
    EXPECT_EQ(tp::formula(tp::h_lru), "last_access");
    EXPECT_EQ(tp::formula(tp::h_size), "(1 / size)");
    EXPECT_EQ(tp::formula(tp::h_random), "random");
    EXPECT_EQ(tp::formula(cost(local) + 2 * size), "(cost(local) + (2 * size))");
    EXPECT_EQ(tp::formula(0.5 * size), "(0.500000 * size)");
}

TEST(Expression, ProductsBeyond64BitsAreExact)
{
    const sized storage{std::numeric_limits<std::int64_t>::max()};
    const auto product = (size * twice_the_size{}).value(sized{std::int64_t{1} << 61U}, at_start);
    static_assert(std::is_same_v<decltype(product), const tp::wide_integer>);
    EXPECT_TRUE(product == tp::wide_integer{1} << 123U);
    EXPECT_TRUE((size * size).value(storage, at_start) == tp::wide_integer{storage.size} * storage.size);
}

TEST(Expression, QuotientsOfLargeProductsRoundOnce)
{
    // 2^53 + 1 is no double: through doubles, this quotient would be 1 for both.
    const std::int64_t odd = (std::int64_t{1} << 53U) + 1;
    EXPECT_EQ((size / (size * size)).value(sized{odd}, at_start), 1.0 / 9007199254740993.0L);
    EXPECT_EQ(((size * size) / (size * size)).value(sized{odd}, at_start), 1.0);
    EXPECT_EQ(((size * 3) / size).value(sized{odd}, at_start), 3.0);
}

TEST(Expression, NothingOverZeroIsInfinite)
{
    EXPECT_EQ((1 / size).value(sized{0}, at_start), std::numeric_limits<double>::infinity());
    EXPECT_EQ((size / size).value(sized{0}, at_start), std::numeric_limits<double>::infinity());
    EXPECT_EQ((1.5 / size).value(sized{0}, at_start), std::numeric_limits<double>::infinity());
}

TEST(Expression, DoublesSpread)
{
    const auto half = (0.5 * size).value(sized{3}, at_start);
    static_assert(std::is_same_v<decltype(half), const double>);
    EXPECT_EQ(half, 1.5);
    EXPECT_EQ((size + 0.25).value(sized{3}, at_start), 3.25);
    EXPECT_EQ((size + 4).value(sized{3}, at_start), 7);
    EXPECT_EQ(((size * 2) + 4).value(sized{3}, at_start), 10);
}

template <auto Heuristic>
struct holder {
};

TEST(Expression, IsATemplateArgument)
{
    static_assert(std::is_same_v<holder<cost(local) / size>, holder<tp::h_local_size>>);
    static_assert(!std::is_same_v<holder<random(1)>, holder<random(2)>>);
    static_assert(!std::is_same_v<holder<2 * size>, holder<3 * size>>);
    static_assert(std::is_same_v<holder<0.5 * size>, holder<0.5 * size>>);
}

/// A product of three is a double: the same for the same numbers, close to the exact one, never wrapped.
RC_GTEST_PROP(Expression, LongerProductsDoNotWrap, ())
{
    const sized storage{*rc::gen::inRange<std::int64_t>(1, std::int64_t{1} << 62U)};
    const double value = static_cast<double>((size * size * size).value(storage, at_start));
    const double expected = std::pow(static_cast<double>(storage.size), 3);
    RC_ASSERT(std::abs(value - expected) <= expected * 1e-14);
}

}  // namespace
