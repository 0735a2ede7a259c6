#include "weir/fabric/fabric.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "weir/fabric/compatibility.hpp"

namespace weir::fabric {

namespace {

/// Ports whose state fits into a private cache.
constexpr std::size_t kSmallNetwork = 1'024;

std::unique_ptr<SwitchModel> make_switches(Core& core) {
  check_mechanisms(core);
  switch (core.settings.architecture) {
    case Architecture::input_queued:
      return make_input_queued(core);
    case Architecture::output_queued:
      return make_output_queued(core);
    case Architecture::input_queued_single:
    case Architecture::cioq:
      break;
  }
  return make_crossbar_switch(core);
}

FabricSettings with_carried(FabricSettings settings, const Mechanisms& mechanisms) {
  carry(settings, mechanisms);
  return settings;
}

void check_selection(const Core& core, const SwitchModel& switches) {
  if (!core.models.selection->watches_queues()) return;
  if (switches.ingress_buffers() != nullptr && core.settings.voq) return;
  throw InputError(
      "selection.model",
      "it finds congestion in virtual output queues at ingress, which needs "
      "switch.voq = true and an architecture with ingress queues (iq, iq-single, cioq)");
}

}  // namespace

void carry(FabricSettings& settings, const Mechanisms& mechanisms) {
  CarriedBytes sum;
  for (const Mechanism* mechanism : mechanisms.all()) {
    const CarriedBytes one = mechanism->carried();
    sum.data += one.data;
    sum.ack += one.ack;
  }
  settings.header = settings.header - settings.carried_data + sum.data;
  settings.ack_size = settings.ack_size - settings.carried_by_acks + sum.ack;
  settings.carried_data = sum.data;
  settings.carried_by_acks = sum.ack;
}

FabricSettings adapted(FabricSettings settings, const QueueingScheme& scheme,
                       std::span<Mechanism* const> mechanisms) {
  settings.voq = scheme.voq().value_or(settings.voq);
  for (const Mechanism* mechanism : mechanisms) {
    const std::optional<SideResources> queues = mechanism->side_resources(false, 2);
    if (queues) settings.voq = queues->normal_queues > 1;
  }
  settings.memory = scheme.memory().value_or(settings.memory);
  settings.ingress_buffer = std::max(settings.ingress_buffer, scheme.least_memory());
  settings.egress_buffer = std::max(settings.egress_buffer, scheme.least_memory());
  return settings;
}

Fabric::Fabric(const Models& models, const Mechanisms& mechanisms, const FabricSettings& settings,
               Observer& observer)
    : core_(checked(models, mechanisms, with_carried(settings, mechanisms)), mechanisms,
            adapted(with_carried(settings, mechanisms), *models.queueing, mechanisms.all()),
            observer),
      to_hosts_(core_),
      host_ports_(static_cast<std::uint32_t>(core_.graph.host_count())),
      is_large_(core_.graph.port_count() > kSmallNetwork),
      hosts_(core_),
      switches_(make_switches(core_)),
      dirty_ahead_(!is_large_                    ? SIZE_MAX / 2
                   : switches_->lists_requests() ? kFourth
                                                 : kThird),
      sample_period_(settings.sample_period.count),
      check_period_(settings.check_period.count > 0 ? settings.check_period.count
                                                    : microseconds(200).count) {
  check_selection(core_, *switches_);
  const FabricView fabric = view();
  for (Mechanism* mechanism : core_.every_mechanism) mechanism->attach(fabric);
  if (core_.mechanisms.isolation) hosts_.use_injection_buffers(switches_->egress_buffers());
}

void Fabric::set_rate(const ConnectionName& connection, Rate rate) {
  if (!core_.mechanisms.injection || !core_.mechanisms.injection->ranks_flows()) {
    throw std::logic_error("rates need an injection scheme that ranks flows");
  }
  core_.mechanisms.injection->set_rate(connection, rate, now());
  hosts_.reconsider(connection.source);
}

void Fabric::change_cable(PortId port, Time at, bool is_up) {
  const topology::Port& one = core_.graph.port(port);
  if (!one.to.valid()) {
    throw InputError(fmt::format("{} has no link that could fail", core_.graph.name(port)));
  }
  if (core_.routes_flows) {
    throw InputError("failure", "flow routing relies on links that do not fail");
  }
  if (core_.mechanisms.control) {
    throw InputError(
        "failure",
        "the packets of a rate protocol (protocol.model) must all arrive, it relies on "
        "links that do not fail");
  }
  if (const auto vl = vl_without_entry(core_)) {
    throw InputError(
        "failure",
        fmt::format(
            "a connection whose last packet is lost ends at once, and what it has on its way "
            "would have no entry of VL {} in arbitration tables; give the VL weight in "
            "vl_arbitration.low",
            *vl));
  }
  const auto change = [&](PortId sender) {
    ++core_.background_events;
    core_.schedule(at.count, kLinkChange, sender.value, is_up ? 1 : 0);
  };
  change(port);
  if (core_.graph.port(one.to).to == port) change(one.to);
}

[[gnu::always_inline]] inline void Fabric::dispatch(const engine::Event& event) {
  ++core_.counters.events;
  const std::uint32_t entity = event.entity();
  const std::uint32_t kind = event.kind();
  if (kind == kArrival) {
    core_.fingerprint.add(event.time, event.key);
    if (is_host_port(entity)) {
      hosts_.receive(entity, event.payload);
    } else {
      switches_->arrive(entity, event.payload);
    }
  } else if (kind == kWake) {
    Output& out = core_.links[entity];
    if (out.wake_at != event.time) return;
    out.wake_at = kNever;
    core_.mark_dirty(entity);
  } else if (kind == kCrossbarDone) {
    switches_->crossbar_done(entity);
  } else if (kind == kGenerate) {
    hosts_.generate(entity);
  } else {
    dispatch_rare(event);
  }
}

bool Fabric::run_until(Time end, WhenIdle when_idle) {
  stop_ = false;
  start_periodic();
  for (;;) {
    engine::Event event;
    if (!core_.events.take_at(core_.now, event)) {
      // What is settled schedules events before the next one, so that one is not looked for yet.
      if (!core_.dirty_ports.empty() || switches_->needs_match()) settle();
      const engine::Event* next = core_.events.peek(end.count);
      if (stop_ || next == nullptr || next->time > end.count) break;
      if (next->kind() >= kSample && when_idle == WhenIdle::stop && is_idle()) break;
      core_.now = next->time;
      event = *next;
      core_.events.pop();
    }
    if (is_large_) prefetch();
    dispatch(event);
  }
  const bool idle = is_idle();
  if (!stop_ && (!idle || when_idle == WhenIdle::keep_time)) {
    core_.now = std::max(core_.now, end.count);
  }
  if (idle || core_.settings.check_period.count > 0) check();
  // A scheme whose rates come from outside may get others while nothing moves.
  const bool gets_rates = core_.mechanisms.injection && core_.mechanisms.injection->ranks_flows();
  if (idle && !stop_ && !gets_rates && hosts_.backlog() > 0) {
    throw RunError(
        fmt::format("starved at {}: the network is empty and nothing is scheduled, but {} wait in "
                    "source queues "
                    "for a leave to inject that never comes",
                    to_string(now()), to_string(Bytes(hosts_.backlog()))));
  }
  if (idle && !stop_) {
    for (const Mechanism* mechanism : core_.every_mechanism) mechanism->check(true);
  }
  return idle;
}

bool Fabric::is_idle() const {
  return core_.events.size() == periodic_pending_ + core_.background_events &&
         core_.packets.in_use() == 0 &&
         (!core_.mechanisms.control || core_.mechanisms.control->is_quiet());
}

void Fabric::start_periodic() {
  if (periodic_pending_ != 0) return;
  if (sample_period_ > 0) {
    core_.schedule(core_.now + sample_period_, kSample, 0, 0);
    ++periodic_pending_;
  }
  core_.schedule(core_.now + check_period_, kCheck, 0, 0);
  ++periodic_pending_;
}

void Fabric::dispatch_rare(const engine::Event& event) {
  const std::uint32_t entity = event.entity();
  switch (static_cast<EventKind>(event.kind())) {
    case kArrival:
    case kWake:
    case kCrossbarDone:
    case kGenerate:
      return;  // dispatch() deals with those
    case kIdealAck:
      gather_instant(event);
      hosts_.receive_ideal_acks(gathered_);
      return;
    case kControl:
      gather_instant(event);
      hear_controls(PortId(entity));
      return;
    case kTimer:
      --core_.background_events;
      core_.models.selection->on_timer(entity, event.payload);
      return;
    case kRelease:
      core_.stop_and_go->leave(entity, static_cast<std::uint16_t>(event.payload >> 20),
                               event.payload & 0xfffffU);
      return;
    case kLinkChange:
      --core_.background_events;
      core_.set_link(entity, event.payload != 0);
      return;
    case kDiscard:
      hosts_.lose(entity, event.payload);
      return;
    case kSample:
      core_.observer->on_sample(*this, now());
      core_.schedule(core_.now + sample_period_, kSample, 0, 0);
      return;
    case kCheck:
      on_check();
      core_.schedule(core_.now + check_period_, kCheck, 0, 0);
      return;
  }
}

void Fabric::gather_instant(const engine::Event& first) {
  gathered_.assign(1, first.payload);
  for (;;) {
    const engine::Event* next = core_.events.peek(first.time);
    if (next == nullptr || next->time != first.time || next->key != first.key) return;
    gathered_.push_back(next->payload);
    core_.events.pop();
    ++core_.counters.events;
  }
}

void Fabric::hear_controls(PortId port) {
  if (gathered_.size() > 1) core_.controls.sort(gathered_);
  for (const std::uint32_t number : gathered_) {
    const ControlMessage message = core_.controls.take(number);
    if (Mechanism* to = message.recipient()) to->on_control(port, message);
  }
}

void Fabric::settle() {
  do {
    if (switches_->needs_match()) switches_->match();
    // Arbitration may ask for more of itself in the same instant; the list grows while it is
    // walked.
    // NOLINTNEXTLINE(modernize-loop-convert)
    for (std::size_t i = 0; i < core_.dirty_ports.size(); ++i) {
      if (i + dirty_ahead_ < core_.dirty_ports.size()) prefetch_dirty(i);
      const std::uint32_t port = core_.dirty_ports[i];
      core_.links[port].dirty = false;
      if (is_host_port(port)) {
        hosts_.inject(port);
      } else {
        switches_->arbitrate(port);
      }
    }
    core_.dirty_ports.clear();
  } while (switches_->needs_match());
}

void Fabric::on_check() {
  // Looking at all queues is only worth it when much has happened.
  if (core_.counters.packet_hops - hops_at_watch_ > 4 * core_.graph.port_count()) {
    core_.turn_watch.look(core_, *switches_, core_.now - check_period_);
    hops_at_watch_ = core_.counters.packet_hops;
  }
  // Conservation looks at everything there is; unless a period was asked for, that is only worth it
  // when much has happened.
  const std::uint64_t things = core_.stored.size() + core_.packets.in_use() + flows().size();
  if (core_.settings.check_period.count > 0 ||
      core_.counters.packet_hops - hops_at_conservation_ > 2 * things) {
    check();
    hops_at_conservation_ = core_.counters.packet_hops;
  }
  // What the events of this instant have woken has yet to be arbitrated.
  const bool is_settled = core_.dirty_ports.empty() && !switches_->needs_match();
  if (is_settled && core_.counters.packet_hops == hops_at_check_ && core_.packets.in_use() > 0) {
    check_progress(core_, *switches_, core_.now, scratch_);
    // The check that is running has left the queue, but is still counted.
    if (core_.events.size() + 1 == periodic_pending_ + core_.background_events)
      report_starvation(core_, *switches_);
  } else {
    check_progress(core_, *switches_, core_.now - check_period_, scratch_);
  }
  hops_at_check_ = core_.counters.packet_hops;
}

void Fabric::check() const {
  check_conservation(core_, hosts_, *switches_, scratch_);
  for (const Mechanism* mechanism : core_.every_mechanism) mechanism->check(false);
}

PortStatistics Fabric::port(PortId id) const {
  const Output& out = core_.links[id.value];
  PortStatistics statistics;
  statistics.bytes = out.bytes_sent;
  statistics.packets = out.packets_sent;
  statistics.queued = out.queued_bytes;
  statistics.blocked = out.blocked;
  if (out.to == UINT32_MAX) return statistics;
  const std::int64_t remaining = std::max<std::int64_t>(0, out.free_at - core_.now);
  statistics.busy = Time(out.duration(out.bytes_sent) - remaining);
  statistics.waiting = Time(out.wait_time + (out.blocked ? core_.now - out.blocked_since : 0));
  return statistics;
}

Fabric::Waited Fabric::waited() const {
  std::int64_t all = 0;
  std::int64_t at_egress = 0;
  const EgressBuffers* egress = switches_->egress_buffers();
  for (std::uint32_t p = host_ports_; p < core_.links.size(); ++p) {
    all += core_.links[p].queued_bytes;
    if (egress != nullptr) at_egress += egress->waiting(p);
  }
  const auto integral = [&](std::int64_t bytes, std::uint64_t moment) {
    return static_cast<std::uint64_t>(bytes) * static_cast<std::uint64_t>(core_.now) - moment;
  };
  return {integral(all - at_egress, core_.at_ingress.value),
          integral(at_egress, core_.at_egress.value - core_.at_hosts.value)};
}

Bytes Fabric::credits(PortId port, int buffer) const {
  const auto b = static_cast<std::uint16_t>(buffer);
  return Bytes(core_.links.credits_at(port.value, b, core_.now));
}

void Fabric::for_each_stored(const std::function<void(PortId, const Packet&)>& visit) const {
  switches_->for_each_packet([&](std::uint32_t port, std::uint32_t packet) {
    visit(PortId(port), core_.packets[packet]);
  });
}

std::size_t Fabric::memory() const {
  std::size_t bytes = core_.memory() + hosts_.memory() + switches_->memory() + to_hosts_.memory();
  for (const Mechanism* mechanism : core_.every_mechanism) bytes += mechanism->memory();
  return bytes;
}

}  // namespace weir::fabric
