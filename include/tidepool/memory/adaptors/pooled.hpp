#pragma once

// A pool: few large requests upstream, many small ones served from them.

#include "../pool_layer.hpp"

#include <cstddef>

namespace tidepool {

/// Layer: keeps slabs of its upstream and serves requests from them, best fit, with neighbouring holes joined at once. What it knows
/// is in plain memory, never in the slabs (a device's, say).
///
/// It grows by as much as it has, or by less where the upstream has less, down to just what is asked; before it gives up it gives
/// idle slabs back and asks once more. `trim_to` gives idle slabs back, largest first. Slabs go back when it is destroyed.
///
/// Argument: `pool_options`; none where what lies below needs none. Errors: the upstream's. Time: logarithmic in blocks, times the
/// number of slabs. Not stream-ordered: see `stream_pooled`. Thread safety: none of its own.
struct pooled {
    template <memory_resource Upstream>
    class over : public pool_layer<over<Upstream>, Upstream> {
        using base = pool_layer<over, Upstream>;
        friend layer<over, Upstream>;

    public:
        using base::base;

        void* allocate(stream_view, std::size_t, std::size_t) = delete;  // a hole may still be in use by another stream

    private:
        template <class How>
        void* allocate_by(How how, std::size_t bytes, std::size_t alignment)
        {
            if (!this->could_align(alignment)) {
                return how.refuse(bad_alignment("pool", bytes, alignment, this->most_alignment()));
            }
            const auto rounded = this->rounded(bytes);
            if (!rounded) {
                return how.refuse(out_of_memory("pool", bytes, alignment));
            }
            if (void* const pointer = this->take(*rounded, alignment)) {
                return pointer;
            }
            if (void* const pointer = this->take_from_new_slab(how, *rounded, alignment)) {
                return pointer;
            }
            return this->take_from_last_slab(how, *rounded, alignment);
        }
        template <class How>
        void deallocate_by(How, void* pointer, std::size_t, std::size_t) noexcept
        {
            this->give(pointer);
        }
    };
};

static_assert(trimmable_resource<pooled::over<examples::minimal_resource>>);
static_assert(!stream_ordered_resource<pooled::over<examples::minimal_stream_ordered>>);

}  // namespace tidepool
