#pragma once

// The clock by which every decision is taken.

#include "checked.hpp"
#include "units.hpp"

namespace tidepool {

/// The sum of the costs so far, in nanoseconds. It starts at 1 and moves only when an operator or a link is charged, so that
/// a recorded run replays equally. Not wall time. It stops at the greatest number, 292 years.
class decision_clock {
public:
    [[nodiscard]] constexpr nanoseconds now() const noexcept { return now_; }
    constexpr void advance(nanoseconds cost) noexcept { now_ = saturating_add(now_, cost); }

private:
    nanoseconds now_ = 1;
};

}  // namespace tidepool
