// memkind 72: the number of kinds is bounded by jemalloc's arenas. The one too many is an error; those before it work on, and
// their places are free again when they go.

#include <tidepool/core/units.hpp>
#include <tidepool/memory/sources/pmem_memory.hpp>

#include "../memory/scratch_folder.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <memory>
#include <vector>

namespace tp = tidepool;
using namespace tp::literals;

namespace {

std::ptrdiff_t open_files()
{
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
}

TEST(Memkind72, TheKindTooManyIsAnError)
{
    const testing_memory::scratch_folder folder;
    ::setenv("MEMKIND_ARENA_NUM_PER_KIND", "128", 1);  // as on a machine of 32 processors: the bound comes sooner
    const std::ptrdiff_t files = open_files();
    std::vector<std::unique_ptr<tp::pmem_memory>> heaps;
    bool refused = false;
    try {
        while (heaps.size() < 600) {  // MEMKIND_MAX_KIND is 512
            heaps.push_back(std::make_unique<tp::pmem_memory>(folder.path(), 16_MiB));
        }
    } catch (const tp::kind_not_made& error) {
        refused = true;
        EXPECT_LT(error.status, 0);
    }
    EXPECT_TRUE(refused);
    ASSERT_GE(heaps.size(), 2U);
    for (const auto& heap : heaps) {
        void* const block = heap->allocate_sync(1000, 64);
        std::memset(block, 1, 1000);
        heap->deallocate_sync(block, 1000, 64);
    }
    heaps.clear();
    EXPECT_EQ(open_files(), files);
    EXPECT_NO_THROW(tp::pmem_memory(folder.path(), 16_MiB));
    ::unsetenv("MEMKIND_ARENA_NUM_PER_KIND");
}

}  // namespace
