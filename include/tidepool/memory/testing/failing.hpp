#pragma once

// Memory that runs out when a test says so.

#include "../layer.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace tidepool::testing {

/// Says which requests fail: called once for each, with its bytes, before the upstream is asked.
template <class S>
concept failure_schedule = std::predicate<S&, std::size_t>;

/// The `k`-th request from now, counted from 1; no other.
class fail_call {
public:
    explicit fail_call(std::uint64_t k) noexcept : left_(k) {}
    bool operator()(std::size_t) noexcept { return left_ > 0 && --left_ == 0; }

private:
    std::uint64_t left_;
};

/// All requests after the first `k`.
class fail_after {
public:
    explicit fail_after(std::uint64_t k) noexcept : left_(k) {}
    bool operator()(std::size_t) noexcept { return left_ == 0 || left_-- == 0; }

private:
    std::uint64_t left_;
};

/// Every `n`-th request. None where `n` is 0.
class fail_every {
public:
    explicit fail_every(std::uint64_t n) noexcept : n_(n) {}
    bool operator()(std::size_t) noexcept { return n_ > 0 && ++calls_ % n_ == 0; }

private:
    std::uint64_t n_;
    std::uint64_t calls_ = 0;
};

/// Requests for more than some bytes.
class fail_above {
public:
    explicit fail_above(std::size_t bytes) noexcept : bytes_(bytes) {}
    bool operator()(std::size_t bytes) const noexcept { return bytes > bytes_; }

private:
    std::size_t bytes_;
};

static_assert(failure_schedule<fail_call> && failure_schedule<fail_above>);

/// Layer: refuses with `out_of_memory` what its schedule says. Argument: the schedule; `schedule()` to change it on the way.
template <failure_schedule Schedule>
struct failing {
    template <memory_resource Upstream>
    class over : public layer<over<Upstream>, Upstream> {
        using base = layer<over, Upstream>;
        friend base;

    public:
        using properties = without_property<properties_of<Upstream>, thread_safe>;

        template <class... UpstreamArguments>
        explicit over(Schedule schedule, UpstreamArguments&&... arguments)
            : base(std::forward<UpstreamArguments>(arguments)...), schedule_(std::move(schedule))
        {
        }

        [[nodiscard]] Schedule& schedule() noexcept { return schedule_; }

    private:
        template <class How>
        void* allocate_by(How how, std::size_t bytes, std::size_t alignment)
        {
            if (schedule_(bytes)) {
                return how.refuse(out_of_memory("a failure on purpose", bytes, alignment));
            }
            return how.allocate(this->upstream(), bytes, alignment);
        }
        template <class How>
        void deallocate_by(How how, void* pointer, std::size_t bytes, std::size_t alignment) noexcept
        {
            how.deallocate(this->upstream(), pointer, bytes, alignment);
        }

        Schedule schedule_;
    };
};

}  // namespace tidepool::testing
