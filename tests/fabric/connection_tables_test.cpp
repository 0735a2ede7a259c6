// VL arbitration tables that connections fill: yan2012, section 5.2.
#include "weir/fabric/connection_tables.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <vector>

#include "weir/base/error.hpp"
#include "weir/base/state_archive.hpp"
#include "weir/fabric/switch/arbiter.hpp"

namespace weir::fabric {
namespace {

constexpr PortId kPort(0);
constexpr PortId kOther(1);

/// VL 0 fills the table of high priority; VL 2 has an entry in the low one that stays.
ConnectionTables::Rules rules() {
  ConnectionTables::Rules made;
  made.configured.low = {{2, 8}};
  made.high_vls = 1;
  return made;
}

TEST(ConnectionTables, FillTheTableOfTheirVlBehindWhatStays) {
  ConnectionTables tables(rules(), 2);
  ASSERT_TRUE(tables.add(kPort, 0, 300));
  ASSERT_TRUE(tables.add(kPort, 1, 10));
  const VlArbitration& at = tables.of(kPort);
  ASSERT_EQ(at.high.size(), 64U);
  ASSERT_EQ(at.low.size(), 64U);
  for (const std::size_t i : {0U, 1U}) {
    EXPECT_EQ(at.high[i].vl, 0);
    EXPECT_EQ(at.high[i].weight, 255);
  }
  EXPECT_EQ(at.high[2].weight, 0);
  EXPECT_EQ(at.low[0].vl, 2);
  EXPECT_EQ(at.low[0].weight, 8);
  EXPECT_EQ(at.low[1].vl, 1);
  EXPECT_EQ(at.low[1].weight, 255);
  EXPECT_EQ(tables.entries(kPort, 0), 2);
  EXPECT_EQ(tables.entries(kPort, 1), 1);
  EXPECT_EQ(tables.entries(kPort, 2), 0) << "no connection has filled its entry";
  EXPECT_EQ(tables.of(kOther).high[0].weight, 0) << "each port has its own";
}

TEST(ConnectionTables, WhatDoesNotFitChangesNothing) {
  ConnectionTables tables(rules(), 1);
  EXPECT_EQ(tables.room(0), 64);
  EXPECT_EQ(tables.room(1), 63);
  const auto most = tables.add(kPort, 1, 63 * 255);
  ASSERT_TRUE(most);
  int heard = 0;
  tables.listen([&](PortId, std::uint16_t) { ++heard; });
  EXPECT_FALSE(tables.add(kPort, 3, 1));
  EXPECT_EQ(tables.entries(kPort, 3), 0);
  EXPECT_EQ(tables.connections(kPort, 3), 0);
  EXPECT_EQ(heard, 0);
  EXPECT_TRUE(tables.add(kPort, 0, 64 * 255)) << "the other table is empty";
  EXPECT_EQ(heard, 1);
  tables.remove(kPort, 1, *most);
  EXPECT_EQ(heard, 2);
  EXPECT_TRUE(tables.add(kPort, 3, 1));
}

TEST(ConnectionTables, KnowWhoIsServedWithoutConnection) {
  ConnectionTables tables(rules(), 1);
  EXPECT_TRUE(tables.serves_without(2));
  EXPECT_TRUE(tables.serves_without(15)) << "management goes before the tables";
  ASSERT_TRUE(tables.add(kPort, 0, 1));
  EXPECT_FALSE(tables.serves_without(0)) << "its entry goes with the connection";
  ConnectionTables::Rules never = rules();
  never.configured.high = {{1, 0}};
  EXPECT_FALSE(ConnectionTables(never, 1).serves_without(1)) << "weight 0 is never served";
}

TEST(ConnectionTables, LeaveNoRoomBesideAFullTable) {
  ConnectionTables::Rules full = rules();
  full.configured.low.assign(64, {2, 1});
  ConnectionTables tables(full, 1);
  EXPECT_EQ(tables.room(1), 0);
  EXPECT_FALSE(tables.add(kPort, 1, 1));
  full.configured.low.push_back({2, 1});
  EXPECT_THROW(ConnectionTables(full, 1), InputError);
}

/// VLs in the order in which an arbiter serves packets of a unit.
std::vector<int> serve(VlArbiter& arbiter, std::uint32_t sendable, int count) {
  std::vector<int> out;
  std::uint32_t bytes[16];
  for (std::uint32_t& one : bytes) one = 64 * 255;
  for (int i = 0; i < count; ++i) out.push_back(arbiter.pick(sendable, bytes));
  return out;
}

TEST(ConnectionTables, GoOnFromACheckpointWithWhatEachConnectionFills) {
  ConnectionTables::Rules lasting = rules();
  lasting.end = EntriesEnd::with_last_of_vl;
  ConnectionTables tables(lasting, 2);
  const auto first = tables.add(kPort, 0, 300);
  const auto second = tables.add(kPort, 0, 300);
  ASSERT_TRUE(first && second && tables.add(kPort, 1, 10));
  tables.remove(kPort, 0, *first);  // its entries stay until the second one ends
  std::stringstream bytes;
  StateArchive out(static_cast<std::ostream&>(bytes));
  tables.checkpoint(out, kPort);

  ConnectionTables read(lasting, 2);
  read.listen([](PortId, std::uint16_t) { FAIL() << "nothing has changed"; });
  StateArchive in(static_cast<std::istream&>(bytes));
  read.checkpoint(in, kPort);
  read.listen({});
  const auto expect_same = [&] {
    for (const std::uint16_t vl : {std::uint16_t{0}, std::uint16_t{1}}) {
      EXPECT_EQ(read.entries(kPort, vl), tables.entries(kPort, vl));
      EXPECT_EQ(read.connections(kPort, vl), tables.connections(kPort, vl));
    }
    for (std::size_t i = 0; i < 64; ++i) {
      EXPECT_EQ(read.of(kPort).high[i].vl, tables.of(kPort).high[i].vl);
      EXPECT_EQ(read.of(kPort).high[i].weight, tables.of(kPort).high[i].weight);
      EXPECT_EQ(read.of(kPort).low[i].vl, tables.of(kPort).low[i].vl);
      EXPECT_EQ(read.of(kPort).low[i].weight, tables.of(kPort).low[i].weight);
    }
  };
  EXPECT_EQ(read.entries(kPort, 0), 3);
  expect_same();
  EXPECT_EQ(read.add(kPort, 0, 200), tables.add(kPort, 0, 200));
  expect_same();
  read.remove(kPort, 0, *second);
  tables.remove(kPort, 0, *second);
  expect_same();
}

TEST(ConnectionTables, AreServedAsTheyAreAtEachInstant) {
  ConnectionTables::Rules low = rules();
  low.configured.low.clear();
  low.high_vls = 0;
  ConnectionTables tables(low, 1);
  VlArbiter arbiter(tables.of(kPort));
  EXPECT_EQ(serve(arbiter, 3, 1), (std::vector<int>{-1})) << "nobody has an entry";
  const auto one = tables.add(kPort, 0, 2 * 255);
  ASSERT_TRUE(one);
  EXPECT_EQ(serve(arbiter, 3, 3), (std::vector<int>{0, 0, 0}));
  ASSERT_TRUE(tables.add(kPort, 1, 255));
  // Two entries of VL 0 and one of VL 1; the second entry is next.
  EXPECT_EQ(serve(arbiter, 3, 6), (std::vector<int>{0, 1, 0, 0, 1, 0}));
  tables.remove(kPort, 0, *one);
  EXPECT_EQ(serve(arbiter, 3, 2), (std::vector<int>{1, 1}));
}

}  // namespace
}  // namespace weir::fabric
