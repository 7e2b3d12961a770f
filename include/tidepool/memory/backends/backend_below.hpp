#pragma once

// Which driver a stack of adaptors stands on.

#include <concepts>
#include <type_traits>
#include <utility>

namespace tidepool::detail {

template <class R>
concept knows_its_backend = requires(const R& r) {
    typename R::backend_type;
    { r.backend() } noexcept -> std::same_as<typename R::backend_type&>;
};
/// A layer, or a handle such as `shared_resource`.
template <class R>
concept is_layer = requires(const R& r) {
    r.upstream();
};
template <class R>
concept stands_for_another = is_layer<R> || requires(const R& r) {
    *r;
};
template <stands_for_another R>
const auto& below(const R& resource) noexcept
{
    if constexpr (is_layer<R>) {
        return resource.upstream();
    } else {
        return *resource;
    }
}

struct no_backend {};

/// The backend of a resource, or of the source below its layers.
template <class R>
auto* backend_below(const R& resource) noexcept
{
    if constexpr (knows_its_backend<R>) {
        return &resource.backend();
    } else if constexpr (stands_for_another<R>) {
        return backend_below(below(resource));
    } else {
        return static_cast<no_backend*>(nullptr);
    }
}
template <class R>
using backend_of = std::remove_pointer_t<decltype(backend_below(std::declval<const R&>()))>;
template <class R>
inline constexpr bool has_backend = !std::is_same_v<backend_of<R>, no_backend>;

}  // namespace tidepool::detail
