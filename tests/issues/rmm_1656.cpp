// rapidsai/rmm#1656: memory was freed while a kernel still used it, because only cudaFree waits by itself.

#include "../memory/simulated.hpp"

#include <gtest/gtest.h>

namespace tp = tidepool;
using namespace testing_simulated;

namespace {

constexpr tp::nanoseconds kernel_time = 1'000'000;

/// Freed in the order of a stream whose kernel is in flight.
template <class Memory>
void use_and_free(tp::simulated_backend& backend, Memory& memory)
{
    const tp::stream_view stream = backend.create_stream().value();
    void* const block = memory.allocate(stream, 1000, 8);
    backend.use(stream, block, 1000, access_kind::write);
    backend.launch(stream, kernel_time);
    memory.deallocate(stream, block, 1000, 8);
    EXPECT_EQ(faults_of(backend), kinds{});
}

TEST(Rmm1656, PinnedMemoryIsFreedAfterTheStreamsWork)
{
    tp::simulated_backend backend;
    tp::simulated_pinned_memory memory(backend);
    use_and_free(backend, memory);
    EXPECT_EQ(backend.now(), kernel_time);
}

TEST(Rmm1656, DeviceMemoryWithoutAPoolToo)
{
    tp::simulated_backend backend(without_pool());
    tp::simulated_device_memory memory(backend);
    use_and_free(backend, memory);
    EXPECT_EQ(backend.now(), kernel_time);
}

TEST(Rmm1656, WhoDoesNotWaitIsFoundOut)
{
    tp::simulated_backend backend;
    tp::simulated_pinned_memory memory(backend);
    void* const block = memory.allocate_sync(1000, 8);
    backend.use({}, block, 1000, access_kind::write);
    memory.deallocate_sync(block, 1000, 8);
    EXPECT_EQ(faults_of(backend), kinds{fault_kind::freed_in_use});
}

}  // namespace
