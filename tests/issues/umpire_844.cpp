// LLNL/Umpire#844: giving a block back made a pool coalesce, for which it asked for memory, of which there was none.

#include <tidepool/memory/adaptors/pooled.hpp>
#include <tidepool/memory/pipe.hpp>
#include <tidepool/memory/sources/host_memory.hpp>
#include <tidepool/memory/testing/failing.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace tp = tidepool;

namespace {

TEST(Umpire844, GivingBackAsksForNothing)
{
    tp::pipe<tp::pooled, tp::testing::failing<tp::testing::fail_after>, tp::host_memory> pool(tp::pool_options{.least_slab = 4096},
                                                                                              tp::testing::fail_after(1'000'000));
    std::vector<void*> blocks;
    for (int i = 0; i < 200; ++i) {
        blocks.push_back(pool.allocate_sync(500, 8));
    }
    pool.upstream().schedule() = tp::testing::fail_after(0);
    for (std::size_t i = 0; i < blocks.size(); i += 2) {
        pool.deallocate_sync(blocks[i], 500, 8);
    }
    for (std::size_t i = 1; i < blocks.size(); i += 2) {
        pool.deallocate_sync(blocks[i], 500, 8);
    }
    EXPECT_EQ(pool.free_bytes(), pool.reserved());
    EXPECT_EQ(pool.fragmentation() > 0.0, pool.largest_hole() < pool.free_bytes());
}

}  // namespace
