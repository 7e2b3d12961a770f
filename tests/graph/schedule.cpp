// The rules that a schedule must keep, each broken on its own; and schedules that keep them all.

#include <tidepool/graph/schedule.hpp>
#include <tidepool/graph/schedule_check.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tp = tidepool;

namespace {

using rule = tp::schedule_problem::rule;
using problems = std::vector<tp::schedule_problem>;

constexpr tp::storage_id a{0}, b{1}, empty{2};
constexpr tp::tier_index fast{0}, slow{1};
const std::vector<tp::byte_count> bytes{100, 50, 0};

problems check(std::vector<tp::residency> residencies, std::vector<tp::movement> movements = {})
{
    return tp::validate({std::move(residencies), std::move(movements)}, bytes);
}

TEST(Schedule, ThatKeepsTheRules)
{
    EXPECT_EQ(check({}), problems{});
    EXPECT_EQ(check({{a, 0, 10, fast, 0}, {b, 0, 10, fast, 100}, {b, 10, 20, fast, 0}}, {{10, b, fast, fast}}), problems{})
        << "neighbours in space, then in time, then moved within a tier";
    EXPECT_EQ(
        check({{a, 0, 4, fast, 0}, {a, 4, 9, slow, 0}, {a, 9, 12, fast, 70}, {b, 4, 9, fast, 0}}, {{4, a, fast, slow}, {9, a, slow, fast}}),
        problems{});
    EXPECT_EQ(check({{a, 0, 10, fast, 0}, {a, 4, 20, slow, 0}, {a, 15, 20, fast, 0}}, {{4, a, fast, slow}, {15, a, slow, fast}}),
              problems{})
        << "two copies at once";
    EXPECT_EQ(check({{a, 0, 10, fast, 0}, {empty, 0, 10, fast, 50}}), problems{}) << "no bytes overlap with nothing";
}

TEST(Schedule, Malformed)
{
    EXPECT_EQ(check({{a, 5, 5, fast, 0}}), (problems{{rule::malformed, 0, 0}}));
    EXPECT_EQ(check({{a, 6, 5, fast, 0}}), (problems{{rule::malformed, 0, 0}}));
    EXPECT_EQ(check({{a, 0, 5, fast, -1}}), (problems{{rule::malformed, 0, 0}}));
    EXPECT_EQ(check({{a, 0, 5, fast, INT64_MAX}}), (problems{{rule::malformed, 0, 0}}));
    EXPECT_EQ(check({{b, 0, 5, fast, 0}, {tp::storage_id{3}, 0, 5, fast, 0}}), (problems{{rule::malformed, 1, 1}}));
}

TEST(Schedule, Overlap)
{
    EXPECT_EQ(check({{a, 0, 10, fast, 0}, {b, 9, 20, fast, 99}}), (problems{{rule::overlap, 0, 1}}));
    EXPECT_EQ(check({{b, 0, 10, fast, 20}, {a, 9, 20, fast, 0}}), (problems{{rule::overlap, 0, 1}})) << "around it";
    EXPECT_EQ(check({{a, 0, 10, fast, 0}, {b, 0, 10, fast, 0}}), (problems{{rule::overlap, 0, 1}}));
    EXPECT_EQ(check({{a, 0, 10, fast, 0}, {b, 9, 20, slow, 99}}), problems{}) << "another tier";
}

TEST(Schedule, Gap)
{
    EXPECT_EQ(check({{a, 0, 4, fast, 0}, {a, 5, 9, slow, 0}}), (problems{{rule::gap, 0, 1}}));
    EXPECT_EQ(check({{a, 0, 4, fast, 0}, {a, 5, 9, slow, 0}}, {{5, a, fast, slow}}), (problems{{rule::gap, 0, 1}, {rule::baseless, 0, 0}}));
}

TEST(Schedule, Unfed)
{
    EXPECT_EQ(check({{a, 0, 4, fast, 0}, {a, 4, 9, slow, 0}}), (problems{{rule::unfed, 0, 1}}));
    EXPECT_EQ(check({{a, 0, 4, fast, 0}, {a, 0, 4, slow, 0}}), (problems{{rule::unfed, 0, 1}})) << "born twice";
}

TEST(Schedule, Baseless)
{
    EXPECT_EQ(check({{a, 0, 4, fast, 0}}, {{2, a, fast, slow}}), (problems{{rule::baseless, 0, 0}})) << "it leads nowhere";
    EXPECT_EQ(check({{a, 0, 4, fast, 0}, {a, 4, 9, slow, 0}}, {{4, a, slow, slow}}), (problems{{rule::baseless, 0, 0}}))
        << "from where nothing was";
    EXPECT_EQ(check({{a, 0, 4, fast, 0}, {a, 4, 9, slow, 0}}, {{4, a, fast, slow}, {4, a, fast, slow}}), (problems{{rule::baseless, 1, 1}}))
        << "twice";
    EXPECT_EQ(check({}, {{4, tp::storage_id{9}, fast, slow}}), (problems{{rule::baseless, 0, 0}}));
}

RC_GTEST_PROP(Schedule, OverlapsAreReportedWhereThereAreAny, ())
{
    const auto count = *rc::gen::inRange<std::size_t>(0, 12);
    std::vector<tp::byte_count> sizes;
    tp::schedule plan;
    for (std::size_t i = 0; i < count; ++i) {
        sizes.push_back(*rc::gen::inRange<tp::byte_count>(0, 5));
        const auto begin = *rc::gen::inRange<std::size_t>(0, 10);
        plan.residencies.push_back({tp::storage_id{static_cast<std::uint32_t>(i)}, begin, begin + *rc::gen::inRange<std::size_t>(1, 5),
                                    tp::tier_index{*rc::gen::inRange<std::uint8_t>(0, 2)}, *rc::gen::inRange<tp::byte_count>(0, 12)});
    }
    const auto collide = [&](std::size_t l, std::size_t r) {
        const tp::residency &x = plan.residencies[l], &y = plan.residencies[r];
        return l != r && x.tier == y.tier && x.begin < y.end && y.begin < x.end && x.address < y.address + sizes[r] &&
               y.address < x.address + sizes[l] && sizes[l] > 0 && sizes[r] > 0;
    };
    bool any = false;
    for (std::size_t l = 0; l < count; ++l) {
        for (std::size_t r = 0; r < l; ++r) {
            any = any || collide(l, r);
        }
    }
    const problems found = tp::validate(plan, sizes);
    RC_ASSERT(found.empty() == !any);
    RC_ASSERT(
        std::all_of(found.begin(), found.end(), [&](const auto& p) { return p.broken == rule::overlap && collide(p.first, p.second); }));
}

}  // namespace
