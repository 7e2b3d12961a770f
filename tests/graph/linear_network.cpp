// The uniform linear network: the order of its events, and its size.

#include <tidepool/graph/linear_network.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace tp = tidepool;

namespace {

/// Every event in short: an operator with its inputs as result(inputs), a release as -tensor.
std::string events(const tp::program& program)
{
    std::string text;
    for (const tp::program::event& event : program.events()) {
        text += text.empty() ? "" : " ";
        if (event.kind == tp::event_kind::compute) {
            text += std::to_string(index(program.first_output(event.as_operator()))) + "(";
            for (const tp::tensor_id input : program.inputs(event.as_operator())) {
                text += (text.back() == '(' ? "" : ",") + std::to_string(index(input));
            }
            text += ")";
        } else {
            EXPECT_EQ(event.kind, tp::event_kind::release);
            text += "-" + std::to_string(event.target);
        }
    }
    return text;
}

TEST(LinearNetwork, HasTheEventsOfTheAuthorsSimulator)
{
    EXPECT_EQ(events(tp::linear_network(0)), "");
    EXPECT_EQ(events(tp::linear_network(1)), "0() -0 1()");
    EXPECT_EQ(events(tp::linear_network(2)), "0() 1(0) -1 2() -0 3(2) -2");
    EXPECT_EQ(events(tp::linear_network(4)), "0() 1(0) 2(1) 3(2) -3 4() -2 5(1,4) -4 -1 6(0,5) -5 -0 7(6) -6");
    EXPECT_EQ(events(tp::linear_network(4, false)), "0() 1(0) 2(1) 3(2) 4() 5(1,4) 6(0,5) 7(6)");
}

TEST(LinearNetwork, HasUnitOperators)
{
    const tp::program network = tp::linear_network(10);
    ASSERT_EQ(network.operator_count(), 20U);
    for (std::uint32_t i = 0; i < 20; ++i) {
        const tp::operator_id op{i};
        EXPECT_EQ(network.name(op), "unit");
        EXPECT_EQ(network.cost(op), 1);
        ASSERT_EQ(network.outputs(op).size(), 1U);
        EXPECT_EQ(network.outputs(op)[0], tp::output{1});
    }
}

TEST(LinearNetwork, OfAMillionNodes)
{
    constexpr std::size_t nodes = 1'000'000;
    const tp::program network = tp::linear_network(nodes);
    EXPECT_EQ(network.operator_count(), 2 * nodes);
    EXPECT_EQ(network.events().size(), 2 * nodes + 1 + 2 * (nodes - 1));
}

}  // namespace
