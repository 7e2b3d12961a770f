#pragma once

// The CUDA runtime as a backend. Needs the component cuda, and no driver until the program runs.

#include "../stream_view.hpp"
#include "cuda_codes.hpp"
#include "device_backend.hpp"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tidepool {

namespace detail {

/// Whether a call was told that the runtime is unloaded. It stays so until the process has ended.
inline constinit std::atomic<bool> cuda_is_unloaded = false;

/// What is known of the devices of the lowest numbers: nothing changes of it, and asking takes a call for every other device.
struct cuda_device_facts {
    static constexpr unsigned known = 1;
    static constexpr unsigned pool = 2;
    static constexpr unsigned peers = 4;
};
inline constinit std::array<std::atomic<unsigned>, 64> cuda_facts_of_device{};

}  // namespace detail

/// The devices of this machine, by direct calls of the CUDA runtime (12.8 or later), and of the driver through the runtime: a program
/// starts where there is no driver, and is told `device_unavailable` by every call.
///
/// It has no state: all objects are the same, and making one calls nothing. Streams are `cudaStream_t`, events `cudaEvent_t`. The
/// default stream is the legacy one, also for a caller that is compiled for per-thread default streams. Streams made here do not
/// wait for it. The pool is the one that the device has at that time (`cudaDeviceSetMemPool`).
///
/// Errors: the runtime's codes. A refused call leaves no error behind for `cudaGetLastError`, which it clears; errors of work that
/// was given to the device earlier may come out of any call. Once the runtime is unloaded the first call is refused, and from then
/// on `is_shutting_down()`. Thread safety: full.
class cuda_backend {
public:
    static constexpr bool is_thread_safe = true;

    [[nodiscard]] static bool is_shutting_down() noexcept { return detail::cuda_is_unloaded.load(std::memory_order_relaxed); }

    // ---- devices ----

    static backend_result<int> device_count() noexcept
    {
        int count = 0;
        return result(cudaGetDeviceCount(&count), count);
    }
    static backend_result<int> current_device() noexcept
    {
        int device = 0;
        return result(cudaGetDevice(&device), device);
    }
    static backend_status set_current_device(int device) noexcept { return status(cudaSetDevice(device)); }
    static backend_result<device_capabilities> capabilities(int device) noexcept
    {
        using facts = detail::cuda_device_facts;
        const bool kept = device >= 0 && static_cast<std::size_t>(device) < detail::cuda_facts_of_device.size();
        unsigned known = kept ? detail::cuda_facts_of_device[static_cast<std::size_t>(device)].load(std::memory_order_relaxed) : 0;
        if (known == 0) {
            if (const backend_status asked = ask_for_facts(device, known); !asked.ok()) {
                return asked;
            }
            if (kept) {
                detail::cuda_facts_of_device[static_cast<std::size_t>(device)].store(known, std::memory_order_relaxed);
            }
        }
        return device_capabilities{.stream_ordered_pool = (known & facts::pool) != 0, .peer_access = (known & facts::peers) != 0};
    }

    // ---- memory ----

    static backend_result<void*> allocate_device(std::size_t bytes) noexcept
    {
        void* pointer = nullptr;
        return result(cudaMalloc(&pointer, bytes), pointer);
    }
    static backend_status free_device(void* pointer) noexcept { return status(cudaFree(pointer)); }
    static backend_result<void*> allocate_pinned(std::size_t bytes) noexcept
    {
        void* pointer = nullptr;
        return result(cudaHostAlloc(&pointer, bytes, cudaHostAllocPortable), pointer);
    }
    static backend_status free_pinned(void* pointer) noexcept { return status(cudaFreeHost(pointer)); }
    /// Not `cudaMallocAsync`: that gives the memory of the stream's device.
    static backend_result<void*> allocate_pooled(stream_view stream, std::size_t bytes) noexcept
    {
        const auto device = current_device();
        if (!device.ok()) {
            return device.status();
        }
        cudaMemPool_t pool = nullptr;
        if (const backend_status asked = status(cudaDeviceGetMemPool(&pool, device.value())); !asked.ok()) {
            return asked;
        }
        void* pointer = nullptr;
        return result(cudaMallocFromPoolAsync(&pointer, bytes, pool, of(stream)), pointer);
    }
    static backend_status free_pooled(stream_view stream, void* pointer) noexcept { return status(cudaFreeAsync(pointer, of(stream))); }
    /// The runtime does not say; the driver does.
    static backend_result<bool> is_pooled(void* pointer) noexcept
    {
        void* entry = nullptr;
        auto found = cudaDriverEntryPointSymbolNotFound;
        constexpr unsigned since = 4000;  // CUDA 4.0
        const auto asked = status(cudaGetDriverEntryPointByVersion("cuPointerGetAttribute", &entry, since, cudaEnableDefault, &found));
        if (!asked.ok()) {
            return asked;
        }
        if (entry == nullptr) {
            return status_of(cuda_code::not_supported);
        }
        CUmemoryPool pool = nullptr;
        const auto answer = reinterpret_cast<decltype(&cuPointerGetAttribute)>(entry)(&pool, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE,
                                                                                      reinterpret_cast<CUdeviceptr>(pointer));
        return result(static_cast<cudaError_t>(answer), pool != nullptr);  // the driver's codes are the runtime's
    }

    // ---- streams ----

    static backend_result<stream_view> create_stream() noexcept
    {
        cudaStream_t stream = nullptr;
        const cudaError_t code = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        return result(code, stream_view(stream));
    }
    static backend_status destroy_stream(stream_view stream) noexcept { return status(cudaStreamDestroy(of(stream))); }
    static backend_status synchronise(stream_view stream) noexcept { return status(cudaStreamSynchronize(of(stream))); }
    static backend_status query(stream_view stream) noexcept { return status(cudaStreamQuery(of(stream))); }
    static backend_result<int> device_of(stream_view stream) noexcept
    {
        if (stream == stream_view()) {
            return current_device();
        }
        int device = 0;
        return result(cudaStreamGetDevice(of(stream), &device), device);
    }
    static backend_result<std::uint64_t> id_of(stream_view stream) noexcept
    {
        unsigned long long id = 0;
        const cudaError_t code = cudaStreamGetId(of(stream), &id);
        return result<std::uint64_t>(code, id);
    }

    // ---- events ----

    static backend_result<event_view> create_event() noexcept
    {
        cudaEvent_t event = nullptr;
        const cudaError_t code = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
        return result(code, event_view(event));
    }
    static backend_status destroy_event(event_view event) noexcept { return status(cudaEventDestroy(of(event))); }
    static backend_status record(event_view event, stream_view stream) noexcept { return status(cudaEventRecord(of(event), of(stream))); }
    static backend_status wait(stream_view stream, event_view event) noexcept
    {
        return status(cudaStreamWaitEvent(of(stream), of(event), 0));
    }
    static backend_status synchronise(event_view event) noexcept { return status(cudaEventSynchronize(of(event))); }
    static backend_status query(event_view event) noexcept { return status(cudaEventQuery(of(event))); }

    // ---- copies ----

    static backend_status copy(stream_view stream, void* to, const void* from, std::size_t bytes) noexcept
    {
        return status(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, of(stream)));
    }

private:
    static backend_status ask_for_facts(int device, unsigned& known) noexcept
    {
        int has_pool = 0;
        const backend_status asked = status(cudaDeviceGetAttribute(&has_pool, cudaDevAttrMemoryPoolsSupported, device));
        const auto count = device_count();
        if (!asked.ok() || !count.ok()) {
            return asked.ok() ? count.status() : asked;
        }
        bool reaches_all = count.value() > 1;
        for (int other = 0; reaches_all && other < count.value(); ++other) {
            int reaches = 1;
            if (other != device && !status(cudaDeviceCanAccessPeer(&reaches, device, other)).ok()) {
                reaches = 0;
            }
            reaches_all = reaches != 0;
        }
        using facts = detail::cuda_device_facts;
        known = facts::known | (has_pool != 0 ? facts::pool : 0U) | (reaches_all ? facts::peers : 0U);
        return {};
    }

    static cudaStream_t of(stream_view stream) noexcept
    {
        return stream == stream_view() ? cudaStreamLegacy : static_cast<cudaStream_t>(stream.handle());
    }
    static cudaEvent_t of(event_view event) noexcept { return static_cast<cudaEvent_t>(event.handle()); }

    static backend_status status(cudaError_t code) noexcept
    {
        if (code == cudaSuccess) {
            return {};
        }
        if (code == cudaErrorCudartUnloading) {
            detail::cuda_is_unloaded.store(true, std::memory_order_relaxed);
        } else if (code != cudaErrorNotReady) {  // which the runtime does not remember
            static_cast<void>(cudaGetLastError());
        }
        return {outcome_of(static_cast<cuda_code>(code)), static_cast<int>(code), cudaGetErrorName(code)};
    }
    /// `value` may be what the call in `code` wrote: it is read here.
    template <class T>
    static backend_result<T> result(cudaError_t code, const T& value) noexcept
    {
        const backend_status how = status(code);
        return how.ok() ? backend_result<T>(value) : backend_result<T>(how);
    }
};

static_assert(device_backend<cuda_backend>);
static_assert(std::is_empty_v<cuda_backend>);

namespace detail {

template <cuda_code Ours, cudaError Theirs>
inline constexpr bool same_cuda_code = static_cast<int>(Ours) == static_cast<int>(Theirs);

static_assert(same_cuda_code<cuda_code::success, cudaSuccess> && same_cuda_code<cuda_code::invalid_value, cudaErrorInvalidValue> &&
              same_cuda_code<cuda_code::memory_allocation, cudaErrorMemoryAllocation> &&
              same_cuda_code<cuda_code::initialization_error, cudaErrorInitializationError> &&
              same_cuda_code<cuda_code::runtime_unloading, cudaErrorCudartUnloading> &&
              same_cuda_code<cuda_code::stub_library, cudaErrorStubLibrary> &&
              same_cuda_code<cuda_code::insufficient_driver, cudaErrorInsufficientDriver> &&
              same_cuda_code<cuda_code::devices_unavailable, cudaErrorDevicesUnavailable> &&
              same_cuda_code<cuda_code::no_device, cudaErrorNoDevice> &&
              same_cuda_code<cuda_code::invalid_device, cudaErrorInvalidDevice> &&
              same_cuda_code<cuda_code::invalid_resource_handle, cudaErrorInvalidResourceHandle> &&
              same_cuda_code<cuda_code::not_ready, cudaErrorNotReady> &&
              same_cuda_code<cuda_code::illegal_address, cudaErrorIllegalAddress> &&
              same_cuda_code<cuda_code::context_is_destroyed, cudaErrorContextIsDestroyed> &&
              same_cuda_code<cuda_code::not_supported, cudaErrorNotSupported> &&
              same_cuda_code<cuda_code::driver_mismatch, cudaErrorSystemDriverMismatch>);

}  // namespace detail
}  // namespace tidepool
