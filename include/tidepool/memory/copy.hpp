#pragma once

// Copies between any two resources.

#include "../core/error.hpp"
#include "backends/backend_below.hpp"
#include "backends/device_backend.hpp"
#include "backends/stream_event.hpp"
#include "errors.hpp"
#include "memory_resource.hpp"
#include "properties.hpp"
#include "request.hpp"
#include "stream_view.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

namespace tidepool {

/// The driver refused a copy. What it was given before has ended when this is thrown; the target's bytes are unspecified.
class copy_failed : public error {
public:
    copy_failed(std::size_t bytes_asked, backend_status status) noexcept
        : error("tidepool: the device's driver refused a copy"), bytes(bytes_asked), code(status.code), reason(status.name)
    {
    }

    std::size_t bytes;   ///< of the whole copy
    int code;            ///< the backend's
    const char* reason;  ///< the backend's name of it
};

/// How a copy is cut.
struct copy_limits {
    std::size_t greatest_piece = greatest_request;  ///< bytes in one call of the driver
};

/// A resource that is registered with a driver in several ranges, none of which a copy may leave: `r.registered_after(pointer)`, the
/// bytes from there to the end of its range, at least 1.
template <class R>
concept registered_in_ranges = memory_resource<R> && requires(const R& r, const void* pointer) {
    { r.registered_after(pointer) } noexcept -> std::same_as<std::size_t>;
};

namespace detail {

inline void expect_copied(backend_status status, std::size_t bytes)
{
    if (!status.ok()) {
        raise(copy_failed(bytes, status));
    }
}

}  // namespace detail

/// A copy under way, by the mark behind it. Not copyable; dying it neither waits nor cancels, as the stream goes on. Thread safety: none.
template <device_backend Backend>
class [[nodiscard]] copy_token {
public:
    /// Done already.
    copy_token() noexcept = default;
    /// Owns the event.
    copy_token(Backend& backend, event_view event, std::size_t bytes) noexcept : backend_(&backend), event_(event), bytes_(bytes) {}
    copy_token(copy_token&& other) noexcept : backend_(std::exchange(other.backend_, nullptr)), event_(other.event_), bytes_(other.bytes_)
    {
    }
    copy_token& operator=(copy_token&& other) noexcept
    {
        std::swap(backend_, other.backend_);
        std::swap(event_, other.event_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~copy_token()
    {
        if (backend_ != nullptr && !backend_->is_shutting_down()) {
            backend_->destroy_event(event_);
        }
    }

    /// Whether both ends may be freed and overwritten, and the target read. Never waits. Throws `copy_failed` where the driver cannot say.
    [[nodiscard]] bool done() const
    {
        const backend_status status = backend_ != nullptr ? backend_->query(event_) : backend_status{};
        expect(status.result == outcome::not_ready ? backend_status{} : status);
        return status.ok();
    }
    /// Waits until it is done.
    void wait() const { expect(backend_ != nullptr ? backend_->synchronise(event_) : backend_status{}); }
    /// What the stream is given from now on runs after the copy.
    void wait(stream_view stream) const { expect(backend_ != nullptr ? backend_->wait(stream, event_) : backend_status{}); }

private:
    void expect(backend_status status) const { detail::expect_copied(status, bytes_); }

    Backend* backend_ = nullptr;
    event_view event_;
    std::size_t bytes_ = 0;
};

/// The token of what was copied at once.
struct copied {
    [[nodiscard]] static bool done() noexcept { return true; }
    static void wait() noexcept {}
    static void wait(stream_view) noexcept {}
};

namespace detail {

template <class To, class From>
auto& backend_of_copy(const To& to, const From& from) noexcept
{
    if constexpr (has_backend<To>) {
        return *backend_below(to);
    } else {
        return *backend_below(from);
    }
}

template <class R>
std::size_t registered_after(const R& resource, const void* pointer) noexcept
{
    if constexpr (registered_in_ranges<R>) {
        return resource.registered_after(pointer);
    } else if constexpr (stands_for_another<R>) {
        return registered_after(below(resource), pointer);
    } else {
        return greatest_request;
    }
}

/// Gives the pieces to the stream; stops at the first that is refused.
template <class Backend, class To, class From>
backend_status copy_pieces(Backend& backend, stream_view stream, const To& to, std::byte* target, const From& from, const std::byte* source,
                           std::size_t bytes, copy_limits limits) noexcept
{
    backend_status status;
    while (bytes > 0 && status.ok()) {
        const std::size_t piece = std::min(
            {bytes, std::max<std::size_t>(limits.greatest_piece, 1), registered_after(to, target), registered_after(from, source)});
        status = backend.copy(stream, target, source, piece);
        target += piece;
        source += piece;
        bytes -= piece;
    }
    return status;
}

template <class Backend, class To, class From>
copy_token<Backend> start_copy(Backend& backend, stream_view stream, const To& to, void* target, const From& from, const void* source,
                               std::size_t bytes, copy_limits limits)
{
    const auto event = create_event_for(backend, stream);  // first, so that nothing is under way if there is none
    expect_copied(event.status(), bytes);
    copy_token<Backend> token(backend, event.value(), bytes);
    backend_status status =
        copy_pieces(backend, stream, to, static_cast<std::byte*>(target), from, static_cast<const std::byte*>(source), bytes, limits);
    status = status.ok() ? backend.record(event.value(), stream) : status;
    if (!status.ok()) {
        backend.synchronise(stream);
        expect_copied(status, bytes);
    }
    return token;
}

inline copied copy_on_host(void* target, const void* source, std::size_t bytes) noexcept
{
    if (bytes > 0) {
        std::memcpy(target, source, bytes);
    }
    return {};
}

template <class R>
concept plain_host_resource = has_property<R, host_accessible> && !has_backend<R>;

template <class To, class From>
concept of_one_backend = has_backend<To> && std::is_same_v<backend_of<To>, backend_of<From>>;

}  // namespace detail

/// Two resources between which bytes can go: both plain host memory, both of one type of backend, or one and one.
template <class To, class From>
concept copyable_between = memory_resource<To> && memory_resource<From> &&
    (detail::plain_host_resource<To> || detail::has_backend<To>)&&(detail::plain_host_resource<From> || detail::has_backend<From>)&&(
        detail::plain_host_resource<To> || detail::plain_host_resource<From> || detail::of_one_backend<To, From>);

/// Copies in the order of a stream: after what it was given before. Until the token is done, both ends stay as they are, and are
/// freed only by who waited for it or in the order of the stream.
///
/// Two plain host resources: at once, without the stream. An end in pageable host memory may make the call wait. Two resources of
/// one type of backend have the same object. Throws `copy_failed`, after waiting for the pieces that were under way.
template <class To, class From>
requires copyable_between<To, From>
[[nodiscard]] auto copy(stream_view stream, const To& to, void* target, const From& from, const void* source, std::size_t bytes,
                        copy_limits limits = {})
{
    if constexpr (detail::plain_host_resource<To> && detail::plain_host_resource<From>) {
        return detail::copy_on_host(target, source, bytes);
    } else {
        auto& backend = detail::backend_of_copy(to, from);
        return detail::start_copy(backend, stream, to, target, from, source, bytes, limits);
    }
}

/// Copies and returns when it is done, for ends that nobody else uses. Host memory of every kind by `memcpy`. Throws `copy_failed`.
template <class To, class From>
requires copyable_between<To, From>
void copy_sync(const To& to, void* target, const From& from, const void* source, std::size_t bytes, copy_limits limits = {})
{
    if constexpr (has_property<To, host_accessible> && has_property<From, host_accessible>) {
        detail::copy_on_host(target, source, bytes);
    } else {
        auto& backend = detail::backend_of_copy(to, from);
        const backend_status status = detail::copy_pieces(backend, stream_view(), to, static_cast<std::byte*>(target), from,
                                                          static_cast<const std::byte*>(source), bytes, limits);
        const backend_status end = bytes > 0 ? backend.synchronise(stream_view()) : backend_status{};
        detail::expect_copied(status.ok() ? end : status, bytes);
    }
}

}  // namespace tidepool
