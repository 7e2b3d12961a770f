// The logs of eight real models: read, written back and lowered as the authors' simulator does it.

#include <tidepool/graph/log_program.hpp>
#include <tidepool/graph/log_reader.hpp>
#include <tidepool/graph/log_writer.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace tp = tidepool;
namespace fs = std::filesystem;

namespace {

const fs::path reference_data = TIDEPOOL_REFERENCE_DATA;

std::vector<nlohmann::json> baselines()
{
    std::vector<nlohmann::json> lines;
    std::ifstream in(reference_data / "golden" / "baselines.jsonl");
    for (std::string line; std::getline(in, line);) {
        lines.push_back(nlohmann::json::parse(line));
    }
    EXPECT_EQ(lines.size(), 8U);
    return lines;
}

std::map<std::string, std::size_t> counts(const tp::program& program)
{
    std::map<std::string, std::size_t> count{
        {"operators", program.operator_count()}, {"tensors", program.tensor_count()}, {"schedule", program.events().size()}};
    for (const tp::program::event& event : program.events()) {
        constexpr const char* kinds[]{"computes", "gets", "releases", "pins"};
        ++count[kinds[static_cast<std::size_t>(event.kind)]];
    }
    for (std::uint32_t i = 0; i < program.operator_count(); ++i) {
        const tp::operator_id op{i};
        count["constant_operators"] += program.name(op) == "constant" ? 1 : 0;
        count["constants"] += program.name(op) == "constant" ? static_cast<std::size_t>(program.outputs(op)[0].bytes) : 0;
        count["compute"] += static_cast<std::size_t>(program.cost(op));
        count["edges"] += program.inputs(op).size();
    }
    return count;
}

TEST(ReferenceLogs, LowerAsInTheAuthorsSimulator)
{
    if (reference_data.empty()) {
        GTEST_SKIP() << "TIDEPOOL_REFERENCE_DATA is empty: no reference logs to compare with";
    }
    for (const nlohmann::json& baseline : baselines()) {
        SCOPED_TRACE(baseline["log"]);
        const fs::path file = reference_data / "dtr-logs" / baseline["file"].get<std::string>();
        for (const auto& [name, count] : counts(tp::program_from_log(file))) {
            EXPECT_EQ(count, baseline[name].get<std::size_t>()) << name;
        }
    }
}

TEST(ReferenceLogs, AreWrittenBackAsTheyWere)
{
    if (reference_data.empty()) {
        GTEST_SKIP() << "TIDEPOOL_REFERENCE_DATA is empty: no reference logs to read";
    }
    for (const nlohmann::json& baseline : baselines()) {
        SCOPED_TRACE(baseline["log"]);
        std::ifstream in(reference_data / "dtr-logs" / baseline["file"].get<std::string>(), std::ios::binary);
        const std::string original{std::istreambuf_iterator<char>(in), {}};
        std::istringstream text(original);
        std::ostringstream written;
        tp::write_log(written, tp::read_log(text));
        EXPECT_TRUE(written.str() == original);
    }
}

}  // namespace
