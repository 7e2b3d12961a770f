#include "figures/pareto.hpp"

#include <tidepool/graph/replacement_file.hpp>
#include <tidepool/tools/bad_input.hpp>

#include <gnuplot-iostream.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <system_error>

namespace tidepool::tools {

namespace {

/// A run's place in the data.
void add_run(pareto_data& data, const recorded_run& run)
{
    if (std::find(data.logs.begin(), data.logs.end(), run.log) == data.logs.end()) {
        data.logs.push_back(run.log);
    }
    auto series = std::find_if(data.series.begin(), data.series.end(), [&](const pareto_series& s) { return s.title == run.heuristic; });
    if (series == data.series.end()) {
        series = data.series.insert(series, {run.heuristic, {}});
    }
    if (run.passed() && run.overhead) {
        series->lines[run.log][run.ratio] = *run.overhead;
    }
}

std::string settings_of(const recorded_run& run) { return "releases: " + run.deallocation + ", semantics: " + run.semantics; }

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

/// Text as gnuplot takes it literally: it would run what stands between backquotes.
std::string in_quotes(std::string_view text)
{
    std::string result = "\"";
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (std::iscntrl(code) != 0) {
            result += '?';
        } else if (std::string_view("\"\\`$").find(c) == std::string_view::npos) {
            result += c;
        } else {
            result += {'\\', static_cast<char>('0' + code / 64), static_cast<char>('0' + code / 8 % 8), static_cast<char>('0' + code % 8)};
        }
    }
    return result + "\"";
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

pareto_data to_pareto(const std::vector<recorded_run>& runs, const std::string& file)
{
    pareto_data data;
    data.settings = settings_of(runs.front());
    for (std::size_t run = 0; run < runs.size(); ++run) {
        if (const std::string settings = settings_of(runs[run]); settings != data.settings) {
            throw bad_input(file + ":" + std::to_string(run + 1) + ": a run with " + settings + " among runs with " + data.settings +
                            "; draw them apart");
        }
        add_run(data, runs[run]);
    }
    join_equal(data.series);
    return data;
}

void draw_pareto(const pareto_data& data, const std::filesystem::path& output)
{
    replacement_file figure(output);
    const extent all = extent_of(data);
    {
        const std::size_t columns = std::min<std::size_t>(data.logs.size(), 2);
        const std::size_t rows = (data.logs.size() + columns - 1) / columns;
        Gnuplot gnuplot("gnuplot");
        gnuplot << "set terminal svg size " << 960 * columns << "," << 560 * rows + 60 << " background rgb 'white' font 'Helvetica,13'\n"
                << "set output " << in_quotes(figure.unfinished().string()) << "\n"
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
    std::error_code failure;
    const auto size = std::filesystem::file_size(figure.unfinished(), failure);
    if (failure || size == 0) {
        throw bad_input(output.string() + ": gnuplot wrote no figure there; is it installed?");
    }
    figure.commit();
}

}  // namespace tidepool::tools
