#pragma once

// Bytes that nobody may rely on.

#include "../layer.hpp"

#include <cstddef>
#include <cstring>

namespace tidepool::testing {

/// Layer: fills what it hands out with 0xCD, and what comes back with 0xDD, so that bytes read too early or too late are seen.
/// Thread safety: its upstream's.
struct poisoning {
    static constexpr unsigned char fresh = 0xCD;
    static constexpr unsigned char dead = 0xDD;

    template <memory_resource Upstream>
    requires has_property<Upstream, host_accessible>
    class over : public layer<over<Upstream>, Upstream> {
        using base = layer<over, Upstream>;
        friend base;

    public:
        using base::base;

    private:
        template <class How>
        void* allocate_by(How how, std::size_t bytes, std::size_t alignment)
        {
            void* const pointer = how.allocate(this->upstream(), bytes, alignment);
            if (pointer != nullptr) {
                std::memset(pointer, fresh, bytes);
            }
            return pointer;
        }
        template <class How>
        void deallocate_by(How how, void* pointer, std::size_t bytes, std::size_t alignment) noexcept
        {
            std::memset(pointer, dead, bytes);
            how.deallocate(this->upstream(), pointer, bytes, alignment);
        }
    };
};

}  // namespace tidepool::testing
