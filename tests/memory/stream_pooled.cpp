// A pool whose blocks streams may still use: the simulated driver reports a block that is handed out too early.

#include "simulated.hpp"

#include <tidepool/memory/adaptors/limited.hpp>
#include <tidepool/memory/adaptors/stream_pooled.hpp>
#include <tidepool/memory/pipe.hpp>
#include <tidepool/memory/testing/counting.hpp>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace tp = tidepool;
using namespace testing_simulated;

namespace {

using pool_type = tp::pipe<tp::stream_pooled, tp::testing::counting, tp::simulated_device_memory>;
static_assert(tp::stream_ordered_resource<pool_type> && tp::trimmable_resource<pool_type>);

constexpr tp::pool_options one_slab{.least_slab = 1 << 16};

class StreamPooled : public testing::Test {
protected:
    ~StreamPooled() override { EXPECT_EQ(faults_of(backend), kinds{}); }

    tp::stream_view stream() { return backend.create_stream().value(); }
    /// A kernel that takes a while and writes to `block`.
    void use(tp::stream_view by, void* block, std::size_t bytes) { EXPECT_TRUE(backend.use(by, block, bytes, access_kind::write).ok()); }

    tp::simulated_backend backend;
};

TEST_F(StreamPooled, GivesAStreamItsOwnBlockBackAtOnce)
{
    pool_type pool(one_slab, backend);
    const tp::stream_view a = stream();
    void* const first = pool.allocate(a, 1000, 256);
    use(a, first, 1000);
    pool.deallocate(a, first, 1000, 256);
    EXPECT_GE(pool.waiting_bytes(), 1000U);
    void* const again = pool.allocate(a, 1000, 256);
    EXPECT_EQ(again, first);
    EXPECT_EQ(pool.waiting_bytes(), 0U);
    use(a, again, 1000);
    pool.deallocate(a, again, 1000, 256);
}

TEST_F(StreamPooled, GivesNoBlockToAnotherStreamTooEarly)
{
    pool_type pool(one_slab, backend);
    const tp::stream_view a = stream();
    const tp::stream_view b = stream();
    void* const first = pool.allocate(a, 1000, 256);
    EXPECT_TRUE(backend.launch(a, 1'000'000).ok());
    use(a, first, 1000);
    pool.deallocate(a, first, 1000, 256);
    void* const second = pool.allocate(b, 1000, 256);
    EXPECT_NE(second, first);
    use(b, second, 1000);
    pool.deallocate(b, second, 1000, 256);
}

TEST_F(StreamPooled, WaitsBeforeItRefuses)
{
    tp::pipe<tp::stream_pooled, tp::limited, tp::simulated_device_memory> pool(one_slab, 1 << 16, backend);
    const tp::stream_view a = stream();
    const tp::stream_view b = stream();
    void* const all = pool.allocate(a, 1 << 16, 256);
    EXPECT_TRUE(backend.launch(a, 1'000'000).ok());
    use(a, all, 1 << 16);
    pool.deallocate(a, all, 1 << 16, 256);
    void* const again = pool.allocate(b, 1 << 16, 256);
    EXPECT_EQ(again, all);
    use(b, again, 1 << 16);
    EXPECT_THROW(std::ignore = pool.allocate(b, 256, 256), tp::over_limit) << "there is nothing to wait for";
    pool.deallocate(b, again, 1 << 16, 256);
}

TEST_F(StreamPooled, JoinsWhatCameBackFromManyStreams)
{
    tp::pipe<tp::stream_pooled, tp::limited, tp::simulated_device_memory> pool(one_slab, 1 << 16, backend);
    std::vector<std::pair<tp::stream_view, void*>> blocks;
    for (int i = 0; i < 16; ++i) {
        const tp::stream_view each = stream();
        blocks.emplace_back(each, pool.allocate(each, 4096, 256));
        use(each, blocks.back().second, 4096);
    }
    for (const auto& [each, block] : blocks) {
        pool.deallocate(each, block, 4096, 256);
    }
    void* const whole = pool.allocate(blocks[3].first, 1 << 16, 256);
    EXPECT_NE(whole, nullptr);
    use(blocks[3].first, whole, 1 << 16);
    pool.deallocate(blocks[3].first, whole, 1 << 16, 256);
}

/// A stream that is destroyed leaves its blocks to all, and its handle to another stream.
TEST_F(StreamPooled, OutlivesItsStreams)
{
    pool_type pool(one_slab, backend);
    const tp::stream_view a = stream();
    void* const first = pool.allocate(a, 1000, 256);
    EXPECT_TRUE(backend.launch(a, 1'000'000).ok());
    use(a, first, 1000);
    pool.deallocate(a, first, 1000, 256);
    EXPECT_TRUE(backend.destroy_stream(a).ok());
    const tp::stream_view b = stream();
    void* const second = pool.allocate(b, 1000, 256);
    use(b, second, 1000);
    pool.deallocate(b, second, 1000, 256);
}

/// pytorch/pytorch#183501: one unfinished event kept all later blocks from coming back.
TEST_F(StreamPooled, IsNotHeldUpByOneSlowStream)
{
    pool_type pool(one_slab, backend);
    const tp::stream_view slow = stream();
    const tp::stream_view fast = stream();
    void* const held = pool.allocate(slow, 1000, 256);
    EXPECT_TRUE(backend.launch(slow, 1'000'000'000'000).ok());
    use(slow, held, 1000);
    pool.deallocate(slow, held, 1000, 256);
    for (int i = 0; i < 100; ++i) {
        void* const block = pool.allocate(fast, 30'000, 256);
        use(fast, block, 30'000);
        pool.deallocate(fast, block, 30'000, 256);
        EXPECT_TRUE(backend.synchronise(fast).ok());
    }
    EXPECT_EQ(pool.upstream().asked(), 1U);
}

TEST_F(StreamPooled, GivesBackWithoutAnEvent)
{
    pool_type pool(one_slab, backend);
    const tp::stream_view a = stream();
    void* const block = pool.allocate(a, 1000, 256);
    use(a, block, 1000);
    backend.fail_above(operation::create_event, 0);
    pool.deallocate(a, block, 1000, 256);
}

/// Any program of a few streams: each writes to what it gets, and none is ever told that another may still use it.
TEST(StreamPooledProperty, NeverRaces)
{
    const bool held = rc::check("blocks are handed out in order", [] {
        tp::simulated_backend backend;
        {
            tp::pipe<tp::stream_pooled, tp::limited, tp::simulated_device_memory> pool(tp::pool_options{.least_slab = 1 << 12}, 1 << 16,
                                                                                       backend);
            std::vector<tp::stream_view> streams;
            for (int i = 0; i < 3; ++i) {
                streams.push_back(backend.create_stream().value());
            }
            struct block {
                void* pointer;
                std::size_t bytes;
                std::size_t stream;
            };
            std::vector<block> live;
            const auto steps = *rc::gen::container<std::vector<std::tuple<unsigned, std::size_t, std::size_t>>>(
                rc::gen::tuple(rc::gen::inRange(0U, 6U), rc::gen::inRange<std::size_t>(0, 3), rc::gen::inRange<std::size_t>(1, 9'000)));
            for (const auto& [what, which, number] : steps) {
                if (what <= 2) {
                    try {
                        live.push_back({pool.allocate(streams[which], number, 256), number, which});
                    } catch (const tp::out_of_memory&) {
                        RC_ASSERT(pool.waiting_bytes() == 0U);
                        RC_ASSERT(pool.largest_hole() < number);
                        continue;
                    }
                    backend.use(streams[which], live.back().pointer, number, access_kind::write);
                } else if (what == 3) {
                    backend.launch(streams[which], static_cast<tp::nanoseconds>(number) * 1000);
                } else if (!live.empty()) {
                    std::swap(live[number % live.size()], live.back());
                    const block gone = live.back();
                    live.pop_back();
                    if (what == 4) {
                        pool.deallocate(streams[gone.stream], gone.pointer, gone.bytes, 256);
                    } else {
                        RC_ASSERT(backend.synchronise(streams[gone.stream]).ok());
                        pool.deallocate_sync(gone.pointer, gone.bytes, 256);
                    }
                }
                RC_ASSERT(backend.faults().empty());
            }
            for (const block& each : live) {
                pool.deallocate(streams[each.stream], each.pointer, each.bytes, 256);
            }
        }
        RC_ASSERT(backend.faults().empty());
        RC_ASSERT(backend.live_blocks() == 0U);
    });
    EXPECT_TRUE(held);
}

}  // namespace
