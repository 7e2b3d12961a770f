#pragma once

// Reads back what `replay --json` prints.

#include "../core/units.hpp"
#include "bad_input.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <fstream>
#include <iostream>
#include <istream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tidepool::tools {

/// One run, as far as the readers of results need it.
struct recorded_run {
    std::string log;
    std::string heuristic;
    std::string deallocation;
    std::string semantics;
    double ratio = 0;                ///< of the unlimited run's peak
    byte_count budget = 0;           ///< bytes
    std::string result;              ///< "pass", or why not
    std::optional<double> overhead;  ///< times the unlimited run's compute; nothing where that is zero

    [[nodiscard]] bool passed() const { return result == "pass"; }
};

/// Reads JSON lines, one run each. Throws `bad_input` naming file and line where one is no such run, and where there is none.
[[nodiscard]] inline std::vector<recorded_run> read_recorded_runs(std::istream& in, const std::string& file)
{
    std::vector<recorded_run> runs;
    std::string line;
    for (std::size_t number = 1; std::getline(in, line); ++number) {
        try {
            const auto object = nlohmann::json::parse(line);
            recorded_run run{object.at("log"),   object.at("heuristic"), object.at("dealloc"), object.at("semantics"),
                             object.at("ratio"), object.at("budget"),    object.at("result"),  std::nullopt};
            if (const auto& overhead = object.at("overhead"); !overhead.is_null()) {
                run.overhead = overhead.get<double>();
            }
            runs.push_back(std::move(run));
        } catch (const nlohmann::json::exception& wrong) {
            throw bad_input(file + ":" + std::to_string(number) + ": not a run of replay --json: " + wrong.what());
        }
    }
    if (in.bad()) {
        throw bad_input(file + ": cannot be read to its end");
    }
    if (runs.empty()) {
        throw bad_input(file + ": holds no runs");
    }
    return runs;
}

/// The same from a file; "-" is standard input.
[[nodiscard]] inline std::vector<recorded_run> read_recorded_runs(const std::string& file)
{
    if (file == "-") {
        return read_recorded_runs(std::cin, file);
    }
    std::ifstream in(file);
    if (!in) {
        throw bad_input(file + ": cannot be read");
    }
    return read_recorded_runs(in, file);
}

}  // namespace tidepool::tools
