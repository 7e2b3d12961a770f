// The simulated backend keeps virtual time, moves bytes when their copy ends, finds unordered uses, and fails as it is told.

#include "simulated.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tp = tidepool;
using namespace testing_simulated;

namespace {

constexpr std::size_t kib = 1024;

/// Two streams of device 0 and a block of it.
class SimulatedOrder : public testing::Test {
protected:
    tp::simulated_backend backend;
    tp::stream_view first = backend.create_stream().value();
    tp::stream_view second = backend.create_stream().value();
    void* block = backend.allocate_device(kib).value();

    void let_second_wait_for_first()
    {
        const tp::event_view event = backend.create_event().value();
        ASSERT_TRUE(backend.record(event, first).ok());
        ASSERT_TRUE(backend.wait(second, event).ok());
        ASSERT_TRUE(backend.destroy_event(event).ok());
    }
    void use(tp::stream_view stream, access_kind kind) { backend.use(stream, block, kib, kind); }
};

TEST_F(SimulatedOrder, AnUnorderedStreamMustNotTouchWhatAnotherWrites)
{
    use(first, access_kind::write);
    use(second, access_kind::read);
    ASSERT_EQ(faults_of(backend), kinds{fault_kind::race});
    EXPECT_EQ(backend.faults()[0].by, backend.id_of(second).value());
    EXPECT_EQ(backend.faults()[0].against, backend.id_of(first).value());
    EXPECT_EQ(backend.faults()[0].pointer, block);
}

TEST_F(SimulatedOrder, NorWriteWhatAnotherReads)
{
    use(first, access_kind::read);
    use(second, access_kind::write);
    EXPECT_EQ(faults_of(backend), kinds{fault_kind::race});
}

TEST_F(SimulatedOrder, TimeIsNoOrder)
{
    use(first, access_kind::write);
    backend.advance(1'000'000'000);  // it has long ended, but nobody waited for it
    use(second, access_kind::write);
    EXPECT_EQ(faults_of(backend), kinds{fault_kind::race});
}

TEST_F(SimulatedOrder, BothMayRead)
{
    use(first, access_kind::read);
    use(second, access_kind::read);
    EXPECT_EQ(faults_of(backend), kinds{});
}

TEST_F(SimulatedOrder, AWriterMustKnowOfEveryReader)
{
    const tp::stream_view third = backend.create_stream().value();
    use(third, access_kind::read);
    use(first, access_kind::read);  // the later reader is known below, the earlier one is not
    let_second_wait_for_first();
    use(second, access_kind::write);
    ASSERT_EQ(faults_of(backend), kinds{fault_kind::race});
    EXPECT_EQ(backend.faults()[0].against, backend.id_of(third).value());
}

TEST_F(SimulatedOrder, PartsOfABlockAreApart)
{
    auto* const bytes = static_cast<std::byte*>(block);
    backend.use(first, bytes, 512, access_kind::write);
    backend.use(second, bytes + 512, 512, access_kind::write);
    EXPECT_EQ(faults_of(backend), kinds{});
    backend.use(second, bytes + 511, 1, access_kind::read);
    EXPECT_EQ(faults_of(backend), kinds{fault_kind::race});
}

TEST_F(SimulatedOrder, AnEventOrders)
{
    use(first, access_kind::write);
    let_second_wait_for_first();
    use(second, access_kind::write);
    EXPECT_EQ(faults_of(backend), kinds{});
}

TEST_F(SimulatedOrder, AnEventOrdersOnlyWhatWasBeforeIt)
{
    let_second_wait_for_first();
    use(first, access_kind::write);
    use(second, access_kind::write);
    EXPECT_EQ(faults_of(backend), kinds{fault_kind::race});
}

TEST_F(SimulatedOrder, TheHostOrdersByWaiting)
{
    use(first, access_kind::write);
    ASSERT_TRUE(backend.synchronise(first).ok());
    use(second, access_kind::write);
    backend.use_on_host(block, kib, access_kind::read);
    EXPECT_EQ(faults_of(backend), kinds{fault_kind::race});  // the host did not wait for the second
}

TEST_F(SimulatedOrder, OrderIsTransitive)
{
    const tp::stream_view third = backend.create_stream().value();
    use(first, access_kind::write);
    let_second_wait_for_first();
    const tp::event_view event = backend.create_event().value();
    ASSERT_TRUE(backend.record(event, second).ok());
    ASSERT_TRUE(backend.wait(third, event).ok());
    use(third, access_kind::write);
    EXPECT_EQ(faults_of(backend), kinds{});
}

TEST_F(SimulatedOrder, AFreeNeedsOrderToo)
{
    use(first, access_kind::read);
    EXPECT_TRUE(backend.free_device(block).ok());  // as a driver would say
    EXPECT_EQ(faults_of(backend), kinds{fault_kind::freed_in_use});
}

TEST_F(SimulatedOrder, AStreamThatIsNoMoreLeavesItsUses)
{
    use(first, access_kind::write);
    ASSERT_TRUE(backend.destroy_stream(first).ok());
    use(second, access_kind::write);
    EXPECT_EQ(faults_of(backend), kinds{fault_kind::race});
}

TEST_F(SimulatedOrder, PooledMemoryBelongsToItsStream)
{
    void* const pooled = backend.allocate_pooled(first, kib).value();
    backend.use(second, pooled, kib, access_kind::write);
    EXPECT_EQ(faults_of(backend), kinds{fault_kind::race});
}

TEST_F(SimulatedOrder, ThePoolGivesToTheSameStreamAtOnce)
{
    void* const old = backend.allocate_pooled(first, kib).value();
    backend.launch(first, 1'000'000);
    backend.use(first, old, kib, access_kind::write);
    ASSERT_TRUE(backend.free_pooled(first, old).ok());
    void* const fresh = backend.allocate_pooled(first, kib).value();
    EXPECT_EQ(fresh, old);
    EXPECT_EQ(backend.now(), 0);
    backend.use(first, fresh, kib, access_kind::write);
    EXPECT_EQ(faults_of(backend), kinds{});
}

TEST_F(SimulatedOrder, ThePoolDoesNotGiveAnotherStreamWhatIsStillUsed)
{
    void* const old = backend.allocate_pooled(first, kib).value();
    backend.launch(first, 1'000'000);
    ASSERT_TRUE(backend.free_pooled(first, old).ok());
    EXPECT_NE(backend.allocate_pooled(second, kib).value(), old);
    backend.advance(1'000'000);
    EXPECT_EQ(backend.allocate_pooled(second, kib).value(), old);
    EXPECT_EQ(faults_of(backend), kinds{});
}

TEST_F(SimulatedOrder, ThePoolIsFreedInOrderOrNotAtAll)
{
    void* const pooled = backend.allocate_pooled(first, kib).value();
    backend.use(first, pooled, kib, access_kind::write);
    ASSERT_TRUE(backend.free_pooled(second, pooled).ok());
    EXPECT_EQ(faults_of(backend), kinds{fault_kind::freed_in_use});
}

TEST(SimulatedMemory, FindsWrongPointers)
{
    tp::simulated_backend backend;
    const tp::stream_view stream;
    auto* const block = static_cast<std::byte*>(backend.allocate_device(100).value());
    int outside = 0;
    const auto code_of = [](tp::backend_status status) { return static_cast<tp::cuda_code>(status.code); };

    EXPECT_EQ(code_of(backend.use(stream, block + 50, 51, access_kind::read)), tp::cuda_code::illegal_address);
    EXPECT_EQ(code_of(backend.use(stream, block + 100, 1, access_kind::read)), tp::cuda_code::illegal_address);
    EXPECT_EQ(code_of(backend.free_device(block + 1)), tp::cuda_code::invalid_value);
    EXPECT_EQ(code_of(backend.free_device(&outside)), tp::cuda_code::invalid_value);
    EXPECT_EQ(code_of(backend.use(stream, &outside, 4, access_kind::read)), tp::cuda_code::illegal_address);
    EXPECT_EQ(code_of(backend.free_pinned(block)), tp::cuda_code::invalid_value);
    EXPECT_TRUE(backend.free_device(nullptr).ok());
    EXPECT_TRUE(backend.use(stream, nullptr, 0, access_kind::write).ok());
    EXPECT_TRUE(backend.free_device(block).ok());
    EXPECT_EQ(code_of(backend.free_device(block)), tp::cuda_code::invalid_value);
    EXPECT_EQ(code_of(backend.copy(stream, &outside, block, 4)), tp::cuda_code::illegal_address);
    EXPECT_EQ(faults_of(backend),
              (kinds{fault_kind::out_of_bounds, fault_kind::out_of_bounds, fault_kind::unknown_pointer, fault_kind::unknown_pointer,
                     fault_kind::unknown_pointer, fault_kind::unknown_pointer, fault_kind::double_free, fault_kind::use_after_free}));
}

TEST(SimulatedMemory, KnowsItsDevices)
{
    tp::simulated_backend backend(two_devices());
    void* const on_0 = backend.allocate_device(100).value();
    ASSERT_TRUE(backend.set_current_device(1).ok());
    EXPECT_FALSE(backend.use({}, on_0, 100, access_kind::read).ok());
    EXPECT_FALSE(backend.free_device(on_0).ok());
    EXPECT_EQ(faults_of(backend), (kinds{fault_kind::wrong_device, fault_kind::wrong_device}));
    EXPECT_EQ(backend.set_current_device(2).result, tp::outcome::device_unavailable);
    EXPECT_EQ(backend.current_device().value(), 1);
}

TEST(SimulatedMemory, PeersMayReachEachOther)
{
    auto machine = two_devices();
    machine.devices[1].capabilities.peer_access = true;
    tp::simulated_backend backend(machine);
    void* const on_0 = backend.allocate_device(100).value();
    ASSERT_TRUE(backend.set_current_device(1).ok());
    EXPECT_TRUE(backend.use({}, on_0, 100, access_kind::read).ok());
    EXPECT_EQ(faults_of(backend), kinds{});
}

TEST(SimulatedMemory, EndsWhereItsDeviceEnds)
{
    tp::simulated::options machine;
    machine.devices[0].bytes = 1024;
    machine.pinned_bytes = 512;
    tp::simulated_backend backend(machine);
    void* const half = backend.allocate_device(512).value();
    EXPECT_EQ(backend.allocate_device(513).status().result, tp::outcome::out_of_memory);
    EXPECT_TRUE(backend.allocate_device(512).ok());
    EXPECT_EQ(backend.allocate_device(1).status().result, tp::outcome::out_of_memory);
    EXPECT_TRUE(backend.free_device(half).ok());
    EXPECT_EQ(backend.allocate_device(1).value(), half);
    EXPECT_EQ(backend.allocate_pinned(513).status().result, tp::outcome::out_of_memory);
    EXPECT_EQ(backend.allocate_device(SIZE_MAX).status().result, tp::outcome::out_of_memory);
    EXPECT_EQ(backend.live_blocks(), 2);
}

TEST(SimulatedMemory, HolesGrowTogether)
{
    tp::simulated::options machine;
    machine.devices[0].bytes = 1024;
    for (const std::array order : {std::array{0, 1, 2, 3}, std::array{3, 2, 1, 0}, std::array{0, 2, 1, 3}}) {
        tp::simulated_backend backend(machine);
        std::array<void*, 4> quarters{};
        for (void*& each : quarters) {
            each = backend.allocate_device(256).value();
        }
        for (const int each : order) {
            ASSERT_TRUE(backend.free_device(quarters[static_cast<std::size_t>(each)]).ok());
        }
        EXPECT_TRUE(backend.allocate_device(1024).ok());
    }
}

TEST(SimulatedMemory, AFullPoolWaitsForWhatIsOnItsWayBack)
{
    tp::simulated::options machine;
    machine.devices[0].bytes = 1024;
    tp::simulated_backend backend(machine);
    const tp::stream_view other = backend.create_stream().value();
    void* const all = backend.allocate_pooled({}, 1024).value();
    backend.launch({}, 5'000);
    ASSERT_TRUE(backend.free_pooled({}, all).ok());
    EXPECT_TRUE(backend.allocate_pooled(other, 1024).ok());
    EXPECT_EQ(backend.now(), 5'000);
}

TEST(SimulatedMemory, NoPoolWhereThereIsNone)
{
    tp::simulated_backend backend(without_pool());
    EXPECT_EQ(backend.allocate_pooled({}, 1).status().result, tp::outcome::unsupported);
    EXPECT_FALSE(backend.capabilities(0).value().stream_ordered_pool);
}

/// One byte a nanosecond each way, with 10 ns latency.
tp::simulated::options slow_links()
{
    tp::simulated::options machine;
    machine.devices[0].from_host = {.bytes_per_s = 1'000'000'000, .latency = 10};
    machine.devices[0].to_host = {.bytes_per_s = 1'000'000'000, .latency = 10};
    machine.poll_interval = 7;
    return machine;
}

class SimulatedTime : public testing::Test {
protected:
    static constexpr std::size_t bytes = 1000;
    tp::simulated_backend backend{slow_links()};
    tp::stream_view stream = backend.create_stream().value();
    void* device = backend.allocate_device(bytes).value();
    void* pinned = backend.allocate_pinned(bytes).value();
};

TEST_F(SimulatedTime, ACopyTakesLatencyAndBytesByBandwidth)
{
    ASSERT_TRUE(backend.copy(stream, device, pinned, bytes).ok());
    EXPECT_EQ(backend.now(), 0);
    ASSERT_TRUE(backend.synchronise(stream).ok());
    EXPECT_EQ(backend.now(), 1010);
}

TEST_F(SimulatedTime, BytesArriveWhenTheCopyEnds)
{
    std::memset(pinned, 0x11, bytes);
    std::memset(device, 0x22, bytes);
    ASSERT_TRUE(backend.copy(stream, device, pinned, bytes).ok());
    EXPECT_TRUE(all_are(device, bytes, 0xCD)) << "garbage while it is under way";
    backend.advance(1009);
    EXPECT_TRUE(all_are(device, bytes, 0xCD));
    backend.advance(1);
    EXPECT_TRUE(all_are(device, bytes, 0x11));
}

TEST_F(SimulatedTime, TheSourceIsReadAtTheEndToo)
{
    std::memset(pinned, 0x11, bytes);
    ASSERT_TRUE(backend.copy(stream, device, pinned, bytes).ok());
    std::memset(pinned, 0x33, bytes);  // too early
    ASSERT_TRUE(backend.synchronise(stream).ok());
    EXPECT_TRUE(all_are(device, bytes, 0x33));
}

TEST_F(SimulatedTime, ThereAndBackInOneStream)
{
    void* const back = backend.allocate_pinned(bytes).value();
    std::memset(pinned, 0x11, bytes);
    ASSERT_TRUE(backend.copy(stream, device, pinned, bytes).ok());
    ASSERT_TRUE(backend.copy(stream, back, device, bytes).ok());
    ASSERT_TRUE(backend.synchronise(stream).ok());
    EXPECT_EQ(backend.now(), 2020);
    EXPECT_TRUE(all_are(back, bytes, 0x11));
    EXPECT_EQ(faults_of(backend), kinds{});
}

TEST_F(SimulatedTime, StreamsWorkSideBySideUnlessOneWaits)
{
    const tp::stream_view other = backend.create_stream().value();
    backend.launch(stream, 300);
    backend.launch(other, 200);
    ASSERT_TRUE(backend.synchronise(other).ok());
    EXPECT_EQ(backend.now(), 200);
    const tp::event_view event = backend.create_event().value();
    ASSERT_TRUE(backend.record(event, stream).ok());
    ASSERT_TRUE(backend.wait(other, event).ok());
    backend.launch(other, 50);
    ASSERT_TRUE(backend.synchronise(other).ok());
    EXPECT_EQ(backend.now(), 350);
}

TEST_F(SimulatedTime, OneLinkTakesOneCopyAtATime)
{
    const tp::stream_view other = backend.create_stream().value();
    void* const second = backend.allocate_device(bytes).value();
    ASSERT_TRUE(backend.copy(stream, device, pinned, bytes).ok());
    ASSERT_TRUE(backend.copy(other, second, pinned, bytes).ok());
    ASSERT_TRUE(backend.synchronise(other).ok());
    EXPECT_EQ(backend.now(), 2020);
    EXPECT_EQ(faults_of(backend), kinds{}) << "both only read the page-locked end";
}

TEST_F(SimulatedTime, PollsEnd)
{
    const tp::event_view event = backend.create_event().value();
    EXPECT_TRUE(backend.query(event).ok()) << "never recorded";
    backend.launch(stream, 20);
    ASSERT_TRUE(backend.record(event, stream).ok());
    EXPECT_EQ(backend.query(event).result, tp::outcome::not_ready);   // at 7
    EXPECT_EQ(backend.query(stream).result, tp::outcome::not_ready);  // at 14
    EXPECT_TRUE(backend.query(event).ok());                           // at 21
    EXPECT_EQ(backend.now(), 21);
}

TEST_F(SimulatedTime, KernelsRunWhenTheyEnd)
{
    std::memset(pinned, 1, bytes);
    ASSERT_TRUE(backend.copy(stream, device, pinned, bytes).ok());
    backend.launch(stream, 100, [to = static_cast<unsigned char*>(device)] { to[0] = static_cast<unsigned char>(to[0] + 1); });
    ASSERT_TRUE(backend.copy(stream, pinned, device, bytes).ok());
    ASSERT_TRUE(backend.synchronise(stream).ok());
    EXPECT_EQ(static_cast<unsigned char*>(pinned)[0], 2);
}

TEST_F(SimulatedTime, PageableMemoryIsTakenAtOnceAndGivenAfterWaiting)
{
    std::array<unsigned char, bytes> from{};
    from.fill(0x44);
    ASSERT_TRUE(backend.copy(stream, device, from.data(), bytes).ok());
    EXPECT_EQ(backend.now(), 0);
    from.fill(0x55);
    std::array<unsigned char, bytes> to{};
    ASSERT_TRUE(backend.copy(stream, to.data(), device, bytes).ok());
    EXPECT_EQ(backend.now(), 2020);
    EXPECT_TRUE(all_are(to.data(), bytes, 0x44));
}

TEST(SimulatedHandles, AreUsedAgainUnderNewIds)
{
    tp::simulated_backend backend;
    const tp::stream_view old = backend.create_stream().value();
    const std::uint64_t old_id = backend.id_of(old).value();
    ASSERT_TRUE(backend.destroy_stream(old).ok());
    EXPECT_FALSE(backend.synchronise(old).ok());
    EXPECT_EQ(faults_of(backend), kinds{fault_kind::unknown_handle});
    const tp::stream_view fresh = backend.create_stream().value();
    EXPECT_EQ(fresh, old);
    EXPECT_NE(backend.id_of(fresh).value(), old_id);

    const tp::event_view event = backend.create_event().value();
    ASSERT_TRUE(backend.destroy_event(event).ok());
    EXPECT_FALSE(backend.query(event).ok());
    EXPECT_EQ(backend.create_event().value(), event);
}

TEST(SimulatedFailures, ComeAsScripted)
{
    tp::simulated_backend backend;
    backend.fail_call(operation::allocate_device, 2, tp::cuda_code::invalid_value);
    backend.fail_above(operation::allocate_pinned, 100);
    backend.fail(operation::create_stream, tp::cuda_code::not_supported);
    EXPECT_TRUE(backend.allocate_device(1).ok());
    const auto second = backend.allocate_device(1).status();
    EXPECT_STREQ(second.name, "cudaErrorInvalidValue");
    EXPECT_EQ(second.code, 1);
    EXPECT_TRUE(backend.allocate_device(1).ok());
    EXPECT_TRUE(backend.allocate_pinned(100).ok());
    EXPECT_EQ(backend.allocate_pinned(101).status().result, tp::outcome::out_of_memory);
    EXPECT_EQ(backend.create_stream().status().result, tp::outcome::unsupported);
    backend.heal();
    EXPECT_TRUE(backend.create_stream().ok());
    EXPECT_TRUE(backend.allocate_pinned(101).ok());
    EXPECT_EQ(backend.calls(operation::allocate_device), 3U);
    EXPECT_EQ(backend.calls(), 8U);
    EXPECT_EQ(faults_of(backend), kinds{});
}

TEST(SimulatedFailures, NothingWorksWithoutADevice)
{
    tp::simulated::options machine;
    machine.devices.clear();
    tp::simulated_backend backend(machine);
    EXPECT_EQ(backend.device_count().status().result, tp::outcome::device_unavailable);
    EXPECT_EQ(backend.allocate_pinned(1).status().result, tp::outcome::device_unavailable);
    EXPECT_EQ(backend.create_stream().status().result, tp::outcome::device_unavailable);
    EXPECT_FALSE(backend.use({}, &backend, 1, access_kind::read).ok());
}

TEST(SimulatedFailures, NothingWorksAfterTheContext)
{
    tp::simulated_backend backend;
    backend.destroy_context(false);
    EXPECT_EQ(backend.allocate_device(1).status().result, tp::outcome::context_destroyed);
    EXPECT_EQ(faults_of(backend), kinds{}) << "nobody could know";
    backend.destroy_context();
    EXPECT_TRUE(backend.is_shutting_down());
    EXPECT_EQ(backend.free_device(nullptr).result, tp::outcome::context_destroyed);
    EXPECT_EQ(faults_of(backend), kinds{fault_kind::too_late});
}

TEST(SimulatedBackends, DoNotKnowOfEachOther)
{
    tp::simulated_backend one;
    tp::simulated_backend other;
    void* const block = one.allocate_device(100).value();
    EXPECT_FALSE(other.free_device(block).ok());
    EXPECT_EQ(faults_of(other), kinds{fault_kind::unknown_pointer});
    EXPECT_EQ(faults_of(one), kinds{});
    EXPECT_EQ(one.calls(), 1U);
}

}  // namespace
