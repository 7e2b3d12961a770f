// The scale to which budgets refer: peak and compute of the unlimited run.

#include "reference_runs.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace tp = tidepool;

namespace {

TEST(Baselines, AreAsSimulated)
{
    if (reference::data.empty()) {
        GTEST_SKIP() << reference::no_data;
    }
    for (const nlohmann::json& line : reference::lines("baselines.jsonl")) {
        SCOPED_TRACE(line["log"]);
        const tp::replay_baseline baseline =
            tp::measure_baseline(tp::program_from_log(reference::data / "dtr-logs" / line["file"].get<std::string>()));
        EXPECT_EQ(baseline.peak, line["peak"].get<std::int64_t>());
        EXPECT_EQ(baseline.compute, line["compute"].get<std::int64_t>());
    }
}

/// Every reference run is compared by some test: no heuristic is left out.
TEST(Baselines, AllHeuristicsOfTheReferenceAreKnown)
{
    if (reference::data.empty()) {
        GTEST_SKIP() << reference::no_data;
    }
    const std::vector<std::string> compared{"dtr",    "dtr_unopt", "msps",       "e",           "e_size",     "e_stale",
                                            "dtr_eq", "eq",        "eq_size",    "eq_stale",    "dtr_local",  "lru",
                                            "size",   "local",     "local_size", "local_stale", "size_stale", "stale"};
    for (const char* file : {"runs.jsonl", "linear.jsonl"}) {
        for (const nlohmann::json& run : reference::lines(file)) {
            EXPECT_TRUE(std::find(compared.begin(), compared.end(), run["heuristic"].get<std::string>()) != compared.end())
                << run["heuristic"];
        }
    }
}

}  // namespace
