// The log that ships with the library is the one that its example records, byte for byte.

#include "../../examples/record_training_step/resnet32.hpp"

#include <tidepool/graph/log_program.hpp>
#include <tidepool/graph/log_writer.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace tp = tidepool;

namespace {

TEST(TrainingStep, IsTheLogInTheRepository)
{
    std::ostringstream recorded;
    tp::write_log(recorded, training::resnet32::record_step());
    std::ifstream in(TIDEPOOL_TEST_DATA "/resnet32_training_step.log", std::ios::binary);
    const std::string shipped{std::istreambuf_iterator<char>(in), {}};
    EXPECT_TRUE(recorded.str() == shipped) << "record it again: example_record_training_step tests/data/resnet32_training_step.log";
}

TEST(TrainingStep, HasTheOperatorsOfResNet32)
{
    const tp::program program = tp::program_from_log(training::resnet32::record_step());
    std::map<std::string, int, std::less<>> count;
    for (std::uint32_t i = 0; i < program.operator_count(); ++i) {
        ++count[std::string(program.name(tp::operator_id{i}))];
    }
    EXPECT_EQ(count["cudnn_convolution"], 31) << "and one linear layer make 32";
    EXPECT_EQ(count["addmm"], 1);
    EXPECT_EQ(count["cudnn_convolution_backward"], 30);
    EXPECT_EQ(count["cudnn_convolution_backward_weight"], 1) << "the images need no gradient";
    EXPECT_EQ(count["cudnn_batch_norm"], 31);
    EXPECT_EQ(count["cudnn_batch_norm_backward"], 31);
    EXPECT_EQ(count["relu_"], 31);
    EXPECT_EQ(count["threshold_backward"], 31);
    EXPECT_EQ(count["constant_pad_nd"], 2) << "two changes of resolution";
    EXPECT_EQ(count["add_"], 15 + 31 + 2 * 31 + 2) << "shortcuts, and an update for each parameter";
    EXPECT_EQ(count["constant"], 31 + 4 * 31 + 2 + 2) << "weights, norms, the linear layer, images and labels";
}

TEST(TrainingStep, HasTheParametersOfResNet32)
{
    const tp::program program = tp::program_from_log(training::resnet32::record_step());
    std::int64_t updated = 0;
    constexpr std::int64_t smallest_activation = 2'000'000;  // bytes; the shortcuts' add_ are above, the updates below
    for (std::uint32_t i = 0; i < program.operator_count(); ++i) {
        const tp::operator_id op{i};
        updated += program.name(op) == "add_" && program.outputs(op)[0].bytes < smallest_activation ? program.outputs(op)[0].bytes / 4 : 0;
    }
    EXPECT_EQ(updated, 464'154) << "0.46 million, as table 6 of the paper says";
}

}  // namespace
