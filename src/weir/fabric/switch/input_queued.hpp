#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "weir/base/prefetch.hpp"
#include "weir/fabric/switch/arbiter.hpp"
#include "weir/fabric/switch/class_turns.hpp"
#include "weir/fabric/switch/ingress_sides.hpp"
#include "weir/fabric/switch/switch_model.hpp"

namespace weir::fabric {

/// Input-queued switch whose buffers may send any number of packets at once to different outputs:
/// only outputs contend (rocher2021, section 3.2; zdornov2009, section 1.2).
/// `kIsolates`: packets are set aside; a class of its own, so that others pay nothing for it.
template <bool kIsolates>
class InputQueued : public SwitchModel {
 public:
  explicit InputQueued(Core& core)
      : core_(core),
        isolation_(core.mechanisms.isolation.get()),
        ingress_(core),
        arbiter_(core),
        turns_(core, false) {
    lists_requests_ = ingress_.lists_requests();
    if (kIsolates) sides_.emplace(core, ingress_, turns_);
  }

  /// There is no crossbar.
  [[nodiscard]] static constexpr bool needs_match() { return false; }

  void arrive(std::uint32_t port, std::uint32_t packet) override {
    Packet& p = core_.packets[packet];
    ++p.hops;
    core_.store(port, packet);
    core_.route(p);
    if (core_.mechanisms.marker) core_.mechanisms.marker->on_ingress(PortId(port), p);
    const Side side = Side::ingress(port, p.buffer);
    const std::uint32_t number = kIsolates ? isolation_->choose_queue(side, packet) : 0;
    const bool is_head = kIsolates
                             ? ingress_.push(port, packet, core_.queue_place(p.buffer, number))
                             : ingress_.push(port, packet);
    if (core_.mechanisms.vl_sharing)
      core_.mechanisms.vl_sharing->on_waiting(core_.ports[port].first_port + p.out, p.next_buffer,
                                              1);
    ingress_.report_queued(port, packet, p, number);
    if (core_.mechanisms.agent) core_.mechanisms.agent->on_stored(PortId(port), p);
    if (is_head) ask(core_.ports[port].first_port + p.out);
    if (kIsolates) isolation_->on_stored(side, number, packet);
  }

  void arbitrate(std::uint32_t port) override {
    const Output& out = core_.links[port];
    if (!out.requests.any()) return;
    if (out.free_at > core_.now) {
      core_.wake(port, out.free_at);
      return;
    }
    core_.links.apply(port, core_.now);
    if (core_.links.takes_nothing(port)) {
      turns_.lacks_room(port);
      core_.note_no_room_at_all(port);
      core_.await_feedback(port);
      return;
    }
    IngressBuffers::Request request;
    Obstacles obstacles;
    unsigned turn = 0;
    if (pick(port, out, request, turn, obstacles)) {
      start(port, request, turn);
      return;
    }
    if (obstacles.credit) core_.await_feedback(port);
    core_.wake(port, obstacles.ready_at);
  }

  void prefetch_arrival(std::uint32_t port, const Packet& packet) const override {
    const PortInfo& in = core_.ports[port];
    core_.links.prefetch(in.first_port + packet.out);
    core_.links.prefetch_feedback(in.upstream);  // the sender of this packet will get credit
    weir::prefetch(&core_.stored[core_.buffer_index(port, packet.buffer)]);
    ingress_.prefetch(port, packet);
  }
  void prefetch_request(std::uint32_t port) const override { ingress_.prefetch_request(port); }
  void prefetch_head(std::uint32_t port) const override {
    ingress_.prefetch_head(port);
    if (!kIsolates) return;
    ingress_.visit_first_request(port, [&](std::uint32_t in_port, std::uint32_t) {
      isolation_->prefetch_side(Side::ingress(in_port));
    });
  }
  void prefetch_tail(std::uint32_t port, const Packet& packet) const override {
    ingress_.prefetch_tail(port, packet);
  }
  void prefetch_leaving(std::uint32_t port) const override {
    ingress_.visit_first_request(port, [&](std::uint32_t in_port, std::uint32_t queue) {
      const std::uint32_t packet = ingress_.prefetch_packet(queue);
      if (!kIsolates || packet == kNone) return;
      isolation_->prefetch_packet(packet);
      isolation_->prefetch_lines(Side::ingress(in_port, core_.packets[packet].buffer), 0);
    });
  }

  void for_each_packet(
      const std::function<void(std::uint32_t, std::uint32_t)>& visit) const override {
    ingress_.for_each_packet(visit);
    if (sides_) sides_->at_hosts().for_each_packet(visit);
  }
  void for_each_head(
      const std::function<void(std::uint32_t, std::uint32_t, bool)>& visit) const override {
    ingress_.for_each_head(
        [&](std::uint32_t port, std::uint32_t packet) { visit(port, packet, false); });
    if (!sides_) return;
    sides_->at_hosts().for_each_head(
        [&](std::uint32_t port, std::uint32_t packet) { visit(port, packet, true); });
  }
  void for_each_wait(std::uint32_t port, std::uint16_t buffer,
                     const std::function<void(std::uint32_t)>& visit) const override {
    ingress_.for_each_wait(port, buffer, visit);
  }
  void checkpoint(NodeState& state) override {
    ingress_.checkpoint(state);
    arbiter_.checkpoint(state);
    turns_.checkpoint(state);
    if (sides_) sides_->at_hosts().checkpoint(state);
  }
  [[nodiscard]] std::size_t memory() const override {
    return ingress_.memory() + turns_.memory() + (sides_ ? sides_->at_hosts().memory() : 0);
  }

  [[nodiscard]] const IngressBuffers* ingress_buffers() const override { return &ingress_; }
  SideQueues* side_queues() override { return sides_ ? &*sides_ : nullptr; }
  EgressBuffers* injection_buffers() override { return sides_ ? &sides_->at_hosts() : nullptr; }

 protected:
  void ask(std::uint32_t output) {
    const Output& out = core_.links[output];
    if (out.free_at > core_.now) {
      core_.wake(output, out.free_at);
    } else {
      core_.mark_dirty(output);
    }
  }

  [[nodiscard]] std::uint16_t turn_class_of(const Queue& queue) const {
    return kIsolates ? ingress_.turn_class(queue) : queue.head_buffer;
  }

  /// Why no head could go.
  struct Obstacles {
    bool credit = false;
    std::int64_t ready_at = kNever;
  };

  /// `turn`: the input behind which the next search begins.
  bool pick(std::uint32_t port, const Output& out, IngressBuffers::Request& found, unsigned& turn,
            Obstacles& obstacles) {
    std::uint16_t turn_class = 0;  // of the head that was looked at last
    const auto may_go = [&](const Queue& queue) {
      turn_class = turn_class_of(queue);
      if (!core_.can_send(port, queue.head_buffer)) {
        obstacles.credit = true;
        turns_.lacks_room(port, turn_class);
        core_.note_no_room(port, queue.head_buffer);
        return false;
      }
      const std::int64_t ready = core_.packets[queue.head].ready;
      if (ready > core_.now) obstacles.ready_at = std::min(obstacles.ready_at, ready);
      return ready <= core_.now &&
             core_.is_served(port, queue.head_buffer, queue.head, queue.head_size);
    };
    if (core_.settings.arbiter == ArbiterKind::round_robin) {
      const bool goes = out.requests.find_cyclic(
          out.next_input, out.owner_degree,
          [&](unsigned input) { return ingress_.find(port, input, found, may_go); });
      if (!goes) return false;
      turn = found.input;
      turns_.take_turns(port, turn_class, ingress_, out.requests, out.requests, out.owner_degree,
                        found, may_go);
      return true;
    }
    contenders_.clear();
    // A VL that serves nothing begins with the head that is asked first: inputs take turns.
    const std::uint16_t first = core_.mechanisms.vl_sharing ? out.next_input : std::uint16_t{0};
    out.requests.find_cyclic(first, out.owner_degree, [&](unsigned input) {
      ingress_.for_each_request(
          port, input, [&](const IngressBuffers::Request& request, const Queue& queue) {
            if (!may_go(queue)) return;
            contenders_.push_back(
                {request, queue.head_buffer, core_.packets[queue.head].ready, queue.head_size});
          });
      return false;
    });
    if (contenders_.empty()) return false;
    const std::size_t winner = arbiter_.choose(port, out.next_input, contenders_);
    if (winner == contenders_.size()) return false;
    found = contenders_[winner].request;
    turn = found.input;
    return true;
  }

  void start(std::uint32_t port, const IngressBuffers::Request& request, unsigned turn) {
    Output& out = core_.links[port];
    turns_.serve(port, request.input, turn, turn_class_of(ingress_.queue_of(request)),
                 out.owner_degree);
    const bool is_urgent = kIsolates && ingress_.queue_of(request).is_urgent;
    std::uint32_t next_output = kNone;
    const std::uint32_t packet = ingress_.pop(port, request, next_output);
    const Packet p = core_.packets[packet];
    ingress_.report_removed(p.in_port, packet, p, request.queue);
    const unsigned next = turn + 1U;
    out.next_input = static_cast<std::uint16_t>(next < out.owner_degree ? next : 0);
    core_.unstore(p.in_port, p);
    if (kIsolates) {
      isolation_->on_removed(Side::ingress(p.in_port, p.buffer),
                             ingress_.number_of(p.in_port, request.queue), packet);
    }
    // What the user puts first passes nobody over.
    const bool is_watched = out.is_watched;
    if (is_urgent) out.is_watched = false;
    const std::int64_t free_at = core_.transmit(port, packet);
    if (is_urgent) out.is_watched = is_watched;
    core_.release(p.in_port, p.buffer, p.size, free_at);
    if (core_.mechanisms.agent) core_.mechanisms.agent->on_removed(PortId(p.in_port), p);
    if (out.requests.any()) core_.wake(port, free_at);
    if (next_output != kNone && next_output != port) ask(next_output);
  }

  Core& core_;
  Isolation* isolation_;  ///< null: nothing is set aside
  IngressBuffers ingress_;
  Arbiter arbiter_;
  ClassTurns turns_;
  std::optional<IngressSides> sides_;  ///< with isolation
  std::vector<Contender> contenders_;
};

}  // namespace weir::fabric
