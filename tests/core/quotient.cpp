// The quotient of two exact integers is the double nearest to it, ties to even.

#include <tidepool/core/quotient.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace tp = tidepool;

namespace {

__extension__ using magnitude = unsigned __int128;
using wide = tp::wide_integer;

constexpr wide one = 1;

/// A natural number of any size, of which only what a comparison of products needs.
class natural {
public:
    explicit natural(magnitude value)
    {
        for (; value != 0; value >>= 32U) {
            limbs_.push_back(static_cast<std::uint32_t>(value));
        }
    }

    friend natural operator*(const natural& left, const natural& right)
    {
        natural product(0);
        product.limbs_.assign(left.limbs_.size() + right.limbs_.size() + 1, 0);
        for (std::size_t i = 0; i < left.limbs_.size(); ++i) {
            std::uint64_t carry = 0;
            for (std::size_t j = 0; j < right.limbs_.size() || carry != 0; ++j) {
                const std::uint64_t factor = j < right.limbs_.size() ? right.limbs_[j] : 0;
                const std::uint64_t sum = left.limbs_[i] * factor + product.limbs_[i + j] + carry;
                product.limbs_[i + j] = static_cast<std::uint32_t>(sum);
                carry = sum >> 32U;
            }
        }
        product.trim();
        return product;
    }

    [[nodiscard]] natural times_two_to(unsigned power) const
    {
        natural factor(magnitude{1} << (power % 32));
        factor.limbs_.insert(factor.limbs_.begin(), power / 32, 0);
        return *this * factor;
    }

    friend std::strong_ordering operator<=>(const natural& left, const natural& right)
    {
        if (left.limbs_.size() != right.limbs_.size()) {
            return left.limbs_.size() <=> right.limbs_.size();
        }
        for (std::size_t i = left.limbs_.size(); i-- > 0;) {
            if (left.limbs_[i] != right.limbs_[i]) {
                return left.limbs_[i] <=> right.limbs_[i];
            }
        }
        return std::strong_ordering::equal;
    }

private:
    void trim()
    {
        while (!limbs_.empty() && limbs_.back() == 0) {
            limbs_.pop_back();
        }
    }

    std::vector<std::uint32_t> limbs_;  ///< least first
};

/// How n / d compares with m · 2^e, exactly.
std::strong_ordering compare(magnitude n, magnitude d, magnitude m, int e)
{
    const natural scaled = natural(d) * natural(m);
    return e >= 0 ? natural(n) <=> scaled.times_two_to(static_cast<unsigned>(e))
                  : natural(n).times_two_to(static_cast<unsigned>(-e)) <=> scaled;
}

/// Whether no double is nearer to n / d than `q`: n / d lies between the midpoints to q's neighbours, or on one if q is even.
bool is_nearest(magnitude n, magnitude d, double q)
{
    int exponent = 0;
    const auto mantissa = static_cast<std::uint64_t>(std::ldexp(std::frexp(q, &exponent), 53));
    exponent -= 53;
    const bool even = mantissa % 2 == 0;
    const auto above = compare(n, d, magnitude{mantissa} * 4 + 2, exponent - 2);  // q + half a unit
    // Below a power of two the neighbour is half as far.
    const magnitude half_below = mantissa == std::uint64_t{1} << 52U ? 1 : 2;
    const auto below = compare(n, d, magnitude{mantissa} * 4 - half_below, exponent - 2);
    return (above < 0 || (even && above == 0)) && (below > 0 || (even && below == 0));
}

/// A positive number of up to `bits` bits: random ones, and those near powers of two.
rc::Gen<wide> any_positive(int bits)
{
    const auto word = rc::gen::resize(100, rc::gen::arbitrary<std::uint64_t>());
    const auto random = rc::gen::map(rc::gen::tuple(word, word, rc::gen::inRange(1, bits + 1)), [](const auto& drawn) {
        const magnitude all = (magnitude{std::get<0>(drawn)} << 64U) | std::get<1>(drawn);
        const auto length = static_cast<unsigned>(std::get<2>(drawn));
        return static_cast<wide>((all >> (128U - length)) | 1U);
    });
    const auto near_power = rc::gen::map(rc::gen::pair(rc::gen::inRange(1, bits), rc::gen::inRange(-2, 3)), [](const auto& drawn) {
        const wide value = (one << drawn.first) + drawn.second;
        return value > 0 ? value : one;
    });
    return rc::gen::oneOf(random, random, near_power);
}

/// The words of a number, as 128 bits have no printer.
using words = std::pair<std::uint64_t, std::uint64_t>;
rc::Gen<words> as_words(const rc::Gen<wide>& numbers)
{
    return rc::gen::map(numbers, [](wide n) {
        const auto bits = static_cast<magnitude>(n);
        return words{static_cast<std::uint64_t>(bits >> 64U), static_cast<std::uint64_t>(bits)};
    });
}
wide number(words w) { return static_cast<wide>((magnitude{w.first} << 64U) | w.second); }

RC_GTEST_PROP(Quotient, IsCorrectlyRounded, ())
{
    const wide n = number(*as_words(any_positive(125)));
    const wide d = number(*as_words(any_positive(125)));
    const double q = tp::quotient_of(n, d);
    RC_ASSERT(is_nearest(static_cast<magnitude>(n), static_cast<magnitude>(d), q));
    RC_ASSERT(!is_nearest(static_cast<magnitude>(n), static_cast<magnitude>(d), std::nextafter(q, 0.0)));  // so the check tells
    RC_ASSERT(!is_nearest(static_cast<magnitude>(n), static_cast<magnitude>(d), std::nextafter(q, 0x1p200)));
}

/// n / d exactly between two doubles, or a hair beside: what rounds wrongly when one bit is lost.
RC_GTEST_PROP(Quotient, RoundsTiesToEven, ())
{
    const auto mantissa = *rc::gen::inRange(std::uint64_t{1} << 52U, std::uint64_t{1} << 53U);
    const wide d = *rc::gen::inRange<std::int64_t>(1, std::int64_t{1} << 62U);
    const wide n = (wide{static_cast<std::int64_t>(mantissa)} * 2 + 1) * d + *rc::gen::inRange(-1, 2);
    RC_ASSERT(is_nearest(static_cast<magnitude>(n), static_cast<magnitude>(d), tp::quotient_of(n, d)));
}

RC_GTEST_PROP(Quotient, IsPlainDivisionWhereBothAreExact, ())
{
    const auto n = static_cast<std::int64_t>(number(*as_words(any_positive(53))));
    const auto d = static_cast<std::int64_t>(number(*as_words(any_positive(53))));
    RC_ASSERT(tp::quotient_of(n, d) == static_cast<double>(n) / static_cast<double>(d));
}

RC_GTEST_PROP(Quotient, OfANegativeIsTheNegative, ())
{
    const wide n = number(*as_words(any_positive(125)));
    const wide d = number(*as_words(any_positive(125)));
    RC_ASSERT(tp::quotient_of(-n, d) == -tp::quotient_of(n, d));
}

/// Scores compare equal where the rational numbers are equal.
RC_GTEST_PROP(Quotient, DependsOnTheRationalOnly, ())
{
    const wide n = number(*as_words(any_positive(62)));
    const wide d = number(*as_words(any_positive(62)));
    const wide factor = number(*as_words(any_positive(62)));
    RC_ASSERT(tp::quotient_of(n * factor, d * factor) == tp::quotient_of(n, d));
}

TEST(Quotient, ReachesTheEndsOfItsRange)
{
    EXPECT_EQ(tp::quotient_of(1, one << 125), 0x1p-125);
    EXPECT_EQ(tp::quotient_of((one << 125), 1), 0x1p125);
    EXPECT_EQ(tp::quotient_of((one << 125) + 1, (one << 125) + 1), 1.0);
    EXPECT_EQ(tp::quotient_of((one << 125) - 1, one << 125), 1.0);
    EXPECT_EQ(tp::quotient_of(0, one << 125), 0.0);
    EXPECT_FALSE(std::signbit(tp::quotient_of(0, 3)));
}

TEST(Quotient, IsInfiniteWhereTheDenominatorIsNotPositive)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (const wide numerator : {wide{-5}, wide{0}, wide{5}, one << 125}) {
        EXPECT_EQ(tp::quotient_of(numerator, 0), infinity);
        EXPECT_EQ(tp::quotient_of(numerator, -3), infinity);
        EXPECT_EQ(tp::quotient_of(numerator, -(one << 125)), infinity);
    }
}

}  // namespace
