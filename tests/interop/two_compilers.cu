// The half of the program that nvcc compiles.

#include "layouts.hpp"

#include <cuda_runtime_api.h>

#include <numeric>

namespace tp = tidepool;

namespace testing_two_compilers {

std::vector<layout> layouts_of_nvcc() { return layouts_here(); }

void* allocate_with_nvcc(host_stack& stack, std::size_t bytes) { return stack.allocate_sync(bytes, 64); }

void deallocate_with_nvcc(host_stack& stack, void* pointer, std::size_t bytes) noexcept { stack.deallocate_sync(pointer, bytes, 64); }

namespace {

__global__ void count_up(int* to, int count)
{
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) {
        to[i] = i;
    }
}

}  // namespace

long sum_from_a_kernel(tp::as_cuda_mr<device_stack&> device, int count)
{
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(int);
    tp::cuda_pinned_memory pinned;
    cuda::mr::async_resource_ref<cuda::mr::device_accessible> memory(device);
    const auto stream = static_cast<cudaStream_t>(tp::cuda_backend::create_stream().value().handle());
    auto* const block = static_cast<int*>(memory.allocate_async(bytes, alignof(int), stream));
    auto* const host = static_cast<int*>(pinned.allocate_sync(bytes, alignof(int)));
    count_up<<<(count + 255) / 256, 256, 0, stream>>>(block, count);
    tp::copy(tp::stream_view(stream), pinned, host, device.resource(), block, bytes).wait();
    const long sum = std::accumulate(host, host + count, 0L);
    memory.deallocate_async(block, bytes, alignof(int), stream);
    pinned.deallocate_sync(host, bytes, alignof(int));
    tp::cuda_backend::destroy_stream(tp::stream_view(stream));
    return sum;
}

}  // namespace testing_two_compilers
