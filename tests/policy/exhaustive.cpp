// The exhaustive pool against a plain list.

#include <tidepool/policy/search.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace tp = tidepool;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// What the concept says, word for word.
class list_pool {
public:
    void insert(tp::storage_id id) { ids_.push_back(id); }
    void erase(tp::storage_id id) { std::erase(ids_, id); }
    [[nodiscard]] bool contains(tp::storage_id id) const { return std::find(ids_.begin(), ids_.end(), id) != ids_.end(); }
    [[nodiscard]] std::size_t size() const { return ids_.size(); }

    template <class Score>
    [[nodiscard]] std::optional<tp::storage_id> choose(Score&& score, bool stop_at_zero) const
    {
        std::optional<tp::storage_id> best;
        for (const tp::storage_id id : ids_) {
            if (!best || score(id) <= score(*best)) {
                best = id;
            }
            if (stop_at_zero && score(id) == 0) {
                break;
            }
        }
        return best;
    }

private:
    std::vector<tp::storage_id> ids_;
};

RC_GTEST_PROP(Exhaustive, ChoosesAsTheList, ())
{
    constexpr std::uint32_t bound = 40;
    tp::exhaustive pool;
    list_pool expected;
    pool.reserve(bound);
    const auto steps = *rc::gen::resize(100, rc::gen::inRange(0, 400));
    for (int step = 0; step < steps; ++step) {
        const tp::storage_id id{*rc::gen::resize(100, rc::gen::inRange<std::uint32_t>(0, bound))};
        if (!pool.contains(id) && *rc::gen::weightedElement<bool>({{3, true}, {1, false}})) {
            pool.insert(id);
            expected.insert(id);
        } else {
            pool.erase(id);
            expected.erase(id);
        }
        RC_ASSERT(pool.size() == expected.size());
        RC_ASSERT(pool.contains(id) == expected.contains(id));
        if (step % 8 == 0) {
            const auto scores = *rc::gen::container<std::vector<double>>(
                bound, rc::gen::weightedElement<double>({{3, infinity}, {3, 2.0}, {3, 1.0}, {1, 0.0}, {1, -1.0}}));
            const auto score = [&](tp::storage_id scored) { return scores[index(scored)]; };
            for (const bool stop_at_zero : {false, true}) {
                RC_ASSERT(pool.choose(score, stop_at_zero) == expected.choose(score, stop_at_zero));
            }
        }
    }
}

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
