#pragma once

// A device's own memory.

#include "../backends/backend_handle.hpp"
#include "../backends/device_errors.hpp"
#include "../backends/device_guard.hpp"
#include "../properties.hpp"
#include "../source.hpp"

#include <cstddef>
#include <type_traits>

namespace tidepool {

/// Memory of one device of a backend, whichever device is current: that one is the caller's again when a call returns or throws.
///
/// In stream order through the backend's pool where the device has one; where it has none, at once, and given back after waiting
/// for the stream. Sizes in bytes; alignment up to 256. Construction calls nothing. Equal to what means the same device of the same
/// backend; all spellings may be mixed for one block.
///
/// Errors: `out_of_memory`, `bad_alignment`, `device_unavailable`, `device_error`. Once the backend is shutting down or its context is
/// gone, or if waiting for the stream fails, blocks are left to the end of the process. Thread safety: the backend's.
template <device_backend Backend>
class device_memory : public source<device_memory<Backend>> {
public:
    using properties =
        std::conditional_t<Backend::is_thread_safe, property_list<device_accessible, thread_safe>, property_list<device_accessible>>;
    using backend_type = Backend;
    static constexpr const char* name = "device memory";
    static constexpr std::size_t greatest_alignment() noexcept { return 256; }

    explicit device_memory(Backend& backend, int device = 0) noexcept : backend_(backend), device_(device) {}
    explicit device_memory(int device = 0) noexcept requires std::is_empty_v<Backend> : device_(device) {}

    [[nodiscard]] void* allocate(stream_view stream, std::size_t bytes, std::size_t alignment)
    {
        return this->checked(request::in_stream_order{stream}, bytes, alignment);
    }
    void deallocate(stream_view stream, void* pointer, std::size_t, std::size_t) noexcept
    {
        if (pointer != nullptr && !backend().is_shutting_down()) {
            give_back(stream, pointer);
        }
    }

    [[nodiscard]] Backend& backend() const noexcept { return backend_.get(); }
    [[nodiscard]] int device() const noexcept { return device_; }

    friend bool operator==(const device_memory& left, const device_memory& right) noexcept
    {
        return left.backend_ == right.backend_ && left.device_ == right.device_;
    }

private:
    friend class source<device_memory>;
    using guard = device_guard<Backend>;

    template <class How>
    void* allocate_by(How how, std::size_t bytes, std::size_t alignment)
    {
        const auto given = take(how, bytes);
        return given.ok() ? given.value() : detail::refuse_by_status(how, given.status(), name, bytes, alignment);
    }
    template <class How>
    backend_result<void*> take(How, std::size_t bytes) noexcept
    {
        const guard here(backend(), device_);
        return here.status().ok() ? backend().allocate_device(bytes) : here.status();
    }
    backend_result<void*> take(request::in_stream_order how, std::size_t bytes) noexcept
    {
        const bool can_wait_for_it = !is_default_elsewhere(how.stream);
        const guard here(backend(), device_);
        if (!here.status().ok()) {
            return here.status();
        }
        return can_wait_for_it && has_pool() ? backend().allocate_pooled(how.stream, bytes) : backend().allocate_device(bytes);
    }

    void deallocate_by(request::synchronous, void* pointer, std::size_t, std::size_t) noexcept
    {
        if (backend().is_shutting_down()) {
            return;
        }
        const guard here(backend(), device_);
        if (here.status().ok()) {
            is_pooled(pointer) ? backend().free_pooled(stream_view(), pointer) : backend().free_device(pointer);
        }
    }

    void give_back(stream_view stream, void* pointer) noexcept
    {
        if (is_default_elsewhere(stream)) {  // under the guard its handle would mean this device's
            if (backend().synchronise(stream).ok()) {
                deallocate_by(request::synchronous{}, pointer, 0, 0);
            }
            return;
        }
        const guard here(backend(), device_);
        if (!here.status().ok()) {
            return;
        }
        if (is_pooled(pointer)) {
            backend().free_pooled(stream, pointer);
        } else if (backend().synchronise(stream).ok()) {
            backend().free_device(pointer);
        }
    }

    [[nodiscard]] bool has_pool() noexcept
    {
        const auto can = backend().capabilities(device_);
        return can.ok() && can.value().stream_ordered_pool;
    }
    /// A block goes back the way it came.
    [[nodiscard]] bool is_pooled(void* pointer) noexcept
    {
        const auto pooled = backend().is_pooled(pointer);
        return pooled.ok() && pooled.value();
    }
    /// Another device's default stream, which has the same handle as this one's.
    [[nodiscard]] bool is_default_elsewhere(stream_view stream) noexcept
    {
        if (stream != stream_view()) {
            return false;
        }
        const auto current = backend().current_device();
        return current.ok() && current.value() != device_;
    }

    backend_handle<Backend> backend_;
    int device_;
};

static_assert(fallible_resource<device_memory<examples::minimal_backend>>);
static_assert(stream_ordered_resource<device_memory<examples::minimal_backend>>);
static_assert(has_property<device_memory<examples::minimal_backend>, device_accessible>);
static_assert(!has_property<device_memory<examples::minimal_backend>, thread_safe>, "no safer than its backend");

}  // namespace tidepool
