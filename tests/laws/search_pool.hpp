#pragma once

// The laws of `search_pool`, for the library's and for a user's: `testing_laws::expect_search_pool_laws<my_pool>();`

#include <tidepool/policy/search.hpp>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace testing_laws {

/// What the concept says, word for word.
class list_pool {
public:
    void reserve(std::size_t bound) { ids_.reserve(bound); }
    void insert(tidepool::storage_id id) noexcept { ids_.push_back(id); }
    void erase(tidepool::storage_id id) noexcept { std::erase(ids_, id); }
    [[nodiscard]] bool contains(tidepool::storage_id id) const noexcept { return std::find(ids_.begin(), ids_.end(), id) != ids_.end(); }
    [[nodiscard]] std::size_t size() const noexcept { return ids_.size(); }

    template <class Score>
    [[nodiscard]] std::optional<tidepool::storage_id> choose(Score&& score, bool stop_at_zero) const
    {
        std::optional<tidepool::storage_id> best;
        for (const tidepool::storage_id id : ids_) {
            if (!best || score(id) <= score(*best)) {
                best = id;
            }
            if (stop_at_zero && score(id) == 0) {
                break;
            }
        }
        return best;
    }

private:
    std::vector<tidepool::storage_id> ids_;
};

static_assert(tidepool::search_pool<list_pool>);

/// Random insertions, removals and growth: at every point it has what the list has, and chooses what the list chooses.
template <tidepool::search_pool Pool>
void expect_search_pool_laws()
{
    const auto property = [] {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        Pool pool;
        list_pool expected;
        RC_ASSERT(pool.choose([](tidepool::storage_id) { return 1.0; }, true) == std::nullopt);
        std::uint32_t bound = 0;
        const auto steps = *rc::gen::resize(100, rc::gen::inRange(0, 400));
        for (int step = 0; step < steps; ++step) {
            if (step % 100 == 0) {
                bound += 20;
                pool.reserve(bound);
            }
            const tidepool::storage_id id{*rc::gen::resize(100, rc::gen::inRange<std::uint32_t>(0, bound))};
            if (!pool.contains(id) && *rc::gen::weightedElement<bool>({{3, true}, {1, false}})) {
                pool.insert(id);
                expected.insert(id);
            } else {
                pool.erase(id);  // nothing if it is not in
                expected.erase(id);
            }
            RC_ASSERT(pool.size() == expected.size());
            RC_ASSERT(pool.contains(id) == expected.contains(id));
            if (step % 8 == 0) {
                const auto scores = *rc::gen::container<std::vector<double>>(
                    bound, rc::gen::weightedElement<double>({{3, infinity}, {3, 2.0}, {3, 1.0}, {1, 0.0}, {1, -1.0}}));
                const auto score = [&](tidepool::storage_id scored) { return scores[index(scored)]; };
                for (const bool stop_at_zero : {false, true}) {
                    RC_ASSERT(pool.choose(score, stop_at_zero) == expected.choose(score, stop_at_zero));
                }
            }
        }
    };
    EXPECT_TRUE(rc::check("a search pool has and chooses what a list does", property));
}

}  // namespace testing_laws
