#pragma once

// Device and pinned memory of this machine's CUDA devices. Needs the component cuda.

#include "../backends/cuda_backend.hpp"
#include "device_memory.hpp"
#include "pinned_host_memory.hpp"

#include <type_traits>

namespace tidepool {

/// `cuda_device_memory memory(1)`: memory of CUDA device 1; of device 0 by default.
using cuda_device_memory = device_memory<cuda_backend>;
/// `cuda_pinned_memory memory`: page-locked host memory, for all CUDA devices.
using cuda_pinned_memory = pinned_host_memory<cuda_backend>;

static_assert(std::is_default_constructible_v<cuda_device_memory> && std::is_default_constructible_v<cuda_pinned_memory>);
static_assert(has_property<cuda_device_memory, thread_safe> && !has_property<cuda_device_memory, host_accessible>);
static_assert(has_property<cuda_pinned_memory, thread_safe> && has_property<cuda_pinned_memory, page_locked>);

}  // namespace tidepool
