// A heap on a directory: its blocks, its numbers, what it refuses and how.

#include <tidepool/core/units.hpp>
#include <tidepool/memory/directory_error.hpp>
#include <tidepool/memory/sources/pmem_memory.hpp>

#include "scratch_folder.hpp"

#include <gtest/gtest.h>
#include <memkind.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <type_traits>
#include <vector>

namespace tp = tidepool;
using namespace tp::literals;
using testing_memory::scratch_folder;

namespace {

constexpr std::size_t mib = 1U << 20U;

static_assert(!std::is_move_constructible_v<tp::pmem_memory>);

/// Blocks of a size until there are no more.
std::size_t fill(tp::pmem_memory& memory, std::size_t block)
{
    std::size_t bytes = 0;
    while (memory.try_allocate(block, 64) != nullptr) {
        bytes += block;
    }
    return bytes;
}

TEST(PmemMemory, GivesAlignedBytesOfItsKindAndTakesThemBack)
{
    const scratch_folder folder;
    tp::pmem_memory memory(folder.path(), 32_MiB);
    EXPECT_TRUE(folder.is_empty()) << "the file has no name";
    EXPECT_EQ(memory.capacity(), 32 * mib);
    for (std::size_t alignment = 1; alignment <= 2 * mib; alignment *= 2) {
        void* const block = memory.allocate_sync(1000, alignment);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0U);
        EXPECT_NE(memkind_detect_kind(block), MEMKIND_DEFAULT);
        EXPECT_EQ(memory.available(), 32 * mib - 1000);
        std::memset(block, 1, 1000);
        memory.deallocate_sync(block, 1000, alignment);
    }
    EXPECT_EQ(memory.available(), 32 * mib);
    EXPECT_THROW((void)memory.allocate_sync(1, 4 * mib), tp::bad_alignment);
}

TEST(PmemMemory, SaysHowMuchIsLeft)
{
    const scratch_folder folder;
    tp::pmem_memory memory(folder.path(), 16_MiB);
    void* const block = memory.allocate_sync(4 * mib, 64);
    try {
        (void)memory.allocate_sync(15 * mib, 64);
        FAIL() << "19 MiB of 16";
    } catch (const tp::filesystem_full&) {
        FAIL() << "the filesystem has room";
    } catch (const tp::tier_full& refused) {
        EXPECT_EQ(refused.bytes, 15 * mib);
        EXPECT_EQ(refused.capacity, 16 * mib);
        EXPECT_EQ(refused.available, 12 * mib);
        EXPECT_STREQ(refused.resource, "memkind PMEM");
    }
    memory.deallocate_sync(block, 4 * mib, 64);
}

TEST(PmemMemory, RefusesToBeTooSmall)
{
    const scratch_folder folder;
    try {
        tp::pmem_memory memory(folder.path(), 16_MiB - 1);
        FAIL() << "memkind makes none below 16 MiB";
    } catch (const tp::heap_too_small& refused) {
        EXPECT_EQ(refused.asked, 16 * mib - 1);
        EXPECT_EQ(refused.least, 16 * mib);
    }
    EXPECT_NO_THROW(tp::pmem_memory(folder.path(), 16_MiB));
}

TEST(PmemMemory, UsableCapacityIsWhatMemkindHandsOut)
{
    const scratch_folder folder;
    for (const tp::byte_count size : {16_MiB, 64_MiB}) {
        for (const std::size_t block : {65536U, 1U << 20U, 1100000U, 3U << 20U, 8U << 20U}) {
            tp::pmem_memory memory(folder.path(), size);
            const std::size_t promised = memory.usable_capacity(block);
            const std::size_t got = fill(memory, block);
            EXPECT_GE(got + mib / 8, promised) << size << " in blocks of " << block;
            EXPECT_LE(got, promised + promised / 20) << size << " in blocks of " << block;
            EXPECT_LE(promised, memory.capacity());
        }
    }
}

TEST(PmemMemory, AMebibyteIsTheBlockToGoBy)
{
    const scratch_folder folder;
    tp::pmem_memory memory(folder.path(), 64_MiB);
    EXPECT_EQ(memory.usable_capacity(), 53 * mib);
    EXPECT_EQ(fill(memory, mib), 53 * mib);
}

TEST(PmemMemory, NamesTheDirectoryThatCannotHoldIt)
{
    const scratch_folder folder;
    try {
        tp::pmem_memory memory(folder.path() + "/missing", 16_MiB);
        FAIL() << "there is no such directory";
    } catch (const tp::directory_error& refused) {
        EXPECT_EQ(refused.path(), folder.path() + "/missing");
        EXPECT_EQ(refused.code, ENOENT);
        EXPECT_EQ(std::string(refused.what()).find('\n'), std::string::npos);
    }
}

TEST(PmemMemory, IsRefusedWhereItMayNotWrite)
{
    const scratch_folder folder;
    ASSERT_EQ(::chmod(folder.path().c_str(), S_IRUSR | S_IXUSR), 0);
    const int status = testing_memory::status_as_nobody([&folder] {
        try {
            tp::pmem_memory memory(folder.path(), 16_MiB);
        } catch (const tp::directory_error& refused) {
            return refused.code;
        }
        return 0;
    });
    EXPECT_EQ(status, EACCES);
}

TEST(PmemMemory, IsRefusedWhereNoHolesCanBePunched)
{
    const testing_memory::small_disk disk(32, "ramfs");
    if (!disk.why_not().empty()) {
        GTEST_SKIP() << disk.why_not();
    }
    try {
        tp::pmem_memory memory(disk.path(), 16_MiB);
        FAIL() << "memkind would end the program when a block is given back";
    } catch (const tp::directory_error& refused) {
        EXPECT_STREQ(refused.operation, "punch a hole into a file");
        EXPECT_EQ(refused.code, EOPNOTSUPP);
    }
}

TEST(PmemMemory, OutlivesItsDirectory)
{
    const scratch_folder folder;
    const std::string directory = folder.path() + "/vanishes";
    std::filesystem::create_directory(directory);
    tp::pmem_memory memory(directory, 16_MiB);
    ASSERT_TRUE(std::filesystem::remove(directory));
    void* const block = memory.allocate_sync(4 * mib, 64);
    std::memset(block, 1, 4 * mib);
    memory.deallocate_sync(block, 4 * mib, 64);
    EXPECT_THROW(tp::pmem_memory(directory, 16_MiB), tp::directory_error);
}

}  // namespace
