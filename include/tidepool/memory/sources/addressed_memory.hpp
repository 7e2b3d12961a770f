#pragma once

// Memory that is addresses and no bytes, for studies of fragmentation.

#include "../../core/size_in_bytes.hpp"
#include "../address_space.hpp"
#include "../bounded_resource.hpp"
#include "../owning_resource.hpp"
#include "../properties.hpp"
#include "../source.hpp"

#include <cstddef>
#include <cstdint>

namespace tidepool {

/// Hands out addresses, unique and not null, with no bytes behind them: best fit over one range, so that it fragments as a
/// device's memory does.
///
/// Errors: `tier_full`, also when no hole is large enough; `bad_alignment` above 1 TiB. Time: as `address_space`. Equal to itself
/// only. Thread safety: none.
class addressed_memory : public source<addressed_memory> {
public:
    using properties = property_list<>;
    static constexpr const char* name = "addressed memory";
    static constexpr std::size_t greatest_alignment() noexcept { return base; }

    explicit addressed_memory(size_in_bytes capacity) : space_(capacity) {}
    addressed_memory(const addressed_memory&) = delete;
    addressed_memory& operator=(const addressed_memory&) = delete;

    [[nodiscard]] bool owns(const void* pointer) const noexcept { return space_.size_of(offset_of(pointer)) != 0; }
    [[nodiscard]] std::size_t capacity() const noexcept { return space_.capacity(); }
    [[nodiscard]] std::size_t available() const noexcept { return space_.free_bytes(); }
    /// The longest request that would succeed, at alignment 1.
    [[nodiscard]] std::size_t largest_hole() const noexcept { return space_.largest_hole(); }

    friend bool operator==(const addressed_memory& left, const addressed_memory& right) noexcept { return &left == &right; }

private:
    friend class source<addressed_memory>;

    static constexpr std::size_t base = std::size_t{1} << 40U;  // where the first byte would be: never null, and aligned

    template <class How>
    void* allocate_by(How how, std::size_t bytes, std::size_t alignment)
    {
        const auto offset = space_.take(bytes, alignment);
        return offset ? reinterpret_cast<void*>(static_cast<std::uintptr_t>(base + *offset))
                      : how.refuse(tier_full(name, bytes, alignment, capacity(), available()));
    }
    template <class How>
    void deallocate_by(How, void* pointer, std::size_t, std::size_t) noexcept
    {
        space_.give(offset_of(pointer));
    }
    [[nodiscard]] static std::size_t offset_of(const void* pointer) noexcept { return reinterpret_cast<std::uintptr_t>(pointer) - base; }

    address_space space_;
};

static_assert(fallible_resource<addressed_memory> && bounded_resource<addressed_memory> && owning_resource<addressed_memory>);
static_assert(!has_property<addressed_memory, host_accessible>);

}  // namespace tidepool
