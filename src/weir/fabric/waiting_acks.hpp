#pragma once

#include <cstdint>
#include <vector>

#include "weir/fabric/packet.hpp"
#include "weir/fabric/slab.hpp"

namespace weir::fabric {

/// The ACKs and flow-routing packets that wait at hosts for their link, first come, first served.
/// A host's are linked through the packets themselves.
class WaitingAcks {
 public:
  explicit WaitingAcks(Slab<Packet>& packets) : packets_(packets) {}

  /// Without it no host has any.
  void serve(std::size_t hosts) { queues_.resize(hosts); }

  [[nodiscard]] bool any(std::uint32_t host) const {
    return !queues_.empty() && queues_[host].head != kNone;
  }
  /// Handle of the next one of a host that has any.
  [[nodiscard]] std::uint32_t front(std::uint32_t host) const { return queues_[host].head; }
  void push(std::uint32_t host, std::uint32_t packet) {
    Queue& queue = queues_[host];
    packets_[packet].next = kNone;
    if (queue.head == kNone) {
      queue.head = packet;
    } else {
      packets_[queue.tail].next = packet;
    }
    queue.tail = packet;
  }
  void pop(std::uint32_t host) {
    Queue& queue = queues_[host];
    queue.head = packets_[queue.head].next;
  }

  /// Of all hosts.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Queue& queue : queues_) {
      for (std::uint32_t p = queue.head; p != kNone; p = packets_[p].next) visit(p);
    }
  }
  [[nodiscard]] std::size_t memory() const { return queues_.capacity() * sizeof(Queue); }

 private:
  struct Queue {
    std::uint32_t head = kNone;
    std::uint32_t tail = kNone;
  };

  Slab<Packet>& packets_;
  std::vector<Queue> queues_;
};

}  // namespace weir::fabric
