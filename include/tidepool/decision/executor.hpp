#pragma once

// Who carries out what was decided: a real engine, or nobody.

#include "../graph/computation_graph.hpp"

#include <concepts>
#include <cstdint>

namespace tidepool {

enum class eviction_reason : std::uint8_t {
    pressure,      ///< to make room
    unreferenced,  ///< the program let go of it
    requested,     ///< somebody asked for it by name
};

/// Carries out decisions, in the order in which they are taken.
///
/// Requires, for an executor `e`: `e.run(graph, operator_id, again)` runs an operator whose inputs are resident, for the first
/// time or `again`; `e.evict(graph, storage_id, reason)` drops a storage's bytes. Neither may throw or call the core.
template <class E>
concept executor = requires(E& e, const computation_graph& graph, operator_id op, storage_id storage) {
    { e.run(graph, op, true) } noexcept;
    { e.evict(graph, storage, eviction_reason::pressure) } noexcept;
};

/// Carries out nothing: every decision of a real run, without one.
struct null_executor {
    void run(const computation_graph&, operator_id, bool) noexcept {}
    void evict(const computation_graph&, storage_id, eviction_reason) noexcept {}
};

static_assert(executor<null_executor>);
static_assert(!executor<int>);

}  // namespace tidepool
