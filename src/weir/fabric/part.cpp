#include "weir/fabric/part.hpp"

#include <algorithm>
#include <utility>

#include "weir/fabric/compatibility.hpp"
#include "weir/fabric/fabric.hpp"
#include "weir/fabric/part_loop.hpp"

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

void check_selection(const Core& core, const SwitchModel& switches) {
  if (!core.models.selection->watches_queues()) return;
  if (core.mechanisms.isolation) {
    throw InputError("selection.model",
                     "it finds congestion by the length of virtual output queues, from which "
                     "isolation.model takes what is congested; take one of the two");
  }
  if (switches.ingress_buffers() != nullptr && core.settings.voq) return;
  throw InputError(
      "selection.model",
      "it finds congestion in virtual output queues at ingress, which needs "
      "switch.voq = true and an architecture with ingress queues (iq, iq-single, cioq)");
}

}  // namespace

bool SwitchModel::run_until(Part& part, Time end, WhenIdle when_idle) {
  return part.run_until(*this, end, when_idle);
}

void SwitchModel::run_before(Part& part, std::int64_t end) { part.run_before(*this, end); }

Part::Part(Fabric& whole, const Models& models, const Mechanisms& mechanisms,
           const FabricSettings& settings, Observer& observer, std::unique_ptr<Border> border)
    : whole_(whole),
      border_(std::move(border)),
      core_(models, mechanisms, settings, observer, border_.get()),
      to_hosts_(core_),
      host_ports_(static_cast<std::uint32_t>(core_.graph.host_count())),
      is_large_(core_.graph.port_count() > kSmallNetwork),
      hosts_(core_),
      switches_(make_switches(core_)),
      dirty_ahead_(!is_large_                    ? SIZE_MAX / 2
                   : switches_->lists_requests() ? kFourth
                                                 : kThird),
      sample_period_(settings.sample_period.count),
      check_period_(Fabric::check_period(settings).count) {
  check_selection(core_, *switches_);
  const FabricView fabric = view();
  for (Mechanism* mechanism : core_.every_mechanism) mechanism->attach(fabric);
  if (core_.mechanisms.isolation) hosts_.use_injection_buffers(switches_->injection_buffers());
}

std::size_t Part::memory() const {
  std::size_t bytes = core_.memory() + hosts_.memory() + switches_->memory() + to_hosts_.memory();
  for (const Mechanism* mechanism : core_.every_mechanism) bytes += mechanism->memory();
  return bytes + (border_ ? border_->memory() : 0);
}

void Part::dispatch_rare(const engine::Event& event) {
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
      // Another part counts it where only the far end is here.
      if (border_ && !border_->is_own_port(entity)) --core_.counters.events;
      core_.set_link(entity, event.payload != 0);
      return;
    case kDiscard:
      hosts_.lose(entity, event.payload);
      return;
    case kLost:
      gather_instant(event);
      core_.counters.events -= gathered_.size();
      hosts_.hear_of_losses(gathered_);
      return;
    case kExpect:
      --core_.counters.events;
      core_.hear_announcement(event.payload);
      return;
    case kSample:
      --core_.counters.events;
      core_.observer->on_sample(whole_, Time(core_.now));
      core_.schedule(core_.now + sample_period_, kSample, 0, 0);
      return;
    case kCheck:
      --core_.counters.events;
      whole_.on_check(Time(core_.now));
      core_.schedule(core_.now + check_period_, kCheck, 0, 0);
      return;
  }
}

void Part::gather_instant(const engine::Event& first) {
  gathered_.assign(1, first.payload);
  for (;;) {
    const engine::Event* next = core_.events.peek(first.time);
    if (next == nullptr || next->time != first.time || next->key != first.key) return;
    gathered_.push_back(next->payload);
    core_.events.pop();
    ++core_.counters.events;
  }
}

void Part::hear_controls(PortId port) {
  if (gathered_.size() > 1) core_.controls.sort(gathered_);
  for (const std::uint32_t number : gathered_) {
    const ControlMessage message = core_.controls.take(number);
    if (Mechanism* to = message.recipient()) to->on_control(port, message);
  }
}

// --- The only part

bool Part::run_until(Time end, WhenIdle when_idle) {
  return switches_->run_until(*this, end, when_idle);
}

bool Part::is_idle() const {
  return core_.events.size() == periodic_pending_ + core_.background_events &&
         core_.packets.in_use() == 0 && (work_ == nullptr || work_->next() == Time::max()) &&
         (!core_.mechanisms.control || core_.mechanisms.control->is_quiet());
}

void Part::start_periodic() {
  if (periodic_pending_ != 0) return;
  if (sample_period_ > 0) {
    core_.schedule(core_.now + sample_period_, kSample, 0, 0);
    ++periodic_pending_;
  }
  core_.schedule(core_.now + check_period_, kCheck, 0, 0);
  ++periodic_pending_;
}

// --- One of several

void Part::take_in(Part& other) {
  border_->take(core_, to_hosts_, *other.border_,
                [this](std::uint32_t message) { hosts_.forget_message(message); });
}

void Part::take_in(std::uint16_t other) {
  border_->take(core_, to_hosts_, other,
                [this](std::uint32_t message) { hosts_.forget_message(message); });
}

void Part::run_before(std::int64_t end) {
  switches_->run_before(*this, end);
  border_->close(end);
}

bool Part::do_due_work() {
  if (work_ == nullptr || !work_->is_due()) return false;
  work_->act(Time(core_.now));
  return true;
}

bool Part::do_timed_work(std::int64_t next, std::int64_t end) {
  if (work_ == nullptr) return false;
  const std::int64_t due = work_->next().count;
  // The events of an instant come first.
  if (due >= end || due >= next) return false;
  core_.now = std::max(core_.now, due);
  work_->act(Time(core_.now));
  return true;
}

void Part::begin_instant(std::int64_t at) {
  core_.now = at;
  while (const engine::Event* next = core_.events.peek_at(at)) {
    const engine::Event event = *next;
    core_.events.pop();
    dispatch(*switches_, event);
  }
}

void Part::finish_instant() {
  for (;;) {
    begin_instant(core_.now);
    if (!is_settled()) settle(*switches_);
    if (do_due_work()) return;
    const engine::Event* next = core_.events.peek(core_.now);
    if (next != nullptr && next->time == core_.now) continue;
    (void)do_timed_work(core_.now + 1, core_.now + 1);
    return;
  }
}

std::int64_t Part::next_time() {
  if (!is_settled() || (work_ != nullptr && work_->is_due())) return core_.now;
  const engine::Event* next = core_.events.peek();
  const std::int64_t at = next == nullptr ? kNever : next->time;
  return work_ == nullptr ? at : std::min(at, work_->next().count);
}

}  // namespace weir::fabric
