#pragma once

// The heuristics of the DTR paper and its ablation study, as expressions. Evict the storage with the least value.

#include "terms.hpp"

namespace tidepool {

// Section 4.1 and appendix D.1.
inline constexpr auto h_dtr = terms::cost(terms::neighborhood) / (terms::size * terms::staleness);
inline constexpr auto h_dtr_eq = terms::cost(terms::equivalence_class) / (terms::size * terms::staleness);
inline constexpr auto h_dtr_local = terms::cost(terms::local) / (terms::size * terms::staleness);
/// As the simulator's unoptimised variant: the neighbourhood found anew, and the latest access in it.
inline constexpr auto h_dtr_unopt = terms::cost(terms::neighborhood_scan) / (terms::size * terms::staleness_of(terms::neighborhood_scan));
inline constexpr auto h_msps = terms::cost(terms::ancestors) / terms::size;
inline constexpr auto h_lru = terms::last_access;
inline constexpr auto h_size = 1 / terms::size;
inline constexpr auto h_random = terms::random(0);

// The ablation grid, appendix D.2: what a cost is summed over, divided by size, staleness, both or neither.
inline constexpr auto h_e = terms::cost(terms::neighborhood);
inline constexpr auto h_e_size = terms::cost(terms::neighborhood) / terms::size;
inline constexpr auto h_e_stale = terms::cost(terms::neighborhood) / terms::staleness;
inline constexpr auto h_e_size_stale = h_dtr;
inline constexpr auto h_eq = terms::cost(terms::equivalence_class);
inline constexpr auto h_eq_size = terms::cost(terms::equivalence_class) / terms::size;
inline constexpr auto h_eq_stale = terms::cost(terms::equivalence_class) / terms::staleness;
inline constexpr auto h_eq_size_stale = h_dtr_eq;
inline constexpr auto h_local = terms::cost(terms::local);
inline constexpr auto h_local_size = terms::cost(terms::local) / terms::size;
inline constexpr auto h_local_stale = terms::cost(terms::local) / terms::staleness;
inline constexpr auto h_local_size_stale = h_dtr_local;
inline constexpr auto h_size_stale = 1 / (terms::size * terms::staleness);
inline constexpr auto h_stale = 1 / terms::staleness;

}  // namespace tidepool
