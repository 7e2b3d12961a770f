#pragma once

// Runs of the authors' simulator on the logs of eight real models, and ours beside them.

#include <tidepool/decision/replay.hpp>
#include <tidepool/graph/linear_network.hpp>
#include <tidepool/graph/log_program.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace reference {

inline const std::filesystem::path data = TIDEPOOL_REFERENCE_DATA;
inline constexpr const char* no_data = "TIDEPOOL_REFERENCE_DATA is empty: no runs of the authors' simulator to compare with";

using replay_function = tidepool::replay_result (*)(const tidepool::program&, const tidepool::decision::limits&,
                                                    tidepool::chosen_deallocation);

/// A heuristic under the name that the reference runs give it.
struct named_replay {
    const char* name;
    replay_function run;
};

template <auto Heuristic>
inline constexpr replay_function as_simrd =
    &tidepool::replay<tidepool::decision_core<tidepool::evict_by<Heuristic>, tidepool::deallocate_by<tidepool::chosen_deallocation>,
                                              tidepool::semantics<tidepool::simrd>>>;

inline std::vector<nlohmann::json> lines(const char* file)
{
    std::vector<nlohmann::json> all;
    std::ifstream in(data / "golden" / file);
    for (std::string line; std::getline(in, line);) {
        all.push_back(nlohmann::json::parse(line));
    }
    return all;
}

inline tidepool::release_action action_of(const nlohmann::json& run)
{
    const auto name = run["dealloc"].get<std::string>();
    return name == "banish"  ? tidepool::release_action::banish
           : name == "eager" ? tidepool::release_action::evict
                             : tidepool::release_action::ignore;
}

inline std::string hexadecimal(std::uint64_t value)
{
    std::ostringstream text;
    text << std::hex << std::setw(16) << std::setfill('0') << value;
    return text.str();
}

/// What is there is equal; what only some files have (`overhead`, the second hash) is compared where it is.
inline void expect_equal(const tidepool::replay_result& ours, const nlohmann::json& theirs)
{
    SCOPED_TRACE(theirs.dump());
    const tidepool::decision::counters& counters = ours.counters;
    EXPECT_EQ(tidepool::to_string(ours.outcome), theirs["result"].get<std::string>());
    EXPECT_EQ(ours.clock, theirs["clock"].get<std::int64_t>());
    EXPECT_EQ(counters.remat_compute, theirs["remat_compute"].get<std::int64_t>());
    EXPECT_EQ(counters.max_memory, theirs["max_memory"].get<std::int64_t>());
    EXPECT_EQ(counters.evictions, theirs["evictions"].get<std::uint64_t>());
    EXPECT_EQ(counters.rematerializations, theirs["rematerializations"].get<std::uint64_t>());
    EXPECT_EQ(hexadecimal(ours.evictions.value()), theirs["eviction_hash"].get<std::string>());
    if (theirs.contains("pressure_evictions")) {
        EXPECT_EQ(counters.pressure_evictions, theirs["pressure_evictions"].get<std::uint64_t>());
        EXPECT_EQ(hexadecimal(ours.pressure_evictions.value()), theirs["pressure_eviction_hash"].get<std::string>());
    }
    if (theirs.contains("model_compute")) {
        EXPECT_EQ(counters.model_compute, theirs["model_compute"].get<std::int64_t>());
    }
}

inline const char* const logs[]{"unet", "resnet32", "inceptionv4", "transformer", "densenet121", "unroll_gan", "treelstm", "lstm"};

/// One log under one heuristic: every reference run of the two; of some pairs the simulator finished none.
class Logs : public testing::TestWithParam<std::tuple<const char*, named_replay>> {};

inline std::string test_name(const testing::TestParamInfo<Logs::ParamType>& info)
{
    return std::string(std::get<0>(info.param)) + "_" + std::get<1>(info.param).name;
}

inline void expect_as_simulated(const std::string& log, const named_replay& heuristic)
{
    std::size_t compared = 0;
    tidepool::program program;
    tidepool::replay_baseline baseline;
    for (const nlohmann::json& run : lines("runs.jsonl")) {
        if (run["log"] != log || run["heuristic"] != heuristic.name) {
            continue;
        }
        if (compared++ == 0) {
            program = tidepool::program_from_log(data / "dtr-logs" / run["file"].get<std::string>());
            baseline = tidepool::measure_baseline(program);
        }
        const auto budget = static_cast<tidepool::byte_count>(static_cast<double>(baseline.peak) * run["ratio"].get<double>());
        EXPECT_EQ(budget, run["budget"].get<std::int64_t>());
        const tidepool::replay_result ours = heuristic.run(program, {budget, baseline.compute, 0}, {action_of(run)});
        expect_equal(ours, run);
        EXPECT_NEAR(static_cast<double>(ours.clock) / static_cast<double>(baseline.compute), run["overhead"].get<double>(), 1e-12);
    }
}

inline void expect_linear_as_simulated(const named_replay& heuristic)
{
    for (const nlohmann::json& run : lines("linear.jsonl")) {
        if (run["heuristic"] != heuristic.name) {
            continue;
        }
        const tidepool::program network = tidepool::linear_network(run["nodes"].get<std::size_t>());
        const tidepool::decision::limits limits{run["budget_slots"].get<std::int64_t>(),
                                                static_cast<std::int64_t>(run["remat_limit"].get<double>()), 0};
        expect_equal(heuristic.run(network, limits, {action_of(run)}), run);
    }
}

}  // namespace reference
