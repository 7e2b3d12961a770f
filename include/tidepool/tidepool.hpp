#pragma once

/// Tidepool: tensor programs in less memory than they ask for. Everything that needs no package beyond Boost.Hana; headers
/// that do (logs, memkind, CUDA, other frameworks) are included by their user.

#include "core/version.hpp"
#include "decision/core.hpp"
#include "decision/replay.hpp"
#include "graph/linear_network.hpp"
#include "graph/log_recorder.hpp"
#include "graph/program.hpp"
#include "graph/schedule_check.hpp"
#include "policy/heuristics.hpp"
