// Ranges of addresses against a model that remembers every single address, and holes that are as small as they say.

#include <tidepool/memory/address_space.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace tp = tidepool;

namespace {

/// One flag for each address.
class naive_space {
public:
    explicit naive_space(std::size_t capacity) : used_(capacity) {}

    /// As best fit is defined, by looking at every hole.
    std::optional<std::size_t> take(std::size_t bytes, std::size_t alignment)
    {
        std::optional<std::size_t> best;
        std::size_t best_size = 0;
        for (const auto& [start, size] : holes()) {
            const std::size_t offset = (start + alignment - 1) / alignment * alignment;
            if (offset + bytes <= start + size && (!best || size < best_size)) {
                best = offset;
                best_size = size;
            }
        }
        if (best) {
            mark(*best, bytes, true);
            blocks_[*best] = bytes;
        }
        return best;
    }
    std::size_t give(std::size_t offset)
    {
        const auto found = blocks_.find(offset);
        if (found == blocks_.end()) {
            return 0;
        }
        const std::size_t bytes = found->second;
        mark(offset, bytes, false);
        blocks_.erase(found);
        return bytes;
    }
    void grow(std::size_t bytes) { used_.resize(used_.size() + bytes); }

    [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> holes() const
    {
        std::vector<std::pair<std::size_t, std::size_t>> found;
        for (std::size_t i = 0; i < used_.size(); ++i) {
            if (used_[i]) {
                continue;
            }
            if (i == 0 || used_[i - 1]) {
                found.emplace_back(i, 0);
            }
            ++found.back().second;
        }
        return found;
    }
    [[nodiscard]] std::size_t free_bytes() const { return static_cast<std::size_t>(std::count(used_.begin(), used_.end(), false)); }
    [[nodiscard]] std::size_t largest_hole() const
    {
        std::size_t largest = 0;
        for (const auto& hole : holes()) {
            largest = std::max(largest, hole.second);
        }
        return largest;
    }
    [[nodiscard]] std::size_t capacity() const { return used_.size(); }
    [[nodiscard]] const std::map<std::size_t, std::size_t>& blocks() const { return blocks_; }

private:
    void mark(std::size_t offset, std::size_t bytes, bool used)
    {
        for (std::size_t i = offset; i < offset + bytes; ++i) {
            used_[i] = used;
        }
    }

    std::vector<bool> used_;
    std::map<std::size_t, std::size_t> blocks_;
};

/// One assertion for all: rapidcheck's take microseconds each.
bool equal(const tp::address_space& space, const naive_space& model)
{
    bool same =
        space.capacity() == model.capacity() && space.free_bytes() == model.free_bytes() && space.largest_hole() == model.largest_hole();
    for (std::size_t i = 0; i <= model.capacity(); ++i) {
        const auto block = model.blocks().find(i);
        same = same && space.size_of(i) == (block == model.blocks().end() ? 0 : block->second);
    }
    return same;
}

/// Any number is a step.
void run_step(std::uint64_t choice, tp::address_space& space, naive_space& model)
{
    const auto pick = [&choice](std::size_t below) {
        const std::size_t picked = choice % below;
        choice /= below;
        return picked;
    };
    const std::size_t what = pick(20);
    if (what == 0) {
        const std::size_t more = pick(30);
        RC_ASSERT(space.grow(more));
        model.grow(more);
    } else if (what < 12) {
        const std::size_t bytes = 1 + pick(40);
        const std::size_t alignment = std::size_t{1} << pick(6);
        RC_ASSERT(space.take(bytes, alignment) == model.take(bytes, alignment));
    } else {
        const std::size_t offset = what < 14 || model.blocks().empty()  // perhaps no block's start
                                       ? pick(model.capacity() + 2)
                                       : std::next(model.blocks().begin(), static_cast<std::ptrdiff_t>(pick(model.blocks().size())))->first;
        RC_ASSERT(space.give(offset) == model.give(offset));
    }
}

RC_GTEST_PROP(AddressSpace, IsAsTheNaiveOne, (const std::vector<std::uint64_t>& seeds))
{
    const std::size_t capacity = *rc::gen::inRange<std::size_t>(0, 300);
    tp::address_space space(capacity);
    naive_space model(capacity);
    std::uint64_t choice = *rc::gen::arbitrary<std::uint64_t>();
    for (const std::uint64_t seed : seeds) {
        choice = choice * 6364136223846793005U + seed + 1;  // of full width, also where the seeds are small
        run_step(choice >> 8U, space, model);
        RC_ASSERT(equal(space, model));
    }

    while (!model.blocks().empty()) {
        const std::size_t offset = std::next(model.blocks().begin(), static_cast<std::ptrdiff_t>(model.blocks().size() / 2))->first;
        RC_ASSERT(space.give(offset) == model.give(offset));
        RC_ASSERT(equal(space, model));
    }
    RC_ASSERT(space.largest_hole() == model.capacity());
    RC_ASSERT(model.capacity() == 0 || space.take(model.capacity(), 1) == std::optional<std::size_t>(0));  // all, whatever happened
}

TEST(AddressSpace, TakesTheSmallestHoleAndTheLowestAmongEquals)
{
    tp::address_space space(100);
    const std::size_t sizes[] = {20, 1, 10, 1, 10, 1, 57};
    std::vector<std::size_t> offsets;
    for (const std::size_t bytes : sizes) {
        offsets.push_back(space.take(bytes, 1).value());
    }
    for (const std::size_t hole : {0U, 4U, 2U}) {
        space.give(offsets[hole]);
    }
    EXPECT_EQ(space.take(9, 1), offsets[2]);
    EXPECT_EQ(space.take(9, 1), offsets[4]);
    EXPECT_EQ(space.take(9, 1), offsets[0]);
}

TEST(AddressSpace, LooksBehindAHoleThatDoesNotFitOnceAligned)
{
    tp::address_space space(64);
    ASSERT_EQ(space.take(1, 1), 0U);
    ASSERT_EQ(space.take(15, 1), 1U);
    ASSERT_EQ(space.take(16, 1), 16U);
    space.give(1);  // 15 bytes at 1: no room for 8 at a multiple of 16
    EXPECT_EQ(space.take(8, 16), 32U);
    EXPECT_EQ(space.take(8, 8), 8U);
}

TEST(AddressSpace, KnowsNoBlockInAHoleInABlockOrOutside)
{
    tp::address_space space(32);
    ASSERT_EQ(space.take(8, 1), 0U);
    for (const std::size_t offset : {std::size_t{4}, std::size_t{8}, std::size_t{32}, SIZE_MAX}) {
        EXPECT_EQ(space.size_of(offset), 0U);
        EXPECT_EQ(space.give(offset), 0U);
    }
    EXPECT_EQ(space.give(0), 8U);
    EXPECT_EQ(space.give(0), 0U) << "given already";
    EXPECT_EQ(space.free_bytes(), 32U);
}

TEST(AddressSpace, ReachesToTheLastAddress)
{
    tp::address_space space(SIZE_MAX);
    EXPECT_FALSE(space.grow(1));
    EXPECT_FALSE(space.take(SIZE_MAX, 2) && space.take(1, 1));
    space.give(0);
    ASSERT_EQ(space.take(SIZE_MAX - 1, 1), 0U);
    EXPECT_EQ(space.take(1, std::size_t{1} << 63U), std::nullopt) << "aligned up, the last address would wrap";
    EXPECT_EQ(space.take(1, 2), SIZE_MAX - 1);
}

}  // namespace
