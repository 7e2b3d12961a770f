// memkind 224: after fork(), a PMEM heap was shared with the child, who corrupted it; both got the same pointers. A child that only
// ended with exit() lost the parent all of its bytes, as memkind takes down its kinds then.

#include <tidepool/core/units.hpp>
#include <tidepool/memory/adaptors/process_bound.hpp>
#include <tidepool/memory/sources/pmem_memory.hpp>

#include "../memory/scratch_folder.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

namespace tp = tidepool;
using namespace tp::literals;

namespace {

class Memkind224 : public testing::Test {
protected:
    static constexpr std::size_t bytes = 100'000;

    Memkind224()
    {
        memory_.emplace(folder_.path(), 64_MiB);
        for (int i = 0; i < 100; ++i) {
            blocks_.push_back(static_cast<char*>(memory_->allocate_sync(bytes, 64)));
            std::memset(blocks_.back(), 7, bytes);
        }
    }

    [[nodiscard]] bool is_as_it_was() const
    {
        return std::all_of(blocks_.begin(), blocks_.end(),
                           [](const char* block) { return std::count(block, block + bytes, 7) == static_cast<std::ptrdiff_t>(bytes); });
    }
    void expect_use()
    {
        EXPECT_TRUE(is_as_it_was());
        for (char* const block : blocks_) {
            memory_->deallocate_sync(block, bytes, 64);
        }
        EXPECT_EQ(memory_->available(), memory_->capacity());
        EXPECT_NE(memory_->try_allocate(bytes, 64), nullptr);
    }

    testing_memory::scratch_folder folder_;
    std::optional<tp::pmem_memory> memory_;
    std::vector<char*> blocks_;
};

TEST_F(Memkind224, AChildIsRefused)
{
    const int status = testing_memory::status_in_child([this] {
        try {
            (void)memory_->allocate_sync(100, 8);
        } catch (const tp::wrong_process& refused) {
            return refused.owner == ::getppid() && memory_->try_allocate(100, 8) == nullptr ? 0 : 1;
        }
        return 2;
    });
    EXPECT_EQ(status, 0);
    expect_use();
}

TEST_F(Memkind224, WhatAChildWritesIsItsOwn)
{
    const int status = testing_memory::status_in_child([this] {
        const bool readable = is_as_it_was();
        for (char* const block : blocks_) {
            std::memset(block, 8, bytes);
        }
        return readable ? 0 : 1;
    });
    EXPECT_EQ(status, 0);
    expect_use();
}

TEST_F(Memkind224, WhatAChildGivesBackOrDestroysStays)
{
    const int status = testing_memory::status_in_child([this] {
        for (char* const block : blocks_) {
            memory_->deallocate_sync(block, bytes, 64);
        }
        memory_.reset();
        return 0;
    });
    EXPECT_EQ(status, 0);
    expect_use();
}

TEST_F(Memkind224, AChildMayExit)
{
    const pid_t child = ::fork();
    if (child == 0) {
        std::exit(0);  // runs the destructors of libraries
    }
    int ended = 0;
    ASSERT_EQ(::waitpid(child, &ended, 0), child);
    EXPECT_TRUE(WIFEXITED(ended));
    expect_use();
}

}  // namespace
