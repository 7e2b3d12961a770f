#pragma once

// How a request to the decision core ended.

#include "../graph/ids.hpp"

#include <cstdint>

namespace tidepool::decision {

enum class outcome : std::uint8_t {
    done,
    out_of_budget,  ///< what must be resident at once does not fit
    over_limit,     ///< more was recomputed than the limit allows
};

/// The operator is meaningful if the outcome is `done`.
struct [[nodiscard]] call_result {
    outcome result;
    operator_id op;
};

}  // namespace tidepool::decision
