#pragma once

// The evicted neighbourhood found anew each time that it is asked for: nothing to maintain, slow to ask.

#include "access_times.hpp"
#include "neighbors.hpp"
#include "own_costs.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace tidepool::metadata {

/// Cost of a storage with all evicted storages that can be reached through evicted ones, either way, each once; and the
/// latest access among them. (The simulator's unoptimised h_DTR.) Linear in what is reached.
class neighborhood_scan {
public:
    struct value_type {
        nanoseconds cost;
        nanoseconds last_access;
    };
    using needs = needs_set<neighbors, own_costs, access_times>;

    template <class State>
    void operator_added(const State& state, operator_id)
    {
        stamps_.resize(state.graph().storages().bound());
        reached_.reserve(stamps_.capacity());
    }

    template <class State>
    [[nodiscard]] value_type value(const State& state, storage_id base)
    {
        const auto& costs = state.template metadata<own_costs>();
        const auto& accesses = state.template metadata<access_times>();
        value_type found{costs.value(state, base), accesses.value(state, base)};
        // Two passes with a stamp each; what both reach is counted by the first.
        const std::uint64_t first_pass = visit_ + 1;
        visit_ += 2;
        for (const direction way : both_directions) {
            const std::uint64_t pass = way == both_directions.front() ? first_pass : visit_;
            reached_.assign(1, base);
            for (std::size_t place = 0; place < reached_.size(); ++place) {
                for (const storage_id id : state.template metadata<neighbors>().value(state, reached_[place])[way]) {
                    const std::uint64_t before = stamps_[index(id)];
                    if (before == pass || state.is_resident(id)) {
                        continue;
                    }
                    stamps_[index(id)] = pass;
                    reached_.push_back(id);
                    if (before != first_pass) {
                        found.cost += costs.value(state, id);
                        found.last_access = std::max(found.last_access, accesses.value(state, id));
                    }
                }
            }
        }
        return found;
    }

private:
    std::vector<std::uint64_t> stamps_;
    std::vector<storage_id> reached_;
    std::uint64_t visit_ = 0;
};

}  // namespace tidepool::metadata
