#pragma once

// What a plan decides: where each storage is, when, and how it gets from there to elsewhere.

#include "../core/units.hpp"
#include "ids.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tidepool {

/// A tier by its place in the list of tiers, the fastest first.
enum class tier_index : std::uint8_t {};

/// A place in a program: just before the event of that number.
using program_position = std::size_t;

/// A storage's bytes lie in one tier, at one address, from position `begin` up to `end`.
struct residency {
    storage_id storage{};
    program_position begin = 0, end = 0;
    tier_index tier{};
    byte_count address = 0;

    friend bool operator==(const residency&, const residency&) = default;
};

/// A storage's bytes are copied at a position: from where they lie until then, to where they lie from then on.
struct movement {
    program_position at = 0;
    storage_id storage{};
    tier_index from{}, to{};

    friend bool operator==(const movement&, const movement&) = default;
};

/// `validate` in `schedule_check.hpp` says whether it can be carried out.
struct schedule {
    std::vector<residency> residencies;  ///< in any order
    std::vector<movement> movements;

    friend bool operator==(const schedule&, const schedule&) = default;
};

}  // namespace tidepool
