// microsoft/mimalloc#1198, gperftools#499: a child forked while another thread held the allocator's lock waited for it forever.

#include <tidepool/memory/adaptors/process_bound.hpp>
#include <tidepool/memory/adaptors/synchronised.hpp>
#include <tidepool/memory/pipe.hpp>
#include <tidepool/memory/sources/host_memory.hpp>

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace tp = tidepool;

namespace {

TEST(Mimalloc1198, AChildIsRefusedBeforeItWaitsForALock)
{
    tp::pipe<tp::process_bound, tp::synchronised, tp::host_memory> memory;
    std::atomic<bool> done{false};
    std::thread other([&] {
        while (!done) {
            memory.deallocate_sync(memory.allocate_sync(100, 8), 100, 8);
        }
    });
    for (int i = 0; i < 20; ++i) {
        const pid_t child = ::fork();
        if (child == 0) {
            ::alarm(20);
            ::_exit(memory.try_allocate(100, 8) == nullptr ? 0 : 1);
        }
        int status = 0;
        EXPECT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0) << "it waited, or was served";
    }
    done = true;
    other.join();
}

}  // namespace
