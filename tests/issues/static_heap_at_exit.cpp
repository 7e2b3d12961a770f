// exit() with live static heaps: they are destroyed in order, their blocks with them, and nothing is left on the disk.

#include <tidepool/core/units.hpp>
#include <tidepool/memory/sources/mapped_file_memory.hpp>
#include <tidepool/memory/sources/memkind_memory.hpp>
#include <tidepool/memory/sources/pmem_memory.hpp>

#include "../memory/scratch_folder.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>

namespace tp = tidepool;
using namespace tp::literals;

namespace {

template <class Memory>
[[noreturn]] void exit_with_live_blocks(const std::string& directory)
{
    static Memory memory(directory, 16_MiB);
    static void* const block = memory.allocate_sync(1U << 20U, 64);
    std::memset(block, 1, 1U << 20U);
    std::exit(0);
}

TEST(StaticHeapAtExit, Pmem)
{
    const testing_memory::scratch_folder folder;
    EXPECT_EXIT(exit_with_live_blocks<tp::pmem_memory>(folder.path()), testing::ExitedWithCode(0), "^$");
    EXPECT_TRUE(folder.is_empty());
}

TEST(StaticHeapAtExit, MappedFile)
{
    const testing_memory::scratch_folder folder;
    EXPECT_EXIT(exit_with_live_blocks<tp::mapped_file_memory>(folder.path()), testing::ExitedWithCode(0), "^$");
    EXPECT_TRUE(folder.is_empty());
}

TEST(StaticHeapAtExit, AKind)
{
    EXPECT_EXIT(
        {
            static tp::memkind_memory memory;
            static void* const block = memory.allocate_sync(1000, 64);
            std::memset(block, 1, 1000);
            std::exit(0);
        },
        testing::ExitedWithCode(0), "^$");
}

}  // namespace
