#include "weir/vl_sharing/vl_lanes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>

#include "support/small_network.hpp"
#include "weir/base/error.hpp"

namespace weir::vl_sharing {
namespace {

using fabric::testing::Delivery;
using fabric::testing::ListSource;
using fabric::testing::SmallNetwork;

/// Two hosts on a switch; lanes of 1 B/ns, links of 10 B/ns: packets of 1000 B take 1 us and 100
/// ns.
struct Lanes : SmallNetwork {
  explicit Lanes(int vls, const std::string& model, const std::string& toml) {
    topology::LinkSpec link;
    link.rate = gigabits_per_second(80);
    link.delay = Time(0);
    graph = fabric::testing::make_topology("single-switch", "hosts = 2", link);
    routing = "shortest-path";
    queueing = "service-level";
    queueing_toml = "vls = " + std::to_string(vls);
    settings.mtu = Bytes(1000);
    settings.header = Bytes(0);
    settings.ingress_buffer = Bytes(1000 * 64 * vls);
    settings.source_queues = fabric::SourceQueueKind::per_class;
    settings.when_full = fabric::WhenFull::discard;
    const auto& found = fabric::vl_sharing_registry().find(model, {}, "vl_sharing.model");
    mechanisms.vl_sharing = found.make(fabric::testing::settings_of(found.info, toml), *graph);
  }
  VlLanes& lanes() { return dynamic_cast<VlLanes&>(*mechanisms.vl_sharing); }
  /// Packets of 1000 B from host 0 to host 1 by one VL.
  void send(fabric::Fabric& fabric, int vl, const std::vector<std::int64_t>& at_ns) const {
    std::vector<fabric::MessageRequest> all;
    for (const std::int64_t at : at_ns) all.push_back({nanoseconds(at), HostId(1), Bytes(1000), 0});
    auto source = std::make_unique<ListSource>(all);
    source->service_level = static_cast<std::uint8_t>(vl);
    fabric.add_source(HostId(0), std::move(source));
  }
  std::vector<std::int64_t> delivered() const {
    std::vector<std::int64_t> out;
    for (const Delivery& one : journal.deliveries) out.push_back(one.delivered.count / 1000);
    return out;
  }
};

using Times = std::vector<std::int64_t>;

TEST(VlLanes, ServePacketsOneAfterAnotherAndThenTheLinkDoes) {
  Lanes net(1, "one-lane", "host_rate = '8 Gbps'");
  const auto fabric = net.build();
  net.send(*fabric, 0, {0, 0, 5000});
  EXPECT_TRUE(fabric->run_until(microseconds(100)));
  // Served until 1000, 2100, 6000; the link takes 100 ns, the switch lets pass what comes.
  EXPECT_EQ(net.delivered(), (Times{1100, 2200, 6100}));
}

TEST(VlLanes, VlsAreServersOfTheirOwn) {
  Lanes net(2, "one-lane", "host_rate = '8 Gbps'");
  const auto fabric = net.build();
  net.send(*fabric, 0, {0});
  net.send(*fabric, 1, {500});
  EXPECT_TRUE(fabric->run_until(microseconds(100)));
  EXPECT_EQ(net.delivered(), (Times{1100, 1600}));
}

constexpr const char* kThreshold =
    "own_rate = '8 Gbps'\nborrowed_rate = '16 Gbps'\nthreshold = 1\nlenders = [1]";

TEST(VlLanes, BorrowedLanesCarryWhatIsLeftAndAreReturned) {
  Lanes net(2, "entry-threshold", kThreshold);
  const auto fabric = net.build();
  net.send(*fabric, 0, {0, 500});
  fabric->run_until(nanoseconds(499));
  EXPECT_EQ(net.lanes().lanes(PortId(0), 0), 1U);
  fabric->run_until(nanoseconds(500));
  EXPECT_EQ(net.lanes().lanes(PortId(0), 0), 2U) << "two packets are above the threshold";
  EXPECT_EQ(net.lanes().lanes(PortId(0), 1), 0U);
  EXPECT_TRUE(fabric->run_until(microseconds(100)));
  // 500 B at 1 B/ns, 500 at 2: served at 750. The other one alone from 850 on, at 1 B/ns.
  EXPECT_EQ(net.delivered(), (Times{850, 1950}));
  EXPECT_EQ(net.lanes().lanes(PortId(0), 0), 1U);
  EXPECT_EQ(net.lanes().lanes(PortId(0), 1), 1U);
}

TEST(VlLanes, ALentLanesOwnPacketsWaitForItsReturn) {
  Lanes net(2, "entry-threshold", kThreshold);
  const auto fabric = net.build();
  net.send(*fabric, 0, {0, 0});
  net.send(*fabric, 1, {100});
  EXPECT_TRUE(fabric->run_until(microseconds(100)));
  // VL 0: served at 500 with both lanes. VL 1 gets its lane then, and is served at 1500; VL 0's
  // second packet begins when the link is free, at 600, and is served at 1600, when the link is
  // not.
  EXPECT_EQ(net.delivered(), (Times{600, 1600, 1700}));
}

TEST(VlLanes, WithoutLanesNotEvenAServiceOfNoTimeEnds) {
  Lanes net(2, "entry-threshold", kThreshold);
  const auto fabric = net.build();
  net.send(*fabric, 0, {0, 0, 0});
  fabric->run_until(nanoseconds(100));
  ASSERT_EQ(net.lanes().lanes(PortId(0), 1), 0U);
  EXPECT_FALSE(net.lanes().is_served(0, 1, 7, 0));
}

TEST(VlLanes, LanesThatAreBusyAreWaitedFor) {
  Lanes net(2, "entry-threshold", kThreshold);
  const auto fabric = net.build();
  net.send(*fabric, 1, {0});
  net.send(*fabric, 0, {100, 100});
  EXPECT_TRUE(fabric->run_until(microseconds(100)));
  // VL 1 is idle at 1000: VL 0 has carried 900 of 1000 B then, and carries the rest by 1050; the
  // link is free at 1100.
  EXPECT_EQ(net.delivered(), (Times{1100, 1200, 2300}));
  const auto uses = net.lanes().uses();
  ASSERT_EQ(uses.size(), 2U);
  EXPECT_EQ(uses[0].waiting, 900e3);
}

TEST(VlLanes, RoomGrowsWithLanes) {
  Lanes net(2, "entry-threshold", std::string(kThreshold) + "\ncapacity = 2");
  const auto fabric = net.build();
  net.send(*fabric, 0, Times(7, 0));
  EXPECT_TRUE(fabric->run_until(microseconds(100)));
  EXPECT_EQ(net.journal.deliveries.size(), 4U) << "twice the room of a lane";
  EXPECT_EQ(net.lanes().uses()[0].refused, 3U);
  Lanes busy(2, "entry-threshold", std::string(kThreshold) + "\ncapacity = 2");
  const auto other = busy.build();
  busy.send(*other, 1, {0});
  busy.send(*other, 0, Times(7, 1));
  EXPECT_TRUE(other->run_until(microseconds(100)));
  EXPECT_EQ(busy.journal.deliveries.size(), 3U) << "no lane was free: room for two, and VL 1's";
}

TEST(VlLanes, WithoutCreditNothingIsServed) {
  Lanes net(1, "one-lane", "host_rate = '8 Gbps'\nswitch_rate = '4 Gbps'");
  net.settings.ingress_buffer = Bytes(1000);
  net.settings.switching = fabric::Switching::store_and_forward;
  const auto fabric = net.build();
  net.send(*fabric, 0, {0, 0});
  EXPECT_TRUE(fabric->run_until(microseconds(100)));
  // At the switch by 1100, served there until 3100, away at 3200; only then is there credit for the
  // second one, which is served until 4200, then at the switch from 4300 to 6300.
  EXPECT_EQ(net.delivered(), (Times{3200, 6400}));
  const auto uses = net.lanes().uses();
  ASSERT_EQ(uses.size(), 2U);
  EXPECT_EQ(uses[0].stalled, 2200e3) << "with a packet, and no credit or a busy link";
  EXPECT_EQ(uses[0].packets, (2 * 1000 + 3200) * 1e3);
  EXPECT_EQ(uses[1].busy, 4000e3);
}

TEST(VlLanes, InputsOfASwitchTakeTurns) {
  Lanes net(1, "one-lane", "switch_rate = '8 Gbps'");
  topology::LinkSpec link;
  link.rate = gigabits_per_second(80);
  link.delay = Time(0);
  net.graph = fabric::testing::make_topology("single-switch", "hosts = 3", link);
  for (const auto arbiter : {fabric::ArbiterKind::round_robin, fabric::ArbiterKind::first_come}) {
    net.settings.arbiter = arbiter;
    net.mechanisms.vl_sharing = std::make_shared<VlLanes>(std::nullopt, LaneRules{{8e9}, {}, {}});
    net.journal = {};
    const auto fabric = net.build();
    for (const std::uint32_t host : {0U, 2U}) {
      fabric->add_source(HostId(host),
                         std::make_unique<ListSource>(std::vector<fabric::MessageRequest>(
                             4, {Time(0), HostId(1), Bytes(1000), 0})));
    }
    EXPECT_TRUE(fabric->run_until(microseconds(100)));
    ASSERT_EQ(net.journal.deliveries.size(), 8U);
    for (std::size_t i = 0; i < 8; ++i)
      EXPECT_EQ(net.journal.deliveries[i].source, HostId(i % 2 == 0 ? 0 : 2));
  }
}

TEST(VlLanes, EntriesAreWorthPackets) {
  Lanes net(2, "entry-threshold",
            "own_rate = '8 Gbps'\nborrowed_rate = '16 Gbps'\nthreshold_entries = 2\n"
            "packets_per_entry = 3\nlenders = [1]");
  const auto fabric = net.build();
  net.send(*fabric, 0, Times(6, 0));
  net.send(*fabric, 0, {10});
  fabric->run_until(nanoseconds(9));
  EXPECT_EQ(net.lanes().lanes(PortId(0), 0), 1U);
  fabric->run_until(nanoseconds(10));
  EXPECT_EQ(net.lanes().lanes(PortId(0), 0), 2U);
}

/// Batches of geometric size, 3 packets on average, that come as a Poisson process; the packets of
/// a batch 2 ns apart. 4 packets in 8 us.
class Bursts final : public fabric::MessageSource {
 public:
  explicit Bursts(int packets) : left_(packets) {}
  std::optional<fabric::MessageRequest> next(Time) override {
    if (left_-- == 0) return std::nullopt;
    if (is_inside_ && random_.unit() >= 1.0 / 3) {
      at_ += nanoseconds(2);
    } else {
      batch_ += Time(static_cast<std::int64_t>(random_.exponential(6e6)));
      at_ = std::max(at_, batch_);
    }
    is_inside_ = true;
    return fabric::MessageRequest{at_, HostId(1), Bytes(10), 0};
  }

 private:
  int left_;
  bool is_inside_ = false;
  Time at_;
  Time batch_;
  RandomStream random_{1, 0, StreamPurpose::test};
};

// yan2012, section 5.2: lambda = 4, mu = 8 and 16, SCVs 5 and 7, threshold 4, 8 packets a lane.
TEST(VlLanes, AreTheModelOfTheEntryThreshold) {
  Lanes net(2, "entry-threshold",
            "own_rate = '80 Mbps'\nborrowed_rate = '160 Mbps'\nthreshold = 4\ncapacity = 8\n"
            "lenders = [1]\nservice_scv = 7");  // 10 B in 1 us
  const auto fabric = net.build();
  constexpr int kPackets = 500'000;
  fabric->add_source(HostId(0), std::make_unique<Bursts>(kPackets));
  EXPECT_TRUE(fabric->run_until(milliseconds(10'000)));
  const VlUse use = net.lanes().uses()[0];
  const auto time = static_cast<double>(fabric->now().count);
  EXPECT_NEAR(use.packets / time / 1.614451, 1, .04);
  EXPECT_NEAR(use.lanes[0] / time, .238563, .007);
  EXPECT_NEAR(use.lanes[1] / time, .126462, .005);
  EXPECT_NEAR(static_cast<double>(use.refused) / kPackets, .017026, .0025);
}

/// The message of what `work` throws.
std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing is wrong";
}

TEST(VlLanes, SaysWhatIsWrong) {
  const std::string base = "own_rate = '8 Gbps'\nborrowed_rate = '16 Gbps'\nlenders = [1]\n";
  const struct {
    const char* model;
    std::string toml;
    const char* expected;
  } cases[] = {
      {"one-lane", "", "host_rate"},
      {"one-lane", "switch_rate = '8 Gbps'\ncapacity = 3", "needs host_rate"},
      {"one-lane", "host_rate = '8 Gbps'\nservice_scv = 0.5", "service_scv"},
      {"entry-threshold", base, "is missing; give it, or threshold_entries"},
      {"entry-threshold", base + "threshold = -1", "at least 0"},
      {"entry-threshold", base + "threshold = 5\ncapacity = 4", "0 to the capacity of a lane (4"},
      {"entry-threshold", base + "threshold = 5\nthreshold_entries = 2", "give one of them"},
      {"entry-threshold", base + "threshold = 5\npackets_per_entry = 2",
       "belongs to threshold_entries"},
      {"entry-threshold", base + "threshold_entries = 65", "threshold_entries"},
      {"entry-threshold", base + "threshold = 5\npools = 'two'", "by-table"},
      {"entry-threshold", base + "threshold = 1\nports = 'switches'\ncapacity = 4",
       "buffer.ingress"},
      {"arrival-job-threshold", "rates = []\nthresholds = []\nlenders = []", "one lane at least"},
      {"arrival-job-threshold", "rates = ['8 Gbps']\nthresholds = [1]\nlenders = []",
       "one fewer than rates"},
      {"arrival-job-threshold", "rates = ['8 apples']\nthresholds = []\nlenders = []",
       "unknown unit 'apples'"},
  };
  for (const auto& one : cases) {
    const std::string text = error_of([&] { Lanes net(2, one.model, one.toml); });
    EXPECT_NE(text.find(one.expected), std::string::npos) << one.toml << "\n" << text;
  }
}

TEST(VlLanes, RefuseWhatTheyCannotServe) {
  const auto wrong = [](const std::function<void(Lanes&)>& change) {
    Lanes net(2, "entry-threshold", kThreshold);
    change(net);
    return error_of([&] { net.build(); });
  };
  EXPECT_EQ(wrong([](Lanes&) {}), "nothing is wrong");
  EXPECT_NE(wrong([](Lanes& net) { net.queueing_toml = "vls = 1"; }).find("no VL 1"),
            std::string::npos);
  const auto fifo = [](Lanes& net) { net.settings.source_queues = fabric::SourceQueueKind::fifo; };
  EXPECT_NE(wrong(fifo).find("per-class"), std::string::npos);
  const auto acks = [](Lanes& net) { net.settings.acks = fabric::AckMode::in_band; };
  EXPECT_NE(wrong(acks).find("host.acks"), std::string::npos);
  const auto pools = [](Lanes& net) {
    const auto& model = fabric::vl_sharing_registry().find("entry-threshold", {}, "model");
    const std::string toml = std::string(kThreshold) + "\npools = 'by-table'";
    net.mechanisms.vl_sharing =
        model.make(fabric::testing::settings_of(model.info, toml), *net.graph);
  };
  EXPECT_NE(wrong(pools).find("switch.arbiter = \"vl-weighted\""), std::string::npos);
  const auto entries = [](Lanes& net) {
    LaneRules rules{{8e9, 16e9}, {}, {1}};
    rules.entries = 2;
    net.mechanisms.vl_sharing = std::make_shared<VlLanes>(rules, std::nullopt);
  };
  EXPECT_NE(wrong(entries).find("admission.tables = \"connections\""), std::string::npos);
  const auto cioq = [](Lanes& net) {
    net.settings.architecture = fabric::Architecture::cioq;
    net.settings.egress_buffer = Bytes(64'000);
    net.mechanisms.vl_sharing = std::make_shared<VlLanes>(std::nullopt, LaneRules{{8e9}, {}, {}});
  };
  EXPECT_NE(wrong(cioq).find("switch.architecture"), std::string::npos);
}

}  // namespace
}  // namespace weir::vl_sharing
