// pytorch/pytorch#31261: the event that guards a page-locked block was recorded for the current device, not for the one that copies.

#include "../memory/simulated.hpp"

#include <tidepool/memory/copy.hpp>

#include <gtest/gtest.h>

#include <cstring>

namespace tp = tidepool;
using namespace testing_simulated;

namespace {

TEST(Pytorch31261, APinnedBlockCopiedByAnotherDeviceIsGuardedByItsMark)
{
    tp::simulated_backend backend(two_devices());
    tp::simulated_pinned_memory pinned(backend);
    tp::simulated_device_memory memory(backend, 1);
    ASSERT_TRUE(backend.set_current_device(1).ok());
    const tp::stream_view on_1 = backend.create_stream().value();
    ASSERT_TRUE(backend.set_current_device(0).ok());

    void* const source = pinned.allocate_sync(1000, 8);
    void* const target = memory.allocate_sync(1000, 8);
    std::memset(source, 0x12, 1000);
    const auto token = tp::copy(on_1, memory, target, pinned, source, 1000);
    EXPECT_FALSE(token.done()) << "a mark on device 0 would be done at once";
    token.wait();
    pinned.deallocate_sync(source, 1000, 8);
    EXPECT_TRUE(all_are(target, 1000, 0x12));
    EXPECT_EQ(faults_of(backend), kinds{});
}

}  // namespace
