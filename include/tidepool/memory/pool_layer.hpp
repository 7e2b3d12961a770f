#pragma once

// What pools have in common: slabs of an upstream, and who has which part of them.

#include "../core/size_in_bytes.hpp"
#include "address_space.hpp"
#include "layer.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace tidepool {

struct pool_options {
    size_in_bytes least_slab = std::size_t{1} << 20U;  ///< bytes that are asked for at once, unless there are fewer
    size_in_bytes granularity = 256;                   ///< sizes are rounded up to a multiple of it; a power of two
};

/// Base of a pool `Self`: takes slabs of its upstream, in proportion to what it has, and hands out parts of them: from the first slab
/// that has room, in the order of addresses, so that the last become idle; best fit within it, neighbouring holes joined at once.
/// What it knows is in plain memory, never in the slabs (a device's, say).
///
/// `trim_to` gives idle slabs back, largest first. Time: logarithmic in blocks, times the number of slabs.
template <class Self, memory_resource Upstream>
class pool_layer : public layer<Self, Upstream> {
    using base = layer<Self, Upstream>;

public:
    using properties = without_property<properties_of<Upstream>, thread_safe>;

    pool_layer() : pool_layer(pool_options{}) {}
    template <class... UpstreamArguments>
    explicit pool_layer(pool_options options, UpstreamArguments&&... arguments)
        : base(std::forward<UpstreamArguments>(arguments)...),
          granularity_(std::bit_ceil(std::max<std::size_t>(options.granularity.value(), 1))),
          least_slab_(checked_align_up(options.least_slab.value(), granularity_).value_or(0))
    {
    }
    [[nodiscard]] bool owns(const void* pointer) const noexcept
    {
        const auto found = slab_of(pointer);
        return found != slabs_.end() && found->space->size_of(found->offset_of(pointer)) > 0;
    }
    [[nodiscard]] std::size_t available() const noexcept requires bounded_resource<Upstream>
    {
        return saturating_add(this->upstream().available(), free_bytes());
    }
    std::size_t trim_to(std::size_t bytes) noexcept
    {
        std::size_t given_back = 0;
        for (;;) {
            const auto idle = largest_idle_slab();
            if (idle == slabs_.end() || free_bytes() - idle->bytes < bytes) {
                break;
            }
            given_back += idle->bytes;
            give_back(*idle);
            slabs_.erase(idle);
        }
        if constexpr (trimmable_resource<Upstream>) {
            return this->upstream().trim_to(bytes);
        } else {
            return given_back;
        }
    }

    /// Bytes of its slabs, in use or not.
    [[nodiscard]] std::size_t reserved() const noexcept
    {
        return sum_of([](const slab& each) { return each.bytes; });
    }
    [[nodiscard]] std::size_t free_bytes() const noexcept
    {
        return sum_of([](const slab& each) { return each.space->free_bytes(); });
    }
    [[nodiscard]] std::size_t largest_hole() const noexcept
    {
        std::size_t largest = 0;
        for (const slab& each : slabs_) {
            largest = std::max(largest, each.space->largest_hole());
        }
        return largest;
    }
    /// What part of the free bytes no single request can have: 0 when they are one hole or none.
    [[nodiscard]] double fragmentation() const noexcept
    {
        const std::size_t free = free_bytes();
        return free == 0 ? 0.0 : 1.0 - static_cast<double>(largest_hole()) / static_cast<double>(free);
    }

protected:
    ~pool_layer()
    {
        for (const slab& each : slabs_) {
            give_back(each);
        }
    }

    [[nodiscard]] bool could_align(std::size_t alignment) const noexcept
    {
        return std::has_single_bit(alignment) && alignment <= most_alignment();
    }
    [[nodiscard]] std::size_t most_alignment() const noexcept
    {
        if constexpr (alignment_bounded_resource<Upstream>) {
            return this->upstream().greatest_alignment();
        } else {
            return granularity_;
        }
    }
    /// As a multiple of the granularity; nothing where that is too much.
    [[nodiscard]] std::optional<std::size_t> rounded(std::size_t bytes) const noexcept
    {
        const auto multiple = checked_align_up(bytes, granularity_);
        return multiple && *multiple <= greatest_request ? multiple : std::nullopt;
    }

    /// From the slabs as they are; null where there is no hole.
    [[nodiscard]] void* take(std::size_t bytes, std::size_t alignment) noexcept
    {
        for (const slab& each : slabs_) {
            if (each.space->largest_hole() >= bytes && each.is_aligned(alignment)) {
                if (const auto offset = each.space->take(bytes, alignment)) {
                    return each.begin + *offset;
                }
            }
        }
        return nullptr;
    }

    void give(void* pointer) noexcept
    {
        const auto found = slab_of(pointer);
        found->space->give(found->offset_of(pointer));
    }
    [[nodiscard]] std::size_t size_of(const void* pointer) const noexcept
    {
        const auto found = slab_of(pointer);
        return found->space->size_of(found->offset_of(pointer));
    }

    /// A block from a new slab, at best as large as all that there are; null where the upstream has none.
    template <class How>
    [[nodiscard]] void* take_from_new_slab(How how, std::size_t bytes, std::size_t alignment)
    {
        const std::size_t slab_alignment = alignment_of_slab(alignment);
        for (std::size_t wanted = std::max({bytes, least_slab_, reserved()});; wanted = std::max(bytes, wanted / 2 / granularity_ * granularity_)) {
            if (void* const begin = how.attempt(this->upstream(), wanted, slab_alignment)) {
                return add(how, begin, wanted, slab_alignment) ? take(bytes, alignment) : nullptr;
            }
            if (wanted == bytes) {
                return nullptr;
            }
        }
    }
    /// The last attempt: once idle slabs are given back, a slab of just this size. The upstream's refusal is the answer.
    template <class How>
    [[nodiscard]] void* take_from_last_slab(How how, std::size_t bytes, std::size_t alignment)
    {
        trim_to(0);
        void* const begin = how.allocate(this->upstream(), bytes, alignment_of_slab(alignment));
        return begin != nullptr && add(how, begin, bytes, alignment_of_slab(alignment)) ? take(bytes, alignment) : nullptr;
    }

private:
    struct slab {
        std::byte* begin;
        std::size_t bytes;
        std::size_t alignment;  ///< as it was asked for
        std::unique_ptr<address_space> space;

        [[nodiscard]] std::size_t offset_of(const void* pointer) const noexcept
        {
            return static_cast<std::size_t>(static_cast<const std::byte*>(pointer) - begin);
        }
        [[nodiscard]] bool is_aligned(std::size_t to) const noexcept { return reinterpret_cast<std::uintptr_t>(begin) % to == 0; }
        [[nodiscard]] bool is_idle() const noexcept { return space->free_bytes() == bytes; }
    };
    using slabs = std::vector<slab>;  // by address

    template <class How>
    [[nodiscard]] bool add(How how, void* begin, std::size_t bytes, std::size_t alignment)
    {
        std::unique_ptr<address_space> space(new (std::nothrow) address_space(0));
        if (space != nullptr && !space->grow(bytes)) {
            space.reset();
        }
        slab added{static_cast<std::byte*>(begin), bytes, alignment, std::move(space)};
        if (added.space == nullptr || !make_room_for_another()) {
            how.deallocate(this->upstream(), begin, bytes, alignment);
            return how.refuse(out_of_memory("the table of slabs", bytes, alignment)) != nullptr;
        }
        const auto place = std::upper_bound(slabs_.begin(), slabs_.end(), added,
                                            [](const slab& left, const slab& right) { return left.begin < right.begin; });
        slabs_.insert(place, std::move(added));
        return true;
    }
    [[nodiscard]] bool make_room_for_another() noexcept
    {
        return !detail::throws([&] { slabs_.reserve(slabs_.size() + 1); });
    }
    void give_back(const slab& idle) noexcept { this->upstream().deallocate_sync(idle.begin, idle.bytes, idle.alignment); }

    [[nodiscard]] typename slabs::const_iterator slab_of(const void* pointer) const noexcept
    {
        const auto after = std::upper_bound(slabs_.begin(), slabs_.end(), static_cast<const std::byte*>(pointer),
                                            [](const std::byte* address, const slab& each) { return address < each.begin; });
        if (after == slabs_.begin() || std::prev(after)->offset_of(pointer) >= std::prev(after)->bytes) {
            return slabs_.end();
        }
        return std::prev(after);
    }
    [[nodiscard]] typename slabs::iterator largest_idle_slab() noexcept
    {
        auto largest = slabs_.end();
        for (auto each = slabs_.begin(); each != slabs_.end(); ++each) {
            if (each->is_idle() && (largest == slabs_.end() || each->bytes > largest->bytes)) {
                largest = each;
            }
        }
        return largest;
    }
    [[nodiscard]] std::size_t alignment_of_slab(std::size_t alignment) const noexcept
    {
        return std::max(alignment, std::min(granularity_, most_alignment()));
    }
    template <class Of>
    [[nodiscard]] std::size_t sum_of(Of of) const noexcept
    {
        std::size_t sum = 0;
        for (const slab& each : slabs_) {
            sum += of(each);
        }
        return sum;
    }

    std::size_t granularity_;
    std::size_t least_slab_;  ///< like every slab, a multiple of the granularity: so no hole is too small by less
    slabs slabs_;
};

}  // namespace tidepool
