// The neighbourhoods that are summed only when something changed, against a sum over the whole graph at every question.

#include "graph_neighborhood.hpp"
#include "random_program.hpp"
#include "watched.hpp"

#include <tidepool/decision/replay.hpp>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace tp = tidepool;

namespace {

struct off_the_graph {
    template <class State>
    static auto value(const State& state, tp::storage_id id)
    {
        return testing_policy::graph_neighborhood(state, id);
    }
    static bool same(const auto& known, const auto& found)
    {
        return known.descendants == found.descendants && known.ancestors == found.ancestors;
    }
};

using watched_neighborhoods = testing_policy::watched<tp::metadata::neighborhoods, off_the_graph>;

struct watched_semantics : tp::tidepool_semantics {
    using evicted_neighborhood = watched_neighborhoods;
};

template <auto Heuristic>
void replay_watched(const tp::program& program, tp::byte_count budget, tp::chosen_deallocation deallocation)
{
    using core = tp::decision_core<tp::evict_by<Heuristic>, tp::deallocate_by<tp::chosen_deallocation>, tp::semantics<watched_semantics{}>>;
    const auto differences = watched_neighborhoods::differences;
    static_cast<void>(tp::replay<core>(program, {budget, 300 * static_cast<tp::nanoseconds>(program.operator_count()), 0}, deallocation));
    RC_ASSERT(watched_neighborhoods::differences == differences);
}

TEST(Neighborhoods, AreExactAtEveryQuestion)
{
    const bool holds = rc::check("a fresh sum over the graph is the same", [] {
        const tp::program program = testing_programs::program_builder({}).build(*testing_programs::any_choices(200));
        const tp::byte_count peak = tp::measure_baseline(program).peak;
        const auto percent = *rc::gen::resize(100, rc::gen::inRange<tp::byte_count>(15, 80));
        const tp::chosen_deallocation deallocation{
            *rc::gen::element(tp::release_action::ignore, tp::release_action::evict, tp::release_action::banish)};
        replay_watched<tp::h_dtr>(program, peak * percent / 100, deallocation);
        replay_watched<tp::h_msps>(program, peak * percent / 100, deallocation);
    });
    EXPECT_TRUE(holds);
    EXPECT_GT(watched_neighborhoods::questions, 10'000U) << "the programs hardly evict";
}

}  // namespace
