#pragma once

// Where the tool's heuristics are compiled: each in a translation unit of its own, made from this declaration by CMake.

#include <tidepool/policy/heuristics.hpp>
#include <tidepool/tools/replay_sweep.hpp>

#include <string>

namespace tidepool::tools {

/// Defined for each heuristic that CMakeLists.txt lists.
template <auto Heuristic>
named_heuristic heuristic(std::string name);

}  // namespace tidepool::tools
