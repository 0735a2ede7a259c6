#include "weir/fabric/source_queues.hpp"

namespace weir::fabric {

SourceQueueSet::SourceQueueSet(const Core& core, Slab<Message>& messages)
    : kind_(core.settings.source_queues),
      classes_(static_cast<std::uint32_t>(kind_ == SourceQueueKind::per_class ? core.buffers : 1)),
      messages_(messages),
      active_(core.graph.host_count()) {
  if (kind_ == SourceQueueKind::per_destination) return;
  for (std::uint32_t host = 0; host < core.graph.host_count(); ++host) {
    for (std::uint32_t c = 0; c < classes_; ++c) queues_[queues_.take()].host = host;
  }
}

std::uint32_t SourceQueueSet::queue_for(std::uint32_t host, std::uint32_t flow,
                                        std::uint16_t buffer) {
  if (kind_ == SourceQueueKind::fifo) return host;
  if (kind_ == SourceQueueKind::per_class) return host * classes_ + buffer;
  if (flow >= by_flow_.size()) by_flow_.resize(flow + flow / 2 + 64, kNone);
  std::uint32_t& queue = by_flow_[flow];
  if (queue == kNone) {
    queue = queues_.take();
    queues_[queue].host = host;
    queues_[queue].flow = flow;
  }
  return queue;
}

void SourceQueueSet::push(std::uint32_t queue, std::uint32_t message) {
  SourceQueue& q = queues_[queue];
  Message& m = messages_[message];
  m.next = kNone;
  q.bytes += m.unsent;
  if (q.head != kNone) {
    messages_[q.tail].next = message;
    q.tail = message;
    return;
  }
  q.head = q.tail = message;
  Turn& turn = active_[q.host];
  q.next_active = kNone;
  if (turn.first == kNone) {
    turn.first = turn.last = queue;
  } else {
    queues_[turn.last].next_active = queue;
    turn.last = queue;
  }
}

void SourceQueueSet::pop(std::uint32_t queue) {
  SourceQueue& q = queues_[queue];
  q.head = messages_[q.head].next;
  if (q.head == kNone) q.tail = kNone;
}

void SourceQueueSet::turn(std::uint32_t queue, std::uint32_t before) {
  SourceQueue& q = queues_[queue];
  Turn& turn = active_[q.host];
  const bool stays = q.head != kNone;
  if (stays && turn.last == queue) return;
  if (before == kNone) {
    turn.first = q.next_active;
  } else {
    queues_[before].next_active = q.next_active;
  }
  if (turn.last == queue) turn.last = before;
  q.next_active = kNone;
  if (!stays) return;
  queues_[turn.last].next_active = queue;
  turn.last = queue;
}

void SourceQueueSet::move_head(std::uint32_t from, std::uint32_t to) {
  SourceQueue& q = queues_[from];
  const std::uint32_t message = q.head;
  q.bytes -= messages_[message].unsent;
  pop(from);
  if (q.head == kNone) {
    std::uint32_t before = kNone;
    for (std::uint32_t other = active_[q.host].first; other != from;
         other = queues_[other].next_active) {
      before = other;
    }
    turn(from, before);
  }
  push(to, message);
}

void SourceQueueSet::retire(std::uint32_t queue) {
  const SourceQueue& q = queues_[queue];
  if (kind_ != SourceQueueKind::per_destination || q.head != kNone || q.first_waiter != kNone)
    return;
  by_flow_[q.flow] = kNone;
  queues_.give_back(queue);
}

std::size_t SourceQueueSet::memory() const {
  return queues_.memory() + active_.capacity() * sizeof(Turn) +
         by_flow_.capacity() * sizeof(std::uint32_t);
}

}  // namespace weir::fabric
