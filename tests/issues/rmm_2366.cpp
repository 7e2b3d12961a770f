// rapidsai/rmm#2366: memory held in static storage was given back after the CUDA context was gone: a crash at exit.

#include "../memory/simulated.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

namespace tp = tidepool;
using namespace testing_simulated;

namespace {

tp::simulated_backend& the_backend()
{
    tp::simulated::options machine;
    machine.abort_on_fault = true;
    static tp::simulated_backend backend(machine);
    return backend;
}

struct held_memory {
    tp::simulated_device_memory memory{the_backend()};
    tp::simulated_pinned_memory pinned{the_backend()};
    void* at_once = memory.allocate_sync(1000, 8);
    void* in_order = memory.allocate({}, 1000, 8);
    void* host = pinned.allocate_sync(1000, 8);

    held_memory() = default;
    held_memory(const held_memory&) = delete;
    held_memory& operator=(const held_memory&) = delete;
    ~held_memory()
    {
        memory.deallocate_sync(at_once, 1000, 8);
        memory.deallocate({}, in_order, 1000, 8);
        pinned.deallocate({}, host, 1000, 8);
    }
};

/// As the pool of the report: asks nobody whether it is too late.
struct careless_memory {
    void* block = the_backend().allocate_device(1000).value();

    careless_memory() = default;
    careless_memory(const careless_memory&) = delete;
    careless_memory& operator=(const careless_memory&) = delete;
    ~careless_memory() { the_backend().free_device(block); }
};

template <class Held>
[[noreturn]] void exit_holding()
{
    static const Held held;
    std::atexit([] { the_backend().destroy_context(); });  // registered last: runs before `held` dies
    std::exit(0);
}

TEST(Rmm2366DeathTest, StaticMemoryOutlivesTheContext) { EXPECT_EXIT(exit_holding<held_memory>(), testing::ExitedWithCode(0), ""); }

TEST(Rmm2366DeathTest, TheBackendFindsWhoCallsTooLate)
{
    EXPECT_EXIT(exit_holding<careless_memory>(), testing::KilledBySignal(SIGABRT), "too late");
}

}  // namespace
