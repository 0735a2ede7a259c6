#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "weir/base/prefetch.hpp"
#include "weir/fabric/core.hpp"
#include "weir/fabric/host/flow_table.hpp"
#include "weir/fabric/host/reorder_buffers.hpp"
#include "weir/fabric/host/source_queues.hpp"
#include "weir/fabric/host/waiting_acks.hpp"
#include "weir/fabric/parallel/border.hpp"
#include "weir/fabric/switch/arbiter.hpp"
#include "weir/fabric/switch/egress.hpp"

namespace weir::fabric {

/// The host adapters: generation, source queues, cutting messages into packets, injection,
/// reception, reassembly, order check and ACKs.
class Hosts final : public HostServices {
 public:
  explicit Hosts(Core& core);

  void add_source(HostId host, std::unique_ptr<MessageSource> model);
  /// A message from outside the traffic sources (workloads). Ignores the backlog bound.
  void submit(HostId host, const MessageRequest& request, std::uint8_t traffic_class,
              std::uint8_t service_level);

  /// What its host may inject has changed.
  void reconsider(HostId host) { ask(core_.first_port[host.index()]); }

  /// Time has come for the message that traffic source `source` holds.
  void generate(std::uint32_t source);
  /// The connection that traffic source `source` has asked for is accepted, or given up.
  void answer(std::uint32_t source, bool accepted) override;
  /// A set-up or tear-down packet leaves the source of a flow, after the ACKs that wait there.
  void send_request(const FlowRequest& request) override;
  /// Fetch into the cache what receive(), generate() or inject() will touch a few events from now.
  /// Each step needs what the one before it has fetched.
  void prefetch_reception(const Packet& packet) const {
    if (packet.is_ack()) return;
    if (is_from_here(packet)) {
      weir::prefetch(&messages_[packet.message]);
    } else {
      prefetch_adopted(packet);
    }
  }
  void prefetch_received_flow(const Packet& packet) const {
    if (packet.is_ack()) return;
    if (is_from_here(packet)) {
      flows_.prefetch_highest(messages_[packet.message].flow);
    } else {
      flows_.prefetch_incoming(core_.border->part_of_host(packet.source),
                               carried_of(packet).across);
    }
  }
  void prefetch_source(std::uint32_t source) const { weir::prefetch(&sources_[source]); }
  void prefetch_generation(std::uint32_t source) const {
    const Source& s = sources_[source];
    if (s.pending) flows_.prefetch(s.host, s.pending->destination.value);
    // The model and its random streams; how large it is, only it knows.
    const auto* model = reinterpret_cast<const char*>(s.model.get());
    for (std::size_t byte = 0; byte < 256; byte += 64) weir::prefetch(model + byte);
  }
  void prefetch_queue(std::uint32_t port) const {
    const std::uint32_t queue = queues_.first_active(core_.ports[port].node);
    if (queue != kNone) weir::prefetch(&messages_[queues_[queue].head]);
  }
  void prefetch_injection(std::uint32_t port) const {
    const std::uint32_t queue = queues_.first_active(core_.ports[port].node);
    if (queue == kNone) return;
    const Message& head = messages_[queues_[queue].head];
    flows_.prefetch_injected(head.flow);
    if (core_.mechanisms.isolation)
      core_.mechanisms.isolation->prefetch_route(head.source, head.destination);
  }
  /// Packets wait in injection buffers before the hosts' links (congestion isolation).
  void use_injection_buffers(EgressBuffers* buffers) { injection_buffers_ = buffers; }
  /// The host's link may be able to send.
  void inject(std::uint32_t port);
  /// The tail of a packet is at its destination.
  void receive(std::uint32_t port, std::uint32_t packet);
  /// The run has nothing at its hosts but a FIFO each: generate(), inject() and receive() may be
  /// those of host/plain.cpp, which do the same. A host and its port have the same number.
  [[nodiscard]] bool are_plain() const { return are_plain_; }
  void generate_plainly(std::uint32_t source);
  void inject_plainly(std::uint32_t port);
  void receive_plainly(std::uint32_t port, std::uint32_t packet);
  /// A packet was discarded at `port`, whose link is down.
  void lose(std::uint32_t port, std::uint32_t packet);
  /// Packets that were for a host, or ACKs, were discarded; puts those of one instant into the
  /// order of their senders.
  void hear_of_losses(std::vector<std::uint32_t>& packets);
  /// Ideal ACKs of one instant have come back to a host; puts them into the order of their senders.
  void receive_ideal_acks(std::vector<std::uint32_t>& packets);

  /// Number of the flow of a message in the part of the network that it began in.
  [[nodiscard]] std::uint32_t flow_at_source(const Message& message) const {
    const bool is_from_here = core_.border == nullptr || core_.border->is_own_host(message.source);
    return is_from_here ? message.flow : static_cast<std::uint32_t>(message.unsent);
  }
  /// A message that began here has been received in another part of the network.
  void forget_message(std::uint32_t message) { messages_.give_back(message); }

  // --- Checkpoints

  /// What its hosts call their messages and flows.
  struct Numbers {
    std::vector<std::vector<std::uint32_t>> messages;  ///< per host: those that begin there
    std::vector<std::vector<std::uint32_t>> flows;
    std::vector<std::vector<std::uint32_t>> messages_to;  ///< per host: those that end there
    std::vector<std::vector<std::uint32_t>> flows_to;
    std::vector<std::vector<std::uint32_t>> sources;  ///< per host: traffic sources
  };
  [[nodiscard]] Numbers numbers() const;
  [[nodiscard]] std::uint32_t host_of_source(std::uint32_t source) const {
    return sources_[source].host;
  }
  [[nodiscard]] const MessageSource& model_of_source(std::uint32_t source) const {
    return *sources_[source].model;
  }
  [[nodiscard]] std::size_t source_count() const { return sources_.size(); }
  /// Messages and flows that begin at a host. To be read for all hosts, in their order, before
  /// anything else.
  void checkpoint_begun(NodeState& state, const std::vector<std::uint32_t>& messages);
  /// All else of a host. `numbers`: as they are written down; when read its sources alone.
  void checkpoint(NodeState& state, const Numbers& numbers);
  /// Sources are there, and wait to be read.
  void add_source_later(HostId host, std::unique_ptr<MessageSource> model) {
    (void)new_source(host, std::move(model));
  }

  [[nodiscard]] const FlowTable& flows() const { return flows_; }
  /// Payload bytes that wait in source queues.
  [[nodiscard]] std::int64_t backlog() const { return backlog_; }
  [[nodiscard]] const WaitingAcks& waiting_acks() const { return acks_; }
  /// Packets that wait at their destination for others of their flow.
  [[nodiscard]] std::size_t held() const { return reorder_ ? reorder_->held() : 0; }
  [[nodiscard]] std::size_t memory() const;

 private:
  struct Source {
    std::unique_ptr<MessageSource> model;
    std::uint32_t host = 0;
    std::optional<MessageRequest> pending;  ///< drawn, not yet generated
    std::uint32_t next_waiter = kNone;
    enum class Connection : std::uint8_t { none, asked, open, given_up };
    Connection connection = Connection::none;  ///< to `aim`, where it needs one
    std::uint32_t aim = kNone;
    std::uint32_t connection_number = kNone;
    bool is_loop = false;    ///< makes messages when there is room
    bool refuses = false;    ///< what finds its queue full
    bool draws_on = false;   ///< past messages whose queues are full (Saturation::per_queue)
    std::uint16_t aims = 0;  ///< where queues are few: those that it has drawn messages for
    std::uint32_t waits_at = kNone;  ///< its pending message is in line there
    std::int64_t next_at = 0;        ///< a source at full rate makes no message before
  };
  /// The closed loops of a host that draw on.
  struct Loops {
    std::vector<std::uint32_t> sources;
    std::size_t turn = 0;  ///< who is asked first
  };

  std::uint32_t new_source(HostId host, std::unique_ptr<MessageSource> model);
  void checkpoint_source(NodeState& state, std::uint32_t number);
  void checkpoint_watch(NodeState& state, WaitingWatch& watch);
  void checkpoint_flows_to(NodeState& state, const std::vector<std::uint32_t>& flows);
  void checkpoint_messages_to(NodeState& state, const std::vector<std::uint32_t>& messages);
  /// Where what is known of a message from another part is found.
  std::uint32_t& adopted(std::uint16_t part, std::uint32_t message_there);
  [[nodiscard]] static bool are_plain(const Core& core);
  void draw(std::uint32_t source);
  /// Asks the model; `pending` is checked.
  void ask_model(Source& source, std::int64_t at);
  /// Another message in place of the pending one; false: none for now.
  bool redraw(std::uint32_t source);
  [[nodiscard]] std::uint32_t queue_for(std::uint32_t host, std::uint32_t destination,
                                        std::uint8_t service_level, std::uint32_t flow);
  /// Of the pending message of a source.
  [[nodiscard]] std::uint32_t flow_of(const Source& source) {
    const MessageSource& model = *source.model;
    return flows_.find_or_add(source.host, source.pending->destination.value, has_rate(model),
                              model.connection);
  }
  void wait_at(std::uint32_t queue, std::uint32_t source);
  void stop_waiting(std::uint32_t source);
  /// Where queues are few a closed loop keeps all of its queues supplied; else it draws on only
  /// when nothing else may go (draw_past()).
  [[nodiscard]] bool draws_at_once() const {
    return queues_.lasting() > 0 && queues_.lasting() <= kFewQueues;
  }
  /// Some queue that the source has drawn messages for has room.
  [[nodiscard]] bool is_aim_open(const Source& source) const;
  /// A closed loop may make a message for it.
  [[nodiscard]] bool has_staging(const SourceQueue& queue) const {
    return queue.head == kNone ||
           queue.bytes < core_.settings.closed_loop_packets * core_.settings.mtu.count;
  }
  /// There is room in the queue: for who waits for it, then for closed loops that wait at others.
  void use_room(std::uint32_t queue);
  /// Nothing that waits at the host may go. A closed loop draws a message that may, past the one
  /// that it waits with. may_go(message) says whether it could at once.
  template <class MayGo>
  bool draw_past(std::uint32_t host, std::int64_t& retry, MayGo may_go);
  [[nodiscard]] bool draw_past_link(std::uint32_t port, std::uint32_t host, bool& lacks_credit,
                                    std::int64_t& retry);
  /// Without a scheme that ranks flows there are no rates to keep.
  [[nodiscard]] bool has_rate(const MessageSource& model) const {
    return ranks_flows_ && model.keeps_rate;
  }
  [[nodiscard]] std::int64_t packets_of(std::int64_t bytes) const {
    return (bytes + core_.settings.mtu.count - 1) / core_.settings.mtu.count;
  }
  /// The VL of its pending message has room at this host (VlSharing).
  [[nodiscard]] bool have_lanes_room(const Source& source) const;
  /// Throws InputError where what has no connection would wait for ever: connections fill the
  /// tables, and its VL has no other entry.
  void check_served(HostId host, std::uint8_t service_level) const;
  [[nodiscard]] bool has_room(const Source& source, const SourceQueue& queue) const;
  /// The source has a connection for its pending message, or needs none. Else the message waits for
  /// the answer, or is refused.
  bool is_admitted(std::uint32_t source);
  void refuse_pending(Source& source);
  /// Ends the connection of a source that has no more messages for it; kNone: it has sent none.
  void settle_connection(Source& source, std::uint32_t last_message);
  std::uint32_t enqueue(std::uint32_t queue, const Message& message);
  void enqueue_pending(std::uint32_t queue, std::uint32_t source);
  void ask(std::uint32_t port);
  void admit_waiters(std::uint32_t queue);
  [[nodiscard]] std::uint16_t class_of(std::uint32_t host, std::uint32_t destination,
                                       std::uint8_t service_level) const;
  [[nodiscard]] std::uint32_t wire_size(const Message& message) const {
    return static_cast<std::uint32_t>(std::min(message.unsent, core_.settings.mtu.count) +
                                      core_.settings.header.count);
  }
  bool send_ack(std::uint32_t port, std::uint32_t host, bool& lacks_credit);
  void transmit_ack(std::uint32_t port, std::uint32_t host, std::size_t vl);
  /// The mechanisms let the head of a source queue go: take; else pause.
  [[nodiscard]] SourceQueueSet::Answer ask_flow(std::uint32_t queue, const Message& head);
  /// What VL arbitration chooses among: of each VL an ACK or a source queue that may go.
  struct VlHeads {
    std::uint32_t sendable = 0;  ///< bit per VL
    std::uint32_t acks = 0;
    std::uint32_t rated = 0;  ///< of flows that keep a rate
    std::array<std::uint32_t, 16> queue{};
    std::array<std::uint32_t, 16> bytes{};
    std::array<FlowRank, 16> rank{};
  };
  /// Sends the packet that VL arbitration says; false: there is none that may go.
  bool arbitrate_vls(std::uint32_t port, std::uint32_t host, bool may_inject, bool& lacks_credit,
                     std::int64_t& retry);
  void find_heads(std::uint32_t port, std::uint32_t host, VlHeads& heads, bool& lacks_credit,
                  std::int64_t& retry);
  /// Tells the injection scheme of packets at assigned rates that have to wait for `vl`.
  void note_passed(std::uint32_t host, const VlHeads& heads, std::uint32_t vl);
  bool choose(std::uint32_t port, std::uint32_t host, std::uint32_t& choice, bool& lacks_credit,
              std::int64_t& retry);
  /// The first source queue in turn, or by the rank of its flow, of the groups for which
  /// is_open(group), whose head may_go(message, group) and whose flow may inject. Else lowers
  /// `retry` to the time when a flow may.
  template <class IsOpen, class MayGo>
  bool find_queue(std::uint32_t host, std::uint32_t& choice, std::int64_t& retry, IsOpen is_open,
                  MayGo may_go);
  /// The message has to travel as adapted from here on, and is not yet in that class.
  [[nodiscard]] bool must_adapt(std::uint32_t host, const Message& message) const;
  /// Moves heads of the queues per class that have to travel as adapted to the queue for those. It
  /// has no bound, so that a few of them do not stop their source; but a closed loop that makes
  /// nothing else waits there for room as it does elsewhere.
  void set_adapted_aside(std::uint32_t host);
  void send_packet(std::uint32_t port, std::uint32_t choice);
  /// Takes the next packet of a source queue into the network, before its transmission.
  std::uint32_t begin_packet(std::uint32_t choice);
  /// The last step of a packet that has left its source queue.
  void settle_queue(std::uint32_t queue);
  /// All places of the queue of a flow are taken by packets without ACK.
  [[nodiscard]] bool is_queue_full(std::uint32_t flow) const {
    return flow < kept_.size() && kept_[flow] >= core_.settings.source_queue_packets;
  }
  /// A packet of the flow has its ACK, or was lost.
  void free_place(const Packet& ack);
  /// Group of a source queue with this head: the queue of the injection buffer that it goes to.
  [[nodiscard]] std::uint32_t group_of(const Message& message) const;
  [[nodiscard]] auto grouping() const {
    return [this](const Message& message) { return group_of(message); };
  }
  void update_groups(std::uint32_t port, std::uint32_t host);
  void fill_injection_buffer(std::uint32_t port, std::uint32_t host);
  /// ACKs of the host into its injection buffer, as many as may enter; those that data has a turn
  /// before only `after_data`.
  void admit_acks(std::uint32_t port, std::uint32_t host, bool after_data);
  bool admit_ack(std::uint32_t port, std::uint32_t host, std::size_t vl);
  /// A new packet, which carries nothing yet.
  std::uint32_t take_packet() {
    const std::uint32_t packet = core_.packets.take();
    if (core_.records.any()) core_.records.begin(packet);
    return packet;
  }
  std::uint32_t make_packet(Message& message, std::uint32_t handle);
  void check_destination(std::uint32_t port, std::uint32_t packet) const;
  [[nodiscard]] bool wants_ack(const Packet& data) const {
    return core_.settings.acks != AckMode::none || flow_step(data) == FlowStep::last;
  }
  /// It began in this part of the network: its message is known here.
  [[nodiscard]] bool is_from_here(const Packet& packet) const {
    return core_.border == nullptr || core_.border->is_own_host(packet.source);
  }
  /// Makes the message of a data packet from another part of the network known here, unless it is.
  void adopt(std::uint32_t packet);
  [[nodiscard]] const CarriedMessage& carried_of(const Packet& packet) const {
    return core_.border->carried(core_.packets.handle_of(packet));
  }
  void prefetch_adopted(const Packet& packet) const {
    const std::size_t part = core_.border->part_of_host(packet.source);
    if (part < adopted_.size() && packet.message < adopted_[part].size())
      weir::prefetch(&adopted_[part][packet.message]);
  }
  /// Flow that an ACK to this packet, which has arrived, is about: its number at the source.
  [[nodiscard]] std::uint32_t flow_at_source(const Packet& data, std::uint32_t flow) const {
    return is_from_here(data) ? flow : flow_at_source(messages_[data.message]);
  }
  /// For the fingerprint.
  [[nodiscard]] static std::uint64_t delivery_key(const Packet& p) {
    return static_cast<std::uint64_t>(p.source) << 40 ^
           static_cast<std::uint64_t>(p.destination) << 20 ^ p.sequence;
  }
  /// A data packet whose turn it is; it is given back.
  void deliver(std::uint32_t packet, bool acknowledges);
  /// Those that waited for what has just been delivered or lost.
  void deliver_held(std::uint32_t flow);
  void finish(std::uint32_t message);
  void hear_of_loss(std::uint32_t packet);
  /// The source learns nothing else of its packets.
  [[nodiscard]] bool tells_sources_of_losses() const {
    return core_.mechanisms.reaction || core_.settings.source_queue_packets != 0;
  }
  /// The message of a data packet, as far as it is known in this part of the network.
  [[nodiscard]] Message known_message(const Packet& packet) const;
  [[nodiscard]] Packet ack_of(const Packet& data, std::uint32_t flow) const;
  /// Of a data packet that has arrived.
  void acknowledge(std::uint32_t packet, std::uint32_t flow);
  /// Of an ideal ACK to a packet that has crossed `hops` switches.
  [[nodiscard]] std::int64_t ack_latency(const Packet& ack, std::uint32_t hops);
  void accept_ack(std::uint32_t packet);
  /// A set-up or tear-down packet, an answer to one, or the ACK of a flow's last packet.
  void accept_flow_step(std::uint32_t packet);
  /// Joins the ACKs that wait at its source.
  void queue_ack(std::uint32_t packet);
  /// What this ACK is about may let a paused flow go.
  void resume_flow(const Packet& ack);

  /// As many as InfiniBand has VLs.
  static constexpr std::uint32_t kFewQueues = 16;
  /// Draws of a closed loop for one message, so that a search in vain ends.
  static constexpr int kMostTries = 64;

  Core& core_;
  bool ranks_flows_;  ///< the injection scheme does
  bool are_plain_;    ///< see are_plain()
  Slab<Message> messages_;
  SourceQueueSet queues_;
  FlowTable flows_;
  std::vector<Source> sources_;
  std::vector<Loops> loops_;  ///< per host; empty where no closed loop draws on
  WaitingAcks acks_;
  std::vector<VlArbiter> vl_arbiters_;          ///< per host; empty without VL arbitration
  std::vector<RandomStream> ack_random_;        ///< per host; empty without jitter of ideal ACKs
  std::vector<std::uint32_t> adapted_in_turn_;  ///< per host: messages set aside since it last sent
                                                ///< another; empty without isolation of them
  EgressBuffers* injection_buffers_ = nullptr;
  std::unique_ptr<ReorderBuffers> reorder_;  ///< null: packets are delivered as they come
  std::vector<std::uint32_t> kept_;  ///< per flow: packets without ACK, in queues with places
  std::int64_t backlog_ = 0;
  std::vector<std::vector<std::uint32_t>>
      adopted_;  ///< per part and message there: its number here
};

}  // namespace weir::fabric
