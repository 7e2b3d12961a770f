// experiment: what the outputs of other tools say together.

#include "experiment/compare.hpp"

#include <tidepool/tools/recorded_runs.hpp>
#include <tidepool/tools/run_program.hpp>

#include <CLI/CLI.hpp>

#include <iostream>
#include <string>

int main(int argc, char** argv)
{
    using namespace tidepool::tools;
    CLI::App app(
        "Sets results side by side.\n"
        "Example: replay --log step.log --json > a.jsonl; replay --log step.log --semantics tidepool --json > b.jsonl; "
        "experiment compare a.jsonl b.jsonl\n",
        "experiment");
    app.require_subcommand(1);
    std::string first;
    std::string second;
    auto* const compare = app.add_subcommand("compare", "two sweeps of the same runs: what passes in each, and at what overhead");
    compare->add_option("first", first, "the output of replay --json; - for standard input")->required();
    compare->add_option("second", second, "another one, of the same runs")->required();
    return run_program(app, argc, argv, [&] {
        compare_sweeps(read_recorded_runs(first), first, read_recorded_runs(second), second, std::cout);
        return 0;
    });
}
