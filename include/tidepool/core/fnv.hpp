#pragma once

// FNV-1a, 64 bits: one number for a sequence of bytes, the same everywhere.

#include <cstdint>
#include <string_view>

namespace tidepool {

/// Hash of the bytes added so far. Source: Fowler, Noll, Vo.
class fnv_hash {
public:
    constexpr void add_byte(unsigned char byte) noexcept { value_ = (value_ ^ byte) * 0x100000001b3U; }
    /// As eight bytes, the least first.
    constexpr void add(std::uint64_t number) noexcept
    {
        for (unsigned place = 0; place < 8; ++place) {
            add_byte(static_cast<unsigned char>(number >> (8 * place)));
        }
    }
    constexpr void add(std::string_view text) noexcept
    {
        for (const char c : text) {
            add_byte(static_cast<unsigned char>(c));
        }
    }
    [[nodiscard]] constexpr std::uint64_t value() const noexcept { return value_; }

    friend constexpr bool operator==(fnv_hash, fnv_hash) = default;

private:
    std::uint64_t value_ = 0xcbf29ce484222325U;
};

}  // namespace tidepool
