// memkind 634: memkind_free without a kind looks the kind up, and crashes for what is none of its own. The kind is always passed:
// a memkind_free in front of memkind's sees it here.

#include <tidepool/core/units.hpp>
#include <tidepool/memory/sources/memkind_memory.hpp>
#include <tidepool/memory/sources/pmem_memory.hpp>

#include "../memory/scratch_folder.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <memkind.h>

#include <vector>

namespace tp = tidepool;
using namespace tp::literals;

namespace {

std::vector<memkind_t> freed_with;

}  // namespace

/// In front of memkind's own, which it calls.
extern "C" void memkind_free(memkind_t kind, void* pointer)
{
    freed_with.push_back(kind);
    static const auto next = reinterpret_cast<void (*)(memkind_t, void*)>(::dlsym(RTLD_NEXT, "memkind_free"));
    next(kind, pointer);
}

namespace {

TEST(Memkind634, TheKindIsPassed)
{
    freed_with.clear();
    tp::memkind_memory standard;
    standard.deallocate_sync(standard.allocate_sync(100, 8), 100, 8);
    const testing_memory::scratch_folder folder;
    tp::pmem_memory heap(folder.path(), 16_MiB);
    void* const block = heap.allocate_sync(100, 8);
    memkind_t const kind = memkind_detect_kind(block);
    heap.deallocate_sync(block, 100, 8);
    EXPECT_EQ(freed_with, (std::vector<memkind_t>{MEMKIND_DEFAULT, kind}));
}

}  // namespace
