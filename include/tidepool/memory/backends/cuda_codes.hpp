#pragma once

// What the CUDA runtime's error codes mean, without its headers: the simulated backend speaks the same language.

#include "status.hpp"

namespace tidepool {

/// The codes that Tidepool tells apart; values as in `cudaError_t`.
enum class cuda_code : int {
    success = 0,
    invalid_value = 1,
    memory_allocation = 2,
    initialization_error = 3,
    runtime_unloading = 4,
    stub_library = 34,
    insufficient_driver = 35,
    devices_unavailable = 46,
    no_device = 100,
    invalid_device = 101,
    invalid_resource_handle = 400,
    not_ready = 600,
    illegal_address = 700,
    context_is_destroyed = 709,
    not_supported = 801,
    driver_mismatch = 803,
};

[[nodiscard]] constexpr outcome outcome_of(cuda_code code) noexcept
{
    switch (code) {
        case cuda_code::success:
            return outcome::success;
        case cuda_code::not_ready:
            return outcome::not_ready;
        case cuda_code::memory_allocation:
            return outcome::out_of_memory;
        case cuda_code::initialization_error:
        case cuda_code::stub_library:
        case cuda_code::insufficient_driver:
        case cuda_code::devices_unavailable:
        case cuda_code::no_device:
        case cuda_code::invalid_device:
        case cuda_code::driver_mismatch:
            return outcome::device_unavailable;
        case cuda_code::runtime_unloading:
        case cuda_code::context_is_destroyed:
            return outcome::context_destroyed;
        case cuda_code::not_supported:
            return outcome::unsupported;
        case cuda_code::invalid_value:
        case cuda_code::invalid_resource_handle:
        case cuda_code::illegal_address:
            break;
    }
    return outcome::failed;
}

/// The runtime's name of a code, where no runtime is there to ask.
[[nodiscard]] constexpr const char* name_of(cuda_code code) noexcept
{
    switch (code) {
        case cuda_code::success:
            return "cudaSuccess";
        case cuda_code::invalid_value:
            return "cudaErrorInvalidValue";
        case cuda_code::memory_allocation:
            return "cudaErrorMemoryAllocation";
        case cuda_code::initialization_error:
            return "cudaErrorInitializationError";
        case cuda_code::runtime_unloading:
            return "cudaErrorCudartUnloading";
        case cuda_code::stub_library:
            return "cudaErrorStubLibrary";
        case cuda_code::insufficient_driver:
            return "cudaErrorInsufficientDriver";
        case cuda_code::devices_unavailable:
            return "cudaErrorDevicesUnavailable";
        case cuda_code::no_device:
            return "cudaErrorNoDevice";
        case cuda_code::invalid_device:
            return "cudaErrorInvalidDevice";
        case cuda_code::invalid_resource_handle:
            return "cudaErrorInvalidResourceHandle";
        case cuda_code::not_ready:
            return "cudaErrorNotReady";
        case cuda_code::illegal_address:
            return "cudaErrorIllegalAddress";
        case cuda_code::context_is_destroyed:
            return "cudaErrorContextIsDestroyed";
        case cuda_code::not_supported:
            return "cudaErrorNotSupported";
        case cuda_code::driver_mismatch:
            return "cudaErrorSystemDriverMismatch";
    }
    return "cudaErrorUnknown";
}

[[nodiscard]] constexpr backend_status status_of(cuda_code code) noexcept
{
    return {outcome_of(code), static_cast<int>(code), name_of(code)};
}

static_assert(status_of(cuda_code::success).ok());
static_assert(outcome_of(static_cast<cuda_code>(12345)) == outcome::failed, "a code of a later runtime");

}  // namespace tidepool
