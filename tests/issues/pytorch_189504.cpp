// pytorch/pytorch#189504: out of memory was raised although a block that would do lay in the pool.

#include <tidepool/memory/adaptors/limited.hpp>
#include <tidepool/memory/adaptors/pooled.hpp>
#include <tidepool/memory/pipe.hpp>
#include <tidepool/memory/sources/host_memory.hpp>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace tp = tidepool;

namespace {

TEST(PyTorch189504, ARefusalMeansThatNoHoleWouldDo)
{
    const bool held = rc::check("no hole is passed over", [] {
        tp::pipe<tp::pooled, tp::limited, tp::host_memory> pool(tp::pool_options{.least_slab = 4096, .granularity = 256}, 64 << 10);
        std::vector<std::pair<void*, std::size_t>> live;
        const auto steps = *rc::gen::container<std::vector<std::pair<bool, unsigned>>>(
            rc::gen::pair(rc::gen::arbitrary<bool>(), rc::gen::inRange(1U, 16'384U)));
        for (const auto& [takes, number] : steps) {
            if (takes) {
                if (void* const pointer = pool.try_allocate(number, 256)) {
                    live.emplace_back(pointer, number);
                } else {
                    RC_ASSERT(pool.largest_hole() < number);
                    RC_ASSERT(pool.upstream().available() < number);
                }
            } else if (!live.empty()) {
                std::swap(live[number % live.size()], live.back());
                pool.deallocate_sync(live.back().first, live.back().second, 256);
                live.pop_back();
            }
        }
        for (const auto& [pointer, bytes] : live) {
            pool.deallocate_sync(pointer, bytes, 256);
        }
        RC_ASSERT(pool.free_bytes() == pool.reserved());
    });
    EXPECT_TRUE(held);
}

}  // namespace
