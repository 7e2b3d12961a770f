#pragma once

// What a sweep of replays found: a table for people, one JSON object a run for programs.

#include "quantities.hpp"
#include "replay_sweep.hpp"
#include "text_table.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdio>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tidepool::tools {

[[nodiscard]] constexpr std::string_view to_string(release_action action) noexcept
{
    constexpr std::string_view names[] = {"ignore", "eager", "banish"};
    return names[static_cast<std::size_t>(action)];
}

[[nodiscard]] inline std::string outcome_name(const replay_run& run)
{
    return run.failure.empty() ? std::string(tidepool::to_string(run.result.outcome)) : "failed";
}

/// Clock over the compute of the unlimited run; nothing where that is zero. (A run that stopped early has stopped the clock, too.)
[[nodiscard]] inline std::optional<double> overhead(const replay_run& run, const replayed_program& source) noexcept
{
    if (source.baseline.compute == 0) {
        return std::nullopt;
    }
    return static_cast<double>(run.result.clock) / static_cast<double>(source.baseline.compute);
}

/// One object: exact integers for bytes and nanoseconds, stable names. `overhead` is null for a program that computes nothing.
[[nodiscard]] inline nlohmann::ordered_json to_json(const replay_run& run, const std::vector<replayed_program>& programs,
                                                    const std::vector<named_heuristic>& heuristics, const sweep_settings& settings)
{
    const replayed_program& source = programs[run.request.program];
    const decision::counters& counters = run.result.counters;
    const std::optional<double> times = overhead(run, source);
    char hash[17];
    std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(run.result.evictions.value()));
    nlohmann::ordered_json object{
        {"log", source.name},
        {"heuristic", heuristics[run.request.heuristic].name},
        {"dealloc", to_string(settings.deallocation)},
        {"semantics", settings.as_simrd ? "simrd" : "tidepool"},
        {"ratio", run.request.ratio},
        {"budget", run.request.budget},
        {"result", outcome_name(run)},
        {"clock", run.result.clock},
        {"overhead", times ? nlohmann::ordered_json(*times) : nlohmann::ordered_json()},
        {"remat_compute", counters.remat_compute},
        {"max_memory", counters.max_memory},
        {"evictions", counters.evictions},
        {"pressure_evictions", counters.pressure_evictions},
        {"rematerializations", counters.rematerializations},
        {"heuristic_evals", counters.heuristic_evals},
        {"heuristic_accesses", run.result.heuristic_accesses},
        {"eviction_hash", hash},
        {"seconds", run.seconds},
    };
    if (!run.failure.empty()) {
        object["error"] = run.failure;
    } else if (run.result.outcome == replay_outcome::oom) {
        object["error"] = "what must be resident at once does not fit into the budget";
    } else if (run.result.outcome == replay_outcome::thrashed) {
        object["error"] = "recomputing passed the overhead limit of " + format_fixed(settings.overhead_limit, 2);
    }
    return object;
}

/// One object a line. Bytes of a name that are no UTF-8, which JSON cannot hold, become U+FFFD.
inline void print_json(std::ostream& out, const std::vector<replay_run>& runs, const std::vector<replayed_program>& programs,
                       const std::vector<named_heuristic>& heuristics, const sweep_settings& settings)
{
    for (const replay_run& run : runs) {
        out << to_json(run, programs, heuristics, settings).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
    }
}

/// What a table says of one run: how many times the unlimited run's compute it took, or why it did not pass.
[[nodiscard]] inline std::string table_cell(const replay_run& run, const replayed_program& source)
{
    if (const std::string outcome = outcome_name(run); outcome != "pass") {
        return outcome;
    }
    const std::optional<double> times = overhead(run, source);
    return times ? format_fixed(*times, 3) + "x" : "-";
}

/// A table a program: a row a heuristic, a column a budget, the overhead in the cells. `runs` are in the order of the requests.
inline void print_tables(std::ostream& out, const std::vector<replay_run>& runs, const std::vector<replayed_program>& programs,
                         const std::vector<named_heuristic>& heuristics, const std::vector<std::size_t>& chosen, std::size_t budgets)
{
    std::size_t next = 0;
    for (const replayed_program& source : programs) {
        out << source.name << ": peak " << format_bytes(source.baseline.peak) << ", compute " << format_time(source.baseline.compute)
            << " without a limit\n";
        text_table table;
        std::vector<std::string> sizes{"budget"};
        std::vector<std::string> ratios{"of the peak"};
        for (std::size_t budget = 0; budget < budgets; ++budget) {
            sizes.push_back(format_bytes(runs[next + budget].request.budget));
            ratios.push_back(format_fixed(runs[next + budget].request.ratio, 2));
        }
        table.add_row(std::move(sizes));
        table.add_row(std::move(ratios));
        for (const std::size_t heuristic : chosen) {
            std::vector<std::string> row{heuristics[heuristic].name};
            for (std::size_t budget = 0; budget < budgets; ++budget) {
                row.push_back(table_cell(runs[next++], source));
            }
            table.add_row(std::move(row));
        }
        out << table << '\n';
    }
}

}  // namespace tidepool::tools
