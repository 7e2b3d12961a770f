#pragma once

// The machine that a simulated backend pretends to be.

#include "../../../core/units.hpp"
#include "../device_backend.hpp"

#include <vector>

namespace tidepool::simulated {

/// A way between two memories; one copy at a time, in the order in which they were asked for.
struct link {
    byte_count bytes_per_s = 25'000'000'000;
    nanoseconds latency = 5'000;
};

struct device {
    byte_count bytes = byte_count{64} << 20;  ///< of its memory; taken from the host when first used
    device_capabilities capabilities{.stream_ordered_pool = true, .peer_access = false};
    link from_host{};
    link to_host{};
    link within{.bytes_per_s = 1'000'000'000'000, .latency = 2'000};  ///< also to its peers
};

struct options {
    std::vector<device> devices = std::vector<device>(1);
    byte_count pinned_bytes = byte_count{64} << 20;  ///< all page-locked memory there is
    link host{.bytes_per_s = 20'000'000'000, .latency = 0};
    nanoseconds poll_interval = 1'000;  ///< a query that finds work unfinished takes so long: loops of queries end
    bool abort_on_fault = false;        ///< says so on stderr and ends the process: for what runs after `main`
};

}  // namespace tidepool::simulated
