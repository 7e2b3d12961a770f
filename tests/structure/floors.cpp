// Includes go downwards only: a header may include its own folder and lower floors, never upwards, never in a circle.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// The folders of include/tidepool by floor. The headers beside them (the umbrella) stand above all.
const std::map<std::string, int, std::less<>> floors{
    {"core", 1}, {"memory", 2}, {"graph", 3}, {"policy", 4}, {"decision", 5}, {"runtime", 6}, {"plan", 7}, {"interop", 8}, {"tools", 9}, {"", 10},
};

struct include_line {
    int number;
    std::string file;  ///< as written
    bool quoted;
};

/// What stands between the quotes or angle brackets of an include directive; nothing for any other line.
std::optional<include_line> parse_include(std::string_view line, int number)
{
    const auto skip_blanks = [&] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
    skip_blanks();
    if (!line.starts_with('#')) {
        return std::nullopt;
    }
    line.remove_prefix(1);
    skip_blanks();
    if (!line.starts_with("include")) {
        return std::nullopt;
    }
    line.remove_prefix(7);
    skip_blanks();
    if (line.empty() || (line.front() != '"' && line.front() != '<')) {
        return std::nullopt;
    }
    const char closing = line.front() == '"' ? '"' : '>';
    line.remove_prefix(1);
    return include_line{number, std::string(line.substr(0, line.find(closing))), closing == '"'};
}

std::string folder_of(const fs::path& header) { return header.has_parent_path() ? header.begin()->string() : std::string(); }

/// Reports a circle once, as the chain of its headers.
class circle_finder {
public:
    explicit circle_finder(const std::map<std::string, std::vector<std::string>>& includes) : includes_(includes) {}

    std::vector<std::string> run()
    {
        for (const auto& [header, unused] : includes_) {
            visit(header);
        }
        return std::move(circles_);
    }

private:
    void visit(const std::string& header)
    {
        if (const auto open = std::find(path_.begin(), path_.end(), header); open != path_.end()) {
            std::string chain;
            std::for_each(open, path_.end(), [&](const std::string& step) { chain += step + " -> "; });
            circles_.push_back("a circle of includes: " + chain + header);
            return;
        }
        if (std::find(done_.begin(), done_.end(), header) != done_.end()) {
            return;
        }
        path_.push_back(header);
        if (const auto found = includes_.find(header); found != includes_.end()) {
            std::for_each(found->second.begin(), found->second.end(), [&](const std::string& next) { visit(next); });
        }
        path_.pop_back();
        done_.push_back(header);
    }

    const std::map<std::string, std::vector<std::string>>& includes_;
    std::vector<std::string> path_;
    std::vector<std::string> done_;
    std::vector<std::string> circles_;
};

/// Everything that is wrong with the includes below `include_folder`/tidepool, one line each: file, line, what and why.
std::vector<std::string> violations(const fs::path& include_folder)
{
    const fs::path root = include_folder / "tidepool";
    std::vector<std::string> wrong;
    std::map<std::string, std::vector<std::string>> includes;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        if (entry.path().extension() != ".hpp") {
            continue;
        }
        const fs::path header = entry.path().lexically_relative(root);
        const std::string folder = folder_of(header);
        const auto floor = floors.find(folder);
        if (floor == floors.end()) {
            wrong.push_back(entry.path().string() + ": the folder " + folder + "/ has no floor");
            continue;
        }
        std::ifstream text(entry.path());
        int number = 0;
        for (std::string line; std::getline(text, line);) {
            const auto found = parse_include(line, ++number);
            if (!found || (!found->quoted && !found->file.starts_with("tidepool/"))) {
                continue;
            }
            const std::string place = entry.path().string() + ":" + std::to_string(number) + ": ";
            const fs::path beside = (entry.path().parent_path() / found->file).lexically_normal();
            const fs::path target = found->quoted && fs::exists(beside) ? beside : (include_folder / found->file).lexically_normal();
            const fs::path included = target.lexically_relative(root);
            if (!fs::exists(target) || included.empty() || *included.begin() == "..") {
                wrong.push_back(place + found->file + " is no header of this library");
                continue;
            }
            includes[header.string()].push_back(included.string());
            const auto below = floors.find(folder_of(included));
            if (below != floors.end() && below->second > floor->second) {
                wrong.push_back(place + folder + "/ (floor " + std::to_string(floor->second) + ") includes " + included.string() +
                                " (floor " + std::to_string(below->second) + "): includes go downwards only");
            }
        }
    }
    std::ranges::move(circle_finder(includes).run(), std::back_inserter(wrong));
    return wrong;
}

std::string joined(const std::vector<std::string>& lines)
{
    std::string text;
    std::for_each(lines.begin(), lines.end(), [&](const std::string& line) { text += line + "\n"; });
    return text;
}

TEST(Floors, IncludesGoDownwardsAndNeverInACircle)
{
    const auto wrong = violations(TIDEPOOL_INCLUDE_FOLDER);
    EXPECT_TRUE(wrong.empty()) << joined(wrong);
}

/// A small library on disk, to see that the check above is not blind.
class PlantedViolation : public testing::Test {
protected:
    PlantedViolation()
    {
        const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
        folder = fs::path(testing::TempDir()) / (std::string("tidepool_floors_") + test->name());
        fs::remove_all(folder);
    }
    ~PlantedViolation() override { fs::remove_all(folder); }
    PlantedViolation(const PlantedViolation&) = delete;
    PlantedViolation& operator=(const PlantedViolation&) = delete;

    void write(const fs::path& header, std::string_view text) const
    {
        const fs::path path = folder / "tidepool" / header;
        fs::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }

    fs::path folder;
};

TEST_F(PlantedViolation, DownwardsIsFine)
{
    write("core/units.hpp", "#include <vector>\n");
    write("graph/report/counters.hpp", "#include \"../ids.hpp\"\n#include <tidepool/core/units.hpp>\n");
    write("graph/ids.hpp", "#include \"../core/units.hpp\"\n");
    write("tidepool.hpp", "#include \"graph/report/counters.hpp\"\n");
    EXPECT_EQ(joined(violations(folder)), "");
}

TEST_F(PlantedViolation, UpwardsIsFoundWithFileAndLine)
{
    write("core/units.hpp", "#pragma once\n\n  #  include \"../policy/terms.hpp\"  // why not\n");
    write("policy/terms.hpp", "// #include \"../decision/core.hpp\"\n");
    const auto wrong = violations(folder);
    ASSERT_EQ(wrong.size(), 1u) << joined(wrong);
    EXPECT_TRUE(wrong.front().ends_with(
        "tidepool/core/units.hpp:3: core/ (floor 1) includes policy/terms.hpp (floor 4): includes go downwards only"))
        << wrong.front();
}

TEST_F(PlantedViolation, TheUmbrellaIsAboveAll)
{
    write("tidepool.hpp", "");
    write("interop/pmr.hpp", "#include <tidepool/tidepool.hpp>\n");
    EXPECT_EQ(violations(folder).size(), 1u);
}

TEST_F(PlantedViolation, ACircleIsFound)
{
    write("core/a.hpp", "#include \"b.hpp\"\n");
    write("core/b.hpp", "#include \"c.hpp\"\n");
    write("core/c.hpp", "#include \"a.hpp\"\n");
    const auto wrong = violations(folder);
    ASSERT_EQ(wrong.size(), 1u) << joined(wrong);
    EXPECT_EQ(wrong.front(), "a circle of includes: core/a.hpp -> core/b.hpp -> core/c.hpp -> core/a.hpp");
}

TEST_F(PlantedViolation, AFolderWithoutAFloorAndAMissingHeaderAreFound)
{
    write("helpers/a.hpp", "");
    write("core/a.hpp", "#include \"missing.hpp\"\n");
    write("core/b.hpp", "#include \"../../outside.hpp\"\n");
    EXPECT_EQ(violations(folder).size(), 3u) << joined(violations(folder));
}

}  // namespace
