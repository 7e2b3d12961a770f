#pragma once

// Time between what an adaptor does and what its upstream has done.

#include "../layer.hpp"

#include <cstddef>
#include <thread>
#include <utility>

namespace tidepool::testing {

/// Layer: lets other threads go first after its upstream has taken a block back, and before one that was given reaches the caller.
/// Opens the windows in which an address is used again while somebody still thinks it is his. Argument: how often to yield.
/// Thread safety: its upstream's.
struct delayed {
    template <memory_resource Upstream>
    class over : public layer<over<Upstream>, Upstream> {
        using base = layer<over, Upstream>;
        friend base;

    public:
        template <class... UpstreamArguments>
        explicit over(int yields, UpstreamArguments&&... arguments) : base(std::forward<UpstreamArguments>(arguments)...), yields_(yields)
        {
        }

    private:
        template <class How>
        void* allocate_by(How how, std::size_t bytes, std::size_t alignment)
        {
            void* const pointer = how.allocate(this->upstream(), bytes, alignment);
            let_others_go();
            return pointer;
        }
        template <class How>
        void deallocate_by(How how, void* pointer, std::size_t bytes, std::size_t alignment) noexcept
        {
            how.deallocate(this->upstream(), pointer, bytes, alignment);
            let_others_go();
        }
        void let_others_go() const noexcept
        {
            for (int turn = 0; turn < yields_; ++turn) {
                std::this_thread::yield();
            }
        }

        int yields_;
    };
};

}  // namespace tidepool::testing
