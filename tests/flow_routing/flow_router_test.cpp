#include "weir/flow_routing/flow_router.hpp"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "isolation/counters_of.hpp"
#include "support/small_network.hpp"
#include "weir/routing/trace.hpp"
#include "weir/topology/modified_tree.hpp"

namespace weir::flow_routing {
namespace {

using fabric::FlowStep;
using fabric::MessageRequest;
using fabric::Packet;
using fabric::testing::ListSource;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr topology::LinkSpec kLink{Rate(8'000'000'000), Time(2'000)};  // 1 B/ns, 2 ns

using Path = std::vector<std::uint32_t>;  ///< transmitting ports of switches

/// Passes everything on and remembers who went where: part (i) of the oracle of theorem 3.1.1.
class Witness final : public fabric::FlowRouting {
 public:
  explicit Witness(std::shared_ptr<FlowRouter> router) : router_(std::move(router)) {}

  void attach(const fabric::FabricView& fabric) override {
    ports_ = fabric.ports;
    packets_ = fabric.packets;
    graph_ = &fabric.graph;
    routing_ = &fabric.routing;
    router_->attach(fabric);
  }
  std::uint16_t route(Packet& packet) override {
    const std::uint16_t out = router_->route(packet);
    const std::uint32_t port = ports_[packet.in_port].first_port + out;
    if (packet.is_ack() && !fabric::is_flow_request(packet)) {
      EXPECT_EQ(out, packet.out) << "answers and ACKs take default routes";
      return out;
    }
    paths_[handle_of(packet)].push_back(port);
    return out;
  }
  void on_generated(const fabric::Message& message, Time now) override {
    router_->on_generated(message, now);
  }
  [[nodiscard]] bool may_inject(std::uint32_t flow) const override {
    return router_->may_inject(flow);
  }
  bool on_injected(const fabric::Message& message, const Packet& packet, Time now) override {
    return router_->on_injected(message, packet, now);
  }
  void on_requested(const Packet& packet) override { router_->on_requested(packet); }
  bool on_return(std::uint32_t flow, FlowStep step, Time now) override {
    steps.push_back(step);
    return router_->on_return(flow, step, now);
  }
  void on_delivered(const Packet& packet, bool in_order) override {
    router_->on_delivered(packet, in_order);
    const std::uint32_t flow = packets_.flow_of(packet);
    EXPECT_EQ(take(packet), path_of[flow]);
    ++data_followed;
  }
  void on_control_delivered(const Packet& packet) override {
    router_->on_control_delivered(packet);
    if (!fabric::is_flow_request(packet)) return;
    if (fabric::flow_step(packet) == FlowStep::set_up) {
      path_of[packet.message] = take(packet);
      if (path_of[packet.message] != default_path(packet)) ++diverted;
      longest = std::max(longest, path_of[packet.message].size());
    } else {
      EXPECT_EQ(take(packet), path_of[packet.message]);
    }
  }
  void check(bool is_idle) const override { router_->check(is_idle); }
  [[nodiscard]] Bytes packet_size() const override { return router_->packet_size(); }
  [[nodiscard]] std::size_t memory() const override { return router_->memory(); }

  std::map<std::uint32_t, Path> path_of;  ///< of the set-up packet, by flow
  std::vector<FlowStep> steps;            ///< in the order of return
  std::size_t data_followed = 0;
  std::size_t diverted = 0;  ///< flows
  std::size_t longest = 0;

 private:
  [[nodiscard]] std::uint32_t handle_of(const Packet& packet) const {
    return static_cast<std::uint32_t>(&packet - &packets_[0]);
  }
  Path take(const Packet& packet) {
    Path path = std::move(paths_[handle_of(packet)]);
    paths_.erase(handle_of(packet));
    return path;
  }
  [[nodiscard]] Path default_path(const Packet& packet) const {
    const routing::Route route =
        routing::trace(*graph_, *routing_, HostId(packet.source), HostId(packet.destination));
    Path path;
    for (std::size_t i = 1; i < route.channels.size(); ++i) {
      path.push_back(route.channels[i].port.value);
    }
    return path;
  }

  std::shared_ptr<FlowRouter> router_;
  fabric::Ports ports_;
  fabric::Packets packets_;
  const topology::Graph* graph_ = nullptr;
  const routing::RoutingFunction* routing_ = nullptr;
  std::map<std::uint32_t, Path> paths_;  ///< so far, by packet
};

/// A network of 100-byte packets whose flows are set up by packets of 10 bytes.
struct FlowNetwork : fabric::testing::SmallNetwork {
  explicit FlowNetwork(const std::string& topology_toml, FlowRules rules = {},
                       FlowRouterSettings router_settings = {}) {
    graph = fabric::testing::make_topology("modified-k-ary-n-tree", topology_toml, kLink);
    settings.mtu = Bytes(100);
    settings.ingress_buffer = Bytes(800);
    settings.source_queues = fabric::SourceQueueKind::per_destination;
    settings.check_period = microseconds(1);
    defaults = fabric::testing::make_routing("d-mod-k", *graph);
    tables = std::make_shared<FlowTables>(*graph, *defaults, rules);
    router_settings.packet_size = Bytes(10);
    router = std::make_shared<FlowRouter>(router_settings, tables);
    witness = std::make_shared<Witness>(router);
    mechanisms.flow_routing = witness;
  }

  void start() { net = build(); }
  void send(std::uint32_t from, std::vector<MessageRequest> messages) {
    net->add_source(HostId(from), std::make_unique<ListSource>(std::move(messages)));
  }
  /// Runs until nothing is left, which the fabric checks: caches, counters and connections, too.
  void drain() {
    ASSERT_TRUE(net->run_until(microseconds(100'000)));
    EXPECT_EQ(net->counters().messages_completed, net->counters().messages_generated);
    EXPECT_EQ(witness->data_followed, net->counters().packets_delivered);
    for (std::size_t p = 0; p < graph->port_count(); ++p) {
      EXPECT_EQ(router->load(PortId(p)), 0U);
      EXPECT_EQ(router->entries(PortId(p)), 0U);
    }
  }
  [[nodiscard]] std::uint32_t port(SwitchId at, std::uint32_t number) const {
    return graph->first_port(graph->node(at)).value + number;
  }

  std::shared_ptr<const routing::RoutingFunction> defaults;
  std::shared_ptr<const FlowTables> tables;
  std::shared_ptr<FlowRouter> router;
  std::shared_ptr<Witness> witness;
  std::unique_ptr<fabric::Fabric> net;
};

// One flow over three switches. Headers are 0 ns late, switches route in no time: the set-up packet
// leaves at 0, and at each hop takes 10 ns and 2 ns of wire; cut-through, so that its header is at
// the last switch after 6 ns; the tail at the host after 4 * 2 + 10 = 18 ns. The answer likewise:
// 36 ns. Data of 3 packets: the last has left at 336 ns, its ACK is back later.
TEST(FlowRouter, AFlowIsSetUpUsedAndTornDown) {
  FlowNetwork network("k = 2\nn = 2\nwidth = 1");
  network.settings.routing_delay = Time(0);
  network.start();
  network.send(0, {{Time(0), HostId(3), Bytes(300)}});
  network.drain();
  EXPECT_THAT(network.witness->steps,
              ElementsAre(FlowStep::set_up, FlowStep::last, FlowStep::tear_down));
  const FlowRoutingCounters counters = network.router->counters();
  EXPECT_EQ(counters.set_ups, 1U);
  EXPECT_EQ(counters.tear_downs, 1U);
  EXPECT_EQ(counters.routed, 3U);
  EXPECT_EQ(counters.longest_set_up, nanoseconds(36));
  // Four packets over four links each.
  EXPECT_EQ(counters.control_bytes, 4U * 4U * 10U);
  ASSERT_EQ(network.journal.deliveries.size(), 3U);
  EXPECT_EQ(network.journal.deliveries[0].injected, nanoseconds(36));
}

TEST(FlowRouter, TheLastPacketMayTearDown) {
  FlowRouterSettings settings;
  settings.piggy_backs = true;
  FlowNetwork network("k = 2\nn = 2\nwidth = 1", {}, settings);
  network.start();
  network.send(0, {{Time(0), HostId(3), Bytes(300)}});
  network.drain();
  EXPECT_THAT(network.witness->steps, ElementsAre(FlowStep::set_up, FlowStep::last));
  EXPECT_EQ(network.router->counters().tear_downs, 0U);
}

TEST(FlowRouter, AFlowEndsWhenNothingWaitsOrWithItsMessage) {
  for (const bool per_message : {false, true}) {
    FlowRouterSettings settings;
    settings.per_message = per_message;
    FlowNetwork network("k = 2\nn = 2\nwidth = 1", {}, settings);
    network.start();
    // Three at once; one when the others are long gone.
    network.send(0, {{Time(0), HostId(3), Bytes(300)},
                     {Time(0), HostId(3), Bytes(50)},
                     {Time(0), HostId(3), Bytes(200)},
                     {microseconds(50), HostId(3), Bytes(100)}});
    network.drain();
    EXPECT_EQ(network.router->counters().set_ups, per_message ? 4U : 2U);
  }
}

/// Figure 3.2: four roots in a line of width 2. Flows to one leaf are set up one by one.
class RouterInALine : public ::testing::Test {
 protected:
  /// Where the path leaves the roots' level, and the places of the roots on it.
  [[nodiscard]] std::vector<std::uint32_t> roots(const Path& path) const {
    std::vector<std::uint32_t> places;
    for (const std::uint32_t port : path) {
      const NodeId node = network_.graph->port(PortId(port)).node;
      const SwitchId at = network_.graph->switch_of(node);
      if (at.value >= 4) places.push_back(at.value - 4);
    }
    return places;
  }

  FlowNetwork network_{"k = 4\nn = 2\nwidth = 2", {FlowRules::Sideways::forced, 8, true}};
};

TEST_F(RouterInALine, FlowsToOneLeafSpreadOverTheLineStepByStep) {
  network_.start();
  // Hosts 0, 4 and 8 are below leaves 0, 1 and 2; by digits all flows to hosts 12, 12 and 12 go up
  // to root 0. They stay long enough to be set up all together.
  for (const std::uint32_t host : {0U, 4U, 8U}) {
    network_.send(host, {{nanoseconds(200 * host), HostId(12), Bytes(20'000)}});
  }
  ASSERT_FALSE(network_.net->run_until(microseconds(5)));
  const std::vector<fabric::Flow>& flows = network_.net->flows();
  std::map<std::uint32_t, std::vector<std::uint32_t>> places;
  for (std::uint32_t f = 0; f < flows.size(); ++f) {
    places[flows[f].source] = roots(network_.witness->path_of.at(f));
  }
  // The first takes the default ports. The second meets it at root 0, whose port down carries a
  // flow, and goes right, where root 1 is free; the third, from root 1 on (one flow each way down),
  // sees no flow on the cable to root 2.
  EXPECT_THAT(places[0], ElementsAre(0U));
  EXPECT_THAT(places[4], ElementsAre(0U, 1U));
  EXPECT_THAT(places[8], ElementsAre(0U, 1U, 2U));
  // Port 3 of roots leads down to leaf 3.
  for (std::uint32_t place = 0; place < 4; ++place) {
    EXPECT_EQ(network_.router->load(PortId(network_.port(SwitchId(4 + place), 3))),
              place < 3 ? 1U : 0U);
  }
  // Entries: of the second flow at root 0, of the third at roots 0 and 1.
  EXPECT_EQ(network_.router->counters().entries, 3U);
  EXPECT_EQ(network_.router->counters().diverted, 3U);
  network_.drain();
}

TEST_F(RouterInALine, ByWeightAFlowCountsWhatWaitedWhenItWasSetUp) {
  FlowRouterSettings settings;
  settings.by_weight = true;
  FlowNetwork network("k = 4\nn = 2\nwidth = 2", {FlowRules::Sideways::forced, 8, true}, settings);
  network.start();
  network.send(0, {{Time(0), HostId(12), Bytes(20'000)}});
  network.send(4, {{nanoseconds(800), HostId(12), Bytes(5'000)},
                   {nanoseconds(801), HostId(12), Bytes(7'000)}});
  network.send(8, {{nanoseconds(1'600), HostId(13), Bytes(9'000)}});
  ASSERT_FALSE(network.net->run_until(microseconds(5)));
  // The second leaves root 0 for root 1, the third, by digits at root 1, goes on to root 2.
  const auto down = [&](std::uint32_t place) {
    return network.router->load(PortId(network.port(SwitchId(4 + place), 3)));
  };
  EXPECT_EQ(down(0), 20'000U);
  EXPECT_EQ(down(1), 5'000U) << "the second message came later";
  EXPECT_EQ(down(2), 9'000U);
  network.drain();
}

TEST_F(RouterInALine, WithoutCachesAllPathsAreTheDefault) {
  FlowRouterSettings settings;
  settings.cache_size = 0;
  FlowNetwork network("k = 4\nn = 2\nwidth = 2", {FlowRules::Sideways::forced, 8, true}, settings);
  network.start();
  for (const std::uint32_t host : {0U, 4U, 8U}) {
    network.send(host, {{nanoseconds(200 * host), HostId(12), Bytes(20'000)}});
  }
  network.drain();
  EXPECT_EQ(network.witness->diverted, 0U);
  EXPECT_EQ(network.router->counters().cache_full, network.router->counters().routed);
}

struct Case {
  std::uint32_t cache_size;
  FlowRules::Sideways sideways;
  bool per_message;
  bool piggy_backs;
};

/// Theorem 3.1.1 under random traffic that uses connections again and again.
class Theorem : public ::testing::TestWithParam<Case> {
 protected:
  static FlowRouterSettings router_settings() {
    FlowRouterSettings settings;
    settings.cache_size = GetParam().cache_size;
    settings.per_message = GetParam().per_message;
    settings.piggy_backs = GetParam().piggy_backs;
    return settings;
  }
  /// Of 27 hosts, in messages of up to so many bytes.
  static void add_traffic(FlowNetwork& network, std::uint64_t largest) {
    for (std::uint32_t h = 0; h < 27; ++h) {
      RandomStream random(11, h, StreamPurpose::test);
      std::vector<MessageRequest> messages;
      std::int64_t at = 0;
      for (int i = 0; i < 40; ++i) {
        // Three destinations, one of which everybody has: connections are used again while their
        // last flow is being torn down, and a hot spot blocks what waits behind it.
        at += static_cast<std::int64_t>(random.below(600'000));
        const std::uint64_t pick = random.below(3);
        const auto to = pick == 0 ? 13U : static_cast<std::uint32_t>((h + 5 * pick) % 27);
        if (to == h) continue;
        messages.push_back(
            {Time(at), HostId(to), Bytes(1 + static_cast<std::int64_t>(random.below(largest)))});
      }
      network.send(h, std::move(messages));
    }
  }
};

TEST_P(Theorem, HoldsUnderRandomTraffic) {
  for (const auto architecture : {fabric::Architecture::input_queued, fabric::Architecture::cioq,
                                  fabric::Architecture::output_queued}) {
    FlowNetwork network("k = 3\nn = 3\nwidth = 2", {GetParam().sideways, 8, false},
                        router_settings());
    network.settings.architecture = architecture;
    network.start();
    add_traffic(network, 900);
    network.drain();
    const FlowRoutingCounters counters = network.router->counters();
    EXPECT_GT(counters.set_ups, 27U * 3U);
    EXPECT_EQ(counters.completed_set_ups, counters.set_ups);
    EXPECT_EQ(counters.tear_downs, GetParam().piggy_backs ? 0U : counters.set_ups);
    if (GetParam().cache_size == 0) {
      EXPECT_EQ(network.witness->diverted, 0U);
      EXPECT_LE(network.witness->longest, 5U);
    } else {
      EXPECT_GT(network.witness->diverted, 0U);
      EXPECT_LE(counters.entries_max, GetParam().cache_size);
    }
    if (GetParam().cache_size == 1) {
      EXPECT_GT(counters.cache_full, 0U);
    }
    for (const fabric::Flow& flow : network.net->flows()) EXPECT_EQ(flow.out_of_order, 0U);
  }
}

// FBICM knows congested points by destinations, of which two flows may leave a switch by different
// outputs. A flow has one at each switch, and what comes in by one input, leaves by one output and
// is for one destination stays in order: all that route caches need.
TEST_P(Theorem, HoldsWhereCongestedPacketsAreSetAside) {
  for (const char* ingress : {"per-output", "single"}) {
    SCOPED_TRACE(ingress);
    FlowNetwork network("k = 3\nn = 3\nwidth = 2", {GetParam().sideways, 8, false},
                        router_settings());
    network.settings.architecture = fabric::Architecture::cioq;
    network.settings.speedup = ingress == std::string("single") ? 2 : 1;
    network.settings.ingress_buffer = network.settings.egress_buffer = Bytes(16'000);
    network.settings.check_period = microseconds(20);
    network.isolation = "fbicm";
    network.isolation_toml =
        std::string("detect = \"1 KB\"\ndetect_ingress = \"1 KB\"\ningress = \"") + ingress + "\"";
    network.start();
    add_traffic(network, 4'000);
    network.drain();
    EXPECT_EQ(network.witness->diverted > 0, GetParam().cache_size > 0);
    const auto& counters = isolation::counters_of(*network.net->isolation());
    EXPECT_GT(counters.allocations, 100U);
    EXPECT_EQ(counters.allocations, counters.releases);
    EXPECT_EQ(counters.in_use, 0U);
    for (const fabric::Flow& flow : network.net->flows()) EXPECT_EQ(flow.out_of_order, 0U);
    if (HasFailure()) return;
  }
}

// RECN has routes in headers, which no host knows before its flow is set up.
TEST(FlowRouter, IsRefusedBesideRoutesInHeaders) {
  FlowNetwork network("k = 2\nn = 3\nwidth = 1");
  network.settings.architecture = fabric::Architecture::cioq;
  network.settings.ingress_buffer = network.settings.egress_buffer = Bytes(32'768);
  for (const char* model : {"recn", "recn-enhanced"}) {
    network.isolation = model;
    EXPECT_THAT(network.refusal(),
                ::testing::AllOf(HasSubstr("isolation.model"), HasSubstr("\"fbicm\"")));
  }
}

constexpr std::uint32_t kUnlimited = FlowRouterSettings::kUnlimited;

INSTANTIATE_TEST_SUITE_P(
    FlowRouter, Theorem,
    ::testing::Values(Case{0, FlowRules::Sideways::forced, false, false},
                      Case{1, FlowRules::Sideways::forced, false, false},
                      Case{4, FlowRules::Sideways::forced, true, false},
                      Case{kUnlimited, FlowRules::Sideways::forced, false, false},
                      Case{kUnlimited, FlowRules::Sideways::forced, true, true},
                      Case{1, FlowRules::Sideways::free, true, false},
                      Case{4, FlowRules::Sideways::free, false, true},
                      Case{kUnlimited, FlowRules::Sideways::free, true, false},
                      Case{0, FlowRules::Sideways::none, true, true},
                      Case{4, FlowRules::Sideways::none, false, false},
                      Case{kUnlimited, FlowRules::Sideways::none, true, false}));

// With one queue for all a flow that is set up holds up those behind it, and nothing is lost.
TEST(FlowRouter, WorksWithEveryKindOfSourceQueueAndAcks) {
  for (const auto kind :
       {fabric::SourceQueueKind::fifo, fabric::SourceQueueKind::per_class,
        fabric::SourceQueueKind::per_destination, fabric::SourceQueueKind::shared_memory}) {
    for (const auto acks :
         {fabric::AckMode::none, fabric::AckMode::in_band, fabric::AckMode::ideal}) {
      SCOPED_TRACE(::testing::Message()
                   << "kind " << static_cast<int>(kind) << ", ACKs " << static_cast<int>(acks));
      FlowNetwork network("k = 2\nn = 3\nwidth = 1", {FlowRules::Sideways::forced, 8, false});
      network.settings.source_queues = kind;
      network.settings.source_memory = Bytes(1'000);
      network.settings.acks = acks;
      network.start();
      for (std::uint32_t h = 0; h < 8; ++h) {
        std::vector<MessageRequest> messages;
        for (std::uint32_t i = 1; i < 8; ++i) {
          messages.push_back({nanoseconds(100 * i), HostId((h + i) % 8), Bytes(350)});
        }
        network.send(h, std::move(messages));
      }
      network.drain();
      EXPECT_EQ(network.router->counters().set_ups, 56U);
    }
  }
}

std::string refusal(FlowNetwork& network) {
  try {
    network.start();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(FlowRouter, RefusesWhatItCannotBeCombinedWith) {
  FlowNetwork adaptive("k = 2\nn = 2\nwidth = 1");
  adaptive.selection = "most-credits";
  EXPECT_THAT(refusal(adaptive), HasSubstr("selection.model: flow routing chooses"));
  FlowNetwork per_queue("k = 2\nn = 2\nwidth = 1");
  per_queue.queueing = "voqsw";
  per_queue.queueing_toml = "flow_control = \"per-queue\"";
  EXPECT_THAT(refusal(per_queue), HasSubstr("queueing.flow_control: "));
  FlowNetwork failing("k = 2\nn = 2\nwidth = 1");
  failing.start();
  const PortId up = failing.graph->port(failing.graph->node(SwitchId(0)), 2);
  EXPECT_THROW(failing.net->change_cable(up, microseconds(1), false), InputError);
  FlowNetwork two_levels("k = 2\nn = 2\nwidth = 1");
  two_levels.start();
  two_levels.net->submit(HostId(0), {Time(0), HostId(3), Bytes(100)}, 0, 0);
  EXPECT_THROW(two_levels.net->submit(HostId(0), {Time(0), HostId(3), Bytes(100)}, 0, 1),
               InputError);
}

}  // namespace
}  // namespace weir::flow_routing
