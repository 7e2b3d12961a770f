#pragma once

// The two quantities that every decision weighs: bytes and nanoseconds.

#include <cstdint>

namespace tidepool {

/// A size, a budget or a difference of two, in bytes. Signed, so that differences need no cast.
using byte_count = std::int64_t;

/// A cost, or a time on the decision clock, in nanoseconds.
using nanoseconds = std::int64_t;

/// Literals for sizes: `using namespace tidepool::literals; runtime.set_budget(2_GiB);`
namespace literals {

constexpr byte_count operator""_B(unsigned long long count) noexcept { return static_cast<byte_count>(count); }
constexpr byte_count operator""_KiB(unsigned long long count) noexcept { return static_cast<byte_count>(count << 10U); }
constexpr byte_count operator""_MiB(unsigned long long count) noexcept { return static_cast<byte_count>(count << 20U); }
constexpr byte_count operator""_GiB(unsigned long long count) noexcept { return static_cast<byte_count>(count << 30U); }

}  // namespace literals
}  // namespace tidepool
