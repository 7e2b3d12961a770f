// The type of the formula says what is kept, and nothing else is.

#include <tidepool/policy/heuristics.hpp>
#include <tidepool/policy/semantics.hpp>

#include <gtest/gtest.h>

#include <tuple>
#include <type_traits>

namespace tp = tidepool;
namespace kinds = tidepool::metadata;

namespace {

template <auto Heuristic, class Semantics>
using kept = tp::metadata_objects<typename decltype(Heuristic)::needs, Semantics>;

template <class Kind, class Kept>
inline constexpr bool has = false;
template <class Kind, class... Kept>
inline constexpr bool has<Kind, std::tuple<Kept...>> = (std::is_same_v<Kind, Kept> || ...);

/// These kinds and no other, in whatever order.
template <class Kept, class... Expected>
inline constexpr bool is_just = std::tuple_size_v<Kept> == sizeof...(Expected) && (has<Expected, Kept> && ...);

template <auto Heuristic, class... Expected>
inline constexpr bool always_keeps =
    is_just<kept<Heuristic, tp::simrd_semantics>, Expected...>&& is_just<kept<Heuristic, tp::tidepool_semantics>, Expected...>;

TEST(MetadataKept, IsOnlyWhatTheFormulaNeeds)
{
    static_assert(always_keeps<tp::h_size>);
    static_assert(always_keeps<tp::h_random>);
    static_assert(always_keeps<tp::h_lru, kinds::access_times>);
    static_assert(always_keeps<tp::h_stale, kinds::access_times>);
    static_assert(always_keeps<tp::h_local, kinds::own_costs>);
    static_assert(always_keeps<tp::h_eq, kinds::neighbors, kinds::own_costs, kinds::equivalence_classes>);
}

TEST(MetadataKept, IsTheUnionOverTheExpression)
{
    static_assert(always_keeps<tp::h_dtr_local, kinds::own_costs, kinds::access_times>);
    static_assert(always_keeps<tp::h_dtr_eq, kinds::neighbors, kinds::own_costs, kinds::equivalence_classes, kinds::access_times>);
    static_assert(always_keeps<tp::h_dtr_unopt, kinds::neighbors, kinds::own_costs, kinds::access_times, kinds::neighborhood_scan>);
}

TEST(MetadataKept, NeighborhoodsAreKeptAsTheSemanticsSays)
{
    static_assert(is_just<kept<tp::h_e, tp::simrd_semantics>, kinds::own_costs, kinds::neighbors, kinds::regions>);
    static_assert(is_just<kept<tp::h_e, tp::tidepool_semantics>, kinds::own_costs, kinds::neighbors, kinds::neighborhoods>);
    static_assert(is_just<kept<tp::h_dtr, tp::simrd_semantics>, kinds::own_costs, kinds::neighbors, kinds::regions, kinds::access_times>);
    static_assert(
        is_just<kept<tp::h_dtr, tp::tidepool_semantics>, kinds::own_costs, kinds::neighbors, kinds::neighborhoods, kinds::access_times>);
    static_assert(is_just<kept<tp::h_msps, tp::simrd_semantics>, kinds::own_costs, kinds::neighbors, kinds::regions>);
}

template <class Kept, class... Expected>
inline constexpr bool is_exactly = std::is_same_v<Kept, std::tuple<Expected...>>;

struct first {
    using needs = tp::needs_set<>;
    using value_type = int;
};
struct second {
    using needs = tp::needs_set<first>;
    using value_type = int;
};
struct third {
    using needs = tp::needs_set<second>;
    using value_type = int;
};

TEST(MetadataKept, NeededKindsComeFirst)
{
    static_assert(is_exactly<tp::metadata_objects<tp::needs_set<third>, tp::simrd_semantics>, first, second, third>);
    static_assert(is_exactly<tp::metadata_objects<tp::needs_set<third, first>, tp::simrd_semantics>, first, second, third>);
    static_assert(is_exactly<tp::metadata_objects<tp::needs_set<first, second>, tp::simrd_semantics>, first, second>);
}

}  // namespace
