#pragma once

// How a source holds its backend.

#include "device_backend.hpp"

#include <type_traits>

namespace tidepool {

/// Refers to a backend that lives elsewhere, or, where the backend has no state, is one. Two are equal if they mean the same driver.
template <device_backend Backend>
class backend_handle {
public:
    explicit backend_handle(Backend& backend) noexcept : backend_(&backend) {}

    [[nodiscard]] Backend& get() const noexcept { return *backend_; }

    friend bool operator==(backend_handle, backend_handle) noexcept = default;

private:
    Backend* backend_;
};

template <device_backend Backend>
requires std::is_empty_v<Backend>
class backend_handle<Backend> {
public:
    backend_handle() noexcept = default;
    explicit backend_handle(Backend&) noexcept {}

    [[nodiscard]] Backend& get() const noexcept { return backend_; }

    friend bool operator==(const backend_handle&, const backend_handle&) noexcept { return true; }

private:
    [[no_unique_address]] mutable Backend backend_{};
};

}  // namespace tidepool
