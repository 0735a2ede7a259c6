#include <gmock/gmock.h>

#include "weir/selection/notification_table.hpp"

namespace weir::selection::test {
namespace {

using Entry = NotificationTable::Entry;

Notification about(std::uint32_t destination, std::uint16_t port, std::uint16_t scheme_class,
                   std::uint32_t id) {
  Notification one;
  one.destination = destination;
  one.port = port;
  one.scheme_class = scheme_class;
  one.id = id;
  return one;
}

TEST(NotificationTable, KnowsDestinationsUntilTheirEntriesExpire) {
  NotificationTable table;
  EXPECT_FALSE(table.may_know(70));
  table.add(about(70, 1, 0, 9), 0, 100);
  EXPECT_TRUE(table.may_know(70));
  EXPECT_FALSE(table.may_know(71));
  table.purge(99);
  EXPECT_EQ(table.entries().size(), 1U);
  table.purge(100);
  EXPECT_TRUE(table.empty());
  EXPECT_FALSE(table.may_know(70));
}

TEST(NotificationTable, ARefreshedEntryOutlivesItsFirstTime) {
  NotificationTable table;
  NotificationTable::refresh(table.add(about(5, 1, 0, 9), 0, 100), 60, 160);
  table.add(about(6, 1, 0, 9), 0, 100);
  table.purge(120);
  ASSERT_EQ(table.entries().size(), 1U);
  EXPECT_EQ(table.entries()[0].about.destination, 5U);
  table.refresh_root(9, 130, 230);
  table.purge(200);
  EXPECT_EQ(table.entries().size(), 1U);
}

TEST(NotificationTable, MatchesByTheKeysOfTheSpecification) {
  NotificationTable table;
  table.add(about(5, 1, 0, 9), 0, 100);
  EXPECT_NE(table.find_exact(about(5, 1, 0, 9)), nullptr);
  EXPECT_EQ(table.find_exact(about(5, 1, 0, 8)), nullptr);
  EXPECT_EQ(table.find_exact(about(5, 2, 0, 9)), nullptr);
  EXPECT_EQ(table.find_exact(about(5, 1, 1, 9)), nullptr);
  EXPECT_EQ(table.find_exact(about(4, 1, 0, 9)), nullptr);
  EXPECT_NE(table.find_any(5, 0), nullptr);
  EXPECT_EQ(table.find_any(5, 1), nullptr);
  EXPECT_EQ(table.find_consumed(5, 0), nullptr);
}

TEST(NotificationTable, PrefersConsumedEntriesAndThoseRefreshedLast) {
  NotificationTable table;
  table.add(about(5, 1, 0, 1), 10, 100);
  table.add(about(5, 2, 0, 2), 30, 100).is_consumed = true;
  table.add(about(5, 3, 0, 3), 20, 100);
  EXPECT_EQ(table.find_consumed(5, 0)->about.id, 2U);
  EXPECT_EQ(table.find_any(5, 0)->about.id, 2U);
  NotificationTable::refresh(*table.find_exact(about(5, 3, 0, 3)), 40, 100);
  EXPECT_EQ(table.find_any(5, 0)->about.id, 3U);
}

TEST(NotificationTable, ErasesARootThatMovedWhateverItsId) {
  NotificationTable table;
  table.add(about(5, 1, 0, 1), 0, 100);
  table.add(about(5, 2, 0, 1), 0, 100);
  table.erase(about(5, 1, 0, 7));
  ASSERT_EQ(table.entries().size(), 1U);
  EXPECT_EQ(table.entries()[0].about.port, 2);
}

TEST(NotificationTable, AnAlternativeLivesAsLongAsAConsumedEntryForItsDestination) {
  NotificationTable table;
  table.add(about(5, 1, 0, 1), 0, 100).is_consumed = true;
  table.add(about(5, 1, 1, 1), 0, 200).is_consumed = true;
  table.add(about(5, 1, 2, 1), 0, 300);
  table.set_alternative(5, 7);
  table.set_alternative(5, 8);
  table.purge(150);
  EXPECT_EQ(table.alternative(5), 8);
  table.purge(250);
  EXPECT_EQ(table.alternative(5), std::nullopt);
  EXPECT_EQ(table.entries().size(), 1U);
}

TEST(NotificationTable, RenewsWhatSaysTheSameAndDropsOlderRoots) {
  NotificationTable table;
  table.add(about(5, 1, 0, 1), 0, 100);
  EXPECT_TRUE(table.renew(about(5, 1, 0, 1), 50, 150));
  table.purge(149);
  EXPECT_EQ(table.entries().size(), 1U);
  EXPECT_FALSE(table.renew(about(5, 1, 0, 2), 149, 250));
  EXPECT_TRUE(table.empty());
  table.add(about(5, 1, 0, 1), 0, 100);
  EXPECT_FALSE(table.renew(about(5, 1, 0, 1), 100, 200));  // it has expired
}

TEST(NotificationTable, AFullTableLosesTheEntryRefreshedLongestAgo) {
  NotificationTable table;
  for (std::uint32_t d = 0; d < 3; ++d) table.add(about(d, 1, 0, d), d, 100);
  NotificationTable::refresh(*table.find_exact(about(0, 1, 0, 0)), 50, 100);
  EXPECT_FALSE(table.make_room(0));
  EXPECT_FALSE(table.make_room(4));
  EXPECT_TRUE(table.make_room(3));
  EXPECT_EQ(table.find_any(1, 0), nullptr);
  EXPECT_NE(table.find_any(0, 0), nullptr);
  EXPECT_NE(table.find_any(2, 0), nullptr);
}

}  // namespace
}  // namespace weir::selection::test
