#pragma once

#include <cstdint>
#include <vector>

#include "weir/fabric/core.hpp"

namespace weir::fabric {

/// Messages that wait at a host for the same place in its round robin.
struct SourceQueue {
  std::uint32_t head = kNone;  ///< message in the slab
  std::uint32_t tail = kNone;
  std::uint32_t next_active = kNone;
  std::uint32_t host = 0;
  std::uint32_t flow = kNone;          ///< per-destination queues only
  std::uint32_t first_waiter = kNone;  ///< traffic source that waits for room, in a list
  std::uint32_t last_waiter = kNone;
  std::uint32_t next = kNone;  ///< in the free list
  std::int64_t bytes = 0;      ///< payload not yet sent
};

/// The source queues of all hosts: one FIFO, one per buffer class, or one per destination (made
/// when needed and given back when empty). Each host serves its non-empty queues round robin.
class SourceQueueSet {
 public:
  SourceQueueSet(const Core& core, Slab<Message>& messages);

  /// The queue for a message of `host` in class `buffer`. `flow` matters only where by_flow().
  std::uint32_t queue_for(std::uint32_t host, std::uint32_t flow, std::uint16_t buffer);
  /// A queue for each destination: queue_for() depends on the flow.
  [[nodiscard]] bool by_flow() const { return kind_ == SourceQueueKind::per_destination; }
  /// queue_for() depends on the class.
  [[nodiscard]] bool by_class() const { return kind_ == SourceQueueKind::per_class; }
  void push(std::uint32_t queue, std::uint32_t message);
  /// Takes the head message, all of which has been sent, off its queue.
  void pop(std::uint32_t queue);
  /// Moves a served queue to the end of its host's turn, or out of it when it is empty.
  void turn(std::uint32_t queue, std::uint32_t before);
  /// Moves the head message, what of it is not sent, to the end of another queue of the host.
  void move_head(std::uint32_t from, std::uint32_t to);
  /// Gives a per-destination queue back when nothing uses it.
  void retire(std::uint32_t queue);

  SourceQueue& operator[](std::uint32_t queue) { return queues_[queue]; }
  const SourceQueue& operator[](std::uint32_t queue) const { return queues_[queue]; }
  [[nodiscard]] std::uint32_t first_active(std::uint32_t host) const { return active_[host].first; }
  [[nodiscard]] std::size_t memory() const;

 private:
  struct Turn {
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
  };
  SourceQueueKind kind_;
  std::uint32_t classes_;
  Slab<Message>& messages_;
  Slab<SourceQueue> queues_;
  std::vector<Turn> active_;            ///< per host
  std::vector<std::uint32_t> by_flow_;  ///< queue of a flow, or kNone
};

}  // namespace weir::fabric
