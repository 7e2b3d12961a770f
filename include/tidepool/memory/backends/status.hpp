#pragma once

// What a backend's operation says of how it went.

#include <concepts>
#include <utility>

namespace tidepool {

/// What a caller can do about it; the backend's own code is finer.
enum class outcome : unsigned char {
    success,
    not_ready,           ///< a query: the work is not done yet
    out_of_memory,       ///< less may still be had
    device_unavailable,  ///< no driver, no device, or none of that number
    context_destroyed,   ///< there was a device; the process is on its way out
    unsupported,         ///< this device cannot
    failed,              ///< all else
};

/// How an operation went: for callers, and in the backend's words. The name is a literal, or lives as long as the process.
struct backend_status {
    outcome result = outcome::success;
    int code = 0;
    const char* name = "success";

    [[nodiscard]] constexpr bool ok() const noexcept { return result == outcome::success; }
};

/// A value, or why there is none.
template <class T>
class backend_result {
public:
    constexpr backend_result(T value) noexcept : value_(std::move(value)) {}  // implicit: `return pointer;`
    constexpr backend_result(backend_status why) noexcept : status_(why) {}   // implicit: `return why;`

    [[nodiscard]] constexpr bool ok() const noexcept { return status_.ok(); }
    [[nodiscard]] constexpr backend_status status() const noexcept { return status_; }
    /// Meaningful only if `ok()`.
    [[nodiscard]] constexpr const T& value() const noexcept { return value_; }

private:
    backend_status status_{};
    T value_{};
};

}  // namespace tidepool
