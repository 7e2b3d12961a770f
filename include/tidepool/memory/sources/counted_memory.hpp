#pragma once

// Memory that is a number, for simulations.

#include "../../core/size_in_bytes.hpp"
#include "../bounded_resource.hpp"
#include "../properties.hpp"
#include "../source.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace tidepool {

/// Counts bytes and has none: what it gives is no address, only aligned and not null. Never fragments.
///
/// Equal to itself only. Errors: `tier_full`. Thread safety: none.
class counted_memory : public source<counted_memory> {
public:
    using properties = property_list<>;
    static constexpr const char* name = "counted memory";
    static constexpr std::size_t greatest_alignment() noexcept { return std::size_t{1} << 62U; }

    explicit counted_memory(size_in_bytes capacity = greatest_request) noexcept : capacity_(capacity.value()) {}
    counted_memory(const counted_memory&) = delete;
    counted_memory& operator=(const counted_memory&) = delete;

    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
    [[nodiscard]] std::size_t available() const noexcept { return capacity_ - used_; }

    friend bool operator==(const counted_memory& left, const counted_memory& right) noexcept { return &left == &right; }

private:
    friend class source<counted_memory>;

    template <class How>
    void* allocate_by(How how, std::size_t bytes, std::size_t alignment)
    {
        if (bytes > available()) {
            return how.refuse(tier_full(name, bytes, alignment, capacity_, available()));
        }
        used_ += bytes;
        return reinterpret_cast<void*>(static_cast<std::uintptr_t>(alignment));
    }
    template <class How>
    void deallocate_by(How, void*, std::size_t bytes, std::size_t) noexcept
    {
        used_ -= bytes;
    }

    std::size_t capacity_;
    std::size_t used_ = 0;
};

static_assert(fallible_resource<counted_memory> && bounded_resource<counted_memory>);
static_assert(!has_property<counted_memory, host_accessible>);

}  // namespace tidepool
