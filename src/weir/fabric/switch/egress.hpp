#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "weir/base/prefetch.hpp"
#include "weir/fabric/core.hpp"
#include "weir/fabric/queues.hpp"
#include "weir/fabric/switch/arbiter.hpp"

namespace weir::fabric {

/// The egress buffers of all switch ports: a FIFO per buffer class of the next hop (with congestion
/// isolation several), and the link's arbitration among them.
class EgressBuffers {
 public:
  /// `capacity`: bytes per port; kUnlimited for the ideal output-queued switch. `ports`: of the
  /// first ones of the network only, those of hosts.
  EgressBuffers(Core& core, std::int64_t capacity);
  EgressBuffers(Core& core, std::int64_t capacity, std::size_t ports);
  static constexpr std::int64_t kUnlimited = INT64_MAX;

  /// Room for a packet in the queue for class `buffer` of output `port`? As for credits, room for
  /// the largest of those that share the memory.
  [[nodiscard]] bool has_room(std::uint32_t port, std::uint16_t buffer) const;
  /// And for another one after it.
  [[nodiscard]] bool has_room_for_two(std::uint32_t port, std::uint16_t buffer) const;
  /// No room for any packet; a quick answer for a single class.
  [[nodiscard]] bool takes_nothing(std::uint32_t port) const {
    return capacity_ != kUnlimited && core_.buffers == 1 &&
           held(port) + departing(port) + core_.links.room(0) > capacity_;
  }
  /// Stores a packet, whose p.ready says when its header may leave, and asks for the link.
  void push(std::uint32_t port, std::uint32_t packet);
  /// The same in a plain run.
  void push_plainly(std::uint32_t port, std::uint32_t packet) {
    push_plainly(port, core_.links[port], packet, core_.packets[packet]);
  }
  void push_plainly(std::uint32_t port, Output& out, std::uint32_t packet, Packet& p) {
    out.queued_bytes += p.size;
    core_.at_egress.come(p.size, core_.now);
    if (!queues_.push(queues_[port], packet, p)) return;
    const std::int64_t earliest = std::max(p.ready, out.free_at);
    if (earliest > core_.now) {
      core_.wake(port, earliest);
    } else {
      core_.mark_dirty(port);
    }
  }
  /// Sends on the link of `port` if it can. Returns true when a transmission has started.
  bool arbitrate(std::uint32_t port) {
    return is_plain_ ? arbitrate_plainly(port) : arbitrate_among_queues(port);
  }

  /// Fetch into the cache what arbitrate() will touch, the second one when the first has done so.
  void prefetch(std::uint32_t port) const {
    if (!one_queue_) queues_.prefetch_list(port);
    weir::prefetch(&queues_[queue_of(port, 0)]);
  }
  void prefetch_head(std::uint32_t port) const {
    const std::uint32_t queue = first_asking(port);
    if (queue != kNone) queues_.prefetch_head(queue);
  }

  /// Congestion isolation, queues of a port by their places (Core::queue_place()).
  [[nodiscard]] const Queue& queue(std::uint32_t port, std::uint32_t place) const {
    return queues_[first_queue(port) + place];
  }
  void hold(std::uint32_t port, std::uint32_t place);
  void let_go(std::uint32_t port, std::uint32_t place);
  void set_urgent(std::uint32_t port, std::uint32_t place, bool urgent);
  void move_head(std::uint32_t port, std::uint32_t from, std::uint32_t to);

  /// Of a queue by its number among those of all ports.
  [[nodiscard]] std::uint32_t head_of(std::uint32_t queue) const { return queues_[queue].head; }
  [[nodiscard]] std::uint32_t port_of(std::uint32_t queue) const { return queue / queues_a_port_; }

  /// visit(queue, bytes) for every queue of `port`, or of one class of it.
  template <class Visit>
  void for_each_queue_at(std::uint32_t port, std::uint16_t buffer, bool of_class,
                         Visit visit) const {
    const auto stride = of_class ? static_cast<std::uint32_t>(core_.buffers) : 1;
    for (std::uint32_t q = first_queue(port) + (of_class ? buffer : 0); q < first_queue(port + 1);
         q += stride)
      visit(q, queues_[q].bytes);
  }

  /// Of output `port` and the class `buffer` behind it. Without bound: against the capacity that
  /// `buffer.egress` gives.
  [[nodiscard]] Fill fill(std::uint32_t port, std::uint16_t buffer) const;
  /// Bytes that wait for output `port`, and these with what is being transmitted.
  [[nodiscard]] std::int64_t waiting(std::uint32_t port) const { return held(port); }
  [[nodiscard]] std::int64_t occupancy(std::uint32_t port) const;
  void for_each_packet(const std::function<void(std::uint32_t, std::uint32_t)>& visit) const;
  /// visit(output port, packet) for the head of every queue that is not held.
  template <class Visit>
  void for_each_head(Visit visit) const {
    for (std::uint32_t q = 0; q < queues_.size(); ++q) {
      if (queues_[q].head != kNone && !queues_[q].is_held)
        visit(q / queues_a_port_, queues_[q].head);
    }
  }
  void checkpoint(NodeState& state);
  [[nodiscard]] std::size_t memory() const { return queues_.memory(); }

 private:
  struct Pick {
    std::uint32_t queue = kNone;
    std::uint32_t before = kNone;
  };
  bool pick(std::uint32_t port, Pick& found, bool& lacks_credit, std::int64_t& ready_at);
  void start(std::uint32_t port, const Pick& found);
  void tell_stored(std::uint32_t port, std::uint32_t queue, std::uint32_t packet);
  [[nodiscard]] std::uint32_t first_queue(std::uint32_t port) const {
    return port * queues_a_port_;
  }
  [[nodiscard]] std::uint32_t queue_of(std::uint32_t port, std::uint16_t buffer) const {
    return first_queue(port) + buffer;
  }
  /// Of the queues of `port` whose heads ask for the link, the first in turn; kNone: none does.
  [[nodiscard]] std::uint32_t first_asking(std::uint32_t port) const {
    if (!one_queue_) return queues_.list(port).first;
    return queues_[port].head == kNone ? kNone : port;
  }
  bool arbitrate_plainly(std::uint32_t port);
  bool arbitrate_among_queues(std::uint32_t port);
  /// The head of a queue can be asked for, or can no longer.
  void ask(std::uint32_t port, std::uint32_t queue);
  /// Bytes queued for output `port`. With a single class its queue knows them: one cache line less.
  [[nodiscard]] std::int64_t held(std::uint32_t port) const {
    return held_.empty() ? queues_[port].bytes : held_[port];
  }
  /// Bytes of the packet on the link, still in memory until its tail has left.
  [[nodiscard]] std::int64_t departing(std::uint32_t port) const {
    const Output& out = core_.links[port];
    return out.departing * static_cast<std::uint32_t>(out.free_at > core_.now);
  }

  /// Bytes in the memory that a packet for class `buffer` behind `port` competes for.
  [[nodiscard]] std::int64_t used(std::uint32_t port, std::uint16_t buffer) const {
    return is_split(port) ? used_by_class(port, buffer) : held(port) + departing(port);
  }
  [[nodiscard]] std::int64_t used_by_class(std::uint32_t port, std::uint16_t buffer) const;
  /// The classes of `port` have memory of their own. Towards a host there is nothing to part where
  /// classes are outputs of the next switch.
  [[nodiscard]] bool is_split(std::uint32_t port) const {
    return split_ && !(core_.classes_by_output && core_.links[port].to_host);
  }

  Core& core_;
  std::int64_t capacity_;  ///< of a port
  bool split_;
  std::uint32_t queues_a_port_;  ///< a class each, or normal and set-aside queues
  bool one_queue_;               ///< a port: it needs no list of those that ask
  bool is_plain_;                ///< the run is (Core::is_plain), and links take what comes
  std::int64_t class_capacity_;  ///< where memory is split
  Queues queues_;
  /// Per port, where there are several classes: that of the packet on the link; bytes queued.
  std::vector<std::uint16_t> departing_class_;
  std::vector<std::int64_t> held_;
  /// Bytes queued per port and class, where a class has several queues and memory of its own.
  std::vector<std::int64_t> held_of_class_;
  Arbiter arbiter_;
  std::vector<Contender> contenders_;
};

}  // namespace weir::fabric
