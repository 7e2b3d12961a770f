// The program figures from outside: it draws what replay found, or says why not and leaves what was there.

#include "running.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

using namespace running;

namespace {

const std::string step_log = std::string(TIDEPOOL_TEST_DATA) + "/resnet32_training_step.log";

finished pareto(const std::string& input, const std::string& output)
{
    return shell(command(FIGURES_PROGRAM, {"pareto", "--input", input, "--output", output}));
}

std::string runs_of(const std::vector<std::string>& arguments) { return shell(command(REPLAY_PROGRAM, arguments)).out; }

std::size_t count(const std::string& text, const std::string& part)
{
    std::size_t found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) {
        ++found;
    }
    return found;
}

class Figures : public testing::Test {
protected:
    void SetUp() override
    {
        if (shell("command -v gnuplot").status != 0) {
            GTEST_SKIP() << "gnuplot is not installed";
        }
    }

    scratch_folder folder;
    std::string figure = folder.file("pareto.svg");
};

TEST_F(Figures, HelpsWithAnExample)
{
    const finished help = shell(command(FIGURES_PROGRAM, {"--help"}));
    EXPECT_EQ(help.status, 0);
    EXPECT_NE(help.out.find("Example: "), std::string::npos);
}

TEST_F(Figures, DrawsOneLineAHeuristic)
{
    const std::string runs = folder.write("runs.jsonl", runs_of({step_log, "--heuristic", "dtr,e_size_stale,lru,local", "--json"}));
    const finished run = pareto(runs, figure);
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.out + run.err, "");
    const std::string svg = text_of(figure);
    EXPECT_EQ(count(svg, "<svg"), 1U);
    EXPECT_EQ(count(svg, "</svg>"), 1U);
    for (const char* title : {"<title>dtr, e_size_stale</title>", "<title>lru</title>", "<title>local (never passes)</title>",
                              ">resnet32_training_step</text>", "releases: eager, semantics: simrd"}) {
        EXPECT_EQ(count(svg, title), 1U) << title;
    }
}

TEST_F(Figures, DrawsAPanelALog)
{
    const std::string other = folder.file("other.log");
    std::filesystem::copy_file(step_log, other);
    std::filesystem::create_directory(folder.file("a"));
    const std::string same_name = folder.file("a/other.log");
    std::filesystem::copy_file(step_log, same_name);
    const std::string runs = folder.write("runs.jsonl", runs_of({"--log", step_log, other, same_name, "--heuristic", "dtr,lru", "--json"}));
    EXPECT_EQ(pareto(runs, figure).status, 0);
    const std::string svg = text_of(figure);
    EXPECT_EQ(count(svg, "<title>lru</title>"), 3U);
    EXPECT_EQ(count(svg, ">resnet32_training_step</text>"), 1U);
    EXPECT_EQ(count(svg, ">" + other + "</text>"), 1U) << "two logs of one name keep their folders";
    EXPECT_EQ(count(svg, ">" + same_name + "</text>"), 1U);
}

TEST_F(Figures, TakesALogThatIsNamedTwiceForOne)
{
    const std::string runs = folder.write("runs.jsonl", runs_of({"--log", step_log, step_log, "--heuristic", "lru", "--json"}));
    EXPECT_EQ(pareto(runs, figure).status, 0);
    EXPECT_EQ(count(text_of(figure), ">resnet32_training_step</text>"), 1U);
}

TEST_F(Figures, DrawsAProgramThatDoesNothing)
{
    const std::string log = folder.write("empty.log", std::string(empty_log) + "\n");
    const std::string runs = folder.write("runs.jsonl", runs_of({log, "--heuristic", "dtr,lru", "--json"}));
    const finished run = pareto(runs, figure);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(count(text_of(figure), "</svg>"), 1U);
}

/// A log may be called anything; gnuplot must not take its name for a command.
TEST_F(Figures, DoesNotRunTheNameOfALog)
{
    for (const std::string name : {"`touch ran`.log", "it's.log", "two\nlines.log", "quoted\".log", "$(touch ran).log", "back\\slash.log",
                                   "'; system 'touch ran'; '.log"}) {
        SCOPED_TRACE(name);
        const std::string log = folder.file(name);
        std::filesystem::copy_file(step_log, log);
        const std::string runs = folder.write("runs.jsonl", runs_of({log, "--heuristic", "lru", "--json"}));
        std::filesystem::remove(log);
        const finished run =
            shell("cd " + quoted(folder.file("")) + " && " + command(FIGURES_PROGRAM, {"pareto", "--input", runs, "--output", figure}));
        EXPECT_EQ(run.status, 0);
        EXPECT_EQ(run.out + run.err, "");
        EXPECT_EQ(count(text_of(figure), "</svg>"), 1U);
        EXPECT_FALSE(std::filesystem::exists(folder.file("ran")));
    }
}

TEST_F(Figures, ReadsStandardInput)
{
    const finished run = shell(command(REPLAY_PROGRAM, {step_log, "--json"}) + " | " +
                               command(FIGURES_PROGRAM, {"pareto", "--input", "-", "--output", figure}));
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(std::filesystem::exists(figure));
}

TEST_F(Figures, RefusesNonsenseAndLeavesTheFigureThatWasThere)
{
    const std::string eager = runs_of({step_log, "--heuristic", "lru", "--budget-ratio", "0.9", "--json"});
    const std::string banish = runs_of({step_log, "--heuristic", "lru", "--budget-ratio", "0.9", "--dealloc", "banish", "--json"});
    folder.write("pareto.svg", "kept\n");
    const auto refused = [&](const std::string& text, const std::string& where) {
        SCOPED_TRACE(text);
        const std::string runs = folder.write("runs.jsonl", text);
        expect_refused(pareto(runs, figure), {runs + where});
        EXPECT_EQ(text_of(figure), "kept\n");
    };
    refused("", ": holds no runs");
    refused("nonsense\n", ":1: ");
    refused(eager + "{}\n", ":2: ");
    refused(eager + eager + "[1]\n", ":3: ");
    refused(eager + "\n", ":2: ");
    refused(eager + eager.substr(0, eager.size() / 2), ":2: ");
    refused(eager + banish, ":2: ");
    expect_refused(pareto(folder.file("absent.jsonl"), figure), {"absent.jsonl"});
    expect_refused(pareto(folder.file(""), figure), {folder.file("")});
    expect_refused(shell(command(FIGURES_PROGRAM, {})), {"subcommand"});
    expect_refused(shell(command(FIGURES_PROGRAM, {"pareto", "--output", figure})), {"--input"});
    EXPECT_EQ(text_of(figure), "kept\n");
}

TEST_F(Figures, SaysSoIfTheFigureCannotBeWritten)
{
    const std::string runs = folder.write("runs.jsonl", runs_of({step_log, "--json"}));
    expect_refused(pareto(runs, folder.file("no/such/folder.svg")), {"no/such/folder.svg"});
    std::filesystem::create_directory(folder.file("taken"));
    expect_refused(pareto(runs, folder.file("taken")), {folder.file("taken")});
    for (const auto& entry : std::filesystem::directory_iterator(folder.file(""))) {
        const std::string name = entry.path().filename();
        EXPECT_TRUE(name == "runs.jsonl" || name == "taken") << name << ": nothing unfinished stays";
    }
}

TEST_F(Figures, SaysSoIfThereIsNoGnuplot)
{
    const std::string runs = folder.write("runs.jsonl", runs_of({step_log, "--json"}));
    folder.write("pareto.svg", "kept\n");
    const finished run =
        shell("PATH=" + quoted(folder.file("")) + " " + command(FIGURES_PROGRAM, {"pareto", "--input", runs, "--output", figure}));
    EXPECT_EQ(run.status, 2);
    EXPECT_NE(run.err.find("is it installed?"), std::string::npos) << run.err;
    EXPECT_EQ(text_of(figure), "kept\n");
}

}  // namespace
