// rapidsai/rmm#869: threads that checked the limit together and added afterwards went beyond it.

#include <tidepool/memory/adaptors/limited.hpp>
#include <tidepool/memory/adaptors/statistics.hpp>
#include <tidepool/memory/adaptors/synchronised.hpp>
#include <tidepool/memory/pipe.hpp>
#include <tidepool/memory/sources/host_memory.hpp>
#include <tidepool/memory/testing/delayed.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>

namespace tp = tidepool;

namespace {

TEST(Rmm869, ThreadsTogetherStayWithinALimit)
{
    tp::pipe<tp::synchronised, tp::limited, tp::testing::delayed, tp::statistics, tp::host_memory> memory(1000, 2);
    std::atomic<int> refused{0};
    std::array<std::thread, 8> threads;
    for (std::thread& thread : threads) {
        thread = std::thread([&] {
            for (int i = 0; i < 300; ++i) {
                void* const pointer = memory.try_allocate(300, 8);
                refused += pointer == nullptr ? 1 : 0;
                std::this_thread::yield();
                memory.deallocate_sync(pointer, 300, 8);
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    const auto counts = memory.locked([](const auto& below) { return below.upstream().upstream().counts(); });
    EXPECT_LE(counts.peak_bytes, 1000U);
    EXPECT_EQ(counts.bytes, 0U);
    EXPECT_EQ(counts.allocations + static_cast<unsigned>(refused.load()), 8U * 300U);
}

}  // namespace
