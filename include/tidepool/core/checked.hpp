#pragma once

// Size arithmetic that reports overflow instead of wrapping.

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

namespace tidepool {

namespace detail {

/// Holds every sum and product of two `T`.
template <std::integral T>
struct wide {
    __extension__ using type = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
    static_assert(sizeof(T) <= 8);
};

template <std::integral T>
[[nodiscard]] constexpr std::optional<T> narrowed(typename wide<T>::type value) noexcept
{
    const auto narrow = static_cast<T>(value);
    return narrow == value ? std::optional<T>(narrow) : std::nullopt;
}

}  // namespace detail

/// `left + right`, or nothing when the sum does not fit.
template <std::integral T>
[[nodiscard]] constexpr std::optional<T> checked_add(T left, T right) noexcept
{
    if (std::is_constant_evaluated()) {  // nvcc does not know the built-in one there
        return detail::narrowed<T>(typename detail::wide<T>::type{left} + right);
    }
    T sum{};
    return __builtin_add_overflow(left, right, &sum) ? std::nullopt : std::optional<T>(sum);
}

/// `left * right`, or nothing when the product does not fit.
template <std::integral T>
[[nodiscard]] constexpr std::optional<T> checked_multiply(T left, T right) noexcept
{
    if (std::is_constant_evaluated()) {
        return detail::narrowed<T>(typename detail::wide<T>::type{left} * right);
    }
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
static_assert(!checked_multiply(std::int64_t{2}, INT64_MAX) && !checked_multiply(UINT64_MAX, UINT64_MAX));
static_assert(checked_multiply(std::int64_t{-1}, INT64_MAX) == -INT64_MAX && !checked_multiply(std::int64_t{-1}, INT64_MIN));

}  // namespace tidepool
