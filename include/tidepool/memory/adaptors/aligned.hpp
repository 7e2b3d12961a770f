#pragma once

// Alignments that the memory below does not give.

#include "../layer.hpp"
#include "../live_blocks.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace tidepool {

/// Layer: aligns everything to `Least` bytes at least, and to what is asked where that is more than its upstream can: then it asks
/// for more and starts later in the block. Where a block began is kept in a table, never in the block (a device's, say).
///
/// Errors: `bad_alignment` for what is no power of two; `out_of_memory`. Thread safety: none of its own.
template <std::size_t Least>
struct aligned_to {
    static_assert(std::has_single_bit(Least), "an alignment is a power of two");

    template <alignment_bounded_resource Upstream>
    class over : public layer<over<Upstream>, Upstream> {
        using base = layer<over, Upstream>;
        friend base;

    public:
        using properties = without_property<properties_of<Upstream>, thread_safe>;
        using base::base;

        [[nodiscard]] std::size_t greatest_alignment() const noexcept
        {
            return std::size_t{1} << (std::numeric_limits<std::size_t>::digits - 2);
        }
        [[nodiscard]] bool owns(const void* pointer) const noexcept requires owning_resource<Upstream>
        {
            return starts_.find(pointer) != nullptr || base::owns(pointer);
        }

    private:
        struct start {
            void* pointer = nullptr;  ///< as the upstream gave it
        };

        template <class How>
        void* allocate_by(How how, std::size_t bytes, std::size_t alignment)
        {
            if (!std::has_single_bit(alignment) || alignment > greatest_alignment()) {
                return how.refuse(bad_alignment("aligned", bytes, alignment, greatest_alignment()));
            }
            alignment = std::max(alignment, Least);
            const std::size_t given = this->upstream().greatest_alignment();
            return alignment <= given ? how.allocate(this->upstream(), bytes, alignment) : start_later(how, bytes, alignment, given);
        }
        template <class How>
        void* start_later(How how, std::size_t bytes, std::size_t alignment, std::size_t given)
        {
            const auto padded = checked_add(bytes, alignment - given);
            auto block = starts_.reserve();
            if (!padded || block == nullptr) {
                return how.refuse(out_of_memory("aligned", bytes, alignment));
            }
            void* const whole = how.allocate(this->upstream(), *padded, given);
            if (whole == nullptr) {
                return nullptr;
            }
            // The address is aligned, not the size: an upstream may start anywhere that it was asked for.
            const auto address = reinterpret_cast<std::uintptr_t>(whole);
            const std::size_t skipped = (alignment - address % alignment) % alignment;
            void* const pointer = static_cast<std::byte*>(whole) + skipped;
            block->note.pointer = whole;
            starts_.insert(block, pointer, *padded, given);
            return pointer;
        }
        template <class How>
        void deallocate_by(How how, void* pointer, std::size_t bytes, std::size_t alignment) noexcept
        {
            if (std::max(alignment, Least) <= this->upstream().greatest_alignment()) {
                return how.deallocate(this->upstream(), pointer, bytes, std::max(alignment, Least));
            }
            if (const auto block = starts_.extract(pointer)) {
                how.deallocate(this->upstream(), block->note.pointer, block->bytes, block->alignment);
            }
        }

        live_blocks<start> starts_;
    };
};
using aligned = aligned_to<1>;

}  // namespace tidepool
