// What claims to be thread-safe, under eight threads.

#include "stacks.hpp"
#include "traffic.hpp"

#include <tidepool/memory/properties.hpp>
#include <tidepool/memory/sources/simulated_device_memory.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <thread>
#include <vector>

namespace tp = tidepool;

namespace {

/// Each thread keeps blocks of its own, and gives some of its neighbour's back.
template <class Memory>
void expect_to_survive_eight_threads(Memory& memory)
{
    static_assert(tp::has_property<Memory, tp::thread_safe>);
    std::array<char, 8> sound{};
    std::vector<std::thread> threads;
    for (unsigned thread = 0; thread < sound.size(); ++thread) {
        threads.emplace_back([&memory, &sound, thread] {
            sound[thread] = testing_conformance::survives_random_traffic(memory, thread, 1'000, 2'000, 20) ? 1 : 0;
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    for (const char each : sound) {
        EXPECT_EQ(each, 1);
    }
}

TEST(Threads, ShareHostMemory)
{
    tp::host_memory memory;
    expect_to_survive_eight_threads(memory);
}

TEST(Threads, ShareWhatIsSynchronised)
{
    tp::pipe<tp::synchronised, tp::tracked, tp::statistics, tp::aligned_to<64>, tp::limited, tp::host_memory> memory(1 << 20);
    expect_to_survive_eight_threads(memory);
    EXPECT_EQ(memory.locked([](const auto& below) { return below.live(); }), 0U);
    EXPECT_LE(memory.locked([](const auto& below) { return below.upstream().counts().peak_bytes; }), std::size_t{1} << 20U);
    EXPECT_EQ(memory.available(), std::size_t{1} << 20U);
}

TEST(Threads, ShareWhatIsBoundToTheirProcess)
{
    tp::pipe<tp::process_bound, tp::testing::poisoning, tp::testing::delayed, tp::host_memory> memory(1);
    expect_to_survive_eight_threads(memory);
}

TEST(Threads, ShareASimulatedDevice)
{
    tp::simulated_backend backend;
    tp::simulated_device_memory memory(backend);
    expect_to_survive_eight_threads(memory);
    EXPECT_EQ(backend.live_blocks(), 0U);
    EXPECT_TRUE(backend.faults().empty());
}

}  // namespace
