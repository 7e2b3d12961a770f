// Copies between every two kinds of memory bring the bytes, when they say so; who does not wait is found out.

#include "simulated.hpp"

#include <tidepool/memory/adaptors/limited.hpp>
#include <tidepool/memory/copy.hpp>
#include <tidepool/memory/shared_resource.hpp>
#include <tidepool/memory/sources/counted_memory.hpp>
#include <tidepool/memory/sources/host_memory.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <tuple>
#include <utility>
#include <vector>

namespace tp = tidepool;
using namespace testing_simulated;

namespace {

static_assert(!tp::copyable_between<tp::host_memory, tp::counted_memory>, "numbers have no bytes");
static_assert(tp::copyable_between<tp::host_memory, tp::limited::over<tp::simulated_device_memory>>);
static_assert(!tp::copyable_between<tp::simulated_device_memory, tp::device_memory<tp::examples::minimal_backend>>, "two drivers");
static_assert(!tp::registered_in_ranges<tp::host_memory>);

constexpr std::size_t bytes = 10'000;

class Copies : public testing::Test {
protected:
    tp::simulated_backend backend{two_devices()};
    tp::stream_view stream = backend.create_stream().value();
    tp::host_memory host;
    tp::simulated_pinned_memory pinned{backend};
    tp::simulated_device_memory device{backend, 0};
    tp::simulated_device_memory peer{backend, 1};

    template <class To, class From>
    void expect_bytes_pass(To& to, From& from)
    {
        void* const source = from.allocate_sync(bytes, 256);
        void* const target = to.allocate_sync(bytes, 256);
        std::memset(source, 0x12, bytes);  // a simulated device has host bytes
        tp::copy_sync(to, target, from, source, bytes);
        EXPECT_TRUE(all_are(target, bytes, 0x12));

        std::memset(source, 0x34, bytes);
        std::memset(target, 0x56, bytes);
        const auto token = tp::copy(stream, to, target, from, source, bytes, {.greatest_piece = 999});
        token.wait();
        EXPECT_TRUE(token.done());
        EXPECT_TRUE(all_are(target, bytes, 0x34));
        to.deallocate_sync(target, bytes, 256);
        from.deallocate_sync(source, bytes, 256);
        EXPECT_EQ(faults_of(backend), kinds{});
    }
};

TEST_F(Copies, BringTheBytesBetweenEveryTwo)
{
    const auto from_each = [&](auto& to) {
        expect_bytes_pass(to, host);
        expect_bytes_pass(to, pinned);
        expect_bytes_pass(to, device);
        expect_bytes_pass(to, peer);
    };
    from_each(host);
    from_each(pinned);
    from_each(device);
    from_each(peer);
}

TEST_F(Copies, GoThroughLayers)
{
    tp::limited::over<tp::simulated_device_memory> limited(bytes, backend, 1);
    expect_bytes_pass(limited, pinned);
    expect_bytes_pass(host, limited);
    auto shared = tp::make_shared_resource<tp::limited::over<tp::simulated_device_memory>>(bytes, backend, 0);
    expect_bytes_pass(shared, limited);
}

TEST_F(Copies, BetweenHostMemoriesAskNoDriver)
{
    const auto calls = backend.calls();
    std::vector<unsigned char> from(bytes, 1);
    std::vector<unsigned char> to(bytes);
    EXPECT_TRUE(tp::copy(stream, host, to.data(), host, from.data(), bytes).done());
    tp::copy_sync(pinned, to.data(), host, from.data(), bytes);
    EXPECT_EQ(to, from);
    EXPECT_EQ(backend.calls(), calls);
}

TEST_F(Copies, AreNotDoneBeforeTheirTime)
{
    void* const source = pinned.allocate_sync(bytes, 256);
    void* const target = device.allocate_sync(bytes, 256);
    std::memset(source, 0x12, bytes);
    auto token = tp::copy(stream, device, target, pinned, source, bytes);
    EXPECT_FALSE(token.done());
    EXPECT_FALSE(all_are(target, bytes, 0x12)) << "read before the token was done";
    const auto moved = std::move(token);
    EXPECT_TRUE(token.done()) << "what was moved from has nothing to wait for";  // NOLINT(bugprone-use-after-move)
    while (!moved.done()) {
    }
    EXPECT_TRUE(all_are(target, bytes, 0x12));
    EXPECT_EQ(faults_of(backend), kinds{});
}

TEST_F(Copies, SourceFreedTooEarlyIsFound)
{
    void* const source = device.allocate_sync(bytes, 256);
    void* const target = pinned.allocate_sync(bytes, 256);
    std::memset(source, 0x12, bytes);
    const auto token = tp::copy(stream, pinned, target, device, source, bytes);
    device.deallocate_sync(source, bytes, 256);
    EXPECT_EQ(faults_of(backend), kinds{fault_kind::freed_in_use});
    token.wait();
    EXPECT_FALSE(all_are(target, bytes, 0x12)) << "the bytes are gone, too";
}

TEST_F(Copies, SourceFreedAfterTheTokenIsFine)
{
    void* const source = device.allocate_sync(bytes, 256);
    void* const target = pinned.allocate_sync(bytes, 256);
    const auto token = tp::copy(stream, pinned, target, device, source, bytes);
    token.wait();
    device.deallocate_sync(source, bytes, 256);
    EXPECT_EQ(faults_of(backend), kinds{});
}

TEST_F(Copies, SourceFreedInTheOrderOfTheStreamIsFine)
{
    void* const source = device.allocate(stream, bytes, 256);
    void* const target = pinned.allocate_sync(bytes, 256);
    std::memset(source, 0x12, bytes);
    const auto token = tp::copy(stream, pinned, target, device, source, bytes);
    device.deallocate(stream, source, bytes, 256);
    void* const next = device.allocate(stream, bytes, 256);
    token.wait();
    EXPECT_TRUE(all_are(target, bytes, 0x12));
    EXPECT_EQ(next, source);
    EXPECT_EQ(faults_of(backend), kinds{});
}

TEST_F(Copies, AnotherStreamWaitsByTheToken)
{
    void* const source = pinned.allocate_sync(bytes, 256);
    void* const target = device.allocate_sync(bytes, 256);
    const tp::stream_view other = backend.create_stream().value();
    const auto token = tp::copy(stream, device, target, pinned, source, bytes);
    token.wait(other);
    backend.use(other, target, bytes, access_kind::read);
    EXPECT_EQ(faults_of(backend), kinds{});
    EXPECT_EQ(backend.now(), 0) << "the host did not wait";
}

TEST_F(Copies, WithoutTheTokenAnotherStreamRaces)
{
    void* const source = pinned.allocate_sync(bytes, 256);
    void* const target = device.allocate_sync(bytes, 256);
    const tp::stream_view other = backend.create_stream().value();
    const auto token = tp::copy(stream, device, target, pinned, source, bytes);
    backend.use(other, target, bytes, access_kind::read);
    EXPECT_EQ(faults_of(backend), kinds{fault_kind::race});
}

TEST_F(Copies, AreCutToThePieceAsked)
{
    void* const source = pinned.allocate_sync(bytes, 256);
    void* const target = device.allocate_sync(bytes, 256);
    tp::copy_sync(device, target, pinned, source, bytes, {.greatest_piece = 4096});
    EXPECT_EQ(backend.calls(operation::copy), 3U);
}

/// Page-locked memory that the driver knows as ranges of 4096 bytes.
struct registered_memory : tp::simulated_pinned_memory {
    using tp::simulated_pinned_memory::pinned_host_memory;
    const std::byte* base = nullptr;
    std::size_t registered_after(const void* pointer) const noexcept
    {
        return 4096 - static_cast<std::size_t>(static_cast<const std::byte*>(pointer) - base) % 4096;
    }
};

TEST_F(Copies, NeverCrossTwoRegistrations)
{
    registered_memory registered(backend);
    auto* const source = static_cast<std::byte*>(registered.allocate_sync(bytes, 256));
    registered.base = source;
    void* const target = device.allocate_sync(bytes, 256);
    std::memset(source, 0x12, bytes);
    tp::copy_sync(device, target, registered, source + 4000, 5000);  // 96, 4096, 808
    EXPECT_EQ(backend.calls(operation::copy), 3U);
    EXPECT_TRUE(all_are(target, 5000, 0x12));
    tp::copy_sync(device, target, registered, source, 4096);
    EXPECT_EQ(backend.calls(operation::copy), 4U);
    tp::copy_sync(registered, source + 4095, device, target, 2);
    EXPECT_EQ(backend.calls(operation::copy), 6U);
}

TEST_F(Copies, ARefusedPieceIsAnErrorAfterTheOthersEnded)
{
    void* const source = pinned.allocate_sync(bytes, 256);
    void* const target = device.allocate_sync(bytes, 256);
    backend.fail_call(operation::copy, 3, tp::cuda_code::illegal_address);
    try {
        std::ignore = tp::copy(stream, device, target, pinned, source, bytes, {.greatest_piece = 1000});
        ADD_FAILURE() << "the third piece must fail";
    } catch (const tp::copy_failed& failed) {
        EXPECT_EQ(failed.bytes, bytes);
        EXPECT_EQ(failed.code, 700);
        EXPECT_STREQ(failed.reason, "cudaErrorIllegalAddress");
    }
    device.deallocate_sync(target, bytes, 256);
    pinned.deallocate_sync(source, bytes, 256);
    EXPECT_EQ(faults_of(backend), kinds{});
    EXPECT_EQ(backend.calls(operation::create_event), backend.calls(operation::destroy_event));
}

TEST_F(Copies, WithoutAnEventNothingStarts)
{
    void* const source = pinned.allocate_sync(bytes, 256);
    void* const target = device.allocate_sync(bytes, 256);
    backend.fail(operation::create_event, tp::cuda_code::memory_allocation);
    EXPECT_THROW(std::ignore = tp::copy(stream, device, target, pinned, source, bytes), tp::copy_failed);
    EXPECT_EQ(backend.calls(operation::copy), 0U);
}

TEST_F(Copies, ATokenSaysWhatTheDriverSays)
{
    void* const source = pinned.allocate_sync(bytes, 256);
    void* const target = device.allocate_sync(bytes, 256);
    const auto token = tp::copy(stream, device, target, pinned, source, bytes);
    backend.fail(operation::query_event, tp::cuda_code::illegal_address);
    backend.fail(operation::synchronise_event, tp::cuda_code::illegal_address);
    EXPECT_THROW(std::ignore = token.done(), tp::copy_failed);
    try {
        token.wait();
        ADD_FAILURE() << "the driver refuses";
    } catch (const tp::copy_failed& failed) {
        EXPECT_EQ(failed.bytes, bytes);
    }
}

TEST_F(Copies, OfNothingAreDone)
{
    EXPECT_TRUE(tp::copy(stream, device, nullptr, pinned, nullptr, 0).done());
    tp::copy_sync(device, nullptr, pinned, nullptr, 0);
    EXPECT_EQ(backend.calls(operation::copy), 0U);
}

}  // namespace
