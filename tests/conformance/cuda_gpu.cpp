// Device and pinned memory on a CUDA device, alone and behind adaptors, and what the backend promises that only a device can show.

#include "resource_suite.hpp"

#include <tidepool/memory/adaptors/aligned.hpp>
#include <tidepool/memory/adaptors/pooled.hpp>
#include <tidepool/memory/adaptors/size_classes.hpp>
#include <tidepool/memory/adaptors/statistics.hpp>
#include <tidepool/memory/backends/cuda_backend.hpp>
#include <tidepool/memory/copy.hpp>
#include <tidepool/memory/pipe.hpp>
#include <tidepool/memory/sources/cuda_memory.hpp>
#include <tidepool/memory/testing/strict.hpp>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace tp = tidepool;

namespace testing_conformance {

struct needs_a_device {
    static std::string unavailable()
    {
        const auto count = tp::cuda_backend::device_count();
        return count.ok() ? "" : std::string("this machine has no CUDA device: ") + count.status().name;
    }
};

struct cuda_device : needs_a_device {
    tp::cuda_device_memory memory;
};
struct cuda_pinned : needs_a_device {
    tp::cuda_pinned_memory memory;
};
struct watched_cuda_device : needs_a_device {
    tp::pipe<tp::statistics, tp::testing::strict, tp::aligned_to<512>, tp::cuda_device_memory> memory;
};
struct pool_on_a_cuda_device : needs_a_device {
    tp::pipe<tp::pooled, tp::cuda_device_memory> memory{tp::pool_options{.least_slab = 1 << 16}};
};
struct classes_in_cuda_pinned_memory : needs_a_device {
    tp::pipe<tp::size_classes, tp::pooled, tp::cuda_pinned_memory> memory{tp::pool_options{}};
};

using cuda_sources = testing::Types<cuda_device, cuda_pinned, watched_cuda_device, pool_on_a_cuda_device, classes_in_cuda_pinned_memory>;
INSTANTIATE_TYPED_TEST_SUITE_P(Cuda, Resource, cuda_sources);

class CudaBackend : public testing::Test {
protected:
    void SetUp() override
    {
        if (const std::string why = needs_a_device::unavailable(); !why.empty()) {
            GTEST_SKIP() << why;
        }
        stream = backend.create_stream().value();
        ASSERT_NE(stream, tp::stream_view());
    }
    void TearDown() override
    {
        if (stream != tp::stream_view()) {
            EXPECT_TRUE(backend.destroy_stream(stream).ok());
        }
    }

    tp::cuda_backend backend;
    tp::stream_view stream;
};

TEST_F(CudaBackend, BytesSurviveTheRoundTrip)
{
    constexpr std::size_t bytes = std::size_t{16} << 20U;
    tp::cuda_device_memory device;
    tp::cuda_pinned_memory pinned;
    auto* const from = static_cast<unsigned char*>(pinned.allocate_sync(bytes, 256));
    auto* const to = static_cast<unsigned char*>(pinned.allocate_sync(bytes, 256));
    for (std::size_t i = 0; i < bytes; ++i) {
        from[i] = static_cast<unsigned char>(i % 251);
    }
    void* const block = device.allocate(stream, bytes, 256);
    const auto up = tp::copy(stream, device, block, pinned, from, bytes, {.greatest_piece = 1'000'003});
    const auto down = tp::copy(stream, pinned, to, device, block, bytes);
    device.deallocate(stream, block, bytes, 256);  // in its order, before the copies have run
    down.wait();
    EXPECT_TRUE(up.done() && down.done());
    EXPECT_EQ(std::memcmp(from, to, bytes), 0);
    pinned.deallocate_sync(from, bytes, 256);
    pinned.deallocate(stream, to, bytes, 256);
}

TEST_F(CudaBackend, KnowsWhatCameFromThePool)
{
    if (!backend.capabilities(0).value().stream_ordered_pool) {
        GTEST_SKIP() << "device 0 has no pool";
    }
    void* const plain = backend.allocate_device(1000).value();
    const auto pooled = backend.allocate_pooled(stream, 1000);
    ASSERT_TRUE(pooled.ok()) << pooled.status().name;
    const auto of_plain = backend.is_pooled(plain);
    const auto of_pooled = backend.is_pooled(pooled.value());
    ASSERT_TRUE(of_plain.ok() && of_pooled.ok()) << of_plain.status().name << ", " << of_pooled.status().name;
    EXPECT_FALSE(of_plain.value());
    EXPECT_TRUE(of_pooled.value());
    EXPECT_TRUE(backend.free_device(plain).ok());
    EXPECT_TRUE(backend.free_pooled(stream, pooled.value()).ok());
}

TEST_F(CudaBackend, MixedSpellingsGoBackTheWayTheyCame)
{
    tp::cuda_device_memory memory;
    memory.deallocate(stream, memory.allocate_sync(1000, 8), 1000, 8);
    memory.deallocate(stream, memory.allocate(stream, 1000, 8), 1000, 8);
    void* const block = memory.allocate(stream, 1000, 8);
    ASSERT_TRUE(backend.synchronise(stream).ok());
    memory.deallocate_sync(block, 1000, 8);
    memory.deallocate({}, memory.allocate({}, 1000, 8), 1000, 8);
    EXPECT_TRUE(backend.synchronise(stream).ok());
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(CudaBackend, StreamsHaveADeviceAndAnIdOfTheirOwn)
{
    EXPECT_EQ(backend.device_of(stream).value(), 0);
    EXPECT_EQ(backend.device_of({}).value(), 0);
    const tp::stream_view other = backend.create_stream().value();
    const std::uint64_t id = backend.id_of(other).value();
    EXPECT_NE(id, backend.id_of(stream).value());
    EXPECT_NE(id, backend.id_of({}).value());
    EXPECT_TRUE(backend.destroy_stream(other).ok());
    const tp::stream_view later = backend.create_stream().value();
    EXPECT_NE(backend.id_of(later).value(), id) << "although the handle may be the same";
    EXPECT_TRUE(backend.destroy_stream(later).ok());
}

TEST_F(CudaBackend, EventsOrderStreams)
{
    const tp::stream_view other = backend.create_stream().value();
    const tp::event_view event = backend.create_event().value();
    EXPECT_TRUE(backend.query(event).ok()) << "never recorded: done";
    EXPECT_TRUE(backend.record(event, stream).ok());
    EXPECT_TRUE(backend.wait(other, event).ok());
    EXPECT_TRUE(backend.synchronise(other).ok());
    EXPECT_TRUE(backend.query(event).ok() && backend.query(stream).ok() && backend.query(other).ok());
    EXPECT_TRUE(backend.synchronise(event).ok());
    EXPECT_TRUE(backend.destroy_event(event).ok());
    EXPECT_TRUE(backend.destroy_stream(other).ok());
}

TEST_F(CudaBackend, ARefusalIsTypedAndLeavesNoErrorBehind)
{
    tp::cuda_device_memory memory;
    EXPECT_THROW(static_cast<void>(memory.allocate_sync(std::size_t{1} << 50U, 8)), tp::out_of_memory);
    EXPECT_EQ(memory.try_allocate(std::size_t{1} << 50U, 8), nullptr);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    const int beyond = backend.device_count().value();
    EXPECT_THROW(static_cast<void>(tp::cuda_device_memory(beyond).allocate_sync(8, 8)), tp::device_unavailable);
    EXPECT_EQ(backend.current_device().value(), 0);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

/// A source makes no call when it is made, so a static one may be there before the runtime is, and outlive it. That the process ends
/// in silence is the test.
struct outlives_the_runtime {
    ~outlives_the_runtime() { memory.deallocate_sync(pointer, 1000, 8); }
    tp::cuda_device_memory memory;
    void* pointer = nullptr;
};
outlives_the_runtime static_block;

TEST_F(CudaBackend, AStaticBlockMayOutliveTheRuntime)
{
    static_block.pointer = static_block.memory.allocate_sync(1000, 8);
    EXPECT_NE(static_block.pointer, nullptr);
}

}  // namespace testing_conformance
