#include "weir/fabric/source_queues.hpp"

namespace weir::fabric {

SourceQueueSet::SourceQueueSet(const Core& core, Slab<Message>& messages)
    : kind_(core.settings.source_queues),
      classes_(static_cast<std::uint32_t>(kind_ == SourceQueueKind::per_class ? core.buffers : 1)),
      messages_(messages),
      non_empty_(core.graph.host_count(), 0),
      next_turn_(core.graph.host_count(), 0) {
  if (core.mechanisms.isolation)
    groups_ += core.mechanisms.isolation->resources(true, 1).set_aside_queues;
  active_.resize(core.graph.host_count() * groups_);
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

void SourceQueueSet::push(std::uint32_t queue, std::uint32_t message, std::uint32_t group) {
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
  q.turn = next_turn_[q.host]++;
  q.group = group;
  ++non_empty_[q.host];
  append(queue);
}

void SourceQueueSet::append(std::uint32_t queue) {
  Turn& list = list_of(queues_[queue]);
  queues_[queue].next_active = kNone;
  if (list.first == kNone) {
    list.first = list.last = queue;
  } else {
    queues_[list.last].next_active = queue;
    list.last = queue;
  }
}

void SourceQueueSet::pop(std::uint32_t queue) {
  SourceQueue& q = queues_[queue];
  q.head = messages_[q.head].next;
  if (q.head == kNone) q.tail = kNone;
}

void SourceQueueSet::turn(std::uint32_t queue, std::uint32_t before, std::uint32_t group) {
  SourceQueue& q = queues_[queue];
  Turn& list = list_of(q);
  if (before == kNone) {
    list.first = q.next_active;
  } else {
    queues_[before].next_active = q.next_active;
  }
  if (list.last == queue) list.last = before;
  if (q.head == kNone) {
    --non_empty_[q.host];
    return;
  }
  q.turn = next_turn_[q.host]++;
  q.group = group;
  append(queue);
}

void SourceQueueSet::move_head(std::uint32_t from, std::uint32_t to) {
  SourceQueue& q = queues_[from];
  const std::uint32_t message = q.head;
  q.bytes -= messages_[message].unsent;
  pop(from);
  if (q.head == kNone) {
    std::uint32_t before = kNone;
    for (std::uint32_t other = list_of(q).first; other != from; other = queues_[other].next_active)
      before = other;
    turn(from, before, q.group);
  }
  push(to, message, q.group);
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
         (non_empty_.capacity() + next_turn_.capacity() + by_flow_.capacity()) *
             sizeof(std::uint32_t);
}

}  // namespace weir::fabric
