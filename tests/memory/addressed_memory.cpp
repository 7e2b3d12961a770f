// Addresses without bytes: unique, never null, and a picture of fragmentation.

#include <tidepool/memory/sources/addressed_memory.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace tp = tidepool;

namespace {

TEST(AddressedMemory, GivesEachAddressOnce)
{
    tp::addressed_memory memory(1000);
    std::set<void*> addresses;
    while (void* const address = memory.try_allocate(1, 1)) {
        EXPECT_TRUE(addresses.insert(address).second);
        EXPECT_TRUE(memory.owns(address));
    }
    EXPECT_EQ(addresses.size(), 1000U);
    EXPECT_EQ(memory.available(), 0U);
    EXPECT_EQ(addresses.count(nullptr), 0U);
}

TEST(AddressedMemory, IsFullWhenNoHoleIsLongEnough)
{
    tp::addressed_memory memory(100);
    std::vector<void*> blocks;
    for (int i = 0; i < 10; ++i) {
        blocks.push_back(memory.allocate_sync(10, 1));
    }
    for (std::size_t i = 0; i < 10; i += 2) {
        memory.deallocate_sync(blocks[i], 10, 1);
    }
    EXPECT_EQ(memory.available(), 50U);
    EXPECT_EQ(memory.largest_hole(), 10U);
    try {
        (void)memory.allocate_sync(11, 1);
        FAIL() << "no hole has 11 bytes";
    } catch (const tp::tier_full& refused) {
        EXPECT_EQ(refused.available, 50U);
        EXPECT_EQ(refused.capacity, 100U);
    }
    for (std::size_t i = 1; i < 10; i += 2) {
        memory.deallocate_sync(blocks[i], 10, 1);
    }
    EXPECT_EQ(memory.largest_hole(), 100U);
}

TEST(AddressedMemory, HasTheSizeOfADeviceAndAligns)
{
    tp::addressed_memory memory(std::size_t{1} << 50U);
    ASSERT_NE(memory.allocate_sync(3, 1), nullptr);
    void* const aligned = memory.allocate_sync(std::size_t{1} << 45U, std::size_t{1} << 40U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(aligned) % (std::size_t{1} << 40U), 0U);
    EXPECT_THROW((void)memory.allocate_sync(1, std::size_t{1} << 41U), tp::bad_alignment);
    EXPECT_FALSE(memory.owns(nullptr));
}

}  // namespace
