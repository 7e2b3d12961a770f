#pragma once

// Two sweeps of the same runs side by side: who gets further, and what it costs.

#include <istream>
#include <ostream>
#include <string>

namespace tidepool::tools {

/// Reads two outputs of `replay --json` and prints, a row a heuristic: runs, how many pass in each, how many only in one, and
/// the overhead of the second over the first's where both pass (geometric mean, least, most). Then the runs that pass only in
/// the first, one a line. Throws `std::runtime_error` naming file and line where one is not a run, or where the runs differ.
void compare_sweeps(std::istream& first, const std::string& first_name, std::istream& second, const std::string& second_name,
                    std::ostream& out);

}  // namespace tidepool::tools
