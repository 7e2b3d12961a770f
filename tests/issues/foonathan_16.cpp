// foonathan/memory#16: what one of two allocators had given always went back to the other.

#include <tidepool/memory/adaptors/fallback.hpp>
#include <tidepool/memory/adaptors/limited.hpp>
#include <tidepool/memory/adaptors/statistics.hpp>
#include <tidepool/memory/pipe.hpp>
#include <tidepool/memory/sources/host_memory.hpp>
#include <tidepool/memory/testing/strict.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <tuple>
#include <vector>

namespace tp = tidepool;

namespace {

TEST(Foonathan16, EachGetsItsOwnBack)
{
    using watched = tp::pipe<tp::statistics, tp::testing::strict, tp::host_memory>;
    tp::pipe<tp::fallback_to<watched>, tp::limited, watched> memory(std::tuple{}, 1000);
    std::vector<void*> blocks;
    for (int i = 0; i < 30; ++i) {
        blocks.push_back(memory.allocate_sync(100, 8));
    }
    const auto& first = memory.upstream().upstream();
    EXPECT_EQ(first.counts().blocks, 10U);
    EXPECT_EQ(memory.second().counts().blocks, 20U);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        memory.deallocate_sync(blocks[i * 7 % blocks.size()], 100, 8);
    }
    EXPECT_EQ(first.counts().bytes, 0U);
    EXPECT_EQ(memory.second().counts().bytes, 0U);
}

}  // namespace
