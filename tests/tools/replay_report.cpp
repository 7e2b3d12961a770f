// What a sweep's runs look like in JSON and in a table.

#include <tidepool/tools/replay_report.hpp>

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

using namespace tidepool::tools;

namespace {

const std::vector<named_heuristic> heuristics{{"dtr", "a formula", nullptr, nullptr}, {"lru", "another", nullptr, nullptr}};

std::vector<replayed_program> programs(tidepool::nanoseconds compute, const std::string& name = "some.log")
{
    std::vector<replayed_program> result(1);
    result[0].name = name;
    result[0].baseline = {1000, compute};
    return result;
}

replay_run a_run()
{
    replay_run run;
    run.request = {0, 0, 500, 0.5};
    run.result.outcome = tidepool::replay_outcome::pass;
    run.result.clock = 9'007'199'254'740'993;  // no double holds it
    run.result.counters.remat_compute = 1;
    run.result.counters.max_memory = 2;
    run.result.counters.evictions = 3;
    run.result.counters.pressure_evictions = 4;
    run.result.counters.rematerializations = 5;
    run.result.counters.heuristic_evals = 6;
    run.result.heuristic_accesses = 7;
    run.seconds = 0.25;
    return run;
}

TEST(ReplayJson, HasTheseFieldsInThisOrderAndExactIntegers)
{
    sweep_settings settings;
    settings.deallocation = tidepool::release_action::banish;
    EXPECT_EQ(to_json(a_run(), programs(9'007'199'254'740'992), heuristics, settings).dump(),
              R"({"log":"some.log","heuristic":"dtr","dealloc":"banish","semantics":"simrd","ratio":0.5,"budget":500,"result":"pass",)"
              R"("clock":9007199254740993,"overhead":1.0,"remat_compute":1,"max_memory":2,"evictions":3,"pressure_evictions":4,)"
              R"("rematerializations":5,"heuristic_evals":6,"heuristic_accesses":7,"eviction_hash":"cbf29ce484222325","seconds":0.25})");
}

TEST(ReplayJson, NamesTheSettings)
{
    sweep_settings settings;
    settings.as_simrd = false;
    EXPECT_EQ(to_json(a_run(), programs(1), heuristics, settings)["semantics"], "tidepool");
    EXPECT_EQ(to_json(a_run(), programs(1), heuristics, settings)["dealloc"], "eager");
    settings.deallocation = tidepool::release_action::ignore;
    EXPECT_EQ(to_json(a_run(), programs(1), heuristics, settings)["dealloc"], "ignore");
}

TEST(ReplayJson, SaysWhyARunDidNotPass)
{
    const auto json = [](const replay_run& run) { return to_json(run, programs(1), heuristics, {}); };
    EXPECT_FALSE(json(a_run()).contains("error"));

    replay_run run = a_run();
    run.result.outcome = tidepool::replay_outcome::oom;
    EXPECT_EQ(json(run)["result"], "oom");
    EXPECT_EQ(json(run)["error"], "what must be resident at once does not fit into the budget");

    run.result.outcome = tidepool::replay_outcome::thrashed;
    EXPECT_EQ(json(run)["result"], "thrashed");
    EXPECT_EQ(json(run)["error"], "recomputing passed the overhead limit of 2.00");

    run.failure = "the reason";
    EXPECT_EQ(json(run)["result"], "failed");
    EXPECT_EQ(json(run)["error"], "the reason");
}

TEST(ReplayJson, OfAProgramThatComputesNothingHasNoOverhead)
{
    EXPECT_EQ(overhead(a_run(), programs(0)[0]), std::nullopt);
    EXPECT_TRUE(to_json(a_run(), programs(0), heuristics, {}).at("overhead").is_null());
    EXPECT_EQ(table_cell(a_run(), programs(0)[0]), "-");
}

TEST(ReplayJson, IsValidForANameThatIsNoText)
{
    std::ostringstream out;
    print_json(out, {a_run(), a_run()},
               programs(1,
                        "b\xff"
                        "d\n.log"),
               heuristics, {});
    std::istringstream in(out.str());
    std::size_t lines = 0;
    for (std::string line; std::getline(in, line); ++lines) {
        EXPECT_EQ(nlohmann::json::parse(line).at("log"),
                  "b\xef\xbf\xbd"
                  "d\n.log");
    }
    EXPECT_EQ(lines, 2U);
}

TEST(ReplayTable, HasARowAHeuristicAndAColumnABudget)
{
    std::vector<replay_run> runs;
    for (const std::size_t heuristic : {0U, 1U}) {
        for (const double ratio : {1.0, 0.5}) {
            replay_run run = a_run();
            run.request = {0, heuristic, static_cast<tidepool::byte_count>(1000 * ratio), ratio};
            run.result.clock = 1'234'567;
            runs.push_back(run);
        }
    }
    runs[1].result.outcome = tidepool::replay_outcome::thrashed;
    runs[3].failure = "the reason";
    std::ostringstream out;
    print_tables(out, runs, programs(1'000'000), heuristics, {0, 1}, 2);
    EXPECT_EQ(out.str(),
              "some.log: peak 1000 B, compute 1.00 ms without a limit\n"
              "budget       1000 B     500 B\n"
              "of the peak    1.00      0.50\n"
              "dtr          1.235x  thrashed\n"
              "lru          1.235x    failed\n"
              "\n");
}

}  // namespace
