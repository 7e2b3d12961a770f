#pragma once

// Two sweeps of the same runs side by side: who gets further, and what it costs.

#include <tidepool/tools/recorded_runs.hpp>

#include <ostream>
#include <string>
#include <vector>

namespace tidepool::tools {

/// Prints, a row a heuristic: runs, how many pass in each sweep, how many only in one, and the overhead of the second over the
/// first's where both pass (geometric mean, least, most). Then the runs that pass only in the first, one a line.
/// Throws `bad_input` naming the second's file and line where it is not the same run.
void compare_sweeps(const std::vector<recorded_run>& first, const std::string& first_name, const std::vector<recorded_run>& second,
                    const std::string& second_name, std::ostream& out);

}  // namespace tidepool::tools
