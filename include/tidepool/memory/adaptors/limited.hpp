#pragma once

// A bound on what a resource may hand out.

#include "../../core/size_in_bytes.hpp"
#include "../layer.hpp"

#include <cstddef>
#include <utility>

namespace tidepool {

/// Layer: refuses what would bring the bytes in use above a limit, before the upstream is asked.
///
/// Argument: the limit, in bytes. Errors: `over_limit`. Thread safety: none of its own; put `synchronised` in front of it.
struct limited {
    template <memory_resource Upstream>
    class over : public layer<over<Upstream>, Upstream> {
        using base = layer<over, Upstream>;
        friend base;

    public:
        using properties = without_property<properties_of<Upstream>, thread_safe>;

        template <class... UpstreamArguments>
        explicit over(size_in_bytes limit, UpstreamArguments&&... arguments)
            : base(std::forward<UpstreamArguments>(arguments)...), limit_(limit.value())
        {
        }

        [[nodiscard]] std::size_t capacity() const noexcept { return limit_; }
        [[nodiscard]] std::size_t available() const noexcept { return limit_ - used_; }

    private:
        template <class How>
        void* allocate_by(How how, std::size_t bytes, std::size_t alignment)
        {
            if (bytes > available()) {  // not used_ + bytes > limit_: that sum can wrap
                return how.refuse(over_limit(bytes, alignment, used_, limit_));
            }
            void* const pointer = how.allocate(this->upstream(), bytes, alignment);
            used_ += pointer != nullptr ? bytes : 0;  // only now: a failed upstream leaves the account as it was
            return pointer;
        }
        template <class How>
        void deallocate_by(How how, void* pointer, std::size_t bytes, std::size_t alignment) noexcept
        {
            how.deallocate(this->upstream(), pointer, bytes, alignment);
            used_ -= bytes;
        }

        std::size_t limit_;
        std::size_t used_ = 0;
    };
};

static_assert(bounded_resource<limited::over<examples::minimal_resource>>);
static_assert(!fallible_resource<limited::over<examples::minimal_resource>>, "no more than its upstream can do");

}  // namespace tidepool
