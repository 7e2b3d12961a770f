// Reading logs: every instruction, and one clear error for each way in which a log can be broken.

#include <tidepool/graph/log_reader.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <istream>
#include <memory>
#include <random>
#include <sstream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <type_traits>
#include <vector>

namespace tp = tidepool;

namespace {

std::vector<tp::log_instruction> read(const std::string& text)
{
    std::istringstream in(text);
    return tp::read_log(in, "a.log");
}

TEST(LogReader, ReadsEveryInstruction)
{
    const auto log = read(R"({"INSTRUCTION":"CONSTANT","NAME":"x0"})"
                          "\n"
                          R"({"INSTRUCTION":"MEMORY","MEMORY":"9223372036854775807","NAME":"x0"})"
                          "\n"
                          R"({"ALIAS":"-1","INSTRUCTION":"ALIAS","NAME":"x0"})"
                          "\n"
                          R"({"ARGS":["x0","x1"],"INSTRUCTION":"CALL","NAME":"f","RESULT":["x2"],"TIME":"5"})"
                          "\n"
                          R"({"ARGS":[],"INSTRUCTION":"CALL","NAME":"g","RESULT":[],"TIME":"0"})"
                          "\n"
                          R"({"ARGS":["x2","x0"],"INSTRUCTION":"MUTATE","MUTATE":[1,0],"NAME":"h_","TIME":"7"})"
                          "\n"
                          R"({"DST":"x3","INSTRUCTION":"COPY","SRC":"x2"})"
                          "\n"
                          R"({"DST":"x4","INSTRUCTION":"COPY_FROM","SRC":"x3"})"
                          "\n"
                          R"({"INSTRUCTION":"RELEASE","NAME":"x3"})"
                          "\n"
                          R"({"INSTRUCTION":"PIN","NAME":"x2"})"
                          "\n"
                          R"({"ANNOTATION":"BACKWARD","INSTRUCTION":"ANNOTATE"})"
                          "\n");
    const std::vector<tp::log_instruction> expected{
        tp::log_constant{"x0"},
        tp::log_memory{"x0", INT64_MAX},
        tp::log_alias{"x0", tp::log_alias::none},
        tp::log_call{"f", {"x0", "x1"}, {"x2"}, 5},
        tp::log_call{"g", {}, {}, 0},
        tp::log_mutate{"h_", {"x2", "x0"}, {1, 0}, 7},
        tp::log_copy{"x3", "x2"},
        tp::log_copy_from{"x4", "x3"},
        tp::log_release{"x3"},
        tp::log_pin{"x2"},
        tp::log_annotate{"BACKWARD"},
    };
    EXPECT_EQ(log, expected);
}

TEST(LogReader, AcceptsOtherSpellingsOfTheSameJson)
{
    const std::vector<tp::log_instruction> expected{tp::log_memory{"a\"\\b\n\xc3\xa9", 12}};
    EXPECT_EQ(read("{\"NAME\" : \"a\\\"\\\\b\\n\\u00e9\",\t\"MEMORY\":12, \"INSTRUCTION\":\"MEMORY\"} "), expected)
        << "spaces, escapes, order, integers";
    EXPECT_EQ(read("{\"INSTRUCTION\":\"MEMORY\",\"MEMORY\":\"12\",\"NAME\":\"a\\\"\\\\b\\n\xc3\xa9\"}"), expected)
        << "UTF-8, no line feed at the end";

    const std::vector<tp::log_instruction> numbers{tp::log_mutate{"f", {"x"}, {0}, 3}, tp::log_alias{"x", -1}};
    EXPECT_EQ(read("{\"ARGS\":[\"x\"],\"INSTRUCTION\":\"MUTATE\",\"MUTATE\":[\"0\"],\"NAME\":\"f\",\"TIME\":3}\n"
                   "{\"ALIAS\":-1,\"INSTRUCTION\":\"ALIAS\",\"NAME\":\"x\"}\n"),
              numbers);
}

TEST(LogReader, GivesInstructionsOneByOne)
{
    std::istringstream in("{\"INSTRUCTION\":\"PIN\",\"NAME\":\"x0\"}\n{\"INSTRUCTION\":\"PIN\",\"NAME\":\"x1\"}\n");
    tp::log_reader reader(in);
    EXPECT_EQ(reader.next(), tp::log_instruction(tp::log_pin{"x0"}));
    EXPECT_EQ(reader.next(), tp::log_instruction(tp::log_pin{"x1"}));
    EXPECT_EQ(reader.next(), std::nullopt);
    EXPECT_EQ(reader.next(), std::nullopt);
}

struct broken_line {
    const char* what;
    std::string line;
    const char* found;     ///< a part of it
    const char* expected;  ///< a part of it
};

void PrintTo(const broken_line& broken, std::ostream* out) { *out << broken.what; }

class BrokenLine : public testing::TestWithParam<broken_line> {};

// Each is put behind a good line, and before another: the error names line 2 and nothing after it is read.
TEST_P(BrokenLine, IsNamed)
{
    const std::string good = "{\"INSTRUCTION\":\"PIN\",\"NAME\":\"x0\"}\n";
    try {
        read(good + GetParam().line + "\n" + good);
        FAIL() << "accepted: " << GetParam().line.substr(0, 200);
    } catch (const tp::log_error& error) {
        EXPECT_EQ(error.file(), "a.log");
        EXPECT_EQ(error.line(), 2U);
        EXPECT_NE(error.found().find(GetParam().found), std::string::npos) << error.what();
        EXPECT_NE(error.expected().find(GetParam().expected), std::string::npos) << error.what();
        const std::string what = error.what();
        EXPECT_EQ(what, "a.log:2: found " + error.found() + ", expected " + error.expected());
        EXPECT_EQ(what.find('\n'), std::string::npos);
        EXPECT_LT(what.size(), 400U);
    }
}

std::string memory_of(const std::string& number) { return R"({"INSTRUCTION":"MEMORY","MEMORY":)" + number + R"(,"NAME":"x0"})"; }

INSTANTIATE_TEST_SUITE_P(
    Each, BrokenLine,
    testing::Values(
        broken_line{"CutInTheMiddle", R"({"INSTRUCTION":"RELEASE","NA)", "cut in the middle", "rest of a JSON object"},
        broken_line{"CutAfterAValue", R"({"INSTRUCTION":"RELEASE")", "cut in the middle", "rest of a JSON object"},
        broken_line{"EmptyLine", "", "an empty line", "an instruction"},
        broken_line{"OnlySpaces", "   ", "cut in the middle", "JSON object"},
        broken_line{"CarriageReturn", "{\"INSTRUCTION\":\"PIN\",\"NAME\":\"x0\"}\r", "carriage return", "line feed"},
        broken_line{"NulByte", std::string("{\"INSTRUCTION\":\"PIN\",\"NAME\":\"x0\"}\0", 35), "NUL", "JSON text"},
        broken_line{"NulInAName", std::string("{\"INSTRUCTION\":\"PIN\",\"NAME\":\"x\0y\"}", 35), "NUL", "JSON text"},
        broken_line{"NotJson", "release x0", "no JSON at byte 1", "one JSON object"},
        broken_line{"BadUtf8", "{\"INSTRUCTION\":\"PIN\",\"NAME\":\"\xff\"}", "no JSON at byte", "one JSON object"},
        broken_line{"ControlCharacter", "{\"INSTRUCTION\":\"PIN\",\"NAME\":\"\x01\"}", "no JSON at byte", "one JSON object"},
        broken_line{"TwoObjects", R"({"INSTRUCTION":"PIN","NAME":"x0"}{})", "no JSON at byte", "one JSON object"},
        broken_line{"AnArray", R"(["PIN"])", "a list", "a JSON object"}, broken_line{"AString", R"("PIN")", "a string", "a JSON object"},
        broken_line{"ANumber", "17", "a number", "a JSON object"}, broken_line{"Null", "null", "null", "a JSON object"},
        broken_line{"EmptyObject", "{}", "a line without INSTRUCTION", "that field"},
        broken_line{"DeepLists", std::string(1'000'000, '['), "a list", "a JSON object"},
        broken_line{"DeepListsInside", R"({"ARGS":)" + std::string(1'000'000, '['), "a list", "flat list"},
        broken_line{"DeepObjects",
                    [] {
                        std::string deep;
                        for (int i = 0; i < 200'000; ++i) {
                            deep += "{\"ARGS\":";
                        }
                        return deep;
                    }(),
                    "an object inside", "flat list"},
        broken_line{"DuplicateKey", R"({"INSTRUCTION":"PIN","NAME":"x0","NAME":"x1"})", "a second field \"NAME\"", "each field once"},
        broken_line{"UnknownField", R"({"INSTRUCTION":"PIN","NAME":"x0","COLOUR":"red"})", "a field \"COLOUR\"", "a field of"},
        broken_line{"FieldOfAnother", R"({"INSTRUCTION":"PIN","NAME":"x0","TIME":"1"})", "a PIN with TIME", "no such field"},
        broken_line{"UnknownInstruction", R"({"INSTRUCTION":"FREE","NAME":"x0"})", "an instruction \"FREE\"", "CONSTANT, MEMORY"},
        broken_line{"InstructionIsANumber", R"({"INSTRUCTION":3,"NAME":"x0"})", "the number \"3\" as INSTRUCTION", "a string"},
        broken_line{"MissingField", R"({"INSTRUCTION":"COPY","DST":"x1"})", "a COPY without SRC", "that field"},
        broken_line{"NameIsANumber", R"({"INSTRUCTION":"PIN","NAME":0})", "the number \"0\" as NAME", "a string"},
        broken_line{"NameIsNull", R"({"INSTRUCTION":"PIN","NAME":null})", "null", "a string"},
        broken_line{"NameIsAList", R"({"INSTRUCTION":"PIN","NAME":["x0"]})", "a list as NAME", "a string"},
        broken_line{"ArgsIsAString", R"({"ARGS":"x0","INSTRUCTION":"CALL","NAME":"f","RESULT":["x1"],"TIME":"1"})",
                    "the string \"x0\" as ARGS", "a list"},
        broken_line{"ArgsOfNumbers", R"({"ARGS":[0],"INSTRUCTION":"CALL","NAME":"f","RESULT":["x1"],"TIME":"1"})",
                    "the number \"0\" as ARGS", "a string"},
        broken_line{"IndexIsAName", R"({"ARGS":["x0"],"INSTRUCTION":"MUTATE","MUTATE":["x0"],"NAME":"f","TIME":"1"})", "MUTATE \"x0\"",
                    "a decimal"},
        broken_line{"NegativeIndex", R"({"ARGS":["x0"],"INSTRUCTION":"MUTATE","MUTATE":[-1],"NAME":"f","TIME":"1"})", "MUTATE \"-1\"",
                    "from 0 to"},
        broken_line{"NegativeTime", R"({"ARGS":[],"INSTRUCTION":"CALL","NAME":"f","RESULT":["x1"],"TIME":"-1"})", "TIME \"-1\"",
                    "from 0 to"},
        broken_line{"OverflowingTime", R"({"ARGS":[],"INSTRUCTION":"CALL","NAME":"f","RESULT":["x1"],"TIME":"9223372036854775808"})",
                    "TIME \"9223372036854775808\"", "to 9223372036854775807"},
        broken_line{"AliasBelowMinusOne", R"({"ALIAS":"-2","INSTRUCTION":"ALIAS","NAME":"x0"})", "ALIAS \"-2\"", "from -1 to"},
        broken_line{"OverflowingAlias", R"({"ALIAS":"2147483648","INSTRUCTION":"ALIAS","NAME":"x0"})", "ALIAS \"2147483648\"",
                    "to 2147483647"},
        broken_line{"NegativeSize", memory_of("\"-8\""), "MEMORY \"-8\"", "from 0 to"},
        broken_line{"NegativeInteger", memory_of("-8"), "MEMORY \"-8\"", "from 0 to"},
        broken_line{"OverflowingSize", memory_of("\"9223372036854775808\""), "MEMORY \"9223372036854775808\"", "to 9223372036854775807"},
        broken_line{"OverflowingInteger", memory_of("99999999999999999999"), "MEMORY \"99999999999999999999\"", "from 0 to"},
        broken_line{"LongNumber", memory_of('"' + std::string(100'000, '9') + '"'), "MEMORY \"999", "from 0 to"},
        broken_line{"Fraction", memory_of("1.5"), "MEMORY \"1.5\"", "a decimal number"},
        broken_line{"Exponent", memory_of("\"1e3\""), "MEMORY \"1e3\"", "a decimal number"},
        broken_line{"Hexadecimal", memory_of("\"0x10\""), "MEMORY \"0x10\"", "a decimal number"},
        broken_line{"PlusSign", memory_of("\"+1\""), "MEMORY \"+1\"", "a decimal number"},
        broken_line{"SpaceInANumber", memory_of("\" 1\""), "MEMORY \" 1\"", "a decimal number"},
        broken_line{"EmptyNumber", memory_of("\"\""), "MEMORY \"\"", "a decimal number"},
        broken_line{"NumberIsAList", memory_of("[1]"), "a list as MEMORY", "a decimal number"},
        broken_line{"NumberIsTrue", memory_of("true"), "true", "a string, an integer"}),
    [](const auto& test) { return std::string(test.param.what); });

std::string error_of(const std::filesystem::path& file)
{
    try {
        (void)tp::read_log(file);
    } catch (const tp::log_error& error) {
        return error.what();
    }
    return "no error";
}

TEST(LogReader, NamesAFileThatIsNone)
{
    EXPECT_EQ(error_of("no/such.log"), "no/such.log: found no file that can be opened, expected a log file");
    EXPECT_EQ(error_of("."), ".: found a directory, expected a log file");
}

TEST(LogReader, NamesAnEmptyLog)
{
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("empty." + std::to_string(std::random_device()()) + ".log");
    std::ofstream(file).close();
    EXPECT_EQ(error_of(file), file.string() + ":1: found the end of an empty log, expected an instruction");
    std::filesystem::remove(file);
}

/// 'x' for ever, and how many of them were asked for.
class endless_line : public std::streambuf {
public:
    std::size_t given = 0;

private:
    int_type underflow() override
    {
        given += sizeof(chunk_);
        setg(chunk_, chunk_, chunk_ + sizeof(chunk_));
        return traits_type::to_int_type('x');
    }

    char chunk_[4096] = {};
};

TEST(LogReader, RefusesALineWithoutEndBeforeItsEnd)
{
    endless_line endless;
    std::istream in(&endless);
    tp::log_reader reader(in, "long.log");
    try {
        (void)reader.next();
        FAIL();
    } catch (const tp::log_error& error) {
        EXPECT_EQ(error.line(), 1U);
        EXPECT_EQ(error.found(), "a line of more than 16777216 bytes");
    }
    EXPECT_LT(endless.given, 2 * tp::log_reader::longest_line);
}

TEST(LogReader, RefusesALineOf100MB)
{
    const std::string good = "{\"INSTRUCTION\":\"PIN\",\"NAME\":\"x0\"}\n";
    try {
        read(good + "{\"INSTRUCTION\":\"PIN\",\"NAME\":\"" + std::string(100'000'000, 'x') + "\"}\n");
        FAIL();
    } catch (const tp::log_error& error) {
        EXPECT_EQ(std::string(error.what()), "a.log:2: found a line of more than 16777216 bytes, expected one instruction");
    }
}

TEST(LogReader, ReadsTheLongestLine)
{
    const std::string frame = R"({"INSTRUCTION":"PIN","NAME":""})";
    const std::string name(tp::log_reader::longest_line - frame.size(), 'x');
    const std::string line = R"({"INSTRUCTION":"PIN","NAME":")" + name + "\"}";
    EXPECT_EQ(read(line + "\n" + line), (std::vector<tp::log_instruction>{tp::log_pin{name}, tp::log_pin{name}}));
    EXPECT_THROW(read(" " + line), tp::log_error);
}

/// A stream that breaks off with an exception from its device.
class failing_device : public std::streambuf {
    int_type underflow() override { throw std::runtime_error("unplugged"); }
};

TEST(LogReader, NamesAStreamThatCannotBeRead)
{
    failing_device device;
    std::istream in(&device);
    try {
        (void)tp::read_log(in, "device");
        FAIL();
    } catch (const tp::log_error& error) {
        EXPECT_EQ(error.found(), "a stream that cannot be read");
    }
}

TEST(LogError, IsACheapCopyWithATextThatLasts)
{
    std::unique_ptr<tp::log_error> original = std::make_unique<tp::log_error>("f", 3, "a", "b");
    const tp::log_error copy = *original;
    original.reset();
    EXPECT_STREQ(copy.what(), "f:3: found a, expected b");
    static_assert(std::is_nothrow_copy_constructible_v<tp::log_error>);
    static_assert(std::is_base_of_v<tp::error, tp::log_error>);
}

}  // namespace
