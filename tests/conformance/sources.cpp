// Every source that runs everywhere.

#include "resource_suite.hpp"

#include <tidepool/memory/adaptors/limited.hpp>
#include <tidepool/memory/pipe.hpp>
#include <tidepool/memory/shared_resource.hpp>
#include <tidepool/memory/sources/counted_memory.hpp>
#include <tidepool/memory/sources/host_memory.hpp>

#include <gtest/gtest.h>

#include <cstddef>

namespace testing_conformance {

struct host {
    tidepool::host_memory memory;
};
struct counted {
    tidepool::counted_memory memory{64 << 20};
};
struct shared {
    tidepool::shared_resource<tidepool::pipe<tidepool::limited, tidepool::host_memory>> memory =
        tidepool::make_shared_resource<tidepool::pipe<tidepool::limited, tidepool::host_memory>>(64 << 20);
};

using sources = testing::Types<host, counted, shared>;
INSTANTIATE_TYPED_TEST_SUITE_P(Sources, Resource, sources);

}  // namespace testing_conformance
