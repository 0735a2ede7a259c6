#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "support/small_network.hpp"
#include "support/told.hpp"
#include "weir/fabric/hooks/reaction.hpp"
#include "weir/reaction/flow_reaction.hpp"
#include "weir/reaction/paced_reaction.hpp"

namespace weir::reaction::testing {

using fabric::testing::make_marker;

/// The reaction `model` for a network and its marker; it does not become that of the network.
inline std::shared_ptr<FlowPacer> make_pacer(const std::string& model,
                                             const fabric::testing::SmallNetwork& net,
                                             const std::string& toml = "") {
  const auto& found = fabric::reaction_registry().find(model, {}, "model");
  std::shared_ptr<fabric::Reaction> made =
      found.make(fabric::testing::settings_of(found.info, toml),
                 {net.graph, fabric::testing::make_routing(net.routing, *net.graph),
                  net.mechanisms.marker, net.settings});
  return std::dynamic_pointer_cast<FlowPacer>(made);
}

/// One switch, with a queue of its own for each flow at the hosts.
inline fabric::testing::SmallNetwork star(std::size_t hosts, Rate rate, Time delay) {
  fabric::testing::SmallNetwork net;
  net.graph = fabric::testing::make_topology("single-switch", "hosts = " + std::to_string(hosts),
                                             {rate, delay});
  net.routing = "shortest-path";
  net.settings.source_queues = fabric::SourceQueueKind::per_destination;
  // A source with one destination has nothing to draw past a flow that waits.
  net.settings.saturation = fabric::Saturation::head_of_line;
  return net;
}

/// Links of 40 Gbps and marks as DCQCN's publication has them; packets of 1,000 B.
inline fabric::testing::SmallNetwork dcqcn_star(std::size_t hosts, Time delay) {
  fabric::testing::SmallNetwork net = star(hosts, gigabits_per_second(40), delay);
  net.settings.mtu = Bytes(952);
  net.settings.header = Bytes(48);
  net.settings.ack_size = Bytes(64);
  net.settings.acks = fabric::AckMode::becn;
  net.mechanisms.marker =
      make_marker("red", *net.graph,
                  "low_bytes = \"5 KB\"\nhigh_bytes = \"200 KB\"\nprobability = 0.01\n"
                  "weight = 1.0\nspread = \"independent\"");
  return net;
}

/// The output of a switch that leads to a host.
inline PortId output_to(const topology::Graph& graph, HostId host) {
  return graph.port(graph.host_port(host)).to;
}

/// All hosts but the last one send it all that they can.
inline void send_to_last(fabric::Fabric& fabric, std::size_t hosts, Bytes message) {
  const HostId last(hosts - 1);
  for (std::size_t h = 0; h + 1 < hosts; ++h) {
    fabric.add_source(HostId(h), std::make_unique<fabric::testing::SaturatedSource>(
                                     std::vector<HostId>{last}, message));
  }
}

/// Samples what waits for an output from `count_from` on.
class QueueWatch : public fabric::testing::Journal {
 public:
  explicit QueueWatch(PortId port) : port_(port) {}

  void on_sample(const fabric::Fabric& fabric, Time now) override {
    if (now < count_from) return;
    queued.push_back(static_cast<double>(fabric.port(port_).queued));
  }
  [[nodiscard]] double mean() const {
    return std::accumulate(queued.begin(), queued.end(), 0.0) / static_cast<double>(queued.size());
  }
  [[nodiscard]] double most() const { return *std::max_element(queued.begin(), queued.end()); }
  /// Of the bytes that hosts have sent since `count_from`, those of one.
  [[nodiscard]] double share(std::size_t host) const {
    return static_cast<double>(bytes_from[host]) / sum();
  }
  [[nodiscard]] double sum() const {
    return static_cast<double>(
        std::accumulate(bytes_from.begin(), bytes_from.end(), std::int64_t{0}));
  }

  std::vector<double> queued;  ///< bytes, at each sample

 private:
  PortId port_;
};

/// Bit A alone: warm; with bit B: hot.
class TwoBits : public fabric::Marker {
 public:
  [[nodiscard]] fabric::FlowHeat classify(std::uint8_t marks) const override {
    if (marks == 0) return fabric::FlowHeat::cold;
    return marks == fabric::packet_flag::kMarks ? fabric::FlowHeat::hot : fabric::FlowHeat::warm;
  }
};

inline constexpr std::uint8_t kCold = 0;
inline constexpr std::uint8_t kWarm = fabric::packet_flag::kMarkA;
inline constexpr std::uint8_t kHot = fabric::packet_flag::kMarks;

/// A reaction without a network: tell it what happens, see what it allows. Switches and packets are
/// those of ferrer2012, section 5.3.1; one cycle is 1 ns.
class Source {
 public:
  explicit Source(const std::string& model, const std::string& toml = "",
                  fabric::AckMode acks = fabric::AckMode::in_band, bool marks = true) {
    settings.mtu = Bytes(256);
    settings.header = settings.ack_size = Bytes(22);
    settings.routing_delay = settings.crossbar_delay = nanoseconds(1);
    settings.acks = acks;
    graph = fabric::testing::make_topology("bmin-perfect-shuffle", "hosts = 512\nk = 4\nn = 5",
                                           {Rate(8'000'000'000), nanoseconds(1)});
    std::shared_ptr<const fabric::Marker> marker;
    if (marks) marker = std::make_shared<TwoBits>();
    const auto& found = fabric::reaction_registry().find(model, {}, "model");
    reaction =
        found.make(fabric::testing::settings_of(found.info, toml),
                   {graph, fabric::testing::make_routing("turnaround", *graph), marker, settings});
  }

  [[nodiscard]] FlowReaction& flows() { return dynamic_cast<FlowReaction&>(*reaction); }
  [[nodiscard]] FlowState state(std::uint32_t flow = 0) { return flows().state(flow); }

  static fabric::Message message(std::uint32_t flow) {
    fabric::Message m;
    m.flow = flow;
    m.destination = flow + 1;
    m.bytes = m.unsent = 256;
    return m;
  }
  /// A message of one packet comes to wait.
  void generate(std::uint32_t flow = 0) { reaction->on_generated(message(flow), now); }
  [[nodiscard]] Time earliest(std::uint32_t flow = 0) {
    return reaction->may_inject(message(flow), now);
  }
  [[nodiscard]] bool may_inject(std::uint32_t flow = 0) { return earliest(flow) <= now; }
  void inject(std::uint32_t flow = 0) {
    fabric::Message m = message(flow);
    m.unsent = 0;
    fabric::Packet packet;
    packet.size = 278;
    packet.message = flow;
    reaction->on_injected(m, packet, now);
    reaction->check(false);
  }
  void ack(std::uint8_t marks, std::uint32_t flow = 0) {
    fabric::Packet packet;
    packet.message = flow;
    packet.source = flow + 1;
    packet.flags = static_cast<std::uint8_t>(fabric::packet_flag::kAck | marks);
    reaction->on_ack(packet, now);
    reaction->check(false);
  }
  /// A packet of a flow whose queue never runs empty, and its ACK a round trip later.
  void exchange(std::uint8_t marks, std::uint32_t flow = 0) {
    generate(flow);
    if (!may_inject(flow) && earliest(flow) != Time::max()) now = earliest(flow);
    inject(flow);
    now += nanoseconds(354);
    ack(marks, flow);
  }

  fabric::FabricSettings settings;
  std::shared_ptr<const topology::Graph> graph;
  std::unique_ptr<fabric::Reaction> reaction;
  Time now = microseconds(1);
};

}  // namespace weir::reaction::testing
