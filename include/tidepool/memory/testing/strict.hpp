#pragma once

// A resource that ends the program when it is misused.

#include "../layer.hpp"
#include "../live_blocks.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace tidepool::testing {

/// Layer: holds both sides to the contract. It aborts, with one line on standard error, when a block is given back that is not
/// live, or with another size or alignment than it was asked for; when its upstream gives a block twice, or misaligned; and when
/// it is destroyed while blocks are live. Thread safety: none of its own.
struct strict {
    template <memory_resource Upstream>
    class over : public layer<over<Upstream>, Upstream> {
        using base = layer<over, Upstream>;
        friend base;

    public:
        using properties = without_property<properties_of<Upstream>, thread_safe>;
        using base::base;
        ~over()
        {
            for (const auto& block : blocks_) {
                fail("blocks are live when their resource is destroyed", block.pointer, block.bytes, block.alignment);
            }
        }

        [[nodiscard]] bool owns(const void* pointer) const noexcept { return blocks_.find(pointer) != nullptr; }
        [[nodiscard]] std::size_t live() const noexcept { return blocks_.size(); }

    private:
        struct nothing {};

        template <class How>
        void* allocate_by(How how, std::size_t bytes, std::size_t alignment)
        {
            auto block = blocks_.reserve();
            if (block == nullptr) {
                return how.refuse(out_of_memory("the table of live blocks", bytes, alignment));
            }
            void* const pointer = how.allocate(this->upstream(), bytes, alignment);
            if (pointer == nullptr) {
                return nullptr;
            }
            if (reinterpret_cast<std::uintptr_t>(pointer) % alignment != 0) {
                fail("an upstream gave a misaligned block", pointer, bytes, alignment);
            }
            if (!blocks_.insert(block, pointer, bytes, alignment)) {
                fail("an upstream gave a block twice", pointer, bytes, alignment);
            }
            return pointer;
        }
        template <class How>
        void deallocate_by(How how, void* pointer, std::size_t bytes, std::size_t alignment) noexcept
        {
            const auto block = blocks_.extract(pointer);
            if (block == nullptr) {
                fail("a block is given back that is not live", pointer, bytes, alignment);
            }
            if (block->bytes != bytes || block->alignment != alignment) {
                fail("a block is given back with another size or alignment than it has", pointer, bytes, alignment);
            }
            how.deallocate(this->upstream(), pointer, bytes, alignment);
        }
        [[noreturn]] static void fail(const char* what, const void* pointer, std::size_t bytes, std::size_t alignment) noexcept
        {
            std::fprintf(stderr, "tidepool: %s: %p, %zu bytes, alignment %zu\n", what, pointer, bytes, alignment);
            std::abort();
        }

        live_blocks<nothing> blocks_;
    };
};

}  // namespace tidepool::testing
