#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/fabric/packet.hpp"
#include "weir/fabric/slab.hpp"

namespace weir::fabric {

class NodeState;

/// The ACKs and flow-routing packets that wait at hosts for their link, first come, first served;
/// where hosts arbitrate among VLs, for each VL by itself. A queue's are linked through the packets
/// themselves.
///
/// They go before the data of their host, but not for ever: a host that receives small packets may
/// owe ACKs as fast as its link takes them. When the bytes of a largest packet have gone past
/// waiting data, a packet of data has a turn.
class WaitingAcks {
 public:
  explicit WaitingAcks(Slab<Packet>& packets) : packets_(packets) {}

  /// Without it no host has any. `vls`: queues of a host. `past_data`: bytes that may go past data.
  void serve(std::size_t hosts, std::size_t vls, std::uint32_t past_data) {
    vls_ = vls;
    past_data_ = past_data;
    queues_.resize(hosts * vls);
  }

  /// Queues of a host.
  [[nodiscard]] std::size_t vls() const { return vls_; }
  [[nodiscard]] bool any(std::uint32_t host) const {
    if (vls_ == 1) return any(host, 0);
    for (std::size_t i = host * vls_; i < std::min((host + 1) * vls_, queues_.size()); ++i) {
      if (queues_[i].head != kNone) return true;
    }
    return false;
  }
  [[nodiscard]] bool any(std::uint32_t host, std::size_t vl) const {
    return !queues_.empty() && queues_[host * vls_ + vl].head != kNone;
  }
  /// Do those that wait go before data? Not when data has a turn.
  [[nodiscard]] bool precede(std::uint32_t host, std::size_t vl = 0) const {
    return queues_.empty() || queues_[host * vls_ + vl].passed < past_data_;
  }
  /// A packet of data has gone.
  void on_data(std::uint32_t host, std::size_t vl = 0) {
    if (!queues_.empty()) queues_[host * vls_ + vl].passed = 0;
  }
  /// Handle of the next one of a host that has any.
  [[nodiscard]] std::uint32_t front(std::uint32_t host, std::size_t vl = 0) const {
    return queues_[host * vls_ + vl].head;
  }
  void push(std::uint32_t host, std::uint32_t packet) {
    Queue& queue = queues_[host * vls_ + (vls_ > 1 ? packets_[packet].next_buffer : 0)];
    packets_[packet].next = kNone;
    if (queue.head == kNone) {
      queue.head = packet;
    } else {
      packets_[queue.tail].next = packet;
    }
    queue.tail = packet;
  }
  /// `data_waits`: at the same host.
  void pop(std::uint32_t host, bool data_waits, std::size_t vl = 0) {
    Queue& queue = queues_[host * vls_ + vl];
    const Packet& packet = packets_[queue.head];
    queue.passed = data_waits ? std::min(queue.passed + packet.size, past_data_) : 0;
    queue.head = packet.next;
  }

  /// Of all hosts.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Queue& queue : queues_) {
      for (std::uint32_t p = queue.head; p != kNone; p = packets_[p].next) visit(p);
    }
  }
  [[nodiscard]] std::size_t memory() const { return queues_.capacity() * sizeof(Queue); }
  void checkpoint(NodeState& state);

 private:
  struct Queue {
    std::uint32_t head = kNone;
    std::uint32_t tail = kNone;
    std::uint32_t passed = 0;  ///< bytes, since a packet of data went or none waited
  };

  Slab<Packet>& packets_;
  std::size_t vls_ = 1;
  std::uint32_t past_data_ = 0;
  std::vector<Queue> queues_;
};

}  // namespace weir::fabric
