#pragma once

// What the tests over the simulated backend have in common.

#include <tidepool/memory/backends/simulated_backend.hpp>
#include <tidepool/memory/sources/simulated_device_memory.hpp>

#include <cstddef>
#include <cstring>
#include <ostream>
#include <vector>

namespace tidepool::simulated {

inline void PrintTo(fault_kind kind, std::ostream* to) { *to << name_of(kind); }

}  // namespace tidepool::simulated

namespace testing_simulated {

using tidepool::simulated::access_kind;
using tidepool::simulated::fault_kind;
using tidepool::simulated::operation;
using kinds = std::vector<fault_kind>;

inline kinds faults_of(const tidepool::simulated_backend& backend)
{
    kinds found;
    for (const auto& each : backend.faults()) {
        found.push_back(each.kind);
    }
    return found;
}

inline tidepool::simulated::options two_devices()
{
    tidepool::simulated::options machine;
    machine.devices.resize(2);
    return machine;
}

inline tidepool::simulated::options without_pool()
{
    tidepool::simulated::options machine;
    machine.devices[0].capabilities.stream_ordered_pool = false;
    return machine;
}

inline bool all_are(const void* pointer, std::size_t bytes, unsigned char value)
{
    const std::vector<unsigned char> expected(bytes, value);
    return std::memcmp(pointer, expected.data(), bytes) == 0;
}

}  // namespace testing_simulated
