// A request that is refused leaves a core that goes on: nothing lost, nothing locked.

#include "session.hpp"

#include <tidepool/decision/replay.hpp>
#include <tidepool/graph/linear_network.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <span>

namespace tp = tidepool;
using testing_decision::session;
using tp::decision::outcome;

namespace {

using engine = tp::decision_core<>;
using simulator = tp::decision_core<tp::semantics<tp::simrd>>;

TEST(Refusals, OfWhatCannotFitComeBeforeAnythingIsEvicted)
{
    session<engine> s(100);
    const tp::tensor_id a = s.make(40);
    const tp::tensor_id b = s.make(40);
    const auto before = s.carry_out.events();
    EXPECT_EQ(s.try_to_make(101, {}), outcome::out_of_budget);
    EXPECT_EQ(s.try_to_make(30, {a, b}), outcome::out_of_budget) << "beside its own inputs";
    EXPECT_EQ(s.carry_out.events(), before) << "something ran or was evicted for a request that was refused";
    EXPECT_TRUE(s.core.is_resident(a) && s.core.is_resident(b));
    EXPECT_EQ(s.try_to_make(20, {a, b}), outcome::done);
}

TEST(Refusals, CountWhatIsPinned)
{
    session<engine> s(100);
    EXPECT_EQ(s.pin(s.make(50)), outcome::done);
    const tp::tensor_id a = s.make(40);
    const auto before = s.carry_out.events();
    EXPECT_EQ(s.try_to_make(51, {}), outcome::out_of_budget);
    EXPECT_EQ(s.carry_out.events(), before);
    EXPECT_TRUE(s.core.is_resident(a));
    EXPECT_EQ(s.try_to_make(50, {}), outcome::done);
    EXPECT_FALSE(s.core.is_resident(a));
}

/// What is missing needs more room than there is: its operator cannot run, so nothing is tried.
TEST(Refusals, LookAtWhatMustRunAgain)
{
    session<engine> s(100);
    const tp::tensor_id a = s.make(60);
    const tp::tensor_id b = s.make(40, {a});
    EXPECT_TRUE(s.evict(b));
    EXPECT_EQ(s.pin(s.make(10)), outcome::done);
    const auto before = s.carry_out.events();
    EXPECT_EQ(s.read(b), outcome::out_of_budget);
    EXPECT_EQ(s.pin(b), outcome::out_of_budget);
    EXPECT_EQ(s.try_to_make(1, {b}), outcome::out_of_budget);
    EXPECT_EQ(s.carry_out.events(), before);
    EXPECT_EQ(s.set_budget(110), outcome::done);
    EXPECT_EQ(s.read(b), outcome::done);
}

TEST(Refusals, OfABudgetBelowWhatIsPinnedChangeNothing)
{
    session<engine> s(100);
    EXPECT_EQ(s.pin(s.make(50)), outcome::done);
    const tp::tensor_id a = s.make(40);
    EXPECT_EQ(s.set_budget(49), outcome::out_of_budget);
    EXPECT_EQ(s.core.books().budget(), 100);
    EXPECT_TRUE(s.core.is_resident(a));
    EXPECT_EQ(s.set_budget(50), outcome::done);
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

/// What was bookkept for the operator that went over is in order: the next search finds victims, down to nothing.
template <auto Heuristic>
void expect_victims_after_the_limit()
{
    SCOPED_TRACE(tp::formula(Heuristic));
    session<tp::decision_core<tp::evict_by<Heuristic>, tp::semantics<tp::simrd>>> s({.budget = 30, .remat_compute = 1});
    const auto a = s.make(10);
    const auto b = s.make(10, {a});
    EXPECT_TRUE(s.evict(b));
    EXPECT_TRUE(s.evict(a));
    EXPECT_EQ(s.try_to_make(10, {b}), outcome::over_limit);
    EXPECT_EQ(s.set_budget(0), outcome::done);
    EXPECT_EQ(s.core.books().used(), 0);
}

TEST(Refusals, AtTheLimitLeaveTheScoresInOrder)
{
    expect_victims_after_the_limit<tp::h_lru>();
    expect_victims_after_the_limit<tp::h_dtr>();
    expect_victims_after_the_limit<tp::h_dtr_eq>();
    expect_victims_after_the_limit<tp::h_dtr_unopt>();
    expect_victims_after_the_limit<tp::h_msps>();
}

/// A core that forgets cannot bring back what the program let go of. The simulator can.
TEST(Refusals, OfWhatTheProgramLetGoOf)
{
    const tp::output ten{10};
    tp::program after_release;
    const tp::tensor_id made = after_release.call("make", 1, {}, std::span(&ten, 1));
    after_release.release(made);
    for (int use = 0; use < 3; ++use) {
        tp::program program = after_release;
        if (use == 0) {
            program.call("use", 1, std::span(&made, 1), std::span(&ten, 1));
        } else if (use == 1) {
            program.get(made);
        } else {
            program.pin(made);
        }
        EXPECT_THROW(static_cast<void>(tp::replay<engine>(program, {})), tp::invalid_program) << "use " << use;
        EXPECT_EQ(tp::replay<simulator>(program, {}).outcome, tp::replay_outcome::pass) << "use " << use;
        using keeps_all = tp::decision_core<tp::deallocate_by<tp::ignore_releases>>;
        EXPECT_EQ(tp::replay<keeps_all>(program, {}).outcome, tp::replay_outcome::pass) << "use " << use;
    }
    after_release.release(made);
    EXPECT_THROW(static_cast<void>(tp::replay<engine>(after_release, {})), tp::invalid_program);
    EXPECT_THROW(static_cast<void>(tp::replay<simulator>(after_release, {})), tp::invalid_program);
}

/// Unlike an engine's, the simulator's refusal comes only after everything evictable was evicted.
TEST(Refusals, OfTheSimulatorComeLast)
{
    session<simulator> s(100);
    const tp::tensor_id a = s.make(40);
    EXPECT_EQ(s.try_to_make(101), outcome::out_of_budget);
    EXPECT_FALSE(s.core.is_resident(a));
    EXPECT_EQ(s.read(a), outcome::done);
    expect_nothing_locked(s.core);
}

}  // namespace
