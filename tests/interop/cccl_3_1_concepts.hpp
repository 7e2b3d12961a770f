#pragma once

// The concepts of `cuda::mr` as they are from CCCL 3.1 on, in our own words: the names that 3.0 has mean something else there.

#include <cuda/memory_resource>
#include <cuda/stream_ref>

#include <concepts>
#include <cstddef>

namespace cccl_3_1 {

template <class R>
concept synchronous_resource = std::equality_comparable<R> && requires(R& r, void* pointer, std::size_t bytes, std::size_t alignment)
{
    {
        r.allocate_sync(bytes, alignment)
        } -> std::same_as<void*>;
    {
        r.deallocate_sync(pointer, bytes, alignment)
        } -> std::same_as<void>;
};

template <class R>
concept resource = synchronous_resource<R> &&
    requires(R& r, cuda::stream_ref stream, void* pointer, std::size_t bytes, std::size_t alignment)
{
    {
        r.allocate(stream, bytes, alignment)
        } -> std::same_as<void*>;
    {
        r.deallocate(stream, pointer, bytes, alignment)
        } -> std::same_as<void>;
};

template <class R, class... Properties>
concept synchronous_resource_with = synchronous_resource<R> &&(cuda::has_property<R, Properties>&&...);
template <class R, class... Properties>
concept resource_with = resource<R> &&(cuda::has_property<R, Properties>&&...);

/// What `any_resource` holds.
template <class R, class... Properties>
concept ownable_resource = resource_with<R, Properties...> && std::copyable<R>;

}  // namespace cccl_3_1
