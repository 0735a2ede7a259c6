#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "weir/base/ids.hpp"
#include "weir/base/units.hpp"
#include "weir/fabric/core.hpp"
#include "weir/fabric/hooks/mechanism.hpp"
#include "weir/fabric/packet.hpp"
#include "weir/fabric/packet_records.hpp"

namespace weir::fabric {

class EgressBuffers;
class IngressBuffers;
class MessagesToHosts;
class SelectionFunction;
class SwitchModel;

/// A narrow view of the fabric: a pointer, copied freely. A mechanism keeps those that it uses from
/// attach() on; until then a view leads nowhere. Calls are inlined.
class View {
 public:
  View() = default;
  explicit View(Core& core) : core_(&core) {}

 protected:
  Core* core_ = nullptr;
};

/// The time of the run.
class Clock : private View {
 public:
  using View::View;
  [[nodiscard]] Time now() const { return Time(core_->now); }
};

/// The ports of all nodes by their global numbers, and what does not change about them. Hosts come
/// first among the nodes, and have one port each.
class Ports : private View {
 public:
  using View::View;
  [[nodiscard]] const PortInfo& operator[](std::uint32_t port) const { return core_->ports[port]; }
  [[nodiscard]] const PortInfo& operator[](PortId port) const { return core_->ports[port.index()]; }
  [[nodiscard]] std::size_t size() const { return core_->ports.size(); }
  [[nodiscard]] auto begin() const { return core_->ports.cbegin(); }
  [[nodiscard]] auto end() const { return core_->ports.cend(); }
  /// Of a node; its others follow.
  [[nodiscard]] std::uint32_t first_of(std::uint32_t node) const { return core_->first_port[node]; }
  [[nodiscard]] std::uint32_t host_count() const { return core_->host_count; }
  [[nodiscard]] bool is_host(std::uint32_t port) const { return port < core_->host_count; }
  /// It is in this part of the network.
  [[nodiscard]] bool is_here(std::uint32_t port) const;
  /// The port that feeds it.
  [[nodiscard]] PortId upstream_of(PortId port) const { return core_->upstream_of(port); }
  /// The output that a packet is routed to in the switch that it is in.
  [[nodiscard]] std::uint32_t output_of(const Packet& packet) const {
    return core_->ports[packet.in_port].first_port + packet.out;
  }
};

/// The link that leaves a port, as its sender knows it.
class OutputLinks : private View {
 public:
  using View::View;
  /// The port at the far end; UINT32_MAX: there is no link.
  [[nodiscard]] std::uint32_t receiver(std::uint32_t port) const { return core_->links[port].to; }
  [[nodiscard]] bool leads_to_host(std::uint32_t port) const { return core_->links[port].to_host; }
  /// Time in ps that so many bytes take on it.
  [[nodiscard]] std::int64_t duration(std::uint32_t port, std::int64_t bytes) const {
    return core_->links[port].duration(bytes);
  }
  [[nodiscard]] Rate rate(std::uint32_t port) const { return Rate(core_->links[port].rate); }
  /// The transmitter is busy until then, ps.
  [[nodiscard]] std::int64_t free_at(std::uint32_t port) const {
    return core_->links[port].free_at;
  }
  [[nodiscard]] std::int64_t bytes_sent(std::uint32_t port) const {
    return core_->links[port].bytes_sent;
  }
  /// Bytes that wait for it in the switch or host.
  [[nodiscard]] std::int64_t queued_bytes(std::uint32_t port) const {
    return core_->links[port].queued_bytes;
  }
  [[nodiscard]] bool is_down(std::uint32_t port) const { return core_->is_link_down(port); }
  /// Some link is down, or has been.
  [[nodiscard]] bool has_any_failed() const { return !core_->is_down.empty(); }
  /// Nothing at the far end holds packets back: it is a host, or the link is down.
  [[nodiscard]] bool is_open(std::uint32_t port) const { return core_->links[port].is_open; }
  /// Packets wait there, and none of them may go for lack of credit.
  [[nodiscard]] bool is_blocked(std::uint32_t port) const { return core_->links[port].blocked; }
  /// Bytes of credit for class `buffer` at the far end, with all that has arrived by now.
  [[nodiscard]] std::int64_t credits(std::uint32_t port, std::uint16_t buffer) const {
    core_->links.apply(port, core_->now);
    return core_->links.credits(port, buffer);
  }
  /// Flow control and agent let a packet into class `buffer` at the far end now.
  [[nodiscard]] bool may_send(std::uint32_t port, std::uint16_t buffer) const {
    core_->links.apply(port, core_->now);
    return core_->can_send(port, buffer);
  }
};

/// The ingress buffers of all ports, which are divided into classes alike.
class Buffers : private View {
 public:
  using View::View;
  /// Classes of a buffer, over all lanes.
  [[nodiscard]] int classes() const { return core_->buffers; }
  [[nodiscard]] int classes_per_lane() const { return core_->classes; }
  /// Of a class of a port among those of all ports, and their number.
  [[nodiscard]] std::size_t index(std::uint32_t port, std::uint16_t buffer) const {
    return core_->buffer_index(port, buffer);
  }
  [[nodiscard]] std::size_t size() const { return core_->stored.size(); }
  /// Bytes held by the class with this index.
  [[nodiscard]] std::int64_t stored(std::size_t index) const { return core_->stored[index]; }
  /// Bytes of one class with split memory, of the whole buffer otherwise.
  [[nodiscard]] std::int64_t capacity() const { return core_->links.capacity(); }
  /// Of the class, or of the whole buffer where classes share it.
  [[nodiscard]] Fill fill(std::uint32_t port, std::uint16_t buffer) const {
    return core_->ingress_fill(port, buffer);
  }
  /// Bytes that have to be free before `port` starts a packet of class `buffer`: of its largest so
  /// far, as `port` knows it.
  [[nodiscard]] std::int64_t room(std::uint32_t port, std::uint16_t buffer) const {
    return core_->room_at(port, buffer);
  }
  /// Class that a packet without a class gets in the buffer behind `receiver`.
  [[nodiscard]] std::uint16_t class_of_new(const Packet& packet, std::uint8_t lane,
                                           std::uint32_t receiver) const {
    return core_->classify_anew(packet, lane, receiver);
  }
  /// Class of a packet in the queueing scheme, without lane, where it is the same everywhere.
  [[nodiscard]] std::uint16_t scheme_class(const Packet& packet) const {
    return core_->scheme_class(packet);
  }
  /// The selection keeps adapted packets in a class of their own, here that of a lane.
  [[nodiscard]] bool isolates_adapted() const { return core_->isolates_adapted; }
  [[nodiscard]] std::uint16_t adapted_class(std::uint8_t lane) const {
    return core_->adapted_class(lane);
  }
};

/// The packets in the network by their handles, and what they carry for mechanisms.
class Packets : private View {
 public:
  using View::View;
  [[nodiscard]] const Packet& operator[](std::uint32_t packet) const {
    return core_->packets[packet];
  }
  /// For a marker that marks what is stored.
  [[nodiscard]] Packet& change(std::uint32_t packet) const { return core_->packets[packet]; }
  /// Flow of a data packet, not of a copy of one.
  [[nodiscard]] std::uint32_t flow_of(const Packet& packet) const { return core_->flow_of(packet); }
  /// Number of the connection of a packet, data or ACK, not of a copy of one.
  [[nodiscard]] std::uint16_t connection_of(const Packet& packet) const {
    return core_->connection_of(packet);
  }
  /// Number of the connection of a flow.
  [[nodiscard]] std::uint16_t connection_of(std::uint32_t flow) const;
  /// A place in every packet and its ACK; in attach() only.
  template <class Content>
  [[nodiscard]] RecordSlot<Content> reserve() const {
    return core_->records.reserve<Content>();
  }
  /// What a packet, not a copy of one, carries there. Throws std::logic_error for a copy.
  template <class Content>
  [[nodiscard]] Content& record(RecordSlot<Content> slot, const Packet& packet) const {
    return core_->record(slot, packet);
  }
  /// The same of a packet by its handle.
  template <class Content>
  [[nodiscard]] Content& record(RecordSlot<Content> slot, std::uint32_t packet) const {
    return core_->records.of(slot, packet);
  }
  template <class Content>
  void prefetch_record(RecordSlot<Content> slot, std::uint32_t packet) const {
    core_->records.prefetch(slot, packet);
  }
  /// Where it has been, as far as that is remembered, for messages.
  [[nodiscard]] std::string history(std::uint32_t packet) const { return core_->history(packet); }
};

/// What is measured in all parts of a network together.
class Measures : private View {
 public:
  using View::View;
  /// In attach() only; the same ones in every instance. It stays where it is.
  void follow(Peak& peak) const { core_->peaks.push_back(&peak); }
};

/// When ports decide what to send.
class Scheduler : private View {
 public:
  using View::View;
  /// At `at` (ps) or earlier.
  void wake(std::uint32_t port, std::int64_t at) const { core_->wake(port, at); }
  /// After the events of this instant.
  void arbitrate(std::uint32_t port) const { core_->mark_dirty(port); }
};

/// What mechanisms tell their other parts; it arrives at Mechanism::on_control().
class ControlMessages : private View {
 public:
  using View::View;
  /// To one of the two neighbours of port `from`: arrives after the propagation delay of the link
  /// between them, in whichever direction the data goes.
  void send(PortId to, PortId from, const ControlMessage& message) const {
    core_->send_control(to, from, message);
  }
  /// The same with `bytes` to serialize, which take no time from the data.
  void send_notification(PortId to, PortId from, std::uint32_t bytes,
                         const ControlMessage& message) const {
    core_->send_notification(to, from, bytes, message);
  }
  /// With `bytes` on the link that leaves `from`, before all data that has not begun to leave.
  /// Where no link leads back it travels like those of send().
  void send_in_band(PortId to, PortId from, std::uint32_t bytes,
                    const ControlMessage& message) const {
    core_->send_in_band(to, from, bytes, message);
  }
  /// Within a switch or host, or to itself: arrives after `delay` ps.
  void send_inside(PortId to, std::int64_t delay, const ControlMessage& message) const {
    core_->send_inside(to, delay, message);
  }
  /// To the other end of a link that is down; arrives after `delay` ps all the same, as from a
  /// manager of the subnet that notices.
  void send_around(PortId to, PortId from, std::int64_t delay,
                   const ControlMessage& message) const {
    core_->send_around(to, from, delay, message);
  }
  /// Messages of a mechanism on their way for which is_lost(port, message) holds never arrive.
  template <class IsLost>
  void lose(const Mechanism& recipient, IsLost is_lost) const {
    core_->lose_controls(recipient, is_lost);
  }
  /// visit(port, message) for all of a mechanism that are on their way.
  template <class Visit>
  void for_each(const Mechanism& recipient, Visit visit) const {
    core_->events.for_each([&](const engine::Event& event) {
      if (event.kind() != kControl) return;
      const ControlMessage& message = core_->controls.peek(event.payload);
      if (message.recipient() == &recipient) visit(event.entity(), message);
    });
  }
};

/// For ControlTraffic: packets on the links of the data, and messages that do not keep the network
/// from being idle.
class BackgroundTraffic : private View {
 public:
  using View::View;
  /// Puts a control packet on the link that leaves `port`; when its tail has arrived at the other
  /// end. It goes before all data that has not begun to leave; with `preempts` it interrupts the
  /// packet on the wire, too. That one is not moved: what it loses, the next one waits.
  [[nodiscard]] Time occupy(std::uint32_t port, std::uint32_t bytes, bool preempts) const {
    return Time(core_->occupy_for_control(port, bytes, preempts));
  }
  /// A message that arrives at `at`; its recipient calls end() when it has come.
  void schedule(Time at, std::uint32_t port, const ControlMessage& message) const {
    core_->schedule_control(at.count, port, message);
  }
  void end() const { core_->end_background(); }
};

/// For selection functions: when they want to be called.
class SelectionCalls : private View {
 public:
  using View::View;
  /// on_queued() and on_removed() for virtual output queues with at least so many bytes.
  void watch_queues(std::uint32_t bytes) const { core_->watched_bytes = bytes; }
  /// on_timer(port, what) at `at`.
  void set_timer(Time at, std::uint32_t port, std::uint32_t what) const {
    core_->schedule_timer(at.count, port, what);
  }
  /// adapts_at_host() for every packet of the host from now on, or no more.
  void ask_at_host(std::uint32_t host, bool is_asked) const {
    core_->adapts_at_host[host] = is_asked ? 1 : 0;
  }
};

/// The fabric that a mechanism works in: it keeps what it uses, and knows no more. All of it
/// outlives the mechanism's use.
struct FabricView {
  FabricView(Core& core, HostServices& the_hosts, MessagesToHosts& messages_to_hosts,
             SwitchModel& the_switches);

  Clock clock;
  Ports ports;
  OutputLinks links;
  Buffers buffers;
  Packets packets;
  Measures measures;
  Scheduler scheduler;
  ControlMessages messages;
  BackgroundTraffic background;
  SelectionCalls selection;
  const topology::Graph& graph;
  const routing::RoutingFunction& routing;
  const SelectionFunction& selector;
  const FabricSettings& settings;
  const Mechanisms& mechanisms;  ///< of the run
  const Counters& totals;
  Observer& observer;
  HostServices& hosts;
  MessagesToHosts& to_hosts;
  const SwitchModel& switches;
  const IngressBuffers* ingress;  ///< null: switches have none
  const EgressBuffers* egress;    ///< likewise
  SideQueues* side_queues;        ///< of runs with isolation, else null
  bool is_divided;                ///< this is a part, and each other one has an instance, too
};

}  // namespace weir::fabric
