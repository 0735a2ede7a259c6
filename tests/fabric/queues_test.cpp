#include "weir/fabric/queues.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "weir/fabric/hooks/isolation.hpp"

namespace weir::fabric {
namespace {

/// Four queues with a packet each, in one list in the order of their numbers, and an empty one.
struct Four {
  static constexpr std::uint32_t kEmpty = 4;
  Four() {
    queues.resize(5, 1);
    for (std::uint32_t q = 0; q < 4; ++q) {
      const std::uint32_t packet = packets.take();
      packets[packet].size = 100 + q;
      queues.push(q, packet);
      queues.activate(0, q);
    }
  }
  /// Numbers in the list, in order.
  [[nodiscard]] std::vector<std::uint32_t> in_turn() const {
    std::vector<std::uint32_t> all;
    for (std::uint32_t q = queues.list(0).first; q != kNone; q = queues[q].next_active)
      all.push_back(q);
    return all;
  }
  Slab<Packet> packets;
  Queues queues{packets};
};

TEST(Queues, CountWhatWasStoredAndRemoved) {
  Four all;
  EXPECT_EQ(all.queues[2].packets(), 1U);
  EXPECT_FALSE(all.queues.pop(2)) << "it was the last one";
  EXPECT_EQ(all.queues[2].packets(), 0U);
  EXPECT_EQ(all.queues[2].stored, 1U);
  EXPECT_EQ(all.queues[2].removed, 1U);
}

// What is in a queue keeps its turn under another number, wherever in the list it is; what comes
// later goes to the end.
TEST(Queues, KeepTheirTurnWhenRenamed) {
  for (std::uint32_t from = 0; from < 4; ++from) {
    Four all;
    std::vector<std::uint32_t> expected = all.in_turn();
    expected[from] = Four::kEmpty;
    all.queues.rename(0, from, Four::kEmpty);
    EXPECT_EQ(all.in_turn(), expected);
    EXPECT_EQ(all.queues[Four::kEmpty].bytes, 100 + from);
    EXPECT_EQ(all.queues[Four::kEmpty].packets(), 1U);
    EXPECT_EQ(all.queues[from].head, kNone);
    EXPECT_EQ(all.queues[from].packets(), 0U);

    const std::uint32_t packet = all.packets.take();
    all.queues.push(from, packet);
    all.queues.activate(0, from);
    expected.push_back(from);
    EXPECT_EQ(all.in_turn(), expected);
  }
}

// A queue that is held is in no list.
TEST(Queues, StayOutOfTurnWhenRenamedWhileHeld) {
  Four all;
  all.queues.withdraw(0, 1);
  all.queues[1].is_held = true;
  all.queues.rename(0, 1, Four::kEmpty);
  EXPECT_EQ(all.in_turn(), (std::vector<std::uint32_t>{0, 2, 3}));
  EXPECT_TRUE(all.queues[Four::kEmpty].is_held);
  EXPECT_FALSE(all.queues[1].is_held);
}

TEST(InjectionChanges, AreAllWhenThereAreTooManyToName) {
  InjectionChanges changes;
  EXPECT_FALSE(changes.any);
  changes.add(7);
  EXPECT_TRUE(changes.any);
  EXPECT_FALSE(changes.all);
  EXPECT_EQ(changes.destinations, (std::vector<std::uint32_t>{7}));
  for (std::uint32_t destination = 0; destination < 1'000; ++destination) changes.add(destination);
  EXPECT_TRUE(changes.all);
  EXPECT_LT(changes.destinations.size(), 100U);
  changes.clear();
  EXPECT_FALSE(changes.any);
  EXPECT_FALSE(changes.all);
  EXPECT_TRUE(changes.destinations.empty());
}

}  // namespace
}  // namespace weir::fabric
