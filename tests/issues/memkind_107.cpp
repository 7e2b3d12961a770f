// memkind 107: a directory that is not DAX was taken without a word. It is taken, and says so.

#include <tidepool/core/units.hpp>
#include <tidepool/memory/sources/pmem_memory.hpp>

#include "../memory/scratch_folder.hpp"

#include <gtest/gtest.h>
#include <memkind.h>

namespace tp = tidepool;
using namespace tp::literals;

namespace {

TEST(Memkind107, ADirectorySaysWhetherItIsDax)
{
    const testing_memory::scratch_folder folder;
    EXPECT_EQ(tp::pmem_memory(folder.path(), 16_MiB).is_dax(), memkind_check_dax_path(folder.path().c_str()) == 0);
}

TEST(Memkind107, ADiskInMemoryIsNot)
{
    const testing_memory::small_disk disk(24);
    if (!disk.why_not().empty()) {
        GTEST_SKIP() << disk.why_not();
    }
    EXPECT_FALSE(tp::pmem_memory(disk.path(), 16_MiB).is_dax());
}

}  // namespace
