#pragma once

// A CUDA-like driver without a device: the same calls over host memory, in virtual time, that find their caller's mistakes.

#include "../../core/size_in_bytes.hpp"
#include "../../core/units.hpp"
#include "../stream_view.hpp"
#include "cuda_codes.hpp"
#include "device_backend.hpp"
#include "simulated/fault.hpp"
#include "simulated/machine.hpp"
#include "simulated/operation.hpp"
#include "simulated/options.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace tidepool {

/// Devices, streams, events and copies over host memory: a model of `device_backend`, and what tests and engines tell and ask it.
///
///  - *Time* is virtual: it moves when somebody waits, polls or says `advance`. Streams work side by side in it.
///  - *Order* is checked, not time: what touches memory that an unordered stream may still use is a `fault`, however long ago.
///    Copies say themselves what they touch, kernels by `use`. The default stream is one like any other.
///  - *Bytes* are real, and arrive when their copy ends in virtual time; until then the target is garbage (0xCD). Copies from
///    pageable memory take their bytes at once, copies to it wait.
///  - *Handles* of streams and events are used again as soon as they are free, as addresses are.
///
/// All host threads are one actor: what one of them waited for, all know. A thread may inherit the current device of one that ended.
///
/// Errors: codes of the CUDA runtime; races and frees in use are faults only, as a driver would not notice. The host running out of
/// memory for the simulation's own books ends the program. Thread safety: full, by one mutex.
class simulated_backend {
    using operation = simulated::operation;

public:
    static constexpr bool is_thread_safe = true;

    explicit simulated_backend(const simulated::options& machine = {}) : machine_(machine) {}
    simulated_backend(const simulated_backend&) = delete;
    simulated_backend& operator=(const simulated_backend&) = delete;

    // ---- device_backend ----

    [[nodiscard]] bool is_shutting_down() const noexcept { return shutting_down_; }

    backend_result<int> device_count() noexcept
    {
        return call<backend_result<int>>(operation::device_count, 0, [&] { return machine_.device_count(); });
    }
    backend_result<int> current_device() noexcept
    {
        return call<backend_result<int>>(operation::current_device, 0, [&] { return machine_.streams().current_device(); });
    }
    backend_status set_current_device(int device) noexcept
    {
        return call<backend_status>(operation::set_current_device, 0, [&] {
            if (!machine_.has_device(device)) {
                return status_of(cuda_code::invalid_device);
            }
            machine_.streams().set_current_device(device);
            return backend_status{};
        });
    }
    backend_result<device_capabilities> capabilities(int device) noexcept
    {
        using result = backend_result<device_capabilities>;
        return call<result>(operation::capabilities, 0, [&] {
            return machine_.has_device(device) ? result(machine_.device_at(device).capabilities) : status_of(cuda_code::invalid_device);
        });
    }

    backend_result<void*> allocate_device(std::size_t bytes) noexcept
    {
        return call<backend_result<void*>>(operation::allocate_device, bytes,
                                           [&] { return machine_.allocate(machine_.streams().current_device(), bytes); });
    }
    backend_status free_device(void* pointer) noexcept
    {
        return call<backend_status>(operation::free_device, 0,
                                    [&] { return machine_.free(operation::free_device, machine_.streams().current_device(), pointer); });
    }
    backend_result<void*> allocate_pinned(std::size_t bytes) noexcept
    {
        return call<backend_result<void*>>(operation::allocate_pinned, bytes,
                                           [&] { return machine_.allocate(simulated::page_locked_space, bytes); });
    }
    backend_status free_pinned(void* pointer) noexcept
    {
        return call<backend_status>(operation::free_pinned, 0,
                                    [&] { return machine_.free(operation::free_pinned, simulated::page_locked_space, pointer); });
    }
    backend_result<void*> allocate_pooled(stream_view stream, std::size_t bytes) noexcept
    {
        using result = backend_result<void*>;
        return call<result>(operation::allocate_pooled, bytes, [&] {
            return has_pool() ? machine_.allocate_pooled(stream, bytes) : result(status_of(cuda_code::not_supported));
        });
    }
    backend_status free_pooled(stream_view stream, void* pointer) noexcept
    {
        return call<backend_status>(operation::free_pooled, 0, [&] { return machine_.free_pooled(stream, pointer); });
    }
    backend_result<bool> is_pooled(void* pointer) noexcept
    {
        return call<backend_result<bool>>(operation::is_pooled, 0, [&] { return machine_.is_pooled(pointer); });
    }

    backend_result<stream_view> create_stream() noexcept
    {
        return call<backend_result<stream_view>>(operation::create_stream, 0, [&] { return machine_.streams().create_stream(); });
    }
    backend_status destroy_stream(stream_view stream) noexcept
    {
        return call<backend_status>(operation::destroy_stream, 0, [&] { return machine_.streams().destroy_stream(stream); });
    }
    backend_status synchronise(stream_view stream) noexcept
    {
        return call<backend_status>(operation::synchronise_stream, 0, [&] { return machine_.streams().synchronise(stream); });
    }
    backend_status query(stream_view stream) noexcept
    {
        return call<backend_status>(operation::query_stream, 0, [&] { return machine_.streams().query(stream); });
    }
    backend_result<int> device_of(stream_view stream) noexcept
    {
        return call<backend_result<int>>(operation::device_of, 0, [&] { return machine_.streams().device_of(stream); });
    }
    backend_result<std::uint64_t> id_of(stream_view stream) noexcept
    {
        return call<backend_result<std::uint64_t>>(operation::id_of, 0, [&] { return machine_.streams().id_of(stream); });
    }

    backend_result<event_view> create_event() noexcept
    {
        return call<backend_result<event_view>>(operation::create_event, 0, [&] { return machine_.streams().create_event(); });
    }
    backend_status destroy_event(event_view event) noexcept
    {
        return call<backend_status>(operation::destroy_event, 0, [&] { return machine_.streams().destroy_event(event); });
    }
    backend_status record(event_view event, stream_view stream) noexcept
    {
        return call<backend_status>(operation::record, 0, [&] { return machine_.streams().record(event, stream); });
    }
    backend_status wait(stream_view stream, event_view event) noexcept
    {
        return call<backend_status>(operation::wait, 0, [&] { return machine_.streams().wait(stream, event); });
    }
    backend_status synchronise(event_view event) noexcept
    {
        return call<backend_status>(operation::synchronise_event, 0, [&] { return machine_.streams().synchronise(event); });
    }
    backend_status query(event_view event) noexcept
    {
        return call<backend_status>(operation::query_event, 0, [&] { return machine_.streams().query(event); });
    }

    backend_status copy(stream_view stream, void* to, const void* from, std::size_t bytes) noexcept
    {
        return call<backend_status>(operation::copy, bytes, [&] { return machine_.copy(stream, to, from, bytes); });
    }

    // ---- kernels ----

    /// A kernel of so many nanoseconds on a stream of the current device. `body` runs when it ends, and must not call the backend.
    backend_status launch(stream_view stream, nanoseconds duration, std::function<void()> body = {}) noexcept
    {
        return call<backend_status>(operation::launch, 0, [&] { return machine_.streams().launch(stream, duration, std::move(body)); });
    }
    /// Says that what the stream runs next touches a range. Not counted as a call.
    backend_status use(stream_view stream, const void* pointer, std::size_t bytes, simulated::access_kind kind) noexcept
    {
        const std::lock_guard lock(mutex_);
        return machine_.device_count() > 0 ? machine_.use(stream, pointer, bytes, kind) : status_of(cuda_code::no_device);
    }
    /// Says that the host touches a range now.
    void use_on_host(const void* pointer, std::size_t bytes, simulated::access_kind kind) noexcept
    {
        const std::lock_guard lock(mutex_);
        machine_.use_on_host(pointer, bytes, kind);
    }

    // ---- the simulation ----

    [[nodiscard]] nanoseconds now() const noexcept
    {
        const std::lock_guard lock(mutex_);
        return machine_.streams().now();
    }
    /// The host does something else for a while.
    void advance(nanoseconds time) noexcept
    {
        const std::lock_guard lock(mutex_);
        machine_.streams().advance(time);
    }

    [[nodiscard]] std::vector<simulated::fault> faults() const
    {
        const std::lock_guard lock(mutex_);
        return machine_.faults().all();
    }
    void forget_faults() noexcept
    {
        const std::lock_guard lock(mutex_);
        machine_.faults().clear();
    }
    /// Blocks of every kind that are allocated and not freed.
    [[nodiscard]] std::size_t live_blocks() const noexcept
    {
        const std::lock_guard lock(mutex_);
        return machine_.live_blocks();
    }
    [[nodiscard]] std::uint64_t calls() const noexcept
    {
        const std::lock_guard lock(mutex_);
        return counters_.all();
    }
    [[nodiscard]] std::uint64_t calls(simulated::operation of) const noexcept
    {
        const std::lock_guard lock(mutex_);
        return counters_.of(of);
    }

    /// The `call`-th call of an operation from now on (from 1) fails with `code`, and does nothing.
    void fail_call(simulated::operation what, std::uint64_t call, cuda_code code) { script({what, code, 0, call}); }
    /// Calls for more than so many bytes fail.
    void fail_above(simulated::operation what, size_in_bytes bytes, cuda_code code = cuda_code::memory_allocation)
    {
        script({what, code, bytes.value(), 0});
    }
    /// All calls of an operation fail.
    void fail(simulated::operation what, cuda_code code) { script({what, code, 0, 0}); }
    /// No more failures.
    void heal() noexcept
    {
        const std::lock_guard lock(mutex_);
        script_.clear();
    }

    /// From now on every call is refused. Where `is_shutting_down()` says so too, a call is a fault beside.
    void destroy_context(bool announced = true) noexcept
    {
        const std::lock_guard lock(mutex_);
        context_destroyed_ = true;
        shutting_down_ = announced;
    }

private:
    /// What every call goes through: the lock, the counters, the ways to fail.
    template <class Result, class Body>
    Result call(operation what, std::size_t bytes, Body body) noexcept
    {
        const std::lock_guard lock(mutex_);
        counters_.add(what);
        if (context_destroyed_) {
            if (shutting_down_) {
                machine_.faults().report({simulated::fault_kind::too_late, what});
            }
            return status_of(cuda_code::context_is_destroyed);
        }
        if (const auto scripted = script_.next(what, bytes)) {
            return status_of(*scripted);
        }
        if (machine_.device_count() == 0) {
            return status_of(cuda_code::no_device);
        }
        return body();
    }

    [[nodiscard]] bool has_pool() const noexcept
    {
        return machine_.device_at(machine_.streams().current_device()).capabilities.stream_ordered_pool;
    }

    void script(simulated::scripted_failure failure)
    {
        const std::lock_guard lock(mutex_);
        script_.add(failure);
    }

    mutable std::mutex mutex_;
    simulated::machine machine_;
    simulated::call_counters counters_;
    simulated::failure_script script_;
    bool context_destroyed_ = false;
    std::atomic<bool> shutting_down_ = false;
};

static_assert(device_backend<simulated_backend>);

}  // namespace tidepool
