// The small vector against the large one: the same operations leave the same elements.

#include <tidepool/core/compact_vector.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tp = tidepool;

namespace {

using small = tp::compact_vector<std::uint32_t>;
using model = std::vector<std::uint32_t>;

model elements(const small& vector) { return {vector.begin(), vector.end()}; }

void expect_same(const small& vector, const model& expected)
{
    RC_ASSERT(elements(vector) == expected);
    RC_ASSERT(vector.size() == expected.size());
    RC_ASSERT(vector.empty() == expected.empty());
    const std::span<const std::uint32_t> seen = vector;
    RC_ASSERT(std::equal(seen.begin(), seen.end(), expected.begin(), expected.end()));
    for (std::size_t place = 0; place < expected.size(); ++place) {
        RC_ASSERT(vector[place] == expected[place]);
    }
    if (!expected.empty()) {
        RC_ASSERT(vector.front() == expected.front());
        RC_ASSERT(vector.back() == expected.back());
    }
}

RC_GTEST_PROP(CompactVector, BehavesAsAVector, ())
{
    small vector;
    model expected;
    const auto count = *rc::gen::inRange(0, 200);
    for (int step = 0; step < count; ++step) {
        const auto value = *rc::gen::inRange<std::uint32_t>(0, 8);
        switch (*rc::gen::weightedElement<int>({{6, 0}, {4, 1}, {1, 2}, {1, 3}, {1, 4}, {1, 5}})) {
            case 0:
                vector.push_back(value);
                expected.push_back(value);
                break;
            case 1: {
                const auto found = std::find(expected.begin(), expected.end(), value);
                RC_ASSERT(vector.contains(value) == (found != expected.end()));
                RC_ASSERT(vector.remove_first(value) == (found != expected.end()));
                if (found != expected.end()) {
                    expected.erase(found);
                }
                break;
            }
            case 2:
                vector.clear();
                expected.clear();
                break;
            case 3: {
                small moved = std::move(vector);
                expect_same(moved, expected);
                vector = std::move(moved);
                break;
            }
            case 4:
                expected = *rc::gen::container<model>(rc::gen::inRange<std::uint32_t>(0, 8));
                vector.assign(expected);
                break;
            default: {
                small other;
                for (std::uint32_t i = 0; i < value; ++i) {
                    other.push_back(i);
                }
                other = std::move(vector);  // what it had is freed
                vector = std::move(other);
                break;
            }
        }
        expect_same(vector, expected);
    }
}

TEST(CompactVector, MovedFromIsEmptyAndUsable)
{
    small vector;
    for (std::uint32_t i = 0; i < 100; ++i) {
        vector.push_back(i);
    }
    const small other = std::move(vector);
    EXPECT_EQ(other.size(), 100U);
    EXPECT_TRUE(vector.empty());
    vector.push_back(7);
    EXPECT_EQ(elements(vector), model{7});
}

TEST(CompactVector, GrowsFarBeyondItsRoom)
{
    small vector;
    for (std::uint32_t i = 0; i < 100'000; ++i) {
        vector.push_back(i);
    }
    for (std::uint32_t i = 0; i < 100'000; i += 997) {
        EXPECT_EQ(vector[i], i);
    }
}

}  // namespace
