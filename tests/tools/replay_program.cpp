// The program replay from outside: what it prints, where, and with what status it ends.

#include "running.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

using namespace running;
using nlohmann::ordered_json;

namespace {

const std::string step_log = std::string(TIDEPOOL_TEST_DATA) + "/resnet32_training_step.log";

finished replay(const std::vector<std::string>& arguments) { return shell(command(REPLAY_PROGRAM, arguments)); }

/// The objects of a run that must have gone well; without `seconds`, which differ.
std::vector<ordered_json> objects(const finished& run)
{
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.err, "");
    std::vector<ordered_json> result;
    for (const std::string& line : lines_of(run.out)) {
        ordered_json object = ordered_json::parse(line);
        EXPECT_TRUE(object.at("seconds").is_number());
        object.erase("seconds");
        result.push_back(std::move(object));
    }
    return result;
}

std::vector<ordered_json> replayed(std::vector<std::string> arguments)
{
    arguments.emplace_back("--json");
    return objects(replay(arguments));
}

TEST(Replay, HelpsWithAnExampleAndAllHeuristics)
{
    for (const char* option : {"--help", "-h"}) {
        const finished help = replay({option});
        EXPECT_EQ(help.status, 0);
        EXPECT_EQ(help.err, "");
        for (const char* text :
             {"Example: replay --log step.log", "--budget-slots", "--overhead-limit", "--semantics simrd|tidepool", "default: eager",
              "dtr_eq            cost(equivalence_class) / (size * staleness)\n", "local_size_stale"}) {
            EXPECT_NE(help.out.find(text), std::string::npos) << text;
        }
        for (const std::string& line : lines_of(help.out)) {
            EXPECT_LE(line.size(), 140U) << line;
        }
    }
}

TEST(Replay, RunsTheExampleOfItsHelp)
{
    const std::string help = replay({"--help"}).out;
    const auto from = help.find("Example: replay ") + 16;
    std::string arguments = help.substr(from, help.find('\n', from) - from);
    arguments.replace(arguments.find("step.log"), 8, quoted(step_log));
    const finished run = shell(quoted(REPLAY_PROGRAM) + " " + arguments);
    EXPECT_EQ(run.status, 0);
    EXPECT_NE(run.out.find("dtr_eq"), std::string::npos);
}

TEST(Replay, RefusesBadUsageInOneLine)
{
    const scratch_folder folder;
    const auto refused = [](std::vector<std::string> arguments, const std::vector<std::string>& texts) {
        std::string what;
        for (const std::string& argument : arguments) {
            what += argument + ' ';
        }
        SCOPED_TRACE(what);
        expect_refused(replay(arguments), texts);
    };
    refused({}, {"name a log"});
    refused({"--no-such-option"}, {"--no-such-option"});
    refused({step_log, "--json=3"}, {"json"});
    refused({step_log, "--heuristic", "no_such"}, {"--heuristic", "\"no_such\"", "all dtr dtr_eq", "size_stale"});
    refused({step_log, "--heuristic", ""}, {"--heuristic", "\"\""});
    refused({step_log, "--heuristic"}, {"--heuristic"});
    for (const char* ratio : {"0", "-0.5", "nan", "inf", "text", "", "0.5,nan", "1e999", "50%"}) {
        refused({step_log, "--budget-ratio", ratio}, {"--budget-ratio", "above 0"});
    }
    for (const char* budget : {"text", "1x", "-5", "", "1e3", "1.5", "99999999999999999999", "1GiB,x", "GiB"}) {
        refused({step_log, "--budget", budget}, {"--budget", "1GiB or 500MB"});
    }
    for (const char* slots : {"-1", "text", "1.5", "99999999999999999999", ""}) {
        refused({"--linear", "10", "--budget-slots", slots}, {"--budget-slots", "whole number"});
    }
    refused({step_log, "--budget", "1GiB", "--budget-ratio", "0.5"}, {"--budget-ratio", "--budget"});
    refused({"--linear", "10", "--budget-slots", "5", "--budget-ratio", "0.5"}, {"--budget-ratio", "--budget-slots"});
    refused({step_log, "--budget-slots", "5"}, {"--budget-slots", "--linear"});
    refused({"--linear", "10", "--log", step_log}, {"--linear", "--log"});
    refused({step_log, "--linear", "10"}, {"--linear", "--log"});
    for (const char* nodes : {"0", "-1", "text", "99999999999999999999"}) {
        refused({"--linear", nodes}, {"--linear", "whole number from 1"});
    }
    for (const char* jobs : {"0", "-1", "text", "100000"}) {
        refused({step_log, "--jobs", jobs}, {"--jobs", "whole number from 1 to 1024"});
    }
    for (const char* limit : {"0.99", "0", "-1", "nan", "inf", "text"}) {
        refused({step_log, "--overhead-limit", limit}, {"--overhead-limit", "at least 1"});
    }
    for (const char* seed : {"-1", "text", "18446744073709551616"}) {
        refused({step_log, "--seed", seed}, {"--seed", "whole number"});
    }
    refused({step_log, "--dealloc", "lazy"}, {"--dealloc", "\"lazy\"", "ignore eager banish"});
    refused({step_log, "--semantics", "real"}, {"--semantics", "\"real\"", "simrd tidepool"});
    refused({step_log, "--json-file", folder.file("no/such/folder")}, {folder.file("no/such/folder")});
}

TEST(Replay, RefusesABadLogNamingFileAndLine)
{
    const scratch_folder folder;
    const std::string start = std::string(empty_log) + "\n";
    expect_refused(replay({folder.file("absent.log")}), {folder.file("absent.log")});
    expect_refused(replay({folder.file("")}), {folder.file(""), "directory"});
    expect_refused(replay({folder.write("nothing.log", "")}), {folder.file("nothing.log") + ":1: "});
    expect_refused(replay({folder.write("unknown.log", start + R"({"INSTRUCTION":"JUMP"})")}),
                   {folder.file("unknown.log") + ":2: ", "JUMP"});
    expect_refused(replay({folder.write("cut.log", start + R"({"INSTRUCTION":"CONST)")}), {folder.file("cut.log") + ":2: "});
    expect_refused(replay({step_log, folder.file("cut.log"), "--json"}), {folder.file("cut.log") + ":2: "});
}

TEST(Replay, LeavesTheJsonFileAloneIfItCannotRun)
{
    const scratch_folder folder;
    const std::string kept = folder.write("kept.jsonl", "kept\n");
    expect_refused(replay({folder.file("absent.log"), "--json-file", kept}), {"absent.log"});
    expect_refused(replay({step_log, "--json-file", kept, "--jobs", "0"}), {"--jobs"});
    EXPECT_EQ(text_of(kept), "kept\n");
    const std::string log = folder.file("step.log");
    std::filesystem::copy_file(step_log, log);
    std::filesystem::create_symlink(log, folder.file("link"));
    for (const std::string& name : {log, folder.file("link"), folder.file(".") + "/step.log"}) {
        expect_refused(replay({log, "--json-file", name}), {"--json-file", name});
        EXPECT_EQ(text_of(log), text_of(step_log)) << "a log is not replaced by its results";
    }
}

/// The simulator brings back what was let go of; the other semantics have forgotten it, and say so.
TEST(Replay, AnswersForEachRunThatFails)
{
    const scratch_folder folder;
    const std::string log = folder.write("late.log", std::string(empty_log) + R"(
{"INSTRUCTION":"CALL","NAME":"make","ARGS":[],"RESULT":["x"],"TIME":"5"}
{"INSTRUCTION":"MEMORY","NAME":"x","MEMORY":"10"}
{"INSTRUCTION":"ALIAS","NAME":"x","ALIAS":"-1"}
{"INSTRUCTION":"RELEASE","NAME":"x"}
{"INSTRUCTION":"CALL","NAME":"use","ARGS":["x"],"RESULT":["y"],"TIME":"5"}
{"INSTRUCTION":"MEMORY","NAME":"y","MEMORY":"10"}
{"INSTRUCTION":"ALIAS","NAME":"y","ALIAS":"-1"}
)");
    const auto passed = replayed({log, "--budget", "20"});
    ASSERT_EQ(passed.size(), 1U);
    EXPECT_EQ(passed[0]["result"], "pass");
    const finished failed = replay({log, "--budget", "20", "--semantics", "tidepool", "--json"});
    EXPECT_EQ(failed.status, 1);
    const auto object = ordered_json::parse(failed.out);
    EXPECT_EQ(object["result"], "failed");
    EXPECT_NE(object["error"].get<std::string>().find("used after its last release"), std::string::npos) << object;
}

TEST(Replay, PrintsATableOrObjectsAndNothingElse)
{
    const scratch_folder folder;
    const std::string file = folder.file("runs.jsonl");
    const std::vector<std::string> job{step_log, "--heuristic", "dtr_eq,lru", "--budget-ratio", "1.0,0.8,0.2"};
    const auto runs = replayed(job);
    ASSERT_EQ(runs.size(), 6U);
    EXPECT_EQ(runs[0]["heuristic"], "dtr_eq");
    EXPECT_EQ(runs[3]["heuristic"], "lru");
    EXPECT_EQ(runs[4]["ratio"], 0.8);
    EXPECT_EQ(runs[0]["log"], step_log);
    EXPECT_EQ(runs[2]["result"], "oom");
    EXPECT_FALSE(runs[2]["error"].empty());

    std::vector<std::string> with_file = job;
    with_file.insert(with_file.end(), {"--json-file", file});
    const finished table = replay(with_file);
    EXPECT_EQ(table.status, 0) << "a run that does not fit is no failure of the program";
    EXPECT_EQ(table.err, "") << "no progress bar in a pipe";
    for (const char* text : {"dtr_eq", "lru", "1.00", "0.20", "oom", "1.001x", "semantics: simrd"}) {
        EXPECT_NE(table.out.find(text), std::string::npos) << text;
    }
    EXPECT_EQ(objects({0, text_of(file), ""}), runs);
}

TEST(Replay, TakesLogsInAnyPlace)
{
    const auto once = replayed({"--log", step_log, "--heuristic", "lru", "--budget-ratio", "0.9"});
    ASSERT_EQ(once.size(), 1U);
    EXPECT_EQ(replayed({step_log, "--heuristic", "lru", "--budget-ratio", "0.9"}), once);
    EXPECT_EQ(replayed({"--heuristic", "lru", step_log, "--budget-ratio", "0.9"}), once);
    EXPECT_EQ(replayed({"--heuristic", "lru", "--budget-ratio", "0.9", step_log}), once);
    const auto twice = replayed({"--heuristic", "lru", "--budget-ratio", "0.9", "--log", step_log, step_log});
    ASSERT_EQ(twice.size(), 2U) << "a log that is named twice is replayed twice";
    EXPECT_EQ(twice[0], once[0]);
    EXPECT_EQ(twice[1], once[0]);
}

TEST(Replay, GivesTheSameOnAnyNumberOfThreads)
{
    const std::vector<std::string> job{step_log, "--heuristic", "all", "--dealloc", "banish", "--semantics", "tidepool", "--seed", "7"};
    auto one = job;
    one.insert(one.end(), {"--jobs", "1"});
    auto two = job;
    two.insert(two.end(), {"--jobs", "2"});
    const auto alone = replayed(one);
    EXPECT_EQ(alone.size(), 220U);
    EXPECT_EQ(alone, replayed(two));
}

TEST(Replay, KnowsTwentyTwoHeuristics)
{
    const auto runs = replayed({step_log, "--heuristic", "all", "--budget-ratio", "0.9"});
    std::set<std::string> names;
    for (const auto& run : runs) {
        names.insert(run.at("heuristic"));
    }
    EXPECT_EQ(runs.size(), 22U);
    EXPECT_EQ(names.size(), 22U);
    EXPECT_EQ(replayed({step_log, "--heuristic", "lru,all,lru", "--budget-ratio", "0.9"}).size(), 22U) << "each once";
    EXPECT_EQ(replayed({step_log, "--budget-ratio", "0.9"}).at(0).at("heuristic"), "dtr_eq") << "the default";
    EXPECT_EQ(replayed({step_log}).size(), 10U) << "the default budgets";
}

TEST(Replay, TakesABudgetAsAPartOfThePeakOrInBytes)
{
    const auto parts = replayed({step_log, "--heuristic", "dtr_eq", "--budget-ratio", "0.9,0.5"});
    ASSERT_EQ(parts.size(), 2U);
    auto bytes =
        replayed({step_log, "--heuristic", "dtr_eq", "--budget", parts[0]["budget"].dump() + "," + parts[1]["budget"].dump() + "B"});
    ASSERT_EQ(bytes.size(), 2U);
    for (const std::size_t i : {0U, 1U}) {
        EXPECT_NEAR(bytes[i]["ratio"].get<double>(), parts[i]["ratio"].get<double>(), 1e-8);
        bytes[i]["ratio"] = parts[i]["ratio"];
        EXPECT_EQ(bytes[i], parts[i]);
    }
    EXPECT_EQ(replayed({step_log, "--budget", "100MiB"}).at(0).at("budget"), 104'857'600);
}

TEST(Replay, RunsTheLinearNetwork)
{
    const auto runs = replayed({"--linear", "100", "--budget-slots", "20,010,0", "--heuristic", "dtr", "--overhead-limit", "11"});
    ASSERT_EQ(runs.size(), 3U);
    EXPECT_EQ(runs[0]["log"], "linear-100");
    EXPECT_EQ(runs[0]["budget"], 20);
    EXPECT_EQ(runs[0]["remat_compute"], 80);
    EXPECT_EQ(runs[1]["budget"], 10) << "a leading zero makes no octal number";
    EXPECT_EQ(runs[2]["result"], "oom");
    EXPECT_EQ(replayed({"--linear", "100", "--budget", "20B", "--heuristic", "dtr", "--overhead-limit", "11"}).at(0), runs[0]);
}

TEST(Replay, ReplaysAProgramThatDoesNothing)
{
    const scratch_folder folder;
    const std::string log = folder.write("empty.log", std::string(empty_log) + "\n");
    for (const char* semantics : {"simrd", "tidepool"}) {
        for (const std::vector<std::string>& budget : {std::vector<std::string>{}, {"--budget", "0,1GiB"}, {"--budget-ratio", "0.5"}}) {
            std::vector<std::string> job{log, "--heuristic", "all", "--semantics", semantics};
            job.insert(job.end(), budget.begin(), budget.end());
            for (const auto& run : replayed(job)) {
                EXPECT_EQ(run.at("result"), "pass");
                EXPECT_TRUE(run.at("overhead").is_null()) << "nothing to compare with";
                EXPECT_TRUE(run.at("ratio").is_number());
            }
            const finished table = replay(job);
            EXPECT_EQ(table.status, 0);
            EXPECT_EQ(table.out.find("nan"), std::string::npos);
            EXPECT_EQ(table.out.find("inf"), std::string::npos);
        }
    }
}

TEST(Replay, EndsWhenNobodyReadsOn)
{
    const finished run = shell("{ " + command(REPLAY_PROGRAM, {step_log, "--heuristic", "all", "--json"}) + "; echo $? >&2; } | head -n 1");
    EXPECT_EQ(lines_of(run.out).size(), 1U);
    EXPECT_TRUE(run.err == "141\n" || run.err == "0\n" || run.err.ends_with("1\n")) << run.err;  // ended by SIGPIPE, as usual
    const finished ignoring =
        shell("trap '' PIPE; { " + command(REPLAY_PROGRAM, {step_log, "--heuristic", "all", "--json"}) + "; echo $? >&2; } | true");
    EXPECT_TRUE(ignoring.err == "0\n" || ignoring.err == "error: the results could not be written\n1\n") << ignoring.err;
}

TEST(Replay, SaysSoIfItsResultsCannotBeWritten)
{
    if (!std::filesystem::exists("/dev/full")) {
        GTEST_SKIP() << "there is no /dev/full to write to";
    }
    for (const std::string& job :
         {command(REPLAY_PROGRAM, {step_log}) + " >/dev/full", command(REPLAY_PROGRAM, {step_log, "--json"}) + " >/dev/full"}) {
        const finished run = shell(job);
        EXPECT_EQ(run.status, 1) << job;
        EXPECT_EQ(run.err, "error: the results could not be written\n");
    }
}

}  // namespace
