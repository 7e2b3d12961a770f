#pragma once

// What two compilers must agree on when their objects meet in one program.

#include <tidepool/interop/cuda_mr.hpp>
#include <tidepool/memory/adaptors/limited.hpp>
#include <tidepool/memory/adaptors/pooled.hpp>
#include <tidepool/memory/adaptors/size_classes.hpp>
#include <tidepool/memory/adaptors/statistics.hpp>
#include <tidepool/memory/backends/cuda_backend.hpp>
#include <tidepool/memory/copy.hpp>
#include <tidepool/memory/pipe.hpp>
#include <tidepool/memory/shared_resource.hpp>
#include <tidepool/memory/sources/cuda_memory.hpp>
#include <tidepool/memory/sources/host_memory.hpp>
#include <tidepool/memory/sources/simulated_device_memory.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace testing_two_compilers {

using host_stack = tidepool::pipe<tidepool::statistics, tidepool::size_classes, tidepool::pooled, tidepool::limited, tidepool::host_memory>;
using device_stack = tidepool::pipe<tidepool::statistics, tidepool::limited, tidepool::cuda_device_memory>;

struct layout {
    std::string type;
    std::size_t size;
    std::size_t alignment;
    friend bool operator==(const layout&, const layout&) = default;
};

namespace {  // one for each translation unit: of an inline function, one of the two would be used by both

template <class T>
layout layout_of(const char* type)
{
    return {type, sizeof(T), alignof(T)};
}

[[maybe_unused]] std::vector<layout> layouts_here()
{
    return {
        layout_of<tidepool::stream_view>("stream_view"),
        layout_of<tidepool::event_view>("event_view"),
        layout_of<tidepool::backend_status>("backend_status"),
        layout_of<tidepool::backend_result<bool>>("backend_result"),
        layout_of<tidepool::tier_full>("tier_full"),
        layout_of<tidepool::device_unavailable>("device_unavailable"),
        layout_of<tidepool::host_memory>("host_memory"),
        layout_of<tidepool::cuda_backend>("cuda_backend"),
        layout_of<tidepool::cuda_device_memory>("cuda_device_memory"),
        layout_of<tidepool::cuda_pinned_memory>("cuda_pinned_memory"),
        layout_of<tidepool::simulated_backend>("simulated_backend"),
        layout_of<tidepool::simulated_device_memory>("simulated_device_memory"),
        layout_of<tidepool::copy_token<tidepool::cuda_backend>>("copy_token"),
        layout_of<host_stack>("host_stack"),
        layout_of<device_stack>("device_stack"),
        layout_of<tidepool::shared_resource<host_stack>>("shared_resource"),
        layout_of<tidepool::as_cuda_mr<host_stack&>>("as_cuda_mr, referring"),
        layout_of<tidepool::as_cuda_mr<tidepool::cuda_device_memory>>("as_cuda_mr, owning"),
        layout_of<cuda::mr::resource_ref<cuda::mr::device_accessible>>("cuda::mr::resource_ref"),
    };
}

}  // namespace

// What the other compiler makes.

std::vector<layout> layouts_of_nvcc();

/// Allocates with nvcc's code what the caller gives back with its own, and the other way round.
void* allocate_with_nvcc(host_stack& stack, std::size_t bytes);
void deallocate_with_nvcc(host_stack& stack, void* pointer, std::size_t bytes) noexcept;

/// Lets a kernel count to `count` in memory from `device`, and returns the sum of what it wrote, copied back through pinned memory.
long sum_from_a_kernel(tidepool::as_cuda_mr<device_stack&> device, int count);

}  // namespace testing_two_compilers
