// Regions rebuilt together over shared rows take the same decisions as regions rebuilt one by one.

#include "random_program.hpp"
#include "rebuilt_regions.hpp"

#include <tidepool/decision/replay.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace tp = tidepool;

namespace {

/// As `simrd_semantics`, with the oracle for regions.
struct oracle_semantics : tp::simrd_semantics {
    using evicted_neighborhood = testing_policy::rebuilt_regions;
};

template <auto Heuristic, auto Semantics>
using core = tp::decision_core<tp::evict_by<Heuristic>, tp::deallocate_by<tp::chosen_deallocation>, tp::semantics<Semantics>>;

template <auto Heuristic>
void expect_as_oracle(const tp::program& program, const tp::decision::limits& limits, tp::chosen_deallocation deallocation)
{
    const tp::replay_result fast = tp::replay<core<Heuristic, tp::simrd>>(program, limits, deallocation);
    const tp::replay_result slow = tp::replay<core<Heuristic, oracle_semantics{}>>(program, limits, deallocation);
    RC_ASSERT(fast.outcome == slow.outcome);
    RC_ASSERT(fast.clock == slow.clock);
    RC_ASSERT(fast.counters.remat_compute == slow.counters.remat_compute);
    RC_ASSERT(fast.counters.max_memory == slow.counters.max_memory);
    RC_ASSERT(fast.counters.evictions == slow.counters.evictions);
    RC_ASSERT(fast.counters.pressure_evictions == slow.counters.pressure_evictions);
    RC_ASSERT(fast.counters.rematerializations == slow.counters.rematerializations);
    RC_ASSERT(fast.counters.heuristic_evals == slow.counters.heuristic_evals);
    RC_ASSERT(fast.evictions == slow.evictions);
    RC_ASSERT(fast.pressure_evictions == slow.pressure_evictions);
}

void compare(testing_programs::features may)
{
    const tp::program program = testing_programs::program_builder(may).build(*testing_programs::any_choices(250));
    const tp::byte_count peak = tp::measure_baseline(program).peak;
    const auto percent = *rc::gen::resize(100, rc::gen::inRange<tp::byte_count>(15, 90));
    // Not banishing: the simulator's runtime that banishes has no regions.
    const tp::chosen_deallocation deallocation{*rc::gen::element(tp::release_action::ignore, tp::release_action::evict)};
    RC_LOG() << testing_programs::describe(program) << "peak " << peak << ", budget " << percent << " %, deallocation "
             << static_cast<int>(deallocation.action) << "\n";
    const tp::decision::limits limits{peak * percent / 100, static_cast<tp::nanoseconds>(300 * program.operator_count()), 0};
    expect_as_oracle<tp::h_dtr>(program, limits, deallocation);
    expect_as_oracle<tp::h_msps>(program, limits, deallocation);
    expect_as_oracle<tp::h_e>(program, limits, deallocation);
}

RC_GTEST_PROP(Regions, DecideAsTheSimulatorsOwn, ()) { compare({.views_of_several = false}); }

/// Views that take a second storage are edges back: the one way to a cycle.
RC_GTEST_PROP(Regions, DecideAsTheSimulatorsOwnWithCycles, ()) { compare({}); }

RC_GTEST_PROP(Regions, DecideAsTheSimulatorsOwnWithoutViews, ()) { compare({.views = false, .releases = 15}); }

}  // namespace
