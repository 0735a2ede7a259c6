#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "weir/base/ids.hpp"
#include "weir/base/units.hpp"
#include "weir/fabric/hooks/mechanism.hpp"
#include "weir/fabric/packet.hpp"
#include "weir/fabric/packet_records.hpp"
#include "weir/fabric/slab.hpp"

namespace weir::fabric {

class Core;
class EgressBuffers;
class IngressBuffers;

/// What a WaitingWatch is told of the traffic: hot classes make the congestion, packets of cold
/// ones may be its victims (ferrer2012, section 4.2).
struct WaitingSettings {
  std::vector<bool> hot_classes;         ///< by traffic class
  std::vector<bool> cold_classes;        ///< likewise
  std::vector<HostId> hot_destinations;  ///< known beforehand; those of hot messages join them
  Time least;  ///< a packet that waits no longer behind hot ones is no victim
};

/// Ground truth about victims by what happened to them: how long cold packets stood in queues that
/// hot traffic held up. A queue is held up
///
/// * while its head is a hot packet, and
/// * while its head, whatever it is, finds no room where it has to go next because at least half of
///   what is stored there stands in queues that are held up themselves. That memory is the ingress
///   buffer behind the link or, before a crossbar with egress buffers, the egress buffer.
///
/// Everything in the queue waits as long as that lasts. Queues are those of switches, at ingress
/// and egress, the injection buffers of hosts, and their source queues, where messages wait for
/// each other. Room is lacked from the moment that somebody asked for it in vain until a packet of
/// the class goes there; for whom, is judged at each such moment.
///
/// A queue needs to know only for how long it has been held up since the start; what a packet has
/// waited is the difference between its coming and its leaving. So each packet costs the same
/// whatever the length of the queues.
class WaitingWatch final : public Mechanism {
 public:
  explicit WaitingWatch(WaitingSettings settings);

  // --- Set-up, before attach()
  void use(Core& core);
  void use_ingress(const IngressBuffers& buffers, std::size_t queues);
  void use_egress(const EgressBuffers& buffers, std::size_t queues);
  void attach(const FabricView& fabric) override;

  // --- Queues of switches, by their numbers; `head`: of the queue afterwards, kNone: it is empty
  void on_ingress(std::uint32_t queue, std::uint32_t port, std::uint32_t packet,
                  std::uint32_t head);
  void on_left_ingress(std::uint32_t queue, std::uint32_t port, std::uint32_t packet,
                       std::uint32_t head);
  /// The head of queue `from` has become the end of queue `to` of the same side.
  void on_moved(bool is_egress, std::uint32_t from, std::uint32_t from_head, std::uint32_t to,
                std::uint32_t to_head, std::uint32_t packet);
  /// What was in ingress queue `from` is in `to` from now on.
  void on_renamed(std::uint32_t from, std::uint32_t to) { std::swap(ingress_[from], ingress_[to]); }
  void on_egress(std::uint32_t queue, std::uint32_t port, std::uint32_t packet, std::uint32_t head);
  /// A packet has left its queue for the link of `port`.
  void on_transmit(std::uint32_t port, std::uint32_t packet);

  // --- Room
  /// A head for class `buffer` behind `port` was refused: in the ingress buffer there, or
  /// (`is_entry`) in the egress buffer of the port itself.
  void on_no_room(std::uint32_t port, std::uint16_t buffer, bool is_entry);
  /// So was one for every class.
  void on_no_room(std::uint32_t port, bool is_entry);

  // --- Hosts
  /// A message has joined source queue `queue`.
  void on_waiting(std::uint32_t queue, std::uint32_t message, std::uint32_t head);
  /// A packet has been made of the first message of the queue.
  void on_made(std::uint32_t queue, std::uint32_t message, std::uint32_t packet,
               std::uint32_t head);
  /// The first message of one queue has gone to the end of another one.
  void on_message_moved(std::uint32_t message, std::uint32_t from, std::uint32_t from_head,
                        std::uint32_t to, std::uint32_t to_head);
  void on_delivered(std::uint32_t packet, std::uint32_t flow);

  /// Time that a packet has waited so far behind hot traffic in queues that it has left.
  [[nodiscard]] Time waited(std::uint32_t packet) const;
  /// Cold packets that have been delivered, of all classes or one.
  struct Tally {
    std::int64_t packets = 0;
    std::int64_t victims = 0;  ///< of these
    std::int64_t time = 0;     ///< that all of them have waited, ps
    std::int64_t flows = 0;    ///< with such packets
    std::int64_t victim_flows = 0;

    void merge(const Tally& other);
  };
  /// Of a cold class, to destinations that are not hot.
  [[nodiscard]] Tally tally(std::size_t traffic_class) const;

  // --- Checkpoints: queues are written by those whose they are
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(NodeState& state) override;
  /// Queues of switches, or injection buffers, from number `first` to before `end`.
  void checkpoint_queues(NodeState& state, bool is_egress, std::uint32_t first, std::uint32_t end);
  void checkpoint_source_queue(NodeState& state, std::uint32_t queue);
  void checkpoint_waiting(NodeState& state, std::uint32_t message);

  void read(Readings& readings, Time now) const override;
  void check(bool is_idle) const override;
  [[nodiscard]] std::size_t memory() const override;

 private:
  static constexpr std::int64_t kHasRoom = INT64_MAX;
  /// Memory of one class at the next place of a packet.
  struct Gate {
    std::int64_t held = 0;          ///< time that it has had no room for hot traffic, ps
    std::int64_t since = kHasRoom;  ///< it has no room since then
    bool is_hot = false;            ///< for hot traffic
  };
  enum class Head : std::uint8_t { none, hot, other };
  struct QueueState {
    std::int64_t held = 0;   ///< time that hot traffic held it up before its present head, ps
    std::int64_t begin = 0;  ///< of its present head: when it came, or what its gate had by then
    std::uint32_t gate = kNone;  ///< that it waits at
    Head head = Head::none;
  };
  /// What a packet carries for the watch.
  struct Stay {
    std::int64_t waited = 0;      ///< in queues that it has left
    std::int64_t begin = 0;       ///< what its queue had by the time that it came
    std::uint32_t queue = kNone;  ///< at egress
  };
  [[nodiscard]] std::int64_t held(const Gate& gate) const;
  [[nodiscard]] std::int64_t held(const QueueState& queue) const;
  [[nodiscard]] std::uint32_t gate_index(std::uint32_t port, std::uint16_t buffer,
                                         bool is_entry) const;
  [[nodiscard]] bool is_held_up(const QueueState& queue) const;
  /// What keeps packets from the memory behind a gate is that queues there are held up.
  [[nodiscard]] bool is_behind_hot(std::uint32_t port, std::uint16_t buffer, bool is_entry) const;
  [[nodiscard]] bool is_hot(const Packet& packet) const {
    return !packet.is_ack() && settings_.hot_classes[packet.traffic_class];
  }
  void set_head(QueueState& queue, Head head, std::uint32_t gate);
  void show_packet(QueueState& queue, std::uint32_t head, std::uint32_t port, bool is_entry);
  void show_message(QueueState& queue, std::uint32_t head);
  void come(const QueueState& state, std::uint32_t queue, std::uint32_t packet);
  void leave(const QueueState& state, std::uint32_t packet);
  void pass(std::uint32_t gate);
  [[nodiscard]] QueueState& source_queue(std::uint32_t queue);

  WaitingSettings settings_;
  Core* core_ = nullptr;
  const IngressBuffers* ingress_buffers_ = nullptr;
  const EgressBuffers* egress_buffers_ = nullptr;
  bool watches_sources_ = true;
  bool switches_have_egress_ = false;  ///< queues before their links
  bool is_entered_ = false;            ///< what leaves ingress goes there
  RecordSlot<Stay> slot_;
  std::vector<QueueState> ingress_;
  std::vector<QueueState> egress_;
  std::vector<QueueState> sources_;
  std::vector<std::int64_t> message_begin_;  ///< per message: as Stay::begin
  std::vector<Gate> gates_;                  ///< two per port and class
  std::vector<bool> is_hot_destination_;
  std::vector<Tally> tallies_;       ///< per destination and class
  std::vector<std::uint8_t> flows_;  ///< per flow and class: 1 seen, 2 with a victim
};

}  // namespace weir::fabric
