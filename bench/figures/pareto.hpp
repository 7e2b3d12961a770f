#pragma once

// Overhead against budget, one line a heuristic, one panel a log: from the output of `replay --json`.

#include <tidepool/tools/recorded_runs.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace tidepool::tools {

/// (ratio, overhead) of the runs that passed, by ratio.
using pareto_line = std::map<double, double>;

struct pareto_series {
    std::string title;                         ///< the heuristic, and others whose runs came out the same everywhere
    std::map<std::string, pareto_line> lines;  ///< by log
};

struct pareto_data {
    std::vector<std::string> logs;      ///< as `replay` was given them
    std::string settings;               ///< deallocation and semantics, for the title
    std::vector<pareto_series> series;  ///< in the order of the input
};

/// Arranges runs, of which there is one at least. Throws `bad_input` naming file and line where one is of another deallocation or
/// semantics than those before it: one line of the figure would have two meanings.
[[nodiscard]] pareto_data to_pareto(const std::vector<recorded_run>& runs, const std::string& file);

/// Writes the figure as SVG, whole or not at all. Throws `bad_input`.
void draw_pareto(const pareto_data& data, const std::filesystem::path& output);

}  // namespace tidepool::tools
