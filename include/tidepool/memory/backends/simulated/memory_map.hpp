#pragma once

// The blocks of a simulated machine, by address.

#include "../../../core/units.hpp"
#include "../../request.hpp"
#include "access_history.hpp"
#include "arena.hpp"
#include "fault.hpp"
#include "options.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace tidepool::simulated {

inline constexpr int page_locked_space = -1;  ///< where others have a device's number

struct block {
    std::byte* begin;
    std::size_t bytes;     ///< asked
    std::size_t reserved;  ///< taken
    int space;
    bool pooled;
    access_history history{};
};

/// Live blocks of every space, and the freed ones of the pools that a stream may still be using. Fresh bytes are 0xCD, freed ones 0xDD.
class memory_map {
public:
    explicit memory_map(const options& machine)
    {
        for (const device& each : machine.devices) {
            arenas_.emplace_back(size_of(each.bytes));
        }
        arenas_.emplace_back(size_of(machine.pinned_bytes));
    }

    struct place {
        block* in = nullptr;                ///< null if wrong, or none of this machine's memory
        std::optional<fault_kind> wrong{};  ///< why a range that begins in this machine's memory is no part of a block
    };
    [[nodiscard]] place find(const void* pointer, std::size_t bytes) noexcept
    {
        const auto after = blocks_.upper_bound(static_cast<const std::byte*>(pointer));
        if (after != blocks_.begin()) {
            block& candidate = std::prev(after)->second;
            const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(pointer) - candidate.begin);
            if (offset < candidate.reserved) {
                const bool inside = offset < candidate.bytes && bytes <= candidate.bytes - offset;
                return inside ? place{&candidate} : place{.wrong = fault_kind::out_of_bounds};
            }
        }
        return gave(pointer)       ? place{.wrong = fault_kind::use_after_free}
               : contains(pointer) ? place{.wrong = fault_kind::unknown_pointer}
                                   : place{};
    }
    /// The block that begins there, or null.
    [[nodiscard]] block* starting_at(const void* pointer) noexcept
    {
        const auto found = blocks_.find(static_cast<const std::byte*>(pointer));
        return found != blocks_.end() ? &found->second : nullptr;
    }

    /// Usable by who knows `birth`. Null where there is no hole.
    [[nodiscard]] std::byte* add(int space, std::size_t bytes, bool pooled, stamp birth)
    {
        const auto reserved = checked_align_up(bytes, arena::granularity);
        std::byte* const begin = reserved ? arena_of(space).take(*reserved) : nullptr;
        if (begin != nullptr) {
            std::memset(begin, 0xCD, *reserved);
            enter({begin, bytes, *reserved, space, pooled}, birth);
        }
        return begin;
    }
    void remove(block& old)
    {
        const block gone = take_out(old);
        give_back(gone);
    }

    /// The block goes back at `time`, or before to a stream that knows of the step `freed`.
    void remove_later(block& old, stamp freed, nanoseconds time) { parting_.push_back({take_out(old), freed, time}); }
    /// Room in a parting block whose end is known, or null.
    [[nodiscard]] std::byte* add_from_parting(int space, std::size_t bytes, const vector_clock& known, stamp birth)
    {
        const auto reserved = checked_align_up(bytes, arena::granularity);
        const auto found = std::find_if(parting_.begin(), parting_.end(), [&](const parting& each) {
            return reserved && each.old.space == space && each.old.reserved >= *reserved && known.knows(each.freed);
        });
        if (found == parting_.end()) {
            return nullptr;
        }
        std::byte* const begin = found->old.begin;
        found->old.begin += *reserved;
        found->old.reserved -= *reserved;
        if (found->old.reserved == 0) {
            parting_.erase(found);
        }
        enter({begin, bytes, *reserved, space, true}, birth);
        return begin;
    }
    /// When the next parting block of a space goes back, if there is one.
    [[nodiscard]] std::optional<nanoseconds> next_parting(int space) const
    {
        std::optional<nanoseconds> next;
        for (const parting& each : parting_) {
            if (each.old.space == space) {
                next = std::min(next.value_or(each.time), each.time);
            }
        }
        return next;
    }
    void give_back_until(nanoseconds now)
    {
        std::erase_if(parting_, [&](const parting& each) {
            const bool done = each.time <= now;
            if (done) {
                give_back(each.old);
            }
            return done;
        });
    }

    /// Whether it was ever part of a block.
    [[nodiscard]] bool gave(const void* pointer) const noexcept
    {
        return std::any_of(arenas_.begin(), arenas_.end(), [&](const arena& each) { return each.gave(pointer); });
    }
    [[nodiscard]] std::size_t live_blocks() const noexcept { return blocks_.size(); }

private:
    struct parting {
        block old;
        stamp freed;
        nanoseconds time;
    };

    static std::size_t size_of(byte_count bytes) noexcept { return static_cast<std::size_t>(std::max<byte_count>(bytes, 0)); }

    [[nodiscard]] arena& arena_of(int space) noexcept
    {
        return space == page_locked_space ? arenas_.back() : arenas_[static_cast<std::size_t>(space)];
    }
    [[nodiscard]] bool contains(const void* pointer) const noexcept
    {
        return std::any_of(arenas_.begin(), arenas_.end(), [&](const arena& each) { return each.contains(pointer); });
    }
    void enter(block fresh, stamp birth)
    {
        fresh.history.add(0, fresh.bytes, access_kind::write, birth);
        blocks_.emplace(fresh.begin, std::move(fresh));
    }
    block take_out(block& old) { return std::move(blocks_.extract(old.begin).mapped()); }
    void give_back(const block& old)
    {
        std::memset(old.begin, 0xDD, old.reserved);
        arena_of(old.space).give_back(old.begin, old.reserved);
    }

    std::vector<arena> arenas_;  // of the devices, then the page-locked one
    std::map<const std::byte*, block, std::less<>> blocks_;
    std::vector<parting> parting_;
};

}  // namespace tidepool::simulated
