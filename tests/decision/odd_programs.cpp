// What real programs seldom do, and may do.

#include "session.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string_view>
#include <vector>

namespace tp = tidepool;
using testing_decision::session;
using tp::decision::outcome;

namespace {

template <class Core>
class OddPrograms : public testing::Test {
};

using engines = testing::Types<tp::decision_core<tp::evict_by<tp::h_dtr>>,
                               tp::decision_core<tp::evict_by<tp::h_dtr_eq>, tp::deallocate_by<tp::banishing>>,
                               tp::decision_core<tp::evict_by<tp::h_lru>, tp::deallocate_by<tp::ignore_releases>>>;
TYPED_TEST_SUITE(OddPrograms, engines);

TYPED_TEST(OddPrograms, NothingOfNoSizeIsInTheWay)
{
    session<TypeParam> s(10);
    const auto nothing = s.call({}, {{0}}, 0).front();
    const auto full = s.make(10, {nothing});
    EXPECT_TRUE(s.core.is_resident(nothing));
    EXPECT_TRUE(s.evict(nothing));
    EXPECT_TRUE(s.evict(full));
    EXPECT_EQ(s.read(full), outcome::done);
    EXPECT_EQ(s.read(nothing), outcome::done);
    EXPECT_EQ(s.core.books().used(), 10);
}

TYPED_TEST(OddPrograms, OperatorsThatCostNothing)
{
    session<TypeParam> s(2);
    std::vector<tp::tensor_id> chain;
    for (int i = 0; i < 20; ++i) {
        chain.push_back(s.call(chain.empty() ? std::vector<tp::tensor_id>() : std::vector{chain.back()}, {{1}}, 0).front());
    }
    for (const tp::tensor_id each : chain) {
        EXPECT_EQ(s.read(each), outcome::done);
    }
    EXPECT_EQ(s.core.clock().now(), 1);
}

TYPED_TEST(OddPrograms, TheSameInputTwice)
{
    session<TypeParam> s(20);
    const auto x = s.make(10);
    const auto y = s.make(10, {x, x});  // one x counts once against the budget
    EXPECT_TRUE(s.evict(x));
    EXPECT_TRUE(s.evict(y));
    EXPECT_EQ(s.read(y), outcome::done);
    s.release(x);
    EXPECT_EQ(s.read(y), outcome::done);
}

TYPED_TEST(OddPrograms, OperatorsWithoutInputsRunAgain)
{
    session<TypeParam> s(10);
    const auto a = s.make(10);
    const auto b = s.make(10);
    EXPECT_FALSE(s.core.is_resident(a));
    EXPECT_EQ(s.read(a), outcome::done);
    EXPECT_FALSE(s.core.is_resident(b));
}

TYPED_TEST(OddPrograms, AnOperatorOfWhichAllResultsAreViews)
{
    session<TypeParam> s;
    const auto a = s.make(10);
    const auto b = s.make(10);
    const auto views = s.call({a, b}, {{0, 0}, {0, 1}, {0, 0}});
    EXPECT_EQ(s.core.books().used(), 20);
    EXPECT_TRUE(s.evict(views[0]));
    EXPECT_FALSE(s.core.is_resident(a)) << "a view and its storage are one";
    const auto operators = s.core.counters().rematerializations;
    EXPECT_EQ(s.read(views[2]), outcome::done);
    EXPECT_EQ(s.core.counters().rematerializations, operators + 1) << "the view itself costs nothing to bring back";
    s.release(views[1]);
    s.release(b);
    s.release(a);
    EXPECT_EQ(s.read(views[0]), outcome::done) << "a view keeps its storage";
}

TYPED_TEST(OddPrograms, ViewsBesideResultsOfTheirOwn)
{
    session<TypeParam> s;
    const auto a = s.make(10);
    const auto mixed = s.call({a}, {{0, 0}, {10}});
    const auto user = s.make(10, {mixed[0], mixed[1]});
    s.release(mixed[0]);
    EXPECT_TRUE(s.evict(user));
    EXPECT_TRUE(s.evict(mixed[1]));
    EXPECT_TRUE(s.evict(a));
    EXPECT_EQ(s.read(user), outcome::done);
    EXPECT_EQ(s.read(mixed[1]), outcome::done);
}

TYPED_TEST(OddPrograms, OneReferenceMoreIsOneReleaseMore)
{
    session<TypeParam> s;
    const auto a = s.make(10);
    s.core.retain(a);
    s.release(a);
    EXPECT_EQ(s.read(a), outcome::done);
    s.core.retain(a);
    s.core.retain(a);
    s.release(a);
    s.release(a);
    EXPECT_TRUE(s.evict(a));
    EXPECT_EQ(s.read(a), outcome::done);
    const auto b = s.make(10, {a});
    s.release(a);
    EXPECT_EQ(s.read(b), outcome::done);
}

TYPED_TEST(OddPrograms, WhatIsPinnedIsNeverEvicted)
{
    session<TypeParam> s(20);
    const auto a = s.make(10);
    const auto b = s.make(10, {a});
    EXPECT_TRUE(s.evict(b));
    EXPECT_EQ(s.pin(b), outcome::done);
    EXPECT_EQ(s.pin(b), outcome::done);
    EXPECT_FALSE(s.evict(b));
    for (int i = 0; i < 10; ++i) {
        s.make(10);
    }
    EXPECT_TRUE(s.core.is_resident(b));
}

TYPED_TEST(OddPrograms, MoreInputsThanAnybodyNeeds)
{
    session<TypeParam> s(2'000);
    std::vector<tp::tensor_id> many;
    for (int i = 0; i < 1'000; ++i) {
        many.push_back(s.make(1));
    }
    const auto sum = s.make(1, many);
    EXPECT_TRUE(s.evict(sum));
    for (const tp::tensor_id each : many) {
        EXPECT_TRUE(s.evict(each));
        s.release(each);
    }
    EXPECT_EQ(s.read(sum), outcome::done);
}

/// Dead inputs that came back together are banished together, with the first of them.
TEST(Banishing, TakesAllDeadInputsAtOnce)
{
    session<tp::decision_core<tp::evict_by<tp::h_lru>, tp::deallocate_by<tp::banishing>>> s;
    const auto a = s.make(10);
    const auto b = s.make(10);
    const auto c = s.make(10, {a, b});
    EXPECT_TRUE(s.evict(c));
    s.release(a);
    s.release(b);
    EXPECT_EQ(s.core.graph().storages().live(), 3U) << "c needs them";
    EXPECT_EQ(s.read(c), outcome::done);
    EXPECT_EQ(s.core.graph().storages().live(), 1U);
    EXPECT_EQ(s.core.graph().operators().live(), 0U);
    EXPECT_FALSE(s.evict(c)) << "nothing can make it again";
    const auto d = s.make(10);  // under the ids of those that went
    const auto e = s.make(10);
    EXPECT_EQ(s.core.books().evictable(), 2U);
    EXPECT_EQ(s.pin(d), outcome::done);
    EXPECT_EQ(s.pin(e), outcome::done);
    EXPECT_EQ(s.core.books().evictable(), 0U);
    EXPECT_EQ(s.core.books().locked(), 30);
}

/// Under the simulator's semantics, siblings of a result that is needed again come back even where they were banished, with the
/// past that they had: least recently used, they go first again.
template <auto Heuristic>
void expect_siblings_to_come_back_with_their_past()
{
    SCOPED_TRACE(tp::formula(Heuristic));
    session<tp::decision_core<tp::evict_by<Heuristic>, tp::deallocate_by<tp::banishing>, tp::semantics<tp::simrd>>> s(20);
    const auto both = s.call({}, {{10}, {10}});
    const tp::tensor_id kept = both[0];
    const tp::tensor_id dead = both[1];
    s.release(dead);
    EXPECT_FALSE(s.core.is_resident(dead));
    s.make(0);                            // time goes by
    const auto used = s.make(0, {kept});  // the last time that one of the two is used
    EXPECT_TRUE(s.evict(kept));
    EXPECT_EQ(s.read(kept), outcome::done);
    EXPECT_TRUE(s.core.is_resident(dead));
    EXPECT_EQ(s.core.books().used(), 20);
    EXPECT_TRUE(s.evict(used));
    s.make(10);
    EXPECT_FALSE(s.core.is_resident(dead));
    EXPECT_TRUE(s.core.is_resident(kept));
    EXPECT_EQ(s.core.books().used(), 20);
}

TEST(Banishing, OfTheSimulatorLetsSiblingsComeBack)
{
    expect_siblings_to_come_back_with_their_past<tp::h_lru>();
    expect_siblings_to_come_back_with_their_past<tp::h_dtr>();
    expect_siblings_to_come_back_with_their_past<tp::h_dtr_eq>();
    expect_siblings_to_come_back_with_their_past<tp::h_dtr_unopt>();
    expect_siblings_to_come_back_with_their_past<tp::h_dtr_local>();
}

/// A score that is no number, of storages of 13 bytes. A user's term may give one: zero times infinity, say.
struct no_number_term {
    using needs = tp::needs_set<>;
    static constexpr std::string_view name = "no_number";
    static double value(const auto& storage, const tp::decision_clock&)
    {
        return storage.bytes() == 13 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(storage.bytes());
    }
};

template <class Core>
void expect_no_numbers_to_go_last()
{
    session<Core> s(60);
    const auto strange = s.make(13);
    const auto small = s.make(14);
    const auto large = s.make(33);
    s.make(5);
    EXPECT_FALSE(s.core.is_resident(small));
    s.make(30);
    EXPECT_FALSE(s.core.is_resident(large));
    EXPECT_TRUE(s.core.is_resident(strange)) << "what has no score is the last to go,";
    EXPECT_EQ(s.set_budget(0), outcome::done);
    EXPECT_FALSE(s.core.is_resident(strange)) << "but not never";
}

TEST(Scores, ThatAreNoNumbersGoLast)
{
    expect_no_numbers_to_go_last<tp::decision_core<tp::evict_by<no_number_term{}>>>();
    expect_no_numbers_to_go_last<tp::decision_core<tp::evict_by<no_number_term{}>, tp::semantics<tp::simrd>>>();
}

/// Three centuries are as long as the clock goes: it stays there, and costs do not turn negative.
template <class Core>
void expect_the_clock_to_stay_at_its_end()
{
    session<Core> s(10);
    const auto first = s.make(10, {}, 2'000'000'000'000'000'000);
    const auto second = s.make(10, {}, 2'000'000'000'000'000'000);
    tp::nanoseconds before = s.core.clock().now();
    for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(s.read(i % 2 == 0 ? first : second), outcome::done);
        EXPECT_GE(s.core.clock().now(), before);
        before = s.core.clock().now();
    }
    EXPECT_EQ(s.core.clock().now(), std::numeric_limits<tp::nanoseconds>::max());
    EXPECT_EQ(s.core.counters().remat_compute, 8'000'000'000'000'000'000);
    EXPECT_EQ(s.read(first), outcome::done);
    EXPECT_EQ(s.read(second), outcome::done);
    EXPECT_EQ(s.core.counters().remat_compute, std::numeric_limits<tp::nanoseconds>::max());
}

TEST(Costs, OfCenturiesDoNotWrap)
{
    expect_the_clock_to_stay_at_its_end<tp::decision_core<tp::evict_by<tp::h_dtr>>>();
    expect_the_clock_to_stay_at_its_end<tp::decision_core<tp::evict_by<tp::h_dtr>, tp::semantics<tp::simrd>>>();
    expect_the_clock_to_stay_at_its_end<tp::decision_core<tp::evict_by<tp::h_dtr_eq>, tp::semantics<tp::simrd>>>();
    expect_the_clock_to_stay_at_its_end<tp::decision_core<tp::evict_by<tp::h_dtr_unopt>, tp::semantics<tp::simrd>>>();
    expect_the_clock_to_stay_at_its_end<tp::decision_core<tp::evict_by<tp::h_msps>>>();
}

}  // namespace
