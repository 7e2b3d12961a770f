#pragma once

// One number for a sequence of evictions: equal sequences, equal numbers.

#include <cstdint>

namespace tidepool {

/// FNV-1a, 64 bits, over the serial numbers of the evicted storages in order, each as eight bytes, little endian.
class eviction_hash {
public:
    constexpr void add(std::uint64_t serial) noexcept
    {
        for (unsigned byte = 0; byte < 8; ++byte) {
            value_ = (value_ ^ ((serial >> (8 * byte)) & 0xffU)) * 0x100000001b3U;
        }
    }
    [[nodiscard]] constexpr std::uint64_t value() const noexcept { return value_; }

    friend constexpr bool operator==(eviction_hash, eviction_hash) = default;

private:
    std::uint64_t value_ = 0xcbf29ce484222325U;
};

}  // namespace tidepool
