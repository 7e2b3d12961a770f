// rapidsai/rmm#1333: an event of one device was recorded on a stream of another one.

#include "../memory/simulated.hpp"

#include <tidepool/memory/copy.hpp>

#include <gtest/gtest.h>

namespace tp = tidepool;
using namespace testing_simulated;

namespace {

TEST(Rmm1333, AnEventAndItsStreamAreOfOneDevice)
{
    tp::simulated_backend backend(two_devices());
    const tp::event_view on_0 = backend.create_event().value();
    ASSERT_TRUE(backend.set_current_device(1).ok());
    const tp::stream_view on_1 = backend.create_stream().value();
    EXPECT_FALSE(backend.record(on_0, on_1).ok());
    EXPECT_EQ(faults_of(backend), kinds{fault_kind::wrong_device});
    EXPECT_TRUE(backend.wait(on_1, on_0).ok()) << "waiting across devices is what events are for";
}

TEST(Rmm1333, ACopysMarkIsOfItsStreamsDevice)
{
    tp::simulated_backend backend(two_devices());
    ASSERT_TRUE(backend.set_current_device(1).ok());
    const tp::stream_view on_1 = backend.create_stream().value();
    ASSERT_TRUE(backend.set_current_device(0).ok());
    tp::simulated_device_memory on_device_0(backend, 0);
    tp::simulated_device_memory on_device_1(backend, 1);
    void* const source = on_device_0.allocate_sync(1000, 8);
    void* const target = on_device_1.allocate_sync(1000, 8);
    tp::copy(on_1, on_device_1, target, on_device_0, source, 1000).wait();
    EXPECT_EQ(faults_of(backend), kinds{});
    EXPECT_EQ(backend.current_device().value(), 0);
}

}  // namespace
