#pragma once

// The conformance suite of adaptors: what must hold over any source. A fixture names the adaptor and what its constructor takes:
//
//   struct my_fixture {
//       template <class Upstream> using stack = pipe<my_adaptor, Upstream>;
//       static auto arguments() { return std::tuple{1_MiB}; }
//   };

#include <tidepool/memory/errors.hpp>
#include <tidepool/memory/fallible_resource.hpp>
#include <tidepool/memory/pipe.hpp>
#include <tidepool/memory/properties.hpp>
#include <tidepool/memory/sources/host_memory.hpp>
#include <tidepool/memory/stream_ordered_resource.hpp>
#include <tidepool/memory/testing/counting.hpp>
#include <tidepool/memory/testing/failing.hpp>
#include <tidepool/memory/testing/strict.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <vector>

namespace testing_conformance {

/// As little as an adaptor may ask for.
struct plain_source {
    using properties = tidepool::property_list<tidepool::host_accessible>;
    void* allocate_sync(std::size_t bytes, std::size_t alignment);
    void deallocate_sync(void* pointer, std::size_t bytes, std::size_t alignment) noexcept;
    [[nodiscard]] bool owns(const void* pointer) const noexcept;
    [[nodiscard]] std::size_t greatest_alignment() const noexcept;
    friend bool operator==(const plain_source&, const plain_source&) = default;
};

template <class Fixture>
class Adaptor : public testing::Test {
protected:
    /// The adaptor over what watches it, constructed in place.
    template <class Upstream>
    class over {
    public:
        template <class... UpstreamArguments>
        explicit over(UpstreamArguments... arguments)
        {
            std::apply([&](auto... own) { memory_.emplace(own..., arguments...); }, Fixture::arguments());
        }
        [[nodiscard]] auto& operator*() noexcept { return *memory_; }

    private:
        std::optional<typename Fixture::template stack<Upstream>> memory_;
    };
    template <class Schedule>
    using watched = tidepool::pipe<tidepool::testing::strict, tidepool::testing::failing<Schedule>, tidepool::host_memory>;
};

TYPED_TEST_SUITE_P(Adaptor);

/// `strict` below aborts where sizes do not match, a block is given back twice, or one is left.
TYPED_TEST_P(Adaptor, GivesBackWhatItTook)
{
    using none = tidepool::testing::fail_every;
    typename TestFixture::template over<typename TestFixture::template watched<none>> memory{none{0}};
    std::vector<std::tuple<void*, std::size_t, std::size_t>> blocks;
    for (std::size_t i = 0; i < 100; ++i) {
        const std::size_t bytes = 1 + i * 37 % 900;
        const std::size_t alignment = std::size_t{1} << (i % 8);
        blocks.emplace_back((*memory).allocate_sync(bytes, alignment), bytes, alignment);
    }
    for (const auto& [pointer, bytes, alignment] : blocks) {
        (*memory).deallocate_sync(pointer, bytes, alignment);
    }
}

/// Whichever call fails, the error reaches the caller, nothing is lost, and the next request is served.
TYPED_TEST_P(Adaptor, SurvivesAFailureAtAnyCall)
{
    using once = tidepool::testing::fail_call;
    for (std::uint64_t call = 1; call <= 12; ++call) {
        SCOPED_TRACE(call);
        typename TestFixture::template over<typename TestFixture::template watched<once>> memory{once{call}};
        std::vector<void*> blocks;
        int failures = 0;
        for (int i = 0; i < 12; ++i) {
            try {
                blocks.push_back((*memory).allocate_sync(100, 16));
            } catch (const tidepool::out_of_memory&) {
                ++failures;
            }
        }
        EXPECT_LE(failures, 1);
        EXPECT_EQ(blocks.size() + static_cast<std::size_t>(failures), 12U);
        for (void* const pointer : blocks) {
            (*memory).deallocate_sync(pointer, 100, 16);
        }
    }
}

TYPED_TEST_P(Adaptor, AsksForNothingWhenItTakesBack)
{
    using limit = tidepool::testing::fail_after;
    using upstream = tidepool::pipe<tidepool::testing::counting, typename TestFixture::template watched<limit>>;
    typename TestFixture::template over<upstream> memory{limit{1'000'000}};
    std::vector<void*> blocks;
    for (int i = 0; i < 50; ++i) {
        blocks.push_back((*memory).allocate_sync(200, 8));
    }
    const auto find = [](auto& self, auto& layer) -> upstream& {
        if constexpr (std::is_same_v<std::remove_reference_t<decltype(layer)>, upstream>) {
            return layer;
        } else {
            return self(self, layer.upstream());
        }
    };
    upstream& below = find(find, *memory);
    // From here on every request below would fail.
    below.upstream().upstream().schedule() = limit{0};
    const std::uint64_t asked = below.asked();
    for (void* const pointer : blocks) {
        (*memory).deallocate_sync(pointer, 200, 8);
    }
    EXPECT_EQ(below.asked(), asked);
}

TYPED_TEST_P(Adaptor, HasThePropertiesOfItsUpstreamAndNoOthers)
{
    using bare = typename TypeParam::template stack<plain_source>;
    EXPECT_TRUE((tidepool::has_property<bare, tidepool::host_accessible>));
    EXPECT_FALSE((tidepool::has_property<bare, tidepool::device_accessible>));
    EXPECT_FALSE((tidepool::has_property<bare, tidepool::page_locked>));
    EXPECT_FALSE((tidepool::has_property<bare, tidepool::file_backed>));
    EXPECT_FALSE(tidepool::stream_ordered_resource<bare>);
    EXPECT_FALSE(tidepool::fallible_resource<bare>);
    using fallible = typename TypeParam::template stack<tidepool::pipe<tidepool::testing::strict, tidepool::host_memory>>;
    EXPECT_TRUE(tidepool::fallible_resource<fallible>);
}

REGISTER_TYPED_TEST_SUITE_P(Adaptor, GivesBackWhatItTook, SurvivesAFailureAtAnyCall, AsksForNothingWhenItTakesBack,
                            HasThePropertiesOfItsUpstreamAndNoOthers);

}  // namespace testing_conformance
