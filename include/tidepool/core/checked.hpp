#pragma once

// Size arithmetic that reports overflow instead of wrapping.

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>

namespace tidepool {

/// `left + right`, or nothing when the sum does not fit.
template <std::integral T>
[[nodiscard]] constexpr std::optional<T> checked_add(T left, T right) noexcept
{
    T sum{};
    return __builtin_add_overflow(left, right, &sum) ? std::nullopt : std::optional<T>(sum);
}

/// `left * right`, or nothing when the product does not fit.
template <std::integral T>
[[nodiscard]] constexpr std::optional<T> checked_multiply(T left, T right) noexcept
{
    T product{};
    return __builtin_mul_overflow(left, right, &product) ? std::nullopt : std::optional<T>(product);
}

/// `left + right` for counts of at least 0; the greatest number where the sum does not fit.
template <std::integral T>
[[nodiscard]] constexpr T saturating_add(T left, T right) noexcept
{
    return checked_add(left, right).value_or(std::numeric_limits<T>::max());
}

static_assert(checked_add(1, 2) == 3);
static_assert(!checked_add(std::int64_t{1}, INT64_MAX));
static_assert(!checked_multiply(std::int64_t{2}, INT64_MAX));

}  // namespace tidepool
