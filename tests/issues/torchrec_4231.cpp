// pytorch/torchrec#4231 (and pytorch#27366): a tensor was stashed by an asynchronous copy and its memory given to another one before
// the copy had read it. The way of every eviction.

#include "../memory/simulated.hpp"

#include <tidepool/memory/copy.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>

namespace tp = tidepool;
using namespace testing_simulated;

namespace {

constexpr std::size_t bytes = 100'000;

/// A block of the compute stream, evicted on a stream of its own.
class Torchrec4231 : public testing::Test {
protected:
    tp::simulated_backend backend;
    tp::simulated_device_memory device{backend};
    tp::simulated_pinned_memory pinned{backend};
    tp::stream_view compute = backend.create_stream().value();
    tp::stream_view evictions = backend.create_stream().value();
    void* block = device.allocate(compute, bytes, 8);
    void* stash = pinned.allocate_sync(bytes, 8);

    Torchrec4231()
    {
        backend.use(compute, block, bytes, access_kind::write);
        backend.launch(compute, 1'000, [to = block] { std::memset(to, 0x12, bytes); });
        const tp::event_view computed = backend.create_event().value();
        backend.record(computed, compute);
        backend.wait(evictions, computed);
    }
    /// The next tensor of the compute stream, in the room that became free.
    void write_next_tensor()
    {
        void* const next = device.allocate(compute, bytes, 8);
        backend.use(compute, next, bytes, access_kind::write);
        backend.launch(compute, 10, [to = next] { std::memset(to, 0x99, bytes); });
        backend.synchronise(compute);
        backend.synchronise(evictions);
    }
};

TEST_F(Torchrec4231, FreedInTheOrderOfTheWrongStreamIsFound)
{
    const auto token = tp::copy(evictions, pinned, stash, device, block, bytes);
    device.deallocate(compute, block, bytes, 8);
    write_next_tensor();
    EXPECT_EQ(faults_of(backend), kinds{fault_kind::freed_in_use});
    EXPECT_FALSE(all_are(stash, bytes, 0x12)) << "the stash has another tensor's bytes";
}

TEST_F(Torchrec4231, FreedAfterTheTokenIsRight)
{
    const auto token = tp::copy(evictions, pinned, stash, device, block, bytes);
    token.wait(compute);
    device.deallocate(compute, block, bytes, 8);
    write_next_tensor();
    EXPECT_EQ(faults_of(backend), kinds{});
    EXPECT_TRUE(all_are(stash, bytes, 0x12));
}

/// An interior pointer is part of its block.
TEST_F(Torchrec4231, AViewCountsAsItsBlock)
{
    const auto token = tp::copy(evictions, pinned, stash, device, static_cast<std::byte*>(block) + 500, 10);
    device.deallocate(compute, block, bytes, 8);
    EXPECT_EQ(faults_of(backend), kinds{fault_kind::freed_in_use});
}

}  // namespace
