#pragma once

// Device and pinned memory without a device.

#include "../backends/simulated_backend.hpp"
#include "device_memory.hpp"
#include "pinned_host_memory.hpp"

namespace tidepool {

/// `simulated_device_memory memory(backend, 1)`: memory of a simulated device, with host bytes behind it.
using simulated_device_memory = device_memory<simulated_backend>;
/// `simulated_pinned_memory memory(backend)`: its page-locked host memory.
using simulated_pinned_memory = pinned_host_memory<simulated_backend>;

static_assert(has_property<simulated_device_memory, thread_safe> && !has_property<simulated_device_memory, host_accessible>);
static_assert(has_property<simulated_pinned_memory, thread_safe>);

}  // namespace tidepool
