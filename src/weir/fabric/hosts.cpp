#include "weir/fabric/hosts.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace weir::fabric {

namespace {

bool precedes(const FlowRank& a, const FlowRank& b) {
  return a.tag != b.tag ? a.tag < b.tag : a.order < b.order;
}

}  // namespace

Hosts::Hosts(Core& core)
    : core_(core),
      ranks_flows_(core.mechanisms.injection && core.mechanisms.injection->ranks_flows()),
      queues_(core, messages_),
      flows_(core.graph.host_count()) {
  core.messages = &messages_;
  if (core.settings.acks == AckMode::in_band || core.settings.acks == AckMode::becn ||
      core.routes_flows)
    acks_.resize(core.graph.host_count());
  if (core.isolates_adapted) adapted_in_turn_.assign(core.graph.host_count(), 0);
}

// --- Generation

void Hosts::add_source(HostId host, std::unique_ptr<MessageSource> model) {
  if (host.index() >= core_.graph.host_count()) {
    throw InputError(fmt::format("there is no host {} for a traffic source, the network has {}",
                                 host.value, core_.graph.host_count()));
  }
  Source source;
  source.model = std::move(model);
  source.host = host.value;
  sources_.push_back(std::move(source));
  draw(static_cast<std::uint32_t>(sources_.size() - 1));
}

void Hosts::draw(std::uint32_t source) {
  Source& s = sources_[source];
  s.pending = s.model->next(Time(core_.now));
  if (!s.pending) return;
  const MessageRequest& request = *s.pending;
  if (request.at.count < core_.now || request.size.count <= 0 ||
      request.destination.index() >= core_.graph.host_count()) {
    throw RunError(fmt::format(
        "a traffic source of host {} made an impossible message: {} bytes to host {} at {} ps",
        s.host, request.size.count, request.destination.value, request.at.count));
  }
  core_.schedule(request.at.count, kGenerate, source, 0);
}

bool Hosts::has_room(const Source& source, const SourceQueue& queue) const {
  if (queue.head == kNone) return true;
  if (core_.mechanisms.vl_sharing && !have_lanes_room(source)) return false;
  if (source.model->closed_loop()) {
    return queue.bytes < core_.settings.closed_loop_packets * core_.settings.mtu.count;
  }
  return core_.settings.backlog == Bytes::max() ||
         queue.bytes + source.pending->size.count <= core_.settings.backlog.count;
}

bool Hosts::have_lanes_room(const Source& source) const {
  const std::uint32_t destination = source.pending->destination.value;
  return core_.mechanisms.vl_sharing->has_room(
      core_.first_port[source.host],
      class_of(source.host, destination, source.model->service_level),
      packets_of(source.pending->size.count));
}

void Hosts::generate(std::uint32_t source) {
  Source& s = sources_[source];
  if (core_.mechanisms.admission && !is_admitted(source)) return;
  const MessageRequest request = *s.pending;
  const std::uint8_t level = s.model->service_level;
  const std::uint32_t flow =
      queues_.by_flow() ? flows_.find_or_add(s.host, request.destination.value) : 0;
  const std::uint32_t queue = queues_.queue_for(
      s.host, request.destination.value, flow,
      queues_.by_class() ? class_of(s.host, request.destination.value, level) : std::uint16_t{0});
  const bool first_in_line = queues_[queue].first_waiter == kNone;
  if (first_in_line && has_room(s, queues_[queue])) {
    enqueue_pending(queue, source);
    return;
  }
  if (!s.model->closed_loop() && core_.settings.when_full == WhenFull::discard) {
    refuse_pending(s);
    draw(source);
    return;
  }
  SourceQueue& q = queues_[queue];
  s.next_waiter = kNone;
  if (q.first_waiter == kNone) {
    q.first_waiter = source;
  } else {
    sources_[q.last_waiter].next_waiter = source;
  }
  q.last_waiter = source;
}

void Hosts::admit_waiters(std::uint32_t queue) {
  while (queues_[queue].first_waiter != kNone) {
    const std::uint32_t source = queues_[queue].first_waiter;
    Source& s = sources_[source];
    if (!has_room(s, queues_[queue])) return;
    queues_[queue].first_waiter = s.next_waiter;
    enqueue_pending(queue, source);
  }
}

void Hosts::enqueue_pending(std::uint32_t queue, std::uint32_t source) {
  const Source& s = sources_[source];
  Message m;
  // A closed-loop source makes its message when there is room; others have been waiting with
  // theirs.
  m.generated = s.model->closed_loop() ? core_.now : s.pending->at.count;
  m.bytes = s.pending->size.count;
  m.source = s.host;
  m.destination = s.pending->destination.value;
  m.tag = s.pending->tag;
  m.traffic_class = s.model->traffic_class;
  m.service_level = s.model->service_level;
  const std::uint32_t message = enqueue(queue, m);
  draw(source);
  settle_connection(sources_[source], message);
}

// --- Connections

bool Hosts::is_admitted(std::uint32_t source) {
  Source& s = sources_[source];
  if (s.model->reserve == 0 || s.connection == Source::Connection::open) return true;
  if (s.connection == Source::Connection::given_up) {
    refuse_pending(s);
    // A closed loop would make the next one at once, for ever.
    if (s.model->closed_loop()) {
      s.pending.reset();
    } else {
      draw(source);
    }
    settle_connection(s, kNone);
    return false;
  }
  s.connection = Source::Connection::asked;
  s.aim = s.pending->destination.value;
  s.connection_number =
      core_.mechanisms.admission->ask({HostId(s.host), s.pending->destination, s.model->reserve,
                                       source, s.model->service_level, s.model->traffic_class});
  return false;
}

void Hosts::answer(std::uint32_t source, bool accepted) {
  sources_[source].connection = accepted ? Source::Connection::open : Source::Connection::given_up;
  generate(source);
}

void Hosts::refuse_pending(Source& source) {
  ++core_.counters.messages_refused;
  core_.observer->on_refused(HostId(source.host), *source.pending, source.model->traffic_class);
  if (!core_.mechanisms.vl_sharing) return;
  const std::uint32_t destination = source.pending->destination.value;
  core_.mechanisms.vl_sharing->on_refused(
      core_.first_port[source.host],
      class_of(source.host, destination, source.model->service_level),
      packets_of(source.pending->size.count));
}

void Hosts::settle_connection(Source& source, std::uint32_t last_message) {
  if (source.connection == Source::Connection::none) return;
  if (source.pending && source.pending->destination.value == source.aim) return;
  if (source.connection == Source::Connection::open) {
    messages_[last_message].ends_connection = true;
    core_.mechanisms.admission->end_with(source.connection_number, last_message);
  }
  source.connection = Source::Connection::none;
}

void Hosts::submit(HostId host, const MessageRequest& request, std::uint8_t traffic_class,
                   std::uint8_t service_level) {
  const std::size_t hosts = core_.graph.host_count();
  if (host.index() >= hosts || request.destination.index() >= hosts || request.size.count <= 0) {
    throw InputError(fmt::format("impossible message: {} bytes from host {} to host {} of {}",
                                 request.size.count, host.value, request.destination.value, hosts));
  }
  Message m;
  m.generated = core_.now;
  m.bytes = request.size.count;
  m.source = host.value;
  m.destination = request.destination.value;
  m.tag = request.tag;
  m.traffic_class = traffic_class;
  m.service_level = service_level;
  const std::uint16_t buffer = class_of(m.source, m.destination, service_level);
  const std::uint32_t flow = queues_.by_flow() ? flows_.find_or_add(m.source, m.destination) : 0;
  enqueue(queues_.queue_for(m.source, m.destination, flow, buffer), m);
}

std::uint32_t Hosts::enqueue(std::uint32_t queue, const Message& message) {
  const std::uint32_t handle = messages_.take();
  Message& m = messages_[handle];
  m = message;
  m.unsent = m.undelivered = m.bytes;
  m.flow = flows_.find_or_add(m.source, m.destination);
  m.lane = core_.models.routing->injection_lane(HostId(m.source), HostId(m.destination));
  m.buffer = class_of(m.source, m.destination, m.service_level);
  const std::int64_t last = m.bytes % core_.settings.mtu.count;
  const std::int64_t smallest = (last == 0 ? core_.settings.mtu.count : last);
  smallest_packet_ = std::min(smallest_packet_,
                              static_cast<std::uint32_t>(smallest + core_.settings.header.count));
  backlog_ += m.bytes;
  ++core_.counters.messages_generated;
  if (core_.mechanisms.reaction) core_.mechanisms.reaction->on_generated(m, Time(core_.now));
  core_.observer->on_generated(m);
  if (core_.routes_flows) core_.mechanisms.flow_routing->on_generated(m, Time(core_.now));
  if (ranks_flows_ && queues_[queue].head == kNone)
    core_.mechanisms.injection->on_waiting(m, Time(core_.now));
  if (core_.mechanisms.vl_sharing) {
    core_.mechanisms.vl_sharing->on_waiting(core_.first_port[m.source], m.buffer,
                                            packets_of(m.bytes));
  }
  queues_.push(queue, handle, queues_[queue].head == kNone ? group_of(m) : 0);
  queues_.fill_memory(message.source, grouping());
  ask(core_.first_port[message.source]);
  return handle;
}

void Hosts::ask(std::uint32_t port) {
  if (injection_buffers_ == nullptr && core_.links[port].free_at > core_.now) {
    core_.wake(port, core_.links[port].free_at);
  } else {
    core_.mark_dirty(port);
  }
}

// --- Injection

std::uint16_t Hosts::class_of(std::uint32_t host, std::uint32_t destination,
                              std::uint8_t service_level) const {
  Packet probe;
  probe.source = host;
  probe.destination = destination;
  probe.service_level = service_level;
  const std::uint8_t lane = core_.models.routing->injection_lane(HostId(host), HostId(destination));
  const std::uint32_t receiver = core_.links[core_.first_port[host]].to;
  return core_.classify_anew(probe, lane, receiver);
}

std::uint32_t Hosts::wire_size(const Message& message) const {
  return static_cast<std::uint32_t>(std::min(message.unsent, core_.settings.mtu.count) +
                                    core_.settings.header.count);
}

void Hosts::inject(std::uint32_t port) {
  const std::uint32_t host = core_.ports[port].node;
  Output& out = core_.links[port];
  if (injection_buffers_ != nullptr) {
    do {
      fill_injection_buffer(port, host);
    } while (injection_buffers_->arbitrate(port));
    return;
  }
  const bool has_acks = !acks_.empty() && acks_[host].head != kNone;
  if (queues_.is_empty(host) && !has_acks) return;
  if (out.free_at > core_.now) {
    core_.wake(port, out.free_at);
    return;
  }
  if (core_.is_link_down(port)) return;
  core_.links.apply(port, core_.now);
  bool lacks_credit = false;
  if (has_acks && send_ack(port, host, lacks_credit)) return;
  std::int64_t retry = kNever;
  bool may_inject = true;
  if (core_.mechanisms.injection && !queues_.is_empty(host)) {
    const auto at = core_.mechanisms.injection->may_inject(HostId(host), Time(core_.now)).count;
    may_inject = at <= core_.now;
    if (!may_inject) retry = at;
  }
  std::uint32_t choice = kNone;
  if (may_inject && choose(port, host, choice, lacks_credit, retry)) {
    send_packet(port, choice);
    return;
  }
  if (lacks_credit) {
    core_.set_blocked(port);
    core_.wake(port, core_.links.next_feedback(port));
  }
  core_.wake(port, retry);
}

bool Hosts::send_ack(std::uint32_t port, std::uint32_t host, bool& lacks_credit) {
  AckQueue& queue = acks_[host];
  const std::uint32_t packet = queue.head;
  Packet& ack = core_.packets[packet];
  if (!core_.can_send(port, ack.next_buffer, ack.size)) {
    lacks_credit = true;
    return false;
  }
  queue.head = ack.next;
  if (queue.head == kNone) queue.tail = kNone;
  --waiting_acks_;
  ack.injected = core_.now;
  ++core_.counters.acks_injected;
  const std::int64_t free_at = core_.transmit(port, packet);
  core_.wake(port, free_at);
  return true;
}

template <class IsOpen, class MayGo>
bool Hosts::find_queue(std::uint32_t host, std::uint32_t& choice, std::int64_t& retry,
                       IsOpen is_open, MayGo may_go) {
  using Answer = SourceQueueSet::Answer;
  if (core_.mechanisms.reaction) queues_.resume_due(host, core_.now, grouping());
  FlowRank best;
  std::uint32_t ranked = kNone;
  choice = queues_.find(host, is_open, [&](std::uint32_t queue) {
    Message& m = messages_[queues_[queue].head];
    FlowRank rank;
    if (ranks_flows_) {
      rank = core_.mechanisms.injection->rank(m, Time(core_.now));
      if (rank.at.count > core_.now) {
        retry = std::min(retry, rank.at.count);
        return Answer::pass;
      }
      if (ranked != kNone && !precedes(rank, best)) return Answer::pass;
    }
    if (must_adapt(host, m)) {
      if (queues_.by_class()) return Answer::pass;
      m.buffer = core_.adapted_class(m.lane);
    }
    if (!queues_.has_packet(queue) || !may_go(m, queues_[queue].group)) return Answer::pass;
    if (core_.routes_flows && !core_.mechanisms.flow_routing->may_inject(m.flow)) {
      queues_[queue].paused_until = kNever;
      return Answer::pause;
    }
    if (core_.mechanisms.reaction) {
      const std::int64_t at = core_.mechanisms.reaction->may_inject(m, Time(core_.now)).count;
      if (at > core_.now) {
        queues_[queue].paused_until = at;
        return Answer::pause;
      }
    }
    if (!ranks_flows_) return Answer::take;
    ranked = queue;
    best = rank;
    return Answer::pass;
  });
  if (ranks_flows_) choice = ranked;
  retry = std::min(retry, queues_.next_due(host));
  return choice != kNone;
}

bool Hosts::must_adapt(std::uint32_t host, const Message& message) const {
  if (!core_.isolates_adapted || core_.adapts_at_host[host] == 0) return false;
  if (message.buffer == core_.adapted_class(message.lane)) return false;
  const auto within = static_cast<std::uint16_t>(message.buffer - message.lane * core_.classes);
  return core_.models.selection->adapts_at_host(host, message.destination, within);
}

void Hosts::set_adapted_aside(std::uint32_t host) {
  if (!core_.isolates_adapted || core_.adapts_at_host[host] == 0 || !queues_.by_class()) return;
  const std::int64_t bound = core_.settings.closed_loop_packets;
  for (std::uint16_t c = 0; c < core_.buffers; ++c) {
    const std::uint32_t queue = queues_.queue_for(host, 0, 0, c);
    bool has_moved = false;
    while (queues_[queue].head != kNone) {
      Message& m = messages_[queues_[queue].head];
      if (!must_adapt(host, m)) break;
      const std::uint16_t adapted = core_.adapted_class(m.lane);
      const std::uint32_t target = queues_.queue_for(host, 0, 0, adapted);
      const bool has_room = queues_[target].bytes < bound * core_.settings.mtu.count;
      if (adapted_in_turn_[host] >= bound && !has_room) break;
      m.buffer = adapted;
      ++adapted_in_turn_[host];
      queues_.move_head(queue, target);
      has_moved = true;
    }
    if (has_moved) admit_waiters(queue);
  }
}

bool Hosts::choose(std::uint32_t port, std::uint32_t host, std::uint32_t& choice,
                   bool& lacks_credit, std::int64_t& retry) {
  set_adapted_aside(host);
  if (core_.links.takes_nothing(port, smallest_packet_)) {
    lacks_credit = lacks_credit || !queues_.is_empty(host);
    return false;
  }
  const auto any = [](std::uint32_t) { return true; };
  return find_queue(host, choice, retry, any, [&](const Message& m, std::uint32_t) {
    if (!core_.can_send(port, m.buffer, wire_size(m))) {
      lacks_credit = true;
      return false;
    }
    // A VL has one queue here: its head needs no name.
    return core_.is_served(port, m.buffer, 0, wire_size(m));
  });
}

std::uint32_t Hosts::make_packet(Message& m, std::uint32_t handle) {
  const std::uint32_t packet = core_.packets.take();
  Packet& p = core_.packets[packet];
  p.size = wire_size(m);
  p.source = m.source;
  p.destination = m.destination;
  p.message = handle;
  p.sequence = flows_[m.flow].injected++;
  p.injected = core_.now;
  p.service_level = m.service_level;
  p.traffic_class = m.traffic_class;
  p.lane = p.next_lane = m.lane;
  p.buffer = p.next_buffer = m.buffer;
  if (core_.isolates_adapted) {
    if (m.buffer == core_.adapted_class(m.lane)) {
      p.flags |= packet_flag::kAdapted;
      ++core_.counters.adapted_at_hosts;
    } else {
      adapted_in_turn_[m.source] = 0;
    }
  }
  m.unsent -= p.size - core_.settings.header.count;
  if (m.unsent == 0) {
    p.flags |= packet_flag::kLastOfMessage;
    if (m.ends_connection) p.flags |= packet_flag::kLastOfConnection;
  }
  if (core_.routes_flows && core_.mechanisms.flow_routing->on_injected(m, p, Time(core_.now))) {
    p.flags |= flags_of(FlowStep::last);
  }
  return packet;
}

std::uint32_t Hosts::begin_packet(std::uint32_t choice) {
  const std::uint32_t handle = queues_[choice].head;
  Message& m = messages_[handle];
  const std::uint32_t packet = make_packet(m, handle);
  const std::int64_t payload = core_.packets[packet].size - core_.settings.header.count;
  queues_.on_sent(choice, payload);
  backlog_ -= payload;
  if (m.unsent == 0) queues_.pop(choice);
  const SourceQueue& queue = queues_[choice];
  const bool stays = queues_.serves_flows() || queue.head == kNone;
  queues_.turn(choice, stays ? queue.group : group_of(messages_[queue.head]));
  ++core_.counters.packets_injected;
  const HostId source(m.source);
  if (core_.mechanisms.reaction) {
    core_.mechanisms.reaction->on_injected(m, core_.packets[packet], Time(core_.now));
  }
  core_.observer->on_injected(core_.packets[packet], m);
  if (core_.mechanisms.injection) {
    Injection& injection = *core_.mechanisms.injection;
    injection.on_injected(source, core_.packets[packet], m, Time(core_.now));
    if (ranks_flows_ && queue.head == kNone) injection.on_empty(m, Time(core_.now));
  }
  return packet;
}

void Hosts::settle_queue(std::uint32_t queue) {
  const std::uint32_t entry = queues_.entry_of(queue);
  queues_.fill_memory(queues_[queue].host, grouping());
  admit_waiters(entry);
  queues_.retire(queue);
}

void Hosts::send_packet(std::uint32_t port, std::uint32_t choice) {
  const std::int64_t free_at = core_.transmit(port, begin_packet(choice));
  settle_queue(choice);
  // An ACK may have been left behind for lack of credit in its class.
  const std::uint32_t host = core_.ports[port].node;
  const bool ack_waits = !acks_.empty() && acks_[host].head != kNone;
  if (ack_waits || !queues_.is_empty(host)) core_.wake(port, free_at);
}

// --- Injection buffers

std::uint32_t Hosts::group_of(const Message& m) const {
  Isolation* isolation = core_.mechanisms.isolation.get();
  return isolation == nullptr
             ? 0
             : isolation->injection_queue(core_.first_port[m.source], m.source, m.destination);
}

void Hosts::update_groups(std::uint32_t port, std::uint32_t host) {
  InjectionChanges& changes = core_.mechanisms.isolation->injection_changes(port);
  if (!changes.any) return;
  if (changes.all || !queues_.by_flow()) {
    queues_.regroup(host, grouping());
  } else {
    for (const std::uint32_t destination : changes.destinations) {
      const std::uint32_t flow = flows_.find(host, destination);
      if (flow != kNone) queues_.regroup_flow(flow, grouping());
    }
  }
  changes.clear();
}

void Hosts::fill_injection_buffer(std::uint32_t port, std::uint32_t host) {
  while (admit_ack(port, host)) {
  }
  std::int64_t retry = kNever;
  while (!queues_.is_empty(host) &&
         !core_.mechanisms.isolation->admits_nothing(port, smallest_packet_)) {
    if (core_.mechanisms.injection) {
      const auto at = core_.mechanisms.injection->may_inject(HostId(host), Time(core_.now)).count;
      if (at > core_.now) {
        retry = at;
        break;
      }
    }
    update_groups(port, host);
    const auto is_open = [&](std::uint32_t group) {
      return core_.mechanisms.isolation->admits(port, group, smallest_packet_);
    };
    const auto may_go = [&](const Message& m, std::uint32_t group) {
      return core_.mechanisms.isolation->admits(port, group, wire_size(m));
    };
    std::uint32_t choice = kNone;
    if (!find_queue(host, choice, retry, is_open, may_go)) break;
    const std::uint32_t packet = begin_packet(choice);
    core_.mechanisms.isolation->on_made(packet);
    injection_buffers_->push(port, packet);
    settle_queue(choice);
  }
  core_.wake(port, retry);
}

bool Hosts::admit_ack(std::uint32_t port, std::uint32_t host) {
  if (acks_.empty() || acks_[host].head == kNone) return false;
  AckQueue& queue = acks_[host];
  const std::uint32_t packet = queue.head;
  const Packet& ack = core_.packets[packet];
  Isolation& isolation = *core_.mechanisms.isolation;
  const std::uint32_t number = isolation.injection_queue(port, ack.source, ack.destination);
  if (!isolation.admits(port, number, ack.size)) return false;
  queue.head = ack.next;
  if (queue.head == kNone) queue.tail = kNone;
  --waiting_acks_;
  ++core_.counters.acks_injected;
  core_.mechanisms.isolation->on_made(packet);
  injection_buffers_->push(port, packet);
  return true;
}

// --- Reception

void Hosts::check_destination(std::uint32_t port, std::uint32_t packet) const {
  const Packet& p = core_.packets[packet];
  if (p.destination == core_.ports[port].node) return;
  throw RunError(fmt::format("the packet from host {} to host {} was delivered to {}; {}", p.source,
                             p.destination, core_.graph.name(PortId(port)), core_.history(packet)));
}

void Hosts::receive(std::uint32_t port, std::uint32_t packet) {
  check_destination(port, packet);
  const Packet& p = core_.packets[packet];
  const std::uint32_t handle = p.message;
  const bool is_last = flow_step(p) == FlowStep::last;
  if (p.is_ack()) {
    ++core_.counters.acks_delivered;
    if (flow_step(p) != FlowStep::none) {
      accept_flow_step(packet);
    } else {
      accept_ack(packet);
    }
    return;
  }
  Message& m = messages_[p.message];
  Flow& flow = flows_[m.flow];
  const bool in_order = p.sequence >= flow.highest;
  m.newest = flow.highest;
  ++flow.delivered;
  flow.highest = std::max(flow.highest, p.sequence + 1);
  if (!in_order) ++flow.out_of_order;
  ++core_.counters.packets_delivered;
  core_.fingerprint.add(core_.now, static_cast<std::uint64_t>(p.source) << 40 ^
                                       static_cast<std::uint64_t>(p.destination) << 20 ^
                                       p.sequence);
  m.undelivered -= p.size - core_.settings.header.count;
  if (core_.routes_flows) core_.mechanisms.flow_routing->on_delivered(p, in_order);
  core_.observer->on_delivered(p, m, Time(core_.now), in_order);
  // The observer may have submitted messages, which moves them all, and with flow routing packets.
  if (core_.settings.acks != AckMode::none || is_last)
    acknowledge(core_.packets[packet], messages_[handle].flow);
  if (messages_[handle].undelivered == 0) finish(handle);
  core_.packets.give_back(packet);
}

void Hosts::finish(std::uint32_t message) {
  if (messages_[message].has_lost) {
    ++core_.counters.messages_lost;
  } else {
    ++core_.counters.messages_completed;
    core_.observer->on_message_complete(messages_[message], Time(core_.now));
  }
  messages_.give_back(message);
}

void Hosts::lose(std::uint32_t port, std::uint32_t packet) {
  const Packet p = core_.packets[packet];
  core_.packets.give_back(packet);
  if ((p.flags & packet_flag::kLastOfConnection) != 0)
    core_.mechanisms.admission->on_last_lost(PortId(port), p);
  if (core_.mechanisms.reaction) {
    const Packet ack = p.is_ack() ? p : ack_of(p, messages_[p.message].flow);
    core_.mechanisms.reaction->on_lost(ack, Time(core_.now));
    resume_flow(ack);
  }
  if (p.is_ack()) {
    ++core_.counters.acks_lost;
    return;
  }
  Message& m = messages_[p.message];
  ++flows_[m.flow].lost;
  ++core_.counters.packets_lost;
  m.undelivered -= p.size - core_.settings.header.count;
  m.has_lost = true;
  core_.observer->on_lost(p, m, PortId(port), Time(core_.now));
  if (messages_[p.message].undelivered == 0) finish(p.message);
}

Packet Hosts::ack_of(const Packet& data, std::uint32_t flow) const {
  Packet ack;
  ack.source = data.destination;
  ack.destination = data.source;
  ack.message = flow;
  ack.sequence = data.sequence;
  ack.size = static_cast<std::uint32_t>(core_.settings.ack_size.count);
  ack.service_level = data.service_level;
  ack.traffic_class = data.traffic_class;
  ack.flags = static_cast<std::uint8_t>(
      packet_flag::kAck | (data.flags & (packet_flag::kMarks | packet_flag::kFlowStep)));
  return ack;
}

void Hosts::acknowledge(const Packet& data, std::uint32_t flow) {
  const bool is_marked = (data.flags & packet_flag::kMarks) != 0;
  const bool is_last = flow_step(data) == FlowStep::last;
  if (core_.settings.acks == AckMode::becn && !is_marked && !is_last) return;
  const Packet received = data;
  const std::uint32_t packet = core_.packets.take();
  Packet& ack = core_.packets[packet];
  ack = ack_of(received, flow);
  if (core_.settings.acks == AckMode::ideal) {
    const Output& out = core_.links[core_.first_port[ack.source]];
    const std::int64_t latency =
        (received.hops + 1) * out.delay +
        received.hops * (core_.settings.routing_delay + core_.settings.crossbar_delay).count +
        out.duration(ack.size);
    core_.schedule(core_.now + latency, kIdealAck, ack.destination, packet);
    return;
  }
  queue_ack(packet);
}

void Hosts::queue_ack(std::uint32_t packet) {
  Packet& ack = core_.packets[packet];
  const std::uint32_t host = ack.source;
  ack.next_lane = core_.models.routing->injection_lane(HostId(host), HostId(ack.destination));
  ack.next_buffer = class_of(host, ack.destination, ack.service_level);
  ack.buffer = ack.next_buffer;
  ack.lane = ack.next_lane;
  ack.next = kNone;
  AckQueue& queue = acks_[host];
  if (queue.head == kNone) {
    queue.head = packet;
  } else {
    core_.packets[queue.tail].next = packet;
  }
  queue.tail = packet;
  ++waiting_acks_;
  ask(core_.first_port[host]);
}

void Hosts::receive_ideal_ack(std::uint32_t packet) {
  if (flow_step(core_.packets[packet]) != FlowStep::none) {
    accept_flow_step(packet);
  } else {
    accept_ack(packet);
  }
}

void Hosts::send_request(const FlowRouting::Request& request) {
  const std::uint32_t packet = core_.packets.take();
  Packet& p = core_.packets[packet];
  p.source = flows_[request.flow].source;
  p.destination = flows_[request.flow].destination;
  p.message = request.flow;
  p.sequence = UINT32_MAX;  // of a set-up packet: hops left, not yet set
  p.size = static_cast<std::uint32_t>(core_.mechanisms.flow_routing->packet_size().count);
  p.service_level = request.service_level;
  p.traffic_class = request.traffic_class;
  p.flags = static_cast<std::uint8_t>(packet_flag::kAck | flags_of(request.step));
  queue_ack(packet);
}

void Hosts::accept_flow_step(std::uint32_t packet) {
  Packet& p = core_.packets[packet];
  const FlowStep step = flow_step(p);
  FlowRouting& flow_routing = *core_.mechanisms.flow_routing;
  if (step != FlowStep::last) flow_routing.on_control_delivered(p);
  if (is_flow_request(p)) {
    p.flags |= packet_flag::kAnswer;
    std::swap(p.source, p.destination);
    p.hops = 0;
    queue_ack(packet);
    return;
  }
  const std::uint32_t flow = p.message;
  const std::uint32_t source = p.destination;
  if (step == FlowStep::last && core_.settings.acks != AckMode::none) {
    accept_ack(packet);
  } else {
    core_.packets.give_back(packet);
  }
  if (!flow_routing.on_return(flow, step, Time(core_.now))) return;
  queues_.resume(source, flow, false, grouping());
  core_.mark_dirty(core_.first_port[source]);
}

void Hosts::accept_ack(std::uint32_t packet) {
  const Packet ack = core_.packets[packet];
  core_.packets.give_back(packet);
  if (!core_.mechanisms.reaction) return;
  core_.mechanisms.reaction->on_ack(ack, Time(core_.now));
  resume_flow(ack);
}

void Hosts::resume_flow(const Packet& ack) {
  queues_.resume(ack.destination, ack.message, core_.mechanisms.reaction->shares_states(),
                 grouping());
  core_.mark_dirty(core_.first_port[ack.destination]);
}

void Hosts::for_each_waiting_ack(const std::function<void(std::uint32_t)>& visit) const {
  for (const AckQueue& queue : acks_) {
    for (std::uint32_t p = queue.head; p != kNone; p = core_.packets[p].next) visit(p);
  }
}

std::size_t Hosts::memory() const {
  return messages_.memory() + queues_.memory() + flows_.memory() +
         sources_.capacity() * sizeof(Source) + acks_.capacity() * sizeof(AckQueue);
}

}  // namespace weir::fabric
