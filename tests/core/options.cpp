// Options are found by what they are about, not by where they stand.

#include <tidepool/core/options.hpp>

#include <gtest/gtest.h>

#include <type_traits>

namespace tp = tidepool;

namespace {

struct colour {};
struct shape {};

struct red {
    using category = colour;
};
struct blue {
    using category = colour;
};
struct round_shape {
    using category = shape;
};
struct stray {
    using category = int;
};

TEST(Options, AreFoundInAnyOrder)
{
    static_assert(std::is_same_v<tp::option_or<colour, red, blue, round_shape>, blue>);
    static_assert(std::is_same_v<tp::option_or<colour, red, round_shape, blue>, blue>);
}

TEST(Options, HaveADefaultWhereMissing)
{
    static_assert(std::is_same_v<tp::option_or<colour, red>, red>);
    static_assert(std::is_same_v<tp::option_or<colour, red, round_shape>, red>);
}

TEST(Options, OfAnotherCategoryAreNotKnown)
{
    using known = tp::categories<colour, shape>;
    static_assert(known::know<red> && known::know<round_shape>);
    static_assert(!known::know<stray>);
    static_assert(!tp::policy_option<int>, "an option says what it is about");
}

TEST(Options, AreCountedByCategory)
{
    using known = tp::categories<colour, shape>;
    static_assert(known::each_at_most_once<>);
    static_assert(known::each_at_most_once<red, round_shape>);
    static_assert(!known::each_at_most_once<red, round_shape, blue>);
    static_assert(!known::each_at_most_once<red, red>);
}

}  // namespace
