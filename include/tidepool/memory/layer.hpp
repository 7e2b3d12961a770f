#pragma once

// What every adaptor has in common: an upstream of its own, and all of its capabilities.

#include "alignment_bounded_resource.hpp"
#include "bounded_resource.hpp"
#include "owning_resource.hpp"
#include "properties.hpp"
#include "request.hpp"
#include "trimmable_resource.hpp"

#include <concepts>
#include <cstddef>
#include <utility>

namespace tidepool {

namespace detail {

/// An upstream as a member.
template <class Upstream>
class held {
public:
    template <class... Arguments>
    explicit held(Arguments&&... arguments) : upstream_(std::forward<Arguments>(arguments)...)
    {
    }

    [[nodiscard]] Upstream& get() noexcept { return upstream_; }
    [[nodiscard]] const Upstream& get() const noexcept { return upstream_; }

private:
    Upstream upstream_;
};

}  // namespace detail

/// Base of an adaptor `Self` over an upstream that it owns. `Self` has `allocate_by(how, bytes, alignment)` and
/// `deallocate_by(how, pointer, bytes, alignment) noexcept`, and befriends its base where they are private; they pass the request
/// on with `how.allocate(upstream(), …)` and refuse with `how.refuse(error)`. They never see zero bytes or a null pointer.
///
/// The adaptor has the spellings, capabilities and properties of its upstream; `Self` hides those that it changes. It stays where
/// it is, and equals itself only: `shared_resource` is the handle to pass around.
template <class Self, memory_resource Upstream, class Held = detail::held<Upstream>>
class layer {
public:
    using properties = properties_of<Upstream>;
    using upstream_type = Upstream;

    template <class... UpstreamArguments>
    requires std::constructible_from<Upstream, UpstreamArguments...>
    explicit layer(UpstreamArguments&&... arguments) : held_(std::forward<UpstreamArguments>(arguments)...) {}
    layer(const layer&) = delete;
    layer& operator=(const layer&) = delete;

    [[nodiscard]] void* allocate_sync(std::size_t bytes, std::size_t alignment)
    {
        return bytes == 0 ? nullptr : self().allocate_by(request::synchronous{}, bytes, alignment);
    }
    void deallocate_sync(void* pointer, std::size_t bytes, std::size_t alignment) noexcept
    {
        if (pointer != nullptr) {
            self().deallocate_by(request::synchronous{}, pointer, bytes, alignment);
        }
    }

    [[nodiscard]] void* allocate(stream_view stream, std::size_t bytes, std::size_t alignment) requires stream_ordered_resource<Upstream>
    {
        return bytes == 0 ? nullptr : self().allocate_by(request::in_stream_order{stream}, bytes, alignment);
    }
    void deallocate(stream_view stream, void* pointer, std::size_t bytes,
                    std::size_t alignment) noexcept requires stream_ordered_resource<Upstream>
    {
        if (pointer != nullptr) {
            self().deallocate_by(request::in_stream_order{stream}, pointer, bytes, alignment);
        }
    }

    [[nodiscard]] void* try_allocate(std::size_t bytes, std::size_t alignment) noexcept requires fallible_resource<Upstream>
    {
        return bytes == 0 ? nullptr : self().allocate_by(request::without_throwing{}, bytes, alignment);
    }

    [[nodiscard]] bool owns(const void* pointer) const noexcept requires owning_resource<Upstream> { return upstream().owns(pointer); }
    [[nodiscard]] std::size_t greatest_alignment() const noexcept requires alignment_bounded_resource<Upstream>
    {
        return upstream().greatest_alignment();
    }
    [[nodiscard]] std::size_t capacity() const noexcept requires bounded_resource<Upstream> { return upstream().capacity(); }
    [[nodiscard]] std::size_t available() const noexcept requires bounded_resource<Upstream> { return upstream().available(); }
    std::size_t trim_to(std::size_t bytes) noexcept requires trimmable_resource<Upstream> { return upstream().trim_to(bytes); }

    [[nodiscard]] Upstream& upstream() noexcept { return held_.get(); }
    [[nodiscard]] const Upstream& upstream() const noexcept { return held_.get(); }

    friend bool operator==(const layer& left, const layer& right) noexcept { return &left == &right; }

protected:
    ~layer() = default;
    [[nodiscard]] Held& holder() noexcept { return held_; }

private:
    [[nodiscard]] Self& self() noexcept { return static_cast<Self&>(*this); }

    Held held_;
};

}  // namespace tidepool
