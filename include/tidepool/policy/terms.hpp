#pragma once

// The library's terms: `using namespace tidepool::terms;` and write `cost(neighborhood) / (size * staleness)`.

#include "access_times.hpp"
#include "equivalence_classes.hpp"
#include "evicted_neighborhood.hpp"
#include "expression.hpp"
#include "neighborhood_scan.hpp"
#include "own_costs.hpp"

#include <cstdint>
#include <string_view>

namespace tidepool {

/// What a cost is summed over.
enum class extent : std::uint8_t { local, neighborhood, ancestors, equivalence_class, neighborhood_scan };

/// Nanoseconds that it takes to bring the storage back, as far as `Over` looks.
template <extent Over>
struct cost_term;

template <>
struct cost_term<extent::local> {
    using needs = needs_set<metadata::own_costs>;
    static constexpr std::string_view name = "cost(local)";
    static std::int64_t value(const auto& storage, const decision_clock&) { return storage.template get<metadata::own_costs>(); }
};

template <>
struct cost_term<extent::neighborhood> {
    using needs = needs_set<metadata::own_costs, metadata::evicted_neighborhood>;
    static constexpr std::string_view name = "cost(neighborhood)";
    static std::int64_t value(const auto& storage, const decision_clock&)
    {
        const auto evicted = storage.template get<metadata::evicted_neighborhood>();
        return storage.template get<metadata::own_costs>() + evicted.descendants + evicted.ancestors;
    }
};

template <>
struct cost_term<extent::ancestors> {
    using needs = needs_set<metadata::own_costs, metadata::evicted_neighborhood>;
    static constexpr std::string_view name = "cost(ancestors)";
    static std::int64_t value(const auto& storage, const decision_clock&)
    {
        return storage.template get<metadata::own_costs>() + storage.template get<metadata::evicted_neighborhood>().ancestors;
    }
};

template <>
struct cost_term<extent::equivalence_class> {
    using needs = needs_set<metadata::equivalence_classes>;
    static constexpr std::string_view name = "cost(equivalence_class)";
    static std::int64_t value(const auto& storage, const decision_clock&) { return storage.template get<metadata::equivalence_classes>(); }
};

template <>
struct cost_term<extent::neighborhood_scan> {
    using needs = needs_set<metadata::neighborhood_scan>;
    static constexpr std::string_view name = "cost(neighborhood_scan)";
    static std::int64_t value(const auto& storage, const decision_clock&) { return storage.template get<metadata::neighborhood_scan>().cost; }
};

/// Bytes of the storage.
struct size_term {
    using needs = needs_set<>;
    static constexpr std::string_view name = "size";
    static std::int64_t value(const auto& storage, const decision_clock&) { return storage.bytes(); }
};

/// Time of the last access on the decision clock.
struct last_access_term {
    using needs = needs_set<metadata::access_times>;
    static constexpr std::string_view name = "last_access";
    static std::int64_t value(const auto& storage, const decision_clock&) { return storage.template get<metadata::access_times>(); }
};

/// Nanoseconds since the last access.
struct staleness_term {
    using needs = needs_set<metadata::access_times>;
    static constexpr std::string_view name = "staleness";
    static std::int64_t value(const auto& storage, const decision_clock& clock)
    {
        return clock.now() - storage.template get<metadata::access_times>();
    }
};

/// Nanoseconds since the last access to the storage or anything in its evicted neighbourhood.
struct scanned_staleness_term {
    using needs = needs_set<metadata::neighborhood_scan>;
    static constexpr std::string_view name = "staleness(neighborhood_scan)";
    static std::int64_t value(const auto& storage, const decision_clock& clock)
    {
        return clock.now() - storage.template get<metadata::neighborhood_scan>().last_access;
    }
};

/// A number in [0, 1) drawn from this seed, the run's seed, the storage and the time: the same run draws the same numbers.
struct random_term {
    using needs = needs_set<>;
    static constexpr std::string_view name = "random";
    std::uint64_t seed;

    double value(const auto& storage, const decision_clock& clock) const
    {
        std::uint64_t bits = seed;
        for (const std::uint64_t part : {storage.seed(), storage.serial(), static_cast<std::uint64_t>(clock.now())}) {
            bits = mix(bits ^ part);
        }
        return static_cast<double>(bits >> 11U) * 0x1p-53;
    }

private:
    /// SplitMix64's output function. Steele, Lea, Flood: Fast splittable pseudorandom number generators (2014).
    static constexpr std::uint64_t mix(std::uint64_t z) noexcept
    {
        z += 0x9e3779b97f4a7c15U;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31U);
    }
};

namespace terms {

// So that `using namespace tidepool::terms` is enough to join two terms of your own.
using tidepool::operator*;
using tidepool::operator/;
using tidepool::operator+;

template <extent Over>
using extent_constant = std::integral_constant<extent, Over>;

inline constexpr extent_constant<extent::local> local{};
inline constexpr extent_constant<extent::neighborhood> neighborhood{};            ///< the evicted neighbourhood e*
inline constexpr extent_constant<extent::ancestors> ancestors{};                  ///< the part of e* that it is computed from
inline constexpr extent_constant<extent::equivalence_class> equivalence_class{};  ///< e* as a union-find estimates it
inline constexpr extent_constant<extent::neighborhood_scan> neighborhood_scan{};  ///< e*, found anew at each question

template <extent Over>
constexpr cost_term<Over> cost(extent_constant<Over>) noexcept
{
    return {};
}
constexpr scanned_staleness_term staleness_of(extent_constant<extent::neighborhood_scan>) noexcept { return {}; }

inline constexpr size_term size{};
inline constexpr last_access_term last_access{};
inline constexpr staleness_term staleness{};

constexpr random_term random(std::uint64_t seed) noexcept { return {seed}; }

}  // namespace terms

static_assert(term<size_term> && term<random_term> && term<cost_term<extent::neighborhood>>);
static_assert(!term<int>, "a number becomes a term only beside one");

namespace examples {

struct asks_more_than_it_declares {
    using needs = needs_set<>;
    static constexpr std::string_view name = "greedy";
    static std::int64_t value(const auto& storage, const decision_clock&)
    requires requires { storage.template get<metadata::access_times>(); }
    {
        return storage.template get<metadata::access_times>();
    }
};
static_assert(!term<asks_more_than_it_declares>, "metadata that is not declared is not kept");

}  // namespace examples
}  // namespace tidepool
