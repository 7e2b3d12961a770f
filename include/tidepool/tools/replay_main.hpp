#pragma once

// The command line of a replay, for the library's heuristics or for one of your own.

#include "../graph/linear_network.hpp"
#include "../graph/log_program.hpp"
#include "../graph/replacement_file.hpp"
#include "quantities.hpp"
#include "replay_report.hpp"
#include "replay_sweep.hpp"
#include "run_program.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tidepool {

namespace tools {

/// What a replay was asked for, as text and numbers.
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
    std::string json_file;
};

namespace detail {

/// Help without a list of positionals (there is one, and it is explained as an option) and with one empty line between groups.
class help_text : public CLI::Formatter {
public:
    std::string make_positionals(const CLI::App*) const override { return {}; }
    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override
    {
        return CLI::detail::find_and_replace(CLI::Formatter::make_help(app, std::move(name), mode), "\n\n\n", "\n\n");
    }
};

/// Accepts a whole number in that range; rewrites it to plain digits, for CLI11 takes a leading zero for octal.
[[nodiscard]] inline CLI::Validator whole_number(std::uint64_t least, std::uint64_t most)
{
    return {[=](std::string& text) -> std::string {
                const auto value = parse_whole<std::uint64_t>(text);
                if (!value || *value < least || *value > most) {
                    return '"' + text + "\" is not a whole number from " + std::to_string(least) + " to " + std::to_string(most);
                }
                text = std::to_string(*value);
                return {};
            },
            ""};
}

[[nodiscard]] inline CLI::Validator number_from(double least, double most)
{
    return {[=](std::string& text) -> std::string {
                const auto value = parse_number(text);
                return value && *value >= least && *value <= most ? ""
                                                                  : '"' + text + "\" is not a number of at least " + format_fixed(least, 0);
            },
            ""};
}

[[nodiscard]] inline CLI::Validator positive_number()
{
    return {[](std::string& text) -> std::string {
                const auto value = parse_number(text);
                return value && *value > 0 ? "" : '"' + text + "\" is not a number above 0";
            },
            ""};
}

[[nodiscard]] inline CLI::Validator bytes()
{
    return {[](std::string& text) -> std::string {
                return parse_bytes(text) ? "" : '"' + text + "\" is not a number of bytes such as 1073741824, 1GiB or 500MB";
            },
            ""};
}

[[nodiscard]] inline CLI::Validator one_of(std::vector<std::string> words)
{
    return {[words = std::move(words)](std::string& text) -> std::string {
                std::string known;
                for (const std::string& word : words) {
                    if (word == text) {
                        return {};
                    }
                    known += " " + word;
                }
                return '"' + text + "\" is none of:" + known;
            },
            ""};
}

inline void declare_options(CLI::App& app, replay_arguments& arguments)
{
    const auto list = [](CLI::Option* option) { return option->delimiter(',')->allow_extra_args(false); };  // a log may follow

    const std::string programs = "What to replay";
    auto* const log = app.add_option("--log,log", arguments.logs, "DTR logs, one training step each; the word --log may be left out")
                          ->option_text("FILE...")
                          ->group(programs);
    auto* const linear =
        app.add_option("--linear", arguments.linear_nodes, "instead of logs: the DTR paper's uniform linear network of N layers")
            ->transform(whole_number(1, std::uint64_t{1} << 30U))
            ->excludes(log)
            ->option_text("N")
            ->group(programs);

    const std::string budgets = "Within which budgets (default: --budget-ratio 1.0,0.9,...,0.1)";
    auto* const ratio = list(app.add_option("--budget-ratio", arguments.ratios, "parts of the peak of the unlimited run"))
                            ->check(positive_number())
                            ->option_text("R[,R...]")
                            ->group(budgets);
    list(app.add_option("--budget", arguments.budgets, "bytes, plain or with a unit: 2GiB, 500MB"))
        ->check(bytes())
        ->excludes(ratio)
        ->option_text("BYTES[,BYTES...]")
        ->group(budgets);
    list(app.add_option("--budget-slots", arguments.budget_slots, "tensors of the linear network"))
        ->transform(whole_number(0, std::uint64_t{1} << 62U))
        ->needs(linear)
        ->excludes(ratio)
        ->option_text("B[,B...]")
        ->group(budgets);

    const std::string how = "Under which policy";
    list(app.add_option("--heuristic", arguments.heuristics, "names from the list below, or all"))
        ->option_text("NAME[,NAME...]")
        ->group(how);
    app.add_option("--dealloc", arguments.deallocation,
                   "what the last release of a storage does: nothing, evict it, or forget it (default: eager)")
        ->check(one_of({"ignore", "eager", "banish"}))
        ->option_text("ignore|eager|banish")
        ->group(how);
    app.add_option("--semantics", arguments.semantics, "the DTR authors' simulator to the letter, or what an engine does (default: simrd)")
        ->check(one_of({"simrd", "tidepool"}))
        ->option_text("simrd|tidepool")
        ->group(how);
    app.add_option("--overhead-limit", arguments.settings.overhead_limit,
                   "a run has thrashed when it computes more than X times what the unlimited run does (default: 2)")
        ->check(number_from(1, 1e9))
        ->option_text("X")
        ->group(how);
    app.add_option("--seed", arguments.settings.seed, "for heuristics that draw numbers (default: 0)")
        ->transform(whole_number(0, std::numeric_limits<std::uint64_t>::max()))
        ->option_text("N")
        ->group(how);

    const std::string output = "How to run and print";
    app.add_option("--jobs", arguments.settings.jobs, "runs at a time (default: one a processor)")
        ->transform(whole_number(1, 1024))
        ->option_text("N")
        ->group(output);
    app.add_flag("--json", arguments.json, "one JSON object a run on standard output, and nothing else")
        ->disable_flag_override()
        ->group(output);
    app.add_option("--json-file", arguments.json_file, "these objects into a file, beside what is printed")
        ->option_text("FILE")
        ->group(output);
    app.set_help_flag("-h,--help", "this text")->group(output);
}

/// Where the budgets of one program lie, in bytes, with their ratios.
[[nodiscard]] inline std::vector<std::pair<byte_count, double>> budgets_of(const replay_arguments& arguments,
                                                                           const replay_baseline& baseline)
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
[[nodiscard]] inline std::vector<std::size_t> chosen_heuristics(const replay_arguments& arguments,
                                                                const std::vector<named_heuristic>& known)
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

/// A line a heuristic: its name and its formula.
[[nodiscard]] inline std::string list_of(const std::vector<named_heuristic>& heuristics)
{
    std::size_t width = 0;
    for (const named_heuristic& heuristic : heuristics) {
        width = std::max(width, heuristic.name.size());
    }
    std::string lines;
    for (const named_heuristic& heuristic : heuristics) {
        const bool enclosed = heuristic.formula.starts_with('(');  // then its other half is at the end
        const std::string formula = enclosed ? heuristic.formula.substr(1, heuristic.formula.size() - 2) : heuristic.formula;
        lines += "  " + heuristic.name + std::string(width + 2 - heuristic.name.size(), ' ') + formula + '\n';
    }
    return lines;
}

/// What is replayed where no heuristic is named.
[[nodiscard]] inline std::string default_heuristic(const std::vector<named_heuristic>& known)
{
    const auto preferred = std::find_if(known.begin(), known.end(), [](const auto& h) { return h.name == "dtr_eq"; });
    return (preferred == known.end() ? known.begin() : preferred)->name;
}

/// Reads what the command line cannot check by itself. Throws `CLI::ValidationError`.
inline void check(replay_arguments& arguments, const std::vector<named_heuristic>& known)
{
    if (arguments.logs.empty() && arguments.linear_nodes == 0) {
        throw CLI::ValidationError("--log", "nothing to replay: name a log, or --linear N");
    }
    for (const std::string& name : arguments.heuristics) {
        if (name != "all" && std::none_of(known.begin(), known.end(), [&](const auto& h) { return h.name == name; })) {
            std::string names;
            for (const named_heuristic& heuristic : known) {
                names += " " + heuristic.name;
            }
            throw CLI::ValidationError("--heuristic", '"' + name + "\" is none of: all" + names);
        }
    }
    if (arguments.heuristics.empty()) {
        arguments.heuristics = {default_heuristic(known)};
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
    std::optional<replacement_file> json_file;
    if (!arguments.json_file.empty()) {
        for (const std::string& log : arguments.logs) {
            std::error_code ignored;
            if (std::filesystem::equivalent(log, arguments.json_file, ignored)) {
                throw CLI::ValidationError("--json-file", arguments.json_file + " is one of the logs");
            }
        }
        json_file.emplace(arguments.json_file);
    }
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
    if (json_file) {
        std::ostringstream text;
        print_json(text, runs, programs, known, arguments.settings);
        json_file->write(text.view());
        json_file->commit();
    }
    if (arguments.json) {
        print_json(std::cout, runs, programs, known, arguments.settings);
    } else {
        print_tables(std::cout, runs, programs, known, chosen, budgets);
        std::cout << "Cells: time over the time without a limit; oom: it cannot fit; thrashed: above "
                  << format_fixed(arguments.settings.overhead_limit, 1) << "x. Releases: " << arguments.deallocation
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
    CLI::App app(
        "Replays the recorded operators of a training step within memory budgets, and says what each eviction heuristic costs.\n"
        "Example: replay --log step.log --heuristic dtr_eq,lru --budget-ratio 0.9,0.5,0.3\n",
        "replay");
    tools::replay_arguments arguments;
    arguments.settings.jobs = std::max(1U, std::thread::hardware_concurrency());
    app.formatter(std::make_shared<tools::detail::help_text>());
    app.footer("Heuristics (the storage with the least value is evicted; default: " + tools::detail::default_heuristic(heuristics) +
               "):\n" + tools::detail::list_of(heuristics));
    tools::detail::declare_options(app, arguments);
    return tools::run_program(app, argc, argv, [&] {
        tools::detail::check(arguments, heuristics);
        return tools::detail::replay_as_asked(arguments, heuristics);
    });
}

/// The same for one heuristic of your own: `replay_main<evict_by<penalty * cost(local) / size>>(argc, argv)`.
template <policy_option... Options>
int replay_main(int argc, const char* const* argv)
{
    return replay_main({tools::make_heuristic<Options...>("custom")}, argc, argv);
}

}  // namespace tidepool
