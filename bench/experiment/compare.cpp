#include "experiment/compare.hpp"

#include <tidepool/tools/quantities.hpp>
#include <tidepool/tools/text_table.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <stdexcept>
#include <tuple>
#include <vector>

namespace tidepool::tools {

namespace {

struct finished_run {
    std::string log;
    std::string heuristic;
    std::int64_t budget;
    double ratio;
    std::string result;
    double overhead;

    [[nodiscard]] bool passed() const { return result == "pass"; }
    [[nodiscard]] auto key() const { return std::tie(log, heuristic, budget); }
};

std::vector<finished_run> read_runs(std::istream& in, const std::string& file)
{
    std::vector<finished_run> runs;
    std::string line;
    for (std::size_t number = 1; std::getline(in, line); ++number) {
        try {
            const auto run = nlohmann::json::parse(line);
            const auto& overhead = run.at("overhead");
            runs.push_back({std::filesystem::path(run.at("log").get<std::string>()).stem().string(), run.at("heuristic"), run.at("budget"),
                            run.at("ratio"), run.at("result"), overhead.is_null() ? 0.0 : overhead.get<double>()});
        } catch (const nlohmann::json::exception& wrong) {
            throw std::runtime_error(file + ":" + std::to_string(number) + ": not a run of replay --json: " + wrong.what());
        }
    }
    return runs;
}

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

    void add(const finished_run& a, const finished_run& b)
    {
        ++runs;
        first += a.passed() ? 1U : 0U;
        second += b.passed() ? 1U : 0U;
        gained += !a.passed() && b.passed() ? 1U : 0U;
        lost += a.passed() && !b.passed() ? 1U : 0U;
        if (a.passed() && b.passed()) {
            const double ratio = b.overhead / a.overhead;
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

void compare_sweeps(std::istream& first, const std::string& first_name, std::istream& second, const std::string& second_name,
                    std::ostream& out)
{
    const std::vector<finished_run> a = read_runs(first, first_name);
    const std::vector<finished_run> b = read_runs(second, second_name);
    if (a.size() != b.size()) {
        throw std::runtime_error(second_name + ": holds " + std::to_string(b.size()) + " runs, " + first_name + " holds " +
                                 std::to_string(a.size()));
    }
    std::vector<std::string> order;
    std::map<std::string, tally> by_heuristic;
    tally all;
    text_table lost;
    for (std::size_t run = 0; run < a.size(); ++run) {
        if (a[run].key() != b[run].key()) {
            throw std::runtime_error(second_name + ":" + std::to_string(run + 1) + ": not the same run as in " + first_name);
        }
        if (by_heuristic.find(a[run].heuristic) == by_heuristic.end()) {
            order.push_back(a[run].heuristic);
        }
        by_heuristic[a[run].heuristic].add(a[run], b[run]);
        all.add(a[run], b[run]);
        if (a[run].passed() && !b[run].passed()) {
            lost.add_row({a[run].log, a[run].heuristic, format_fixed(a[run].ratio, 2), format_fixed(a[run].overhead, 3) + "x", b[run].result});
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
