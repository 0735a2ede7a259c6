#include "weir/fabric/switch/ingress.hpp"

#include "weir/fabric/checkpoint/node_state.hpp"
#include "weir/fabric/waiting_watch.hpp"

namespace weir::fabric {

IngressBuffers::IngressBuffers(Core& core)
    : core_(core),
      voq_(core.settings.voq),
      one_queue_a_pair_(voq_ && core.buffers == 1 && !core.mechanisms.isolation),
      queues_(core.packets) {
  std::size_t queues = 0;
  std::size_t pairs = 0;
  const auto& graph = core.graph;
  for (std::uint32_t p = 0; p < graph.port_count(); ++p) {
    const topology::Port& port = graph.port(PortId(p));
    queue_base_.push_back(static_cast<std::uint32_t>(queues));
    pair_base_.push_back(static_cast<std::uint32_t>(pairs));
    if (graph.is_host(port.node)) continue;
    if (!core.mechanisms.isolation && !core.is_here(p)) continue;
    const std::size_t degree = graph.degree(port.node);
    queues += static_cast<std::size_t>(core.buffers) * (voq_ ? degree : 1);
    if (core.mechanisms.isolation) {
      const SideResources side =
          core.mechanisms.isolation->resources(false, static_cast<std::uint32_t>(degree));
      queues += static_cast<std::size_t>(core.buffers) * side.set_aside_queues;
    }
    pairs += degree;
    if (queues >= kNone || pairs >= kNone)
      throw InputError("too many ingress queues: fewer classes or ports are needed");
  }
  queue_base_.push_back(static_cast<std::uint32_t>(queues));
  pair_base_.push_back(static_cast<std::uint32_t>(pairs));
  queues_.resize(queues, one_queue_a_pair_ ? 0 : pairs);
  if (core.mechanisms.isolation) targets_.assign(queues, 0);
  if (core.mechanisms.waiting) core.mechanisms.waiting->use_ingress(*this, queues);
  for (std::uint32_t p = 0; p < graph.port_count(); ++p) {
    for (std::uint32_t q = queue_base_[p]; q < queue_base_[p + 1]; ++q) {
      const std::uint32_t offset = q - queue_base_[p];
      queues_[q].input =
          static_cast<std::uint8_t>(one_queue_a_pair_ ? offset : graph.port(PortId(p)).number);
    }
  }
}

void IngressBuffers::watch_queued(std::uint32_t port, std::uint32_t packet,
                                  std::uint32_t number) const {
  const Packet& p = core_.packets[packet];
  const std::uint32_t q = core_.mechanisms.isolation
                              ? queue_base_[port] + core_.queue_place(p.buffer, number)
                              : queue_of(port, p);
  core_.mechanisms.waiting->on_ingress(q, port, packet, queues_[q].head);
}

void IngressBuffers::watch_removed(std::uint32_t port, std::uint32_t packet,
                                   std::uint32_t queue) const {
  core_.mechanisms.waiting->on_left_ingress(queue, port, packet, queues_[queue].head);
}

void IngressBuffers::request(std::uint32_t output, std::uint32_t queue) {
  const unsigned input = queues_[queue].input;
  if (one_queue_a_pair_) {
    core_.links[output].requests.set(input);
    return;
  }
  if (queues_.activate(pair(output, input), queue)) core_.links[output].requests.set(input);
}

bool IngressBuffers::push_to_class(std::uint32_t port, std::uint32_t packet) {
  const Packet& p = core_.packets[packet];
  const std::uint32_t output = core_.ports[port].first_port + p.out;
  core_.links[output].queued_bytes += p.size;
  const std::uint32_t q = queue_of(port, p);
  if (!queues_.push(q, packet)) return false;
  request(output, q);
  return true;
}

void IngressBuffers::unrequest(std::uint32_t output, std::uint32_t queue) {
  const unsigned input = queues_[queue].input;
  if (queues_.withdraw(pair(output, input), queue)) core_.links[output].requests.clear(input);
}

bool IngressBuffers::push(std::uint32_t port, std::uint32_t packet, std::uint32_t place) {
  const Packet& p = core_.packets[packet];
  const std::uint32_t output = core_.ports[port].first_port + p.out;
  core_.links[output].queued_bytes += p.size;
  const std::uint32_t q = queue_base_[port] + place;
  if (!queues_.push(q, packet) || queues_[q].is_held) return false;
  request(output, q);
  return true;
}

std::uint32_t IngressBuffers::hold(std::uint32_t port, std::uint32_t place) {
  const std::uint32_t q = queue_base_[port] + place;
  Queue& queue = queues_[q];
  if (queue.is_held) return kNone;
  queue.is_held = true;
  if (queue.head == kNone) return kNone;
  const std::uint32_t output = core_.ports[port].first_port + queue.head_out;
  unrequest(output, q);
  return core_.links[output].requests.test(queue.input) ? kNone : output;
}

std::uint32_t IngressBuffers::let_go(std::uint32_t port, std::uint32_t place) {
  const std::uint32_t q = queue_base_[port] + place;
  Queue& queue = queues_[q];
  if (!queue.is_held) return kNone;
  queue.is_held = false;
  if (queue.head == kNone) return kNone;
  const std::uint32_t output = core_.ports[port].first_port + queue.head_out;
  request(output, q);
  return output;
}

void IngressBuffers::set_urgent(std::uint32_t port, std::uint32_t place, bool urgent) {
  const std::uint32_t q = queue_base_[port] + place;
  Queue& queue = queues_[q];
  if (queue.is_urgent == urgent) return;
  queue.is_urgent = urgent;
  if (queue.head == kNone || queue.is_held) return;
  const std::uint32_t output = core_.ports[port].first_port + queue.head_out;
  unrequest(output, q);
  request(output, q);
}

IngressBuffers::Moved IngressBuffers::move_head(std::uint32_t port, std::uint32_t from,
                                                std::uint32_t to) {
  Moved moved;
  const std::uint32_t source = queue_base_[port] + from;
  const std::uint32_t target = queue_base_[port] + to;
  const std::uint32_t first = core_.ports[port].first_port;
  const std::uint32_t packet = queues_[source].head;
  const std::uint32_t output = first + queues_[source].head_out;
  unrequest(output, source);
  if (queues_.pop(source)) {
    moved.asked[0] = first + queues_[source].head_out;
    request(moved.asked[0], source);
  }
  if (queues_.push(target, packet) && !queues_[target].is_held) {
    moved.asked[1] = output;
    request(output, target);
  }
  if (!core_.links[output].requests.test(queues_[source].input)) moved.lost = output;
  if (core_.mechanisms.waiting) {
    core_.mechanisms.waiting->on_moved(false, source, queues_[source].head, target,
                                       queues_[target].head, packet);
  }
  return moved;
}

void IngressBuffers::rename(std::uint32_t port, std::uint32_t from, std::uint32_t to) {
  const std::uint32_t source = queue_base_[port] + from;
  const std::uint32_t output = core_.ports[port].first_port + queues_[source].head_out;
  queues_.rename(pair(output, queues_[source].input), source, queue_base_[port] + to);
  if (core_.mechanisms.waiting)
    core_.mechanisms.waiting->on_renamed(source, queue_base_[port] + to);
}

std::uint32_t IngressBuffers::pop_from_list(std::uint32_t port, const Request& found,
                                            std::uint32_t& next_output) {
  Queue& queue = queues_[found.queue];
  const std::uint32_t packet = queue.head;
  Output& out = core_.links[port];
  out.queued_bytes -= queue.head_size;
  next_output = kNone;
  if (queues_.deactivate(pair(port, found.input), found.queue, found.before))
    out.requests.clear(found.input);
  if (queues_.pop(found.queue)) {
    next_output = core_.ports[port].first_port + queue.head_out;
    request(next_output, found.queue);
  }
  return packet;
}

void IngressBuffers::for_each_packet(
    const std::function<void(std::uint32_t, std::uint32_t)>& visit) const {
  for_each_filled([&](const Queue& queue) {
    for (std::uint32_t p = queue.head; p != kNone; p = core_.packets[p].next)
      visit(core_.packets[p].in_port, p);
  });
}

void IngressBuffers::for_each_wait(std::uint32_t port, std::uint16_t buffer,
                                   const std::function<void(std::uint32_t)>& visit) const {
  const std::uint32_t first = core_.ports[port].first_port;
  if (one_queue_a_pair_) {
    const std::uint32_t degree = core_.links[port].owner_degree;
    for (std::uint32_t out = 0; out < degree; ++out) {
      if (queues_[static_cast<std::uint32_t>(pair(first + out, core_.ports[port].number))].head !=
          kNone)
        visit(first + out);
    }
    return;
  }
  const auto stride = static_cast<std::uint32_t>(core_.buffers);
  for (std::uint32_t q = queue_base_[port] + buffer; q < queue_base_[port + 1]; q += stride) {
    if (queues_[q].head != kNone) visit(first + queues_[q].head_out);
  }
}

void IngressBuffers::checkpoint(NodeState& state) {
  if (state.is_host()) return;
  const std::uint32_t first = queue_base_[state.first_port()];
  const std::uint32_t end = queue_base_[state.end_port()];
  for (std::uint32_t q = first; q < end; ++q) queues_.checkpoint_queue(state, q);
  if (!targets_.empty()) state.slice(targets_, first, end - first);
  if (core_.mechanisms.waiting)
    core_.mechanisms.waiting->checkpoint_queues(state, false, first, end);
  if (one_queue_a_pair_) return;
  for (std::uint32_t port = state.first_port(); port < state.end_port(); ++port) {
    for (unsigned input = 0; input < core_.ports[port].degree; ++input)
      queues_.checkpoint_list(state, pair(port, input), first);
  }
}

}  // namespace weir::fabric
