#pragma once

// Resources of this library as resources of CCCL's `cuda::mr`. Needs CCCL (3.0 or later; with the CUDA toolkit) and no CUDA compiler.

#include "../memory/memory_resource.hpp"
#include "../memory/properties.hpp"
#include "../memory/stream_ordered_resource.hpp"
#include "../memory/stream_view.hpp"

#include <cuda/version>
// Before 3.1 all of `cuda::mr` is behind a macro, and what was included without it stays empty.
#if CCCL_VERSION < 3001000 && !defined(LIBCUDACXX_ENABLE_EXPERIMENTAL_MEMORY_RESOURCE)
#if defined(_CUDA__MEMORY_RESOURCE_GET_PROPERTY_H) || defined(_CUDA__MEMORY_RESOURCE_PROPERTIES_H) || \
    defined(_CUDA__MEMORY_RESOURCE_RESOURCE_H)
#error \
    "tidepool: include tidepool/interop/cuda_mr.hpp before <cuda/memory_resource>, or define LIBCUDACXX_ENABLE_EXPERIMENTAL_MEMORY_RESOURCE"
#endif
#define LIBCUDACXX_ENABLE_EXPERIMENTAL_MEMORY_RESOURCE
#endif
#include <cuda/memory_resource>
#include <cuda/stream_ref>

#include <concepts>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>

namespace tidepool {

/// A resource, adaptor or stack under the names of `cuda::mr`, of 3.0 and of later versions. Models `async_resource` (from 3.1:
/// `resource`) where `R` is stream ordered, else `resource` (`synchronous_resource`), with the properties `host_accessible` and
/// `device_accessible` of `R`.
///
/// `as_cuda_mr<R>` holds an `R` of its own, and can be copied if `R` can: with a source or a `shared_resource` it outlives its maker,
/// as CCCL's owners want it. `as_cuda_mr<R&>` refers to one that lives elsewhere. Which one, follows from the argument:
///
///     tp::as_cuda_mr view(stack);                                   // as_cuda_mr<stack_type&>
///     tp::as_cuda_mr owner(tp::make_shared_resource<stack_type>());  // as_cuda_mr<tp::shared_resource<stack_type>>
///
/// Errors: those of `R`. Thread safety: that of `R`. The legacy default stream is the one of the current device; the per-thread one
/// may be passed only while the resource's device is current.
template <class R>
requires memory_resource<std::remove_reference_t<R>>
class as_cuda_mr {
    static_assert(!std::is_rvalue_reference_v<R>);

public:
    using resource_type = std::remove_reference_t<R>;

    explicit as_cuda_mr(std::type_identity_t<R> resource)  // not deduced from here
        : resource_(std::forward<R>(resource))
    {
    }

    [[nodiscard]] void* allocate_sync(std::size_t bytes, std::size_t alignment) { return resource().allocate_sync(bytes, alignment); }
    void deallocate_sync(void* pointer, std::size_t bytes, std::size_t alignment) noexcept
    {
        resource().deallocate_sync(pointer, bytes, alignment);
    }
    [[nodiscard]] void* allocate(cuda::stream_ref stream, std::size_t bytes,
                                 std::size_t alignment) requires stream_ordered_resource<resource_type>
    {
        return resource().allocate(view_of(stream), bytes, alignment);
    }
    void deallocate(cuda::stream_ref stream, void* pointer, std::size_t bytes,
                    std::size_t alignment) noexcept requires stream_ordered_resource<resource_type>
    {
        resource().deallocate(view_of(stream), pointer, bytes, alignment);
    }

    // The names of 3.0.
    [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment) { return allocate_sync(bytes, alignment); }
    void deallocate(void* pointer, std::size_t bytes, std::size_t alignment) noexcept { deallocate_sync(pointer, bytes, alignment); }
    [[nodiscard]] void* allocate_async(std::size_t bytes, std::size_t alignment,
                                       cuda::stream_ref stream) requires stream_ordered_resource<resource_type>
    {
        return allocate(stream, bytes, alignment);
    }
    void deallocate_async(void* pointer, std::size_t bytes, std::size_t alignment,
                          cuda::stream_ref stream) noexcept requires stream_ordered_resource<resource_type>
    {
        deallocate(stream, pointer, bytes, alignment);
    }

    [[nodiscard]] resource_type& resource() noexcept { return resource_; }
    [[nodiscard]] const resource_type& resource() const noexcept { return resource_; }

    friend bool operator==(const as_cuda_mr& left, const as_cuda_mr& right) noexcept { return left.resource() == right.resource(); }
    friend constexpr void get_property(const as_cuda_mr&,
                                       cuda::mr::host_accessible) noexcept requires has_property<resource_type, host_accessible>
    {
    }
    friend constexpr void get_property(const as_cuda_mr&,
                                       cuda::mr::device_accessible) noexcept requires has_property<resource_type, device_accessible>
    {
    }

private:
    static stream_view view_of(cuda::stream_ref stream) noexcept
    {
        return stream.get() == cudaStreamLegacy ? stream_view() : stream_view(stream.get());
    }

    std::conditional_t<std::is_reference_v<R>, std::reference_wrapper<resource_type>, resource_type> resource_;
};

template <class R>
as_cuda_mr(R&&) -> as_cuda_mr<R>;

namespace examples {

#if CCCL_VERSION < 3001000
template <class R, class... Properties>
concept cuda_mr_synchronous = cuda::mr::resource_with<R, Properties...>;
template <class R, class... Properties>
concept cuda_mr_stream_ordered = cuda::mr::async_resource_with<R, Properties...>;
#else
template <class R, class... Properties>
concept cuda_mr_synchronous = cuda::mr::synchronous_resource_with<R, Properties...>;
template <class R, class... Properties>
concept cuda_mr_stream_ordered = cuda::mr::resource_with<R, Properties...>;
#endif

struct minimal_pinned : minimal_stream_ordered {
    using properties = pinned::properties;
    friend bool operator==(const minimal_pinned&, const minimal_pinned&) = default;
};
static_assert(cuda_mr_stream_ordered<as_cuda_mr<minimal_pinned>, cuda::mr::host_accessible, cuda::mr::device_accessible>);
static_assert(cuda_mr_stream_ordered<as_cuda_mr<minimal_pinned&>, cuda::mr::device_accessible>);
static_assert(cuda_mr_synchronous<as_cuda_mr<minimal_resource>>);
static_assert(!cuda_mr_stream_ordered<as_cuda_mr<minimal_resource>>, "what has no streams gets none");
static_assert(!cuda_mr_synchronous<as_cuda_mr<minimal_resource>, cuda::mr::host_accessible>, "what says nothing has nothing");
static_assert(!cuda_mr_synchronous<minimal_resource>, "unwrapped, the names are others");
static_assert(!std::is_constructible_v<as_cuda_mr<minimal_pinned&>, minimal_pinned>, "nothing refers to a temporary");

}  // namespace examples
}  // namespace tidepool
