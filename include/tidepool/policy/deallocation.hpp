#pragma once

// What happens when the program lets go of its last reference to a storage.

#include <concepts>
#include <cstdint>

namespace tidepool {

/// The three answers. DTR, section 3 and appendix C.
enum class release_action : std::uint8_t {
    ignore,  ///< nothing: the release is not even counted
    evict,   ///< drop its bytes now; it can still be recomputed for others
    banish,  ///< forget it for good once nothing that depends on it is missing; its dependents are then pinned
};

/// A policy that says what a release does: `d.on_last_release()`, the same at every call.
template <class D>
concept deallocation = std::copyable<D> && requires(const D& d) {
    { d.on_last_release() } noexcept -> std::same_as<release_action>;
};

/// A deallocation fixed by its type.
template <release_action Action>
struct fixed_deallocation {
    static constexpr release_action on_last_release() noexcept { return Action; }
};
using ignore_releases = fixed_deallocation<release_action::ignore>;
using eager_eviction = fixed_deallocation<release_action::evict>;
using banishing = fixed_deallocation<release_action::banish>;

/// A deallocation chosen at run time, for tools.
struct chosen_deallocation {
    release_action action = release_action::evict;
    [[nodiscard]] constexpr release_action on_last_release() const noexcept { return action; }
};

static_assert(deallocation<eager_eviction> && deallocation<chosen_deallocation>);
static_assert(!deallocation<release_action>, "the answer is not the policy");

}  // namespace tidepool
