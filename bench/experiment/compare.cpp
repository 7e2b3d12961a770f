#include "experiment/compare.hpp"

#include <tidepool/tools/bad_input.hpp>
#include <tidepool/tools/quantities.hpp>
#include <tidepool/tools/text_table.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <tuple>
#include <vector>

namespace tidepool::tools {

namespace {

[[nodiscard]] auto key(const recorded_run& run) { return std::tie(run.log, run.heuristic, run.budget); }

struct tally {
    std::size_t runs = 0;
    std::size_t first = 0;
    std::size_t second = 0;
    std::size_t gained = 0;
    std::size_t lost = 0;
    std::size_t both = 0;
    double sum_of_logs = 0;
    double least = std::numeric_limits<double>::infinity();
    double most = 0;

    void add(const recorded_run& a, const recorded_run& b)
    {
        ++runs;
        first += a.passed() ? 1U : 0U;
        second += b.passed() ? 1U : 0U;
        gained += !a.passed() && b.passed() ? 1U : 0U;
        lost += a.passed() && !b.passed() ? 1U : 0U;
        if (a.passed() && b.passed() && a.overhead && b.overhead) {
            const double ratio = *b.overhead / *a.overhead;
            ++both;
            sum_of_logs += std::log(ratio);
            least = std::min(least, ratio);
            most = std::max(most, ratio);
        }
    }
    [[nodiscard]] std::vector<std::string> row(const std::string& name) const
    {
        const auto text = [&](double value) { return both == 0 ? std::string("-") : format_fixed(value, 3); };
        return {name,
                std::to_string(runs),
                std::to_string(first),
                std::to_string(second),
                std::to_string(gained),
                std::to_string(lost),
                text(std::exp(sum_of_logs / static_cast<double>(both))),
                text(least),
                text(most)};
    }
};

}  // namespace

void compare_sweeps(const std::vector<recorded_run>& a, const std::string& first_name, const std::vector<recorded_run>& b,
                    const std::string& second_name, std::ostream& out)
{
    if (a.size() != b.size()) {
        throw bad_input(second_name + ": holds " + std::to_string(b.size()) + " runs, " + first_name + " holds " +
                        std::to_string(a.size()));
    }
    std::vector<std::string> order;
    std::map<std::string, tally> by_heuristic;
    tally all;
    text_table lost;
    for (std::size_t run = 0; run < a.size(); ++run) {
        if (key(a[run]) != key(b[run])) {
            throw bad_input(second_name + ":" + std::to_string(run + 1) + ": not the same run as in " + first_name);
        }
        if (by_heuristic.find(a[run].heuristic) == by_heuristic.end()) {
            order.push_back(a[run].heuristic);
        }
        by_heuristic[a[run].heuristic].add(a[run], b[run]);
        all.add(a[run], b[run]);
        if (a[run].passed() && !b[run].passed()) {
            lost.add_row({std::filesystem::path(a[run].log).stem().string(), a[run].heuristic, format_fixed(a[run].ratio, 2),
                          a[run].overhead ? format_fixed(*a[run].overhead, 3) + "x" : "-", b[run].result});
        }
    }
    text_table table;
    table.add_row({"heuristic", "runs", "1st passes", "2nd passes", "gained", "lost", "2nd/1st", "least", "most"});
    for (const std::string& heuristic : order) {
        table.add_row(by_heuristic[heuristic].row(heuristic));
    }
    table.add_row(all.row("all"));
    out << "1st: " << first_name << "\n2nd: " << second_name << "\n2nd/1st: overhead where both pass, geometric mean\n" << table;
    if (all.lost > 0) {
        out << "\npass only in the 1st (log, heuristic, ratio, overhead there, result in the 2nd):\n" << lost;
    }
}

}  // namespace tidepool::tools
