#pragma once

// Streams and events: what runs after what, and when.

#include "../../../core/checked.hpp"
#include "../../../core/units.hpp"
#include "../../stream_view.hpp"
#include "../cuda_codes.hpp"
#include "../event_view.hpp"
#include "fault.hpp"
#include "handle_table.hpp"
#include "operation.hpp"
#include "timeline.hpp"
#include "vector_clock.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <thread>
#include <utility>
#include <vector>

namespace tidepool::simulated {

struct stream_state {
    actor id;
    int device;
    vector_clock clock{};      ///< what its next operation knows, with what the host knows by then
    nanoseconds ready_at = 0;  ///< when all that it was given has ended
};

/// The streams and events of all devices, the host's clock, and what each knows of the others. Not thread-safe.
///
/// When an operation ends is known as soon as it is asked for; its effects on bytes happen when the clock gets there.
class streams {
public:
    streams(int devices, nanoseconds poll_interval, fault_log& faults) : poll_interval_(poll_interval), faults_(faults)
    {
        for (int device = 0; device < devices; ++device) {
            default_streams_.push_back({++last_id_, device});
        }
    }

    // ---- time ----

    [[nodiscard]] nanoseconds now() const noexcept { return timeline_.now(); }
    void advance(nanoseconds time) { timeline_.advance_to(saturating_add(now(), std::max<nanoseconds>(time, 0))); }
    void advance_to(nanoseconds time) { timeline_.advance_to(time); }
    /// An effect of a stream's operation, now if its time has come.
    void at(nanoseconds time, std::function<void()> effect)
    {
        timeline_.at(time, std::move(effect));
        timeline_.advance_to(now());
    }

    // ---- order ----

    [[nodiscard]] const vector_clock& host() const noexcept { return host_; }
    stamp step_of_host() { return host_.advance(the_host); }
    /// A new step of a stream, which knows what the host knows when it asks for it.
    stamp step_of(stream_state& in)
    {
        in.clock.learn(host_);
        return in.clock.advance(in.id);
    }
    backend_status finish(const stream_state& of) { return finish(of.ready_at, of.clock); }

    // ---- devices and streams ----

    [[nodiscard]] int current_device() const noexcept
    {
        const auto found = current_.find(std::this_thread::get_id());
        return found != current_.end() ? found->second : 0;
    }
    void set_current_device(int device) { current_[std::this_thread::get_id()] = device; }

    /// Null, and a fault, if there is none.
    stream_state* find(stream_view stream, operation during)
    {
        stream_state* const found =
            stream.handle() == nullptr ? &default_streams_[static_cast<std::size_t>(current_device())] : streams_.find(stream.handle());
        if (found == nullptr) {
            faults_.report({fault_kind::unknown_handle, during, stream.handle()});
        }
        return found;
    }

    stream_view create_stream() { return stream_view(streams_.insert({++last_id_, current_device()})); }

    backend_status destroy_stream(stream_view stream)
    {
        if (stream.handle() == nullptr || find(stream, operation::destroy_stream) == nullptr) {
            return status_of(cuda_code::invalid_resource_handle);
        }
        streams_.erase(stream.handle());
        return {};
    }

    backend_status synchronise(stream_view stream)
    {
        const stream_state* const of = find(stream, operation::synchronise_stream);
        return of != nullptr ? finish(of->ready_at, of->clock) : status_of(cuda_code::invalid_resource_handle);
    }
    backend_status query(stream_view stream)
    {
        const stream_state* const of = find(stream, operation::query_stream);
        return of != nullptr ? poll(of->ready_at, of->clock) : status_of(cuda_code::invalid_resource_handle);
    }
    backend_result<int> device_of(stream_view stream)
    {
        const stream_state* const of = find(stream, operation::device_of);
        return of != nullptr ? backend_result<int>(of->device) : status_of(cuda_code::invalid_resource_handle);
    }
    backend_result<std::uint64_t> id_of(stream_view stream)
    {
        const stream_state* const of = find(stream, operation::id_of);
        return of != nullptr ? backend_result<std::uint64_t>(of->id) : status_of(cuda_code::invalid_resource_handle);
    }

    // ---- events ----

    event_view create_event() { return event_view(events_.insert({current_device()})); }

    backend_status destroy_event(event_view event)
    {
        if (find(event, operation::destroy_event) == nullptr) {
            return status_of(cuda_code::invalid_resource_handle);
        }
        events_.erase(event.handle());
        return {};
    }

    backend_status record(event_view event, stream_view stream)
    {
        event_state* const mark = find(event, operation::record);
        stream_state* const in = find(stream, operation::record);
        if (mark == nullptr || in == nullptr) {
            return status_of(cuda_code::invalid_resource_handle);
        }
        if (mark->device != in->device) {
            faults_.report({fault_kind::wrong_device, operation::record, event.handle(), in->id});
            return status_of(cuda_code::invalid_resource_handle);
        }
        step_of(*in);
        mark->clock = in->clock;
        mark->ready_at = in->ready_at;
        return {};
    }

    backend_status wait(stream_view stream, event_view event)
    {
        const event_state* const mark = find(event, operation::wait);
        stream_state* const in = find(stream, operation::wait);
        if (mark == nullptr || in == nullptr) {
            return status_of(cuda_code::invalid_resource_handle);
        }
        in->clock.learn(mark->clock);
        in->ready_at = std::max(in->ready_at, mark->ready_at);
        return {};
    }

    backend_status synchronise(event_view event)
    {
        const event_state* const mark = find(event, operation::synchronise_event);
        return mark != nullptr ? finish(mark->ready_at, mark->clock) : status_of(cuda_code::invalid_resource_handle);
    }
    backend_status query(event_view event)
    {
        const event_state* const mark = find(event, operation::query_event);
        return mark != nullptr ? poll(mark->ready_at, mark->clock) : status_of(cuda_code::invalid_resource_handle);
    }

    backend_status launch(stream_view stream, nanoseconds duration, std::function<void()> body)
    {
        stream_state* const in = find(stream, operation::launch);
        if (in == nullptr) {
            return status_of(cuda_code::invalid_resource_handle);
        }
        if (in->device != current_device()) {
            faults_.report({fault_kind::wrong_device, operation::launch, stream.handle(), in->id});
            return status_of(cuda_code::invalid_resource_handle);
        }
        step_of(*in);
        in->ready_at = saturating_add(std::max(in->ready_at, now()), std::max<nanoseconds>(duration, 0));
        if (body) {
            at(in->ready_at, std::move(body));
        }
        return {};
    }

private:
    struct event_state {
        int device;
        vector_clock clock{};
        nanoseconds ready_at = 0;
    };

    event_state* find(event_view event, operation during)
    {
        event_state* const found = events_.find(event.handle());
        if (found == nullptr) {
            faults_.report({fault_kind::unknown_handle, during, event.handle()});
        }
        return found;
    }

    backend_status finish(nanoseconds time, const vector_clock& clock)
    {
        host_.learn(clock);
        timeline_.advance_to(time);
        return {};
    }
    backend_status poll(nanoseconds time, const vector_clock& clock)
    {
        if (time > now()) {
            advance(poll_interval_);
        }
        return time > now() ? status_of(cuda_code::not_ready) : finish(time, clock);
    }

    nanoseconds poll_interval_;
    fault_log& faults_;
    timeline timeline_;
    vector_clock host_;
    actor last_id_ = the_host;
    std::vector<stream_state> default_streams_;
    handle_table<stream_state> streams_{0x5000'0000};
    handle_table<event_state> events_{0xE000'0000};
    std::map<std::thread::id, int> current_;
};

}  // namespace tidepool::simulated
