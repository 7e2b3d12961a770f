// figures: pictures from what the other tools print with --json.

#include "figures/pareto.hpp"

#include <tidepool/tools/recorded_runs.hpp>
#include <tidepool/tools/run_program.hpp>

#include <CLI/CLI.hpp>

#include <csignal>
#include <string>

int main(int argc, char** argv)
{
    using namespace tidepool::tools;
    CLI::App app(
        "Draws figures from what the tools print with --json.\n"
        "Example: replay --log step.log --heuristic all --json > runs.jsonl; figures pareto --input runs.jsonl --output pareto.svg\n",
        "figures");
    app.require_subcommand(1);
    std::signal(SIGPIPE, SIG_IGN);  // a gnuplot that ends early is an error to report
    std::string input;
    std::string output;
    auto* const pareto = app.add_subcommand("pareto", "overhead against budget, one line a heuristic, one panel a log (SVG)");
    pareto->add_option("--input", input, "the output of replay --json; - for standard input")->option_text("FILE")->required();
    pareto->add_option("--output", output, "the SVG file to write")->option_text("FILE")->required();
    return run_program(app, argc, argv, [&] {
        draw_pareto(to_pareto(read_recorded_runs(input), input), output);
        return 0;
    });
}
