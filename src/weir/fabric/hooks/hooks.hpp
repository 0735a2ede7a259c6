#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weir/base/catalog.hpp"
#include "weir/base/ids.hpp"
#include "weir/base/random.hpp"
#include "weir/base/units.hpp"
#include "weir/fabric/hooks/mechanism.hpp"
#include "weir/fabric/packet.hpp"
#include "weir/fabric/settings.hpp"
#include "weir/topology/graph.hpp"

namespace weir {
class StateArchive;
}

namespace weir::fabric {

class Fabric;
struct SetAsideEvent;

/// A message a source wants to send.
struct MessageRequest {
  Time at;  ///< generation time, not before the time asked for
  HostId destination;
  Bytes size;             ///< payload, at least 1 byte
  std::uint32_t tag = 0;  ///< handed back on delivery
};

/// Where the messages of one host come from. The fabric asks for the next message when the last one
/// was generated (open loop) or when the host has room for it (closed loop).
class MessageSource {
 public:
  virtual ~MessageSource() = default;
  /// The next message, or nothing when the source has ended for good.
  virtual std::optional<MessageRequest> next(Time now) = 0;
  /// The last message was not made: another one takes its place. Of closed loops only.
  virtual void withdraw() {}
  /// Generates only when the host has room (saturated sources).
  [[nodiscard]] virtual bool closed_loop() const { return false; }
  /// Checkpoints of a run have its state: checkpoint() writes it down, or reads it back into a new
  /// source of the same make.
  [[nodiscard]] virtual bool has_checkpoints() const { return false; }
  virtual void checkpoint(StateArchive& state) { (void)state; }

  std::uint8_t traffic_class = 0;
  std::uint8_t service_level = 0;
  std::int64_t reserve = 0;  ///< bytes per second that it asks for (Admission); 0: does not ask
  /// Its messages go at the rate of their connection (Injection::set_rate()), in a queue apart from
  /// what else the host sends there. Only where the injection scheme ranks flows.
  bool keeps_rate = false;
  /// Number of the connection of its messages, among those of the same two hosts. Each connection
  /// has an order, a source queue (where queues are per destination), a window, a set-up and a rate
  /// of its own.
  std::uint16_t connection = 0;
};

/// What metrics and workloads hear of. Called once per packet or message, not per hop.
class Observer {
 public:
  virtual ~Observer() = default;
  /// `message.generated` is earlier than `now` where it has waited for a bounded source queue.
  virtual void on_generated(const Message& message, Time now) { (void)message, (void)now; }
  /// A full source queue refused the message of a source (bounded backlog, `when_full =
  /// "discard"`).
  virtual void on_refused(HostId source, const MessageRequest& request,
                          std::uint8_t traffic_class) {
    (void)source, (void)request, (void)traffic_class;
  }
  virtual void on_injected(const Packet& packet, const Message& message) {
    (void)packet, (void)message;
  }
  /// The last byte of a data packet is at its destination. `in_order` is false when a later one
  /// came first.
  virtual void on_delivered(const Packet& packet, const Message& message, Time now, bool in_order) {
    (void)packet, (void)message, (void)now, (void)in_order;
  }
  virtual void on_message_complete(const Message& message, Time now) { (void)message, (void)now; }
  /// A data packet was discarded at `port`, whose link is down; its message will never be complete.
  /// In a part of a network on the way its Message::flow is no number of the part.
  virtual void on_lost(const Packet& packet, const Message& message, PortId port, Time now) {
    (void)packet, (void)message, (void)port, (void)now;
  }
  /// It looks at Message::flow.
  [[nodiscard]] virtual bool tells_flows_apart() const { return true; }
  /// Of a network that is divided among threads: who is told what happens in part `number` of
  /// `parts`, at once and by the thread of that part, in place of this observer, which hears of
  /// samples alone then. Message::flow is a number of the part (Fabric::flows_of()). What has to be
  /// told in the order of time over all parts it passes on to `in_order`, from where it comes to
  /// this observer. Asked once for each part. Null, for all parts: this observer is told everything
  /// in the order of time.
  [[nodiscard]] virtual Observer* of_part(std::size_t number, std::size_t parts,
                                          Observer& in_order) {
    (void)number, (void)parts, (void)in_order;
    return nullptr;
  }
  /// Every sampling period (FabricSettings::sample_period).
  virtual void on_sample(const Fabric& fabric, Time now) { (void)fabric, (void)now; }
  /// A set-aside queue was taken, given back or refused (congestion isolation).
  virtual void on_set_aside(const SetAsideEvent& event) { (void)event; }
};

/// How the memory of an ingress buffer is divided into buffer classes: VCs or separately accounted
/// queues. A class is what link-level flow control counts. Inside a class packets stand in one FIFO
/// or in virtual output queues (see voq()).
class QueueingScheme {
 public:
  virtual ~QueueingScheme() = default;
  /// Number of classes of every ingress buffer for traffic of one lane.
  [[nodiscard]] virtual int classes() const = 0;
  /// Class of a packet in the buffer behind `receiver` (a switch or host port).
  [[nodiscard]] virtual int classify(const Packet& packet, PortId receiver) const = 0;
  /// Class is the same in every buffer of the route: asked once, at the source.
  [[nodiscard]] virtual bool is_end_to_end() const { return true; }
  /// The class depends on the output that the packet takes at the switch of `receiver`:
  /// classify_by_output() is asked instead of classify(). Needs routes that are known beforehand
  /// and a scheme that is not end to end; classify() keeps the class on the way into a host.
  [[nodiscard]] virtual bool is_by_output() const { return false; }
  /// Class of a packet that will leave the switch of `receiver` by local port `output`.
  [[nodiscard]] virtual int classify_by_output(const Packet& packet, PortId receiver,
                                               std::uint16_t output) const {
    (void)output;
    return classify(packet, receiver);
  }
  /// Its 16th class is InfiniBand's VL 15, for management: VL arbitration serves it before its
  /// tables.
  [[nodiscard]] virtual bool has_management_vl() const { return false; }
  /// What this scheme says about virtual output queues inside a class; nothing: `switch.voq`
  /// decides.
  [[nodiscard]] virtual std::optional<bool> voq() const { return std::nullopt; }
  /// What this scheme says about the division of memory; nothing: `buffer.memory` decides.
  [[nodiscard]] virtual std::optional<Memory> memory() const { return std::nullopt; }
  /// Bytes that each side of a port has at least, where `buffer.ingress` and `buffer.egress` give
  /// it less.
  [[nodiscard]] virtual Bytes least_memory() const { return Bytes(0); }
};

/// What the marks of a packet say about its flow (ferrer2012, section 4.2): hot flows make the
/// congestion, warm ones begin to spread it, cold ones have no part in it.
enum class FlowHeat : std::uint8_t { cold, warm, hot };

/// Marks that switches set with one of the two bits in the whole run. A packet that has the bit
/// already is not counted again.
struct MarkCounts {
  std::uint64_t set = 0;
  std::uint64_t repeated = 0;  ///< a switch would have set it, another one had
  Time first = Time::max();
  Time last;
  std::vector<std::uint64_t> by_port;  ///< set there; empty before the first
};

/// Congestion detection in switches: sets mark bits in data packets. Asked at ports of switches
/// only, never at those of hosts.
class Marker : public Mechanism {
 public:
  /// What an ACK with these bits of packet_flag::kMarks tells the source (ferrer2012,
  /// section 6.2.2).
  [[nodiscard]] virtual FlowHeat classify(std::uint8_t marks) const {
    return (marks & packet_flag::kMarks) == 0 ? FlowHeat::cold : FlowHeat::hot;
  }
  /// A packet has entered a switch by `port` (not of output-queued switches, which store nothing
  /// there). Buffers::fill() includes it, its output is known, its queue has it not yet.
  virtual void on_ingress(PortId port, Packet& packet) { (void)port, (void)packet; }
  /// A packet has been stored at the egress side of `port` (cioq and output-queued switches);
  /// EgressBuffers::fill() includes it.
  virtual void on_egress(PortId port, Packet& packet) { (void)port, (void)packet; }
  /// The transmission of a packet through `port` starts, also where the link is down. The link is
  /// busy with it from now on.
  virtual void on_transmit(PortId port, Packet& packet) { (void)port, (void)packet; }
  /// Of bit A (packet_flag::kMarkA), of bit B.
  [[nodiscard]] const MarkCounts& marks_a() const { return marks_a_; }
  [[nodiscard]] const MarkCounts& marks_b() const { return marks_b_; }

 protected:
  MarkCounts marks_a_;
  MarkCounts marks_b_;
};

/// Reacts to ingress occupancy and to control messages of neighbours (per-queue Xon/Xoff,
/// notifications). Messages travel the link's propagation delay out of band, along or against the
/// data.
class PortAgent : public Mechanism {
 public:
  /// Buffer classes have to be the outputs of the switch (QueueingScheme::is_by_output()).
  [[nodiscard]] virtual bool needs_classes_by_output() const { return false; }
  /// The header of a packet has arrived at ingress `port` of a switch and its output is chosen.
  virtual void on_stored(PortId port, const Packet& packet) { (void)port, (void)packet; }
  /// A packet has begun to leave ingress `port` of a switch.
  virtual void on_removed(PortId port, const Packet& packet) { (void)port, (void)packet; }
  /// The link that leaves `port` has gone down, or is up again. No message may cross it meanwhile.
  virtual void on_link(PortId port, bool is_up) { (void)port, (void)is_up; }
  /// May a packet bound for class `buffer` at the far end leave through `port` now? Asked in
  /// addition to the flow control.
  [[nodiscard]] virtual bool may_send(PortId port, std::uint16_t buffer) const {
    (void)port, (void)buffer;
    return true;
  }
};

/// Where a flow stands among those of its host that have packets to send.
struct FlowRank {
  Time at;                  ///< not before; Time::max(): not until something changes
  double tag = 0;           ///< the smallest goes first
  std::uint32_t order = 0;  ///< among equal tags the smallest
};

/// When a host's next packet may leave (rate control at the injection port), and of which flow.
class Injection : public Mechanism {
 public:
  /// Whatever the flow.
  virtual Time may_inject(HostId host, Time now) {
    (void)host;
    return now;
  }
  /// With message.unsent == 0 it was the last packet of its message.
  virtual void on_injected(HostId host, const Packet& packet, const Message& message, Time now) = 0;

  /// It chooses among the flows of a host, which needs a source queue for each: rank() is asked
  /// instead of serving them in turn.
  [[nodiscard]] virtual bool ranks_flows() const { return false; }
  /// r(f) of the packets of a connection whose sources keep rates (MessageSource::keeps_rate), on
  /// the wire; 0: none may leave. Connections that never had a rate, and all other messages, are
  /// not controlled. Only where ranks_flows(). See Fabric::set_rate(). True: it is its first rate.
  virtual bool set_rate(const ConnectionName& connection, Rate rate, Time now) {
    (void)connection, (void)rate, (void)now;
    return false;
  }
  /// A connection in another part of the network has got its first rate: it comes next in the order
  /// of all.
  virtual void count_rated() {}
  /// The flow of the message, which had nothing to send, has it now; it has no packet left.
  virtual void on_waiting(const Message& message, Time now) { (void)message, (void)now; }
  virtual void on_empty(const Message& message, Time now) { (void)message, (void)now; }
  /// The host's link is taken for an ACK from `now` until `end`. Only where ranks_flows().
  virtual void on_ack(HostId host, Time now, Time end) { (void)host, (void)now, (void)end; }
  /// VL arbitration takes an uncontrolled packet of another VL next, although a controlled one,
  /// which might have left from `ready` on, could go. Only where ranks_flows().
  virtual void on_passed(HostId host, Time ready, Time now) { (void)host, (void)ready, (void)now; }
  /// Of the flow of the message, the first that waits.
  [[nodiscard]] virtual FlowRank rank(const Message& message, Time now) {
    (void)message;
    return {now};
  }
};

using QueueingFactory =
    std::function<std::unique_ptr<QueueingScheme>(const Settings&, const topology::Graph&)>;
using MarkerFactory =
    std::function<std::unique_ptr<Marker>(const Settings&, const topology::Graph&)>;
using AgentFactory =
    std::function<std::unique_ptr<PortAgent>(const Settings&, const topology::Graph&)>;
using InjectionFactory =
    std::function<std::unique_ptr<Injection>(const Settings&, const topology::Graph&)>;

Registry<QueueingFactory>& queueing_registry();
Registry<MarkerFactory>& marker_registry();
Registry<AgentFactory>& agent_registry();
Registry<InjectionFactory>& injection_registry();

}  // namespace weir::fabric
