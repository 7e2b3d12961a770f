// daos 700, pmemfile 240: a disk that is full was reported as if the process had no memory. Here it is a full filesystem below a
// tier that has room, with the numbers of both.

#include <tidepool/core/units.hpp>
#include <tidepool/memory/directory_error.hpp>
#include <tidepool/memory/sources/mapped_file_memory.hpp>
#include <tidepool/memory/sources/pmem_memory.hpp>

#include "../memory/scratch_folder.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <vector>

namespace tp = tidepool;
using namespace tp::literals;

namespace {

constexpr std::size_t mib = 1U << 20U;

/// Fills `memory`, which is larger than its disk of 48 MiB, in blocks that are written to.
template <class Memory>
void fill_the_disk(Memory& memory)
{
    std::vector<void*> blocks;
    try {
        for (;;) {
            blocks.push_back(memory.allocate_sync(mib, 64));
            std::memset(blocks.back(), 1, mib);
        }
    } catch (const tp::filesystem_full& refused) {
        EXPECT_LT(refused.filesystem_available, 2 * mib);
        EXPECT_EQ(refused.capacity, memory.capacity());
        EXPECT_EQ(refused.available, memory.capacity() - blocks.size() * mib);
        EXPECT_EQ(refused.bytes, mib);
    }
    EXPECT_GE(blocks.size(), 36U);
    EXPECT_LE(blocks.size(), 48U);
    for (void* const block : blocks) {
        memory.deallocate_sync(block, mib, 64);
    }
    EXPECT_NE(memory.try_allocate(mib, 64), nullptr) << "what was given back can be had again";
}

TEST(Daos700, PmemOnAFullDisk)
{
    const testing_memory::small_disk disk(48);
    if (!disk.why_not().empty()) {
        GTEST_SKIP() << disk.why_not();
    }
    tp::pmem_memory memory(disk.path(), 256_MiB);
    fill_the_disk(memory);
}

TEST(Daos700, AMappedFileThatGrowsOnAFullDisk)
{
    const testing_memory::small_disk disk(48);
    if (!disk.why_not().empty()) {
        GTEST_SKIP() << disk.why_not();
    }
    tp::mapped_file_memory memory(disk.path(), 256_MiB, 1_MiB);
    fill_the_disk(memory);
}

TEST(Daos700, AMappedFileThatDoesNotFitIsNotMade)
{
    const testing_memory::small_disk disk(48);
    if (!disk.why_not().empty()) {
        GTEST_SKIP() << disk.why_not();
    }
    try {
        tp::mapped_file_memory memory(disk.path(), 64_MiB);
        FAIL() << "64 MiB on a disk of 48";
    } catch (const tp::directory_error& refused) {
        EXPECT_EQ(refused.code, ENOSPC);
        EXPECT_EQ(refused.path(), disk.path());
    }
    EXPECT_NO_THROW(tp::mapped_file_memory(disk.path(), 40_MiB)) << "the refused file must be gone";
}

}  // namespace
