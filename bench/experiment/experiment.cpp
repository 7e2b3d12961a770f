// experiment: what the outputs of other tools say together.

#include "experiment/compare.hpp"

#include <CLI/CLI.hpp>

#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>

int main(int argc, char** argv)
{
    CLI::App app("Sets results side by side.\n"
                 "Example: replay --log step.log --json > a.jsonl; replay --log step.log --semantics tidepool --json > b.jsonl; "
                 "experiment compare a.jsonl b.jsonl",
                 "experiment");
    app.require_subcommand(1);
    std::string first;
    std::string second;
    auto* const compare = app.add_subcommand("compare", "two sweeps of the same runs: what passes in each, and at what overhead");
    compare->add_option("first", first, "the output of replay --json")->required();
    compare->add_option("second", second, "another one, of the same runs")->required();
    try {
        app.parse(argc, argv);
        std::ifstream a(first);
        std::ifstream b(second);
        if (!a || !b) {
            throw std::runtime_error((a ? second : first) + ": cannot be read");
        }
        tidepool::tools::compare_sweeps(a, first, b, second, std::cout);
        return 0;
    } catch (const CLI::Success& asked) {
        return app.exit(asked);
    } catch (const std::exception& wrong) {
        std::cerr << "error: " << wrong.what() << '\n';
        return 2;
    }
}
