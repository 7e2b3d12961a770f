// Device and pinned memory over the simulated backend, alone and behind adaptors.

#include "resource_suite.hpp"

#include <tidepool/memory/adaptors/aligned.hpp>
#include <tidepool/memory/adaptors/pooled.hpp>
#include <tidepool/memory/adaptors/size_classes.hpp>
#include <tidepool/memory/adaptors/statistics.hpp>
#include <tidepool/memory/pipe.hpp>
#include <tidepool/memory/sources/simulated_device_memory.hpp>
#include <tidepool/memory/testing/strict.hpp>

#include <gtest/gtest.h>

#include <cstddef>

namespace tp = tidepool;

namespace testing_conformance {

/// A machine that has seen no fault at the end.
class machine {
public:
    machine() = default;
    explicit machine(const tp::simulated::options& with) : backend(with) {}
    ~machine()
    {
        EXPECT_EQ(backend.faults().size(), 0U);
        EXPECT_EQ(backend.live_blocks(), 0U);
    }

    tp::simulated_backend backend;
};

[[nodiscard]] inline tp::simulated::options without_pool()
{
    tp::simulated::options plain;
    plain.devices[0].capabilities.stream_ordered_pool = false;
    return plain;
}

struct device : machine {
    tp::simulated_device_memory memory{backend};
};
struct device_without_pool : machine {
    device_without_pool() : machine(without_pool()) {}
    tp::simulated_device_memory memory{backend};
};
struct pinned : machine {
    tp::simulated_pinned_memory memory{backend};
};
struct watched_device : machine {
    tp::pipe<tp::statistics, tp::testing::strict, tp::aligned_to<512>, tp::simulated_device_memory> memory{backend};
};
struct pool_on_a_device : machine {
    tp::pipe<tp::pooled, tp::simulated_device_memory> memory{tp::pool_options{.least_slab = 1 << 16}, backend};
};
struct classes_in_pinned_memory : machine {
    tp::pipe<tp::size_classes, tp::pooled, tp::simulated_pinned_memory> memory{tp::pool_options{}, backend};
};

using simulated_sources = testing::Types<device, device_without_pool, pinned, watched_device, pool_on_a_device, classes_in_pinned_memory>;
INSTANTIATE_TYPED_TEST_SUITE_P(Simulated, Resource, simulated_sources);

}  // namespace testing_conformance
