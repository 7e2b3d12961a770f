// fork() and exit() with resources that are alive.

#include <tidepool/memory/adaptors/process_bound.hpp>
#include <tidepool/memory/pipe.hpp>
#include <tidepool/memory/sources/host_memory.hpp>
#include <tidepool/memory/testing/strict.hpp>

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <optional>

namespace tp = tidepool;

namespace {

using guarded = tp::pipe<tp::process_bound, tp::testing::strict, tp::host_memory>;  // strict aborts on every misuse

/// The status with which a child ends that does `work`.
template <class Work>
int status_of_child(Work work)
{
    const pid_t child = ::fork();
    if (child == 0) {
        std::_Exit(work());
    }
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return status;
}

TEST(ProcessBound, RefusesAChildAndLeavesTheParentWhatItHas)
{
    std::optional<guarded> memory(std::in_place);
    void* const pointer = memory->allocate_sync(100, 8);
    const pid_t parent = ::getpid();
    const int status = status_of_child([&] {
        try {
            static_cast<void>(memory->allocate_sync(100, 8));
            return 1;
        } catch (const tp::wrong_process& refused) {
            if (refused.owner != parent) {
                return 2;
            }
        }
        if (memory->try_allocate(100, 8) != nullptr) {
            return 3;
        }
        memory->deallocate_sync(pointer, 100, 8);  // stays the parent's
        memory->deallocate_sync(pointer, 100, 8);
        memory.reset();
        return 0;
    });
    EXPECT_EQ(status, 0);
    EXPECT_TRUE(memory->owns(pointer));
    memory->deallocate_sync(pointer, 100, 8);
}

TEST(ProcessBound, IsTakenDownInItsOwnProcess)
{
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_DEATH(
        {
            guarded memory;
            static_cast<void>(memory.allocate_sync(100, 8));
        },
        "live when their resource is destroyed");
}

/// A static pool with live blocks, at exit: what lies below may be gone, and is left alone.
TEST(ProcessBound, IsLeftAsItIsAtExit)
{
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            static guarded memory;
            static void* const pointer = memory.allocate_sync(100, 8);
            struct gives_back_late {
                ~gives_back_late() { memory.deallocate_sync(pointer, 100, 8); }
            };
            static const gives_back_late late;
            std::exit(0);
        },
        testing::ExitedWithCode(0), "");
}

/// One that was never used has nothing to lose, and is taken down like any other object.
TEST(ProcessBound, ThatWasNeverUsedEndsQuietly)
{
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            static guarded memory;
            std::exit(0);
        },
        testing::ExitedWithCode(0), "");
}

}  // namespace
