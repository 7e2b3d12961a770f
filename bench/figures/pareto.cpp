#include "figures/pareto.hpp"

#include <gnuplot-iostream.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace tidepool::tools {

namespace {

/// A run's place in the data.
void add_run(pareto_data& data, const nlohmann::json& run)
{
    const auto log = run.at("log").get<std::string>();
    const auto name = run.at("heuristic").get<std::string>();
    const auto settings = "releases: " + run.at("dealloc").get<std::string>() + ", semantics: " + run.at("semantics").get<std::string>();
    const auto ratio = run.at("ratio").get<double>();
    const auto result = run.at("result").get<std::string>();
    if (!data.logs.empty() && settings != data.settings) {
        throw std::runtime_error("a run with " + settings + " among runs with " + data.settings + "; draw them apart");
    }
    data.settings = settings;
    if (std::find(data.logs.begin(), data.logs.end(), log) == data.logs.end()) {
        data.logs.push_back(log);
    }
    auto series = std::find_if(data.series.begin(), data.series.end(), [&](const pareto_series& s) { return s.title == name; });
    if (series == data.series.end()) {
        series = data.series.insert(series, {name, {}});
    }
    if (result == "pass" && !run.at("overhead").is_null()) {  // null: nothing to compute
        series->lines[log][ratio] = run["overhead"].get<double>();
    }
}

/// Heuristics that are the same expression under two names, or that never differed, share a line.
void join_equal(std::vector<pareto_series>& series)
{
    std::vector<pareto_series> joined;
    for (pareto_series& next : series) {
        const auto same = std::find_if(joined.begin(), joined.end(), [&](const pareto_series& s) { return s.lines == next.lines; });
        if (same == joined.end()) {
            joined.push_back(std::move(next));
        } else {
            same->title += ", " + next.title;
        }
    }
    series = std::move(joined);
}

/// Text between double quotes in a gnuplot command.
std::string in_quotes(std::string_view text)
{
    // In single quotes nothing is expanded; in double quotes gnuplot would run what stands between backquotes.
    std::string result = "'";
    for (const char c : text) {
        result += std::iscntrl(static_cast<unsigned char>(c)) != 0 ? '?' : c;
        if (c == '\'') {
            result += c;
        }
    }
    return result + "'";
}

constexpr std::array<std::string_view, 8> colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c564b"};

/// The log's name without its folder and its ending; whole where two logs would read the same.
std::string panel_title(const std::vector<std::string>& logs, const std::string& log)
{
    const auto stem = [](const std::string& name) { return std::filesystem::path(name).stem().string(); };
    const auto same = std::count_if(logs.begin(), logs.end(), [&](const std::string& other) { return stem(other) == stem(log); });
    return same == 1 ? stem(log) : log;
}

/// Where the axes end: all points, with the whole peak and no overhead always in view.
struct extent {
    double least_ratio = 1;
    double most_ratio = 1;
    double most_overhead = 1;
};

extent extent_of(const pareto_data& data)
{
    extent result;
    for (const pareto_series& series : data.series) {
        for (const auto& [log, line] : series.lines) {
            for (const auto& [ratio, overhead] : line) {
                result.least_ratio = std::min(result.least_ratio, ratio);
                result.most_ratio = std::max(result.most_ratio, ratio);
                result.most_overhead = std::max(result.most_overhead, overhead);
            }
        }
    }
    return result;
}

void plot_panel(Gnuplot& gnuplot, const pareto_data& data, const std::string& log)
{
    gnuplot << "set title " << in_quotes(panel_title(data.logs, log)) << " noenhanced\nplot ";
    std::vector<std::vector<std::pair<double, double>>> lines;
    for (std::size_t number = 0; number < data.series.size(); ++number) {
        const pareto_series& series = data.series[number];
        const auto line = series.lines.find(log);
        if (line != series.lines.end()) {
            lines.emplace_back(line->second.begin(), line->second.end());
            for (auto& [ratio, overhead] : lines.back()) {
                ratio *= 100;
            }
        } else {
            lines.push_back({{std::nan(""), std::nan("")}});  // only its name
        }
        const std::string title = series.title + (line == series.lines.end() ? " (never passes)" : "");
        const std::size_t dash = 1 + number / colours.size();
        gnuplot << (number == 0 ? "" : ", ") << "'-' with linespoints linewidth " << (dash == 1 ? "2" : "1") << " dashtype " << dash
                << " linecolor rgb \"" << colours[number % colours.size()] << "\" pointtype " << 1 + number % 13 << " pointsize 0.6 title "
                << in_quotes(title) << " noenhanced";
    }
    gnuplot << "\n";
    for (const auto& line : lines) {
        gnuplot.send1d(line);
    }
}

}  // namespace

pareto_data read_pareto(std::istream& in, const std::string& file)
{
    pareto_data data;
    std::string line;
    for (std::size_t number = 1; std::getline(in, line); ++number) {
        try {
            add_run(data, nlohmann::json::parse(line));
        } catch (const nlohmann::json::exception& wrong) {
            throw std::runtime_error(file + ":" + std::to_string(number) + ": not a run of replay --json: " + wrong.what());
        } catch (const std::runtime_error& wrong) {
            throw std::runtime_error(file + ":" + std::to_string(number) + ": " + wrong.what());
        }
    }
    if (data.logs.empty()) {
        throw std::runtime_error(file + ": holds no runs");
    }
    join_equal(data.series);
    return data;
}

void draw_pareto(const pareto_data& data, const std::filesystem::path& output)
{
    const std::filesystem::path unfinished = output.string() + "." + std::to_string(::getpid()) + ".tmp";
    if (!std::ofstream(unfinished)) {
        throw std::runtime_error(output.string() + ": cannot be written");
    }
    const extent all = extent_of(data);
    std::error_code failure;
    {
        const std::size_t columns = std::min<std::size_t>(data.logs.size(), 2);
        const std::size_t rows = (data.logs.size() + columns - 1) / columns;
        Gnuplot gnuplot("gnuplot");
        gnuplot << "set terminal svg size " << 960 * columns << "," << 560 * rows + 60 << " background rgb 'white' font 'Helvetica,13'\n"
                << "set output " << in_quotes(unfinished.string()) << "\n"
                << "set multiplot layout " << rows << "," << columns << " title "
                << in_quotes("What each eviction heuristic costs (" + data.settings +
                             "). A line ends where its heuristic no longer passes.")
                << " noenhanced\n"
                << "set xlabel 'budget, % of the peak without a limit'\nset ylabel 'time / time without a limit'\n"
                << "set xrange [" << 100 * all.most_ratio + 2 << ":" << std::max(0.0, 100 * all.least_ratio - 5) << "]\n"
                << "set yrange [" << 1 - 0.02 * (all.most_overhead - 1) - 0.005 << ":" << 1 + 1.05 * (all.most_overhead - 1) + 0.005
                << "]\n"
                << "set grid linecolor rgb '#dddddd'\nset key outside right top Left reverse samplen 2 spacing 1.1\n";
        for (const std::string& log : data.logs) {
            plot_panel(gnuplot, data, log);
        }
        gnuplot << "unset multiplot\nset output\n";
    }  // waits for gnuplot
    const auto size = std::filesystem::file_size(unfinished, failure);
    if (failure || size == 0) {
        std::filesystem::remove(unfinished, failure);
        throw std::runtime_error(output.string() + ": gnuplot wrote no figure there; is it installed?");
    }
    std::filesystem::rename(unfinished, output, failure);
    if (failure) {
        const std::string why = failure.message();
        std::filesystem::remove(unfinished, failure);
        throw std::runtime_error(output.string() + ": cannot be written: " + why);
    }
}

}  // namespace tidepool::tools
