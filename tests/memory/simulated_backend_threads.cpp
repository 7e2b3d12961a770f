// Threads may call one simulated backend and its sources at once, and each has a current device of its own.

#include "simulated.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <vector>

namespace tp = tidepool;
using namespace testing_simulated;

namespace {

void work(tp::simulated_backend& backend, int device)
{
    tp::simulated_device_memory memory(backend, device);
    tp::simulated_pinned_memory pinned(backend);
    ASSERT_TRUE(backend.set_current_device(device).ok());
    const tp::stream_view stream = backend.create_stream().value();
    for (int round = 0; round < 100; ++round) {
        void* const block = memory.allocate(stream, 1000, 8);
        void* const host = pinned.allocate_sync(1000, 8);
        std::memset(host, round, 1000);
        ASSERT_TRUE(backend.copy(stream, block, host, 1000).ok());
        memory.deallocate(stream, block, 1000, 8);
        pinned.deallocate(stream, host, 1000, 8);
        ASSERT_EQ(backend.current_device().value(), device);
    }
    ASSERT_TRUE(backend.synchronise(stream).ok());
    ASSERT_TRUE(backend.destroy_stream(stream).ok());
}

TEST(SimulatedThreads, WorkSideBySide)
{
    tp::simulated_backend backend(two_devices());
    std::vector<std::thread> threads;
    for (int number = 0; number < 8; ++number) {
        threads.emplace_back([&backend, number] { work(backend, number % 2); });
    }
    for (std::thread& each : threads) {
        each.join();
    }
    EXPECT_EQ(faults_of(backend), kinds{});
    EXPECT_EQ(backend.live_blocks(), 0U);
}

}  // namespace
