// What real programs seldom do, and may do.

#include "interpreter.hpp"

#include <tidepool/decision/replay.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tp = tidepool;
using tp::decision::outcome;

namespace {

/// A core with an executor that finds out when decisions do not fit together.
template <class Core>
class session {
public:
    explicit session(tp::byte_count budget = 1'000) : core({.budget = budget}) { carry_out.set_budget(budget); }
    ~session() { EXPECT_EQ(carry_out.fault(), ""); }

    std::vector<tp::tensor_id> call(const std::vector<tp::tensor_id>& inputs, const std::vector<tp::output>& results,
                                    tp::nanoseconds cost = 1)
    {
        const auto called = core.call(cost, inputs, results, carry_out);
        EXPECT_EQ(called.result, outcome::done);
        const auto& outputs = core.graph()[called.op].outputs;
        return {outputs.begin(), outputs.end()};
    }
    tp::tensor_id make(tp::byte_count bytes, const std::vector<tp::tensor_id>& inputs = {}) { return call(inputs, {{bytes}}).front(); }
    void release(tp::tensor_id tensor) { core.release(tensor, carry_out); }
    [[nodiscard]] bool evict(tp::tensor_id tensor) { return core.evict(tensor, carry_out); }
    [[nodiscard]] outcome read(tp::tensor_id tensor) { return core.read(tensor, carry_out); }

    Core core;
    testing_decision::interpreter carry_out;
};

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
    EXPECT_EQ(s.core.pin(b, s.carry_out), outcome::done);
    EXPECT_EQ(s.core.pin(b, s.carry_out), outcome::done);
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
    EXPECT_EQ(s.core.pin(d, s.carry_out), outcome::done);
    EXPECT_EQ(s.core.pin(e, s.carry_out), outcome::done);
    EXPECT_EQ(s.core.books().evictable(), 0U);
    EXPECT_EQ(s.core.books().locked(), 30);
}

/// Under the simulator's semantics, siblings of a result that is needed again come back even where they were banished.
TEST(Banishing, OfTheSimulatorLetsSiblingsComeBack)
{
    tp::decision_core<tp::evict_by<tp::h_dtr_eq>, tp::deallocate_by<tp::banishing>, tp::semantics<tp::simrd>> core({.budget = 1'000});
    tp::null_executor nobody;
    const std::array<tp::output, 2> two{tp::output{10}, tp::output{10}};
    const auto called = core.call(1, {}, two, nobody);
    const tp::tensor_id kept = core.graph()[called.op].outputs[0];
    const tp::tensor_id dead = core.graph()[called.op].outputs[1];
    core.release(dead, nobody);
    EXPECT_FALSE(core.is_resident(dead));
    EXPECT_TRUE(core.evict(kept, nobody));
    EXPECT_EQ(core.read(kept, nobody), outcome::done);
    EXPECT_TRUE(core.is_resident(dead));
    EXPECT_EQ(core.books().used(), 20);
}

}  // namespace
