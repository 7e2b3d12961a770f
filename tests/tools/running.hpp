#pragma once

// Runs a program as a shell would, and keeps what it says.

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace running {

/// A folder that lives as long as this.
class scratch_folder {
public:
    scratch_folder()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "tidepool-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) {
            throw std::runtime_error("no scratch folder: " + pattern);
        }
        path_ = pattern;
    }
    ~scratch_folder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    scratch_folder(const scratch_folder&) = delete;
    scratch_folder& operator=(const scratch_folder&) = delete;

    [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
    std::string write(const std::string& name, const std::string& text) const
    {
        std::ofstream(path_ / name) << text;
        return file(name);
    }

private:
    std::filesystem::path path_;
};

inline std::string text_of(const std::string& file)
{
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

inline std::vector<std::string> lines_of(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        lines.push_back(line);
    }
    return lines;
}

inline std::string quoted(const std::string& word)
{
    std::string result = "'";
    for (const char c : word) {
        result += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return result + "'";
}

struct finished {
    int status;  ///< what it exited with; 128 + the signal if one ended it
    std::string out;
    std::string err;
};

/// Runs a line of shell.
inline finished shell(const std::string& line)
{
    const scratch_folder folder;
    const int raw =
        std::system(("{ " + line + "\n} >" + quoted(folder.file("out")) + " 2>" + quoted(folder.file("err")) + " </dev/null").c_str());
    return {WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw), text_of(folder.file("out")), text_of(folder.file("err"))};
}

inline std::string command(const std::string& program, const std::vector<std::string>& arguments)
{
    std::string line = quoted(program);
    for (const std::string& argument : arguments) {
        line += " " + quoted(argument);
    }
    return line;
}

/// Nothing on standard output, status 2, and one line on standard error that holds these texts.
inline void expect_refused(const finished& run, const std::vector<std::string>& texts)
{
    EXPECT_EQ(run.status, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(lines_of(run.err).size(), 1U) << run.err;
    EXPECT_TRUE(run.err.starts_with("error: ")) << run.err;
    EXPECT_LT(run.err.size(), 400U) << run.err;
    for (const std::string& text : texts) {
        EXPECT_NE(run.err.find(text), std::string::npos) << "\"" << text << "\" is not in: " << run.err;
    }
}

/// A log of a program that does nothing.
inline constexpr const char* empty_log = R"({"INSTRUCTION":"ANNOTATE","ANNOTATION":"START"})";

}  // namespace running
