#pragma once

// Many replays: programs by heuristics by budgets, on a few threads, in a fixed order.

#include "../core/error.hpp"
#include "../decision/replay.hpp"
#include "progress.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tidepool::tools {

/// One replay under a heuristic that is fixed at compile time.
using replay_function = replay_result (*)(const program&, const decision::limits&, chosen_deallocation);

/// A heuristic under its name, with a replay for each semantics.
struct named_heuristic {
    std::string name;
    std::string formula;
    replay_function as_simrd;
    replay_function as_tidepool;
};

/// The replays for the heuristic among `Options`; its search too may be chosen by them. The rest is chosen at run time.
template <policy_option... Options>
[[nodiscard]] named_heuristic make_heuristic(std::string name)
{
    using simulator = decision_core<Options..., deallocate_by<chosen_deallocation>, semantics<simrd>>;
    using engine = decision_core<Options..., deallocate_by<chosen_deallocation>, semantics<tidepool>>;
    return {std::move(name), formula(simulator::heuristic), &replay<simulator>, &replay<engine>};
}

/// A program with what it needs without limits.
struct replayed_program {
    std::string name;  ///< the log as it was given, or what stands for it
    program events;
    replay_baseline baseline;
};

/// What one run is to be.
struct replay_request {
    std::size_t program;    ///< into the programs
    std::size_t heuristic;  ///< into the heuristics
    byte_count budget;      ///< bytes
    double ratio;           ///< of the program's peak
};

/// What all runs share.
struct sweep_settings {
    release_action deallocation = release_action::evict;
    bool as_simrd = true;
    double overhead_limit = 2.0;  ///< times the compute of the unlimited run; beyond it, a run has thrashed
    std::uint64_t seed = 0;
    unsigned jobs = 1;
};

struct replay_run {
    replay_request request;
    replay_result result;
    double seconds = 0;   ///< wall time
    std::string failure;  ///< why it could not run at all; empty otherwise
};

namespace detail {

/// Calls `work(i)` for each i below `count` on `jobs` threads.
inline void in_parallel(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work)
{
    std::atomic<std::size_t> next{0};
    const auto worker = [&] {
        for (std::size_t i = next++; i < count; i = next++) {
            work(i);
        }
    };
    std::vector<std::jthread> threads;
    for (unsigned job = 1; job < jobs && job < count; ++job) {
        threads.emplace_back(worker);
    }
    worker();
}

}  // namespace detail

/// The most that a run may recompute, in nanoseconds, under an overhead limit.
[[nodiscard]] inline nanoseconds remat_limit(nanoseconds compute, double overhead_limit) noexcept
{
    const double limit = static_cast<double>(compute) * (overhead_limit - 1.0);
    return limit < 0x1p62 ? static_cast<nanoseconds>(limit) : std::numeric_limits<nanoseconds>::max();
}

/// Runs all requests; the answers are in the order of the requests, whatever the number of threads. A run that throws is
/// an answer too.
[[nodiscard]] inline std::vector<replay_run> run_sweep(const std::vector<replayed_program>& programs,
                                                       const std::vector<named_heuristic>& heuristics,
                                                       const std::vector<replay_request>& requests, const sweep_settings& settings)
{
    std::vector<replay_run> runs(requests.size());
    progress_bar progress("replaying", requests.size());
    detail::in_parallel(requests.size(), settings.jobs, [&](std::size_t i) {
        const replay_request& request = requests[i];
        const replayed_program& source = programs[request.program];
        const named_heuristic& heuristic = heuristics[request.heuristic];
        const decision::limits limits{request.budget, remat_limit(source.baseline.compute, settings.overhead_limit), settings.seed};
        const auto begun = std::chrono::steady_clock::now();
        runs[i].request = request;
        try {
            runs[i].result = (settings.as_simrd ? heuristic.as_simrd : heuristic.as_tidepool)(source.events, limits, {settings.deallocation});
        } catch (const std::exception& thrown) {
            runs[i].failure = thrown.what();
        } catch (...) {
            runs[i].failure = "something was thrown that is no std::exception";
        }
        runs[i].seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
        progress.advance();
    });
    return runs;
}

}  // namespace tidepool::tools
