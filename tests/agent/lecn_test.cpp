// Local notification (LECN): lippens2010, section 4.1.
#include <gtest/gtest.h>

#include "support/small_network.hpp"
#include "weir/base/error.hpp"

namespace weir::fabric::testing {
namespace {

constexpr topology::LinkSpec kLink{Rate(8'000'000'000), Time(2'000)};  // 1 B/ns, 2 ns

std::shared_ptr<PortAgent> make_lecn(const std::string& toml, const topology::Graph& graph) {
  const auto& model = agent_registry().find("lecn", {}, "agent");
  return model.make(settings_of(model.info, toml), graph);
}

/// Hosts 0 and 1 are on the first switch of a row, six others on the last one. Hosts 0 and 3 to 5
/// of those flood host 2; host 1, the victim, sends 50 packets to the idle host 7 by the same
/// cables, at a quarter of the rate of a link.
class Row : public Observer {
 public:
  Row(int switches, const std::string& agent) {
    const std::string hosts = switches == 2 ? "[2, 6]" : "[2, 0, 6]";
    net_.graph = make_topology(
        "line", "switches = " + std::to_string(switches) + "\nhosts_per_switch = " + hosts, kLink);
    net_.settings.source_queues = SourceQueueKind::per_destination;
    net_.settings.mtu = Bytes(100);
    net_.settings.ingress_buffer = Bytes(4'200);
    net_.settings.egress_buffer = Bytes(4'200);
    net_.settings.speedup = 2;
    net_.settings.sample_period = nanoseconds(50);
    if (!agent.empty())
      net_.mechanisms.agent = make_lecn(agent == "default" ? "" : agent, *net_.graph);
  }

  void run(Architecture architecture) {
    net_.settings.architecture = architecture;
    const Models models{net_.graph, make_routing("shortest-path", *net_.graph),
                        make_selection("fixed"),
                        make_queueing("voqsw", *net_.graph, "flow_control = \"per-queue\"")};
    Fabric fabric(models, net_.mechanisms, net_.settings, *this);
    for (const std::uint32_t h : {0U, 3U, 4U, 5U}) send(fabric, h, {Time(0), HostId(2), kFlood});
    std::vector<MessageRequest> paced;
    for (int i = 0; i < kVictims; ++i) {
      paced.push_back({kStart + nanoseconds(400 * i), HostId(7), Bytes(100)});
    }
    fabric.add_source(HostId(1), std::make_unique<ListSource>(paced));
    EXPECT_TRUE(fabric.run_until(milliseconds(10)));
    EXPECT_EQ(bytes_, kFlood.count * 4 + kVictims * 100);
  }

  void on_delivered(const Packet& packet, const Message&, Time now, bool in_order) override {
    EXPECT_TRUE(in_order);
    bytes_ += packet.size;
    (packet.source == 1 ? victim_ : hot_) = now;
  }
  /// What waits for the output to host 2, in all inputs of its switch.
  void on_sample(const Fabric& fabric, Time) override {
    const topology::Graph& graph = fabric.graph();
    const PortId output = graph.port(graph.host_port(HostId(2))).from;
    const topology::Port& last = graph.port(output);
    std::int64_t waiting = 0;
    for (std::uint32_t p = 0; p < graph.degree(last.node); ++p) {
      const PortId in(graph.first_port(last.node).value + p);
      waiting += fabric.stored(in, last.number).count;
    }
    peak_ = std::max(peak_, waiting);
  }

  [[nodiscard]] Time victim_time() const { return victim_ - kStart; }
  [[nodiscard]] Time hot_end() const { return hot_; }
  [[nodiscard]] std::int64_t peak() const { return peak_; }

 private:
  static constexpr Bytes kFlood{40'000};
  static constexpr int kVictims = 50;
  static constexpr Time kStart = microseconds(20);
  static void send(Fabric& fabric, std::uint32_t from, const MessageRequest& message) {
    fabric.add_source(HostId(from),
                      std::make_unique<ListSource>(std::vector<MessageRequest>{message}));
  }

  SmallNetwork net_;
  std::int64_t bytes_ = 0;
  std::int64_t peak_ = 0;
  Time victim_;
  Time hot_;
};

class Lecn : public ::testing::TestWithParam<Architecture> {};

// Four inputs hold 600 B each for the output when nobody is told. With notification there is what
// crossed the threshold, and two packets of each input that were under way.
TEST_P(Lecn, BoundsWhatWaitsForAnOutputAndKeepsItBusy) {
  Row without(2, "");
  without.run(GetParam());
  Row row(2, "high = \"400 B\"\nlow = \"300 B\"");
  row.run(GetParam());
  EXPECT_GT(without.peak(), 2'000);
  EXPECT_GT(row.peak(), 400);
  EXPECT_LE(row.peak(), 400 + 4 * 200);
  EXPECT_LT(row.hot_end(), nanoseconds(161'000)) << "160 us of packets for one link";
}

// Those that hold packets back let others pass, but what waits there is in nobody's view: one
// switch farther away the victim stands behind hot packets.
TEST_P(Lecn, ReachesOneSwitchBackAndNoFarther) {
  Row near(2, "default");
  near.run(GetParam());
  EXPECT_LT(near.victim_time(), microseconds(21)) << "20 us alone";
  Row far(3, "default");
  far.run(GetParam());
  EXPECT_GT(far.victim_time(), microseconds(24));
}

INSTANTIATE_TEST_SUITE_P(Architectures, Lecn,
                         ::testing::Values(Architecture::input_queued,
                                           Architecture::input_queued_single, Architecture::cioq));

// Both ends of a link that fails forget what was told over it, and what is congested when it comes
// back is told anew: nobody is held for ever, and nothing stays in the network.
TEST(LecnLinkFailure, NobodyIsHeldForEver) {
  for (const Time until : {nanoseconds(5'003), microseconds(9), Time::max()}) {
    SmallNetwork net;
    net.graph = make_topology("line", "switches = 2\nhosts_per_switch = [2, 6]", kLink);
    net.routing = "shortest-path";
    net.queueing = "voqsw";
    net.queueing_toml = "flow_control = \"per-queue\"";
    net.settings.mtu = Bytes(100);
    net.settings.ingress_buffer = Bytes(4'200);
    net.settings.check_period = microseconds(1);
    net.mechanisms.agent = make_lecn("high = \"400 B\"\nlow = \"300 B\"", *net.graph);
    const auto fabric = net.build();
    for (const std::uint32_t host : {0U, 3U, 4U, 5U}) {
      fabric->add_source(HostId(host), std::make_unique<ListSource>(std::vector<MessageRequest>(
                                           200, {Time(0), HostId(2), Bytes(100)})));
    }
    const PortId middle = net.graph->port(net.graph->node(SwitchId(0)), 2);
    fabric->change_cable(middle, microseconds(5), false);
    if (until != Time::max()) fabric->change_cable(middle, until, true);
    EXPECT_TRUE(fabric->run_until(milliseconds(1))) << to_string(until);
    const Counters& c = fabric->counters();
    EXPECT_EQ(c.packets_delivered + c.packets_lost, 800U) << to_string(until);
    EXPECT_GE(c.packets_delivered, 600U) << "three hosts are on the switch of the fourth";
  }
}

TEST(LecnErrors, NeedsQueuesForTheOutputsOfTheNextSwitch) {
  SmallNetwork net;
  net.graph = make_topology("single-switch", "hosts = 4", kLink);
  net.routing = "shortest-path";
  net.mechanisms.agent = make_lecn("", *net.graph);
  try {
    net.build();
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("queueing.flow_control = \"per-queue\""),
              std::string::npos)
        << error.what();
  }
}

TEST(LecnErrors, ThresholdsHaveAnOrder) {
  const auto graph = make_topology("single-switch", "hosts = 4", kLink);
  EXPECT_THROW(make_lecn("low = \"1 KiB\"", *graph), InputError);
  EXPECT_THROW(make_lecn("high = \"1 KiB\"\nlow = \"2 KiB\"", *graph), InputError);
  EXPECT_NO_THROW(make_lecn("high = \"2 KiB\"\nlow = \"1 KiB\"", *graph));
}

}  // namespace
}  // namespace weir::fabric::testing
