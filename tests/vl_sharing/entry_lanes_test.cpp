// The Entry Threshold with entries of connections: yan2012, section 5.2.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "support/small_network.hpp"
#include "weir/base/random.hpp"
#include "weir/fabric/connection_tables.hpp"
#include "weir/vl_sharing/vl_lanes.hpp"

namespace weir::vl_sharing {
namespace {

using fabric::testing::ListSource;
using fabric::testing::settings_of;
using fabric::testing::SmallNetwork;

/// Sends a given list of messages, late where it was held up.
class LateSource final : public fabric::MessageSource {
 public:
  explicit LateSource(std::vector<fabric::MessageRequest> messages) : list_(std::move(messages)) {}
  std::optional<fabric::MessageRequest> next(Time now) override {
    std::optional<fabric::MessageRequest> request = list_.next(now);
    if (request) request->at = std::max(request->at, now);
    return request;
  }

 private:
  ListSource list_;
};

/// Two hosts on a switch; lanes of 1 B/ns, two of them 2 B/ns, links of 10 B/ns. A packet of 1000 B
/// is 16 units, so that an entry of 255 is 16 packets. An entry of a table is 156,250,000 B/s.
struct EntryLanes : SmallNetwork {
  static constexpr std::int64_t kEntry = 156'250'000;

  explicit EntryLanes(const std::string& sharing, const std::string& admission = "",
                      std::vector<fabric::VlWeight> low = {{1, 255}},
                      const std::string& budgets = "[0.5, 0.1, 0.3, 0.1]") {
    topology::LinkSpec link;
    link.rate = gigabits_per_second(80);
    link.delay = Time(0);
    graph = fabric::testing::make_topology("single-switch", "hosts = 2", link);
    routing = "shortest-path";
    queueing = "service-level";
    queueing_toml = "vls = 4";
    settings.mtu = Bytes(1000);
    settings.header = Bytes(0);
    settings.ingress_buffer = Bytes(1000 * 256);
    settings.source_queues = fabric::SourceQueueKind::per_class;
    settings.arbiter = fabric::ArbiterKind::vl_weighted;
    settings.check_period = microseconds(1);
    settings.vl_arbitration.low = std::move(low);
    const auto& lanes = fabric::vl_sharing_registry().find("entry-threshold", {}, "model");
    mechanisms.vl_sharing = lanes.make(
        settings_of(lanes.info, "own_rate = '8 Gbps'\nborrowed_rate = '16 Gbps'\n" + sharing),
        *graph);
    const auto& asked = fabric::admission_registry().find("link-by-link", {}, "model");
    mechanisms.admission = asked.make(
        settings_of(asked.info, "tables = 'connections'\nbudgets = " + budgets + "\n" + admission),
        {graph, settings.vl_arbitration});
    fabric = build();
  }
  /// Packets of 1000 B from host 0 to host 1; entries: 0 has no connection.
  void send(int vl, double entries, int packets, std::int64_t at_ns = 0,
            std::int64_t every_ns = 0) {
    std::vector<fabric::MessageRequest> all;
    for (int i = 0; i < packets; ++i)
      all.push_back({nanoseconds(at_ns + i * every_ns), HostId(1), Bytes(1000), 0});
    auto source = std::make_unique<LateSource>(all);
    source->service_level = static_cast<std::uint8_t>(vl);
    source->reserve = static_cast<std::int64_t>(entries * kEntry);
    fabric->add_source(HostId(0), std::move(source));
  }
  [[nodiscard]] std::size_t lanes(int vl) const {
    return dynamic_cast<VlLanes&>(*mechanisms.vl_sharing)
        .lanes(PortId(0), static_cast<std::size_t>(vl));
  }
  [[nodiscard]] std::vector<VlUse> uses() const {
    return dynamic_cast<const VlLanes&>(*mechanisms.vl_sharing).uses();
  }
  /// Of the only port whose lanes were used.
  [[nodiscard]] std::size_t lanes_anywhere(int vl) const {
    const auto& all = dynamic_cast<const VlLanes&>(*mechanisms.vl_sharing);
    return all.lanes(all.uses().at(0).port, static_cast<std::size_t>(vl));
  }
  [[nodiscard]] PortId to_host(std::uint32_t host) const {
    return graph->port(graph->host_port(HostId(host))).to;
  }
  [[nodiscard]] int entries(int vl) const {
    return mechanisms.admission->tables()->entries(PortId(0), static_cast<std::uint16_t>(vl));
  }
  /// Packets of a VL that have left the host.
  [[nodiscard]] std::uint64_t sent(int vl) const {
    for (const VlUse& use : uses()) {
      if (use.port == PortId(0) && use.vl == vl) return use.sent;
    }
    return 0;
  }
  /// Runs until the VL has so many lanes; false: it does not come to that.
  bool until(int vl, std::size_t count) {
    for (int step = 0; step < 100'000; ++step) {
      if (lanes(vl) == count) return true;
      fabric->run_until(fabric->now() + nanoseconds(1));
    }
    return false;
  }
  bool end() { return fabric->run_until(milliseconds(10)); }

  std::unique_ptr<fabric::Fabric> fabric;
};

constexpr const char* kTwoEntries = "threshold_entries = 2\nlenders = [1]";

TEST(EntryLanes, AVlBelowTheThresholdBorrowsNothingWhateverItHolds) {
  EntryLanes net(kTwoEntries);
  net.send(0, 1, 40);
  net.fabric->run_until(microseconds(20));
  EXPECT_EQ(net.entries(0), 1);
  EXPECT_EQ(net.lanes(0), 1U);
  EXPECT_EQ(net.sent(0), 18U) << "1100 ns each";
  EXPECT_TRUE(net.end());
}

TEST(EntryLanes, ItsEntriesReachTheThresholdAndItBorrows) {
  EntryLanes net(kTwoEntries);
  net.send(0, 2, 1);
  net.fabric->run_until(nanoseconds(100));
  EXPECT_EQ(net.entries(0), 2);
  EXPECT_EQ(net.lanes(0), 2U) << "one packet is enough";
  EXPECT_EQ(net.lanes(1), 0U);
  EXPECT_TRUE(net.end());
  ASSERT_EQ(net.journal.deliveries.size(), 1U);
  EXPECT_EQ(net.journal.deliveries[0].delivered, nanoseconds(600)) << "500 by two lanes";
}

// The connection whose second entry reaches the threshold comes at 5 us.
TEST(EntryLanes, SeveralConnectionsOfAVlReachItTogether) {
  EntryLanes net(kTwoEntries);
  net.send(0, 1, 30);
  net.send(0, 0.5, 1, 5000);
  net.fabric->run_until(nanoseconds(4999));
  EXPECT_EQ(net.lanes(0), 1U);
  net.fabric->run_until(nanoseconds(5000));
  EXPECT_EQ(net.entries(0), 2);
  EXPECT_EQ(net.lanes(0), 2U);
  EXPECT_TRUE(net.end());
  EXPECT_EQ(net.lanes(0), 1U);
  EXPECT_EQ(net.entries(0), 0);
}

// The first connection always has packets: they come faster than two lanes serve them. The second
// one is of a single packet.
TEST(EntryLanes, ALentLaneFinishesItsEntryWhenEntriesFallBelowTheThreshold) {
  EntryLanes net(kTwoEntries);
  net.send(0, 0.5, 40, 0, 450);
  net.send(0, 0.75, 1, 5000);  // weighs 192; with the 128 of the other that is two entries
  ASSERT_TRUE(net.until(0, 2));
  EXPECT_EQ(net.fabric->now(), nanoseconds(5000));
  const std::uint64_t before = net.sent(0);
  bool has_fallen = false;
  while (net.lanes(0) == 2) {
    has_fallen = has_fallen || net.entries(0) == 1;
    net.fabric->run_until(net.fabric->now() + nanoseconds(1));
  }
  EXPECT_TRUE(has_fallen) << "the second connection has ended before";
  EXPECT_EQ(net.sent(0) - before, 16U);
  EXPECT_EQ(net.entries(0), 1) << "and the first one goes on";
  EXPECT_TRUE(net.end());
}

TEST(EntryLanes, ALentLaneGoesHomeAfterItsEntryAndIsBorrowedAgain) {
  EntryLanes net(kTwoEntries);
  net.send(0, 3, 60);
  net.send(1, 0, 2, 3000);  // no connection: VL 1 has weight of its own
  net.fabric->run_until(nanoseconds(3000));
  ASSERT_EQ(net.lanes(1), 0U) << "it is lent";
  ASSERT_TRUE(net.until(1, 1));
  EXPECT_EQ(net.sent(0), 16U);
  EXPECT_EQ(net.lanes(0), 1U);
  EXPECT_EQ(net.entries(0), 3) << "which are above the threshold all the time";
  ASSERT_TRUE(net.until(0, 2)) << "VL 1 has sent its packets";
  EXPECT_EQ(net.sent(1), 2U);
  EXPECT_TRUE(net.end());
}

TEST(EntryLanes, WithoutAnybodyElseALaneTakesOneEntryAfterAnother) {
  EntryLanes net(kTwoEntries);
  net.send(0, 2, 50);
  net.fabric->run_until(microseconds(25));
  EXPECT_EQ(net.lanes(0), 2U);
  EXPECT_EQ(net.sent(0), 41U) << "600 ns each from the first on";
  EXPECT_TRUE(net.end());
}

TEST(EntryLanes, TheEndOfTheLastConnectionGivesTheLaneBackAtOnce) {
  EntryLanes net(kTwoEntries);
  net.send(0, 2, 5);
  ASSERT_TRUE(net.until(0, 2));
  ASSERT_TRUE(net.until(0, 1));
  EXPECT_EQ(net.sent(0), 5U) << "of the 16 that the entry had room for";
  EXPECT_EQ(net.lanes(1), 1U);
  EXPECT_TRUE(net.end());
  EXPECT_EQ(net.entries(0), 0);
}

// VLs 0 and 2 are above the threshold, and VL 1 is the only one that may be lent.
TEST(EntryLanes, WhoWaitsGetsTheLaneAfterTheEntry) {
  EntryLanes net(kTwoEntries);
  net.send(0, 2, 80);
  net.send(2, 2, 80, 1000);
  net.fabric->run_until(nanoseconds(1000));
  EXPECT_EQ(net.lanes(0), 2U);
  EXPECT_EQ(net.lanes(2), 1U);
  ASSERT_TRUE(net.until(2, 2));
  EXPECT_EQ(net.sent(0), 16U);
  EXPECT_EQ(net.lanes(0), 1U);
  const std::uint64_t before = net.sent(2);
  ASSERT_TRUE(net.until(0, 2)) << "turn about";
  EXPECT_EQ(net.sent(2) - before, 16U);
  EXPECT_TRUE(net.end());
}

TEST(EntryLanes, WhenAllOthersAreOccupiedTheVlWaits) {
  EntryLanes net(kTwoEntries);
  net.send(1, 0, 5);
  net.send(0, 2, 20, 100);
  net.fabric->run_until(nanoseconds(2000));
  EXPECT_EQ(net.lanes(0), 1U);
  ASSERT_TRUE(net.until(0, 2));
  EXPECT_EQ(net.sent(1), 5U);
  EXPECT_TRUE(net.end());
}

TEST(EntryLanes, PrioritiesLendApart) {
  EntryLanes net("threshold_entries = 2\nlenders = [1, 3]\npools = 'by-table'", "high_vls = [0, 1]",
                 {{3, 1}});
  net.send(0, 2, 20);
  net.send(2, 2, 20);
  net.fabric->run_until(nanoseconds(100));
  EXPECT_EQ(net.lanes(0), 2U);
  EXPECT_EQ(net.lanes(1), 0U) << "high priority";
  EXPECT_EQ(net.lanes(2), 2U);
  EXPECT_EQ(net.lanes(3), 0U);
  EXPECT_TRUE(net.end());

  EntryLanes one("threshold_entries = 2\nlenders = [1]\npools = 'by-table'", "high_vls = [1]",
                 {{3, 1}});
  one.send(0, 2, 20);
  one.fabric->run_until(nanoseconds(100));
  EXPECT_EQ(one.lanes(0), 1U) << "the only lane that may be lent is of high priority";
  EXPECT_TRUE(one.end());
}

// Connections by chance on all VLs: the conservation checks look at lanes and tables all the time.
TEST(EntryLanes, KeepTheirBooksWhateverComes) {
  for (const char* more : {"", "\npools = 'by-table'", "\nports = 'switches'"}) {
    EntryLanes net(
        "threshold_entries = 2\nlenders = [1, 2, 3]\nservice_scv = 3" + std::string(more),
        "high_vls = [0, 1]\nbudget = 'one-for-all'\nretry = '1 us'", {}, "[0.9]");
    RandomStream random(3, 0, StreamPurpose::test);
    for (int i = 0; i < 120; ++i) {
      net.send(static_cast<int>(random.below(4)), .1 + 3 * random.unit(),
               1 + static_cast<int>(random.below(30)),
               static_cast<std::int64_t>(random.below(400'000)),
               static_cast<std::int64_t>(random.below(2'000)));
    }
    EXPECT_TRUE(net.end()) << more;
    double borrowed = 0;
    double waited = 0;
    for (const VlUse& use : net.uses()) {
      borrowed += use.lanes[1];
      waited += use.waiting;
      EXPECT_EQ(use.sent, use.offered);
    }
    EXPECT_GT(borrowed, 0) << more;
    EXPECT_GT(waited, 0) << more;
    for (int vl = 0; vl < 4; ++vl) {
      EXPECT_EQ(net.entries(vl), 0);
      EXPECT_EQ(net.lanes_anywhere(vl), 1U);
    }
  }
}

TEST(EntryLanes, SwitchesHaveTheirOwnTablesAndLanes) {
  EntryLanes net("threshold_entries = 2\nlenders = [1]\nports = 'switches'");
  net.send(0, 2, 20);
  const PortId out = net.to_host(1);
  auto& lanes = dynamic_cast<VlLanes&>(*net.mechanisms.vl_sharing);
  net.fabric->run_until(nanoseconds(500));
  EXPECT_EQ(net.mechanisms.admission->tables()->entries(out, 0), 2);
  EXPECT_EQ(lanes.lanes(out, 0), 2U);
  EXPECT_TRUE(net.end());
  EXPECT_EQ(lanes.lanes(out, 0), 1U);
  EXPECT_EQ(net.mechanisms.admission->tables()->entries(out, 0), 0);
}

TEST(EntryLanes, RoomFollowsTheEntries) {
  EntryLanes net("threshold_entries = 2\nlenders = [1]\ncapacity = 4");
  net.send(0, 1, 20);
  net.fabric->run_until(nanoseconds(500));
  EXPECT_EQ(net.fabric->counters().messages_generated, 4U) << "N";
  EntryLanes more("threshold_entries = 2\nlenders = [1]\ncapacity = 4");
  more.send(0, 2, 20);
  more.fabric->run_until(nanoseconds(400));
  EXPECT_EQ(more.fabric->counters().messages_generated, 8U) << "2N";
  EXPECT_TRUE(net.end());
  EXPECT_TRUE(more.end());
}

}  // namespace
}  // namespace weir::vl_sharing
