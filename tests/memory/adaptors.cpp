// What each adaptor is for, beyond what holds of all of them (tests/conformance).

#include <tidepool/memory/adaptors/aligned.hpp>
#include <tidepool/memory/adaptors/fallback.hpp>
#include <tidepool/memory/adaptors/limited.hpp>
#include <tidepool/memory/adaptors/pooled.hpp>
#include <tidepool/memory/adaptors/retried.hpp>
#include <tidepool/memory/adaptors/statistics.hpp>
#include <tidepool/memory/adaptors/synchronised.hpp>
#include <tidepool/memory/adaptors/tracked.hpp>
#include <tidepool/memory/pipe.hpp>
#include <tidepool/memory/shared_resource.hpp>
#include <tidepool/memory/sources/counted_memory.hpp>
#include <tidepool/memory/sources/host_memory.hpp>
#include <tidepool/memory/testing/counting.hpp>
#include <tidepool/memory/testing/failing.hpp>
#include <tidepool/memory/testing/strict.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace tp = tidepool;
using testing::HasSubstr;
using testing::Not;

namespace {

TEST(Limited, RefusesWithTheNumbersAndAsksNobody)
{
    tp::pipe<tp::limited, tp::testing::counting, tp::host_memory> memory(100);
    void* const pointer = memory.allocate_sync(60, 8);
    try {
        static_cast<void>(memory.allocate_sync(41, 8));
        FAIL() << "the limit must refuse this";
    } catch (const tp::over_limit& refused) {
        EXPECT_EQ(refused.bytes, 41U);
        EXPECT_EQ(refused.used, 60U);
        EXPECT_EQ(refused.limit, 100U);
    }
    EXPECT_EQ(memory.try_allocate(41, 8), nullptr);
    EXPECT_EQ(memory.upstream().asked(), 1U);
    void* const rest = memory.try_allocate(40, 8);
    EXPECT_NE(rest, nullptr);
    EXPECT_EQ(memory.available(), 0U);
    memory.deallocate_sync(rest, 40, 8);
    memory.deallocate_sync(pointer, 60, 8);
    EXPECT_EQ(memory.available(), 100U);
}

TEST(Limited, TakesAnyIntegerForALimit)
{
    EXPECT_EQ((tp::pipe<tp::limited, tp::host_memory>(100).capacity()), 100U);
    EXPECT_EQ((tp::pipe<tp::limited, tp::host_memory>(std::size_t{100}).capacity()), 100U);
    EXPECT_EQ((tp::pipe<tp::limited, tp::host_memory>(-1).capacity()), 0U) << "less than nothing is nothing";
}

TEST(Pipe, SendsARequestThroughItsLayersInOrder)
{
    tp::pipe<tp::limited, tp::statistics, tp::counted_memory> limit_first(100, 50);
    EXPECT_THROW(static_cast<void>(limit_first.allocate_sync(101, 8)), tp::over_limit);
    EXPECT_EQ(limit_first.upstream().counts().refused, 0U) << "what the limit refuses does not reach the statistics";
    EXPECT_THROW(static_cast<void>(limit_first.allocate_sync(51, 8)), tp::tier_full);
    EXPECT_EQ(limit_first.upstream().counts().refused, 1U);
}

TEST(Statistics, CountWhatWasAsked)
{
    tp::pipe<tp::statistics, tp::testing::failing<tp::testing::fail_above>, tp::host_memory> memory(tp::testing::fail_above(100));
    void* const first = memory.allocate_sync(60, 8);
    void* const second = memory.allocate_sync(100, 8);
    EXPECT_THROW(static_cast<void>(memory.allocate_sync(101, 8)), tp::out_of_memory);
    EXPECT_EQ(memory.try_allocate(101, 8), nullptr);
    memory.deallocate_sync(first, 60, 8);
    EXPECT_EQ(memory.counts(),
              (tp::allocation_counts{.bytes = 100, .blocks = 1, .peak_bytes = 160, .allocations = 2, .allocated = 160, .refused = 2}));
    memory.reset_peak();
    EXPECT_EQ(memory.counts().peak_bytes, 100U);
    memory.deallocate_sync(second, 100, 8);
    EXPECT_EQ(memory.counts().bytes, 0U);
    EXPECT_EQ(memory.counts().blocks, 0U);
}

TEST(Tracked, NamesWhatIsLeftAndWhereItWasAskedFor)
{
    testing::internal::CaptureStderr();
    {
        tp::host_memory host;
        void* lost = nullptr;
        {
            tp::pipe<tp::tracked, tp::host_memory> memory;
            const tp::allocation_label outer("forward");
            void* kept = nullptr;
            {
                const tp::allocation_label inner("forward: conv1");
                lost = memory.allocate_sync(12345, 64);
            }
            kept = memory.allocate_sync(54321, 64);
            memory.deallocate_sync(kept, 54321, 64);
            EXPECT_EQ(memory.live(), 1U);
        }
        host.deallocate_sync(lost, 12345, 64);
    }
    const std::string report = testing::internal::GetCapturedStderr();
    EXPECT_THAT(report, HasSubstr("12345 bytes"));
    EXPECT_THAT(report, HasSubstr("forward: conv1"));
    EXPECT_THAT(report, Not(HasSubstr("54321")));
    EXPECT_THAT(report, HasSubstr("[0x")) << "addresses for addr2line";
}

TEST(Tracked, SaysNothingWhenAllCameBack)
{
    testing::internal::CaptureStderr();
    {
        tp::pipe<tp::tracked, tp::host_memory> memory;
        memory.deallocate_sync(memory.allocate_sync(100, 8), 100, 8);
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Tracked, ReportsMisuseAndKeepsItFromItsUpstream)
{
    testing::internal::CaptureStderr();
    {
        tp::pipe<tp::tracked, tp::testing::strict, tp::host_memory> memory;  // strict would abort
        int foreign = 0;
        memory.deallocate_sync(&foreign, 4, 4);
        EXPECT_EQ(memory.misuses(), 1U);
        void* const pointer = memory.allocate_sync(100, 8);
        memory.deallocate_sync(pointer, 99, 8);  // the block is 100 bytes
        EXPECT_EQ(memory.misuses(), 2U);
        memory.deallocate_sync(pointer, 100, 8);  // once more
        EXPECT_EQ(memory.misuses(), 3U);
    }
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("not live"));
}

TEST(Strict, EndsTheProgramOnMisuse)
{
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    using memory = tp::pipe<tp::testing::strict, tp::host_memory>;
    int foreign = 0;
    EXPECT_DEATH({ memory().deallocate_sync(&foreign, 4, 4); }, "not live");
    EXPECT_DEATH(
        {
            memory m;
            m.deallocate_sync(m.allocate_sync(8, 8), 9, 8);
        },
        "another size");
    EXPECT_DEATH(
        {
            memory m;
            static_cast<void>(m.allocate_sync(8, 8));
        },
        "live when their resource is destroyed");
}

TEST(Fallback, UsesTheSecondWhenTheFirstIsFullAndGivesEachItsOwn)
{
    using first = tp::pipe<tp::tracked, tp::limited, tp::testing::strict, tp::host_memory>;
    using second = tp::pipe<tp::testing::counting, tp::testing::strict, tp::host_memory>;
    tp::pipe<tp::fallback_to<second>, first> memory(std::tuple{}, 100);
    void* const in_first = memory.allocate_sync(80, 8);
    void* const in_second = memory.allocate_sync(80, 8);
    EXPECT_EQ(memory.second().asked(), 1U);
    EXPECT_EQ(memory.upstream().live(), 1U);
    memory.deallocate_sync(in_first, 80, 8);
    EXPECT_EQ(memory.second().given_back(), 0U);
    memory.deallocate_sync(in_second, 80, 8);
    EXPECT_EQ(memory.second().given_back(), 1U);
    EXPECT_EQ(memory.upstream().live(), 0U);
}

TEST(Fallback, HasOnlyWhatBothHave)
{
    using chain = tp::pipe<tp::fallback_to<tp::counted_memory>, tp::tracked, tp::host_memory>;
    static_assert(!tp::has_property<chain, tp::host_accessible>, "the second's bytes are none");
    static_assert(!tp::owning_resource<chain>);
    SUCCEED();
}

/// Gives back what a test put aside.
class gives_up_blocks {
public:
    gives_up_blocks(std::size_t bytes, int* calls) : bytes_(bytes), calls_(calls) {}
    std::size_t operator()(std::size_t) noexcept
    {
        ++*calls_;
        return bytes_;
    }

private:
    std::size_t bytes_;
    int* calls_;
};

TEST(Retried, AsksAgainWhileTheHookMakesRoom)
{
    int calls = 0;
    using memory_type = tp::pipe<tp::retried_after<gives_up_blocks>, tp::testing::failing<tp::testing::fail_call>, tp::host_memory>;
    memory_type memory(gives_up_blocks(10, &calls), tp::testing::fail_call(1));
    void* const pointer = memory.allocate_sync(100, 8);
    EXPECT_NE(pointer, nullptr);
    EXPECT_EQ(calls, 1);
    memory.deallocate_sync(pointer, 100, 8);
}

TEST(Retried, EndsWhenTheHookHasNothingAndWhenItNeverHelps)
{
    int calls = 0;
    using memory_type = tp::pipe<tp::retried_after<gives_up_blocks, 5>, tp::counted_memory>;
    memory_type nothing(gives_up_blocks(0, &calls), 100);
    EXPECT_THROW(static_cast<void>(nothing.allocate_sync(101, 8)), tp::tier_full);
    EXPECT_EQ(calls, 1);
    calls = 0;
    memory_type never(gives_up_blocks(10, &calls), 100);
    EXPECT_THROW(static_cast<void>(never.allocate_sync(101, 8)), tp::tier_full);
    EXPECT_EQ(calls, 5) << "a hook that claims to help is believed five times";
    calls = 0;
    EXPECT_THROW(static_cast<void>(never.allocate_sync(8, 3)), tp::bad_alignment);
    EXPECT_EQ(calls, 0) << "room does not help with an alignment";
}

/// Gives addresses that are aligned to what was asked and to no more.
class barely_aligned {
public:
    static constexpr std::size_t greatest_alignment() noexcept { return 16; }
    void* allocate_sync(std::size_t bytes, std::size_t alignment)
    {
        if (alignment > greatest_alignment()) {
            throw tp::bad_alignment("barely", bytes, alignment, greatest_alignment());
        }
        taken_.emplace_back(new std::byte[bytes + 128 * 1024]);
        const auto address = reinterpret_cast<std::uintptr_t>(taken_.back().get());
        const std::uintptr_t odd = (address + 65536 + 65535) / 65536 * 65536 - 65536 + alignment;
        return reinterpret_cast<void*>(odd < address ? odd + 65536 : odd);
    }
    void deallocate_sync(void*, std::size_t, std::size_t) noexcept {}
    friend bool operator==(const barely_aligned& left, const barely_aligned& right) noexcept { return &left == &right; }

private:
    std::vector<std::unique_ptr<std::byte[]>> taken_;
};

TEST(Aligned, AlignsTheAddressAndNotTheSize)
{
    tp::pipe<tp::aligned_to<64>, barely_aligned> memory;
    for (std::size_t alignment = 1; alignment <= 65536; alignment *= 2) {
        void* const pointer = memory.allocate_sync(100, alignment);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pointer) % alignment, 0U) << alignment;
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pointer) % 64, 0U) << alignment;
        memory.deallocate_sync(pointer, 100, alignment);
    }
}

TEST(Pooled, AsksSeldomAndServesManyFromIt)
{
    tp::pipe<tp::pooled, tp::testing::counting, tp::testing::strict, tp::host_memory> memory(tp::pool_options{.least_slab = 1 << 16});
    std::vector<void*> blocks;
    for (int i = 0; i < 1000; ++i) {
        blocks.push_back(memory.allocate_sync(1000, 64));
    }
    EXPECT_LE(memory.upstream().asked(), 6U) << "it doubles";
    EXPECT_LE(memory.reserved(), 2U << 20U) << "and no more than that";
    for (void* const block : blocks) {
        memory.deallocate_sync(block, 1000, 64);
    }
    EXPECT_EQ(memory.free_bytes(), memory.reserved());
    EXPECT_EQ(memory.trim_to(0), 1U << 20U) << "all slabs: 64 KiB, doubled four times";
}

TEST(Pooled, SaysHowFragmentedItIs)
{
    tp::pipe<tp::pooled, tp::host_memory> memory(tp::pool_options{.least_slab = 1024, .granularity = 256});
    std::vector<void*> blocks;
    for (int i = 0; i < 4; ++i) {
        blocks.push_back(memory.allocate_sync(256, 8));
    }
    EXPECT_EQ(memory.fragmentation(), 0.0);
    memory.deallocate_sync(blocks[0], 256, 8);
    EXPECT_EQ(memory.fragmentation(), 0.0);
    memory.deallocate_sync(blocks[2], 256, 8);
    EXPECT_EQ(memory.free_bytes(), 512U);
    EXPECT_EQ(memory.largest_hole(), 256U);
    EXPECT_EQ(memory.fragmentation(), 0.5);
    memory.deallocate_sync(blocks[1], 256, 8);
    EXPECT_EQ(memory.fragmentation(), 0.0) << "the neighbours are one hole again";
    memory.deallocate_sync(blocks[3], 256, 8);
}

TEST(Pooled, TakesTheSmallestHoleThatFits)
{
    tp::pipe<tp::pooled, tp::host_memory> memory(tp::pool_options{.least_slab = 8192, .granularity = 256});
    void* const large = memory.allocate_sync(2048, 8);
    void* const fence = memory.allocate_sync(256, 8);
    void* const small = memory.allocate_sync(512, 8);
    void* const second_fence = memory.allocate_sync(256, 8);
    memory.deallocate_sync(large, 2048, 8);
    memory.deallocate_sync(small, 512, 8);
    void* const again = memory.allocate_sync(512, 8);
    EXPECT_EQ(again, small);
    memory.deallocate_sync(again, 512, 8);
    memory.deallocate_sync(fence, 256, 8);
    memory.deallocate_sync(second_fence, 256, 8);
}

TEST(SharedResource, LivesAsLongAsItsLastCopy)
{
    using memory_type = tp::pipe<tp::testing::strict, tp::host_memory>;
    auto first = std::make_unique<tp::shared_resource<memory_type>>(tp::make_shared_resource<memory_type>());
    tp::shared_resource<memory_type> second = *first;
    EXPECT_EQ(*first, second);
    EXPECT_NE(second, tp::make_shared_resource<memory_type>());
    void* const pointer = first->allocate_sync(100, 8);
    first.reset();
    EXPECT_TRUE(second.owns(pointer));
    second.deallocate_sync(pointer, 100, 8);
}

}  // namespace
