#pragma once

// Who has what: leaks and misuse by name.

#include "../allocation_site.hpp"
#include "../layer.hpp"
#include "../live_blocks.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace tidepool {

/// Layer: remembers every live block with the place that asked for it. `print_leaks(stderr)` lists them; its destructor does so
/// where any are left. It owns what it has handed out, so that a `fallback_to` can stand before it.
///
/// What is given back wrongly is reported on standard error and counted in `misuses()`: a block that is not live is not passed on;
/// sizes that are not the block's are replaced by those that are. Errors: `out_of_memory` where the table cannot grow, before the
/// upstream is asked. Thread safety: none of its own.
struct tracked {
    template <memory_resource Upstream>
    class over : public layer<over<Upstream>, Upstream> {
        using base = layer<over, Upstream>;
        friend base;

    public:
        using properties = without_property<properties_of<Upstream>, thread_safe>;
        using base::base;
        ~over()
        {
            if (blocks_.size() > 0) {
                print_leaks(stderr);
            }
        }

        [[nodiscard]] bool owns(const void* pointer) const noexcept { return blocks_.find(pointer) != nullptr; }
        [[nodiscard]] std::size_t live() const noexcept { return blocks_.size(); }
        [[nodiscard]] std::uint64_t misuses() const noexcept { return misuses_; }

        /// A line a live block, then where it was asked for.
        void print_leaks(std::FILE* out) const
        {
            for (const auto& block : blocks_) {
                std::fprintf(out, "tidepool: %zu bytes at %p (alignment %zu) are not given back; asked for at\n", block.bytes,
                             block.pointer, block.alignment);
                block.note.print(out);
            }
        }

    private:
        template <class How>
        void* allocate_by(How how, std::size_t bytes, std::size_t alignment)
        {
            auto block = blocks_.reserve(allocation_site::here());
            if (block == nullptr) {
                return how.refuse(out_of_memory("the table of tracked blocks", bytes, alignment));
            }
            void* const pointer = how.allocate(this->upstream(), bytes, alignment);
            if (pointer != nullptr && !blocks_.insert(block, pointer, bytes, alignment)) {
                report("an upstream gave a block twice", pointer);
            }
            return pointer;
        }
        template <class How>
        void deallocate_by(How how, void* pointer, std::size_t bytes, std::size_t alignment) noexcept
        {
            // Out of the table first: the address may be handed out again as soon as the upstream has it.
            const auto block = blocks_.extract(pointer);
            if (block == nullptr) {
                return report("a block is given back that is not live", pointer);
            }
            if (block->bytes != bytes || block->alignment != alignment) {
                report("a block is given back with another size or alignment than it has", pointer);
            }
            how.deallocate(this->upstream(), pointer, block->bytes, block->alignment);
        }
        void report(const char* what, const void* pointer) noexcept
        {
            ++misuses_;
            std::fprintf(stderr, "tidepool: %s: %p\n", what, pointer);
        }

        live_blocks<allocation_site> blocks_;
        std::uint64_t misuses_ = 0;
    };
};

static_assert(owning_resource<tracked::over<examples::minimal_resource>>);

}  // namespace tidepool
