#pragma once

// Allocation that says no without an exception.

#include "memory_resource.hpp"

namespace tidepool {

/// A resource with `r.try_allocate(bytes, alignment)`: as `allocate_sync`, but a null pointer instead of a throw. What it gives is
/// taken back by `deallocate_sync`.
template <class R>
concept fallible_resource = memory_resource<R> && requires(R& r, std::size_t bytes, std::size_t alignment) {
    { r.try_allocate(bytes, alignment) } noexcept -> std::same_as<void*>;
};

namespace examples {

struct minimal_fallible : minimal_resource {
    void* try_allocate(std::size_t bytes, std::size_t alignment) noexcept;
    friend bool operator==(const minimal_fallible&, const minimal_fallible&) = default;
};
static_assert(fallible_resource<minimal_fallible>);
static_assert(!fallible_resource<minimal_resource>);

struct tries_and_throws : minimal_resource {
    void* try_allocate(std::size_t bytes, std::size_t alignment);  // not noexcept
    friend bool operator==(const tries_and_throws&, const tries_and_throws&) = default;
};
static_assert(!fallible_resource<tries_and_throws>);

}  // namespace examples
}  // namespace tidepool
