#pragma once

// Allocation in the order of a stream.

#include "memory_resource.hpp"
#include "stream_view.hpp"

namespace tidepool {

/// A resource whose bytes come and go at a point of a stream's work instead of at once.
///
/// Requires, beside `memory_resource`:
///  - `r.allocate(stream, bytes, alignment)`: the bytes may be used by what `stream` runs from now on, and by others that wait
///    for it. Throws like `allocate_sync`.
///  - `r.deallocate(stream, pointer, bytes, alignment)`: given back once `stream` has run what it was given so far; `stream`
///    need not be the one of the allocation. The caller sees to it that `stream` waits for whoever else uses the bytes.
///
/// `allocate_sync` gives bytes that may be used at once; `deallocate_sync` takes bytes that nobody uses any more.
template <class R>
concept stream_ordered_resource = memory_resource<R> &&
    requires(R& r, stream_view stream, void* pointer, std::size_t bytes, std::size_t alignment) {
    { r.allocate(stream, bytes, alignment) } -> std::same_as<void*>;
    { r.deallocate(stream, pointer, bytes, alignment) } noexcept -> std::same_as<void>;
};

namespace examples {

struct minimal_stream_ordered : minimal_resource {
    void* allocate(stream_view stream, std::size_t bytes, std::size_t alignment);
    void deallocate(stream_view stream, void* pointer, std::size_t bytes, std::size_t alignment) noexcept;
    friend bool operator==(const minimal_stream_ordered&, const minimal_stream_ordered&) = default;
};
static_assert(stream_ordered_resource<minimal_stream_ordered>);
static_assert(!stream_ordered_resource<minimal_resource>);

struct stream_last : minimal_resource {  // as CCCL 3.0 spelled it
    void* allocate(std::size_t bytes, std::size_t alignment, stream_view stream);
    void deallocate(void* pointer, std::size_t bytes, std::size_t alignment, stream_view stream) noexcept;
    friend bool operator==(const stream_last&, const stream_last&) = default;
};
static_assert(!stream_ordered_resource<stream_last>, "the stream comes first");

}  // namespace examples
}  // namespace tidepool
