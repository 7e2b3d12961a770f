#pragma once

// What a driver would do in silence: mistakes of its callers, found.

#include "operation.hpp"
#include "vector_clock.hpp"

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace tidepool::simulated {

enum class fault_kind : unsigned char {
    race,             ///< a stream touches what an unordered one may still use
    freed_in_use,     ///< freed while an unordered stream may still use it
    use_after_free,   ///< touched after it was freed
    double_free,      ///< freed again
    unknown_pointer,  ///< no block of this backend, or not its start where that is meant
    out_of_bounds,    ///< begins in a block, or right behind it, and ends behind it
    wrong_device,     ///< a device is asked for what belongs to another one
    unknown_handle,   ///< a stream or event that is not, or is no more
    too_late,         ///< a call after `is_shutting_down()`
};

[[nodiscard]] constexpr const char* name_of(fault_kind kind) noexcept
{
    switch (kind) {
        case fault_kind::race:
            return "race";
        case fault_kind::freed_in_use:
            return "freed in use";
        case fault_kind::use_after_free:
            return "use after free";
        case fault_kind::double_free:
            return "double free";
        case fault_kind::unknown_pointer:
            return "unknown pointer";
        case fault_kind::out_of_bounds:
            return "out of bounds";
        case fault_kind::wrong_device:
            return "wrong device";
        case fault_kind::unknown_handle:
            return "unknown handle";
        case fault_kind::too_late:
            return "too late";
    }
    return "?";
}

struct fault {
    fault_kind kind;
    operation during;
    const void* pointer = nullptr;  ///< of the memory or the handle
    actor by = the_host;            ///< a stream's unique id
    actor against = the_host;       ///< who used it before, for `race` and `freed_in_use`
};

class fault_log {
public:
    explicit fault_log(bool abort) noexcept : abort_(abort) {}

    void report(fault found)
    {
        faults_.push_back(found);
        if (abort_) {
            std::fprintf(stderr, "tidepool: simulated backend: %s\n", name_of(found.kind));
            std::abort();
        }
    }
    void clear() noexcept { faults_.clear(); }

    [[nodiscard]] const std::vector<fault>& all() const noexcept { return faults_; }

private:
    bool abort_;
    std::vector<fault> faults_;
};

}  // namespace tidepool::simulated
