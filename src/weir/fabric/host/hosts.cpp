#include "weir/fabric/host/hosts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "weir/fabric/connection_tables.hpp"
#include "weir/fabric/waiting_watch.hpp"

namespace weir::fabric {

namespace {

/// VL arbitration governs host ports as it does those of switches.
bool arbitrates_vls(const Core& core) {
  return core.settings.arbiter == ArbiterKind::vl_weighted && core.buffers > 1;
}

FlowTable make_flow_table(const Core& core) {
  const std::size_t hosts = core.graph.host_count();
  if (core.border == nullptr) return FlowTable(hosts);
  const Territories& all = core.border->territories();
  return {hosts, all.of_node, core.border->part(), all.parts};
}

}  // namespace

Hosts::Hosts(Core& core)
    : core_(core),
      ranks_flows_(core.mechanisms.injection && core.mechanisms.injection->ranks_flows()),
      are_plain_(are_plain(core)),
      queues_(core, messages_),
      flows_(make_flow_table(core)),
      acks_(core.packets) {
  core.messages = &messages_;
  core.flows = &flows_;
  if (core.settings.acks == AckMode::in_band || core.settings.acks == AckMode::becn ||
      core.routes_flows)
    acks_.serve(core.graph.host_count(),
                arbitrates_vls(core) ? static_cast<std::size_t>(core.buffers) : 1,
                static_cast<std::uint32_t>((core.settings.mtu + core.settings.header).count));
  if (arbitrates_vls(core)) {
    for (std::uint32_t host = 0; host < core.graph.host_count(); ++host)
      vl_arbiters_.emplace_back(vl_tables(core, core.first_port[host]));
  }
  if (core.settings.ack_jitter.count > 0) {
    for (std::uint32_t host = 0; host < core.graph.host_count(); ++host)
      ack_random_.emplace_back(core.settings.seed, host, StreamPurpose::acknowledgements);
  }
  if (core.settings.order == HostOrder::reorder) {
    reorder_ = std::make_unique<ReorderBuffers>(core);
    core.every_mechanism.push_back(reorder_.get());
  }
  if (core.isolates_adapted) adapted_in_turn_.assign(core.graph.host_count(), 0);
}

void Hosts::add_source(HostId host, std::unique_ptr<MessageSource> model) {
  draw(new_source(host, std::move(model)));
}

std::uint32_t Hosts::new_source(HostId host, std::unique_ptr<MessageSource> model) {
  if (host.index() >= core_.graph.host_count()) {
    throw InputError(fmt::format("there is no host {} for a traffic source, the network has {}",
                                 host.value, core_.graph.host_count()));
  }
  if (model->reserve == 0) check_served(host, model->service_level);
  Source source;
  source.model = std::move(model);
  source.host = host.value;
  const FabricSettings& settings = core_.settings;
  const bool is_saturated = source.model->closed_loop();
  // What keeps a rate has one queue.
  const bool is_open =
      settings.saturation == Saturation::full_rate && is_saturated && !source.model->keeps_rate;
  source.is_loop = is_saturated && !is_open;
  source.refuses = is_open || (!is_saturated && settings.when_full == WhenFull::discard);
  source.draws_on = source.is_loop && settings.saturation == Saturation::per_queue &&
                    queues_.lasting() != 1 && !source.model->keeps_rate &&
                    source.model->reserve == 0;
  const auto number = static_cast<std::uint32_t>(sources_.size());
  if (source.draws_on) {
    if (loops_.empty()) loops_.resize(core_.graph.host_count());
    loops_[host.index()].sources.push_back(number);
  }
  sources_.push_back(std::move(source));
  return number;
}

void Hosts::check_served(HostId host, std::uint8_t service_level) const {
  const ConnectionTables* tables =
      core_.mechanisms.admission ? core_.mechanisms.admission->tables() : nullptr;
  if (tables == nullptr) return;
  const auto other = static_cast<std::uint32_t>((host.index() + 1) % core_.graph.host_count());
  const std::uint16_t vl = class_of(host.value, other, service_level);
  if (tables->serves_without(vl)) return;
  throw InputError(
      "admission.tables",
      fmt::format("VL {} has no entry but those of connections, and {} sends "
                  "there at service level {} without one; give it a 'reserve', or the VL weight "
                  "in vl_arbitration.low",
                  vl, core_.graph.name(core_.graph.node(host)), service_level));
}

void Hosts::ask_model(Source& s, std::int64_t at) {
  s.pending = s.model->next(Time(at));
  if (!s.pending) return;
  const MessageRequest& request = *s.pending;
  if (request.at.count < core_.now || request.size.count <= 0 ||
      request.destination.index() >= core_.graph.host_count()) {
    throw RunError(fmt::format(
        "a traffic source of host {} made an impossible message: {} bytes to host {} at {} ps",
        s.host, request.size.count, request.destination.value, request.at.count));
  }
}

void Hosts::draw(std::uint32_t source) {
  Source& s = sources_[source];
  ask_model(s, std::max(core_.now, s.next_at));
  if (!s.pending) return;
  const MessageRequest& request = *s.pending;
  if (s.refuses && s.model->closed_loop()) {
    const Output& link = core_.links[core_.first_port[s.host]];
    const Bytes wire(request.size.count +
                     packets_of(request.size.count) * core_.settings.header.count);
    s.next_at = request.at.count + serialization_time(wire, Rate(link.rate)).count;
  }
  core_.schedule(request.at.count, kGenerate, source, 0);
}

bool Hosts::has_room(const Source& source, const SourceQueue& queue) const {
  if (queue.head == kNone) return true;
  if (core_.mechanisms.vl_sharing && !have_lanes_room(source)) return false;
  if (source.is_loop) return has_staging(queue);
  std::int64_t bound = core_.settings.backlog.count;
  if (core_.settings.backlog == Bytes::max()) {
    if (!source.model->closed_loop()) return true;
    bound = core_.settings.closed_loop_packets * core_.settings.mtu.count;
  }
  return queue.bytes + source.pending->size.count <= bound;
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
  for (int tries = 0;; ++tries) {
    const std::uint32_t queue =
        queue_for(s.host, s.pending->destination.value, s.model->service_level,
                  queues_.by_flow() ? flow_of(s) : 0);
    const bool first_in_line = queues_[queue].first_waiter == kNone;
    if (s.draws_on && draws_at_once())
      s.aims = static_cast<std::uint16_t>(s.aims | 1U << (queue - queues_.first_lasting(s.host)));
    if (first_in_line && has_room(s, queues_[queue])) {
      enqueue_pending(queue, source);
      return;
    }
    if (s.refuses) {
      refuse_pending(s);
      draw(source);
      return;
    }
    if (!s.draws_on || tries == kMostTries || !is_aim_open(s)) {
      wait_at(queue, source);
      return;
    }
    if (!redraw(source)) return;
  }
}

std::uint32_t Hosts::queue_for(std::uint32_t host, std::uint32_t destination,
                               std::uint8_t service_level, std::uint32_t flow) {
  return queues_.queue_for(
      host, destination, flow,
      queues_.by_class() ? class_of(host, destination, service_level) : std::uint16_t{0});
}

void Hosts::wait_at(std::uint32_t queue, std::uint32_t source) {
  Source& s = sources_[source];
  SourceQueue& q = queues_[queue];
  s.waits_at = queue;
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
    s.waits_at = kNone;
    enqueue_pending(queue, source);
  }
}

// --- Closed loops past full queues

bool Hosts::redraw(std::uint32_t source) {
  Source& s = sources_[source];
  s.model->withdraw();
  ask_model(s, core_.now);
  if (!s.pending) return false;
  if (s.pending->at.count == core_.now) return true;
  core_.schedule(s.pending->at.count, kGenerate, source, 0);
  return false;
}

void Hosts::stop_waiting(std::uint32_t source) {
  Source& s = sources_[source];
  SourceQueue& q = queues_[s.waits_at];
  std::uint32_t before = kNone;
  for (std::uint32_t i = q.first_waiter; i != source; i = sources_[i].next_waiter) before = i;
  (before == kNone ? q.first_waiter : sources_[before].next_waiter) = s.next_waiter;
  if (q.last_waiter == source) q.last_waiter = before;
  s.waits_at = kNone;
}

bool Hosts::is_aim_open(const Source& source) const {
  const std::uint32_t first = queues_.first_lasting(source.host);
  for (std::uint32_t i = 0; i < queues_.lasting() && draws_at_once(); ++i) {
    if ((source.aims >> i & 1U) == 0) continue;
    const SourceQueue& queue = queues_[first + i];
    if (queue.first_waiter == kNone && has_staging(queue)) return true;
  }
  return false;
}

void Hosts::use_room(std::uint32_t queue) {
  admit_waiters(queue);
  if (loops_.empty() || !draws_at_once()) return;
  const std::uint32_t host = queues_[queue].host;
  Loops& loops = loops_[host];
  const unsigned place = queue - queues_.first_lasting(host);
  for (std::size_t i = 0; i < loops.sources.size(); ++i) {
    if (queues_[queue].first_waiter != kNone || !has_staging(queues_[queue])) return;
    const std::uint32_t source = loops.sources[(loops.turn + i) % loops.sources.size()];
    const Source& s = sources_[source];
    if (s.waits_at == kNone || (s.aims >> place & 1U) == 0) continue;
    stop_waiting(source);
    if (redraw(source)) generate(source);
  }
  ++loops.turn;
}

void Hosts::enqueue_pending(std::uint32_t queue, std::uint32_t source) {
  const Source& s = sources_[source];
  Message m;
  // A closed-loop source makes its message when there is room; others have been waiting with
  // theirs.
  m.generated = s.is_loop ? core_.now : s.pending->at.count;
  m.bytes = s.pending->size.count;
  m.source = s.host;
  m.destination = s.pending->destination.value;
  m.tag = s.pending->tag;
  m.traffic_class = s.model->traffic_class;
  m.service_level = s.model->service_level;
  m.keeps_rate = has_rate(*s.model);
  m.flow = flow_of(s);
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
    if (s.is_loop) {
      s.pending.reset();
    } else {
      draw(source);
    }
    settle_connection(s, kNone);
    return false;
  }
  s.connection = Source::Connection::asked;
  s.aim = s.pending->destination.value;
  s.connection_number = core_.mechanisms.admission->ask(
      {HostId(s.host), s.pending->destination, s.model->reserve, source, s.model->service_level,
       s.model->traffic_class, s.model->connection});
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
    core_.mechanisms.admission->end_with(HostId(source.host), source.connection_number,
                                         last_message);
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
  check_served(host, service_level);
  Message m;
  m.generated = core_.now;
  m.bytes = request.size.count;
  m.source = host.value;
  m.destination = request.destination.value;
  m.tag = request.tag;
  m.traffic_class = traffic_class;
  m.service_level = service_level;
  m.flow = flows_.find_or_add(m.source, m.destination);
  enqueue(queue_for(m.source, m.destination, service_level, m.flow), m);
}

std::uint32_t Hosts::enqueue(std::uint32_t queue, const Message& message) {
  const std::uint32_t handle = messages_.take();
  Message& m = messages_[handle];
  m = message;
  m.unsent = m.undelivered = m.bytes;
  if (core_.buffers > 1)
    m.lane = core_.models.routing->injection_lane(HostId(m.source), HostId(m.destination));
  m.buffer = class_of(m.source, m.destination, m.service_level);
  core_.expect(m.source, m.buffer, wire_size(m));
  backlog_ += m.bytes;
  ++core_.counters.messages_generated;
  if (core_.mechanisms.reaction) core_.mechanisms.reaction->on_generated(m, Time(core_.now));
  core_.observer->on_generated(m, Time(core_.now));
  if (core_.routes_flows) core_.mechanisms.flow_routing->on_generated(m, Time(core_.now));
  if (ranks_flows_ && queues_[queue].head == kNone)
    core_.mechanisms.injection->on_waiting(m, Time(core_.now));
  if (core_.mechanisms.vl_sharing) {
    core_.mechanisms.vl_sharing->on_waiting(core_.first_port[m.source], m.buffer,
                                            packets_of(m.bytes));
  }
  queues_.push(queue, handle, queues_[queue].head == kNone ? group_of(m) : 0);
  if (core_.mechanisms.waiting)
    core_.mechanisms.waiting->on_waiting(queue, handle, queues_[queue].head);
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

std::uint16_t Hosts::class_of(std::uint32_t host, std::uint32_t destination,
                              std::uint8_t service_level) const {
  if (core_.buffers == 1) return 0;
  Packet probe;
  probe.source = host;
  probe.destination = destination;
  probe.service_level = service_level;
  probe.message = kNone;
  const std::uint8_t lane = core_.models.routing->injection_lane(HostId(host), HostId(destination));
  const std::uint32_t receiver = core_.links[core_.first_port[host]].to;
  return core_.classify_anew(probe, lane, receiver);
}

std::uint32_t Hosts::group_of(const Message& m) const {
  Isolation* isolation = core_.mechanisms.isolation.get();
  if (isolation == nullptr) return 0;
  const Side side = Side::egress(core_.first_port[m.source], m.buffer);
  const std::uint32_t number =
      isolation->injection_queue(side, m.source, m.destination, flows_.connection_of(m.flow));
  return core_.queue_place(m.buffer, number);
}

std::size_t Hosts::memory() const {
  return messages_.memory() + queues_.memory() + flows_.memory() +
         sources_.capacity() * sizeof(Source) + acks_.memory() +
         kept_.capacity() * sizeof(std::uint32_t);
}

}  // namespace weir::fabric
