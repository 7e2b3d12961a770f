#pragma once

// What an operator is, as far as policies may care.

#include "../core/fnv.hpp"
#include "../core/units.hpp"

#include <cstdint>
#include <string_view>

namespace tidepool {

/// A number that stands for an operator's name; 0 for none.
enum class operator_kind : std::uint64_t {};

/// The kind that a name stands for. Different names give different kinds, up to a collision of 64-bit hashes.
[[nodiscard]] constexpr operator_kind kind_of(std::string_view name) noexcept
{
    fnv_hash hash;
    hash.add(name);
    return operator_kind{hash.value()};
}

/// What is known of an operator before it runs. A plain cost will do.
struct operator_description {
    constexpr operator_description(nanoseconds of_one_run, operator_kind what = {}) noexcept : cost(of_one_run), kind(what) {}

    nanoseconds cost;    ///< of one run
    operator_kind kind;  ///< for terms that tell operators apart
};

}  // namespace tidepool
