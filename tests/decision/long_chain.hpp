#pragma once

// A chain run forwards, lost, and brought back from its end.

#include "small_stack.hpp"

#include <tidepool/decision/core.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace testing_decision {

/// Runs `length` operators, evicts all but the input, reads the tip, releases everything, and destroys the core.
template <class Core>
void chain_there_and_back(std::size_t length)
{
    using tidepool::decision::outcome;
    std::optional<Core> core(std::in_place);
    tidepool::null_executor nobody;
    constexpr std::array<tidepool::output, 1> result{tidepool::output{1}};
    std::vector<tidepool::tensor_id> chain;
    chain.reserve(length);
    for (std::size_t i = 0; i < length; ++i) {
        const auto inputs = chain.empty() ? std::span<const tidepool::tensor_id>() : std::span<const tidepool::tensor_id>(&chain.back(), 1);
        chain.push_back(core->graph()[core->call(1, inputs, result, nobody).op].outputs.front());
    }
    for (std::size_t i = 1; i < length; ++i) {
        ASSERT_TRUE(core->evict(chain[i], nobody));
    }
    ASSERT_EQ(core->books().used(), 1);
    ASSERT_EQ(core->read(chain.back(), nobody), outcome::done);
    EXPECT_EQ(core->counters().rematerializations, length - 1);
    for (const tidepool::tensor_id each : chain) {
        core->release(each, nobody);
    }
    EXPECT_EQ(core->books().used(), 0);
    core.reset();
}

template <class Core>
void expect_chain_on_small_stack(std::size_t length)
{
    EXPECT_TRUE(on_small_stack([&] { chain_there_and_back<Core>(length); }));
}

}  // namespace testing_decision
