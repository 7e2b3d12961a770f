#pragma once

// Sizes as people write them, for constructors.

#include <concepts>
#include <cstddef>

namespace tidepool {

/// An argument that is a size: any integer (`100`, `2_GiB`, a `std::size_t`), none below zero: a negative one counts as 0.
class size_in_bytes {
public:
    template <std::integral T>
    constexpr size_in_bytes(T bytes) noexcept
        : bytes_(bytes > T{0} ? static_cast<std::size_t>(bytes) : 0)  // implicit: it is what the caller means
    {
    }

    [[nodiscard]] constexpr std::size_t value() const noexcept { return bytes_; }

private:
    std::size_t bytes_;
};

static_assert(size_in_bytes(-1).value() == 0 && size_in_bytes(7U).value() == 7);

}  // namespace tidepool
