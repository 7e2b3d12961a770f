// pytorch/pytorch#95823: a pool rounded to powers of two, and took twice the memory.

#include <tidepool/memory/adaptors/pooled.hpp>
#include <tidepool/memory/pipe.hpp>
#include <tidepool/memory/sources/counted_memory.hpp>
#include <tidepool/memory/sources/host_memory.hpp>

#include <gtest/gtest.h>

#include <cstddef>

namespace tp = tidepool;

namespace {

TEST(PyTorch95823, ABlockWastesLessThanTheGranularity)
{
    tp::pipe<tp::pooled, tp::host_memory> pool(tp::pool_options{.least_slab = 1 << 22, .granularity = 256});
    pool.deallocate_sync(pool.allocate_sync(1, 1), 1, 1);
    for (std::size_t bytes = 257; bytes <= (1U << 21U) + 1; bytes = 2 * bytes - 1) {
        const std::size_t before = pool.free_bytes();
        void* const pointer = pool.allocate_sync(bytes, 256);
        EXPECT_LT(before - pool.free_bytes(), bytes + 256) << bytes;
        pool.deallocate_sync(pointer, bytes, 256);
    }
}

}  // namespace
