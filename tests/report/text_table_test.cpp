#include "weir/report/table/text_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include <cmath>
#include <limits>

namespace weir::report {
namespace {

TEST(DisplayWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("µs"), 2U);
  EXPECT_EQ(display_width("─┼─"), 3U);
  EXPECT_EQ(display_width("e\xCC\x81"), 1U);  // e with a combining accent
  EXPECT_EQ(display_width("交換機"), 6U);
  EXPECT_EQ(display_width("ก็"), 1U);  // a Thai letter with its tone mark
  EXPECT_EQ(display_width("🙂"), 2U);
  EXPECT_EQ(display_width("\xFFok"), 3U);      // no UTF-8
  EXPECT_EQ(display_width("ok\xE4\xBA"), 4U);  // cut short
}

TEST(TextTable, AlignsColumns) {
  TextTable table;
  table.add_column("case", Align::left);
  table.add_column("latency", Align::right);
  table.add_row({"1q", "1.2 µs"});
  table.add_row({"voqnet", "430 ns"});
  table.add_row({"none"});
  EXPECT_EQ(table.render(),
            "case    latency\n"
            "──────  ───────\n"
            "1q       1.2 µs\n"
            "voqnet   430 ns\n"
            "none\n");
  EXPECT_EQ(table.render(true).find("\x1b[1mcase"), 0U);
  EXPECT_THROW(table.add_row({"a", "b", "c"}), std::invalid_argument);
}

TEST(FormatNumber, KeepsFourDigits) {
  EXPECT_EQ(format_number(0.123456), "0.1235");
  EXPECT_EQ(format_number(0.912), "0.9120");
  EXPECT_EQ(format_number(12.3456), "12.35");
  EXPECT_EQ(format_number(1234.56), "1235");
  EXPECT_EQ(format_number(0), "0");
  EXPECT_EQ(format_number(432), "432");
  EXPECT_EQ(format_number(1'234'567), "1 234 567");
  EXPECT_EQ(format_number(-12'345), "-12 345");
  EXPECT_EQ(format_number(3.2e-7), "3.2e-07");
  EXPECT_EQ(format_number(std::nan("")), "-");
  EXPECT_EQ(format_number(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(FormatQuantity, MemoriesReadAsTheyWereWritten) {
  EXPECT_EQ(format_quantity(4096, "B"), "4 KiB");
  EXPECT_EQ(format_quantity(336 * 1024, "B"), "336 KiB");
  EXPECT_EQ(format_quantity(2.25 * 1024 * 1024, "B"), "2.250 MiB");
  EXPECT_EQ(format_quantity(3456 * 1024, "B"), "3456 KiB");
  EXPECT_EQ(format_quantity(2048.0 * 1024 * 1024, "B"), "2048 MiB");
  // What has more digits than that is no size that somebody wrote.
  EXPECT_EQ(format_quantity(1'205'631.0 * 1024, "B"), "1.235 GB");
  EXPECT_EQ(format_quantity(20'480.0 * 1024 * 1024, "B"), "21.47 GB");
  EXPECT_EQ(format_quantity(1000, "B"), "1 KB");
  EXPECT_EQ(format_quantity(0, "B"), "0 B");
}

TEST(FormatQuantity, ScalesUnits) {
  EXPECT_EQ(format_quantity(1'234'567, "ns"), "1.235 ms");
  EXPECT_EQ(format_quantity(354, "ns"), "354 ns");
  EXPECT_EQ(format_quantity(0.25, "ns"), "250 ps");
  EXPECT_EQ(format_quantity(41'234.5, "Gbps"), "41.23 Tbps");
  EXPECT_EQ(format_quantity(0.0123, "Gbps"), "12.30 Mbps");
  EXPECT_EQ(format_quantity(3e9, "B"), "3 GB");
  EXPECT_EQ(format_quantity(0, "ns"), "0 ns");
  EXPECT_EQ(format_quantity(999'960, "ns"), "1.000 ms");
  EXPECT_EQ(format_quantity(999'900, "ns"), "999.9 µs");
  EXPECT_EQ(format_quantity(0.5, "1"), "0.5000");
  EXPECT_EQ(format_quantity(7, ""), "7");
  EXPECT_EQ(format_quantity(std::nan(""), "ns"), "-");
}

TEST(TextTable, WhatDoesNotFitFollowsInBlocksBehindTheKeys) {
  TextTable table;
  table.add_column("rank", Align::right);
  table.add_column("name", Align::left);
  for (const char* title : {"first", "second", "third"}) table.add_column(title, Align::right);
  table.add_row({"1", "a", "11", "12", "13"});
  table.add_row({"2", "bb", "21", "22", "23"});
  // Keys take 4 + 2 + 4 columns, then 2 + 5, 2 + 6 and 2 + 5.
  const std::string narrow = table.render({false, 25, 2});
  EXPECT_EQ(narrow,
            "rank  name  first  second\n"
            "────  ────  ─────  ──────\n"
            "   1  a        11      12\n"
            "   2  bb       21      22\n"
            "\n"
            "rank  name  third\n"
            "────  ────  ─────\n"
            "   1  a        13\n"
            "   2  bb       23\n");
  EXPECT_EQ(table.render({false, 32, 2}), table.render(false)) << "all of it fits";
  // A column that fits nowhere has a block of its own.
  const std::string tiny = table.render({false, 3, 1});
  EXPECT_EQ(std::count(tiny.begin(), tiny.end(), '\n'), 4 * 4 + 3);
}

TextTable table_of_texts() {
  TextTable table;
  table.add_column("id", Align::left);
  table.add_column("what it says", Align::left);
  table.add_column("n", Align::right);
  table.add_row({"a", "one two three four", "1"});
  table.add_row({"b", "five", "2"});
  return table;
}

TEST(TextTable, TextsAreBrokenWidestColumnFirst) {
  TextTable table = table_of_texts();
  table.wrap(20);
  EXPECT_EQ(table.render(),
            "id  what it says   n\n"
            "──  ─────────────  ─\n"
            "a   one two three  1\n"
            "    four\n"
            "b   five           2\n");
  TextTable narrow = table_of_texts();
  narrow.wrap(14);
  EXPECT_EQ(narrow.render(),
            "    what it\n"
            "id  says     n\n"
            "──  ───────  ─\n"
            "a   one two  1\n"
            "    three\n"
            "    four\n"
            "b   five     2\n");
  narrow.wrap(1);
  EXPECT_THAT(narrow.render(), ::testing::HasSubstr("id  says   n\n")) << "words stay whole";
  EXPECT_EQ(wrapped_lines("46 of 55 (84 %)", 12), (std::vector<std::string>{"46 of 55", "(84 %)"}));
  TextTable whole = table_of_texts();
  whole.wrap(0);
  EXPECT_EQ(whole.render(), table_of_texts().render()) << "0 is no limit";
  whole.wrap(25);
  EXPECT_EQ(whole.render(), table_of_texts().render()) << "all of it fits";
}

}  // namespace
}  // namespace weir::report
