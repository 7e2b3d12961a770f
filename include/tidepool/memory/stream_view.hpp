#pragma once

// A device's queue of work, by its handle.

namespace tidepool {

/// A stream that somebody else owns. The default one is the current device's default stream.
///
/// `handle()` is what the backend calls it (a `cudaStream_t`, say). Two streams that live at the same time are equal if their
/// handles are; a handle may be used again after its stream is destroyed, so that nothing outlives a stream under its handle.
class stream_view {
public:
    constexpr stream_view() noexcept = default;
    constexpr explicit stream_view(void* handle) noexcept : handle_(handle) {}

    [[nodiscard]] constexpr void* handle() const noexcept { return handle_; }

    friend constexpr bool operator==(stream_view, stream_view) noexcept = default;

private:
    void* handle_ = nullptr;
};

}  // namespace tidepool
