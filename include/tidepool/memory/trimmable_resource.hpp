#pragma once

// Resources that keep a reserve, and can give it back.

#include "memory_resource.hpp"

namespace tidepool {

/// A resource with `r.trim_to(bytes)`: gives back what it holds idle beyond `bytes`, down to the source where all layers between can
/// do that, and returns how many bytes went. What is handed out stays where it is.
template <class R>
concept trimmable_resource = memory_resource<R> && requires(R& r, std::size_t bytes) {
    { r.trim_to(bytes) } noexcept -> std::same_as<std::size_t>;
};

namespace examples {

struct minimal_trimmable : minimal_resource {
    std::size_t trim_to(std::size_t bytes) noexcept;
    friend bool operator==(const minimal_trimmable&, const minimal_trimmable&) = default;
};
static_assert(trimmable_resource<minimal_trimmable>);
static_assert(!trimmable_resource<minimal_resource>);

}  // namespace examples
}  // namespace tidepool
