// A sweep gives the same answers in the same order on any number of threads.

#include <tidepool/graph/linear_network.hpp>
#include <tidepool/policy/heuristics.hpp>
#include <tidepool/tools/replay_report.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace tp = tidepool;
using namespace tidepool::tools;

namespace {

tp::replay_result throws(const tp::program&, const tp::decision::limits&, tp::chosen_deallocation)
{
    throw std::runtime_error("this one always fails");
}

tp::replay_result throws_a_number(const tp::program&, const tp::decision::limits&, tp::chosen_deallocation) { throw 7; }

const std::vector<named_heuristic>& heuristics()
{
    static const std::vector<named_heuristic> all{
        make_heuristic<tp::evict_by<tp::h_dtr_eq>>("dtr_eq"),
        make_heuristic<tp::evict_by<tp::h_random>>("random"),
        {"broken", "", &throws, &throws},
        {"worse", "", &throws_a_number, &throws_a_number},
    };
    return all;
}

std::vector<replayed_program> networks()
{
    std::vector<replayed_program> result;
    for (const std::size_t nodes : {1U, 16U, 100U, 300U}) {
        replayed_program network;
        network.name = std::to_string(nodes);
        network.events = tp::linear_network(nodes);
        network.baseline = tp::measure_baseline(network.events);
        result.push_back(std::move(network));
    }
    return result;
}

std::vector<replay_request> requests(std::size_t programs)
{
    std::vector<replay_request> result;
    for (std::size_t program = 0; program < programs; ++program) {
        for (std::size_t heuristic = 0; heuristic < heuristics().size(); ++heuristic) {
            for (const tp::byte_count budget : {2, 10, 30, 1000}) {
                result.push_back({program, heuristic, budget, 0.0});
            }
        }
    }
    return result;
}

std::string sweep(unsigned jobs, bool as_simrd)
{
    const auto programs = networks();
    sweep_settings settings;
    settings.jobs = jobs;
    settings.as_simrd = as_simrd;
    settings.overhead_limit = 11;
    std::string text;
    for (const replay_run& run : run_sweep(programs, heuristics(), requests(programs.size()), settings)) {
        auto object = to_json(run, programs, heuristics(), settings);
        object.erase("seconds");
        text += object.dump() + '\n';
    }
    return text;
}

TEST(RunSweep, DoesNotDependOnTheNumberOfThreads)
{
    for (const bool as_simrd : {true, false}) {
        const std::string alone = sweep(1, as_simrd);
        EXPECT_EQ(alone, sweep(2, as_simrd));
        EXPECT_EQ(alone, sweep(16, as_simrd));
    }
}

TEST(RunSweep, AnswersInTheOrderOfTheRequests)
{
    const auto programs = networks();
    const auto asked = requests(programs.size());
    sweep_settings settings;
    settings.jobs = 4;
    const auto runs = run_sweep(programs, heuristics(), asked, settings);
    ASSERT_EQ(runs.size(), asked.size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
        EXPECT_EQ(runs[i].request.program, asked[i].program);
        EXPECT_EQ(runs[i].request.heuristic, asked[i].heuristic);
        EXPECT_EQ(runs[i].request.budget, asked[i].budget);
        EXPECT_GE(runs[i].seconds, 0.0);
    }
}

TEST(RunSweep, KeepsAReplayThatThrowsAsAFailedRun)
{
    const auto programs = networks();
    sweep_settings settings;
    settings.jobs = 4;
    const std::vector<replay_request> asked{{1, 2, 10, 0.5}, {1, 0, 1000, 0.5}, {1, 3, 10, 0.5}};
    const auto runs = run_sweep(programs, heuristics(), asked, settings);
    EXPECT_EQ(outcome_name(runs[0]), "failed");
    EXPECT_EQ(runs[0].failure, "this one always fails");
    EXPECT_EQ(outcome_name(runs[1]), "pass") << "the others go on";
    EXPECT_EQ(outcome_name(runs[2]), "failed");
    EXPECT_FALSE(runs[2].failure.empty());
}

TEST(RunSweep, OfNothingIsNothing) { EXPECT_TRUE(run_sweep(networks(), heuristics(), {}, {}).empty()); }

TEST(InParallel, CallsEachOnceForAnyNumberOfThreads)
{
    for (const unsigned jobs : {0U, 1U, 3U, 64U}) {
        std::vector<std::atomic<int>> calls(50);
        tidepool::tools::detail::in_parallel(calls.size(), jobs, [&](std::size_t i) { ++calls[i]; });
        for (const auto& count : calls) {
            EXPECT_EQ(count, 1);
        }
    }
}

TEST(ProgressBar, MayBeAdvancedByManyThreads)
{
    progress_bar bar("replaying", 1000);
    tidepool::tools::detail::in_parallel(1000, 8, [&](std::size_t) { bar.advance(); });
}

TEST(RematLimit, IsWhatTheOverheadLimitLeavesForRecomputing)
{
    EXPECT_EQ(remat_limit(100, 2.0), 100);
    EXPECT_EQ(remat_limit(100, 1.0), 0);
    EXPECT_EQ(remat_limit(2000, 11.0), 20'000);
    EXPECT_EQ(remat_limit(tp::nanoseconds{1} << 60, 1e9), std::numeric_limits<tp::nanoseconds>::max());
}

}  // namespace
