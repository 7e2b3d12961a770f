// A simulation and a run are one core: the type does not know who carries its decisions out, nor how its options were ordered.

#include <tidepool/decision/replay.hpp>
#include <tidepool/graph/linear_network.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace tp = tidepool;

namespace {

using by_lru = tp::evict_by<tp::h_lru>;
using as_simrd = tp::semantics<tp::simrd>;
using lets_be = tp::deallocate_by<tp::ignore_releases>;
using all = tp::search_by<tp::exhaustive>;

TEST(SameCore, WhateverTheOrderOfItsOptions)
{
    static_assert(std::is_same_v<tp::decision_core<by_lru, as_simrd, lets_be, all>, tp::decision_core<all, lets_be, as_simrd, by_lru>>);
    static_assert(std::is_same_v<tp::decision_core<by_lru, as_simrd>, tp::decision_core<as_simrd, by_lru>>);
}

TEST(SameCore, WithItsDefaultsWritten)
{
    static_assert(
        std::is_same_v<tp::decision_core<>, tp::decision_core<tp::evict_by<tp::h_dtr_eq>, all, tp::deallocate_by<tp::eager_eviction>,
                                                              tp::semantics<tp::tidepool>>>);
    static_assert(std::is_same_v<tp::decision_core<by_lru>, tp::decision_core<by_lru, all>>);
    static_assert(!std::is_same_v<tp::decision_core<by_lru>, tp::decision_core<by_lru, as_simrd>>);
}

/// Writes everything down.
struct recording_executor {
    std::vector<std::pair<char, std::uint64_t>> events;

    void run(const tp::computation_graph& graph, tp::operator_id op, bool again) noexcept
    {
        events.emplace_back(again ? 'r' : 'c', static_cast<std::uint64_t>(graph[op].cost));
    }
    void evict(const tp::computation_graph& graph, tp::storage_id storage, tp::eviction_reason) noexcept
    {
        events.emplace_back('e', graph[storage].serial);
    }
};

/// The core that `replay` runs, driven by somebody else.
template <class Core, class Executor>
tp::decision::counters drive(const tp::program& program, const tp::decision::limits& limits, Executor& executor)
{
    Core core(limits);
    tp::program_feed<Core> feed(program, core);
    while (!feed.done() && feed.step(executor) == tp::decision::outcome::done) {
    }
    return core.counters();
}

template <class Core>
void expect_independent_of_executor()
{
    const tp::program program = tp::linear_network(200);
    const tp::decision::limits limits{29, 10'000, 0};
    tp::null_executor nobody;
    tp::hashing_executor hash;
    recording_executor record;
    const tp::decision::counters without = drive<Core>(program, limits, nobody);
    const tp::decision::counters hashed = drive<Core>(program, limits, hash);
    const tp::decision::counters recorded = drive<Core>(program, limits, record);
    const tp::replay_result replayed = tp::replay<Core>(program, limits);
    for (const tp::decision::counters& each : {hashed, recorded, replayed.counters}) {
        EXPECT_EQ(each.remat_compute, without.remat_compute);
        EXPECT_EQ(each.evictions, without.evictions);
        EXPECT_EQ(each.heuristic_evals, without.heuristic_evals);
        EXPECT_EQ(each.max_memory, without.max_memory);
    }
    EXPECT_GT(without.rematerializations, 0U);
    EXPECT_EQ(hash.all(), replayed.evictions);
    std::size_t evictions = 0;
    for (const auto& [kind, serial] : record.events) {
        evictions += kind == 'e' ? 1U : 0U;
    }
    EXPECT_EQ(evictions, without.evictions);
}

TEST(SameCore, WhoeverCarriesOut)
{
    expect_independent_of_executor<tp::decision_core<tp::evict_by<tp::h_dtr>, as_simrd>>();
    expect_independent_of_executor<tp::decision_core<tp::evict_by<tp::h_dtr_eq>>>();
    expect_independent_of_executor<tp::decision_core<tp::deallocate_by<tp::banishing>, by_lru>>();
}

}  // namespace
