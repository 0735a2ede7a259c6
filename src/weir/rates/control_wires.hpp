#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "weir/engine/event_queue.hpp"
#include "weir/rates/control_medium.hpp"

namespace weir::rates {

/// A medium with nothing but control packets: what they find where they have absolute, preemptive
/// priority over data (zdornov2009, chapter 6). Events of one instant are in a total order, so that
/// runs repeat exactly.
class ControlWires final : public ControlMedium {
 public:
  explicit ControlWires(const ControlPlane& plane) : plane_(plane), free_at_(plane.link_count()) {}

  [[nodiscard]] Time now() const override { return now_; }
  void schedule(Time time, ControlEvent event, LinkIndex link, std::uint32_t payload) override {
    events_.push(engine::Event(time.count, 1 + static_cast<std::uint32_t>(event), link, payload));
  }
  Time transmit(LinkIndex link, Bytes size) override {
    const ControlPlane::Link& wire = plane_.link(link);
    Time& free_at = free_at_[link];
    free_at = std::max(free_at, now_) + serialization_time(size, wire.rate);
    return free_at + wire.delay;
  }
  /// A flow or application begins, or ends, at `time`.
  void plan(Time time, std::uint32_t who, bool is_start) {
    ++planned_;
    events_.push(engine::Event(time.count, kAction, is_start ? 0 : 1, who));
  }
  [[nodiscard]] std::size_t planned() const { return planned_; }

  /// Hands events to `carrier` (handle, start, end) until there is none, `is_over()`, which is
  /// asked after every event, or the time is up. True unless the latter.
  template <class Target, class Stop>
  bool run(Target& target, Time limit, Stop is_over) {
    while (const engine::Event* next = events_.peek()) {
      if (next->time > limit.count) return false;
      const engine::Event event = *next;
      events_.pop();
      now_ = Time(event.time);
      if (event.kind() != kAction) {
        target.handle(static_cast<ControlEvent>(event.kind() - 1), event.payload);
      } else {
        --planned_;
        if (event.entity() == 0) {
          target.start(event.payload);
        } else {
          target.end(event.payload);
        }
      }
      if (is_over()) return true;
    }
    return true;
  }

 private:
  static constexpr std::uint32_t kAction = 0;

  const ControlPlane& plane_;
  engine::EventQueue events_;
  Time now_;
  std::vector<Time> free_at_;
  std::size_t planned_ = 0;
};

}  // namespace weir::rates
