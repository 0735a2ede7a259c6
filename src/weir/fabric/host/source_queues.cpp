#include "weir/fabric/host/source_queues.hpp"

namespace weir::fabric {

namespace {

std::uint32_t lasting_queues(const Core& core) {
  switch (core.settings.source_queues) {
    case SourceQueueKind::fifo:
    case SourceQueueKind::shared_memory:
      return 1;
    case SourceQueueKind::per_class:
      return static_cast<std::uint32_t>(core.buffers);
    case SourceQueueKind::per_destination:
      return 0;
    case SourceQueueKind::modulo:
      return core.settings.source_queue_count;
  }
  return 0;
}

}  // namespace

SourceQueueSet::SourceQueueSet(const Core& core, Slab<Message>& messages)
    : kind_(core.settings.source_queues),
      queues_a_host_(lasting_queues(core)),
      mtu_(core.settings.mtu.count),
      header_(core.settings.header.count),
      messages_(messages),
      non_empty_(core.graph.host_count(), 0),
      next_turn_(core.graph.host_count(), 0) {
  const std::size_t hosts = core.graph.host_count();
  if (core.mechanisms.isolation) {
    groups_ = static_cast<std::uint32_t>(core.buffers) *
              (1 + core.mechanisms.isolation->resources(true, 1).set_aside_queues);
  }
  active_.resize(hosts * groups_);
  if (const auto& reaction = core.mechanisms.reaction) {
    due_.resize(hosts);
    shares_windows_ = reaction->shares_states() && reaction->has_windows();
  }
  if (kind_ == SourceQueueKind::shared_memory)
    memories_.assign(hosts, {core.settings.source_memory.count, kNone, 0});
  for (std::uint32_t host = 0; host < hosts; ++host) {
    for (std::uint32_t i = 0; i < queues_a_host_; ++i) queues_[queues_.take()].host = host;
  }
}

std::uint32_t SourceQueueSet::queue_for(std::uint32_t host, std::uint32_t destination,
                                        std::uint32_t flow, std::uint16_t buffer) {
  switch (kind_) {
    case SourceQueueKind::fifo:
    case SourceQueueKind::shared_memory:
      return host;
    case SourceQueueKind::per_class:
      return host * queues_a_host_ + buffer;
    case SourceQueueKind::modulo:
      return host * queues_a_host_ + destination % queues_a_host_;
    case SourceQueueKind::per_destination:
      break;
  }
  return queue_of(host, flow);
}

std::uint32_t SourceQueueSet::queue_of(std::uint32_t host, std::uint32_t flow) {
  if (flow >= by_flow_.size()) by_flow_.resize(flow + flow / 2 + 64, kNone);
  std::uint32_t& queue = by_flow_[flow];
  if (queue == kNone) {
    queue = queues_.take();
    queues_[queue].host = host;
    queues_[queue].flow = flow;
  }
  return queue;
}

void SourceQueueSet::append_message(std::uint32_t queue, std::uint32_t message) {
  SourceQueue& q = queues_[queue];
  messages_[message].next = kNone;
  if (q.head == kNone) {
    q.head = q.tail = message;
  } else {
    messages_[q.tail].next = message;
    q.tail = message;
  }
}

void SourceQueueSet::push(std::uint32_t queue, std::uint32_t message, std::uint32_t group) {
  SourceQueue& q = queues_[queue];
  q.bytes += messages_[message].unsent;
  append_message(queue, message);
  if (q.head != message || kind_ == SourceQueueKind::shared_memory) return;
  q.turn = next_turn_[q.host]++;
  q.group = group;
  ++non_empty_[q.host];
  insert(queue);
}

void SourceQueueSet::insert(std::uint32_t queue) {
  SourceQueue& q = queues_[queue];
  Turn& list = list_of(q);
  if (list.first == kNone || !precedes(q, queues_[list.last])) {
    insert_between(list.last, queue, kNone);
    return;
  }
  // Its turn was early when it was paused, or set aside, so its place is not far from the front.
  std::uint32_t after = list.first;
  while (!precedes(q, queues_[after])) after = queues_[after].next_active;
  insert_between(queues_[after].previous_active, queue, after);
}

void SourceQueueSet::insert_between(std::uint32_t before, std::uint32_t queue,
                                    std::uint32_t after) {
  SourceQueue& q = queues_[queue];
  Turn& list = list_of(q);
  q.previous_active = before;
  q.next_active = after;
  (before == kNone ? list.first : queues_[before].next_active) = queue;
  (after == kNone ? list.last : queues_[after].previous_active) = queue;
}

void SourceQueueSet::unlink(std::uint32_t queue) {
  const SourceQueue& q = queues_[queue];
  Turn& list = list_of(q);
  const std::uint32_t before = q.previous_active;
  const std::uint32_t after = q.next_active;
  (before == kNone ? list.first : queues_[before].next_active) = after;
  (after == kNone ? list.last : queues_[after].previous_active) = before;
}

void SourceQueueSet::pause(std::uint32_t queue) {
  const SourceQueue& q = queues_[queue];
  if (q.paused_until == kNever && !shares_windows_) return;
  std::vector<Due>& heap = due_[q.host];
  heap.push_back({q.paused_until, queue});
  std::push_heap(heap.begin(), heap.end());
}

void SourceQueueSet::on_sent(std::uint32_t queue, std::int64_t payload) {
  queues_[entry_of(queue)].bytes -= payload;
  if (memories_.empty()) return;
  SharedMemory& memory = memories_[queues_[queue].host];
  memory.free += payload + header_;
  if (memory.message == queues_[queue].head) memory.stored -= payload;
}

void SourceQueueSet::pop(std::uint32_t queue) {
  SourceQueue& q = queues_[queue];
  if (!memories_.empty() && memories_[q.host].message == q.head) memories_[q.host].message = kNone;
  q.head = messages_[q.head].next;
  if (q.head == kNone) q.tail = kNone;
}

void SourceQueueSet::turn(std::uint32_t queue, std::uint32_t group) {
  SourceQueue& q = queues_[queue];
  unlink(queue);
  if (q.head == kNone) {
    --non_empty_[q.host];
    return;
  }
  q.turn = next_turn_[q.host]++;
  q.group = group;
  insert(queue);
}

void SourceQueueSet::move_head(std::uint32_t from, std::uint32_t to) {
  SourceQueue& q = queues_[from];
  const std::uint32_t message = q.head;
  if (q.paused_until != SourceQueue::kNotPaused) {
    q.paused_until = SourceQueue::kNotPaused;
    insert(from);
  }
  q.bytes -= messages_[message].unsent;
  pop(from);
  if (q.head == kNone) turn(from, q.group);
  push(to, message, q.group);
}

void SourceQueueSet::retire(std::uint32_t queue) {
  const SourceQueue& q = queues_[queue];
  if (q.flow == kNone || q.head != kNone || q.first_waiter != kNone) return;
  by_flow_[q.flow] = kNone;
  queues_.give_back(queue);
}

std::size_t SourceQueueSet::memory() const {
  std::size_t bytes = queues_.memory() + active_.capacity() * sizeof(Turn) +
                      (non_empty_.capacity() + next_turn_.capacity() + by_flow_.capacity()) *
                          sizeof(std::uint32_t) +
                      memories_.capacity() * sizeof(SharedMemory) +
                      due_.capacity() * sizeof(due_[0]);
  for (const std::vector<Due>& heap : due_) bytes += heap.capacity() * sizeof(Due);
  return bytes;
}

}  // namespace weir::fabric
