#pragma once

// Who knows of whose work: happens-before, by vector clocks.

#include <algorithm>
#include <cstdint>
#include <map>

namespace tidepool::simulated {

/// The host (0: all of its threads) or a stream, by its unique id.
using actor = std::uint64_t;
inline constexpr actor the_host = 0;

/// One step of one actor.
struct stamp {
    actor who;
    std::uint64_t step;
};

/// What an actor knows. A step happens before all that knows it. Source: Fidge, Mattern, 1988. Grows with the actors ever known.
class vector_clock {
public:
    [[nodiscard]] bool knows(stamp of) const noexcept
    {
        const auto found = steps_.find(of.who);
        return found != steps_.end() && found->second >= of.step;
    }
    void learn(const vector_clock& other)
    {
        for (const auto& [who, step] : other.steps_) {
            auto& mine = steps_[who];
            mine = std::max(mine, step);
        }
    }
    stamp advance(actor who) { return {who, ++steps_[who]}; }

private:
    std::map<actor, std::uint64_t> steps_;
};

}  // namespace tidepool::simulated
