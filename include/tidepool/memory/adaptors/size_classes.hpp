#pragma once

// Small blocks by size, in a few nanoseconds.

#include "../block_stack.hpp"
#include "../layer.hpp"
#include "../size_class_table.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>

namespace tidepool {

/// Layer: serves what is small from chunks that hold blocks of one size each, and passes on what is larger than `Largest` bytes or
/// aligned to more than 4096. What it knows is in plain memory, never in the blocks (a slow tier's, say).
///
/// A class grows by as much as it has; a chunk has 64 KiB at least and 4 MiB at most. `trim_to` gives chunks back all of whose
/// blocks are free. Errors: the upstream's. Time: constant, unless a class grows. Not stream-ordered. Thread safety: none of its
/// own. Cannot say what it owns.
template <std::size_t Largest = 32768>
struct size_classes_up_to {
    template <memory_resource Upstream>
    class over : public layer<over<Upstream>, Upstream> {
        using base = layer<over, Upstream>;
        friend base;
        using table = size_class_table<Largest>;

    public:
        using properties = without_property<properties_of<Upstream>, thread_safe>;
        using base::base;
        ~over() { trim_to(0); }

        void* allocate(stream_view, std::size_t, std::size_t) = delete;  // a block may still be in use by another stream
        bool owns(const void*) const = delete;

        [[nodiscard]] std::size_t available() const noexcept requires bounded_resource<Upstream>
        {
            return saturating_add(this->upstream().available(), free_bytes());
        }
        /// Bytes of the free blocks of all sizes.
        [[nodiscard]] std::size_t free_bytes() const noexcept
        {
            std::size_t sum = 0;
            for (std::size_t index = 0; index < table::count; ++index) {
                sum += classes_[index].size() * table::bytes_of(index);
            }
            return sum;
        }
        std::size_t trim_to(std::size_t bytes) noexcept
        {
            std::size_t left = free_bytes();
            std::size_t given_back = 0;
            for (std::size_t index = table::count; index-- > 0 && left > bytes;) {
                classes_[index].release_idle(table::bytes_of(index), [&](const block_stack::chunk& idle) {
                    if (left - idle.bytes < bytes) {
                        return false;
                    }
                    left -= idle.bytes;
                    given_back += idle.bytes;
                    this->upstream().deallocate_sync(idle.begin, idle.bytes, chunk_alignment());
                    return true;
                });
            }
            if constexpr (trimmable_resource<Upstream>) {
                return this->upstream().trim_to(bytes);
            } else {
                return given_back;
            }
        }

    private:
        static constexpr std::size_t least_chunk = std::size_t{64} << 10U;
        static constexpr std::size_t most_chunk = std::size_t{4} << 20U;

        [[nodiscard]] std::size_t chunk_alignment() const noexcept
        {
            if constexpr (alignment_bounded_resource<Upstream>) {
                return std::min<std::size_t>(4096, this->upstream().greatest_alignment());
            } else {
                return alignof(std::max_align_t);
            }
        }
        /// The least size that is a multiple of the alignment; 0 where that is none of ours.
        [[nodiscard]] std::size_t size_for(std::size_t bytes, std::size_t alignment) const noexcept
        {
            if (alignment <= table::step) {
                return bytes <= Largest && alignment != 0 && std::has_single_bit(alignment) ? bytes : 0;
            }
            const bool fits = std::has_single_bit(alignment) && alignment <= chunk_alignment() && std::max(bytes, alignment) <= Largest;
            return fits ? std::bit_ceil(std::max(bytes, alignment)) : 0;
        }

        template <class How>
        void* allocate_by(How how, std::size_t bytes, std::size_t alignment)
        {
            const std::size_t size = size_for(bytes, alignment);
            if (size == 0) {
                return how.allocate(this->upstream(), bytes, alignment);
            }
            block_stack& stack = classes_[table::of(size)];
            if (stack.empty() && !grow(how, stack, table::bytes_of(table::of(size)))) {
                return nullptr;
            }
            return stack.pop();
        }
        template <class How>
        void deallocate_by(How how, void* pointer, std::size_t bytes, std::size_t alignment) noexcept
        {
            const std::size_t size = size_for(bytes, alignment);
            if (size == 0) {
                return how.deallocate(this->upstream(), pointer, bytes, alignment);
            }
            classes_[table::of(size)].push(pointer);
        }

        /// False only where a request that does not throw was refused.
        template <class How>
        [[nodiscard]] bool grow(How how, block_stack& stack, std::size_t block)
        {
            std::size_t has = 0;
            for (const block_stack::chunk& chunk : stack.chunks()) {
                has += chunk.bytes;
            }
            std::size_t bytes = std::clamp(has, least_chunk, most_chunk) / block * block;
            void* begin = how.attempt(this->upstream(), bytes, chunk_alignment());
            if (begin == nullptr) {  // just the block, before it gives up
                bytes = block;
                begin = how.allocate(this->upstream(), bytes, chunk_alignment());
            }
            if (begin == nullptr) {
                return false;
            }
            if (!stack.reserve(bytes / block)) {
                this->upstream().deallocate_sync(begin, bytes, chunk_alignment());
                return how.refuse(out_of_memory("the table of blocks", bytes, chunk_alignment())) != nullptr;
            }
            stack.add({static_cast<std::byte*>(begin), bytes}, block);
            return true;
        }

        std::array<block_stack, table::count> classes_;
    };
};
using size_classes = size_classes_up_to<>;

}  // namespace tidepool
