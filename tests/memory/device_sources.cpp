// Device and pinned memory over the simulated backend: the right device, the right order, typed errors, and silence at the end.

#include "simulated.hpp"

#include <tidepool/memory/adaptors/limited.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>

namespace tp = tidepool;
using namespace testing_simulated;

namespace {

static_assert(tp::fallible_resource<tp::simulated_device_memory> && tp::stream_ordered_resource<tp::simulated_device_memory>);
static_assert(tp::fallible_resource<tp::simulated_pinned_memory> && tp::stream_ordered_resource<tp::simulated_pinned_memory>);
static_assert(tp::stream_ordered_resource<tp::limited::over<tp::simulated_device_memory>>);
static_assert(tp::has_property<tp::limited::over<tp::simulated_pinned_memory>, tp::page_locked>);

TEST(DeviceMemory, IsGivenOnItsDeviceWhicheverIsCurrent)
{
    tp::simulated_backend backend(two_devices());
    tp::simulated_device_memory memory(backend, 1);
    void* const block = memory.allocate_sync(1000, 256);
    EXPECT_EQ(backend.current_device().value(), 0);
    const tp::stream_view on_0 = backend.create_stream().value();
    EXPECT_FALSE(backend.use(on_0, block, 1000, access_kind::read).ok());
    ASSERT_EQ(faults_of(backend), kinds{fault_kind::wrong_device});
    backend.forget_faults();
    memory.deallocate_sync(block, 1000, 256);
    EXPECT_EQ(faults_of(backend), kinds{});
    EXPECT_EQ(backend.live_blocks(), 0U);
}

TEST(DeviceMemory, LeavesTheCurrentDeviceAsItWasAfterARefusal)
{
    tp::simulated_backend backend(two_devices());
    tp::simulated_device_memory memory(backend, 1);
    backend.fail_above(operation::allocate_device, 1000);
    EXPECT_THROW(std::ignore = memory.allocate_sync(1001, 8), tp::out_of_memory);
    EXPECT_EQ(backend.current_device().value(), 0);
    EXPECT_EQ(memory.try_allocate(1001, 8), nullptr);
    EXPECT_EQ(backend.current_device().value(), 0);
}

TEST(DeviceMemory, SwitchesNoDeviceWhenItsOwnIsCurrent)
{
    tp::simulated_backend backend;
    tp::simulated_device_memory memory(backend);
    memory.deallocate_sync(memory.allocate_sync(10, 8), 10, 8);
    EXPECT_EQ(backend.calls(operation::set_current_device), 0U);
}

TEST(DeviceMemory, RefusesWithTypes)
{
    tp::simulated_backend backend(two_devices());
    tp::simulated_device_memory memory(backend);
    try {
        std::ignore = memory.allocate_sync(1000, 512);
        ADD_FAILURE() << "more than 256 bytes' alignment";
    } catch (const tp::bad_alignment& refused) {
        EXPECT_EQ(refused.greatest, 256U);
    }
    EXPECT_THROW(std::ignore = memory.allocate_sync(SIZE_MAX, 8), tp::out_of_memory);
    EXPECT_EQ(memory.allocate_sync(0, 8), nullptr);
    EXPECT_EQ(backend.calls(), 0U) << "none of these asks the driver";

    tp::simulated_device_memory none(backend, 2);
    try {
        std::ignore = none.allocate_sync(1000, 8);
        ADD_FAILURE() << "there is no device 2";
    } catch (const tp::device_unavailable& refused) {
        EXPECT_EQ(refused.code, 101);
        EXPECT_STREQ(refused.reason, "cudaErrorInvalidDevice");
        EXPECT_EQ(refused.bytes, 1000U);
    }
    EXPECT_EQ(none.try_allocate(1000, 8), nullptr);

    backend.fail_call(operation::allocate_device, 1, tp::cuda_code::illegal_address);
    EXPECT_THROW(std::ignore = memory.allocate_sync(8, 8), tp::device_error);
    EXPECT_EQ(backend.current_device().value(), 0);
}

TEST(DeviceMemory, IsUnavailableWithoutADriver)
{
    tp::simulated_backend backend;
    for (const auto what : {operation::current_device, operation::allocate_device, operation::allocate_pinned}) {
        backend.fail(what, tp::cuda_code::insufficient_driver);
    }
    tp::simulated_device_memory memory(backend);
    tp::simulated_pinned_memory pinned(backend);
    EXPECT_THROW(std::ignore = memory.allocate_sync(8, 8), tp::device_unavailable);
    EXPECT_THROW(std::ignore = pinned.allocate_sync(8, 8), tp::device_unavailable);
    EXPECT_THROW(std::ignore = pinned.allocate({}, 8, 8), std::bad_alloc);
}

TEST(DeviceMemory, UsesThePoolInStreamOrder)
{
    tp::simulated_backend backend;
    tp::simulated_device_memory memory(backend);
    const tp::stream_view stream = backend.create_stream().value();
    backend.launch(stream, 1'000'000);
    void* const block = memory.allocate(stream, 1000, 8);
    backend.use(stream, block, 1000, access_kind::write);
    memory.deallocate(stream, block, 1000, 8);
    EXPECT_EQ(backend.now(), 0) << "it waited";
    EXPECT_EQ(backend.calls(operation::allocate_pooled), 1U);
    EXPECT_EQ(backend.calls(operation::free_pooled), 1U);
    EXPECT_EQ(faults_of(backend), kinds{});
}

TEST(DeviceMemory, GivesAnotherDevicesStreamItsOwnDevicesMemory)
{
    tp::simulated_backend backend(two_devices());
    ASSERT_TRUE(backend.set_current_device(1).ok());
    const tp::stream_view on_1 = backend.create_stream().value();
    tp::simulated_device_memory memory(backend, 0);
    void* const block = memory.allocate(on_1, 1000, 8);
    ASSERT_TRUE(backend.set_current_device(0).ok());
    EXPECT_TRUE(backend.use(tp::stream_view(), block, 1, access_kind::read).ok());  // where it lies, though not in order
    EXPECT_EQ(faults_of(backend), kinds{fault_kind::race});
}

/// Both streams have the null handle.
TEST(DeviceMemory, DoesNotTakeTheCallersDefaultStreamForItsOwn)
{
    tp::simulated_backend backend(two_devices());
    tp::simulated_device_memory memory(backend, 0);
    ASSERT_TRUE(backend.set_current_device(1).ok());
    void* const host = backend.allocate_pinned(1000).value();
    void* const block = memory.allocate(tp::stream_view(), 1000, 8);
    ASSERT_TRUE(backend.copy(tp::stream_view(), host, block, 1000).ok());  // on device 1's
    memory.deallocate(tp::stream_view(), block, 1000, 8);
    EXPECT_EQ(faults_of(backend), kinds{});
    EXPECT_EQ(backend.live_blocks(), 1U);
}

/// With and without a pool, blocks may come one way and go the other.
class MixedSpellings : public testing::TestWithParam<bool> {};

TEST_P(MixedSpellings, GoBackTheWayTheyCame)
{
    tp::simulated_backend backend(GetParam() ? tp::simulated::options() : without_pool());
    tp::simulated_device_memory memory(backend);
    tp::simulated_device_memory same(backend);
    ASSERT_EQ(memory, same);
    const tp::stream_view stream = backend.create_stream().value();
    same.deallocate(stream, memory.allocate_sync(100, 8), 100, 8);
    same.deallocate_sync(memory.allocate(stream, 100, 8), 100, 8);
    same.deallocate(stream, memory.allocate(stream, 100, 8), 100, 8);
    same.deallocate_sync(memory.try_allocate(100, 8), 100, 8);
    backend.synchronise(stream);
    // The one freed without its stream was allocated in its order: who frees at once must have waited.
    EXPECT_EQ(faults_of(backend), GetParam() ? kinds{fault_kind::freed_in_use} : kinds{});
    EXPECT_EQ(backend.live_blocks(), 0U);
}
INSTANTIATE_TEST_SUITE_P(Pools, MixedSpellings, testing::Bool());

TEST(DeviceMemory, IsEqualForOneDeviceOfOneBackend)
{
    tp::simulated_backend backend(two_devices());
    tp::simulated_backend other;
    EXPECT_EQ(tp::simulated_device_memory(backend, 1), tp::simulated_device_memory(backend, 1));
    EXPECT_NE(tp::simulated_device_memory(backend, 0), tp::simulated_device_memory(backend, 1));
    EXPECT_NE(tp::simulated_device_memory(backend), tp::simulated_device_memory(other));
    EXPECT_NE(tp::simulated_pinned_memory(backend), tp::simulated_pinned_memory(other));
}

TEST(DeviceMemory, IsNotFreedWhereItsStreamCannotBeWaitedFor)
{
    tp::simulated_backend backend(without_pool());
    tp::simulated_device_memory memory(backend);
    tp::simulated_pinned_memory pinned(backend);
    void* const block = memory.allocate_sync(100, 8);
    void* const host = pinned.allocate_sync(100, 8);
    backend.fail(operation::synchronise_stream, tp::cuda_code::illegal_address);
    memory.deallocate({}, block, 100, 8);
    pinned.deallocate({}, host, 100, 8);
    EXPECT_EQ(backend.live_blocks(), 2U);
}

TEST(DeviceMemory, LeaksInSilenceAfterTheContext)
{
    tp::simulated_backend backend;
    tp::simulated_device_memory memory(backend);
    tp::simulated_pinned_memory pinned(backend);
    const std::array blocks{memory.allocate_sync(100, 8), memory.allocate({}, 100, 8)};
    const std::array hosts{pinned.allocate_sync(100, 8), pinned.allocate_sync(100, 8)};
    backend.destroy_context(false);  // nobody says so: the driver's refusal does
    memory.deallocate_sync(blocks[0], 100, 8);
    pinned.deallocate_sync(hosts[0], 100, 8);
    backend.destroy_context();
    const auto calls = backend.calls();
    memory.deallocate({}, blocks[1], 100, 8);
    pinned.deallocate({}, hosts[1], 100, 8);
    EXPECT_EQ(backend.calls(), calls);
    EXPECT_EQ(faults_of(backend), kinds{});
    backend.forget_faults();
    EXPECT_THROW(std::ignore = memory.allocate_sync(8, 8), tp::device_unavailable);
}

TEST(PinnedMemory, HasBytesThatHostAndDeviceUse)
{
    tp::simulated_backend backend(two_devices());
    tp::simulated_pinned_memory pinned(backend);
    auto* const block = static_cast<unsigned char*>(pinned.allocate_sync(1000, 256));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 256, 0U);
    block[999] = 1;
    EXPECT_TRUE(backend.use({}, block, 1000, access_kind::write).ok());
    EXPECT_TRUE(backend.set_current_device(1).ok());
    EXPECT_TRUE(backend.synchronise(tp::stream_view()).ok());
    pinned.deallocate_sync(block, 1000, 256);
    EXPECT_EQ(faults_of(backend), kinds{fault_kind::freed_in_use}) << "device 0 was not waited for";
}

TEST(PinnedMemory, IsShort)
{
    tp::simulated::options machine;
    machine.pinned_bytes = 1024;
    tp::simulated_backend backend(machine);
    tp::simulated_pinned_memory pinned(backend);
    try {
        std::ignore = pinned.allocate_sync(1025, 8);
        ADD_FAILURE() << "there are 1024 bytes";
    } catch (const tp::out_of_memory& refused) {
        EXPECT_STREQ(refused.resource, "pinned host memory");
        EXPECT_EQ(refused.bytes, 1025U);
    }
    EXPECT_THROW(std::ignore = pinned.allocate_sync(8, 512), tp::bad_alignment);
}

}  // namespace
