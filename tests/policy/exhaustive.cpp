// The exhaustive pool: which of equals goes, where the search ends, what many moves leave behind. (Its laws: tests/laws.)

#include <tidepool/policy/search.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>

namespace tp = tidepool;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Exhaustive, StopsAtTheFirstZero)
{
    tp::exhaustive pool;
    pool.reserve(4);
    for (std::uint32_t id = 0; id < 4; ++id) {
        pool.insert(tp::storage_id{id});
    }
    int asked = 0;
    const auto score = [&](tp::storage_id id) {
        ++asked;
        return id == tp::storage_id{1} ? 0.0 : id == tp::storage_id{3} ? -1.0 : 5.0;
    };
    EXPECT_EQ(pool.choose(score, true), tp::storage_id{1});
    EXPECT_EQ(asked, 2);
    EXPECT_EQ(pool.choose(score, false), tp::storage_id{3});
}

TEST(Exhaustive, TheLatestOfEqualsGoes)
{
    tp::exhaustive pool;
    pool.reserve(3);
    for (const std::uint32_t id : {2U, 0U, 1U}) {
        pool.insert(tp::storage_id{id});
    }
    const auto all_infinite = [](tp::storage_id) { return infinity; };
    EXPECT_EQ(pool.choose(all_infinite, true), tp::storage_id{1});
    pool.erase(tp::storage_id{2});
    pool.insert(tp::storage_id{2});
    EXPECT_EQ(pool.choose(all_infinite, true), tp::storage_id{2});
}

TEST(Exhaustive, IsEmptyWhenAllAreGone)
{
    tp::exhaustive pool;
    EXPECT_EQ(pool.choose([](tp::storage_id) { return 0.0; }, true), std::nullopt);
    pool.reserve(1);
    pool.insert(tp::storage_id{0});
    pool.erase(tp::storage_id{0});
    EXPECT_EQ(pool.choose([](tp::storage_id) { return 0.0; }, true), std::nullopt);
}

/// An id that moves to the end again and again leaves holes: they are squeezed out, so that a choice stays linear in what is there.
TEST(Exhaustive, ManyMovesLeaveNothingBehind)
{
    tp::exhaustive pool;
    pool.reserve(10);
    for (std::uint32_t id = 0; id < 10; ++id) {
        pool.insert(tp::storage_id{id});
    }
    for (int move = 0; move < 1'000'000; ++move) {
        const tp::storage_id id{static_cast<std::uint32_t>(move % 10)};
        pool.erase(id);
        pool.insert(id);
    }
    EXPECT_EQ(pool.size(), 10U);
    EXPECT_EQ(pool.choose([](tp::storage_id) { return 1.0; }, true), tp::storage_id{9});
}

}  // namespace
