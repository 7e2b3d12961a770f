#pragma once

// The calls of a simulated backend: counted, and made to fail on demand.

#include "../cuda_codes.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

namespace tidepool::simulated {

enum class operation : unsigned char {
    device_count,
    current_device,
    set_current_device,
    capabilities,
    allocate_device,
    free_device,
    allocate_pinned,
    free_pinned,
    allocate_pooled,
    free_pooled,
    is_pooled,
    create_stream,
    destroy_stream,
    synchronise_stream,
    query_stream,
    device_of,
    id_of,
    create_event,
    destroy_event,
    record,
    wait,
    synchronise_event,
    query_event,
    copy,
    launch,
    use,  ///< no call of a driver: for faults only
};
inline constexpr std::size_t operations = static_cast<std::size_t>(operation::use) + 1;

class call_counters {
public:
    void add(operation one) noexcept { ++calls_[static_cast<std::size_t>(one)]; }

    [[nodiscard]] std::uint64_t of(operation one) const noexcept { return calls_[static_cast<std::size_t>(one)]; }
    [[nodiscard]] std::uint64_t all() const noexcept { return std::accumulate(calls_.begin(), calls_.end(), std::uint64_t{0}); }

private:
    std::array<std::uint64_t, operations> calls_{};
};

/// Calls of `what` that ask for more than `above` bytes fail with `code`: all, or only the `call`-th from now on, from 1.
struct scripted_failure {
    operation what;
    cuda_code code;
    std::size_t above = 0;
    std::uint64_t call = 0;  ///< 0 for all
};

class failure_script {
public:
    void add(scripted_failure failure) { failures_.push_back(failure); }
    void clear() noexcept { failures_.clear(); }

    /// The code that this call must fail with, if it must. `bytes` is 0 where none are asked for.
    std::optional<cuda_code> next(operation what, std::size_t bytes)
    {
        std::optional<cuda_code> code;
        for (scripted_failure& each : failures_) {
            if (each.what == what && (each.above == 0 || bytes > each.above) && each.call != spent) {
                const bool now = each.call <= 1;
                code = now && !code ? each.code : code;
                each.call = each.call == 0 ? 0 : (now ? spent : each.call - 1);
            }
        }
        return code;
    }

private:
    static constexpr std::uint64_t spent = UINT64_MAX;
    std::vector<scripted_failure> failures_;
};

}  // namespace tidepool::simulated
