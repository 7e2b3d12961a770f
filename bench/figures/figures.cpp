// figures: pictures from what the other tools print with --json.

#include "figures/pareto.hpp"

#include <CLI/CLI.hpp>

#include <csignal>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>

int main(int argc, char** argv)
{
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
    try {
        app.parse(argc, argv);
        std::ifstream file;
        if (input != "-") {
            file.open(input);
            if (!file) {
                throw std::runtime_error(input + ": cannot be read");
            }
        }
        tidepool::tools::draw_pareto(tidepool::tools::read_pareto(input == "-" ? std::cin : file, input), output);
        return 0;
    } catch (const CLI::Success& asked) {
        return app.exit(asked);
    } catch (const std::exception& wrong) {
        std::cerr << "error: " << wrong.what() << '\n';
        return 2;
    }
}
