// rapidsai/rmm#2312: two live allocations of no bytes had one address, on which the tracking adaptor asserted; and the aligning one
// made more than nothing of nothing.

#include <tidepool/memory/adaptors/aligned.hpp>
#include <tidepool/memory/adaptors/tracked.hpp>
#include <tidepool/memory/pipe.hpp>
#include <tidepool/memory/sources/host_memory.hpp>
#include <tidepool/memory/testing/counting.hpp>

#include <gtest/gtest.h>

namespace tp = tidepool;

namespace {

TEST(Rmm2312, NoBytesAreNothingInEveryLayer)
{
    tp::pipe<tp::tracked, tp::aligned_to<256>, tp::testing::counting, tp::host_memory> memory;
    void* const first = memory.allocate_sync(0, 8);
    void* const second = memory.allocate_sync(0, 8);
    EXPECT_EQ(memory.live(), 0U);
    EXPECT_EQ(memory.upstream().upstream().asked(), 0U);
    memory.deallocate_sync(first, 0, 8);
    memory.deallocate_sync(second, 0, 8);
    EXPECT_EQ(memory.misuses(), 0U);
    EXPECT_EQ(memory.upstream().upstream().given_back(), 0U);
}

}  // namespace
