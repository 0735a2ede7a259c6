#include "weir/fabric/vl_table_filler.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <numeric>
#include <stdexcept>

#include "weir/base/error.hpp"

namespace weir::fabric {
namespace {

TEST(VlTableFiller, ConnectionsOfAVlShareAnEntryUpToItsWeight) {
  VlTableFiller table;
  ASSERT_TRUE(table.add(0, 100));
  ASSERT_TRUE(table.add(1, 20));
  ASSERT_TRUE(table.add(0, 155));
  EXPECT_EQ(table.entries(0), 1);
  EXPECT_EQ(table.filled(0), 255);
  ASSERT_TRUE(table.add(0, 1));
  EXPECT_EQ(table.entries(0), 2);
  EXPECT_EQ(table.entries(1), 1);
}

// An entry of 20 and one of 250 are scheduled alike: shares are those of entries.
TEST(VlTableFiller, SchedulesEveryEntryWithTheLargestWeight) {
  VlTableFiller table;
  ASSERT_TRUE(table.add(0, 20));
  ASSERT_TRUE(table.add(1, 250));
  ASSERT_EQ(table.table().size(), 2U);
  for (const VlWeight& entry : table.table()) EXPECT_EQ(entry.weight, 255);
}

TEST(VlTableFiller, ConnectionsAreSplitAndComeBackWhole) {
  VlTableFiller table;
  const auto large = table.add(2, 600);
  ASSERT_TRUE(large);
  EXPECT_EQ(table.entries(2), 3);
  EXPECT_EQ(table.filled(2), 600 - 2 * 255);
  table.remove(*large);
  EXPECT_EQ(table.entries(2), 0);
  EXPECT_THROW(table.remove(*large), std::out_of_range);
}

TEST(VlTableFiller, WhatDoesNotFitChangesNothing) {
  VlTableFiller table;
  ASSERT_TRUE(table.add(0, 63 * 255 + 200));
  EXPECT_FALSE(table.add(1, 1));
  EXPECT_FALSE(table.add(0, 56));
  EXPECT_EQ(table.filled(63), 200);
  EXPECT_TRUE(table.add(0, 55));
}

TEST(VlTableFiller, AFullTableIsTheWholeLink) {
  EXPECT_EQ(VlTableFiller::weight_of(1), 64 * 255);
  EXPECT_EQ(VlTableFiller::weight_of(.25), 16 * 255);
  EXPECT_EQ(VlTableFiller::weight_of(1e-9), 1);
  EXPECT_THROW((void)VlTableFiller::weight_of(0), InputError);
  EXPECT_THROW((void)VlTableFiller::weight_of(1.1), InputError);
}

TEST(VlTableFiller, EntriesAreFreeWithTheirConnections) {
  VlTableFiller table;
  const auto first = table.add(2, 250);
  const auto second = table.add(2, 10);  // 5 in the first entry, 5 in the second
  EXPECT_EQ(table.entries(2), 2);
  table.remove(*first);
  EXPECT_EQ(table.entries(2), 2) << "the second connection weighs in both";
  EXPECT_EQ(table.connections(2), 1);
  table.remove(*second);
  EXPECT_EQ(table.entries(2), 0);
  EXPECT_TRUE(table.table().empty());
}

TEST(VlTableFiller, EntriesMayStayUntilTheLastConnectionOfTheirVlEnds) {
  VlTableFiller table(4, EntriesEnd::with_last_of_vl);
  const auto large = table.add(0, 3 * 255);
  const auto small = table.add(0, 1);
  ASSERT_EQ(table.entries(0), 4);
  EXPECT_FALSE(table.add(1, 1)) << "the table is full";
  table.remove(*large);
  EXPECT_EQ(table.entries(0), 4);
  EXPECT_EQ(table.filled(0), 0);
  EXPECT_EQ(table.scheduled(0).weight, 255) << "bandwidth is held for the VL";
  const auto next = table.add(0, 255);
  EXPECT_EQ(table.entries(0), 4) << "what follows takes what is kept";
  table.remove(*small);
  EXPECT_EQ(table.entries(0), 4);
  table.remove(*next);
  EXPECT_EQ(table.entries(0), 0);
  EXPECT_EQ(table.scheduled(0).weight, 0);
  EXPECT_TRUE(table.add(1, 4 * 255));
}

TEST(VlTableFiller, ConnectionsOfNoOtherVlShareAnEntry) {
  VlTableFiller table(2);
  EXPECT_TRUE(table.add(0, 1));
  EXPECT_TRUE(table.add(1, 1));
  EXPECT_FALSE(table.add(2, 1));
  EXPECT_TRUE(table.add(0, 254)) << "its own entry has room";
  EXPECT_FALSE(table.add(0, 1));
}

RC_GTEST_PROP(VlTableFiller, KeepsItsBooks, ()) {
  VlTableFiller table;
  std::map<int, int> weights;
  for (int step = 0; step < 100; ++step) {
    if (!weights.empty() && *rc::gen::inRange(0, 3) == 0) {
      table.remove(weights.begin()->first);
      weights.erase(weights.begin());
    } else {
      const int weight = *rc::gen::inRange(1, 900);
      if (const auto made = table.add(*rc::gen::inRange(0, 4), weight)) weights[*made] = weight;
    }
    int filled = 0;
    for (int i = 0; i < VlTableFiller::kEntries; ++i) {
      RC_ASSERT(table.filled(i) >= 0 && table.filled(i) <= VlTableFiller::kMostWeight);
      filled += table.filled(i);
    }
    int known = 0;
    for (const auto& [connection, weight] : weights) known += weight;
    RC_ASSERT(filled == known);
    RC_ASSERT(table.table().size() <= 64U);
  }
}

}  // namespace
}  // namespace weir::fabric
