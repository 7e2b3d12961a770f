#pragma once

// Virtual time, and what happens in it.

#include "../../../core/quotient.hpp"
#include "../../../core/units.hpp"
#include "options.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <utility>

namespace tidepool::simulated {

/// How long a copy is under way. Stops at the greatest number.
[[nodiscard]] inline nanoseconds transfer_time(const link& way, std::size_t bytes) noexcept
{
    const wide_integer rate = std::max<byte_count>(way.bytes_per_s, 1);
    const wide_integer time = (static_cast<wide_integer>(bytes) * 1'000'000'000 + rate - 1) / rate + way.latency;
    return static_cast<nanoseconds>(std::min<wide_integer>(time, std::numeric_limits<nanoseconds>::max()));
}

/// The host's clock. Effects of streams' work happen when it passes their time; at one time, in the order in which they were asked for.
class timeline {
public:
    [[nodiscard]] nanoseconds now() const noexcept { return now_; }
    void at(nanoseconds time, std::function<void()> effect) { effects_.emplace(time, std::move(effect)); }

    void advance_to(nanoseconds time)
    {
        while (!effects_.empty() && effects_.begin()->first <= time) {
            const auto next = effects_.extract(effects_.begin());
            now_ = std::max(now_, next.key());
            next.mapped()();
        }
        now_ = std::max(now_, time);
    }

private:
    nanoseconds now_ = 0;
    std::multimap<nanoseconds, std::function<void()>> effects_;  // equal keys keep their order
};

}  // namespace tidepool::simulated
