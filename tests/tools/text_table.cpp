// Columns that line up.

#include <tidepool/tools/text_table.hpp>

#include <gtest/gtest.h>

#include <sstream>

namespace {

std::string printed(const tidepool::tools::text_table& table)
{
    std::ostringstream out;
    out << table;
    return out.str();
}

TEST(TextTable, LinesUpTheFirstColumnLeftAndTheOthersRight)
{
    tidepool::tools::text_table table;
    table.add_row({"name", "a", "long heading"});
    table.add_row({"longer name", "100", "1"});
    EXPECT_EQ(printed(table),
              "name           a  long heading\n"
              "longer name  100             1\n");
}

TEST(TextTable, TakesRowsOfUnequalLengthAndLeavesNoBlanksBehind)
{
    tidepool::tools::text_table table;
    table.add_row({"only"});
    table.add_row({});
    table.add_row({"x", "", "3"});
    table.add_row({"y", "2", ""});
    EXPECT_EQ(printed(table),
              "only\n"
              "\n"
              "x        3\n"
              "y     2\n");
}

TEST(TextTable, MayBeEmpty) { EXPECT_EQ(printed({}), ""); }

}  // namespace
