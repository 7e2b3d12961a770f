// rapidsai/rmm#2404: giving back what was never handed out made the counters wrap.

#include <tidepool/memory/adaptors/statistics.hpp>
#include <tidepool/memory/adaptors/tracked.hpp>
#include <tidepool/memory/pipe.hpp>
#include <tidepool/memory/sources/host_memory.hpp>

#include <gtest/gtest.h>

namespace tp = tidepool;

namespace {

TEST(Rmm2404, AForeignBlockReachesNoCounter)
{
    tp::pipe<tp::tracked, tp::statistics, tp::host_memory> memory;
    int foreign = 0;
    memory.deallocate_sync(&foreign, sizeof foreign, alignof(int));
    EXPECT_EQ(memory.upstream().counts(), tp::allocation_counts{});
    EXPECT_EQ(memory.misuses(), 1U);
}

}  // namespace
