#pragma once

// A mark in a device's queue of work, by its handle.

namespace tidepool {

/// An event that somebody else owns (a `cudaEvent_t`, say). As with streams, a handle may be used again after its event is destroyed.
class event_view {
public:
    constexpr event_view() noexcept = default;
    constexpr explicit event_view(void* handle) noexcept : handle_(handle) {}

    [[nodiscard]] constexpr void* handle() const noexcept { return handle_; }

    friend constexpr bool operator==(event_view, event_view) noexcept = default;

private:
    void* handle_ = nullptr;
};

}  // namespace tidepool
