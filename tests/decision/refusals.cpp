// A request that is refused leaves a core that goes on: nothing lost, nothing locked.

#include "interpreter.hpp"

#include <tidepool/decision/replay.hpp>
#include <tidepool/graph/linear_network.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tp = tidepool;
using tp::decision::outcome;

namespace {

/// A core under a budget, its requests as a test writes them.
template <class Core>
class session {
public:
    explicit session(tp::decision::limits bounds) : core(bounds) { carry_out.set_budget(bounds.budget); }

    outcome call(tp::byte_count bytes, const std::vector<tp::tensor_id>& inputs, tp::tensor_id* made = nullptr, tp::nanoseconds cost = 1)
    {
        const std::array<tp::output, 1> results{tp::output{bytes}};
        const auto called = core.call(cost, inputs, results, carry_out);
        if (called.result == outcome::done && made != nullptr) {
            *made = core.graph()[called.op].outputs.front();
        }
        return called.result;
    }
    tp::tensor_id make(tp::byte_count bytes, const std::vector<tp::tensor_id>& inputs = {}, tp::nanoseconds cost = 1)
    {
        tp::tensor_id made{};
        EXPECT_EQ(call(bytes, inputs, &made, cost), outcome::done);
        return made;
    }

    Core core;
    testing_decision::interpreter carry_out;
};

using engine = tp::decision_core<>;
using simulator = tp::decision_core<tp::semantics<tp::simrd>>;

TEST(Refusals, OfWhatCannotFitComeBeforeAnythingIsEvicted)
{
    session<engine> s({.budget = 100});
    const tp::tensor_id a = s.make(40);
    const tp::tensor_id b = s.make(40);
    const auto before = s.carry_out.events();
    EXPECT_EQ(s.call(101, {}), outcome::out_of_budget);
    EXPECT_EQ(s.call(30, {a, b}), outcome::out_of_budget) << "beside its own inputs";
    EXPECT_EQ(s.carry_out.events(), before) << "something ran or was evicted for a request that was refused";
    EXPECT_TRUE(s.core.is_resident(a) && s.core.is_resident(b));
    EXPECT_EQ(s.call(20, {a, b}), outcome::done);
}

TEST(Refusals, CountWhatIsPinned)
{
    session<engine> s({.budget = 100});
    EXPECT_EQ(s.core.pin(s.make(50), s.carry_out), outcome::done);
    const tp::tensor_id a = s.make(40);
    const auto before = s.carry_out.events();
    EXPECT_EQ(s.call(51, {}), outcome::out_of_budget);
    EXPECT_EQ(s.carry_out.events(), before);
    EXPECT_TRUE(s.core.is_resident(a));
    EXPECT_EQ(s.call(50, {}), outcome::done);
    EXPECT_FALSE(s.core.is_resident(a));
}

/// What is missing needs more room than there is: its operator cannot run, so nothing is tried.
TEST(Refusals, LookAtWhatMustRunAgain)
{
    session<engine> s({.budget = 100});
    const tp::tensor_id a = s.make(60);
    const tp::tensor_id b = s.make(40, {a});
    EXPECT_TRUE(s.core.evict(b, s.carry_out));
    EXPECT_EQ(s.core.pin(s.make(10), s.carry_out), outcome::done);
    const auto before = s.carry_out.events();
    EXPECT_EQ(s.core.read(b, s.carry_out), outcome::out_of_budget);
    EXPECT_EQ(s.core.pin(b, s.carry_out), outcome::out_of_budget);
    EXPECT_EQ(s.call(1, {b}), outcome::out_of_budget);
    EXPECT_EQ(s.carry_out.events(), before);
    s.carry_out.set_budget(110);
    EXPECT_EQ(s.core.set_budget(110, s.carry_out), outcome::done);
    EXPECT_EQ(s.core.read(b, s.carry_out), outcome::done);
}

TEST(Refusals, OfABudgetBelowWhatIsPinnedChangeNothing)
{
    session<engine> s({.budget = 100});
    EXPECT_EQ(s.core.pin(s.make(50), s.carry_out), outcome::done);
    const tp::tensor_id a = s.make(40);
    EXPECT_EQ(s.core.set_budget(49, s.carry_out), outcome::out_of_budget);
    EXPECT_EQ(s.core.books().budget(), 100);
    EXPECT_TRUE(s.core.is_resident(a));
    EXPECT_EQ(s.core.set_budget(50, s.carry_out), outcome::done);
    EXPECT_FALSE(s.core.is_resident(a));
    EXPECT_EQ(s.core.books().used(), 50);
}

/// Everything that is not pinned can be evicted, so that nothing is locked.
template <class Core>
void expect_nothing_locked(Core& core)
{
    tp::null_executor nobody;
    for (std::uint32_t i = 0; i < core.graph().storages().bound(); ++i) {
        const tp::storage_id storage{i};
        if (!core.graph()[storage].views.empty() && core.books().is_resident(storage)) {
            const tp::tensor_id tensor = core.graph()[storage].views.front();
            EXPECT_EQ(core.evict(tensor, nobody), !core.books().is_pinned(storage)) << "storage " << i;
        }
    }
    EXPECT_EQ(core.books().used(), core.books().locked());
    EXPECT_EQ(core.books().evictable(), 0U);
}

/// Fails as early as it can, raises the budget by one, and so on to the end.
template <class Core>
void expect_to_reach_the_end()
{
    const tp::program network = tp::linear_network(60);
    Core core({.budget = 2});
    tp::null_executor nobody;
    tp::program_feed<Core> feed(network, core);
    int refusals = 0;
    while (!feed.done()) {
        while (feed.step(nobody) == outcome::out_of_budget) {
            ++refusals;
            ASSERT_LT(refusals, 60);
            ASSERT_EQ(core.set_budget(core.books().budget() + 1, nobody), outcome::done);
        }
    }
    EXPECT_GT(refusals, 0);
    EXPECT_EQ(core.counters().model_compute, 120);
    expect_nothing_locked(core);
}

TEST(Refusals, AreFollowedByTheRestOfTheProgram)
{
    expect_to_reach_the_end<engine>();
    expect_to_reach_the_end<simulator>();
    expect_to_reach_the_end<tp::decision_core<tp::deallocate_by<tp::banishing>>>();
    expect_to_reach_the_end<tp::decision_core<tp::evict_by<tp::h_dtr>, tp::deallocate_by<tp::ignore_releases>>>();
    expect_to_reach_the_end<tp::decision_core<tp::evict_by<tp::h_dtr>, tp::semantics<tp::simrd>>>();
}

/// In the middle of bringing back a chain: the operators that waited hold nothing any more.
template <class Core>
void expect_usable_after_the_limit()
{
    const tp::program network = tp::linear_network(200);
    Core core({.budget = 29, .remat_compute = 50});
    tp::null_executor nobody;
    tp::program_feed<Core> feed(network, core);
    outcome result = outcome::done;
    while (!feed.done() && result == outcome::done) {
        result = feed.step(nobody);
    }
    EXPECT_EQ(result, outcome::over_limit);
    EXPECT_FALSE(feed.done());
    expect_nothing_locked(core);
}

TEST(Refusals, AtTheLimitLeaveNothingLocked)
{
    expect_usable_after_the_limit<engine>();
    expect_usable_after_the_limit<simulator>();
    expect_usable_after_the_limit<tp::decision_core<tp::evict_by<tp::h_lru>>>();
    expect_usable_after_the_limit<tp::decision_core<tp::evict_by<tp::h_lru>, tp::semantics<tp::simrd>>>();
}

/// Unlike an engine's, the simulator's refusal comes only after everything evictable was evicted.
TEST(Refusals, OfTheSimulatorComeLast)
{
    simulator core({.budget = 100});
    tp::null_executor nobody;
    const std::array<tp::output, 1> forty{tp::output{40}};
    const std::array<tp::output, 1> large{tp::output{101}};
    const tp::tensor_id a = core.graph()[core.call(1, {}, forty, nobody).op].outputs.front();
    EXPECT_EQ(core.call(1, {}, large, nobody).result, outcome::out_of_budget);
    EXPECT_FALSE(core.is_resident(a));
    EXPECT_EQ(core.read(a, nobody), outcome::done);
    expect_nothing_locked(core);
}

}  // namespace
