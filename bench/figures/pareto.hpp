#pragma once

// Overhead against budget, one line a heuristic, one panel a log: from the output of `replay --json`.

#include <filesystem>
#include <istream>
#include <map>
#include <string>
#include <utility>
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

/// Reads JSON lines. Throws `std::runtime_error` naming file and line where one is not a run of `replay`, or is of another
/// deallocation or semantics than those before it: one line of the figure would have two meanings.
[[nodiscard]] pareto_data read_pareto(std::istream& in, const std::string& file);

/// Writes the figure as SVG, whole or not at all. Throws `std::runtime_error`.
void draw_pareto(const pareto_data& data, const std::filesystem::path& output);

}  // namespace tidepool::tools
