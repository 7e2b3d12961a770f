// memkind 216: 20 MiB, 1 KiB, then 20 MiB again in a heap of 32 MiB. The last may fail although 11 MiB more are free: then it says
// that the tier is full and with which numbers, and the promised capacity for such blocks is kept from an empty heap.

#include <tidepool/core/units.hpp>
#include <tidepool/memory/sources/mapped_file_memory.hpp>
#include <tidepool/memory/sources/pmem_memory.hpp>

#include "../memory/scratch_folder.hpp"

#include <gtest/gtest.h>

#include <cstddef>

namespace tp = tidepool;
using namespace tp::literals;

namespace {

constexpr std::size_t large = 20U << 20U;
constexpr std::size_t small = 1024;

TEST(Memkind216, TheHeapIsHonest)
{
    const testing_memory::scratch_folder folder;
    tp::pmem_memory memory(folder.path(), 32_MiB);
    EXPECT_EQ(memory.usable_capacity(large), large);
    void* const first = memory.allocate_sync(large, 64);
    memory.deallocate_sync(first, large, 64);
    void* const between = memory.allocate_sync(small, 64);
    try {
        void* const again = memory.allocate_sync(large, 64);
        memory.deallocate_sync(again, large, 64);
    } catch (const tp::filesystem_full&) {
        FAIL() << "the filesystem has room";
    } catch (const tp::tier_full& refused) {
        EXPECT_EQ(refused.available, memory.capacity() - small);
    }
    memory.deallocate_sync(between, small, 64);
    EXPECT_EQ(memory.available(), memory.capacity());
}

TEST(Memkind216, TheMappedFileManages)
{
    const testing_memory::scratch_folder folder;
    tp::mapped_file_memory memory(folder.path(), 32_MiB);
    void* const first = memory.allocate_sync(large, 64);
    memory.deallocate_sync(first, large, 64);
    void* const between = memory.allocate_sync(small, 64);
    EXPECT_NE(memory.try_allocate(large, 64), nullptr);
    EXPECT_TRUE(memory.owns(between));
}

}  // namespace
