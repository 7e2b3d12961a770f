#pragma once

// When a storage was last read or written.

#include "metadata.hpp"

#include <limits>
#include <vector>

namespace tidepool::metadata {

/// Time of the last access on the decision clock; before all time until the first.
class access_times {
public:
    using needs = needs_set<>;
    using value_type = nanoseconds;
    static constexpr nanoseconds never = std::numeric_limits<nanoseconds>::min();

    template <class State>
    void operator_added(const State& state, operator_id)
    {
        last_.resize(state.graph().storages().bound(), never);
    }
    template <class State>
    void accessed(const State& state, storage_id id) noexcept
    {
        last_[index(id)] = state.clock().now();
    }
    template <class State>
    void forgetting(const State&, storage_id id) noexcept
    {
        last_[index(id)] = never;
    }
    template <class State>
    [[nodiscard]] nanoseconds value(const State&, storage_id id) const noexcept
    {
        return last_[index(id)];
    }

private:
    std::vector<nanoseconds> last_;
};

}  // namespace tidepool::metadata
