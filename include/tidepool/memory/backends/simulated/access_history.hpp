#pragma once

// Who may still be using which part of a block.

#include "vector_clock.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace tidepool::simulated {

enum class access_kind : unsigned char { read, write };

/// The uses of a block that a later one could collide with. Linear in them; a write forgets what it covers.
class access_history {
public:
    /// What somebody who knows `known` must not touch so yet: two reads never collide.
    [[nodiscard]] std::optional<stamp> collision(std::size_t begin, std::size_t end, access_kind kind, const vector_clock& known) const
    {
        const auto found = std::find_if(uses_.begin(), uses_.end(), [&](const use& before) {
            return before.begin < end && begin < before.end && (kind == access_kind::write || before.kind == access_kind::write) &&
                   !known.knows(before.when);
        });
        return found != uses_.end() ? std::optional(found->when) : std::nullopt;
    }

    void add(std::size_t begin, std::size_t end, access_kind kind, stamp when)
    {
        std::erase_if(uses_, [&](const use& before) {
            const bool covered = begin <= before.begin && before.end <= end;
            return covered && (kind == access_kind::write || (before.kind == access_kind::read && before.when.who == when.who));
        });
        uses_.push_back({begin, end, when, kind});
    }

private:
    struct use {
        std::size_t begin;
        std::size_t end;
        stamp when;
        access_kind kind;
    };
    std::vector<use> uses_;
};

}  // namespace tidepool::simulated
