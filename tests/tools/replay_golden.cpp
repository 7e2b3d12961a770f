// The program replay against the authors' simulator: all that is known of one log, and of the linear network.

#include "running.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

using namespace running;
using nlohmann::json;

namespace {

const std::filesystem::path reference_data = TIDEPOOL_REFERENCE_DATA;

std::vector<json> golden(const char* file)
{
    std::vector<json> lines;
    for (const std::string& line : lines_of(text_of((reference_data / "golden" / file).string()))) {
        lines.push_back(json::parse(line));
    }
    return lines;
}

/// The values of `field` in these lines, each once, with commas between.
std::string list_of(const std::vector<json>& lines, const char* field)
{
    std::set<std::string> values;
    for (const json& line : lines) {
        values.insert(line.at(field).is_string() ? line.at(field).get<std::string>() : line.at(field).dump());
    }
    std::string list;
    for (const std::string& value : values) {
        list += (list.empty() ? "" : ",") + value;
    }
    return list;
}

/// Runs the job and holds each golden line against the run of the same heuristic and the same value of `budget`.
void expect_equal(std::vector<std::string> job, const std::vector<json>& lines, const char* budget)
{
    job.insert(job.end(), {"--heuristic", list_of(lines, "heuristic"), "--json"});
    const finished run = shell(command(REPLAY_PROGRAM, job));
    ASSERT_EQ(run.status, 0) << run.err;
    std::map<std::pair<std::string, long long>, json> found;
    for (const std::string& line : lines_of(run.out)) {
        json object = json::parse(line);
        found[{object.at("heuristic").get<std::string>(), object.at("budget").get<long long>()}] = object;
    }
    for (const json& line : lines) {
        const auto ours = found.find({line.at("heuristic").get<std::string>(), line.at(budget).get<long long>()});
        ASSERT_NE(ours, found.end()) << line;
        for (const char* field :
             {"result", "clock", "remat_compute", "max_memory", "evictions", "pressure_evictions", "rematerializations", "eviction_hash"}) {
            if (line.contains(field)) {  // the linear network's lines are shorter
                EXPECT_EQ(ours->second.at(field), line.at(field)) << field << " of " << line;
            }
        }
        if (line.contains("overhead")) {
            EXPECT_NEAR(ours->second.at("overhead").get<double>(), line.at("overhead").get<double>(), 1e-12);
        }
    }
}

TEST(ReplayGolden, OfOneLogIsEqual)
{
    if (reference_data.empty()) {
        GTEST_SKIP() << "TIDEPOOL_REFERENCE_DATA is empty: no golden runs to compare with";
    }
    std::map<std::string, std::vector<json>> by_deallocation;
    std::string file;
    for (json& line : golden("runs.jsonl")) {
        if (line.at("log") == "unet") {
            file = line.at("file");
            by_deallocation[line.at("dealloc")].push_back(std::move(line));
        }
    }
    ASSERT_EQ(by_deallocation.size(), 3U);
    for (const auto& [deallocation, lines] : by_deallocation) {
        expect_equal(
            {"--log", (reference_data / "dtr-logs" / file).string(), "--dealloc", deallocation, "--budget-ratio", list_of(lines, "ratio")},
            lines, "budget");
    }
}

TEST(ReplayGolden, OfTheLinearNetworkIsEqual)
{
    if (reference_data.empty()) {
        GTEST_SKIP() << "TIDEPOOL_REFERENCE_DATA is empty: no golden runs to compare with";
    }
    std::map<std::pair<std::string, int>, std::vector<json>> groups;
    for (json& line : golden("linear.jsonl")) {
        ASSERT_EQ(line.at("remat_limit").get<double>(), 20 * line.at("nodes").get<double>());
        groups[{line.at("dealloc").get<std::string>(), line.at("nodes").get<int>()}].push_back(std::move(line));
    }
    ASSERT_GT(groups.size(), 10U);
    for (const auto& [group, lines] : groups) {
        const auto& [deallocation, nodes] = group;
        expect_equal({"--linear", std::to_string(nodes), "--dealloc", deallocation, "--overhead-limit", "11", "--budget-slots",
                      list_of(lines, "budget_slots")},
                     lines, "budget_slots");
    }
}

}  // namespace
