// rapidsai/rmm#1370: a destructor ran while another device was current, and freed on the wrong one.

#include "../memory/simulated.hpp"

#include <gtest/gtest.h>

#include <tuple>

namespace tp = tidepool;
using namespace testing_simulated;

namespace {

class Rmm1370 : public testing::TestWithParam<bool> {
protected:
    static tp::simulated::options machine()
    {
        auto machine = two_devices();
        machine.devices[0].capabilities.stream_ordered_pool = GetParam();
        return machine;
    }
    tp::simulated_backend backend{machine()};
    tp::simulated_device_memory memory{backend, 0};
};

TEST_P(Rmm1370, WhatWasMadeOnDevice0DiesOnDevice1)
{
    const tp::stream_view stream = backend.create_stream().value();
    void* const at_once = memory.allocate_sync(1000, 8);
    void* const in_order = memory.allocate(stream, 1000, 8);
    ASSERT_TRUE(backend.set_current_device(1).ok());
    memory.deallocate_sync(at_once, 1000, 8);
    memory.deallocate(stream, in_order, 1000, 8);
    EXPECT_EQ(faults_of(backend), kinds{});
    EXPECT_EQ(backend.live_blocks(), 0U);
    EXPECT_EQ(backend.current_device().value(), 1);
}

TEST_P(Rmm1370, TheCallersDeviceIsRestoredAfterAThrowToo)
{
    ASSERT_TRUE(backend.set_current_device(1).ok());
    backend.fail(operation::allocate_device, tp::cuda_code::memory_allocation);
    EXPECT_THROW(std::ignore = memory.allocate_sync(1000, 8), tp::out_of_memory);
    EXPECT_EQ(backend.current_device().value(), 1);
}

TEST_P(Rmm1370, TheDriverWouldRefuseTheWrongDevice)
{
    void* const block = memory.allocate_sync(1000, 8);
    ASSERT_TRUE(backend.set_current_device(1).ok());
    EXPECT_FALSE(backend.free_device(block).ok());
    EXPECT_EQ(faults_of(backend), kinds{fault_kind::wrong_device});
}

INSTANTIATE_TEST_SUITE_P(Pools, Rmm1370, testing::Bool());

}  // namespace
