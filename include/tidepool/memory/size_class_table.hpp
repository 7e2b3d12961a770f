#pragma once

// Which sizes small blocks come in.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace tidepool {

/// Multiples of 16 up to 128 bytes, then four sizes to each doubling up to `Largest`, a power of two: at most a fifth of a block is
/// waste. Every power of two from 16 on is among them, so that aligned blocks find a size that is a multiple of their alignment.
template <std::size_t Largest>
class size_class_table {
    static_assert(std::has_single_bit(Largest) && Largest >= 128);

public:
    static constexpr std::size_t step = 16;
    static constexpr std::size_t count = 8 + 4 * (std::bit_width(Largest) - std::bit_width(std::size_t{128}));

    /// The class for at least one byte and at most `Largest`.
    [[nodiscard]] static constexpr std::size_t of(std::size_t bytes) noexcept
    {
        return bytes <= quick_limit ? quick[(bytes + step - 1) / step] : computed(bytes);
    }
    [[nodiscard]] static constexpr std::size_t bytes_of(std::size_t index) noexcept
    {
        if (index < 8) {
            return (index + 1) * step;
        }
        const std::size_t doubling = (index - 8) / 4;
        return (std::size_t{128} << doubling) / 4 * (5 + (index - 8) % 4);
    }

private:
    static constexpr std::size_t quick_limit = Largest < 1024 ? Largest : 1024;

    static constexpr std::size_t computed(std::size_t bytes) noexcept
    {
        if (bytes <= 128) {
            return (bytes - 1) / step;
        }
        const auto doubling = static_cast<std::size_t>(std::bit_width(bytes - 1)) - 8;  // 128 < bytes <= 256 is the first
        const std::size_t quarter = (std::size_t{128} << doubling) / 4;
        return 8 + 4 * doubling + (bytes - (std::size_t{128} << doubling) - 1) / quarter;
    }
    static constexpr std::array<std::uint8_t, quick_limit / step + 1> quick = [] {
        std::array<std::uint8_t, quick_limit / step + 1> table{};
        for (std::size_t steps = 1; steps < table.size(); ++steps) {
            table[steps] = static_cast<std::uint8_t>(computed(steps * step));
        }
        return table;
    }();
};

static_assert(size_class_table<1024>::count == 20);
static_assert(size_class_table<1024>::bytes_of(size_class_table<1024>::of(1)) == 16);
static_assert(size_class_table<1024>::bytes_of(size_class_table<1024>::of(129)) == 160);
static_assert(size_class_table<1024>::bytes_of(size_class_table<1024>::of(1024)) == 1024);
static_assert(size_class_table<1024>::of(1024) == size_class_table<1024>::count - 1);

}  // namespace tidepool
