// Writing logs: the exact form, round trips, and files that are whole or untouched.

#include "random_log.hpp"

#include <tidepool/graph/log_reader.hpp>
#include <tidepool/graph/log_writer.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

namespace tp = tidepool;
namespace fs = std::filesystem;

namespace {

std::string written(const std::vector<tp::log_instruction>& log)
{
    std::ostringstream out;
    tp::write_log(out, log);
    return out.str();
}

TEST(LogWriter, WritesTheFormOfTheAuthorsLogs)
{
    EXPECT_EQ(written({tp::log_annotate{"START"}, tp::log_constant{"x0"}, tp::log_memory{"x0", 8}, tp::log_alias{"x0", -1},
                       tp::log_call{"f", {"x0", "x1"}, {"x2"}, 5}, tp::log_mutate{"g_", {"x2", "x0"}, {1, 0}, 7}, tp::log_copy{"x3", "x2"},
                       tp::log_copy_from{"x4", "x3"}, tp::log_release{"x3"}, tp::log_pin{"x2"}}),
              R"({"ANNOTATION":"START","INSTRUCTION":"ANNOTATE"})"
              "\n"
              R"({"INSTRUCTION":"CONSTANT","NAME":"x0"})"
              "\n"
              R"({"INSTRUCTION":"MEMORY","MEMORY":"8","NAME":"x0"})"
              "\n"
              R"({"ALIAS":"-1","INSTRUCTION":"ALIAS","NAME":"x0"})"
              "\n"
              R"({"ARGS":["x0","x1"],"INSTRUCTION":"CALL","NAME":"f","RESULT":["x2"],"TIME":"5"})"
              "\n"
              R"({"ARGS":["x2","x0"],"INSTRUCTION":"MUTATE","MUTATE":[1,0],"NAME":"g_","TIME":"7"})"
              "\n"
              R"({"DST":"x3","INSTRUCTION":"COPY","SRC":"x2"})"
              "\n"
              R"({"DST":"x4","INSTRUCTION":"COPY_FROM","SRC":"x3"})"
              "\n"
              R"({"INSTRUCTION":"RELEASE","NAME":"x3"})"
              "\n"
              R"({"INSTRUCTION":"PIN","NAME":"x2"})"
              "\n");
}

TEST(LogWriter, EscapesNames)
{
    EXPECT_EQ(written({tp::log_pin{std::string("\"\\\n\0", 4)}}), "{\"INSTRUCTION\":\"PIN\",\"NAME\":\"\\\"\\\\\\n\\u0000\"}\n");
}

RC_GTEST_PROP(LogWriter, WhatIsWrittenReadsBackEqual, ())
{
    const auto log = *rc::gen::nonEmpty(rc::gen::container<std::vector<tp::log_instruction>>(testing_logs::any_instruction()));
    std::stringstream text(written(log));
    RC_ASSERT(tp::read_log(text) == log);
}

TEST(LogWriter, RefusesANameThatJsonCannotHold)
{
    std::ostringstream out;
    tp::log_writer writer(out);
    writer.write(tp::log_pin{"x0"});
    try {
        writer.write(tp::log_copy{"x1", "\xff"});
        FAIL();
    } catch (const tp::log_error& error) {
        EXPECT_EQ(error.found(), "the name \"\\xff\"");
        EXPECT_EQ(error.expected(), "UTF-8");
    }
    EXPECT_EQ(out.str(), "{\"INSTRUCTION\":\"PIN\",\"NAME\":\"x0\"}\n") << "nothing of the refused instruction was written";
}

TEST(LogWriter, NamesAStreamThatFails)
{
    std::ostringstream out;
    out.setstate(std::ios::badbit);
    EXPECT_THROW(tp::log_writer(out).write(tp::log_pin{"x0"}), tp::log_error);
}

/// A directory of its own for each test.
class LogFile : public testing::Test {
protected:
    LogFile() { fs::create_directory(folder); }
    ~LogFile() override
    {
        std::error_code ignored;
        fs::remove_all(folder, ignored);
    }

    static std::string content(const fs::path& file)
    {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    [[nodiscard]] std::size_t files() const
    {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
    }

    fs::path folder = fs::temp_directory_path() / ("tidepool_log_file." + std::to_string(std::random_device()()));
    fs::path file = folder / "a.log";
};

TEST_F(LogFile, IsReplaced)
{
    const std::vector<tp::log_instruction> log(5000, tp::log_pin{"a name of some length"});
    std::ofstream(file) << "old";
    tp::write_log(file, log);
    EXPECT_EQ(content(file), written(log));
    EXPECT_EQ(tp::read_log(file), log);
    EXPECT_EQ(files(), 1U);
}

TEST_F(LogFile, StaysAsItWasWhenWritingFails)
{
    std::ofstream(file) << "old";
    std::vector<tp::log_instruction> log(5000, tp::log_pin{"a name of some length"});
    log.push_back(tp::log_pin{"\xff"});
    EXPECT_THROW(tp::write_log(file, log), tp::log_error);
    EXPECT_EQ(content(file), "old");
    EXPECT_EQ(files(), 1U) << "nothing is left beside it";
}

TEST_F(LogFile, NeedsAFolderAndAFile)
{
    EXPECT_THROW(tp::write_log(folder / "none" / "a.log", {}), tp::log_error);
    EXPECT_THROW(tp::write_log(folder, {}), tp::log_error);
    EXPECT_EQ(files(), 0U);
}

}  // namespace
