#pragma once

// How often a resource was asked, whatever came of it.

#include "../layer.hpp"

#include <cstddef>
#include <cstdint>

namespace tidepool::testing {

/// Layer: counts the requests that reach it. Thread safety: none of its own.
struct counting {
    template <memory_resource Upstream>
    class over : public layer<over<Upstream>, Upstream> {
        using base = layer<over, Upstream>;
        friend base;

    public:
        using properties = without_property<properties_of<Upstream>, thread_safe>;
        using base::base;

        [[nodiscard]] std::uint64_t asked() const noexcept { return asked_; }            ///< for bytes
        [[nodiscard]] std::uint64_t given_back() const noexcept { return given_back_; }  ///< blocks

    private:
        template <class How>
        void* allocate_by(How how, std::size_t bytes, std::size_t alignment)
        {
            ++asked_;
            return how.allocate(this->upstream(), bytes, alignment);
        }
        template <class How>
        void deallocate_by(How how, void* pointer, std::size_t bytes, std::size_t alignment) noexcept
        {
            ++given_back_;
            how.deallocate(this->upstream(), pointer, bytes, alignment);
        }

        std::uint64_t asked_ = 0;
        std::uint64_t given_back_ = 0;
    };
};

}  // namespace tidepool::testing
