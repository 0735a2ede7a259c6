#include "weir/fabric/switch/egress.hpp"

#include <algorithm>

#include "weir/fabric/checkpoint/node_state.hpp"
#include "weir/fabric/waiting_watch.hpp"

namespace weir::fabric {

EgressBuffers::EgressBuffers(Core& core, std::int64_t capacity)
    : EgressBuffers(core, capacity, core.graph.port_count()) {}

EgressBuffers::EgressBuffers(Core& core, std::int64_t capacity, std::size_t ports)
    : core_(core),
      capacity_(capacity),
      split_(core.settings.memory == Memory::split && capacity != kUnlimited && core.buffers > 1),
      queues_a_port_(static_cast<std::uint32_t>(core.buffers)),
      one_queue_(core.buffers == 1 && !core.mechanisms.isolation),
      is_plain_(core.is_plain && core.settings.arbiter == ArbiterKind::round_robin),
      class_capacity_(capacity / core.buffers),
      queues_(core.packets),
      arbiter_(core) {
  if (core.mechanisms.isolation) {
    queues_a_port_ *= 1 + core.mechanisms.isolation->resources(true, 1).set_aside_queues;
    if (split_) held_of_class_.assign(core.stored.size(), 0);
  }
  queues_.resize(ports * queues_a_port_, one_queue_ ? 0 : ports);
  if (core.mechanisms.waiting) core.mechanisms.waiting->use_egress(*this, queues_.size());
  if (queues_a_port_ == 1) return;
  departing_class_.assign(ports, 0);
  held_.assign(ports, 0);
}

bool EgressBuffers::has_room(std::uint32_t port, std::uint16_t buffer) const {
  if (capacity_ == kUnlimited) return true;
  return is_split(port) ? used_by_class(port, buffer) + core_.links.room(buffer) <= class_capacity_
                        : held(port) + departing(port) + core_.links.room_of_all() <= capacity_;
}

bool EgressBuffers::has_room_for_two(std::uint32_t port, std::uint16_t buffer) const {
  if (is_split(port)) return has_room(port, buffer);
  return capacity_ == kUnlimited || used(port, buffer) + 2 * core_.links.room_of_all() <= capacity_;
}

std::int64_t EgressBuffers::used_by_class(std::uint32_t port, std::uint16_t buffer) const {
  const std::int64_t queued = held_of_class_.empty()
                                  ? queues_[queue_of(port, buffer)].bytes
                                  : held_of_class_[core_.buffer_index(port, buffer)];
  return departing_class_[port] == buffer ? queued + departing(port) : queued;
}

Fill EgressBuffers::fill(std::uint32_t port, std::uint16_t buffer) const {
  std::int64_t capacity = core_.settings.egress_buffer.count;
  if (is_split(port)) capacity = class_capacity_;
  return {used(port, buffer), capacity};
}

void EgressBuffers::push(std::uint32_t port, std::uint32_t packet) {
  if (is_plain_) {
    push_plainly(port, packet);
    return;
  }
  const Packet& p = core_.packets[packet];
  if (!held_.empty()) held_[port] += p.size;
  const std::uint16_t buffer = p.next_buffer;
  if (!held_of_class_.empty()) held_of_class_[core_.buffer_index(port, buffer)] += p.size;
  core_.links[port].queued_bytes += p.size;
  core_.at_egress.come(p.size, core_.now);
  Isolation* isolation = core_.mechanisms.isolation.get();
  const Side side = Side::egress(port, buffer);
  const std::uint32_t number = isolation == nullptr ? 0 : isolation->choose_queue(side, packet);
  const std::uint32_t q = first_queue(port) + core_.queue_place(buffer, number);
  if (queues_.push(q, packet) && !queues_[q].is_held) ask(port, q);
  if (core_.tells_packets) tell_stored(port, q, packet);
  if (isolation == nullptr) return;
  if (port < core_.host_count) core_.at_hosts.come(core_.packets[packet].size, core_.now);
  isolation->on_stored(side, number, packet);
}

void EgressBuffers::tell_stored(std::uint32_t port, std::uint32_t queue, std::uint32_t packet) {
  if (core_.mechanisms.marker && port >= core_.host_count)
    core_.mechanisms.marker->on_egress(PortId(port), core_.packets[packet]);
  if (core_.mechanisms.waiting)
    core_.mechanisms.waiting->on_egress(queue, port, packet, queues_[queue].head);
}

void EgressBuffers::ask(std::uint32_t port, std::uint32_t queue) {
  if (!one_queue_) queues_.activate(port, queue);
  const Packet& p = core_.packets[queues_[queue].head];
  const std::int64_t earliest = std::max(p.ready, core_.links[port].free_at);
  if (earliest > core_.now) {
    core_.wake(port, earliest);
  } else {
    core_.mark_dirty(port);
  }
}

void EgressBuffers::hold(std::uint32_t port, std::uint32_t place) {
  const std::uint32_t q = first_queue(port) + place;
  if (queues_[q].is_held) return;
  queues_[q].is_held = true;
  if (queues_[q].head != kNone) queues_.withdraw(port, q);
}

void EgressBuffers::let_go(std::uint32_t port, std::uint32_t place) {
  const std::uint32_t q = first_queue(port) + place;
  if (!queues_[q].is_held) return;
  queues_[q].is_held = false;
  if (queues_[q].head != kNone) ask(port, q);
}

void EgressBuffers::set_urgent(std::uint32_t port, std::uint32_t place, bool urgent) {
  const std::uint32_t q = first_queue(port) + place;
  Queue& queue = queues_[q];
  if (queue.is_urgent == urgent) return;
  queue.is_urgent = urgent;
  if (queue.head == kNone || queue.is_held) return;
  queues_.withdraw(port, q);
  queues_.activate(port, q);
}

void EgressBuffers::move_head(std::uint32_t port, std::uint32_t from, std::uint32_t to) {
  const std::uint32_t source = first_queue(port) + from;
  const std::uint32_t target = first_queue(port) + to;
  const std::uint32_t packet = queues_[source].head;
  queues_.withdraw(port, source);
  if (queues_.pop(source)) ask(port, source);
  if (queues_.push(target, packet) && !queues_[target].is_held) ask(port, target);
  if (core_.mechanisms.waiting) {
    core_.mechanisms.waiting->on_moved(true, source, queues_[source].head, target,
                                       queues_[target].head, packet);
  }
}

bool EgressBuffers::pick(std::uint32_t port, Pick& found, bool& lacks_credit,
                         std::int64_t& ready_at) {
  contenders_.clear();
  std::uint32_t before = kNone;
  for (std::uint32_t q = first_asking(port); q != kNone; before = q, q = queues_[q].next_active) {
    const Queue& queue = queues_[q];
    if (!core_.can_send(port, queue.head_buffer)) {
      lacks_credit = true;
      core_.note_no_room(port, queue.head_buffer);
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

bool EgressBuffers::arbitrate_plainly(std::uint32_t port) {
  Core& core = core_;
  Queue& queue = queues_[port];
  const std::uint32_t packet = queue.head;
  if (packet == kNone) return false;
  Output& out = core.links[port];
  const std::int64_t now = core.now;
  if (out.free_at > now) {
    core.wake(port, out.free_at);
    return false;
  }
  bool takes_it = core.links.takes_something_plainly(port, out, now);
  if (core.announced != 0) [[unlikely]] {
    core.links.apply(port, now);
    takes_it = core.can_send(port, 0);
  }
  if (!takes_it) {
    core.await_feedback(port);
    return false;
  }
  Packet& p = core.packets[packet];
  if (p.ready > now) {
    core.wake(port, p.ready);
    return false;
  }
  const std::uint32_t bytes = p.size;
  out.departing = bytes;
  out.queued_bytes -= bytes;
  core.at_egress.go(bytes, now);
  const bool has_more = queues_.pop(queue, p);
  const std::int64_t free_at = core.is_down.empty() ? core.transmit_plainly(port, out, packet, p)
                                                    : core.transmit(port, packet);
  if (has_more) core.wake(port, free_at);
  return true;
}

bool EgressBuffers::arbitrate_among_queues(std::uint32_t port) {
  Output& out = core_.links[port];
  if (first_asking(port) == kNone) return false;
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
  if (lacks_credit) core_.await_feedback(port);
  core_.wake(port, ready_at);
  return false;
}

void EgressBuffers::start(std::uint32_t port, const Pick& found) {
  Output& out = core_.links[port];
  const Queue& queue = queues_[found.queue];
  const std::uint32_t packet = queue.head;
  const std::uint32_t bytes = queue.head_size;
  const std::uint16_t buffer = queue.head_buffer;
  out.departing = bytes;
  if (!held_.empty()) {
    departing_class_[port] = buffer;
    held_[port] -= bytes;
  }
  if (!held_of_class_.empty()) held_of_class_[core_.buffer_index(port, buffer)] -= bytes;
  out.queued_bytes -= bytes;
  core_.at_egress.go(bytes, core_.now);
  if (!one_queue_) queues_.deactivate(port, found.queue, found.before);
  if (queues_.pop(found.queue) && !one_queue_) queues_.activate(port, found.queue);
  if (port < core_.host_count) {
    core_.packets[packet].injected = core_.now;
    core_.at_hosts.go(bytes, core_.now);
  }
  // What the user puts first passes nobody over.
  const bool is_watched = out.is_watched;
  out.is_watched = is_watched && !queue.is_urgent;
  core_.transmit(port, packet);
  out.is_watched = is_watched;
  if (core_.mechanisms.isolation) {
    // May put control messages behind the packet.
    core_.mechanisms.isolation->on_removed(
        Side::egress(port, buffer), core_.queue_number(found.queue - first_queue(port)), packet);
  }
  if (first_asking(port) != kNone) core_.wake(port, out.free_at);
}

std::int64_t EgressBuffers::occupancy(std::uint32_t port) const {
  return held(port) + departing(port);
}

void EgressBuffers::for_each_packet(
    const std::function<void(std::uint32_t, std::uint32_t)>& visit) const {
  for (std::uint32_t q = 0; q < queues_.size(); ++q) {
    for (std::uint32_t p = queues_[q].head; p != kNone; p = core_.packets[p].next)
      visit(q / queues_a_port_, p);
  }
}

void EgressBuffers::checkpoint(NodeState& state) {
  const std::uint32_t ports = static_cast<std::uint32_t>(queues_.size()) / queues_a_port_;
  if (state.end_port() > ports) return;  // of hosts alone
  const std::uint32_t first = first_queue(state.first_port());
  for (std::uint32_t q = first; q < first_queue(state.end_port()); ++q)
    queues_.checkpoint_queue(state, q);
  if (core_.mechanisms.waiting)
    core_.mechanisms.waiting->checkpoint_queues(state, true, first, first_queue(state.end_port()));
  for (std::uint32_t port = state.first_port(); port < state.end_port() && !one_queue_; ++port)
    queues_.checkpoint_list(state, port, first);
  state.of_ports(departing_class_);
  state.of_ports(held_);
  state.of_ports(held_of_class_, static_cast<std::size_t>(core_.buffers));
  arbiter_.checkpoint(state);
}

}  // namespace weir::fabric
