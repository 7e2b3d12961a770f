#pragma once

// Events for streams of whichever device.

#include "device_backend.hpp"
#include "device_guard.hpp"

namespace tidepool::detail {

/// The mark must be of the stream's device, not of the current one.
template <class Backend>
backend_result<event_view> create_event_for(Backend& backend, stream_view stream) noexcept
{
    const auto device = backend.device_of(stream);
    if (!device.ok()) {
        return device.status();
    }
    const device_guard here(backend, device.value());
    return here.status().ok() ? backend.create_event() : here.status();
}

}  // namespace tidepool::detail
