#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "weir/base/huge_pages.hpp"
#include "weir/fabric/core.hpp"

namespace weir::fabric {

class NodeState;

/// Messages that wait at a host for the same place in its turn.
struct SourceQueue {
  static constexpr std::int64_t kNotPaused = std::numeric_limits<std::int64_t>::min();

  std::uint32_t head = kNone;  ///< message in the slab
  std::uint32_t tail = kNone;
  std::uint32_t next_active = kNone;  ///< in its group
  std::uint32_t host = 0;
  std::uint32_t flow = kNone;          ///< queues of a flow only
  std::uint32_t first_waiter = kNone;  ///< traffic source that waits for room, in a list
  std::uint32_t last_waiter = kNone;
  std::uint32_t next = kNone;  ///< in the free list
  std::int64_t bytes = 0;      ///< payload not yet sent
  std::uint32_t turn = 0;      ///< when its turn comes among those of its host, modulo 2^32
  std::uint32_t group = 0;     ///< of its head message
  std::int64_t paused_until = kNotPaused;  ///< its flow may not inject before; kNever: not without
                                           ///< an ACK
  std::uint32_t previous_active = kNone;
};

/// The source queues of all hosts (ferrer2012, section 6.4): one FIFO; one a buffer class; one a
/// destination, made when needed and given back when empty (FVOQ); a number of them, by destination
/// modulo that number (PVOQ); or a memory that all packets of the host share, from which any may
/// leave (SB). Each host serves its non-empty queues round robin; of a shared memory it sends the
/// oldest packet that may go.
///
/// A queue whose flow may not inject is paused: no search meets it until its time has come, or an
/// ACK for it. Its turn stays.
///
/// With injection buffers the queues are in groups, one for each queue of the buffer that their
/// heads would end up in: where that one is full, a search does not meet those that wait for it.
class SourceQueueSet {
 public:
  SourceQueueSet(const Core& core, Slab<Message>& messages);

  /// The queue that a message joins; of a shared memory: the FIFO before it.
  std::uint32_t queue_for(std::uint32_t host, std::uint32_t destination, std::uint32_t flow,
                          std::uint16_t buffer);
  /// queue_for() depends on the flow.
  [[nodiscard]] bool by_flow() const { return kind_ == SourceQueueKind::per_destination; }
  /// queue_for() depends on the class.
  [[nodiscard]] bool by_class() const { return kind_ == SourceQueueKind::per_class; }
  /// All messages of a queue that takes its turn are of one flow.
  [[nodiscard]] bool serves_flows() const {
    return by_flow() || kind_ == SourceQueueKind::shared_memory;
  }
  /// `group`: of the message.
  void push(std::uint32_t queue, std::uint32_t message, std::uint32_t group);
  /// Moves packets of the host from the FIFO before its shared memory into it, while they fit.
  template <class GroupOf>
  void fill_memory(std::uint32_t host, GroupOf group_of) {
    if (!memories_.empty()) fill_shared_memory(host, group_of);
  }
  /// push() where each host has one FIFO, which has its number, and nothing pauses it.
  void push_to_fifo(std::uint32_t host, std::uint32_t message) {
    SourceQueue& q = queues_[host];
    Message& m = messages_[message];
    q.bytes += m.unsent;
    m.next = kNone;
    if (q.head != kNone) {
      messages_[q.tail].next = message;
      q.tail = message;
      return;
    }
    q.head = q.tail = message;
    q.turn = next_turn_[host]++;
    ++non_empty_[host];
    active_[host] = {host, host};
  }
  /// on_sent(), pop() if the head message has all been sent, and turn() there.
  void serve_fifo(std::uint32_t host, std::int64_t payload) {
    SourceQueue& q = queues_[host];
    const Message& m = messages_[q.head];
    q.bytes -= payload;
    if (m.unsent == 0) q.head = m.next;
    if (q.head != kNone) {
      q.turn = next_turn_[host]++;
      return;
    }
    q.tail = kNone;
    --non_empty_[host];
    active_[host] = {};
  }
  /// A packet with so much payload of the head message of `queue` has been sent.
  void on_sent(std::uint32_t queue, std::int64_t payload);
  /// Takes the head message, all of which has been sent, off its queue.
  void pop(std::uint32_t queue);
  /// Moves a served queue to its next turn, or out of the turn when it is empty. `group`: of its
  /// head now.
  void turn(std::uint32_t queue, std::uint32_t group);
  /// Moves the head message, what of it is not sent, to the end of another queue of the host.
  void move_head(std::uint32_t from, std::uint32_t to);
  /// Gives the queue of a flow back when nothing uses it.
  void retire(std::uint32_t queue);
  /// The queue that waiting traffic sources are at: of a shared memory the FIFO before it.
  [[nodiscard]] std::uint32_t entry_of(std::uint32_t queue) const {
    return kind_ == SourceQueueKind::shared_memory ? queues_[queue].host : queue;
  }

  /// Queues that a host always has, 0: one for each destination, as they are needed. Those of a
  /// host follow each other from first_lasting(host) on.
  [[nodiscard]] std::uint32_t lasting() const { return queues_a_host_; }
  [[nodiscard]] std::uint32_t first_lasting(std::uint32_t host) const {
    return host * queues_a_host_;
  }

  SourceQueue& operator[](std::uint32_t queue) { return queues_[queue]; }
  const SourceQueue& operator[](std::uint32_t queue) const { return queues_[queue]; }
  /// First in turn of the host's first group.
  [[nodiscard]] std::uint32_t first_active(std::uint32_t host) const {
    return active_[std::size_t{host} * groups_].first;
  }
  /// No message of the host may send a packet, whatever its flow.
  [[nodiscard]] bool is_empty(std::uint32_t host) const { return non_empty_[host] == 0; }
  /// A packet of the head message is in the memory of the host.
  [[nodiscard]] bool has_packet(std::uint32_t queue) const {
    if (memories_.empty()) return true;
    const SharedMemory& memory = memories_[queues_[queue].host];
    return memory.message != queues_[queue].head || memory.stored > 0;
  }

  enum class Answer : std::uint8_t { take, pass, pause };
  /// Visits the host's queues in turn, of the groups for which is_open(group), until visit(queue)
  /// takes one. Returns that one; kNone: there is none. A queue that visit() pauses is out of the
  /// turn until resumed; visit() sets its `paused_until`.
  template <class IsOpen, class Visit>
  std::uint32_t find(std::uint32_t host, IsOpen is_open, Visit visit);
  /// Paused queues of the host whose time has come take their turn again.
  template <class GroupOf>
  void resume_due(std::uint32_t host, std::int64_t now, GroupOf group_of);
  /// When the next one is due, kNever: none is. Some queues may be resumed earlier.
  [[nodiscard]] std::int64_t next_due(std::uint32_t host) const {
    return due_.empty() || due_[host].empty() ? kNever : due_[host].front().time;
  }
  /// An ACK for `flow` has come to the host. With `others`, its other flows that wait are asked
  /// anew, too.
  template <class GroupOf>
  void resume(std::uint32_t host, std::uint32_t flow, bool others, GroupOf group_of);
  /// The host's queues go to the groups that group_of(message) says of their heads. Turns stay.
  template <class GroupOf>
  void regroup(std::uint32_t host, GroupOf group_of);
  /// The same for the queue of a flow alone; only by_flow().
  template <class GroupOf>
  void regroup_flow(std::uint32_t flow, GroupOf group_of);
  [[nodiscard]] std::size_t memory() const;
  /// Those of a host.
  void checkpoint(NodeState& state);
  /// A queue of the host of `state`, as it is called here.
  void checkpoint_queue_of(NodeState& state, std::uint32_t& queue);
  /// All of the host, in the order in which they were written down.
  [[nodiscard]] std::vector<std::uint32_t> queues_of(const NodeState& state) const;

 private:
  struct Turn {
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
  };
  struct Due {
    std::int64_t time = 0;
    std::uint32_t queue = kNone;
    /// For a heap with the earliest in front.
    bool operator<(const Due& other) const { return time > other.time; }
  };
  struct SharedMemory {
    std::int64_t free = 0;
    std::uint32_t message = kNone;  ///< the last one in it, if some of it is not
    std::int64_t stored = 0;        ///< payload of that message in it
  };
  [[nodiscard]] Turn& list_of(const SourceQueue& queue) {
    return active_[std::size_t{queue.host} * groups_ + queue.group];
  }
  [[nodiscard]] std::uint32_t queue_of(std::uint32_t host, std::uint32_t flow);
  /// The queue goes before the other one in turn.
  [[nodiscard]] bool precedes(const SourceQueue& one, const SourceQueue& other) const {
    if (kind_ == SourceQueueKind::shared_memory)
      return messages_[one.head].generated < messages_[other.head].generated;
    return static_cast<std::int32_t>(one.turn - other.turn) < 0;
  }
  void append_message(std::uint32_t queue, std::uint32_t message);
  /// Into the list of its group, where its turn is.
  void insert(std::uint32_t queue);
  void checkpoint_queue(NodeState& state, std::uint32_t queue);
  void checkpoint_turns(NodeState& state);
  void insert_between(std::uint32_t before, std::uint32_t queue, std::uint32_t after);
  void unlink(std::uint32_t queue);
  void pause(std::uint32_t queue);
  template <class GroupOf>
  void resume_queue(std::uint32_t queue, GroupOf group_of);
  template <class GroupOf>
  void fill_shared_memory(std::uint32_t host, GroupOf group_of);

  SourceQueueKind kind_;
  std::uint32_t queues_a_host_ = 1;  ///< that always exist
  std::uint32_t groups_ = 1;
  std::int64_t mtu_;
  std::int64_t header_;
  Slab<Message>& messages_;
  Slab<SourceQueue> queues_;
  HugeVector<Turn> active_;               ///< per host and group
  std::vector<std::uint32_t> non_empty_;  ///< per host: queues, also paused ones
  std::vector<std::uint32_t> next_turn_;  ///< per host
  std::vector<std::uint32_t> by_flow_;    ///< queue of a flow, or kNone
  std::vector<SharedMemory> memories_;    ///< per host; empty without shared memories
  std::vector<std::vector<Due>> due_;     ///< per host: heap of paused queues; empty: no reaction
  /// A window belongs to all flows of a host: the heaps hold those that wait for an ACK, too.
  bool shares_windows_ = false;
  std::vector<std::uint32_t> next_in_group_;  ///< of the search that is running
  std::vector<std::uint32_t> regrouped_;
};

template <class IsOpen, class Visit>
std::uint32_t SourceQueueSet::find(std::uint32_t host, IsOpen is_open, Visit visit) {
  if (groups_ == 1) {
    if (active_[host].first == kNone || !is_open(0)) return kNone;
    for (std::uint32_t queue = active_[host].first; queue != kNone;) {
      const Answer answer = visit(queue);
      if (answer == Answer::take) return queue;
      const std::uint32_t next = queues_[queue].next_active;
      if (answer == Answer::pause) {
        unlink(queue);
        pause(queue);
      }
      queue = next;
    }
    return kNone;
  }
  next_in_group_.clear();
  for (std::uint32_t g = 0; g < groups_; ++g) {
    const std::uint32_t first = active_[std::size_t{host} * groups_ + g].first;
    if (first != kNone && is_open(g)) next_in_group_.push_back(first);
  }
  while (!next_in_group_.empty()) {
    const auto next = std::min_element(
        next_in_group_.begin(), next_in_group_.end(),
        [&](std::uint32_t a, std::uint32_t b) { return precedes(queues_[a], queues_[b]); });
    const std::uint32_t queue = *next;
    const Answer answer = visit(queue);
    if (answer == Answer::take) return queue;
    *next = queues_[queue].next_active;
    if (answer == Answer::pause) {
      unlink(queue);
      pause(queue);
    }
    if (*next == kNone) next_in_group_.erase(next);
  }
  return kNone;
}

template <class GroupOf>
void SourceQueueSet::resume_queue(std::uint32_t queue, GroupOf group_of) {
  SourceQueue& q = queues_[queue];
  if (q.paused_until == SourceQueue::kNotPaused) return;
  q.paused_until = SourceQueue::kNotPaused;
  q.group = group_of(messages_[q.head]);
  insert(queue);
}

template <class GroupOf>
void SourceQueueSet::resume_due(std::uint32_t host, std::int64_t now, GroupOf group_of) {
  if (due_.empty()) return;
  std::vector<Due>& heap = due_[host];
  while (!heap.empty() && heap.front().time <= now) {
    std::pop_heap(heap.begin(), heap.end());
    const Due due = heap.back();
    heap.pop_back();
    // It may have been resumed, and paused again, since.
    if (due.queue == kNone) continue;  // of a checkpoint: it was gone by then
    if (queues_[due.queue].paused_until == due.time) resume_queue(due.queue, group_of);
  }
}

template <class GroupOf>
void SourceQueueSet::resume(std::uint32_t host, std::uint32_t flow, bool others, GroupOf group_of) {
  if (serves_flows()) {
    if (flow < by_flow_.size() && by_flow_[flow] != kNone) resume_queue(by_flow_[flow], group_of);
    if (others) resume_due(host, kNever, group_of);
    return;
  }
  for (std::uint32_t i = 0; i < queues_a_host_; ++i)
    resume_queue(host * queues_a_host_ + i, group_of);
}

template <class GroupOf>
void SourceQueueSet::fill_shared_memory(std::uint32_t host, GroupOf group_of) {
  SharedMemory& memory = memories_[host];
  for (;;) {
    if (memory.message != kNone) {
      const std::int64_t rest = messages_[memory.message].unsent - memory.stored;
      const std::int64_t payload = std::min(rest, mtu_);
      if (payload > 0) {
        if (memory.free < payload + header_) return;
        memory.free -= payload + header_;
        memory.stored += payload;
        continue;
      }
      memory.message = kNone;
    }
    SourceQueue& entry = queues_[host];
    if (entry.head == kNone) return;
    const std::uint32_t message = entry.head;
    if (memory.free < std::min(messages_[message].unsent, mtu_) + header_) return;
    pop(host);
    memory.message = message;
    memory.stored = 0;
    const std::uint32_t queue = queue_of(host, messages_[message].flow);
    append_message(queue, message);
    if (queues_[queue].head != message) continue;
    queues_[queue].group = group_of(messages_[message]);
    ++non_empty_[host];
    insert(queue);
  }
}

template <class GroupOf>
void SourceQueueSet::regroup(std::uint32_t host, GroupOf group_of) {
  regrouped_.clear();
  find(
      host, [](std::uint32_t) { return true; },
      [&](std::uint32_t queue) {
        regrouped_.push_back(queue);
        return Answer::pass;
      });
  std::fill_n(active_.begin() + std::ptrdiff_t{host} * groups_, groups_, Turn{});
  for (const std::uint32_t queue : regrouped_) {
    queues_[queue].group = group_of(messages_[queues_[queue].head]);
    insert(queue);
  }
}

template <class GroupOf>
void SourceQueueSet::regroup_flow(std::uint32_t flow, GroupOf group_of) {
  if (flow >= by_flow_.size() || by_flow_[flow] == kNone) return;
  SourceQueue& q = queues_[by_flow_[flow]];
  if (q.head == kNone || q.paused_until != SourceQueue::kNotPaused) return;
  const std::uint32_t group = group_of(messages_[q.head]);
  if (group == q.group) return;
  unlink(by_flow_[flow]);
  q.group = group;
  insert(by_flow_[flow]);
}

}  // namespace weir::fabric
