// rapidsai/rmm#2116, #2342: the size was rounded up where the address should have been, and alignments above 256 were ignored.

#include <tidepool/memory/adaptors/aligned.hpp>
#include <tidepool/memory/adaptors/pooled.hpp>
#include <tidepool/memory/pipe.hpp>
#include <tidepool/memory/sources/host_memory.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tp = tidepool;

namespace {

/// Aligns to 16 at most, and starts 16 behind a multiple of 64 KiB: the worst that it may do.
class starts_at_odd_places {
public:
    using properties = tp::property_list<tp::host_accessible>;
    static constexpr std::size_t greatest_alignment() noexcept { return 16; }
    void* allocate_sync(std::size_t bytes, std::size_t alignment)
    {
        if (alignment > greatest_alignment()) {
            throw tp::bad_alignment("odd places", bytes, alignment, greatest_alignment());
        }
        return static_cast<std::byte*>(host_.allocate_sync(bytes + 16, 65536)) + 16;
    }
    void deallocate_sync(void* pointer, std::size_t bytes, std::size_t) noexcept
    {
        host_.deallocate_sync(static_cast<std::byte*>(pointer) - 16, bytes + 16, 65536);
    }
    friend bool operator==(const starts_at_odd_places&, const starts_at_odd_places&) noexcept { return true; }

private:
    tp::host_memory host_;
};

template <class Memory>
void expect_every_alignment(Memory& memory)
{
    for (std::size_t alignment = 1; alignment <= 65536; alignment *= 2) {
        std::vector<void*> blocks;
        for (const std::size_t bytes : {1U, 100U, 4097U}) {
            blocks.push_back(memory.allocate_sync(bytes, alignment));
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(blocks.back()) % alignment, 0U) << bytes << " at " << alignment;
        }
        std::size_t which = 0;
        for (const std::size_t bytes : {1U, 100U, 4097U}) {
            memory.deallocate_sync(blocks[which++], bytes, alignment);
        }
    }
}

TEST(Rmm2116, TheAddressIsAligned)
{
    tp::pipe<tp::aligned, starts_at_odd_places> memory;
    expect_every_alignment(memory);
    tp::pipe<tp::pooled, tp::aligned, starts_at_odd_places> pool;
    expect_every_alignment(pool);
}

TEST(Rmm2116, WhatCannotBeAlignedIsRefused)
{
    tp::pipe<tp::pooled, starts_at_odd_places> pool;
    EXPECT_THROW(static_cast<void>(pool.allocate_sync(100, 512)), tp::bad_alignment);
}

}  // namespace
