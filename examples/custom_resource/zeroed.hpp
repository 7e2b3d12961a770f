#pragma once

// An adaptor of your own: whoever gets memory finds zeros in it.

#include <tidepool/memory/layer.hpp>

#include <cstddef>
#include <cstring>

/// Layer: clears what it hands out. Thread safety: its upstream's.
struct zeroed {
    template <tidepool::memory_resource Upstream>
    requires tidepool::has_property<Upstream, tidepool::host_accessible>
    class over : public tidepool::layer<over<Upstream>, Upstream> {
        using base = tidepool::layer<over, Upstream>;
        friend base;

    public:
        using base::base;

    private:
        template <class How>
        void* allocate_by(How how, std::size_t bytes, std::size_t alignment)
        {
            void* const pointer = how.allocate(this->upstream(), bytes, alignment);
            return pointer == nullptr ? nullptr : std::memset(pointer, 0, bytes);  // null: a request that does not throw was refused
        }
        template <class How>
        void deallocate_by(How how, void* pointer, std::size_t bytes, std::size_t alignment) noexcept
        {
            how.deallocate(this->upstream(), pointer, bytes, alignment);
        }
    };
};
