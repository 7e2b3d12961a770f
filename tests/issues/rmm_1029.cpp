// rapidsai/rmm#1029: where the driver lacked one feature of its pool, nothing could be allocated at all.

#include "../memory/simulated.hpp"

#include <gtest/gtest.h>

namespace tp = tidepool;
using namespace testing_simulated;

namespace {

void expect_service(tp::simulated_backend& backend)
{
    tp::simulated_device_memory memory(backend);
    const tp::stream_view stream = backend.create_stream().value();
    void* block = nullptr;
    ASSERT_NO_THROW(block = memory.allocate(stream, 1000, 8));
    EXPECT_TRUE(backend.use(stream, block, 1000, access_kind::write).ok());
    memory.deallocate(stream, block, 1000, 8);
    EXPECT_EQ(backend.calls(operation::allocate_pooled), 0U);
    EXPECT_EQ(faults_of(backend), kinds{});
    EXPECT_EQ(backend.live_blocks(), 0U);
}

TEST(Rmm1029, WithoutAPoolStreamOrderIsSlowerNotRefused)
{
    tp::simulated_backend backend(without_pool());
    expect_service(backend);
}

TEST(Rmm1029, NorIsItWhereTheDriverDoesNotKnowTheQuestion)
{
    tp::simulated_backend backend;
    backend.fail(operation::capabilities, tp::cuda_code::invalid_value);
    expect_service(backend);
}

}  // namespace
