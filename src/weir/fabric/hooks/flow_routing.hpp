#pragma once

#include <cstdint>

#include "weir/base/units.hpp"
#include "weir/fabric/hooks/mechanism.hpp"
#include "weir/fabric/packet.hpp"

namespace weir::fabric {

/// What a packet is to flow routing. Set-up and tear-down packets, which travel from source to
/// destination and come back as answers, have packet_flag::kAck, too: like an ACK they are about a
/// flow of the flow table and belong to no message.
enum class FlowStep : std::uint8_t { none, last, set_up, tear_down };

[[nodiscard]] inline FlowStep flow_step(const Packet& packet) {
  return static_cast<FlowStep>(packet.flags >> packet_flag::kFlowStepShift);
}
[[nodiscard]] inline std::uint8_t flags_of(FlowStep step) {
  return static_cast<std::uint8_t>(static_cast<unsigned>(step) << packet_flag::kFlowStepShift);
}
/// On its way from source to destination (or an answer on its way back).
[[nodiscard]] inline bool is_flow_request(const Packet& packet) {
  return flow_step(packet) >= FlowStep::set_up && (packet.flags & packet_flag::kAnswer) == 0;
}

/// What a host sends for a flow, from its source.
struct FlowRequest {
  std::uint32_t flow = 0;
  FlowStep step = FlowStep::set_up;
  std::uint8_t service_level = 0;  ///< that of its data, so that it stays in their class
  std::uint8_t traffic_class = 0;
};

/// Finds a path for each flow with packets that travel it (zdornov2009, chapter 3). A flow is a run
/// of messages of one connection (ConnectionName). Hosts ask it when a flow may inject, switches
/// which output its packets take.
class FlowRouting : public Mechanism {
 public:
  // --- Switches
  /// The header of a packet is at switch port packet.in_port; packet.out is its default output.
  /// Returns the one that it takes.
  virtual std::uint16_t route(Packet& packet) = 0;

  // --- Hosts
  /// A message has come to wait at its source.
  virtual void on_generated(const Message& message, Time now) = 0;
  /// May packets of the flow leave? If not, on_return() says when that has changed.
  [[nodiscard]] virtual bool may_inject(std::uint32_t flow) const = 0;
  /// A packet of the message is about to leave. Returns whether it is the last of its flow.
  virtual bool on_injected(const Message& message, const Packet& packet, Time now) = 0;
  /// The packet of a request is made at its source.
  virtual void on_requested(const Packet& packet) = 0;
  /// The answer to a set-up or tear-down packet, or the ACK of the last packet, is back. Returns
  /// true when the flow may inject from now on.
  virtual bool on_return(std::uint32_t flow, FlowStep step, Time now) = 0;
  /// A data packet has arrived; one out of order would break what flow routing promises.
  virtual void on_delivered(const Packet& packet, bool in_order) = 0;
  /// A set-up or tear-down packet, an answer or the ACK of the last packet has arrived at a host.
  virtual void on_control_delivered(const Packet& packet) = 0;

  [[nodiscard]] virtual Bytes packet_size() const = 0;
};

}  // namespace weir::fabric
