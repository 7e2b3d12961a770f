// rapidsai/rmm#2303: the tracking adaptor freed a block upstream before it forgot the address; another thread got the same address
// meanwhile, and its block was the one forgotten.

#include <tidepool/memory/adaptors/synchronised.hpp>
#include <tidepool/memory/adaptors/tracked.hpp>
#include <tidepool/memory/pipe.hpp>
#include <tidepool/memory/sources/host_memory.hpp>
#include <tidepool/memory/testing/delayed.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <thread>

namespace tp = tidepool;

namespace {

/// One block only, the same address each time.
class reuses_its_only_block {
public:
    using properties = tp::property_list<tp::host_accessible>;
    void* allocate_sync(std::size_t bytes, std::size_t alignment)
    {
        if (taken_ || bytes > block_.size()) {
            throw tp::out_of_memory("the only block", bytes, alignment);
        }
        taken_ = true;
        return block_.data();
    }
    void deallocate_sync(void*, std::size_t, std::size_t) noexcept { taken_ = false; }
    friend bool operator==(const reuses_its_only_block& left, const reuses_its_only_block& right) noexcept { return &left == &right; }

private:
    alignas(64) std::array<std::byte, 64> block_{};
    bool taken_ = false;
};

TEST(Rmm2303, AnAddressThatIsUsedAgainAtOnceIsTrackedRightly)
{
    tp::pipe<tp::synchronised, tp::tracked, tp::testing::delayed, reuses_its_only_block> memory(3);
    std::atomic<int> served{0};
    std::array<std::thread, 8> threads;
    for (std::thread& thread : threads) {
        thread = std::thread([&] {
            for (int i = 0; i < 300; ++i) {
                try {
                    void* const pointer = memory.allocate_sync(64, 8);
                    ++served;
                    memory.deallocate_sync(pointer, 64, 8);
                } catch (const tp::out_of_memory&) {
                }
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_GT(served, 0);
    EXPECT_EQ(memory.locked([](const auto& below) { return below.misuses(); }), 0U);
    EXPECT_EQ(memory.locked([](const auto& below) { return below.live(); }), 0U);
}

}  // namespace
