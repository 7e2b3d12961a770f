#pragma once

// Resources that know their own.

#include "memory_resource.hpp"

namespace tidepool {

/// A resource with `r.owns(pointer)`: whether `pointer` is a live block of it. Not for pointers into a block.
template <class R>
concept owning_resource = memory_resource<R> && requires(const R& r, const void* pointer) {
    { r.owns(pointer) } noexcept -> std::same_as<bool>;
};

namespace examples {

struct minimal_owning : minimal_resource {
    bool owns(const void* pointer) const noexcept;
    friend bool operator==(const minimal_owning&, const minimal_owning&) = default;
};
static_assert(owning_resource<minimal_owning>);
static_assert(!owning_resource<minimal_resource>);

}  // namespace examples
}  // namespace tidepool
