#pragma once

// Handles as drivers give them: a number that is soon used again.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace tidepool::simulated {

/// Things by handle. The handle given back last is the next one given.
template <class T>
class handle_table {
public:
    /// Handles count up from `first`, never null.
    explicit handle_table(std::uintptr_t first) noexcept : first_(first) {}

    void* insert(T value)
    {
        if (free_.empty()) {
            free_.push_back(slots_.size());
            slots_.emplace_back();
        }
        const std::size_t slot = free_.back();
        free_.pop_back();
        slots_[slot] = std::move(value);
        return reinterpret_cast<void*>(first_ + slot * spacing);
    }

    /// Null where there is none, or none any more. Valid until the next `insert`.
    T* find(void* handle) noexcept
    {
        const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(handle) - first_;
        const std::size_t slot = offset / spacing;
        const bool there = offset % spacing == 0 && slot < slots_.size() && slots_[slot];
        return there ? &*slots_[slot] : nullptr;
    }

    /// The handle must be there.
    void erase(void* handle)
    {
        const std::size_t slot = (reinterpret_cast<std::uintptr_t>(handle) - first_) / spacing;
        slots_[slot].reset();
        free_.push_back(slot);
    }

private:
    static constexpr std::uintptr_t spacing = 16;

    std::uintptr_t first_;
    std::vector<std::optional<T>> slots_;
    std::vector<std::size_t> free_;
};

}  // namespace tidepool::simulated
