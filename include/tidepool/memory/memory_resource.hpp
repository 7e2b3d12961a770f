#pragma once

// Where bytes come from: the one concept that every source and adaptor models.

#include <concepts>
#include <cstddef>

namespace tidepool {

/// A source of bytes with explicit sizes and alignments.
///
/// Requires, for an lvalue `r`, `bytes` and a power of two `alignment`:
///  - `r.allocate_sync(bytes, alignment)` returns storage of at least `bytes` bytes at that alignment, or throws an
///    `allocation_error` and leaves `r` as it was. Zero bytes give a null pointer and take nothing.
///  - `r.deallocate_sync(pointer, bytes, alignment)` takes back what an equal resource gave for the same sizes; nothing happens
///    for a null pointer. Never throws, never allocates.
///  - `r == s` means that each may deallocate what the other allocated.
///
/// Laws: `tests/conformance`. Models: everything in `memory/sources`, every adaptor over a model.
template <class R>
concept memory_resource = std::equality_comparable<R> && requires(R& r, void* pointer, std::size_t bytes, std::size_t alignment) {
    { r.allocate_sync(bytes, alignment) } -> std::same_as<void*>;
    { r.deallocate_sync(pointer, bytes, alignment) } noexcept -> std::same_as<void>;
};

namespace examples {

struct minimal_resource {
    void* allocate_sync(std::size_t bytes, std::size_t alignment);
    void deallocate_sync(void* pointer, std::size_t bytes, std::size_t alignment) noexcept;
    friend bool operator==(const minimal_resource&, const minimal_resource&) = default;
};
static_assert(memory_resource<minimal_resource>);

struct throws_on_release {
    void* allocate_sync(std::size_t bytes, std::size_t alignment);
    void deallocate_sync(void* pointer, std::size_t bytes, std::size_t alignment);  // not noexcept
    friend bool operator==(const throws_on_release&, const throws_on_release&) = default;
};
static_assert(!memory_resource<throws_on_release>, "deallocation must not throw");

struct without_equality {
    void* allocate_sync(std::size_t bytes, std::size_t alignment);
    void deallocate_sync(void* pointer, std::size_t bytes, std::size_t alignment) noexcept;
};
static_assert(!memory_resource<without_equality>, "nobody could tell who may deallocate");

}  // namespace examples
}  // namespace tidepool
