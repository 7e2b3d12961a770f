#pragma once

// Names of nodes: dense numbers that index the tables of whatever issued them.

#include <cstddef>
#include <cstdint>

namespace tidepool {

enum class operator_id : std::uint32_t {};
enum class tensor_id : std::uint32_t {};
enum class storage_id : std::uint32_t {};

/// The place of a node in its table.
constexpr std::size_t index(operator_id id) noexcept { return static_cast<std::size_t>(id); }
constexpr std::size_t index(tensor_id id) noexcept { return static_cast<std::size_t>(id); }
constexpr std::size_t index(storage_id id) noexcept { return static_cast<std::size_t>(id); }

}  // namespace tidepool
