#pragma once

// Whether a schedule can be carried out.

#include "../core/checked.hpp"
#include "../core/units.hpp"
#include "ids.hpp"
#include "schedule.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace tidepool {

/// A rule that a schedule breaks, with the indices of the residencies or of the movement that break it.
struct schedule_problem {
    enum class rule : std::uint8_t {
        malformed,  ///< residency `first` is empty, has an address below 0 or beyond 2^63, or an unknown storage
        overlap,    ///< residencies `first` and `second` want the same bytes at the same time; others may want them too
        gap,        ///< between residencies `first` and `second` of one storage its bytes lie nowhere
        unfed,      ///< residency `second` begins where `first` holds the storage, and no movement fills it
        baseless,   ///< movement `first` does not lead from a residency to the beginning of another
    };

    rule broken;
    std::size_t first, second;

    friend bool operator==(const schedule_problem&, const schedule_problem&) = default;
};

namespace detail {

class schedule_check {
public:
    schedule_check(const schedule& plan, std::span<const byte_count> bytes) : plan_(&plan), bytes_(bytes)
    {
        for (std::size_t i = 0; i < plan.residencies.size(); ++i) {
            const residency& r = at(i);
            const bool known = index(r.storage) < bytes.size();
            if (known && r.begin < r.end && r.address >= 0 && size(i) >= 0 && checked_add(r.address, size(i))) {
                order_.push_back(i);
            } else {
                problems_.push_back({rule::malformed, i, i});
            }
        }
    }

    std::vector<schedule_problem> run()
    {
        in_time();
        in_space();
        return std::move(problems_);
    }

private:
    using rule = schedule_problem::rule;

    [[nodiscard]] const residency& at(std::size_t i) const { return plan_->residencies[i]; }
    [[nodiscard]] byte_count size(std::size_t i) const { return bytes_[index(at(i).storage)]; }

    // Each residency of a storage after its first is reached without a gap, and by a movement.
    void in_time()
    {
        std::sort(order_.begin(), order_.end(), [this](std::size_t l, std::size_t r) {
            return std::tuple(at(l).storage, at(l).begin, at(l).end, l) < std::tuple(at(r).storage, at(r).begin, at(r).end, r);
        });
        std::map<std::tuple<storage_id, program_position, tier_index>, std::size_t> unused;
        for (std::size_t i = 0; i < plan_->movements.size(); ++i) {
            const movement& m = plan_->movements[i];
            if (!unused.try_emplace({m.storage, m.at, m.to}, i).second) {
                problems_.push_back({rule::baseless, i, i});
            }
        }
        for (std::size_t i = 0, first = 0, longest = 0; i < order_.size(); ++i) {
            const residency& here = at(order_[i]);
            if (at(order_[first]).storage != here.storage || i == 0) {
                first = longest = i;
                continue;
            }
            const auto feeding = unused.find({here.storage, here.begin, here.tier});
            if (at(order_[longest]).end < here.begin) {
                problems_.push_back({rule::gap, order_[longest], order_[i]});
            } else if (feeding == unused.end()) {
                problems_.push_back({rule::unfed, order_[longest], order_[i]});
            } else if (std::any_of(&order_[first], &order_[i], [&](std::size_t source) {
                           return at(source).tier == plan_->movements[feeding->second].from && at(source).begin < here.begin &&
                                  at(source).end >= here.begin;
                       })) {
                unused.erase(feeding);
            }
            longest = at(order_[longest]).end < here.end ? i : longest;
        }
        for (const auto& [key, i] : unused) {
            problems_.push_back({rule::baseless, i, i});
        }
    }

    // A sweep over each tier with what lies there now, by address.
    void in_space()
    {
        std::vector<std::tuple<tier_index, program_position, bool, std::size_t>> changes;  // ends before beginnings
        for (const std::size_t i : order_) {
            if (size(i) > 0) {
                changes.emplace_back(at(i).tier, at(i).begin, true, i);
                changes.emplace_back(at(i).tier, at(i).end, false, i);
            }
        }
        std::sort(changes.begin(), changes.end());
        std::map<byte_count, std::size_t> lying;  // disjoint; what overlaps is reported and left out
        for (const auto& [tier, position, begins, i] : changes) {
            const auto above = lying.lower_bound(at(i).address);
            if (!begins) {
                if (above != lying.end() && above->second == i) {
                    lying.erase(above);
                }
            } else if (above != lying.end() && above->first < at(i).address + size(i)) {
                problems_.push_back({rule::overlap, above->second, i});
            } else if (above != lying.begin() && std::prev(above)->first + size(std::prev(above)->second) > at(i).address) {
                problems_.push_back({rule::overlap, std::prev(above)->second, i});
            } else {
                lying.emplace_hint(above, at(i).address, i);
            }
        }
    }

    const schedule* plan_;
    std::span<const byte_count> bytes_;
    std::vector<std::size_t> order_;  // the well-formed residencies
    std::vector<schedule_problem> problems_;
};

}  // namespace detail

/// What is wrong with a schedule; nothing for one that can be carried out, as far as the sizes of the storages, `bytes`, can tell.
/// Complexity: O(n log n) for storages of few residencies each.
[[nodiscard]] inline std::vector<schedule_problem> validate(const schedule& plan, std::span<const byte_count> bytes)
{
    return detail::schedule_check(plan, bytes).run();
}

}  // namespace tidepool
