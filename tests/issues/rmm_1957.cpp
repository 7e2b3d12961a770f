// rapidsai/rmm#1957: a pool that had a first slab could not give all that its upstream had left: it asked for twice as much.

#include <tidepool/memory/adaptors/limited.hpp>
#include <tidepool/memory/adaptors/pooled.hpp>
#include <tidepool/memory/pipe.hpp>
#include <tidepool/memory/sources/counted_memory.hpp>
#include <tidepool/memory/sources/host_memory.hpp>

#include <gtest/gtest.h>

#include <cstddef>

namespace tp = tidepool;

namespace {

TEST(Rmm1957, APoolGivesAllThatIsLeft)
{
    constexpr std::size_t all = 10 << 20U;
    tp::pipe<tp::pooled, tp::limited, tp::host_memory> pool(tp::pool_options{.least_slab = 1 << 20}, all);
    void* const first = pool.allocate_sync(1 << 20U, 256);
    void* const rest = pool.allocate_sync(all - (1 << 20U), 256);
    EXPECT_NE(rest, nullptr);
    EXPECT_EQ(pool.available(), 0U);
    pool.deallocate_sync(rest, all - (1 << 20U), 256);
    pool.deallocate_sync(first, 1 << 20U, 256);
    void* const whole = pool.allocate_sync(all, 256);  // idle slabs make room for one of the whole size
    EXPECT_NE(whole, nullptr);
    pool.deallocate_sync(whole, all, 256);
}

}  // namespace
