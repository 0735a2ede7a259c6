#pragma once

// The event loop of a part, which is compiled for the switches that it runs: what the frequent ones
// do for every packet is in line, and what a plain run does not have is not asked for.

#include "weir/fabric/part.hpp"
#include "weir/fabric/part_prefetch.hpp"

namespace weir::fabric {

template <class Switches>
[[gnu::noinline]] bool Part::run_until(Switches& switches, Time end, WhenIdle when_idle) {
  stop_ = false;
  start_periodic();
  bool is_over = false;
  for (;;) {
    const engine::Event* next = core_.events.peek_at(core_.now);
    if (next == nullptr) {
      // What is settled schedules events before the next one, so that one is not looked for yet.
      if (!is_settled(switches)) settle(switches);
      next = core_.events.peek(end.count);
      if (stop_ || next == nullptr || next->time > end.count) break;
      if (next->kind() >= kSample && when_idle == WhenIdle::stop && is_idle()) {
        if (core_.background_events != 0) core_.now = next->time;
        is_over = true;
        break;
      }
      core_.now = next->time;
    }
    const engine::Event event = *next;
    core_.events.pop();
    if (is_large_) prefetch(switches);
    dispatch(switches, event);
  }
  return is_over || is_over_at_any_time(when_idle);
}

template <class Switches>
[[gnu::noinline]] void Part::run_before(Switches& switches, std::int64_t end) {
  for (;;) {
    const engine::Event* next = core_.events.peek_at(core_.now);
    if (next == nullptr) {
      if (!is_settled(switches)) settle(switches);
      if (do_due_work()) continue;
      next = core_.events.peek(end - 1);
      const bool is_over = next == nullptr || next->time >= end;
      if (do_timed_work(is_over ? end : next->time, end)) continue;
      if (is_over) return;
      core_.now = next->time;
    }
    const engine::Event event = *next;
    core_.events.pop();
    if (is_large_) prefetch(switches);
    dispatch(switches, event);
  }
}

template <class Switches>
[[gnu::always_inline]] inline void Part::dispatch(Switches& switches, const engine::Event& event) {
  ++core_.counters.events;
  const std::uint32_t entity = event.entity();
  const std::uint32_t kind = event.kind();
  if (kind == kArrival) {
    core_.fingerprint.add(event.time, event.key);
    if (!is_host_port(entity)) {
      switches.arrive(entity, event.payload);
    } else if (hosts_.are_plain()) {
      hosts_.receive_plainly(entity, event.payload);
    } else {
      hosts_.receive(entity, event.payload);
    }
  } else if (kind == kWake) {
    wake_up(event);
  } else if (kind == kCrossbarDone) {
    switches.crossbar_done(entity);
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

template <class Switches>
[[gnu::always_inline]] inline void Part::settle(Switches& switches) {
  do {
    if (switches.needs_match()) switches.match();
    // Arbitration may ask for more of itself in the same instant; the list grows while it is
    // walked.
    // NOLINTNEXTLINE(modernize-loop-convert)
    for (std::size_t i = 0; i < core_.dirty_ports.size(); ++i) {
      if (i + dirty_ahead_ < core_.dirty_ports.size()) prefetch_dirty(switches, i);
      const std::uint32_t port = core_.dirty_ports[i];
      core_.links[port].dirty = false;
      if (!is_host_port(port)) {
        switches.arbitrate(port);
      } else if (hosts_.are_plain()) {
        hosts_.inject_plainly(port);
      } else {
        hosts_.inject(port);
      }
      if (core_.links[port].blocked) {
        // It hears of the next word from the far end, even if that is not what it waits for now: or
        // its wake-ups would depend on when that word was written down.
        core_.links.apply(port, core_.now);
        core_.await_feedback(port);
      }
    }
    core_.dirty_ports.clear();
  } while (switches.needs_match());
}

}  // namespace weir::fabric
