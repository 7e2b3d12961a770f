// What a log means: the program of each instruction, and logs whose instructions do not fit together.

#include <tidepool/graph/log_program.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace tp = tidepool;

namespace {

using log = std::vector<tp::log_instruction>;

/// Logs joined end to end.
log joined(std::initializer_list<log> parts)
{
    log all;
    for (const log& part : parts) {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

log constant(const std::string& name, tp::byte_count bytes) { return {tp::log_constant{name}, tp::log_memory{name, bytes}}; }

log call(const std::string& name, std::vector<std::string> arguments, const std::string& result, tp::byte_count bytes,
         std::int32_t alias = tp::log_alias::none)
{
    return {tp::log_call{name, std::move(arguments), {result}, 10}, tp::log_memory{result, bytes}, tp::log_alias{result, alias}};
}

/// A program's events in short: c3 computes operator 3; g, r and p get, release and pin a tensor.
std::string events(const tp::program& program)
{
    std::string text;
    for (const tp::program::event& event : program.events()) {
        text += text.empty() ? "" : " ";
        text += "cgrp"[static_cast<std::size_t>(event.kind)] + std::to_string(event.target);
    }
    return text;
}

const tp::lowering_options unpinned{.pin_outputs = false};

TEST(LogProgram, AConstantIsAnOperatorWithoutInputsThatIsPinned)
{
    const tp::program program = tp::program_from_log(constant("x0", 8));
    EXPECT_EQ(events(program), "c0 p0 p0") << "the second pin: it is still referenced at the end";
    EXPECT_EQ(program.name(tp::operator_id{0}), "constant");
    EXPECT_EQ(program.cost(tp::operator_id{0}), 0);
    EXPECT_TRUE(program.inputs(tp::operator_id{0}).empty());
    EXPECT_EQ(program.outputs(tp::operator_id{0})[0], (tp::output{8}));
}

TEST(LogProgram, ACallHasStoragesAndViews)
{
    const tp::program program = tp::program_from_log(joined({constant("a", 8),
                                                             constant("b", 8),
                                                             {tp::log_call{"split", {"a", "b"}, {"c", "d"}, 33}, tp::log_memory{"c", 4},
                                                              tp::log_alias{"c", -1}, tp::log_memory{"d", 8}, tp::log_alias{"d", 1}}}),
                                                     unpinned);
    const tp::operator_id split{2};
    EXPECT_EQ(program.name(split), "split");
    EXPECT_EQ(program.cost(split), 33);
    EXPECT_EQ(program.inputs(split)[1], tp::tensor_id{1});
    ASSERT_EQ(program.outputs(split).size(), 2U);
    EXPECT_EQ(program.outputs(split)[0], (tp::output{4}));
    EXPECT_EQ(program.outputs(split)[1], (tp::output{0, 1})) << "a view has no bytes of its own";
    EXPECT_EQ(program.first_output(split), tp::tensor_id{2});
}

TEST(LogProgram, ACopyIsOneMoreReferenceAndAReleaseOneFewer)
{
    const log text = joined({call("f", {}, "a", 8), {tp::log_copy{"b", "a"}, tp::log_release{"a"}}});
    EXPECT_EQ(events(tp::program_from_log(text, unpinned)), "c0 g0 r0");
    EXPECT_EQ(events(tp::program_from_log(text)), "c0 g0 r0 p0 p0") << "one pin a name: a is released, but means a referenced tensor";
}

TEST(LogProgram, AMutationIsAFreshStorageUnderTheOldName)
{
    const tp::program program = tp::program_from_log(joined({call("f", {}, "a", 8),
                                                             call("view", {"a"}, "v", 8, 0),
                                                             {tp::log_copy{"old", "a"}},
                                                             {tp::log_mutate{"add_", {"a", "v"}, {1, 0}, 5}},
                                                             call("g", {"a", "v", "old"}, "z", 1)}),
                                                     unpinned);
    EXPECT_EQ(events(program), "c0 c1 g0 c2 r1 r0 c3");
    const tp::operator_id add{2}, after{3};
    EXPECT_EQ(program.cost(add), 5);
    EXPECT_EQ(std::vector(program.inputs(add).begin(), program.inputs(add).end()), (std::vector{tp::tensor_id{0}, tp::tensor_id{1}}));
    EXPECT_EQ(program.outputs(add)[0], (tp::output{8})) << "of a view: the bytes of the whole storage";
    EXPECT_EQ(program.outputs(add)[1], (tp::output{8}));
    EXPECT_EQ(std::vector(program.inputs(after).begin(), program.inputs(after).end()),
              (std::vector{tp::tensor_id{3}, tp::tensor_id{2}, tp::tensor_id{0}}))
        << "other names keep the old version";
}

TEST(LogProgram, MutatingTwiceAtOneIndexReleasesTheFirstNewValue)
{
    EXPECT_EQ(events(tp::program_from_log(joined({call("f", {}, "a", 8), {tp::log_mutate{"g_", {"a"}, {0, 0}, 5}}}))), "c0 c1 r0 r1 p2");
}

TEST(LogProgram, CopyFromReleasesBeforeItGets)
{
    EXPECT_EQ(events(tp::program_from_log(
                  joined({call("f", {}, "a", 8), call("g", {}, "b", 8), {tp::log_copy_from{"a", "b"}, tp::log_release{"b"}}}), unpinned)),
              "c0 c1 r0 g1 r1");
}

TEST(LogProgram, OutputsArePinnedInTheOrderInWhichNamesFirstAppeared)
{
    const log text = joined({call("f", {}, "a", 8), call("g", {}, "b", 8), call("h", {}, "a", 8)});
    EXPECT_EQ(events(tp::program_from_log(text)), "c0 c1 c2 p2 p1") << "a is re-assigned and keeps its place";
}

TEST(LogProgram, APinIsAPin)
{
    EXPECT_EQ(events(tp::program_from_log(joined({call("f", {}, "a", 8), {tp::log_pin{"a"}, tp::log_release{"a"}}}))), "c0 p0 r0");
}

TEST(LogProgram, BeginsAfterTheFirstStart)
{
    const log text = joined({call("before", {"unknown"}, "a", 8),
                             {tp::log_annotate{"START"}},
                             call("f", {}, "b", 8),
                             {tp::log_annotate{"START"}, tp::log_annotate{"BACKWARD"}, tp::log_release{"a"}}});
    const tp::program program = tp::program_from_log(text);
    EXPECT_EQ(events(program), "c0 p0") << "what was before is not even looked at; releasing it is ignored";
    EXPECT_EQ(program.name(tp::operator_id{0}), "f");
}

TEST(LogProgram, OfNothingIsNothing)
{
    EXPECT_EQ(events(tp::program_from_log(log{})), "");
    EXPECT_EQ(events(tp::program_from_log(log{tp::log_annotate{"START"}})), "");
}

struct broken_log {
    const char* what;
    log text;
    std::size_t line;
    const char* found;
    const char* expected;
};

void PrintTo(const broken_log& broken, std::ostream* out) { *out << broken.what; }

class BrokenLog : public testing::TestWithParam<broken_log> {};

TEST_P(BrokenLog, IsNamedWithItsLine)
{
    try {
        (void)tp::program_from_log(GetParam().text, {.file = "b.log"});
        FAIL();
    } catch (const tp::log_error& error) {
        EXPECT_EQ(error.file(), "b.log");
        EXPECT_EQ(error.line(), GetParam().line) << error.what();
        EXPECT_NE(error.found().find(GetParam().found), std::string::npos) << error.what();
        EXPECT_NE(error.expected().find(GetParam().expected), std::string::npos) << error.what();
    }
}

INSTANTIATE_TEST_SUITE_P(
    Each, BrokenLog,
    testing::Values(
        broken_log{"ConstantAtTheEnd", {tp::log_constant{"a"}}, 2, "the end of the log", "the MEMORY of \"a\""},
        broken_log{"ConstantWithoutMemory", {tp::log_constant{"a"}, tp::log_pin{"a"}}, 2, "another instruction", "the MEMORY of \"a\""},
        broken_log{"MemoryOfAnother", {tp::log_constant{"a"}, tp::log_memory{"b", 8}}, 2, "the MEMORY of \"b\"", "the MEMORY of \"a\""},
        broken_log{"CallAtTheEnd", {tp::log_call{"f", {}, {"a"}, 1}}, 2, "the end of the log", "the MEMORY of \"a\""},
        broken_log{
            "CallCutInAPair", {tp::log_call{"f", {}, {"a"}, 1}, tp::log_memory{"a", 8}}, 3, "the end of the log", "the ALIAS of \"a\""},
        broken_log{"CallCutBetweenPairs",
                   {tp::log_call{"f", {}, {"a", "b"}, 1}, tp::log_memory{"a", 8}, tp::log_alias{"a", -1}},
                   4,
                   "the end of the log",
                   "the MEMORY of \"b\""},
        broken_log{"CallInterrupted",
                   {tp::log_call{"f", {}, {"a"}, 1}, tp::log_memory{"a", 8}, tp::log_release{"a"}},
                   3,
                   "another instruction",
                   "the ALIAS of \"a\""},
        broken_log{"CallWithoutResults", {tp::log_call{"f", {}, {}, 1}}, 1, "without results", "one or more"},
        broken_log{"StrayMemory", {tp::log_memory{"a", 8}}, 1, "a MEMORY", "only after"},
        broken_log{"StrayAlias", {tp::log_alias{"a", -1}}, 1, "an ALIAS", "only after"},
        broken_log{"OnePairTooMany", joined({call("f", {}, "a", 8), {tp::log_memory{"b", 8}}}), 4, "a MEMORY", "only after"},
        broken_log{"UndefinedArgument", joined({constant("a", 8), call("f", {"a", "b"}, "c", 8)}), 3, "undefined tensor \"b\"",
                   "since START"},
        broken_log{"DefinedBeforeStart", joined({constant("a", 8), {tp::log_annotate{"START"}}, call("f", {"a"}, "c", 8)}), 4,
                   "undefined tensor \"a\"", "since START"},
        broken_log{"UndefinedInMutate", {tp::log_mutate{"f_", {"a"}, {0}, 1}}, 1, "undefined tensor \"a\"", "since START"},
        broken_log{"UndefinedInCopy", {tp::log_copy{"b", "a"}}, 1, "undefined tensor \"a\"", "since START"},
        broken_log{"UndefinedSource", joined({constant("a", 8), {tp::log_copy_from{"a", "b"}}}), 3, "undefined tensor \"b\"",
                   "since START"},
        broken_log{"UndefinedDestination", joined({constant("a", 8), {tp::log_copy_from{"b", "a"}}}), 3, "undefined tensor \"b\"",
                   "since START"},
        broken_log{"UndefinedInPin", {tp::log_pin{"a"}}, 1, "undefined tensor \"a\"", "since START"},
        broken_log{"AliasOutOfRange", joined({constant("a", 8), call("f", {"a"}, "b", 8, 1)}), 5, "ALIAS 1", "number of arguments, 1"},
        broken_log{"AliasWithoutArguments", call("f", {}, "b", 8, 0), 3, "ALIAS 0", "number of arguments, 0"},
        broken_log{"AliasBelowMinusOne", joined({constant("a", 8), call("f", {"a"}, "b", 8, -2)}), 5, "ALIAS -2", "number of arguments, 1"},
        broken_log{"MutateOutOfRange", joined({constant("a", 8), {tp::log_mutate{"f_", {"a"}, {1}, 1}}}), 3, "MUTATE 1",
                   "number of arguments, 1"},
        broken_log{"MutateBelowZero", joined({constant("a", 8), {tp::log_mutate{"f_", {"a"}, {-1}, 1}}}), 3, "MUTATE -1",
                   "number of arguments"},
        broken_log{"MutateNothing", joined({constant("a", 8), {tp::log_mutate{"f_", {"a"}, {}, 1}}}), 3, "changes nothing", "one index"},
        broken_log{"ReleasedTwice", joined({call("f", {}, "a", 8), {tp::log_release{"a"}, tp::log_release{"a"}}}), 5,
                   "one release too many", "still referenced"},
        broken_log{"NegativeSize", call("f", {}, "a", -8), 1, "negative size", "to 2^62"},
        broken_log{"NegativeTime",
                   {tp::log_call{"f", {}, {"a"}, -1}, tp::log_memory{"a", 8}, tp::log_alias{"a", -1}},
                   1,
                   "negative cost",
                   "to 2^62"},
        broken_log{"SizesThatAddUp", joined({constant("a", INT64_MAX / 2), constant("b", INT64_MAX / 2), constant("c", 2)}), 3,
                   "more than 2^62", "to 2^62"},
        broken_log{"MutationsThatAddUp", joined({constant("a", INT64_MAX / 4), {tp::log_mutate{"f_", {"a"}, {0, 0, 0}, 1}}}), 3,
                   "more than 2^62", "to 2^62"}),
    [](const auto& test) { return std::string(test.param.what); });

TEST(LogProgram, OfAFileNamesTheFile)
{
    try {
        (void)tp::program_from_log(std::filesystem::path("no/such.log"), {.file = "another"});
        FAIL();
    } catch (const tp::log_error& error) {
        EXPECT_EQ(error.file(), "no/such.log");
    }
    const tp::program program = tp::program_from_log(std::filesystem::path(TIDEPOOL_TEST_DATA "/resnet32_training_step.log"));
    EXPECT_GT(program.operator_count(), 500U);
}

TEST(LogProgram, CostsOneStepANameAndNotItsSquare)
{
    log text = constant("x0", 1);
    for (int i = 1; i < 200'000; ++i) {
        text.push_back(tp::log_copy{"x" + std::to_string(i), "x0"});
    }
    EXPECT_EQ(tp::program_from_log(text).events().size(), 2U + 199'999 + 200'000);
}

}  // namespace
