// What people write for bytes, numbers and times, and what they read.

#include <tidepool/tools/quantities.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

using namespace tidepool::tools;
using tidepool::byte_count;

namespace {

constexpr byte_count most = std::numeric_limits<byte_count>::max();

TEST(ParseBytes, TakesPlainNumbersAndUnits)
{
    EXPECT_EQ(parse_bytes("0"), 0);
    EXPECT_EQ(parse_bytes("1073741824"), 1'073'741'824);
    EXPECT_EQ(parse_bytes("12B"), 12);
    EXPECT_EQ(parse_bytes("2KiB"), 2'048);
    EXPECT_EQ(parse_bytes("2MiB"), 2'097'152);
    EXPECT_EQ(parse_bytes("2GiB"), 2'147'483'648);
    EXPECT_EQ(parse_bytes("1TiB"), 1'099'511'627'776);
    EXPECT_EQ(parse_bytes("2kB"), 2'000);
    EXPECT_EQ(parse_bytes("2KB"), 2'000);
    EXPECT_EQ(parse_bytes("500MB"), 500'000'000);
    EXPECT_EQ(parse_bytes("3GB"), 3'000'000'000);
    EXPECT_EQ(parse_bytes("3TB"), 3'000'000'000'000);
    EXPECT_EQ(parse_bytes("1.5 GB"), 1'500'000'000);
    EXPECT_EQ(parse_bytes(".5KiB"), 512);
    EXPECT_EQ(parse_bytes("0.0001KiB"), 0) << "a fraction of a byte is cut off behind a unit";
}

TEST(ParseBytes, IsExactWhereADoubleIsNot)
{
    EXPECT_EQ(parse_bytes("9007199254740993"), 9'007'199'254'740'993);
    EXPECT_EQ(parse_bytes("9007199254740993 B"), 9'007'199'254'740'993);
    EXPECT_EQ(parse_bytes("8999999999999999kB"), 8'999'999'999'999'999'000);
    EXPECT_EQ(parse_bytes("9223372036854775807"), most);
    EXPECT_EQ(parse_bytes("8388607TiB"), 8'388'607 * (byte_count{1} << 40));
}

TEST(ParseBytes, RefusesWhatDoesNotFit)
{
    for (const char* text : {"9223372036854775808", "9223372036854775808B", "8388608TiB", "8388608.5TiB", "99999999999999999999GB",
                             "9223372036854776kB", "1000000000000000000000000000000.5GiB"}) {
        EXPECT_EQ(parse_bytes(text), std::nullopt) << text;
    }
}

TEST(ParseBytes, RefusesNonsense)
{
    for (const char* text :
         {"",      " ",  "B",   "GiB",  ".",    ".GiB",  "1x",      "1 GiBB", "1gib", "1G",    "1 G B", "GiB1", "1GiB ",  " 1GiB", "-1",
          "-1GiB", "+1", "1e3", "1e3B", "0x10", "1,5GB", "1.2.3GB", "nan",    "inf",  "infGB", "1.5",   "1.5B", "1..5GB", "12 34"}) {
        EXPECT_EQ(parse_bytes(text), std::nullopt) << '"' << text << '"';
    }
}

RC_GTEST_PROP(ParseBytes, ReadsBackEveryPlainNumber, (byte_count bytes))
{
    if (bytes >= 0) {
        RC_ASSERT(parse_bytes(std::to_string(bytes)) == bytes);
        RC_ASSERT(parse_bytes(std::to_string(bytes) + " B") == bytes);
    } else {
        RC_ASSERT(parse_bytes(std::to_string(bytes)) == std::nullopt);
    }
}

RC_GTEST_PROP(ParseBytes, TakesAnyTextWithoutHarm, (const std::string& text))
{
    const auto bytes = parse_bytes(text);
    RC_ASSERT(!bytes || *bytes >= 0);
}

TEST(ParseWhole, TakesDigitsOnly)
{
    EXPECT_EQ(parse_whole<std::uint64_t>("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(parse_whole<std::uint64_t>("007"), 7U);
    for (const char* text : {"", "-1", "-0", "+1", "1.0", "1e3", "0x1", "18446744073709551616", "one", "1 "}) {
        EXPECT_EQ(parse_whole<std::uint64_t>(text), std::nullopt) << text;
    }
    EXPECT_EQ(parse_whole<byte_count>("9223372036854775808"), std::nullopt);
}

TEST(ParseNumber, TakesFiniteNumbersOnly)
{
    EXPECT_EQ(parse_number("0.5"), 0.5);
    EXPECT_EQ(parse_number("1e-1"), 0.1);
    EXPECT_EQ(parse_number("-2"), -2.0);
    for (const char* text : {"", "nan", "inf", "-inf", "1e999", "0.5x", " 0.5", "abc", "0,5"}) {
        EXPECT_EQ(parse_number(text), std::nullopt) << text;
    }
}

TEST(FormatBytes, ShowsThreeDigitsInTheLargestUnit)
{
    EXPECT_EQ(format_bytes(0), "0 B");
    EXPECT_EQ(format_bytes(1023), "1023 B");
    EXPECT_EQ(format_bytes(1024), "1.00 KiB");
    EXPECT_EQ(format_bytes(10'235), "10.0 KiB");
    EXPECT_EQ(format_bytes(15'360), "15.0 KiB");
    EXPECT_EQ(format_bytes(153'600), "150 KiB");
    EXPECT_EQ(format_bytes(1'610'612'736), "1.50 GiB");
    EXPECT_EQ(format_bytes(-1'610'612'736), "-1.50 GiB");
    EXPECT_EQ(format_bytes(byte_count{1} << 40), "1.00 TiB");
}

TEST(FormatBytes, RoundsUpIntoTheNextUnit)
{
    EXPECT_EQ(format_bytes(1'048'575), "1.00 MiB");
    EXPECT_EQ(format_bytes(1'048'063), "1023 KiB");
    EXPECT_EQ(format_bytes(102'390), "100 KiB") << "not 100.0";
    EXPECT_EQ(format_bytes(10'239), "10.0 KiB") << "not 10.00";
}

TEST(FormatBytes, HoldsTheExtremes)
{
    EXPECT_EQ(format_bytes(most), "8388608 TiB");
    EXPECT_EQ(format_bytes(std::numeric_limits<byte_count>::min()), "-8388608 TiB");
}

RC_GTEST_PROP(FormatBytes, IsReadBackWithinHalfAPercent, ())
{
    const auto bytes = *rc::gen::inRange<byte_count>(0, byte_count{1} << 62);
    const auto again = parse_bytes(format_bytes(bytes));
    RC_ASSERT(again.has_value());
    RC_ASSERT(std::abs(static_cast<double>(*again) - static_cast<double>(bytes)) <= 0.005 * static_cast<double>(bytes));
}

TEST(FormatTime, ShowsThreeDigitsInTheLargestUnit)
{
    EXPECT_EQ(format_time(0), "0 ns");
    EXPECT_EQ(format_time(999), "999 ns");
    EXPECT_EQ(format_time(1'000), "1.00 us");
    EXPECT_EQ(format_time(999'700), "1.00 ms");
    EXPECT_EQ(format_time(4'310'736), "4.31 ms");
    EXPECT_EQ(format_time(12'000'000'000), "12.0 s");
    EXPECT_EQ(format_time(7'200'000'000'000), "7200 s");
    EXPECT_EQ(format_time(-5), "-5 ns");
}

TEST(FormatFixed, ShowsThatManyDigits)
{
    EXPECT_EQ(format_fixed(1.23456, 3), "1.235");
    EXPECT_EQ(format_fixed(2, 0), "2");
    EXPECT_EQ(format_fixed(-0.5, 1), "-0.5");
    EXPECT_EQ(format_fixed(1e300, 0).size(), 301U) << "long numbers are whole";
}

}  // namespace
