// What ends a run: deadlock, starvation, a buffer that overflows, an account that does not add up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "support/small_network.hpp"
#include "weir/base/error.hpp"

namespace weir::fabric::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// The text of the RunError that `act` throws, or "" when it throws none.
template <class Act>
std::string run_error(Act act) {
  try {
    act();
  } catch (const RunError& error) {
    return error.what();
  }
  return "";
}

std::unique_ptr<MessageSource> saturate(std::uint32_t destination, std::int64_t bytes = 100) {
  return std::make_unique<SaturatedSource>(std::vector<HostId>{HostId(destination)}, Bytes(bytes));
}

std::unique_ptr<MessageSource> send(std::vector<MessageRequest> messages) {
  return std::make_unique<ListSource>(std::move(messages));
}

/// A ring of five switches with two hosts each, shortest paths, room for one packet: all send to
/// the switch after the next, so that every switch's ring buffer waits for the next one's.
struct Ring : SmallNetwork {
  explicit Ring(Architecture architecture) {
    graph = make_topology("torus", "sizes = [5]\nhosts_per_switch = 2",
                          {gigabits_per_second(8), nanoseconds(2)});
    routing = "shortest-path";
    settings.architecture = architecture;
    settings.mtu = Bytes(100);
    settings.ingress_buffer = Bytes(100);
    settings.egress_buffer = Bytes(100);
    settings.check_period = microseconds(20);
  }
  /// The port of switch `s` that leads to switch `s + 1`.
  [[nodiscard]] std::string clockwise(std::uint32_t s) const {
    const NodeId node = graph->node(SwitchId(s));
    const NodeId next = graph->node(SwitchId((s + 1) % 5));
    for (std::size_t p = 0; p < graph->degree(node); ++p) {
      const PortId port = graph->port(node, p);
      if (graph->port(graph->port(port).to).node == next) return graph->name(port);
    }
    return "none";
  }
};

std::string architecture_name(const ::testing::TestParamInfo<Architecture>& info) {
  static const char* const kNames[] = {"iq", "iqSingle", "cioq"};
  return kNames[static_cast<int>(info.param)];
}

class Deadlock : public ::testing::TestWithParam<Architecture> {};

TEST_P(Deadlock, RingPrintsItsCycleLinkByLink) {
  Ring ring(GetParam());
  auto fabric = ring.build();
  for (std::uint32_t h = 0; h < 10; ++h) fabric->add_source(HostId(h), saturate((h + 4) % 10));
  const std::string error = run_error([&] { fabric->run_until(milliseconds(5)); });
  ASSERT_THAT(error, HasSubstr("deadlock"));
  // From any of the five on, all in their order and back to the first.
  std::string twice;
  for (std::uint32_t s = 0; s < 10; ++s) twice += ring.clockwise(s % 5) + " -> ";
  const std::string cycle = error.substr(error.rfind(": ") + 2);
  EXPECT_THAT(twice, HasSubstr(cycle)) << error;
  for (std::uint32_t s = 0; s < 5; ++s) EXPECT_THAT(cycle, HasSubstr(ring.clockwise(s)));
  EXPECT_LT(fabric->now(), microseconds(100)) << "found late";
}

// The same ring and load with routes of one hop, or with datelines, goes on for ever.
TEST_P(Deadlock, NoneWithoutCycle) {
  for (const bool datelines : {false, true}) {
    Ring ring(GetParam());
    if (datelines) {
      ring.routing = "dimension-order";
      ring.settings.ingress_buffer = Bytes(200);
      ring.settings.egress_buffer = Bytes(200);
    }
    auto fabric = ring.build();
    for (std::uint32_t h = 0; h < 10; ++h)
      fabric->add_source(HostId(h), saturate((h + (datelines ? 4 : 2)) % 10));
    EXPECT_EQ(run_error([&] { fabric->run_until(milliseconds(1)); }), "");
    EXPECT_GT(fabric->counters().packets_delivered, 10'000U);
  }
}

// A link a hundred thousand times slower than the others: the ports behind it wait for many check
// periods, nothing at all moves for long, and yet it is no deadlock.
TEST_P(Deadlock, SlowIsNotStuck) {
  topology::GraphBuilder builder("slow");
  const topology::LinkSpec fast{gigabits_per_second(8), nanoseconds(2)};
  const SwitchId a = builder.add_switch(4);
  const SwitchId b = builder.add_switch(4);
  builder.connect(a, 0, b, 0, fast);
  builder.connect(builder.add_host(), a, 1, fast);
  builder.connect(builder.add_host(), a, 2, fast);
  builder.connect(builder.add_host(), b, 1, {Rate(80'000), nanoseconds(2)});  // 100 B in 10 ms
  SmallNetwork net;
  net.graph = std::make_shared<topology::Graph>(builder.build());
  net.routing = "shortest-path";
  net.settings.architecture = GetParam();
  net.settings.mtu = Bytes(100);
  net.settings.ingress_buffer = net.settings.egress_buffer = Bytes(200);
  net.settings.check_period = microseconds(50);
  auto fabric = net.build();
  for (std::uint32_t h = 0; h < 2; ++h)
    fabric->add_source(HostId(h), send({{Time(0), HostId(2), Bytes(500)}}));
  EXPECT_EQ(run_error([&] { EXPECT_TRUE(fabric->run_until(milliseconds(500))); }), "");
  EXPECT_EQ(fabric->counters().packets_delivered, 10U);
}

INSTANTIATE_TEST_SUITE_P(Architectures, Deadlock,
                         ::testing::Values(Architecture::input_queued,
                                           Architecture::input_queued_single, Architecture::cioq),
                         architecture_name);

TEST(DeadlockOfAdaptiveRouting, RandomSelectionInACycleIsFoundToo) {
  SmallNetwork net;
  net.graph = make_topology("torus", "sizes = [4, 4]", {gigabits_per_second(8), nanoseconds(2)});
  net.routing = "shortest-path";
  net.selection = "random";
  net.settings.mtu = Bytes(100);
  net.settings.ingress_buffer = Bytes(100);
  net.settings.check_period = microseconds(20);
  auto fabric = net.build();
  for (std::uint32_t h = 0; h < 16; ++h) {
    std::vector<HostId> others;
    for (std::uint32_t d = 0; d < 16; ++d) {
      if (d != h) others.emplace_back(d);
    }
    fabric->add_source(HostId(h), std::make_unique<SaturatedSource>(others, Bytes(100), 77 + h));
  }
  EXPECT_THAT(run_error([&] { fabric->run_until(milliseconds(20)); }),
              AllOf(HasSubstr("deadlock"), HasSubstr(" -> ")));
}

/// Never lets anything through one port.
class Closed : public PortAgent {
 public:
  explicit Closed(PortId port) : port_(port) {}
  [[nodiscard]] bool may_send(PortId port, std::uint16_t) const override { return port != port_; }

 private:
  PortId port_;
};

TEST(Starvation, PortThatNobodyLetsGoIsReported) {
  SmallNetwork net;
  net.graph = make_topology("line", "switches = 3", {gigabits_per_second(8), nanoseconds(2)});
  net.routing = "shortest-path";
  net.settings.mtu = Bytes(100);
  net.settings.ingress_buffer = Bytes(300);
  net.settings.check_period = microseconds(20);
  const auto last = static_cast<std::uint32_t>(net.graph->host_count() - 1);
  const NodeId node = net.graph->node(SwitchId(1));
  PortId closed;
  for (std::size_t p = 0; p < net.graph->degree(node); ++p) {
    const PortId port = net.graph->port(node, p);
    if (net.graph->port(net.graph->port(port).to).node == net.graph->node(SwitchId(2)))
      closed = port;
  }
  ASSERT_TRUE(closed.valid());
  net.mechanisms.agent = std::make_shared<Closed>(closed);
  auto fabric = net.build();
  fabric->add_source(HostId(0), send({{Time(0), HostId(last), Bytes(1'000)}}));
  EXPECT_THAT(run_error([&] { fabric->run_until(milliseconds(5)); }),
              AllOf(HasSubstr("starved"), HasSubstr(net.graph->name(closed))));
}

/// Waits for an acknowledgement that nobody sends.
class Patient : public Reaction {
 public:
  Time may_inject(const Message&, Time now) override { return sent_ ? Time::max() : now; }
  void on_injected(const Message&, const Packet&, Time) override { sent_ = true; }
  void on_ack(const Packet&, Time) override { sent_ = false; }

 private:
  bool sent_ = false;
};

TEST(Starvation, SourceThatWaitsForEverIsReported) {
  SmallNetwork net;
  net.graph = make_topology("single-switch", "hosts = 2", {gigabits_per_second(8), nanoseconds(2)});
  net.routing = "shortest-path";
  net.settings.mtu = Bytes(100);
  net.mechanisms.reaction = std::make_shared<Patient>();
  auto fabric = net.build();
  fabric->add_source(HostId(0), send({{Time(0), HostId(1), Bytes(1'000)}}));
  EXPECT_THAT(run_error([&] { fabric->run_until(milliseconds(5)); }),
              AllOf(HasSubstr("900"), HasSubstr("source queue")));
}

/// Sends every packet to class 0, whatever credits said: declared end to end, but it changes its
/// mind.
class Fickle : public QueueingScheme {
 public:
  [[nodiscard]] int classes() const override { return 2; }
  [[nodiscard]] int classify(const Packet&, PortId) const override { return 0; }
};

/// Moves what a switch sends to the other class after the credit was taken.
class Saboteur : public Marker {
 public:
  void attach(const FabricView& fabric) override { ports_ = fabric.ports; }
  void on_transmit(PortId port, Packet& packet) override {
    if (!ports_.is_host(port.value)) packet.next_buffer = 1;
  }

 private:
  Ports ports_;
};

TEST(Conservation, CreditsOfAnotherClassAreMissed) {
  SmallNetwork net;
  net.graph = make_topology("line", "switches = 2", {gigabits_per_second(8), nanoseconds(2)});
  net.settings.mtu = Bytes(100);
  net.settings.ingress_buffer = Bytes(400);
  net.settings.check_period = nanoseconds(50);
  net.mechanisms.marker = std::make_shared<Saboteur>();
  Models models{net.graph, make_routing("shortest-path", *net.graph), make_selection("fixed"),
                std::make_shared<Fickle>()};
  Fabric fabric(models, net.mechanisms, net.settings, net.journal);
  const auto last = static_cast<std::uint32_t>(net.graph->host_count() - 1);
  fabric.add_source(HostId(0), send({{Time(0), HostId(last), Bytes(1'000)}}));
  EXPECT_THAT(run_error([&] { fabric.run_until(milliseconds(1)); }), HasSubstr("credit in use"));
}

/// Two hosts at a switch, a stream from one to the other, stopped in the middle.
struct Busy : SmallNetwork {
  Busy() {
    graph = make_topology("single-switch", "hosts = 3", {gigabits_per_second(8), nanoseconds(2)});
    routing = "shortest-path";
    settings.mtu = Bytes(100);
    settings.ingress_buffer = Bytes(400);
    settings.check_period = microseconds(4);
    fabric = build();
    fabric->add_source(HostId(0), saturate(2));
    fabric->add_source(HostId(1), saturate(2));
    fabric->run_until(microseconds(10));
  }
  std::unique_ptr<Fabric> fabric;
};

TEST(Conservation, LostCreditIsFound) {
  Busy net;
  net.fabric->check();
  net.fabric->core().links.take(0, 0, 10);
  EXPECT_THAT(run_error([&] { net.fabric->check(); }),
              AllOf(HasSubstr("credit in use"), HasSubstr(net.graph->name(PortId(0)))));
}

TEST(Conservation, LostPacketIsFound) {
  Busy net;
  net.fabric->core().packets.take();
  EXPECT_THAT(run_error([&] { net.fabric->check(); }), HasSubstr("packets exist"));
}

TEST(Conservation, WrongCountOfDeliveriesIsFound) {
  Busy net;
  ++net.fabric->core().counters.packets_delivered;
  EXPECT_THAT(run_error([&] { net.fabric->check(); }), HasSubstr("delivered"));
}

TEST(Conservation, ChecksHappenByThemselves) {
  Busy net;
  net.fabric->core().links.take(0, 0, 10);
  EXPECT_THAT(run_error([&] { net.fabric->run_until(microseconds(20)); }),
              HasSubstr("credit in use"));
  EXPECT_LT(net.fabric->now(), microseconds(15));
}

// The sender is made to believe in more room than there is.
TEST(Lossless, OverflowIsFatalAndTellsThePacketsHistory) {
  SmallNetwork net;
  net.graph = make_topology("line", "switches = 2", {gigabits_per_second(8), nanoseconds(2)});
  net.routing = "shortest-path";
  net.settings.mtu = Bytes(100);
  net.settings.ingress_buffer = Bytes(400);
  const auto last = static_cast<std::uint32_t>(net.graph->host_count() - 1);
  const NodeId second = net.graph->node(SwitchId(1));
  const PortId to_last = net.graph->port(net.graph->host_port(HostId(last))).from;
  net.mechanisms.agent = std::make_shared<Closed>(to_last);
  auto fabric = net.build();
  const PortId trunk = [&] {
    for (std::size_t p = 0; p < net.graph->degree(second); ++p) {
      const PortId from = net.graph->port(net.graph->port(second, p)).from;
      if (from.valid() && !net.graph->is_host(net.graph->port(from).node)) return from;
    }
    return PortId();
  }();
  ASSERT_TRUE(trunk.valid());
  fabric->core().links.tell(trunk.value, {0, 400, 0, Feedback::credit}, 0);
  fabric->add_source(HostId(0), send({{Time(0), HostId(last), Bytes(2'000)}}));
  const std::string error = run_error([&] { fabric->run_until(milliseconds(1)); });
  EXPECT_THAT(error, AllOf(HasSubstr("lossless violation"),
                           HasSubstr(net.graph->name(net.graph->port(trunk).to))));
  // Its whole way: out of the host, out of the first switch, nothing of others.
  const std::string host_port = net.graph->name(net.graph->host_port(HostId(0)));
  EXPECT_THAT(error, HasSubstr("history of the packet: left " + host_port + " at 400000 ps; left " +
                               net.graph->name(trunk) + " at 402000 ps"));
}

// Handles are used again: the history of a packet must not show its predecessors.
TEST(Lossless, HistoryIsOfThisPacketOnly) {
  SmallNetwork net;
  net.graph = make_topology("single-switch", "hosts = 2", {gigabits_per_second(8), nanoseconds(2)});
  net.routing = "shortest-path";
  net.settings.mtu = Bytes(100);
  auto fabric = net.build();
  fabric->add_source(HostId(0), send({{Time(0), HostId(1), Bytes(100)}}));
  fabric->add_source(HostId(1), send({{microseconds(1), HostId(0), Bytes(100)}}));
  ASSERT_TRUE(fabric->run_until(milliseconds(1)));
  const std::string history = fabric->core().history(0);
  EXPECT_THAT(history, HasSubstr("left " + net.graph->name(PortId(1)) + " at 1000000 ps"));
  EXPECT_THAT(history, ::testing::Not(HasSubstr("left " + net.graph->name(PortId(0)))));
}

// A check at the very instant in which the only packet is delivered: its ACK has yet to be sent.
TEST(Starvation, AnAckThatIsDueNowIsNoStandstill) {
  SmallNetwork net;
  net.graph = make_topology("single-switch", "hosts = 2", {gigabits_per_second(8), nanoseconds(2)});
  net.routing = "shortest-path";
  net.settings.mtu = Bytes(1'000);
  net.settings.acks = AckMode::in_band;
  net.settings.check_period = nanoseconds(1'004) / 4;
  auto fabric = net.build();
  fabric->add_source(HostId(0), send({{Time(0), HostId(1), Bytes(1'000)}}));
  EXPECT_EQ(run_error([&] { EXPECT_TRUE(fabric->run_until(milliseconds(1))); }), "");
  ASSERT_EQ(net.journal.deliveries.size(), 1U);
  EXPECT_EQ(net.journal.deliveries[0].delivered, nanoseconds(1'004));
  EXPECT_EQ(fabric->counters().acks_delivered, 1U);
}

}  // namespace
}  // namespace weir::fabric::testing
