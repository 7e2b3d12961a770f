#pragma once

// The costs of the evicted neighbourhood e*: what a term asks for, whoever keeps it.

#include "neighbors.hpp"
#include "own_costs.hpp"

namespace tidepool::metadata {

/// Costs of the evicted storages that can be reached from a storage through evicted ones. DTR, section 4.1.
///
/// Kept by `regions` or `neighborhoods`, as the semantics says.
struct evicted_neighborhood {
    struct value_type {
        nanoseconds descendants;  ///< of those computed from it
        nanoseconds ancestors;    ///< of those that it is computed from
    };
    using needs = needs_set<neighbors, own_costs>;

    template <class Semantics>
    using kept_by = typename Semantics::evicted_neighborhood;
};

}  // namespace tidepool::metadata
