// Kinds of memory: what this machine has gives bytes, what it does not have says which kind that is.

#include <tidepool/memory/sources/memkind_memory.hpp>

#include <gtest/gtest.h>
#include <memkind.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

namespace tp = tidepool;

namespace {

void expect_bytes(tp::memkind_memory& memory)
{
    for (std::size_t alignment = 1; alignment <= 1U << 21U; alignment *= 2) {
        void* const block = memory.allocate_sync(100, alignment);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0U);
        std::memset(block, 1, 100);
        memory.deallocate_sync(block, 100, alignment);
    }
}

void expect_named(tp::memkind_memory& memory)
{
    EXPECT_EQ(memory.try_allocate(100, 8), nullptr);
    try {
        (void)memory.allocate_sync(100, 8);
        FAIL() << memory.kind_name() << " is not available, and gave bytes";
    } catch (const tp::kind_unavailable& refused) {
        EXPECT_STREQ(refused.resource, memory.kind_name());
        EXPECT_EQ(refused.bytes, 100U);
        EXPECT_NE(refused.status, 0);
    }
}

TEST(MemkindMemory, EachKindGivesBytesOrSaysItsName)
{
    int available = 0;
    for (std::size_t i = 0; i < std::size(tp::detail::known_kinds); ++i) {
        tp::memkind_memory memory(static_cast<tp::memkind_kind>(i));
        SCOPED_TRACE(memory.kind_name());
        EXPECT_EQ(memory.is_available(), memkind_check_available(*tp::detail::known_kinds[i].handle) == 0);
        if (memory.is_available()) {
            expect_bytes(memory);
            ++available;
        } else {
            expect_named(memory);
        }
    }
    EXPECT_GE(available, 1) << "MEMKIND_DEFAULT is everywhere";
}

TEST(MemkindMemory, NamesMatchKinds)
{
    EXPECT_STREQ(tp::memkind_memory(tp::memkind_kind::standard).kind_name(), "MEMKIND_DEFAULT");
    EXPECT_STREQ(tp::memkind_memory(tp::memkind_kind::hbw_interleave).kind_name(), "MEMKIND_HBW_INTERLEAVE");
    EXPECT_STREQ(tp::memkind_memory(tp::memkind_kind::dax_kmem).kind_name(), "MEMKIND_DAX_KMEM");
    EXPECT_STREQ(tp::memkind_memory(tp::memkind_kind::highest_capacity).kind_name(), "MEMKIND_HIGHEST_CAPACITY");
}

TEST(MemkindMemory, BytesComeFromTheKind)
{
    tp::memkind_memory memory(tp::memkind_kind::regular);
    if (!memory.is_available()) {
        GTEST_SKIP() << "this machine does not have MEMKIND_REGULAR";
    }
    void* const block = memory.allocate_sync(100, 8);
    EXPECT_EQ(memkind_detect_kind(block), MEMKIND_REGULAR);
    memory.deallocate_sync(block, 100, 8);
}

TEST(MemkindMemory, WhatNobodyHasIsOutOfMemory)
{
    tp::memkind_memory memory;
    try {
        (void)memory.allocate_sync(std::size_t{1} << 60U, 64);
        FAIL() << "nobody has an exbibyte";
    } catch (const tp::out_of_memory& refused) {
        EXPECT_STREQ(refused.resource, "MEMKIND_DEFAULT");
        EXPECT_EQ(refused.bytes, std::size_t{1} << 60U);
    }
    EXPECT_TRUE(memory == tp::memkind_memory());
    EXPECT_FALSE(memory == tp::memkind_memory(tp::memkind_kind::hbw));
}

}  // namespace
