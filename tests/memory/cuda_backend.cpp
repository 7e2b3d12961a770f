// The CUDA backend on any machine: without a driver every call says so, nothing crashes, and no error stays behind.
// What needs a device is in tests/conformance/cuda_gpu.cpp.

#include <tidepool/memory/adaptors/limited.hpp>
#include <tidepool/memory/backends/cuda_backend.hpp>
#include <tidepool/memory/copy.hpp>
#include <tidepool/memory/pipe.hpp>
#include <tidepool/memory/sources/cuda_memory.hpp>
#include <tidepool/memory/sources/host_memory.hpp>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <tuple>
#include <vector>

namespace tp = tidepool;

namespace {

// Made before main(): where construction called the runtime, the order of static objects would matter.
tp::cuda_device_memory static_device_memory;
tp::cuda_pinned_memory static_pinned_memory;

/// An address that no call gave. Without a driver nobody looks at it.
void* nowhere() { return reinterpret_cast<void*>(std::size_t{1} << 20U); }

class WithoutADriver : public testing::Test {
protected:
    void SetUp() override
    {
        if (tp::cuda_backend::device_count().ok()) {
            GTEST_SKIP() << "this machine has a CUDA device";
        }
    }
};

TEST_F(WithoutADriver, EveryCallSaysThatTheDeviceIsUnavailable)
{
    tp::cuda_backend backend;
    const tp::stream_view stream;
    const tp::event_view event;
    int to = 0;
    const int from = 1;
    const std::vector<tp::backend_status> answers{
        backend.device_count().status(),
        backend.current_device().status(),
        backend.set_current_device(0),
        backend.capabilities(0).status(),
        backend.capabilities(-1).status(),
        backend.capabilities(1000).status(),
        backend.allocate_device(8).status(),
        backend.free_device(nowhere()),
        backend.allocate_pinned(8).status(),
        backend.free_pinned(nowhere()),
        backend.allocate_pooled(stream, 8).status(),
        backend.free_pooled(stream, nowhere()),
        backend.is_pooled(nowhere()).status(),
        backend.create_stream().status(),
        backend.destroy_stream(stream),
        backend.synchronise(stream),
        backend.query(stream),
        backend.device_of(stream).status(),
        backend.device_of(tp::stream_view(nowhere())).status(),
        backend.id_of(stream).status(),
        backend.create_event().status(),
        backend.destroy_event(event),
        backend.record(event, stream),
        backend.wait(stream, event),
        backend.synchronise(event),
        backend.query(event),
        backend.copy(stream, &to, &from, sizeof to),
    };
    for (std::size_t i = 0; i < answers.size(); ++i) {
        EXPECT_EQ(answers[i].result, tp::outcome::device_unavailable) << "call " << i << ": " << answers[i].name;
        EXPECT_STREQ(answers[i].name, cudaGetErrorName(static_cast<cudaError_t>(answers[i].code))) << "call " << i;
    }
    EXPECT_FALSE(backend.is_shutting_down()) << "there never was anything to shut down";
    EXPECT_EQ(to, 0);
}

TEST_F(WithoutADriver, SourcesRefuseWithTheReason)
{
    for (const bool in_stream_order : {false, true}) {
        try {
            std::ignore = in_stream_order ? static_device_memory.allocate({}, 1000, 8) : static_device_memory.allocate_sync(1000, 8);
            ADD_FAILURE() << "there is no device";
        } catch (const tp::device_unavailable& refused) {
            EXPECT_EQ(refused.bytes, 1000U);
            EXPECT_NE(refused.code, 0);
            EXPECT_NE(std::string(refused.reason).find("cudaError"), std::string::npos);
        }
        EXPECT_THROW(std::ignore = in_stream_order ? static_pinned_memory.allocate({}, 8, 8) : static_pinned_memory.allocate_sync(8, 8),
                     tp::device_unavailable);
    }
    EXPECT_EQ(static_device_memory.try_allocate(1000, 8), nullptr);
    EXPECT_EQ(static_pinned_memory.try_allocate(1000, 8), nullptr);
    EXPECT_THROW(std::ignore = tp::cuda_device_memory(7).allocate_sync(8, 8), tp::device_unavailable);
}

TEST_F(WithoutADriver, CopiesAreRefused)
{
    tp::host_memory host;
    int to = 0;
    const int from = 1;
    EXPECT_THROW(std::ignore = tp::copy({}, static_device_memory, &to, host, &from, sizeof to), tp::copy_failed);
    EXPECT_THROW(tp::copy_sync(host, &to, static_device_memory, &from, sizeof to), tp::copy_failed);
    EXPECT_EQ(to, 0);
}

/// As a static pool does it, after the runtime's own end.
TEST_F(WithoutADriver, TheEndOfTheProcessIsSilent)
{
    const auto end = [] {
        const auto give_back = [] {
            static_device_memory.deallocate_sync(nowhere(), 8, 8);
            static_device_memory.deallocate({}, nowhere(), 8, 8);
            static_pinned_memory.deallocate({}, nowhere(), 8, 8);
        };
        if (std::atexit(give_back) == 0) {  // before the first call, so it runs after what the runtime registers then
            std::ignore = static_device_memory.try_allocate(8, 8);
            std::exit(0);
        }
        std::exit(1);
    };
    EXPECT_EXIT(end(), testing::ExitedWithCode(0), "^$");
}

TEST(CudaMemory, ChecksRequestsBeforeItAsksTheDriver)
{
    tp::cuda_device_memory memory;
    EXPECT_EQ(memory.allocate_sync(0, 8), nullptr);
    EXPECT_THROW(std::ignore = memory.allocate_sync(8, 512), tp::bad_alignment);
    EXPECT_THROW(std::ignore = memory.allocate_sync(SIZE_MAX, 8), tp::out_of_memory);
    tp::pipe<tp::limited, tp::cuda_pinned_memory> limited(100);
    EXPECT_THROW(std::ignore = limited.allocate({}, 101, 8), tp::over_limit);
    memory.deallocate_sync(nullptr, 0, 8);
}

TEST(CudaMemory, IsEqualForOneDevice)
{
    EXPECT_EQ(tp::cuda_device_memory(), tp::cuda_device_memory(0));
    EXPECT_NE(tp::cuda_device_memory(0), tp::cuda_device_memory(1));
    EXPECT_EQ(tp::cuda_pinned_memory(), tp::cuda_pinned_memory());
    static_assert(sizeof(tp::cuda_device_memory) <= 2 * sizeof(int), "the backend takes no room of its own");
}

}  // namespace
