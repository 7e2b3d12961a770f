#pragma once

// A CUDA-like driver as a policy: what sources and copies call, so that the same source runs on a device and without one.

#include "../stream_view.hpp"
#include "event_view.hpp"
#include "status.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace tidepool {

/// What a device can do; what it cannot is done in a slower way, not refused.
struct device_capabilities {
    bool stream_ordered_pool = false;  ///< `allocate_pooled` and `free_pooled` work
    bool peer_access = false;          ///< its kernels may use the other devices' memory
};

/// Devices have numbers from 0. One of them is current for the calling thread.
///
///  - `b.device_count()`; `b.current_device()`; `b.set_current_device(device)`.
///  - `b.capabilities(device)`.
template <class B>
concept selects_devices = requires(B& b, int device) {
    { b.device_count() } noexcept -> std::same_as<backend_result<int>>;
    { b.current_device() } noexcept -> std::same_as<backend_result<int>>;
    { b.set_current_device(device) } noexcept -> std::same_as<backend_status>;
    { b.capabilities(device) } noexcept -> std::same_as<backend_result<device_capabilities>>;
};

/// Memory of the current device, at 256 bytes' alignment.
///
///  - `b.allocate_device(bytes)`: usable at once.
///  - `b.free_device(pointer)`: the device that owns it is current, and nobody uses it any more. Whether the call waits for
///    the device is the backend's affair: callers wait themselves.
template <class B>
concept allocates_device_memory = requires(B& b, void* pointer, std::size_t bytes) {
    { b.allocate_device(bytes) } noexcept -> std::same_as<backend_result<void*>>;
    { b.free_device(pointer) } noexcept -> std::same_as<backend_status>;
};

/// Page-locked host memory that every device may use, at 256 bytes' alignment: `b.allocate_pinned(bytes)`, `b.free_pinned(pointer)`.
template <class B>
concept allocates_pinned_memory = requires(B& b, void* pointer, std::size_t bytes) {
    { b.allocate_pinned(bytes) } noexcept -> std::same_as<backend_result<void*>>;
    { b.free_pinned(pointer) } noexcept -> std::same_as<backend_status>;
};

/// Memory of the current device in the order of a stream, which may be another device's. Only where the capability says so.
///
///  - `b.allocate_pooled(stream, bytes)`, `b.free_pooled(stream, pointer)`.
///  - `b.is_pooled(pointer)`: whether device memory came from the pool, so that it goes back the way it came.
template <class B>
concept allocates_in_stream_order = requires(B& b, stream_view stream, void* pointer, std::size_t bytes) {
    { b.allocate_pooled(stream, bytes) } noexcept -> std::same_as<backend_result<void*>>;
    { b.free_pooled(stream, pointer) } noexcept -> std::same_as<backend_status>;
    { b.is_pooled(pointer) } noexcept -> std::same_as<backend_result<bool>>;
};

/// Queues of work of a device.
///
///  - `b.create_stream()` on the current device; `b.destroy_stream(stream)` lets its work finish.
///  - `b.synchronise(stream)` waits for it; `b.query(stream)` is `not_ready` while it works.
///  - `b.device_of(stream)`; `b.id_of(stream)`: unique for all time, where handles are used again.
template <class B>
concept has_streams = requires(B& b, stream_view stream) {
    { b.create_stream() } noexcept -> std::same_as<backend_result<stream_view>>;
    { b.destroy_stream(stream) } noexcept -> std::same_as<backend_status>;
    { b.synchronise(stream) } noexcept -> std::same_as<backend_status>;
    { b.query(stream) } noexcept -> std::same_as<backend_status>;
    { b.device_of(stream) } noexcept -> std::same_as<backend_result<int>>;
    { b.id_of(stream) } noexcept -> std::same_as<backend_result<std::uint64_t>>;
};

/// Marks in streams.
///
///  - `b.create_event()` on the current device; `b.destroy_event(event)`.
///  - `b.record(event, stream)`, both of one device: marks what the stream has been given so far.
///  - `b.wait(stream, event)`: what the stream is given from now on runs after the mark; devices may differ.
///  - `b.synchronise(event)`, `b.query(event)`: as for a stream, up to the mark. An event never recorded is done.
template <class B>
concept has_events = requires(B& b, stream_view stream, event_view event) {
    { b.create_event() } noexcept -> std::same_as<backend_result<event_view>>;
    { b.destroy_event(event) } noexcept -> std::same_as<backend_status>;
    { b.record(event, stream) } noexcept -> std::same_as<backend_status>;
    { b.wait(stream, event) } noexcept -> std::same_as<backend_status>;
    { b.synchronise(event) } noexcept -> std::same_as<backend_status>;
    { b.query(event) } noexcept -> std::same_as<backend_status>;
};

/// `b.copy(stream, to, from, bytes)`, in any direction: reads and writes in the stream's order. Neither end may be freed or
/// overwritten before; an end in pageable host memory may make the call wait.
template <class B>
concept copies_in_stream_order = requires(B& b, stream_view stream, void* to, const void* from, std::size_t bytes) {
    { b.copy(stream, to, from, bytes) } noexcept -> std::same_as<backend_status>;
};

/// Says when it is too late: `b.is_shutting_down()` is true once its context is gone or going, and is no call to the driver.
/// `B::is_thread_safe`: whether several threads may call one object at once.
template <class B>
concept says_what_it_is = requires(const B& b) {
    { b.is_shutting_down() } noexcept -> std::same_as<bool>;
    { B::is_thread_safe } -> std::convertible_to<bool>;
};

/// A driver: all of the above. No operation throws: each returns how it went. The default stream is the current device's.
///
/// A backend outlives whatever calls it. Models: `simulated_backend`, `cuda_backend`.
template <class B>
concept device_backend = selects_devices<B> && allocates_device_memory<B> && allocates_pinned_memory<B> && allocates_in_stream_order<B> &&
    has_streams<B> && has_events<B> && copies_in_stream_order<B> && says_what_it_is<B>;

namespace examples {

struct minimal_backend {
    static constexpr bool is_thread_safe = false;
    bool is_shutting_down() const noexcept;
    backend_result<int> device_count() noexcept;
    backend_result<int> current_device() noexcept;
    backend_status set_current_device(int device) noexcept;
    backend_result<device_capabilities> capabilities(int device) noexcept;
    backend_result<void*> allocate_device(std::size_t bytes) noexcept;
    backend_status free_device(void* pointer) noexcept;
    backend_result<void*> allocate_pinned(std::size_t bytes) noexcept;
    backend_status free_pinned(void* pointer) noexcept;
    backend_result<void*> allocate_pooled(stream_view stream, std::size_t bytes) noexcept;
    backend_status free_pooled(stream_view stream, void* pointer) noexcept;
    backend_result<bool> is_pooled(void* pointer) noexcept;
    backend_result<stream_view> create_stream() noexcept;
    backend_status destroy_stream(stream_view stream) noexcept;
    backend_status synchronise(stream_view stream) noexcept;
    backend_status query(stream_view stream) noexcept;
    backend_result<int> device_of(stream_view stream) noexcept;
    backend_result<std::uint64_t> id_of(stream_view stream) noexcept;
    backend_result<event_view> create_event() noexcept;
    backend_status destroy_event(event_view event) noexcept;
    backend_status record(event_view event, stream_view stream) noexcept;
    backend_status wait(stream_view stream, event_view event) noexcept;
    backend_status synchronise(event_view event) noexcept;
    backend_status query(event_view event) noexcept;
    backend_status copy(stream_view stream, void* to, const void* from, std::size_t bytes) noexcept;
};
static_assert(device_backend<minimal_backend>);

struct throwing_backend : minimal_backend {
    backend_result<void*> allocate_device(std::size_t bytes);  // not noexcept
};
static_assert(!allocates_device_memory<throwing_backend>, "errors are values");
static_assert(!device_backend<throwing_backend>);

struct backend_with_raw_pointers : minimal_backend {
    void* allocate_pinned(std::size_t bytes) noexcept;
};
static_assert(!allocates_pinned_memory<backend_with_raw_pointers>, "a null pointer does not say why");
static_assert(!has_streams<int> && !has_events<int>);

}  // namespace examples
}  // namespace tidepool
