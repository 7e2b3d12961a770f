#pragma once

// The command line of a replay, for the library's heuristics or for one of your own.

#include "../graph/linear_network.hpp"
#include "../graph/log_program.hpp"
#include "quantities.hpp"
#include "replay_report.hpp"
#include "replay_sweep.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <exception>
#include <iostream>
#include <limits>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace tidepool {

namespace tools {

/// What a replay was asked for, as text and numbers; checked by `parse_replay_arguments`.
struct replay_arguments {
    std::vector<std::string> logs;
    std::size_t linear_nodes = 0;
    std::vector<byte_count> budget_slots;
    std::vector<std::string> heuristics;
    std::vector<double> ratios;
    std::vector<std::string> budgets;
    std::string deallocation = "eager";
    std::string semantics = "simrd";
    sweep_settings settings;
    bool json = false;
};

namespace detail {

inline void declare_options(CLI::App& app, replay_arguments& arguments, const std::string& names)
{
    auto* const log = app.add_option("--log,log", arguments.logs, "DTR logs, one training step each");
    auto* const linear = app.add_option("--linear", arguments.linear_nodes, "instead of logs: the paper's uniform linear network of N layers")
                             ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 30U))
                             ->excludes(log)
                             ->type_name("N");
    app.add_option("--heuristic", arguments.heuristics, "names, or all: " + names)->delimiter(',')->type_name("NAME[,...]");
    auto* const ratio = app.add_option("--budget-ratio", arguments.ratios,
                                       "budgets as parts of the peak of the unlimited run (under simrd, banishing)")
                            ->delimiter(',')
                            ->check(CLI::PositiveNumber)
                            ->type_name("R[,...]");
    app.add_option("--budget", arguments.budgets, "budgets in bytes, or with a unit: 2GiB, 500MB")
        ->delimiter(',')
        ->excludes(ratio)
        ->type_name("BYTES[,...]");
    app.add_option("--budget-slots", arguments.budget_slots, "budgets of the linear network, in tensors")
        ->delimiter(',')
        ->check(CLI::NonNegativeNumber)
        ->needs(linear)
        ->excludes(ratio)
        ->type_name("B[,...]");
    app.add_option("--dealloc", arguments.deallocation, "what the last release of a storage does")
        ->check(CLI::IsMember({"ignore", "eager", "banish"}))
        ->capture_default_str();
    app.add_option("--semantics", arguments.semantics, "the DTR authors' simulator to the letter, or what a real engine does")
        ->check(CLI::IsMember({"simrd", "tidepool"}))
        ->capture_default_str();
    app.add_option("--overhead-limit", arguments.settings.overhead_limit,
                   "a run thrashes when all it computes passes this many times the unlimited run's compute")
        ->check(CLI::Range(1.0, 1e9))
        ->capture_default_str();
    app.add_option("--seed", arguments.settings.seed, "for heuristics that draw numbers")->capture_default_str();
    app.add_option("--jobs", arguments.settings.jobs, "runs at a time; default: one a processor")->check(CLI::Range(1U, 1024U))->type_name("N");
    app.add_flag("--json", arguments.json, "one JSON object a run, and nothing else");
}

/// Where the budgets of one program lie, in bytes, with their ratios.
[[nodiscard]] inline std::vector<std::pair<byte_count, double>> budgets_of(const replay_arguments& arguments, const replay_baseline& baseline)
{
    std::vector<std::pair<byte_count, double>> budgets;
    const auto peak = static_cast<double>(baseline.peak);
    for (const double ratio : arguments.ratios) {
        budgets.emplace_back(static_cast<byte_count>(std::min(peak * ratio, 0x1p62)), ratio);
    }
    std::vector<byte_count> absolute = arguments.budget_slots;
    for (const std::string& text : arguments.budgets) {
        absolute.push_back(*parse_bytes(text));
    }
    for (const byte_count budget : absolute) {
        budgets.emplace_back(budget, peak > 0 ? static_cast<double>(budget) / peak : 0.0);
    }
    return budgets;
}

/// The places of the named heuristics; `all` stands for every one.
[[nodiscard]] inline std::vector<std::size_t> chosen_heuristics(const replay_arguments& arguments, const std::vector<named_heuristic>& known)
{
    std::vector<std::size_t> chosen;
    for (const std::string& name : arguments.heuristics) {
        for (std::size_t place = 0; place < known.size(); ++place) {
            if ((name == "all" || known[place].name == name) && std::find(chosen.begin(), chosen.end(), place) == chosen.end()) {
                chosen.push_back(place);
            }
        }
    }
    return chosen;
}

[[nodiscard]] inline std::string names_of(const std::vector<named_heuristic>& heuristics)
{
    std::string names;
    for (const named_heuristic& heuristic : heuristics) {
        names += (names.empty() ? "" : " ") + heuristic.name;
    }
    return names;
}

/// Reads what the command line cannot check by itself. Throws `CLI::ValidationError`.
inline void check(replay_arguments& arguments, const std::vector<named_heuristic>& known)
{
    if (arguments.logs.empty() && arguments.linear_nodes == 0) {
        throw CLI::ValidationError("--log", "nothing to replay: name a log, or --linear N");
    }
    for (const std::string& name : arguments.heuristics) {
        if (name != "all" && std::none_of(known.begin(), known.end(), [&](const auto& h) { return h.name == name; })) {
            throw CLI::ValidationError("--heuristic", "no heuristic is named " + name + "; known: all " + names_of(known));
        }
    }
    if (arguments.heuristics.empty()) {
        arguments.heuristics = {known.size() == 1 ? known.front().name : "dtr_eq"};
    }
    for (const std::string& text : arguments.budgets) {
        if (!parse_bytes(text)) {
            throw CLI::ValidationError("--budget", text + " is not a number of bytes such as 1073741824, 1GiB or 500MB");
        }
    }
    if (arguments.ratios.empty() && arguments.budgets.empty() && arguments.budget_slots.empty()) {
        arguments.ratios = {1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1};
    }
    arguments.settings.deallocation = arguments.deallocation == "ignore"   ? release_action::ignore
                                      : arguments.deallocation == "banish" ? release_action::banish
                                                                           : release_action::evict;
    arguments.settings.as_simrd = arguments.semantics == "simrd";
}

/// Reads the logs, or makes the linear network, and runs each once without limits.
[[nodiscard]] inline std::vector<replayed_program> load_programs(const replay_arguments& arguments)
{
    std::vector<replayed_program> programs(std::max<std::size_t>(arguments.logs.size(), 1));
    std::vector<std::exception_ptr> failures(programs.size());
    in_parallel(programs.size(), arguments.settings.jobs, [&](std::size_t place) {
        try {
            replayed_program& source = programs[place];
            if (arguments.linear_nodes > 0) {
                source.name = "linear-" + std::to_string(arguments.linear_nodes);
                source.events = linear_network(arguments.linear_nodes);
            } else {
                source.name = arguments.logs[place];
                source.events = program_from_log(source.name);
            }
            source.baseline = measure_baseline(source.events);
        } catch (...) {
            failures[place] = std::current_exception();
        }
    });
    for (const std::exception_ptr& failure : failures) {
        if (failure) {
            std::rethrow_exception(failure);
        }
    }
    return programs;
}

/// Replays as asked and prints. The exit status.
inline int replay_as_asked(const replay_arguments& arguments, const std::vector<named_heuristic>& known)
{
    const std::vector<replayed_program> programs = load_programs(arguments);
    const std::vector<std::size_t> chosen = chosen_heuristics(arguments, known);
    std::vector<replay_request> requests;
    std::size_t budgets = 0;
    for (std::size_t source = 0; source < programs.size(); ++source) {
        const auto of_source = budgets_of(arguments, programs[source].baseline);
        budgets = of_source.size();
        for (const std::size_t heuristic : chosen) {
            for (const auto& [budget, ratio] : of_source) {
                requests.push_back({source, heuristic, budget, ratio});
            }
        }
    }
    const std::vector<replay_run> runs = run_sweep(programs, known, requests, arguments.settings);
    if (arguments.json) {
        for (const replay_run& run : runs) {
            std::cout << to_json(run, programs, known, arguments.settings).dump() << '\n';
        }
    } else {
        print_tables(std::cout, runs, programs, known, chosen, budgets);
        std::cout << "Cells: time over the time without a limit; oom: it cannot fit; thrashed: above "
                  << format_fixed(arguments.settings.overhead_limit, 1) << "x. Releases: " << to_string(arguments.settings.deallocation)
                  << "; semantics: " << arguments.semantics << ".\n";
    }
    if (!std::cout.flush()) {
        std::cerr << "error: the results could not be written\n";
        return 1;
    }
    return std::any_of(runs.begin(), runs.end(), [](const replay_run& run) { return !run.failure.empty(); }) ? 1 : 0;
}

}  // namespace detail
}  // namespace tools

/// Runs a replay from a command line: the logs and budgets that it names, under these heuristics.
///
/// Exit status: 0; 1 if a run failed; 2 for bad usage or a bad log, with one line on standard error.
inline int replay_main(const std::vector<tools::named_heuristic>& heuristics, int argc, const char* const* argv)
{
    CLI::App app("Replays the recorded operators of a training step within memory budgets, and says what each eviction heuristic costs.\n"
                 "Example: replay --log step.log --heuristic dtr_eq,lru --budget-ratio 0.9,0.5,0.3",
                 "replay");
    tools::replay_arguments arguments;
    arguments.settings.jobs = std::max(1U, std::thread::hardware_concurrency());
    try {
        tools::detail::declare_options(app, arguments, tools::detail::names_of(heuristics));
        app.parse(argc, argv);
        tools::detail::check(arguments, heuristics);
        return tools::detail::replay_as_asked(arguments, heuristics);
    } catch (const CLI::Success& asked) {  // --help
        return app.exit(asked);
    } catch (const std::exception& wrong) {
        std::cerr << "error: " << wrong.what() << '\n';
        return 2;
    }
}

/// The same for one heuristic of your own: `replay_main<evict_by<penalty * cost(local) / size>>(argc, argv)`.
template <policy_option... Options>
int replay_main(int argc, const char* const* argv)
{
    return replay_main({tools::make_heuristic<Options...>("custom")}, argc, argv);
}

}  // namespace tidepool
