// rapidsai/rmm#490: making a resource initialised CUDA, which broke programs that fork their workers afterwards.

#include "../memory/simulated.hpp"

#include <tidepool/memory/adaptors/limited.hpp>
#include <tidepool/memory/pipe.hpp>

#include <gtest/gtest.h>

namespace tp = tidepool;
using namespace testing_simulated;

namespace {

TEST(Rmm490, MakingCopyingAndComparingCallNothing)
{
    tp::simulated_backend backend(two_devices());
    {
        const tp::simulated_device_memory memory(backend, 1);
        const tp::simulated_device_memory copy = memory;
        const tp::simulated_pinned_memory pinned(backend);
        tp::pipe<tp::limited, tp::simulated_device_memory> limited(1000, backend, 1);
        EXPECT_EQ(copy, memory);
        EXPECT_EQ(limited.available(), 1000U);
        EXPECT_EQ(limited.allocate_sync(0, 8), nullptr);
        limited.deallocate_sync(nullptr, 0, 8);
    }
    EXPECT_EQ(backend.calls(), 0U);
}

TEST(Rmm490, NorDoesARefusalThatNeedsNoDriver)
{
    tp::simulated_backend backend;
    tp::pipe<tp::limited, tp::simulated_device_memory> limited(1000, backend, 0);
    EXPECT_EQ(limited.try_allocate(1001, 8), nullptr);
    EXPECT_EQ(backend.calls(), 0U);
}

}  // namespace
