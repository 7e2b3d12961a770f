// The set of clustering numbers against a plain one.

#include <tidepool/core/sparse_bits.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <set>
#include <vector>

namespace tp = tidepool;

namespace {

using model = std::set<std::size_t>;

std::vector<std::size_t> elements(const tp::sparse_bits& bits)
{
    std::vector<std::size_t> all;
    bits.for_each([&](std::size_t number) { all.push_back(number); });
    return all;
}

std::vector<std::size_t> elements(const model& set) { return {set.begin(), set.end()}; }

/// Clusters, word boundaries and far apart.
rc::Gen<std::size_t> any_number()
{
    return rc::gen::oneOf(rc::gen::inRange<std::size_t>(0, 200), rc::gen::elementOf(std::vector<std::size_t>{0, 63, 64, 127, 128}),
                          rc::gen::inRange<std::size_t>(0, 1'000'000), rc::gen::just((std::size_t{1} << 38U) - 1));
}

rc::Gen<model> any_set() { return rc::gen::container<model>(any_number()); }

tp::sparse_bits bits_of(const model& set)
{
    tp::sparse_bits bits;
    for (const std::size_t number : set) {
        bits.append(number);
    }
    return bits;
}

RC_GTEST_PROP(SparseBits, InsertsErasesAndFinds, ())
{
    tp::sparse_bits bits;
    model expected;
    for (const std::size_t number : *rc::gen::container<std::vector<std::size_t>>(any_number())) {
        RC_ASSERT(bits.contains(number) == (expected.count(number) == 1));
        if (*rc::gen::arbitrary<bool>()) {
            bits.insert(number);
            expected.insert(number);
        } else {
            RC_ASSERT(bits.erase(number) == (expected.erase(number) == 1));
        }
        RC_ASSERT(bits.contains(number) == (expected.count(number) == 1));
        RC_ASSERT(bits.empty() == expected.empty());
    }
    RC_ASSERT(elements(bits) == elements(expected));
}

RC_GTEST_PROP(SparseBits, AppendingInOrderIsInserting, ())
{
    const model numbers = *any_set();
    RC_ASSERT(elements(bits_of(numbers)) == elements(numbers));
}

RC_GTEST_PROP(SparseBits, MergingIsTheUnionAndTellsWhatIsNew, ())
{
    const model left = *any_set();
    const model right = *any_set();
    tp::sparse_bits bits = bits_of(left);
    model told;
    bits.merge(bits_of(right), [&](std::size_t number) { RC_ASSERT(told.insert(number).second); });
    model together = left;
    model added;
    for (const std::size_t number : right) {
        if (together.insert(number).second) {
            added.insert(number);
        }
    }
    RC_ASSERT(elements(bits) == elements(together));
    RC_ASSERT(told == added);
    for (const std::size_t number : together) {  // its words are in order: each is found
        RC_ASSERT(bits.contains(number));
    }
}

RC_GTEST_PROP(SparseBits, ClearingEmpties, ())
{
    tp::sparse_bits bits = bits_of(*any_set());
    bits.clear();
    RC_ASSERT(bits.empty());
    RC_ASSERT(elements(bits).empty());
}

}  // namespace
