#pragma once

// How much is in use, how much at most, and how often.

#include "../layer.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace tidepool {

/// What a resource gave so far. Bytes are as asked, before anything is rounded.
struct allocation_counts {
    std::size_t bytes = 0;          ///< in use
    std::size_t blocks = 0;         ///< in use
    std::size_t peak_bytes = 0;     ///< most in use at once
    std::uint64_t allocations = 0;  ///< ever
    std::uint64_t allocated = 0;    ///< bytes, ever
    std::uint64_t refused = 0;      ///< requests

    friend bool operator==(const allocation_counts&, const allocation_counts&) = default;
};

/// Layer: counts what passes. `counts()`; `reset_peak()` starts the peak again at what is in use.
///
/// Thread safety: none of its own; put `synchronised` in front of it.
struct statistics {
    template <memory_resource Upstream>
    class over : public layer<over<Upstream>, Upstream> {
        using base = layer<over, Upstream>;
        friend base;

    public:
        using properties = without_property<properties_of<Upstream>, thread_safe>;
        using base::base;

        [[nodiscard]] allocation_counts counts() const noexcept
        {
            return {in_use(), static_cast<std::size_t>(allocations_ - deallocations_), peak_, allocations_, allocated_, refused_};
        }
        void reset_peak() noexcept { peak_ = in_use(); }

    private:
        [[nodiscard]] std::size_t in_use() const noexcept { return static_cast<std::size_t>(allocated_ - deallocated_); }

        /// Counts a refusal, be it a null pointer or an exception that passes.
        struct refusal {
            ~refusal() { *count += given ? 0U : 1U; }
            std::uint64_t* count;
            bool given = false;
        };

        template <class How>
        void* allocate_by(How how, std::size_t bytes, std::size_t alignment)
        {
            refusal unless{&refused_};
            void* const pointer = how.allocate(this->upstream(), bytes, alignment);
            if (pointer != nullptr) {
                unless.given = true;
                ++allocations_;
                allocated_ += bytes;
                peak_ = std::max(peak_, in_use());
            }
            return pointer;
        }
        template <class How>
        void deallocate_by(How how, void* pointer, std::size_t bytes, std::size_t alignment) noexcept
        {
            how.deallocate(this->upstream(), pointer, bytes, alignment);
            ++deallocations_;
            deallocated_ += bytes;
        }

        std::uint64_t allocations_ = 0;
        std::uint64_t allocated_ = 0;  ///< bytes
        std::uint64_t deallocations_ = 0;
        std::uint64_t deallocated_ = 0;  ///< bytes
        std::uint64_t refused_ = 0;
        std::size_t peak_ = 0;  ///< bytes
    };
};

}  // namespace tidepool
