#pragma once

// What a decision means: the reference simulator to the letter, or what a real engine needs.

#include "neighborhoods.hpp"
#include "regions.hpp"

#include <concepts>

namespace tidepool {

/// The DTR authors' simulator to the letter, its oddities included: see `restore_as_simrd`. For comparing with published results.
struct simrd_semantics {
    static constexpr bool views_are_recomputed = true;    ///< a view is lost with its storage, and has a cost of its own
    static constexpr bool stops_at_zero = true;           ///< the first storage with a score of zero ends the search
    static constexpr bool forgets = false;                ///< every node ever made stays in the graph
    static constexpr bool unreferenced_go_first = false;  ///< what the program let go of competes with the rest
    using evicted_neighborhood = metadata::regions;
};

/// For engines: see `restore_as_planned`. Views come back with their storage; what nobody can ask for again is forgotten.
struct tidepool_semantics {
    static constexpr bool views_are_recomputed = false;
    static constexpr bool stops_at_zero = false;
    static constexpr bool forgets = true;
    static constexpr bool unreferenced_go_first = true;
    using evicted_neighborhood = metadata::neighborhoods;
};

inline constexpr simrd_semantics simrd{};
inline constexpr tidepool_semantics tidepool{};

template <class S>
concept decision_semantics = requires {
    requires std::same_as<decltype(S::views_are_recomputed), const bool>;
    requires std::same_as<decltype(S::stops_at_zero), const bool>;
    requires std::same_as<decltype(S::forgets), const bool>;
    requires std::same_as<decltype(S::unreferenced_go_first), const bool>;
    typename S::evicted_neighborhood;
};

static_assert(decision_semantics<simrd_semantics> && decision_semantics<tidepool_semantics>);

}  // namespace tidepool
