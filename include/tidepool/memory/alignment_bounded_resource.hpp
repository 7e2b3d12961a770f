#pragma once

// Resources that know how far they can align.

#include "memory_resource.hpp"

namespace tidepool {

/// A resource with `r.greatest_alignment()`: it gives every alignment up to this one, in bytes, and refuses others with
/// `bad_alignment`.
template <class R>
concept alignment_bounded_resource = memory_resource<R> && requires(const R& r) {
    { r.greatest_alignment() } noexcept -> std::same_as<std::size_t>;
};

namespace examples {

struct minimal_alignment_bounded : minimal_resource {
    std::size_t greatest_alignment() const noexcept;
    friend bool operator==(const minimal_alignment_bounded&, const minimal_alignment_bounded&) = default;
};
static_assert(alignment_bounded_resource<minimal_alignment_bounded>);
static_assert(!alignment_bounded_resource<minimal_resource>);

}  // namespace examples
}  // namespace tidepool
