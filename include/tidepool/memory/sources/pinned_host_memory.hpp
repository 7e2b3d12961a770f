#pragma once

// Host memory that devices copy from and to on their own.

#include "../backends/backend_handle.hpp"
#include "../backends/device_errors.hpp"
#include "../properties.hpp"
#include "../source.hpp"

#include <cstddef>
#include <type_traits>

namespace tidepool {

/// Page-locked host memory of a backend, for all of its devices.
///
/// In stream order it is given at once, and given back after waiting for the stream. Sizes in bytes; alignment up to 256. Construction
/// calls nothing. Equal to what has the same backend.
///
/// Errors: `out_of_memory` (some systems have little of it), `bad_alignment`, `device_unavailable`, `device_error`. Once the backend
/// is shutting down or its context is gone, or if waiting for the stream fails, blocks are left to the end of the process. Thread
/// safety: the backend's.
template <device_backend Backend>
class pinned_host_memory : public source<pinned_host_memory<Backend>> {
    using always = property_list<host_accessible, device_accessible, page_locked>;

public:
    using properties = std::conditional_t<Backend::is_thread_safe, with_property<always, thread_safe>, always>;
    using backend_type = Backend;
    static constexpr const char* name = "pinned host memory";
    static constexpr std::size_t greatest_alignment() noexcept { return 256; }

    explicit pinned_host_memory(Backend& backend) noexcept : backend_(backend) {}
    pinned_host_memory() noexcept requires std::is_empty_v<Backend>
    = default;

    [[nodiscard]] void* allocate(stream_view stream, std::size_t bytes, std::size_t alignment)
    {
        return this->checked(request::in_stream_order{stream}, bytes, alignment);
    }
    void deallocate(stream_view stream, void* pointer, std::size_t bytes, std::size_t alignment) noexcept
    {
        if (pointer != nullptr && !backend().is_shutting_down() && backend().synchronise(stream).ok()) {
            this->deallocate_sync(pointer, bytes, alignment);
        }
    }

    [[nodiscard]] Backend& backend() const noexcept { return backend_.get(); }

    friend bool operator==(const pinned_host_memory& left, const pinned_host_memory& right) noexcept
    {
        return left.backend_ == right.backend_;
    }

private:
    friend class source<pinned_host_memory>;

    template <class How>
    void* allocate_by(How how, std::size_t bytes, std::size_t alignment)
    {
        const auto given = backend().allocate_pinned(bytes);
        return given.ok() ? given.value() : detail::refuse_by_status(how, given.status(), name, bytes, alignment);
    }
    void deallocate_by(request::synchronous, void* pointer, std::size_t, std::size_t) noexcept
    {
        if (!backend().is_shutting_down()) {
            backend().free_pinned(pointer);
        }
    }

    backend_handle<Backend> backend_;
};

static_assert(fallible_resource<pinned_host_memory<examples::minimal_backend>>);
static_assert(stream_ordered_resource<pinned_host_memory<examples::minimal_backend>>);
static_assert(has_property<pinned_host_memory<examples::minimal_backend>, page_locked>);

}  // namespace tidepool
