// rapidsai/rmm#510: blocks freed in the order of a stream that was then destroyed; the next allocation crashed.

#include "../memory/simulated.hpp"

#include <gtest/gtest.h>

#include <cstddef>

namespace tp = tidepool;
using namespace testing_simulated;

namespace {

TEST(Rmm510, MemoryOfADestroyedStreamComesBack)
{
    constexpr std::size_t all = 4096;
    tp::simulated::options machine;
    machine.devices[0].bytes = all;
    tp::simulated_backend backend(machine);
    tp::simulated_device_memory memory(backend);
    const tp::stream_view gone = backend.create_stream().value();
    const tp::stream_view other = backend.create_stream().value();
    void* const block = memory.allocate(gone, all, 8);
    backend.launch(gone, 1'000);
    memory.deallocate(gone, block, all, 8);
    ASSERT_TRUE(backend.destroy_stream(gone).ok());

    void* const next = memory.allocate(other, all, 8);
    EXPECT_EQ(next, block);
    EXPECT_GE(backend.now(), 1'000) << "not before the work of the old stream ended";
    backend.use(other, next, all, access_kind::write);
    EXPECT_EQ(faults_of(backend), kinds{});
}

}  // namespace
