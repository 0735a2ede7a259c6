#pragma once

#include <memory>
#include <string>
#include <utility>

#include "fabric/test_network.hpp"
#include "fabric/told.hpp"
#include "weir/fabric/hooks/reaction.hpp"
#include "weir/reaction/flow_reaction.hpp"

namespace weir::reaction::testing {

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
