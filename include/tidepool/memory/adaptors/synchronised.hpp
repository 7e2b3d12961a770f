#pragma once

// One caller at a time.

#include "../layer.hpp"

#include <cstddef>
#include <mutex>
#include <utility>

namespace tidepool {

/// Layer: holds a lock during each call, so that what lies below may be shared between threads, accessors of the layers below
/// aside. Thread safety: full.
template <class Mutex>
struct synchronised_by {
    template <memory_resource Upstream>
    class over : public layer<over<Upstream>, Upstream> {
        using base = layer<over, Upstream>;
        friend base;

    public:
        using properties = with_property<properties_of<Upstream>, thread_safe>;
        using base::base;

        [[nodiscard]] bool owns(const void* pointer) const noexcept requires owning_resource<Upstream>
        {
            const std::scoped_lock lock(mutex_);
            return base::owns(pointer);
        }
        [[nodiscard]] std::size_t capacity() const noexcept requires bounded_resource<Upstream>
        {
            const std::scoped_lock lock(mutex_);
            return base::capacity();
        }
        [[nodiscard]] std::size_t available() const noexcept requires bounded_resource<Upstream>
        {
            const std::scoped_lock lock(mutex_);
            return base::available();
        }
        std::size_t trim_to(std::size_t bytes) noexcept requires trimmable_resource<Upstream>
        {
            const std::scoped_lock lock(mutex_);
            return base::trim_to(bytes);
        }
        /// `f(upstream())` under the lock: for what the layers below know.
        template <class F>
        decltype(auto) locked(F&& f)
        {
            const std::scoped_lock lock(mutex_);
            return std::forward<F>(f)(this->upstream());
        }

    private:
        template <class How>
        void* allocate_by(How how, std::size_t bytes, std::size_t alignment)
        {
            const std::scoped_lock lock(mutex_);
            return how.allocate(this->upstream(), bytes, alignment);
        }
        template <class How>
        void deallocate_by(How how, void* pointer, std::size_t bytes, std::size_t alignment) noexcept
        {
            const std::scoped_lock lock(mutex_);
            how.deallocate(this->upstream(), pointer, bytes, alignment);
        }

        mutable Mutex mutex_;
    };
};
using synchronised = synchronised_by<std::mutex>;

}  // namespace tidepool
