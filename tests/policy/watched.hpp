#pragma once

// A kind of metadata beside another that must always give the same value.

#include <tidepool/policy/metadata.hpp>

#include <cstdint>
#include <span>

namespace testing_policy {

/// Passes everything on to both, and compares at every question. `Naive::same(known, found)` says what equal means.
template <class Real, class Naive>
class watched {
public:
    using needs = typename Real::needs;
    using value_type = typename Real::value_type;

    template <class State>
    void operator_added(const State& state, tidepool::operator_id id)
    {
        tell([&](auto& kind) {
            if constexpr (requires { kind.operator_added(state, id); }) {
                kind.operator_added(state, id);
            }
        });
    }
    template <class State>
    void computed(const State& state, tidepool::operator_id id, std::span<const tidepool::storage_id> filled, bool again)
    {
        tell([&](auto& kind) {
            if constexpr (requires { kind.computed(state, id, filled, again); }) {
                kind.computed(state, id, filled, again);
            }
        });
    }
    template <class State>
    void evicted(const State& state, tidepool::storage_id id)
    {
        tell([&](auto& kind) {
            if constexpr (requires { kind.evicted(state, id); }) {
                kind.evicted(state, id);
            }
        });
    }
    template <class State>
    void forgetting(const State& state, tidepool::storage_id id)
    {
        tell([&](auto& kind) {
            if constexpr (requires { kind.forgetting(state, id); }) {
                kind.forgetting(state, id);
            }
        });
    }
    template <class State>
    value_type value(const State& state, tidepool::storage_id id)
    {
        ++questions;
        const value_type known = real_.value(state, id);
        const value_type found = naive_.value(state, id);
        differences += Naive::same(known, found) ? 0U : 1U;
        return known;
    }

    static inline std::uint64_t questions = 0;
    static inline std::uint64_t differences = 0;

private:
    template <class Function>
    void tell(Function&& function)
    {
        function(real_);
        function(naive_);
    }

    Real real_;
    Naive naive_;
};

}  // namespace testing_policy
