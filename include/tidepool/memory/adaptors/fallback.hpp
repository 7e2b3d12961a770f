#pragma once

// A second resource for when the first has nothing left.

#include "../layer.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

namespace tidepool {

/// Layer: asks its upstream, and `Second` when that is out of memory. What is given back goes to the one that `owns` it.
///
/// Argument: a `std::tuple` of the second's constructor arguments: `pipe<fallback_to<host_memory>, tracked, pinned_host_memory<>>
/// memory(std::tuple{})`; none where both need none. Properties: those that both have. Errors: the second's. Thread safety: what
/// both have. Longer chains: `pipe<fallback_to<third>, fallback_to<second>, first>`.
template <memory_resource Second>
struct fallback_to {
    template <owning_resource Upstream>
    class over : public layer<over<Upstream>, Upstream> {
        using base = layer<over, Upstream>;
        friend base;

    public:
        using properties = common_properties<properties_of<Upstream>, properties_of<Second>>;

        over() = default;
        template <class... SecondArguments, class... UpstreamArguments>
        explicit over(std::tuple<SecondArguments...> second, UpstreamArguments&&... arguments)
            : base(std::forward<UpstreamArguments>(arguments)...), second_(std::make_from_tuple<Second>(std::move(second)))
        {
        }

        [[nodiscard]] void* allocate(stream_view stream, std::size_t bytes,
                                     std::size_t alignment) requires(stream_ordered_resource<Upstream>&& stream_ordered_resource<Second>) {
            return base::allocate(stream, bytes, alignment);
        }
        void deallocate(stream_view stream, void* pointer, std::size_t bytes, std::size_t alignment) noexcept
            requires(stream_ordered_resource<Upstream>&& stream_ordered_resource<Second>) {
            base::deallocate(stream, pointer, bytes, alignment);
        }
        [[nodiscard]] void* try_allocate(std::size_t bytes, std::size_t alignment) noexcept
            requires(fallible_resource<Upstream>&& fallible_resource<Second>) {
            return base::try_allocate(bytes, alignment);
        }
        [[nodiscard]] bool owns(const void* pointer) const noexcept requires owning_resource<Second>
        {
            return base::owns(pointer) || second_.owns(pointer);
        }
        [[nodiscard]] std::size_t greatest_alignment() const noexcept
            requires(alignment_bounded_resource<Upstream>&& alignment_bounded_resource<Second>) {
            return std::min(base::greatest_alignment(), second_.greatest_alignment());
        }
        [[nodiscard]] std::size_t capacity() const noexcept requires(bounded_resource<Upstream>&& bounded_resource<Second>) {
            return saturating_add(base::capacity(), second_.capacity());
        }
        [[nodiscard]] std::size_t available() const noexcept requires(bounded_resource<Upstream>&& bounded_resource<Second>) {
            return saturating_add(base::available(), second_.available());
        }
        std::size_t trim_to(std::size_t bytes) noexcept requires(trimmable_resource<Upstream>&& trimmable_resource<Second>) {
            return base::trim_to(bytes) + second_.trim_to(bytes);
        }

        [[nodiscard]] Second& second() noexcept { return second_; }
        [[nodiscard]] const Second& second() const noexcept { return second_; }

    private:
        template <class How>
        void* allocate_by(How how, std::size_t bytes, std::size_t alignment)
        {
            void* const pointer = how.attempt(this->upstream(), bytes, alignment);
            return pointer != nullptr ? pointer : how.allocate(second_, bytes, alignment);
        }
        template <class How>
        void deallocate_by(How how, void* pointer, std::size_t bytes, std::size_t alignment) noexcept
        {
            if (this->upstream().owns(pointer)) {
                how.deallocate(this->upstream(), pointer, bytes, alignment);
            } else {
                how.deallocate(second_, pointer, bytes, alignment);
            }
        }

        Second second_;
    };
};

}  // namespace tidepool
