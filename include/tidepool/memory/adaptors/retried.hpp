#pragma once

// A hook for when memory runs out.

#include "../layer.hpp"

#include <bit>
#include <concepts>
#include <cstddef>
#include <utility>

namespace tidepool {

/// Makes room when memory runs out: `hook(bytes)` is called for a request of `bytes` that was refused, and returns how many bytes
/// it gave back; 0 if it has nothing more to give. It may not ask the resource that called it.
template <class H>
concept out_of_memory_hook = std::invocable<H&, std::size_t> && std::same_as<std::invoke_result_t<H&, std::size_t>, std::size_t>;

/// Layer: when its upstream is out of memory, calls a hook and asks again, as long as the hook gives something back, and
/// `MostRetries` times at most.
///
/// Argument: the hook. Errors: the upstream's last one. Thread safety: none of its own.
template <out_of_memory_hook Hook, int MostRetries = 16>
struct retried_after {
    template <memory_resource Upstream>
    class over : public layer<over<Upstream>, Upstream> {
        using base = layer<over, Upstream>;
        friend base;

    public:
        using properties = without_property<properties_of<Upstream>, thread_safe>;

        over() = default;
        template <class... UpstreamArguments>
        explicit over(Hook hook, UpstreamArguments&&... arguments)
            : base(std::forward<UpstreamArguments>(arguments)...), hook_(std::move(hook))
        {
        }

        [[nodiscard]] const Hook& hook() const noexcept { return hook_; }

    private:
        template <class How>
        void* allocate_by(How how, std::size_t bytes, std::size_t alignment)
        {
            for (int retry = 0; retry < MostRetries && could_align(alignment); ++retry) {
                if (void* const pointer = how.attempt(this->upstream(), bytes, alignment)) {
                    return pointer;
                }
                if (hook_(bytes) == 0) {
                    break;
                }
            }
            return how.allocate(this->upstream(), bytes, alignment);  // the last time: its refusal is the answer
        }
        template <class How>
        void deallocate_by(How how, void* pointer, std::size_t bytes, std::size_t alignment) noexcept
        {
            how.deallocate(this->upstream(), pointer, bytes, alignment);
        }

        /// More room would not help with what cannot be aligned.
        [[nodiscard]] bool could_align(std::size_t alignment) const noexcept
        {
            if constexpr (alignment_bounded_resource<Upstream>) {
                return std::has_single_bit(alignment) && alignment <= this->upstream().greatest_alignment();
            } else {
                return std::has_single_bit(alignment);
            }
        }

        Hook hook_;
    };
};

}  // namespace tidepool
