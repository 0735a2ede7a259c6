#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "weir/base/huge_pages.hpp"
#include "weir/base/prefetch.hpp"
#include "weir/fabric/packet.hpp"
#include "weir/fabric/slab.hpp"

namespace weir {
class StateArchive;
}

namespace weir::fabric {

class NodeState;

/// A FIFO of packets with what an arbiter needs of its head, so that it need not touch the packet.
/// A switch has at most 256 ports, so that a byte names one.
struct alignas(32) Queue {
  static constexpr std::uint32_t kMostBytes = (std::uint32_t{1} << 30) - 1;

  std::uint32_t head = kNone;
  std::uint32_t tail = kNone;
  std::uint32_t next_active = kNone;  ///< next queue in the same active list
  std::uint32_t bytes = 0;
  std::uint32_t stored = 0;   ///< packets since the start, modulo 2^32
  std::uint32_t removed = 0;  ///< likewise
  std::uint32_t head_size : 30 = 0;
  bool is_held : 1 = false;       ///< makes no request (congestion isolation)
  bool is_urgent : 1 = false;     ///< goes to the front of its list
  std::uint16_t head_buffer = 0;  ///< buffer class the head needs downstream
  std::uint8_t head_out = 0;      ///< local output the head wants
  std::uint8_t input = 0;         ///< local input the queue belongs to

  [[nodiscard]] std::uint32_t packets() const { return stored - removed; }
};

static_assert(sizeof(Queue) == 32);

/// Queues in arrival order of their requests: round robin when served ones go to the end.
struct ActiveList {
  std::uint32_t first = kNone;
  std::uint32_t last = kNone;
};

/// Queues and the lists of those that want the same thing.
class Queues {
 public:
  explicit Queues(Slab<Packet>& packets) : packets_(&packets) {}

  void resize(std::size_t queues, std::size_t lists) {
    queues_.resize(queues);
    lists_.resize(lists);
  }
  Queue& operator[](std::uint32_t q) { return queues_[q]; }
  const Queue& operator[](std::uint32_t q) const { return queues_[q]; }
  [[nodiscard]] std::size_t index_of(const Queue& queue) const {
    return static_cast<std::size_t>(&queue - queues_.data());
  }
  [[nodiscard]] const ActiveList& list(std::size_t l) const { return lists_[l]; }
  void prefetch_list(std::size_t l) const { weir::prefetch(&lists_[l]); }
  [[nodiscard]] std::size_t size() const { return queues_.size(); }

  /// Appends a packet. Returns true when it is the new head.
  bool push(std::uint32_t q, std::uint32_t packet) {
    return push(queues_[q], packet, (*packets_)[packet]);
  }
  bool push(Queue& queue, std::uint32_t packet, Packet& p) {
    p.next = kNone;
    queue.bytes += p.size;
    ++queue.stored;
    if (queue.head != kNone) {
      (*packets_)[queue.tail].next = packet;
      queue.tail = packet;
      return false;
    }
    queue.head = queue.tail = packet;
    show_head(queue, p);
    return true;
  }

  /// Removes the head. Returns false when the queue is empty now.
  bool pop(std::uint32_t q) { return pop(queues_[q], (*packets_)[queues_[q].head]); }
  bool pop(Queue& queue, const Packet& p) {
    queue.bytes -= p.size;
    ++queue.removed;
    queue.head = p.next;
    if (queue.head == kNone) {
      queue.tail = kNone;
      return false;
    }
    show_head(queue, (*packets_)[queue.head]);
    return true;
  }

  /// Puts a queue at the end of a list. Returns true when the list was empty.
  bool activate(std::size_t l, std::uint32_t q) {
    ActiveList& list = lists_[l];
    queues_[q].next_active = kNone;
    if (list.first == kNone) {
      list.first = list.last = q;
      return true;
    }
    if (queues_[q].is_urgent) {
      queues_[q].next_active = list.first;
      list.first = q;
      return false;
    }
    queues_[list.last].next_active = q;
    list.last = q;
    return false;
  }

  /// Takes `q` out of a list that it is in. Returns true when the list is empty now.
  bool withdraw(std::size_t l, std::uint32_t q) {
    std::uint32_t before = kNone;
    for (std::uint32_t other = lists_[l].first; other != q; other = queues_[other].next_active)
      before = other;
    return deactivate(l, q, before);
  }

  /// Takes `q` out, whose predecessor in the list is `before` (kNone: it is first). Returns true
  /// when the list is empty now.
  bool deactivate(std::size_t l, std::uint32_t q, std::uint32_t before) {
    ActiveList& list = lists_[l];
    const std::uint32_t after = queues_[q].next_active;
    if (before == kNone) {
      list.first = after;
    } else {
      queues_[before].next_active = after;
    }
    if (list.last == q) list.last = before;
    return list.first == kNone;
  }

  /// What is in `from` is in the empty queue `to` from now on, with its place in the list `l` of
  /// what the head wants.
  void rename(std::size_t l, std::uint32_t from, std::uint32_t to) {
    std::swap(queues_[from], queues_[to]);
    if (queues_[to].head == kNone || queues_[to].is_held) return;
    ActiveList& list = lists_[l];
    std::uint32_t* place = &list.first;
    while (*place != from) place = &queues_[*place].next_active;
    *place = to;
    if (list.last == from) list.last = to;
  }

  /// What is in a queue, and what a list has among the queues from `base` on. Read into what is
  /// empty.
  void checkpoint_queue(NodeState& state, std::uint32_t q);
  void checkpoint_list(StateArchive& state, std::size_t l, std::uint32_t base);

  /// Fetch into the cache what push() touches beside the queue, and what pop() does.
  void prefetch_tail(std::uint32_t q) const { prefetch_packet(queues_[q].tail); }
  void prefetch_head(std::uint32_t q) const { prefetch_packet(queues_[q].head); }

  [[nodiscard]] std::size_t memory() const {
    return queues_.capacity() * sizeof(Queue) + lists_.capacity() * sizeof(ActiveList);
  }

 private:
  static void show_head(Queue& queue, const Packet& p) {
    queue.head_size = p.size & Queue::kMostBytes;
    queue.head_buffer = p.next_buffer;
    queue.head_out = static_cast<std::uint8_t>(p.out);
  }
  void prefetch_packet(std::uint32_t packet) const {
    if (packet != kNone) weir::prefetch(&(*packets_)[packet]);
  }

  Slab<Packet>* packets_;
  HugeVector<Queue> queues_;
  HugeVector<ActiveList> lists_;
};

}  // namespace weir::fabric
