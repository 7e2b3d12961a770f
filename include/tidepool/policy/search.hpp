#pragma once

// How the victim is found: the storage with the least score among those that may be evicted.

#include "../graph/ids.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace tidepool {

/// Storages that may be evicted, and the search among them.
///
/// Requires, for a pool `p`: `p.reserve(bound)` before ids below `bound` are used (may throw `std::bad_alloc`);
/// `p.insert(id)`, `p.erase(id)` (nothing if it is not in), `p.contains(id)`, `p.size()`;
/// `p.choose(score, stop_at_zero)`: the one with the least `score(id)`, the latest inserted among equals; nothing if empty.
/// With `stop_at_zero` the search ends at a score of exactly zero, as the reference simulator's does.
template <class P>
concept search_pool = std::default_initializable<P> && requires(P& p, const P& c, storage_id id, double (*score)(storage_id)) {
    p.reserve(std::size_t{});
    { p.insert(id) } noexcept;
    { p.erase(id) } noexcept;
    { c.contains(id) } noexcept -> std::same_as<bool>;
    { c.size() } noexcept -> std::same_as<std::size_t>;
    { p.choose(score, true) } -> std::same_as<std::optional<storage_id>>;
};

/// Scores every storage, in the order in which they became evictable. Linear a victim; insertion and removal amortised constant.
class exhaustive {
public:
    void reserve(std::size_t bound)
    {
        if (bound > places_.size()) {
            places_.resize(bound, absent);
            if (order_.capacity() < 2 * bound + 1) {
                order_.reserve(2 * places_.capacity() + 1);  // an insertion never allocates: holes are squeezed out at half
            }
        }
    }

    void insert(storage_id id) noexcept
    {
        if (order_.size() == order_.capacity() || order_.size() > 2 * live_ + 64) {
            squeeze();
        }
        places_[index(id)] = static_cast<std::uint32_t>(order_.size());
        order_.push_back(id);
        ++live_;
    }
    void erase(storage_id id) noexcept
    {
        std::uint32_t& place = places_[index(id)];
        if (place != absent) {
            order_[place] = hole;
            place = absent;
            --live_;
        }
    }
    [[nodiscard]] bool contains(storage_id id) const noexcept { return places_[index(id)] != absent; }
    [[nodiscard]] std::size_t size() const noexcept { return live_; }

    template <class Score>
    [[nodiscard]] std::optional<storage_id> choose(Score&& score, bool stop_at_zero)
    {
        double least = std::numeric_limits<double>::infinity();
        std::optional<storage_id> victim;
        for (const storage_id id : order_) {
            if (id == hole) {
                continue;
            }
            const double s = score(id);
            if (s <= least) {
                least = s;
                victim = id;
            }
            if (s == 0 && stop_at_zero) {
                break;
            }
        }
        return victim;
    }

private:
    static constexpr std::uint32_t absent = UINT32_MAX;
    static constexpr storage_id hole{UINT32_MAX};

    void squeeze() noexcept
    {
        std::size_t to = 0;
        for (const storage_id id : order_) {
            if (id != hole) {
                places_[index(id)] = static_cast<std::uint32_t>(to);
                order_[to++] = id;
            }
        }
        order_.resize(to);
    }

    std::vector<storage_id> order_;       ///< oldest first, with holes
    std::vector<std::uint32_t> places_;  ///< by storage, into `order_`
    std::size_t live_ = 0;
};

static_assert(search_pool<exhaustive>);
static_assert(!search_pool<std::vector<storage_id>>);

}  // namespace tidepool
