#include "weir/fabric/part.hpp"

#include <algorithm>
#include <utility>

#include "weir/fabric/compatibility.hpp"
#include "weir/fabric/fabric.hpp"
#include "weir/fabric/part_prefetch.hpp"

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

[[gnu::always_inline]] inline void Part::dispatch(const engine::Event& event) {
  ++core_.counters.events;
  const std::uint32_t entity = event.entity();
  const std::uint32_t kind = event.kind();
  if (kind == kArrival) {
    core_.fingerprint.add(event.time, event.key);
    if (is_host_port(entity)) {
      if (hosts_.are_plain()) {
        hosts_.receive_plainly(entity, event.payload);
      } else {
        hosts_.receive(entity, event.payload);
      }
    } else {
      switches_->arrive(entity, event.payload);
    }
  } else if (kind == kWake) {
    wake_up(event);
  } else if (kind == kCrossbarDone) {
    switches_->crossbar_done(entity);
  } else if (kind == kGenerate) {
    if (hosts_.are_plain()) {
      hosts_.generate_plainly(entity);
    } else {
      hosts_.generate(entity);
    }
  } else {
    dispatch_rare(event);
  }
}

[[gnu::always_inline]] inline void Part::wake_up(const engine::Event& event) {
  const std::uint32_t port = event.entity();
  Output& out = core_.links[port];
  if (event.payload == kFeedback) {
    core_.links.end_announcement(port);
    // Feedback of the same instant may have been announced twice.
    const engine::Event* next = core_.events.peek(event.time);
    while (next != nullptr && *next == event) {
      core_.events.pop();
      next = core_.events.peek(event.time);
    }
    if (!out.blocked) {
      --core_.counters.events;
      return;
    }
  } else {
    if (out.wake_at != event.time) {
      --core_.counters.events;
      return;
    }
    out.wake_at = kNever;
  }
  core_.mark_dirty(port);
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

void Part::settle() {
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
        if (hosts_.are_plain()) {
          hosts_.inject_plainly(port);
        } else {
          hosts_.inject(port);
        }
      } else {
        switches_->arbitrate(port);
      }
      if (core_.links[port].blocked) {
        // It hears of the next word from the far end, even if that is not what it waits for now: or
        // its wake-ups would depend on when that word was written down.
        core_.links.apply(port, core_.now);
        core_.await_feedback(port);
      }
    }
    core_.dirty_ports.clear();
  } while (switches_->needs_match());
}

// --- The only part

bool Part::run_until(Time end, WhenIdle when_idle) {
  stop_ = false;
  start_periodic();
  for (;;) {
    const engine::Event* next = core_.events.peek_at(core_.now);
    if (next == nullptr) {
      // What is settled schedules events before the next one, so that one is not looked for yet.
      if (!is_settled()) settle();
      next = core_.events.peek(end.count);
      if (stop_ || next == nullptr || next->time > end.count) break;
      if (next->kind() >= kSample && when_idle == WhenIdle::stop && is_idle()) break;
      core_.now = next->time;
    }
    const engine::Event event = *next;
    core_.events.pop();
    if (is_large_) prefetch();
    dispatch(event);
  }
  return is_idle();
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
  for (;;) {
    const engine::Event* next = core_.events.peek_at(core_.now);
    if (next == nullptr) {
      if (!is_settled()) settle();
      if (do_due_work()) continue;
      next = core_.events.peek(end - 1);
      const bool is_over = next == nullptr || next->time >= end;
      if (do_timed_work(is_over ? end : next->time, end)) continue;
      if (is_over) return;
      core_.now = next->time;
    }
    const engine::Event event = *next;
    core_.events.pop();
    if (is_large_) prefetch();
    dispatch(event);
  }
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
    dispatch(event);
  }
}

void Part::finish_instant() {
  for (;;) {
    begin_instant(core_.now);
    if (!is_settled()) settle();
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
