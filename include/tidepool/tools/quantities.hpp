#pragma once

// Quantities as people write and read them: `2GiB`, `0.3,0.5`.

#include "../core/units.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tidepool::tools {

namespace detail {

struct byte_unit {
    std::string_view name;
    double bytes;
};
inline constexpr std::array<byte_unit, 10> byte_units{{
    {"B", 1},
    {"KiB", 0x1p10},
    {"MiB", 0x1p20},
    {"GiB", 0x1p30},
    {"TiB", 0x1p40},
    {"kB", 1e3},
    {"KB", 1e3},
    {"MB", 1e6},
    {"GB", 1e9},
    {"TB", 1e12},
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

/// Bytes from `1073741824`, `1GiB`, `1.5 GB` and the like; whole and not negative, or nothing.
[[nodiscard]] inline std::optional<byte_count> parse_bytes(std::string_view text)
{
    byte_count whole = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), whole);
    if (failure == std::errc() && end == text.data() + text.size() && whole >= 0) {
        return whole;  // exact also where a double is not
    }
    double scale = 1;
    for (const auto& unit : detail::byte_units) {
        if (text.ends_with(unit.name) && (scale == 1 || unit.name != "B")) {
            scale = unit.bytes;
        }
    }
    text = text.substr(0, text.find_last_of("0123456789.") + 1);
    const auto number = parse_number(text);
    if (!number || *number < 0 || *number * scale >= 0x1p62) {
        return std::nullopt;
    }
    return static_cast<byte_count>(*number * scale);
}

/// Bytes in the largest binary unit that leaves at least one, with three digits: `1.50 GiB`.
[[nodiscard]] inline std::string format_bytes(byte_count bytes)
{
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (std::abs(value) >= 1024 && unit < 4) {
        value /= 1024;
        ++unit;
    }
    std::array<char, 48> text{};
    const int digits = unit == 0 || std::abs(value) >= 100 ? 0 : std::abs(value) >= 10 ? 1 : 2;
    std::snprintf(text.data(), text.size(), "%.*f %s", digits, value, std::string(detail::byte_units[unit].name).c_str());
    return text.data();
}

/// A number with a fixed count of digits behind the point.
[[nodiscard]] inline std::string format_fixed(double value, int digits)
{
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", digits, value);
    return text.data();
}

}  // namespace tidepool::tools
