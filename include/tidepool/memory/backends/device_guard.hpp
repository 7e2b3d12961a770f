#pragma once

// Another current device, for a while.

#include "device_backend.hpp"

namespace tidepool {

/// Makes a device current for the calling thread until it dies, then the one from before again. Ask `status()` first.
template <selects_devices Backend>
class device_guard {
public:
    device_guard(Backend& backend, int device) noexcept : backend_(backend)
    {
        const auto current = backend.current_device();
        status_ = current.status();
        if (current.ok() && current.value() != device) {
            status_ = backend.set_current_device(device);
            before_ = current.value();
            changed_ = status_.ok();
        }
    }
    device_guard(const device_guard&) = delete;
    device_guard& operator=(const device_guard&) = delete;
    ~device_guard()
    {
        if (changed_) {
            backend_.set_current_device(before_);
        }
    }

    [[nodiscard]] backend_status status() const noexcept { return status_; }

private:
    Backend& backend_;
    backend_status status_;
    int before_ = 0;
    bool changed_ = false;
};

}  // namespace tidepool
