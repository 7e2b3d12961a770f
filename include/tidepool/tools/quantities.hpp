#pragma once

// Quantities as people write and read them: `2GiB`, `0.3,0.5`.

#include "../core/units.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace tidepool::tools {

namespace detail {

struct byte_unit {
    std::string_view name;
    byte_count bytes;
};
inline constexpr std::array<byte_unit, 10> byte_units{{
    {"B", 1},
    {"KiB", byte_count{1} << 10},
    {"MiB", byte_count{1} << 20},
    {"GiB", byte_count{1} << 30},
    {"TiB", byte_count{1} << 40},
    {"kB", 1'000},
    {"KB", 1'000},
    {"MB", 1'000'000},
    {"GB", 1'000'000'000},
    {"TB", 1'000'000'000'000},
}};

}  // namespace detail

/// `text` as a finite number, all of it; nothing otherwise.
[[nodiscard]] inline std::optional<double> parse_number(std::string_view text)
{
    double value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
        return std::nullopt;
    }
    return value;
}

/// `text` as a whole number, all of it decimal digits; nothing otherwise, or where it does not fit.
template <std::integral Whole>
[[nodiscard]] inline std::optional<Whole> parse_whole(std::string_view text)
{
    Whole value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc() || end != text.data() + text.size() || text.starts_with('-')) {
        return std::nullopt;
    }
    return value;
}

/// Bytes from `1073741824`, `1GiB`, `1.5 GB` and the like: digits with at most one point (no sign, no exponent), then a unit or
/// nothing. A fraction of a byte is cut off behind a unit, and refused without one. Nothing for other text, or above the largest
/// `byte_count`.
[[nodiscard]] inline std::optional<byte_count> parse_bytes(std::string_view text)
{
    const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
    const std::string_view number = text.substr(0, digits);
    text.remove_prefix(digits);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const auto unit = std::find_if(detail::byte_units.begin(), detail::byte_units.end(),
                                   [&](const detail::byte_unit& candidate) { return candidate.name == (text.empty() ? "B" : text); });
    if (unit == detail::byte_units.end()) {
        return std::nullopt;
    }
    if (const auto whole = parse_whole<byte_count>(number)) {  // exact also where a double is not
        if (*whole > std::numeric_limits<byte_count>::max() / unit->bytes) {
            return std::nullopt;
        }
        return *whole * unit->bytes;
    }
    const auto value = parse_number(number);
    if (!value || unit->bytes == 1 || *value * static_cast<double>(unit->bytes) >= 0x1p63) {
        return std::nullopt;
    }
    return static_cast<byte_count>(*value * static_cast<double>(unit->bytes));
}

namespace detail {

/// Three digits: `1.50`, `15.0`, `150`; what is whole anyway stays so.
[[nodiscard]] inline std::string three_digits(double value, bool whole)
{
    std::array<char, 48> text{};
    const double size = std::abs(value);
    std::snprintf(text.data(), text.size(), "%.*f", whole || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2, value);
    return text.data();
}

}  // namespace detail

/// Bytes in the largest binary unit that leaves at least one, with three digits: `1.50 GiB`.
[[nodiscard]] inline std::string format_bytes(byte_count bytes)
{
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (std::abs(value) >= (unit == 0 ? 1024 : 1023.5) && unit < 4) {  // 1023.7 KiB would read 1024 KiB
        value /= 1024;
        ++unit;
    }
    return detail::three_digits(value, unit == 0) + ' ' + std::string(detail::byte_units[unit].name);
}

/// A time in the unit that suits it, with three digits: `4.31 ms`.
[[nodiscard]] inline std::string format_time(nanoseconds time)
{
    constexpr std::array<std::string_view, 4> units{"ns", "us", "ms", "s"};
    auto value = static_cast<double>(time);
    std::size_t unit = 0;
    while (std::abs(value) >= (unit == 0 ? 1000 : 999.5) && unit + 1 < units.size()) {
        value /= 1000;
        ++unit;
    }
    return detail::three_digits(value, unit == 0) + ' ' + std::string(units[unit]);
}

/// A number with a fixed count of digits behind the point.
[[nodiscard]] inline std::string format_fixed(double value, int digits)
{
    std::string text(static_cast<std::size_t>(std::max(std::snprintf(nullptr, 0, "%.*f", digits, value), 0)), '\0');
    std::snprintf(text.data(), text.size() + 1, "%.*f", digits, value);
    return text;
}

}  // namespace tidepool::tools
