#pragma once

// Exact integers until the very end: scores compare equal where the rational numbers are equal.

#include "units.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

namespace tidepool {

/// Wide enough for the exact product of two 64-bit quantities.
__extension__ using wide_integer = __int128;

namespace detail {

inline double slow_quotient(wide_integer numerator, wide_integer denominator) noexcept
{
    const bool negative = numerator < 0;
    __extension__ using magnitude = unsigned __int128;
    magnitude rest = negative ? -static_cast<magnitude>(numerator) : static_cast<magnitude>(numerator);
    auto divisor = static_cast<magnitude>(denominator);
    if (rest == 0) {
        return 0.0;
    }
    // Scale by powers of two until 1 <= rest / divisor < 2; both stay below 2^127, so nothing is lost.
    int exponent = 0;
    while (divisor <= rest / 2) {
        divisor <<= 1U;
        ++exponent;
    }
    while (rest < divisor) {
        if (rest >> 126U) {
            break;
        }
        rest <<= 1U;
        --exponent;
    }
    // 54 bits of the quotient, then a sticky bit, give correct rounding to 53.
    std::uint64_t bits = 0;
    for (int place = 0; place < 55; ++place) {
        bits <<= 1U;
        if (rest >= divisor) {
            rest -= divisor;
            bits |= 1U;
        }
        rest <<= 1U;
    }
    bits = (bits << 1U) | (rest != 0 ? 1U : 0U);
    const double value = std::ldexp(static_cast<double>(bits), exponent - 55);
    return negative ? -value : value;
}

}  // namespace detail

/// The correctly rounded `numerator / denominator` of two exact integers; infinity where the denominator is not positive.
/// Magnitudes stay below 2^126. Constant time; the common case is one division.
[[nodiscard]] inline double quotient_of(wide_integer numerator, wide_integer denominator) noexcept
{
    if (denominator <= 0) {
        return std::numeric_limits<double>::infinity();
    }
    constexpr std::int64_t exact = std::int64_t{1} << 53U;
    if (denominator < (wide_integer{1} << 62U) && numerator <= exact && numerator >= -exact) {
        const auto narrow = static_cast<std::int64_t>(denominator);
        const auto divisor = static_cast<double>(narrow);
        if (static_cast<std::int64_t>(divisor) == narrow) {  // both operands exact: the division rounds once
            return static_cast<double>(static_cast<std::int64_t>(numerator)) / divisor;
        }
    }
    return detail::slow_quotient(numerator, denominator);
}

}  // namespace tidepool
