#pragma once

// The conformance suite of `memory_resource` and its refinements. A fixture is a default-constructible class whose member `memory`
// is the resource; of what it models, everything is tested:
//
//   struct my_fixture { my_memory memory{64_MiB}; };
//   INSTANTIATE_TYPED_TEST_SUITE_P(MyMemory, Resource, my_fixture);
//
// Optional members of a fixture: `static std::string unavailable()`: why the tests must be skipped here ("" if they need not);
// `static constexpr bool gives_all = false` where the last byte of the capacity cannot be had in one piece.

#include "traffic.hpp"

#include <tidepool/memory/alignment_bounded_resource.hpp>
#include <tidepool/memory/bounded_resource.hpp>
#include <tidepool/memory/errors.hpp>
#include <tidepool/memory/fallible_resource.hpp>
#include <tidepool/memory/owning_resource.hpp>
#include <tidepool/memory/properties.hpp>
#include <tidepool/memory/stream_ordered_resource.hpp>
#include <tidepool/memory/trimmable_resource.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace testing_conformance {

template <class Fixture>
class Resource : public testing::Test {
protected:
    using resource = std::remove_reference_t<decltype(std::declval<Fixture&>().memory)>;

    void SetUp() override
    {
        if constexpr (requires { Fixture::unavailable(); }) {
            if (const std::string why = Fixture::unavailable(); !why.empty()) {
                GTEST_SKIP() << why;
            }
        }
    }
    static constexpr bool gives_all()
    {
        if constexpr (requires { Fixture::gives_all; }) {
            return Fixture::gives_all;
        } else {
            return true;
        }
    }
    /// What is left; 0 where nobody knows.
    static std::size_t left_in(const resource& memory)
    {
        if constexpr (tidepool::bounded_resource<resource>) {
            return memory.available();
        } else {
            return 0;
        }
    }
    /// Made when a test asks for it, so that a test that is skipped makes nothing.
    static Fixture make() { return Fixture(); }
};

TYPED_TEST_SUITE_P(Resource);

TYPED_TEST_P(Resource, GivesNullForZeroBytesAndTakesItBack)
{
    TypeParam fixture;
    auto& memory = fixture.memory;
    const std::size_t before = this->left_in(memory);
    for (const std::size_t alignment : {1U, 8U, 64U}) {
        void* const first = memory.allocate_sync(0, alignment);
        void* const second = memory.allocate_sync(0, alignment);
        EXPECT_EQ(first, nullptr);
        EXPECT_EQ(second, nullptr);
        memory.deallocate_sync(first, 0, alignment);
        memory.deallocate_sync(second, 0, alignment);
    }
    EXPECT_EQ(this->left_in(memory), before);
}

TYPED_TEST_P(Resource, AlignsOrSaysThatItCannot)
{
    TypeParam fixture;
    auto& memory = fixture.memory;
    using memory_type = typename TestFixture::resource;
    std::size_t given = 0;
    for (std::size_t alignment = 1; alignment <= 65536; alignment *= 2) {
        for (const std::size_t bytes : {std::size_t{1}, alignment, alignment + 1, std::max<std::size_t>(alignment, 2) - 1}) {
            SCOPED_TRACE(std::to_string(bytes) + " bytes at " + std::to_string(alignment));
            try {
                void* const pointer = memory.allocate_sync(bytes, alignment);
                given = alignment;
                ASSERT_NE(pointer, nullptr);
                EXPECT_TRUE(is_aligned(pointer, alignment));
                mark<memory_type>(pointer, bytes, 7);
                memory.deallocate_sync(pointer, bytes, alignment);
            } catch (const tidepool::bad_alignment& refused) {
                EXPECT_EQ(refused.alignment, alignment);
                EXPECT_LT(refused.greatest, alignment);
                EXPECT_LT(given, alignment) << "less was given than is refused";
            }
        }
    }
    EXPECT_GE(given, alignof(std::max_align_t));
    if constexpr (tidepool::alignment_bounded_resource<memory_type>) {
        EXPECT_GE(memory.greatest_alignment(), given);
    }
}

TYPED_TEST_P(Resource, RefusesAlignmentsThatAreNone)
{
    TypeParam fixture;
    auto& memory = fixture.memory;
    const std::size_t before = this->left_in(memory);
    for (const std::size_t alignment : {std::size_t{0}, std::size_t{3}, std::size_t{48}, std::numeric_limits<std::size_t>::max()}) {
        EXPECT_THROW(static_cast<void>(memory.allocate_sync(8, alignment)), tidepool::bad_alignment) << alignment;
    }
    EXPECT_EQ(this->left_in(memory), before);
}

TYPED_TEST_P(Resource, RefusesMoreThanThereCanBe)
{
    TypeParam fixture;
    auto& memory = fixture.memory;
    const std::size_t before = this->left_in(memory);
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
    for (std::size_t alignment = 1; alignment <= 256; alignment *= 4) {
        for (const std::size_t bytes : {most, most - 1, most - alignment, most - alignment + 1, most / 2 + 1}) {
            SCOPED_TRACE(std::to_string(bytes) + " bytes at " + std::to_string(alignment));
            try {
                static_cast<void>(memory.allocate_sync(bytes, alignment));
                ADD_FAILURE() << "was given";
            } catch (const tidepool::out_of_memory& refused) {
                EXPECT_GE(refused.bytes, bytes);
                EXPECT_NE(std::string(refused.what()), "");
            }
            if constexpr (tidepool::fallible_resource<typename TestFixture::resource>) {
                EXPECT_EQ(memory.try_allocate(bytes, alignment), nullptr);
            }
        }
    }
    EXPECT_EQ(this->left_in(memory), before);
    void* const pointer = memory.allocate_sync(100, 8);
    EXPECT_NE(pointer, nullptr) << "what was refused does no harm";
    memory.deallocate_sync(pointer, 100, 8);
}

TYPED_TEST_P(Resource, KeepsBlocksApart)
{
    TypeParam fixture;
    auto& memory = fixture.memory;
    using memory_type = typename TestFixture::resource;
    std::vector<void*> blocks;
    for (unsigned i = 0; i < 200; ++i) {
        blocks.push_back(memory.allocate_sync(1 + i, 8));
        mark<memory_type>(blocks.back(), 1 + i, i);
    }
    if constexpr (has_bytes<memory_type>) {
        std::map<std::uintptr_t, std::size_t> ends;
        for (unsigned i = 0; i < blocks.size(); ++i) {
            ends[reinterpret_cast<std::uintptr_t>(blocks[i])] = 1 + i;
        }
        ASSERT_EQ(ends.size(), blocks.size());
        std::uintptr_t end = 0;
        for (const auto& [begin, bytes] : ends) {
            EXPECT_GE(begin, end);
            end = begin + bytes;
        }
    }
    for (unsigned i = 0; i < blocks.size(); ++i) {
        EXPECT_TRUE(is_marked<memory_type>(blocks[i], 1 + i, i));
        memory.deallocate_sync(blocks[i], 1 + i, 8);
    }
}

TYPED_TEST_P(Resource, SurvivesRandomTraffic)
{
    TypeParam fixture;
    const std::size_t before = this->left_in(fixture.memory);
    for (const unsigned seed : {1U, 2U, 3U}) {
        EXPECT_TRUE(survives_random_traffic(fixture.memory, seed, 3'000, 5'000, 100)) << "seed " << seed;
    }
    EXPECT_GE(this->left_in(fixture.memory), this->gives_all() ? before : before - before / 100);
}

TYPED_TEST_P(Resource, TriesWithoutThrowing)
{
    if constexpr (tidepool::fallible_resource<typename TestFixture::resource>) {
        TypeParam fixture;
        auto& memory = fixture.memory;
        EXPECT_EQ(memory.try_allocate(0, 8), nullptr);
        EXPECT_EQ(memory.try_allocate(8, 3), nullptr);
        void* const pointer = memory.try_allocate(1000, 64);
        ASSERT_NE(pointer, nullptr);
        EXPECT_TRUE(is_aligned(pointer, 64));
        mark<typename TestFixture::resource>(pointer, 1000, 1);
        memory.deallocate_sync(pointer, 1000, 64);
    } else {
        GTEST_SKIP() << "it is no fallible_resource";
    }
}

TYPED_TEST_P(Resource, OwnsWhatIsLive)
{
    if constexpr (tidepool::owning_resource<typename TestFixture::resource>) {
        TypeParam fixture;
        auto& memory = fixture.memory;
        int foreign = 0;
        EXPECT_FALSE(memory.owns(nullptr));
        EXPECT_FALSE(memory.owns(&foreign));
        void* const pointer = memory.allocate_sync(4096, 16);
        EXPECT_TRUE(memory.owns(pointer));
        EXPECT_FALSE(memory.owns(&foreign));
        EXPECT_FALSE(memory.owns(reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(pointer) + 1)));
        memory.deallocate_sync(pointer, 4096, 16);
        EXPECT_FALSE(memory.owns(pointer));
    } else {
        GTEST_SKIP() << "it is no owning_resource";
    }
}

TYPED_TEST_P(Resource, KnowsWhatIsLeft)
{
    if constexpr (tidepool::bounded_resource<typename TestFixture::resource>) {
        TypeParam fixture;
        auto& memory = fixture.memory;
        const std::size_t all = memory.available();
        EXPECT_LE(all, memory.capacity());
        EXPECT_THROW(static_cast<void>(memory.allocate_sync(all + 1, 1)), tidepool::out_of_memory);
        EXPECT_EQ(memory.available(), all);
        void* const pointer = memory.allocate_sync(10'000, 8);
        EXPECT_LE(memory.available(), all - 10'000);
        memory.deallocate_sync(pointer, 10'000, 8);
        EXPECT_EQ(memory.available(), all);
    } else {
        GTEST_SKIP() << "it is no bounded_resource";
    }
}

TYPED_TEST_P(Resource, GivesAllInOnePieceAfterItWasInManyPieces)
{
    if constexpr (tidepool::bounded_resource<typename TestFixture::resource>) {
        TypeParam fixture;
        auto& memory = fixture.memory;
        if (memory.capacity() > (std::size_t{1} << 30U)) {
            GTEST_SKIP() << "too large to fill";
        }
        const std::size_t all = memory.available();
        const std::size_t piece = all / 50 / 256 * 256;
        for (int round = 0; round < 2; ++round) {
            std::vector<void*> pieces;
            try {
                for (;;) {
                    pieces.push_back(memory.allocate_sync(piece, 256));
                }
            } catch (const tidepool::out_of_memory&) {
                EXPECT_GE(pieces.size(), this->gives_all() ? 48U : 30U);
            }
            for (const std::size_t first : {std::size_t{0}, std::size_t{1}}) {
                for (std::size_t i = first; i < pieces.size(); i += 2) {
                    memory.deallocate_sync(pieces[i], piece, 256);
                }
            }
        }
        EXPECT_EQ(memory.available(), all);
        const std::size_t whole = this->gives_all() ? all : piece;
        void* const pointer = memory.allocate_sync(whole, 1);
        EXPECT_NE(pointer, nullptr);
        memory.deallocate_sync(pointer, whole, 1);
    } else {
        GTEST_SKIP() << "it is no bounded_resource";
    }
}

TYPED_TEST_P(Resource, GivesBackItsReserve)
{
    if constexpr (tidepool::trimmable_resource<typename TestFixture::resource>) {
        TypeParam fixture;
        auto& memory = fixture.memory;
        void* const kept = memory.allocate_sync(1000, 8);
        mark<typename TestFixture::resource>(kept, 1000, 5);
        std::vector<void*> gone;
        for (int i = 0; i < 500; ++i) {
            gone.push_back(memory.allocate_sync(10'000, 8));
        }
        for (void* const pointer : gone) {
            memory.deallocate_sync(pointer, 10'000, 8);
        }
        EXPECT_GE(memory.trim_to(0), 4'000'000U);
        EXPECT_EQ(memory.trim_to(0), 0U) << "there is nothing left to give back";
        EXPECT_TRUE(is_marked<typename TestFixture::resource>(kept, 1000, 5));
        memory.deallocate_sync(kept, 1000, 8);
        static_cast<void>(memory.trim_to(0));
        EXPECT_TRUE(survives_random_traffic(memory, 1, 500, 5'000, 50)) << "it takes again what it needs";
    } else {
        GTEST_SKIP() << "it is no trimmable_resource";
    }
}

/// In one stream, with the default one and without.
TYPED_TEST_P(Resource, TakesBackInStreamOrder)
{
    if constexpr (tidepool::stream_ordered_resource<typename TestFixture::resource>) {
        TypeParam fixture;
        auto& memory = fixture.memory;
        const tidepool::stream_view stream;
        EXPECT_EQ(memory.allocate(stream, 0, 8), nullptr);
        memory.deallocate(stream, nullptr, 0, 8);
        for (int round = 0; round < 3; ++round) {
            void* const first = memory.allocate(stream, 1000, 64);
            void* const second = memory.allocate_sync(1000, 64);
            EXPECT_TRUE(is_aligned(first, 64) && is_aligned(second, 64));
            memory.deallocate_sync(second, 1000, 64);
            memory.deallocate(stream, first, 1000, 64);
        }
        EXPECT_THROW(static_cast<void>(memory.allocate(stream, std::numeric_limits<std::size_t>::max(), 8)), tidepool::out_of_memory);
    } else {
        GTEST_SKIP() << "it is no stream_ordered_resource";
    }
}

/// What is equal takes back what the other gave.
TYPED_TEST_P(Resource, EqualsItsCopies)
{
    using memory_type = typename TestFixture::resource;
    TypeParam fixture;
    EXPECT_TRUE(fixture.memory == fixture.memory);
    EXPECT_FALSE(fixture.memory != fixture.memory);
    if constexpr (std::copy_constructible<memory_type>) {
        memory_type copy = fixture.memory;
        ASSERT_EQ(copy, fixture.memory);
        void* const first = copy.allocate_sync(100, 8);
        void* const second = fixture.memory.allocate_sync(100, 8);
        mark<memory_type>(first, 100, 1);
        mark<memory_type>(second, 100, 2);
        fixture.memory.deallocate_sync(first, 100, 8);
        copy.deallocate_sync(second, 100, 8);
        memory_type moved = std::move(copy);
        EXPECT_EQ(moved, fixture.memory);
    }
}

REGISTER_TYPED_TEST_SUITE_P(Resource, GivesNullForZeroBytesAndTakesItBack, AlignsOrSaysThatItCannot, RefusesAlignmentsThatAreNone,
                            RefusesMoreThanThereCanBe, KeepsBlocksApart, SurvivesRandomTraffic, TriesWithoutThrowing, OwnsWhatIsLive,
                            KnowsWhatIsLeft, GivesAllInOnePieceAfterItWasInManyPieces, GivesBackItsReserve, TakesBackInStreamOrder,
                            EqualsItsCopies);

}  // namespace testing_conformance
