#include "weir/fabric/egress.hpp"

#include <algorithm>

namespace weir::fabric {

EgressBuffers::EgressBuffers(Core& core, std::int64_t capacity)
    : core_(core),
      capacity_(capacity),
      split_(core.settings.memory == Memory::split && capacity != kUnlimited && core.buffers > 1),
      queues_(core.packets),
      arbiter_(core.settings, core.graph) {
  queues_.resize(core.graph.port_count() * static_cast<std::size_t>(core.buffers),
                 core.graph.port_count());
  if (split_) capacity_ /= core.buffers;
  if (core.buffers == 1) return;
  departing_class_.assign(core.graph.port_count(), 0);
  held_.assign(core.graph.port_count(), 0);
}

bool EgressBuffers::has_room(std::uint32_t port, std::uint16_t buffer, std::uint32_t bytes) const {
  if (capacity_ == kUnlimited) return true;
  std::int64_t used = held(port) + departing(port);
  if (split_) {
    used = queues_[queue_of(port, buffer)].bytes;
    if (departing_class_[port] == buffer) used += departing(port);
  }
  return used + bytes <= capacity_;
}

void EgressBuffers::push(std::uint32_t port, std::uint32_t packet) {
  const Packet& p = core_.packets[packet];
  if (!held_.empty()) held_[port] += p.size;
  core_.links[port].queued_bytes += p.size;
  if (core_.mechanisms.marker)
    core_.mechanisms.marker->on_egress(core_, PortId(port), core_.packets[packet]);
  const std::uint32_t q = queue_of(port, p.next_buffer);
  if (!queues_.push(q, packet)) return;
  queues_.activate(port, q);
  const std::int64_t earliest = std::max(p.ready, core_.links[port].free_at);
  if (earliest > core_.now) {
    core_.wake(port, earliest);
  } else {
    core_.mark_dirty(port);
  }
}

bool EgressBuffers::pick(std::uint32_t port, Pick& found, bool& lacks_credit,
                         std::int64_t& ready_at) {
  contenders_.clear();
  std::uint32_t before = kNone;
  for (std::uint32_t q = queues_.list(port).first; q != kNone;
       before = q, q = queues_[q].next_active) {
    const Queue& queue = queues_[q];
    if (!core_.can_send(port, queue.head_buffer, queue.head_size)) {
      lacks_credit = true;
      continue;
    }
    const std::int64_t ready = core_.packets[queue.head].ready;
    if (ready > core_.now) {
      ready_at = std::min(ready_at, ready);
      continue;
    }
    if (core_.settings.arbiter != ArbiterKind::vl_weighted &&
        core_.settings.arbiter != ArbiterKind::first_come) {
      // Served queues go to the end of the list: the first that can go is next in turn.
      found = {q, before};
      return true;
    }
    contenders_.push_back({{q, before, 0}, queue.head_buffer, ready, queue.head_size});
  }
  if (contenders_.empty()) return false;
  const std::size_t winner = arbiter_.choose(port, 0, contenders_);
  if (winner == contenders_.size()) return false;
  found = {contenders_[winner].request.queue, contenders_[winner].request.before};
  return true;
}

bool EgressBuffers::arbitrate(std::uint32_t port) {
  Output& out = core_.links[port];
  if (queues_.list(port).first == kNone) return false;
  if (out.free_at > core_.now) {
    core_.wake(port, out.free_at);
    return false;
  }
  core_.links.apply(port, core_.now);
  Pick found;
  bool lacks_credit = false;
  std::int64_t ready_at = kNever;
  if (pick(port, found, lacks_credit, ready_at)) {
    start(port, found);
    return true;
  }
  if (lacks_credit) {
    core_.set_blocked(port);
    core_.wake(port, core_.links.next_feedback(port));
  }
  core_.wake(port, ready_at);
  return false;
}

void EgressBuffers::start(std::uint32_t port, const Pick& found) {
  Output& out = core_.links[port];
  const Queue& queue = queues_[found.queue];
  const std::uint32_t packet = queue.head;
  const std::uint32_t bytes = queue.head_size;
  out.departing = bytes;
  if (!held_.empty()) {
    departing_class_[port] = queue.head_buffer;
    held_[port] -= bytes;
  }
  out.queued_bytes -= bytes;
  queues_.deactivate(port, found.queue, found.before);
  if (queues_.pop(found.queue)) queues_.activate(port, found.queue);
  const std::int64_t free_at = core_.transmit(port, packet);
  if (queues_.list(port).first != kNone) core_.wake(port, free_at);
}

std::int64_t EgressBuffers::occupancy(std::uint32_t port) const {
  return held(port) + departing(port);
}

void EgressBuffers::for_each_packet(
    const std::function<void(std::uint32_t, std::uint32_t)>& visit) const {
  const auto classes = static_cast<std::uint32_t>(core_.buffers);
  for (std::uint32_t q = 0; q < queues_.size(); ++q) {
    for (std::uint32_t p = queues_[q].head; p != kNone; p = core_.packets[p].next)
      visit(q / classes, p);
  }
}

}  // namespace weir::fabric
