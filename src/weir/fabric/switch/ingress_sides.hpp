#pragma once

#include <cstdint>

#include "weir/fabric/hooks/isolation.hpp"
#include "weir/fabric/switch/class_turns.hpp"
#include "weir/fabric/switch/egress.hpp"
#include "weir/fabric/switch/ingress.hpp"

namespace weir::fabric {

/// Queues that are set aside where packets stand before the crossbar only: at the ingress sides of
/// switches, and in the injection buffers of hosts. The egress side of a switch has no queue; what
/// is called so here is empty, and its number names those whose turns at the output come before and
/// after each other.
class IngressSides final : public SideQueues {
 public:
  IngressSides(Core& core, IngressBuffers& ingress, ClassTurns& turns)
      : core_(core),
        ingress_(ingress),
        turns_(turns),
        at_hosts_(core, EgressBuffers::kUnlimited, core.host_count) {}

  [[nodiscard]] const Queue& queue(Side side, std::uint32_t number) const override {
    const std::uint32_t place = core_.queue_place(side.buffer, number);
    if (!side.is_egress()) return ingress_.queue(side.port(), place);
    return is_at_host(side) ? at_hosts_.queue(side.port(), place) : none_;
  }
  void hold(Side side, std::uint32_t number) override {
    const std::uint32_t place = core_.queue_place(side.buffer, number);
    if (!side.is_egress()) {
      ingress_.hold(side.port(), place);
    } else if (is_at_host(side)) {
      at_hosts_.hold(side.port(), place);
    }
  }
  void let_go(Side side, std::uint32_t number) override {
    const std::uint32_t place = core_.queue_place(side.buffer, number);
    if (!side.is_egress()) {
      ask(ingress_.let_go(side.port(), place));
    } else if (is_at_host(side)) {
      at_hosts_.let_go(side.port(), place);
    }
  }
  void set_urgent(Side side, std::uint32_t number, bool urgent) override {
    const std::uint32_t place = core_.queue_place(side.buffer, number);
    if (!side.is_egress()) {
      ingress_.set_urgent(side.port(), place, urgent);
    } else if (is_at_host(side)) {
      at_hosts_.set_urgent(side.port(), place, urgent);
    }
  }
  void set_target(Side side, std::uint32_t number, Side out, std::uint32_t target) override {
    ingress_.set_target(side.port(), core_.queue_place(side.buffer, number),
                        target == 0 ? 0 : core_.queue_place(out.buffer, target));
  }
  void keep_turns(Side side, std::uint32_t number) override {
    turns_.lacks_room(side.port(),
                      static_cast<std::uint16_t>(core_.queue_place(side.buffer, number)));
  }
  void move_head(Side side, std::uint32_t from, std::uint32_t to) override {
    const std::uint32_t source = core_.queue_place(side.buffer, from);
    const std::uint32_t target = core_.queue_place(side.buffer, to);
    if (side.is_egress()) {
      at_hosts_.move_head(side.port(), source, target);
      return;
    }
    const IngressBuffers::Moved moved = ingress_.move_head(side.port(), source, target);
    ask(moved.asked[0]);
    ask(moved.asked[1]);
  }
  void rename(Side side, std::uint32_t from, std::uint32_t to) override {
    ingress_.rename(side.port(), core_.queue_place(side.buffer, from),
                    core_.queue_place(side.buffer, to));
  }

  [[nodiscard]] EgressBuffers& at_hosts() { return at_hosts_; }
  [[nodiscard]] const EgressBuffers& at_hosts() const { return at_hosts_; }

 private:
  [[nodiscard]] bool is_at_host(Side side) const { return side.port() < core_.host_count; }
  /// An input has a head for output `port`; kNone: there is no news.
  void ask(std::uint32_t port) {
    if (port == kNone) return;
    if (core_.links[port].free_at > core_.now) {
      core_.wake(port, core_.links[port].free_at);
    } else {
      core_.mark_dirty(port);
    }
  }

  Core& core_;
  IngressBuffers& ingress_;
  ClassTurns& turns_;
  EgressBuffers at_hosts_;
  Queue none_;
};

}  // namespace weir::fabric
