#pragma once

// Resources that know how much there is.

#include "memory_resource.hpp"

namespace tidepool {

/// A resource with `r.capacity()`, the bytes that it can have handed out at once, and `r.available()`, what is left of them. That
/// many may not be there in one piece.
template <class R>
concept bounded_resource = memory_resource<R> && requires(const R& r) {
    { r.capacity() } noexcept -> std::same_as<std::size_t>;
    { r.available() } noexcept -> std::same_as<std::size_t>;
};

namespace examples {

struct minimal_bounded : minimal_resource {
    std::size_t capacity() const noexcept;
    std::size_t available() const noexcept;
    friend bool operator==(const minimal_bounded&, const minimal_bounded&) = default;
};
static_assert(bounded_resource<minimal_bounded>);
static_assert(!bounded_resource<minimal_resource>, "a bound is a capability of its own");

}  // namespace examples
}  // namespace tidepool
