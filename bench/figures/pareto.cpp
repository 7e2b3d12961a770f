#include "figures/pareto.hpp"

#include <gnuplot-iostream.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string_view>

namespace tidepool::tools {

namespace {

/// A run's place in the data. The same heuristic on the same log under several settings would be one line with several meanings.
void add_run(pareto_data& data, const nlohmann::json& run)
{
    const std::string log = std::filesystem::path(run.at("log").get<std::string>()).stem().string();
    const auto name = run.at("heuristic").get<std::string>();
    if (std::find(data.logs.begin(), data.logs.end(), log) == data.logs.end()) {
        data.logs.push_back(log);
    }
    auto series = std::find_if(data.series.begin(), data.series.end(), [&](const pareto_series& s) { return s.title == name; });
    if (series == data.series.end()) {
        series = data.series.insert(series, {name, {}});
    }
    if (run.at("result").get<std::string>() == "pass") {
        series->lines[log][run.at("ratio").get<double>()] = run.at("overhead").get<double>();
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
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            result += '\\';
        }
        result += c;
    }
    return result + '"';
}

constexpr std::array<std::string_view, 8> colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c564b"};

void plot_panel(Gnuplot& gnuplot, const pareto_data& data, const std::string& log)
{
    gnuplot << "set title " << in_quotes(log) << " noenhanced\nplot ";
    std::vector<std::vector<std::pair<double, double>>> lines;
    for (std::size_t number = 0; number < data.series.size(); ++number) {
        const pareto_series& series = data.series[number];
        const auto line = series.lines.find(log);
        if (line != series.lines.end()) {
            lines.emplace_back(line->second.begin(), line->second.end());
        } else {
            lines.push_back({{std::nan(""), std::nan("")}});  // it never passed here: only its name
        }
        const std::size_t dash = 1 + number / colours.size();
        gnuplot << (number == 0 ? "" : ", ") << "'-' with linespoints linewidth " << (dash == 1 ? "2" : "1") << " dashtype " << dash
                << " linecolor rgb \"" << colours[number % colours.size()] << "\" pointtype " << 1 + number % 13
                << " pointsize 0.6 title " << in_quotes(series.title) << " noenhanced";
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
    {
        const std::size_t columns = std::min<std::size_t>(data.logs.size(), 2);
        const std::size_t rows = (data.logs.size() + columns - 1) / columns;
        Gnuplot gnuplot("gnuplot");
        gnuplot << "set terminal svg size " << 900 * columns << "," << 560 * rows << " background rgb 'white' font 'Helvetica,13'\n"
                << "set output " << in_quotes(unfinished.string()) << "\n"
                << "set multiplot layout " << rows << "," << columns << "\n"
                << "set xlabel 'budget, as a part of the unlimited peak'\nset ylabel 'time, over the time without a limit'\n"
                << "set xrange [1.02:0]\nset yrange [0.98:2.02]\nset grid linecolor rgb '#dddddd'\nset key outside right samplen 2\n";
        for (const std::string& log : data.logs) {
            plot_panel(gnuplot, data, log);
        }
        gnuplot << "unset multiplot\nset output\n";
    }  // waits for gnuplot
    std::error_code failure;
    if (std::filesystem::file_size(unfinished, failure) == 0 || failure) {
        std::filesystem::remove(unfinished, failure);
        throw std::runtime_error(output.string() + ": gnuplot wrote no figure there");
    }
    std::filesystem::rename(unfinished, output);
}

}  // namespace tidepool::tools
