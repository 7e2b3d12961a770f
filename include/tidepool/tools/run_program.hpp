#pragma once

// How every program of ours ends: what its exit status means, and one line where something went wrong.

#include "../core/error.hpp"

#include <CLI/CLI.hpp>

#include <exception>
#include <iostream>

namespace tidepool::tools {

/// Reads the command line, does the work, and returns the exit status: the work's own (0 for done); 2 for bad usage or bad input;
/// 1 for what else was thrown. Prints `--help` on standard output, and one line on standard error for what is thrown.
template <class Work>
[[nodiscard]] int run_program(CLI::App& app, int argc, const char* const* argv, Work&& work)
{
    try {
        app.parse(argc, argv);
        return work();
    } catch (const CLI::Success& asked) {  // --help
        return app.exit(asked);
    } catch (const CLI::Error& wrong) {
        std::cerr << "error: " << wrong.what() << '\n';
        return 2;
    } catch (const error& wrong) {
        std::cerr << "error: " << wrong.what() << '\n';
        return 2;
    } catch (const std::exception& failed) {
        std::cerr << "error: " << failed.what() << '\n';
        return 1;
    }
}

}  // namespace tidepool::tools
