#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "weir/base/random.hpp"
#include "weir/engine/event_queue.hpp"
#include "weir/engine/fingerprint.hpp"
#include "weir/fabric/control_queue.hpp"
#include "weir/fabric/hooks/admission.hpp"
#include "weir/fabric/hooks/control_traffic.hpp"
#include "weir/fabric/hooks/flow_routing.hpp"
#include "weir/fabric/hooks/hooks.hpp"
#include "weir/fabric/hooks/isolation.hpp"
#include "weir/fabric/hooks/mechanism.hpp"
#include "weir/fabric/hooks/reaction.hpp"
#include "weir/fabric/hooks/selection.hpp"
#include "weir/fabric/hooks/vl_sharing.hpp"
#include "weir/fabric/links.hpp"
#include "weir/fabric/packet.hpp"
#include "weir/fabric/packet_records.hpp"
#include "weir/fabric/settings.hpp"
#include "weir/fabric/slab.hpp"
#include "weir/fabric/stop_and_go.hpp"
#include "weir/fabric/switch/turn_watch.hpp"
#include "weir/routing/routing.hpp"
#include "weir/routing/tree_table.hpp"
#include "weir/topology/graph.hpp"

namespace weir::fabric {

/// The kinds of events, in the order in which they happen within one instant. The entity is a port
/// unless said otherwise. Arbitration of ports and crossbars comes after all of them.
enum EventKind : std::uint32_t {
  kControl,   ///< payload: number of the control message
  kRelease,   ///< memory of `payload` (class << 20 | bytes) becomes free at an ingress port (stop
              ///< and go)
  kArrival,   ///< payload: packet; at a switch its header, at a host its tail
  kIdealAck,  ///< payload: packet; entity: host
  kCrossbarDone,  ///< entity: output port
  kGenerate,      ///< entity: traffic source
  kWake,          ///< port may send again; payload: Wake
  kTimer,         ///< of the selection function; payload: its own
  kLinkChange,    ///< the link that leaves the port goes down (payload 0) or is up again (1)
  kDiscard,       ///< payload: packet; the port's link is down
  kLost,          ///< payload: packet, discarded somewhere; entity: port of the host it was for
  kExpect,        ///< payload: number of an announcement; entity: class
  kSample,
  kCheck,
};

/// Why a port is woken.
enum Wake : std::uint32_t {
  kOwnReason,  ///< its link is free, something is ready: what the port has foreseen
  kFeedback,   ///< the far end has told it something; of no interest unless it waits for that
};

class Border;
class FlowTable;
class Peak;
class WaitingWatch;

/// The optional mechanisms of a run; any may be null.
struct Mechanisms {
  std::shared_ptr<Marker> marker;
  std::shared_ptr<PortAgent> agent;
  std::shared_ptr<Reaction> reaction;
  std::shared_ptr<Injection> injection;
  std::shared_ptr<Isolation> isolation;
  std::shared_ptr<Admission> admission;
  std::shared_ptr<VlSharing> vl_sharing;
  std::shared_ptr<FlowRouting> flow_routing;
  std::shared_ptr<ControlTraffic> control;
  std::shared_ptr<WaitingWatch> waiting;

  /// Those that there are.
  [[nodiscard]] std::vector<Mechanism*> all() const;
};

/// The models of a run; none may be null.
struct Models {
  std::shared_ptr<const topology::Graph> graph;
  std::shared_ptr<const routing::RoutingFunction> routing;
  std::shared_ptr<SelectionFunction> selection;
  std::shared_ptr<const QueueingScheme> queueing;
};

/// Totals of a run.
struct Counters {
  std::uint64_t events = 0;
  std::uint64_t packet_hops = 0;  ///< transmissions of data packets and ACKs over a link
  std::uint64_t packets_injected = 0;
  std::uint64_t packets_delivered = 0;
  std::uint64_t acks_injected = 0;
  std::uint64_t acks_delivered = 0;
  std::uint64_t messages_generated = 0;
  std::uint64_t messages_completed = 0;
  std::uint64_t messages_refused = 0;
  std::uint64_t packets_lost = 0;  ///< data packets discarded for a link that is down
  std::uint64_t acks_lost = 0;
  std::uint64_t messages_lost = 0;        ///< of which some packet was
  std::uint64_t diverted = 0;             ///< times that a packet left its default route
  std::uint64_t adapted_in_switches = 0;  ///< packets that became adapted there
  std::uint64_t adapted_at_hosts = 0;     ///< packets that were from the start
  /// Bytes on links that are no payload, each counted on every link that it takes: ACKs,
  /// notifications and set-up packets that have arrived; messages of mechanisms on the links,
  /// pause frames among them.
  std::uint64_t ack_link_bytes = 0;
  std::uint64_t control_link_bytes = 0;
  std::uint64_t data_links = 0;  ///< taken by data packets that have arrived
  /// Reasons to decide beyond the first that an output of a switch had within one instant: new
  /// heads of queues, its link, credit.
  std::uint64_t ties = 0;

  Counters& operator+=(const Counters& other);
};

/// What does not change about a port, in one place.
struct PortInfo {
  std::int64_t upstream_delay = 0;  ///< propagation from the port that feeds it
  std::uint32_t upstream = kNone;   ///< the port that feeds it
  std::uint32_t node = 0;
  std::uint32_t first_port = 0;            ///< of its node
  std::uint32_t upstream_ps_per_byte = 0;  ///< of the link that feeds it
  std::uint16_t number = 0;                ///< at its node
  std::uint16_t degree = 0;                ///< ports of its node
  bool is_fed_across = false;              ///< from another part of the network (Border)
};

/// How full the memory is that a packet competes for: its class where memory is split, else the
/// buffer of the port. What is leaving counts until its tail has left.
struct Fill {
  std::int64_t bytes = 0;
  std::int64_t capacity = 0;

  [[nodiscard]] bool is_over(double share) const {
    return static_cast<double>(bytes) > share * static_cast<double>(capacity);
  }
};

/// For the integral over time of the bytes that wait somewhere: bytes x time of what came, less
/// that of what went. The integral up to t is the bytes there now times t, less the moment; modulo
/// 2^64 byte ps, so what lies between two readings must be less (1 GB over 18 ms).
struct Moment {
  std::uint64_t value = 0;

  void come(std::uint32_t size, std::int64_t now) {
    value += size * static_cast<std::uint64_t>(now);
  }
  void go(std::uint32_t size, std::int64_t now) { value -= size * static_cast<std::uint64_t>(now); }
};

/// A packet left a port: kept in a ring for the report of a violation.
struct HistoryRecord {
  std::int64_t time = 0;
  std::uint32_t packet = kNone;
  std::uint32_t port = 0;
};

/// The state that switches, hosts and checks share, and what they all do with it.
class Core {
 public:
  /// `border`: null for a whole network.
  Core(Models models, Mechanisms mechanisms, const FabricSettings& settings, Observer& observer,
       Border* border);

  // --- Time and events
  void schedule(std::int64_t at, EventKind kind, std::uint32_t entity, std::uint32_t payload) {
    events.push(engine::Event(at, kind, entity, payload));
  }
  /// A head for class `buffer` of `port` finds no room behind the link or (`is_entry`) in the
  /// egress buffer.
  void note_no_room(std::uint32_t port, std::uint16_t buffer, bool is_entry = false) {
    if (mechanisms.waiting) [[unlikely]]
      tell_no_room(port, buffer, is_entry);
  }
  /// No head of any class does.
  void note_no_room_at_all(std::uint32_t port, bool is_entry = false) {
    if (mechanisms.waiting) [[unlikely]]
      tell_no_room_at_all(port, is_entry);
  }
  /// Makes sure that `port` is arbitrated at `at` or earlier.
  void wake(std::uint32_t port, std::int64_t at) {
    Output& out = links[port];
    if (at >= out.wake_at) return;
    out.wake_at = at;
    schedule(at, kWake, port, kOwnReason);
  }
  /// `port` has packets and lacks credit: it is arbitrated whenever the far end tells it something.
  void await_feedback(std::uint32_t port) {
    set_blocked(port);
    if (links.expect_feedback(port)) announce_feedback(port, links.next_feedback(port));
  }
  /// The receiver of the link that leaves `port` tells its sender something.
  void tell(std::uint32_t port, const Feedback& feedback, bool is_across) {
    if (is_across) [[unlikely]] {
      tell_across(port, feedback);
    } else if (links.tell(port, feedback, now)) {
      announce_feedback(port, feedback.at);
    }
  }
  /// Arbitrate `port` after the events of this instant.
  void mark_dirty(std::uint32_t port) {
    Output& out = links[port];
    if (out.dirty) {
      counters.ties += port >= host_count ? 1 : 0;
      return;
    }
    out.dirty = true;
    dirty_ports.push_back(port);
  }

  // --- Packets
  /// The packet's header is at switch port p.in_port: its output, lane and next buffer class are
  /// settled here unless that was done when it was sent.
  void route(Packet& p) {
    if (routes_flows) {
      route_flow(p);
    } else if (!is_fixed) {
      select_route(p);
    }
    const PortInfo& in = ports[p.in_port];
    p.ready = ready_time(p, in, links[in.first_port + p.out]);
  }
  /// Starts the transmission of a packet that has left its queue: link, credits, arrival,
  /// statistics. Returns the time at which the link is free again.
  std::int64_t transmit(std::uint32_t port, std::uint32_t packet);
  /// The same in a plain run whose links are all up.
  std::int64_t transmit_plainly(std::uint32_t port, std::uint32_t packet) {
    return transmit_plainly(port, links[port], packet, packets[packet]);
  }
  /// With what belongs to these numbers.
  std::int64_t transmit_plainly(std::uint32_t port, Output& out, std::uint32_t packet, Packet& p) {
    const std::uint32_t size = p.size;
    const std::int64_t duration = out.duration(size);
    const std::int64_t free_at = now + duration;
    if (out.blocked) clear_blocked(port);
    links.take_plainly(port, out, size);
    out.free_at = free_at;
    out.bytes_sent += size;
    ++out.packets_sent;
    ++counters.packet_hops;
    if (out.is_watched) [[unlikely]]
      turn_watch.on_sent(port, 0);
    std::int64_t arrival = now + out.delay;
    if (out.to_host) {
      arrival += duration;
    } else {
      arrival += arrival_delay;
      p.tail = arrival + duration;
      p.in_port = out.to;
      look_up_route(p, out.to_node);
      if (!cut_through) arrival = p.tail;
    }
    remember(packet, port);
    if (out.crosses) [[unlikely]] {
      send_across(arrival, out.to, packet);
    } else {
      schedule(arrival, kArrival, out.to, packet);
    }
    return free_at;
  }
  [[nodiscard]] bool is_link_down(std::uint32_t port) const {
    return !is_down.empty() && is_down[port] != 0;
  }
  /// Takes the link that leaves `port` out of service, or back into it. What is on the wire
  /// arrives; a port whose link is down sends what waits for it to nowhere, at the link's rate.
  void set_link(std::uint32_t port, bool is_up);
  /// The host that a discarded packet was for hears of it when the shortest cable could have been
  /// crossed (`horizon`).
  void tell_lost(std::uint32_t packet);
  /// Gives `bytes` of class `buffer` of ingress `port` back to the sender when they are free at
  /// `at`.
  void release(std::uint32_t port, std::uint16_t buffer, std::uint32_t bytes, std::int64_t at) {
    const PortInfo& info = ports[port];
    tell(info.upstream, {at + info.upstream_delay, bytes, buffer, Feedback::credit},
         info.is_fed_across);
    if (stop_and_go) {
      schedule(at, kRelease, port, static_cast<std::uint32_t>(buffer) << 20 | bytes);
    }
  }
  /// Accounts a packet stored at ingress `port`; a full buffer is a fatal defect.
  void store(std::uint32_t port, std::uint32_t packet) {
    const Packet& p = packets[packet];
    std::int64_t& held = stored[buffer_index(port, p.buffer)];
    held += p.size;
    at_ingress.come(p.size, now);
    if (stop_and_go) {
      stop_and_go->come(port, p, packet);
    } else if (held > links.capacity()) {
      overflow(port, packet);
    }
  }
  /// store() and unstore() in a plain run.
  void store_plainly(std::uint32_t port, std::uint32_t packet, std::uint32_t size) {
    std::int64_t& held = stored[port];
    held += size;
    at_ingress.come(size, now);
    if (held > links.capacity()) [[unlikely]]
      overflow(port, packet);
  }
  void unstore_plainly(std::uint32_t port, std::uint32_t size) {
    stored[port] -= size;
    at_ingress.go(size, now);
  }
  void unstore(std::uint32_t port, const Packet& p) {
    stored[buffer_index(port, p.buffer)] -= p.size;
    at_ingress.go(p.size, now);
  }
  /// Of ingress `port` and class `buffer`.
  [[nodiscard]] Fill ingress_fill(std::uint32_t port, std::uint16_t buffer) const;
  /// Time by which the header may leave again through `out` without running dry.
  [[nodiscard]] std::int64_t ready_time(const Packet& p, const PortInfo& in,
                                        const Output& out) const {
    if (cut_through && out.ps_per_byte == in.upstream_ps_per_byte && out.ps_per_byte != 0)
      return now;
    const std::int64_t latest = p.tail - out.duration(p.size);
    return latest > now ? latest : now;
  }
  /// `host` has packets of `bytes` that start in class `buffer`; what may become of it in other
  /// buffers has to leave room for them, too. The host knows at once, all others do by the time
  /// that a packet could be there: when the shortest cable has been crossed (`horizon`).
  void expect(std::uint32_t host, std::uint16_t buffer, std::uint32_t bytes) {
    if (links.room(buffer) == kNever || links.room(buffer) < bytes) announce(host, buffer, bytes);
  }
  /// An announcement has come around; see kExpect.
  void hear_announcement(std::uint32_t number);
  /// What another part of the network expects has come around.
  void hear_expectation(std::int64_t at, std::uint16_t buffer, std::uint32_t bytes);
  /// Announcements of its hosts that have not come around, for a checkpoint.
  struct Expected {
    std::int64_t at = 0;
    std::uint32_t host = 0;
    std::uint32_t bytes = 0;
    std::uint16_t buffer = 0;
  };
  [[nodiscard]] std::vector<Expected> expected() const;
  /// One of them, of this part or another one, comes around at its time.
  void expect_again(const Expected& expected);
  /// What it has of a node, and counts.
  void checkpoint(NodeState& state);
  void checkpoint_totals(TotalState& state);
  /// Bytes that have to be free before `port` starts a packet of class `buffer`.
  [[nodiscard]] std::int64_t room_at(std::uint32_t port, std::uint16_t buffer) const {
    const std::int64_t known = links.room(buffer);
    if (announced == 0) return known;
    const std::int64_t own = announced_at(port, buffer);
    return known == kNever ? (own == 0 ? kNever : own) : std::max(known, own);
  }
  /// Flow control and agent let a packet into class `buffer` behind `port` now.
  [[nodiscard]] bool can_send(std::uint32_t port, std::uint16_t buffer) const {
    const bool has_credit = announced == 0 ? links.can_send(port, buffer)
                                           : links.can_send(port, buffer, room_at(port, buffer));
    return has_credit && (!mechanisms.agent || mechanisms.agent->may_send(PortId(port), buffer));
  }
  /// Nothing may be sent now; a quick answer, see Links::takes_nothing().
  [[nodiscard]] bool takes_nothing(std::uint32_t port) const {
    return announced == 0 && links.takes_nothing(port);
  }
  /// Lanes have served `head`, a packet of `bytes` with credit; see VlSharing::is_served().
  [[nodiscard]] bool is_served(std::uint32_t port, std::uint16_t buffer, std::uint32_t head,
                               std::uint32_t bytes) {
    return !mechanisms.vl_sharing || mechanisms.vl_sharing->is_served(port, buffer, head, bytes);
  }
  /// Records that `port` has packets but no credit, or has not any longer.
  void set_blocked(std::uint32_t port) {
    Output& out = links[port];
    if (out.blocked) return;
    out.blocked = true;
    out.blocked_since = now;
    links.set_waiting(port, true);
  }
  void clear_blocked(std::uint32_t port) {
    Output& out = links[port];
    if (!out.blocked) return;
    out.blocked = false;
    out.wait_time += now - out.blocked_since;
    out.blocked_since = kNever;
    links.set_waiting(port, false);
  }
  [[nodiscard]] std::size_t buffer_index(std::uint32_t port, std::uint16_t buffer) const {
    return static_cast<std::size_t>(port) * static_cast<std::size_t>(buffers) + buffer;
  }
  /// Where queue `number` of a class is among the queues of a port with set-aside queues, and back:
  /// the first ones of all classes, then the second ones, and so on.
  [[nodiscard]] std::uint32_t queue_place(std::uint16_t buffer, std::uint32_t number) const {
    return number * static_cast<std::uint32_t>(buffers) + buffer;
  }
  [[nodiscard]] std::uint32_t queue_number(std::uint32_t place) const {
    return buffers == 1 ? place : place / static_cast<std::uint32_t>(buffers);
  }
  /// Class of adapted packets in the buffers of `lane`; only where the selection isolates.
  [[nodiscard]] std::uint16_t adapted_class(std::uint8_t lane) const {
    return static_cast<std::uint16_t>((lane + 1) * classes - 1);
  }
  /// Class of a packet in the queueing scheme, without lane; adapted ones keep theirs. Schemes that
  /// give a packet the same class everywhere only.
  [[nodiscard]] std::uint16_t scheme_class(const Packet& p) const;
  /// Class of a packet in the buffers of `lane`.
  [[nodiscard]] std::uint16_t classify(const Packet& p, std::uint8_t lane,
                                       std::uint32_t receiver) const;
  /// The same for a packet that has no class yet, or a new one in every buffer.
  [[nodiscard]] std::uint16_t classify_anew(const Packet& p, std::uint8_t lane,
                                            std::uint32_t receiver) const;
  [[nodiscard]] std::size_t memory() const;
  /// A port is in this part of the network.
  [[nodiscard]] bool is_here(std::uint32_t port) const;
  /// Where a packet has been, as far as the ring remembers, for messages.
  [[nodiscard]] std::string history(std::uint32_t packet) const;
  void remember(std::uint32_t packet, std::uint32_t port) {
    ring[ring_next++ % ring.size()] = {now, packet, port};
  }
  /// Sends a control message to `to`, one of the two neighbours of port `from`; it arrives after
  /// the propagation delay of the link between them, in whichever direction the data goes.
  void send_control(PortId to, PortId from, const ControlMessage& message);
  /// How `to` sees the node of `from`, a neighbour of it.
  [[nodiscard]] ControlSender sender_of(PortId to, PortId from) const {
    const bool along = links[from.value].to == to.value;
    return along ? ControlSender::upstream : ControlSender::downstream;
  }
  /// Sends a control message of `bytes` from port `from` to `to` at the other end of its cable, on
  /// the link that leaves `from`: it goes before all data that has not begun to leave. Where no
  /// link leads back it travels like those of send_control().
  void send_in_band(PortId to, PortId from, std::uint32_t bytes, const ControlMessage& message);
  /// Messages of a mechanism on their way for which is_lost(port, message) holds never arrive.
  template <class IsLost>
  void lose_controls(const Mechanism& recipient, IsLost is_lost) {
    events.for_each([&](const engine::Event& event) {
      if (event.kind() != kControl) return;
      ControlMessage& message = controls.peek(event.payload);
      if (message.recipient() == &recipient && is_lost(event.entity(), message)) message.lose();
    });
  }
  /// Sends a control message within a switch, to `to`, that arrives after `delay` ps.
  void send_inside(PortId to, std::int64_t delay, const ControlMessage& message) {
    schedule(now + delay, kControl, to.value, controls.add(ControlSender::own, message));
  }
  /// Sends a control message to the other end of a link that is down; it arrives after `delay` ps
  /// all the same, as from a manager of the subnet that notices.
  void send_around(PortId to, PortId from, std::int64_t delay, const ControlMessage& message) {
    post(now + delay, to, sender_of(to, from), message);
  }
  /// `bytes` that are no packet take the link that leaves `port`.
  void count_control(std::uint32_t port, std::int64_t bytes) {
    links[port].bytes_sent += bytes;
    counters.control_link_bytes += static_cast<std::uint64_t>(bytes);
  }
  /// The same with `bytes` to serialize, out of band all the same.
  void send_notification(PortId to, PortId from, std::uint32_t bytes,
                         const ControlMessage& message);
  /// Puts a control packet of `bytes` on the link that leaves `port` and returns when its tail has
  /// arrived at the other end. It goes before all data that has not begun to leave; with `preempts`
  /// it interrupts the packet on the wire, too. That one is not moved: what it loses, the next one
  /// waits.
  std::int64_t occupy_for_control(std::uint32_t port, std::uint32_t bytes, bool preempts);
  /// A message that arrives at `at`. It does not keep the network from being idle: the recipient,
  /// ControlTraffic, calls end_background() when it has come.
  void schedule_control(std::int64_t at, std::uint32_t port, const ControlMessage& message) {
    ++background_events;
    schedule(at, kControl, port, controls.add(ControlSender::own, message));
  }
  void end_background() { --background_events; }
  /// SelectionFunction::on_timer(port, what) at `at`.
  void schedule_timer(std::int64_t at, std::uint32_t port, std::uint32_t what) {
    ++background_events;
    schedule(at, kTimer, port, what);
  }
  /// What a packet of `packets`, not a copy of one, carries for a mechanism.
  template <class Content>
  [[nodiscard]] Content& record(RecordSlot<Content> slot, const Packet& packet) {
    return records.of(slot, packets.handle_of(packet));
  }
  /// Payload of the message of a data packet of `packets`, not of a copy of one.
  [[nodiscard]] std::int64_t message_bytes(const Packet& packet) const;
  /// Number at its source of the flow of a data packet.
  [[nodiscard]] std::uint32_t flow_of(const Packet& packet) const;
  /// Number of the connection that a packet of `packets`, data or ACK, belongs to.
  [[nodiscard]] std::uint16_t connection_of(const Packet& packet) const;
  /// What routing functions call the message of a packet: its number, or in
  /// parts of a network that of its connection (routing::RouteQuery::message).
  [[nodiscard]] std::uint32_t message_in_queries(const Packet& p) const;
  /// The port that feeds the receiver of `port`.
  [[nodiscard]] PortId upstream_of(PortId port) const {
    return PortId(ports[port.index()].upstream);
  }

  Models models;
  Mechanisms mechanisms;
  std::vector<Mechanism*> every_mechanism;  ///< those, and the selection function
  std::vector<Peak*> peaks;                 ///< of theirs
  FabricSettings settings;
  Observer* observer;
  Border* border;  ///< null: this is the whole network

  const topology::Graph& graph;
  std::uint32_t host_count;
  int buffers;  ///< buffer classes of an ingress buffer, over all lanes
  int classes;  ///< of one lane
  bool cut_through;
  bool is_plain;  ///< nothing in a switch but queues, links and credits: no mechanism, one class
  const routing::TreeTable* tree_table;  ///< default routes, with one class and one lane; or null
  bool is_fixed;                         ///< selection
  bool keeps_known_paths;   ///< packets keep to paths with links that are down: someone knows them
  bool routes_flows;        ///< switches ask FlowRouting for outputs
  bool knows_routes_ahead;  ///< default routes are looked up when a packet is sent
  bool tells_connections;   ///< routes of two hosts' connections differ
  bool tells_packets;       ///< a marker or a watch hears of packets at egress and on links
  bool isolates_adapted;    ///< the last class of each lane is for adapted packets
  bool end_to_end_classes;
  bool classes_by_output;      ///< the class needs the output at the next switch
  bool ingress_pipeline_only;  ///< the crossbar's delay is part of the arrival (no egress buffer)
  std::int64_t arrival_delay;  ///< ps added to the arrival of a header at a switch
  std::int64_t horizon;        ///< delay of the shortest cable, ps: nothing acts elsewhere sooner

  std::int64_t now = 0;
  engine::EventQueue events;
  engine::Fingerprint fingerprint;
  Links links;
  Slab<Packet> packets;
  PacketRecords records;                    ///< of these
  const Slab<Message>* messages = nullptr;  ///< of the hosts
  const FlowTable* flows = nullptr;         ///< of the hosts
  /// The selection hears of VOQs with as much; kNoVoqs: of none, but the watch of waiting hears of
  /// all queues at ingress.
  std::uint32_t watched_bytes = UINT32_MAX;
  static constexpr std::uint32_t kNoVoqs = UINT32_MAX - 1;
  std::vector<std::uint8_t> adapts_at_host;  ///< per host: some packets are adapted from there
  std::size_t background_events = 0;         ///< kTimer, kLinkChange, kExpect, messages of
                                             ///< ControlTraffic: a network may be idle with them
  std::uint32_t announced = 0;               ///< announcements that have not come around
  std::vector<std::uint8_t> is_down;         ///< per port; empty until a link has been down
  std::vector<std::uint32_t> dirty_ports;
  std::vector<std::int64_t> stored;  ///< per ingress port and class: bytes held
  Moment at_ingress;                 ///< of all switches
  Moment at_egress;                  ///< of all egress buffers, those of hosts too
  Moment at_hosts;                   ///< of the injection buffers of hosts among these
  std::vector<PortInfo> ports;
  std::vector<std::uint32_t> first_port;  ///< per node
  Counters counters;
  TurnWatch turn_watch;

  ControlQueue controls;
  std::vector<std::int64_t> control_free_at;  ///< per port, for packets that preempt
  std::unique_ptr<StopAndGo> stop_and_go;     ///< null: credits
  // Small, since all of it passes through the nearest cache.
  std::array<HistoryRecord, 1'024> ring{};
  std::size_t ring_next = 0;

 private:
  /// Deterministic routes are looked up when a packet is sent to a switch: the next output is then
  /// known early enough to fetch its state before the header arrives.
  void look_up_route(Packet& p, std::uint32_t node) {
    if (tree_table != nullptr) {
      p.out = tree_table->port(SwitchId(node - host_count), HostId(p.destination));
      return;
    }
    ask_for_route(p, node);
  }
  void ask_for_route(Packet& p, std::uint32_t node);
  void select_route(Packet& p);
  void route_flow(Packet& p);
  void enter_lane(Packet& p, routing::Candidate chosen);
  void check_adapted(const Packet& p) const;
  std::int64_t discard(std::uint32_t port, std::uint32_t packet);
  void tell_transmit(std::uint32_t port, std::uint32_t packet, Packet& p) {
    if (!tells_packets) return;
    if (mechanisms.marker && port >= host_count) mechanisms.marker->on_transmit(PortId(port), p);
    if (mechanisms.waiting) [[unlikely]]
      tell_watch(port, packet);
  }
  void tell_watch(std::uint32_t port, std::uint32_t packet);
  void tell_no_room(std::uint32_t port, std::uint16_t buffer, bool is_entry);
  void tell_no_room_at_all(std::uint32_t port, bool is_entry);
  /// A packet that starts in class `of` may be in class `buffer` elsewhere, or share its room.
  [[nodiscard]] bool shares_room(std::uint16_t of, std::uint16_t buffer) const;
  void expect_larger(std::uint16_t buffer, std::uint32_t bytes);
  void announce(std::uint32_t host, std::uint16_t buffer, std::uint32_t bytes);
  /// The most that the host of `port`, if it is one, has announced for the class; 0: nothing.
  [[nodiscard]] std::int64_t announced_at(std::uint32_t port, std::uint16_t buffer) const;
  void announce_feedback(std::uint32_t port, std::int64_t at) {
    schedule(at > now ? at : now, kWake, port, kFeedback);
  }
  void tell_across(std::uint32_t port, Feedback feedback);
  void send_across(std::int64_t at, std::uint32_t port, std::uint32_t packet);
  /// A message that arrives at `to` at `at`.
  void post(std::int64_t at, PortId to, ControlSender sender, const ControlMessage& message);
  [[noreturn]] void overflow(std::uint32_t port, std::uint32_t packet) const;
  /// Stop and go: what may arrive after the threshold is crossed must fit. Throws InputError.

  std::uint32_t add_announcement(std::uint32_t host, std::uint16_t buffer, std::uint32_t bytes);

  /// Packets larger than those that the network knows of.
  struct Announcement {
    std::uint32_t host = kNone;  ///< kNone: of another part of the network
    std::uint32_t bytes = 0;
    std::uint16_t buffer = 0;
    std::uint32_t next = kNone;  ///< of the host, or of the slab
  };
  Slab<Announcement> announcements_;
  std::vector<std::uint32_t> first_announcement_;  ///< per host; empty before the first
  std::vector<RandomStream> selection_random_;     ///< per switch, when the selection is not fixed
  routing::CandidateList candidates_;
};

}  // namespace weir::fabric
