#pragma once

#include <algorithm>
#include <cstddef>
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
  std::uint32_t turn = 0;      ///< when its turn comes among those of its host, modulo 2^32
  std::uint32_t group = 0;     ///< of its head message
};

/// The source queues of all hosts: one FIFO, one per buffer class, or one per destination (made
/// when needed and given back when empty). Each host serves its non-empty queues round robin.
///
/// With injection buffers they are in groups, one for each queue of the buffer that their heads
/// would end up in: where that one is full, a search does not meet the queues that wait for it.
class SourceQueueSet {
 public:
  SourceQueueSet(const Core& core, Slab<Message>& messages);

  /// The queue for a message of `host` in class `buffer`. `flow` matters only where by_flow().
  std::uint32_t queue_for(std::uint32_t host, std::uint32_t flow, std::uint16_t buffer);
  /// A queue for each destination: queue_for() depends on the flow.
  [[nodiscard]] bool by_flow() const { return kind_ == SourceQueueKind::per_destination; }
  /// queue_for() depends on the class.
  [[nodiscard]] bool by_class() const { return kind_ == SourceQueueKind::per_class; }
  /// `group`: of the message.
  void push(std::uint32_t queue, std::uint32_t message, std::uint32_t group);
  /// Takes the head message, all of which has been sent, off its queue.
  void pop(std::uint32_t queue);
  /// Moves a served queue, whose predecessor in its group is `before`, to the end of its host's
  /// turn, or out of it when it is empty. `group`: of its head now.
  void turn(std::uint32_t queue, std::uint32_t before, std::uint32_t group);
  /// Moves the head message, what of it is not sent, to the end of another queue of the host.
  void move_head(std::uint32_t from, std::uint32_t to);
  /// Gives a per-destination queue back when nothing uses it.
  void retire(std::uint32_t queue);

  SourceQueue& operator[](std::uint32_t queue) { return queues_[queue]; }
  const SourceQueue& operator[](std::uint32_t queue) const { return queues_[queue]; }
  /// First in turn of the host's first group.
  [[nodiscard]] std::uint32_t first_active(std::uint32_t host) const {
    return active_[std::size_t{host} * groups_].first;
  }
  [[nodiscard]] bool is_empty(std::uint32_t host) const { return non_empty_[host] == 0; }
  /// Visits the host's non-empty queues in turn, of the groups for which is_open(group), until
  /// visit(queue) is true. Returns that one and its predecessor in its group; kNone: there is none.
  struct Found {
    std::uint32_t queue = kNone;
    std::uint32_t before = kNone;
  };
  template <class IsOpen, class Visit>
  Found find(std::uint32_t host, IsOpen is_open, Visit visit);
  /// The host's queues go to the groups that group_of(message) says of their heads. Turns stay.
  template <class GroupOf>
  void regroup(std::uint32_t host, GroupOf group_of);
  [[nodiscard]] std::size_t memory() const;

 private:
  struct Turn {
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
  };
  [[nodiscard]] Turn& list_of(const SourceQueue& queue) {
    return active_[std::size_t{queue.host} * groups_ + queue.group];
  }
  void append(std::uint32_t queue);

  SourceQueueKind kind_;
  std::uint32_t classes_;
  std::uint32_t groups_ = 1;
  Slab<Message>& messages_;
  Slab<SourceQueue> queues_;
  std::vector<Turn> active_;              ///< per host and group
  std::vector<std::uint32_t> non_empty_;  ///< per host: queues
  std::vector<std::uint32_t> next_turn_;  ///< per host
  std::vector<std::uint32_t> by_flow_;    ///< queue of a flow, or kNone
  std::vector<Found> next_in_group_;      ///< of the search that is running
  std::vector<std::uint32_t> regrouped_;
};

template <class IsOpen, class Visit>
SourceQueueSet::Found SourceQueueSet::find(std::uint32_t host, IsOpen is_open, Visit visit) {
  next_in_group_.clear();
  for (std::uint32_t g = 0; g < groups_; ++g) {
    const std::uint32_t first = active_[std::size_t{host} * groups_ + g].first;
    if (first != kNone && is_open(g)) next_in_group_.push_back({first, kNone});
  }
  while (!next_in_group_.empty()) {
    const auto next = std::min_element(
        next_in_group_.begin(), next_in_group_.end(), [&](const Found& a, const Found& b) {
          return static_cast<std::int32_t>(queues_[a.queue].turn - queues_[b.queue].turn) < 0;
        });
    if (visit(next->queue)) return *next;
    *next = {queues_[next->queue].next_active, next->queue};
    if (next->queue == kNone) next_in_group_.erase(next);
  }
  return {};
}

template <class GroupOf>
void SourceQueueSet::regroup(std::uint32_t host, GroupOf group_of) {
  regrouped_.clear();
  find(
      host, [](std::uint32_t) { return true; },
      [&](std::uint32_t queue) {
        regrouped_.push_back(queue);
        return false;
      });
  std::fill_n(active_.begin() + std::ptrdiff_t{host} * groups_, groups_, Turn{});
  for (const std::uint32_t queue : regrouped_) {
    queues_[queue].group = group_of(messages_[queues_[queue].head]);
    append(queue);
  }
}

}  // namespace weir::fabric
