#pragma once

#include <bit>
#include <cstdint>

#include "weir/fabric/switch/input_queued.hpp"

namespace weir::fabric {

/// Input-queued switches of a plain run (Core::is_plain), of at most 64 ports, with a queue for
/// each input and output and round robin: what they do for every packet, without asking for what
/// the run does not have. Trajectories are those of InputQueued.
class PlainInputQueued final : public InputQueued<false> {
 public:
  [[nodiscard]] static bool serves(const Core& core) {
    if (!core.is_plain || !core.settings.voq || core.settings.arbiter != ArbiterKind::round_robin)
      return false;
    for (const PortInfo& port : core.ports)
      if (port.degree > 64) return false;
    return true;
  }

  using InputQueued<false>::InputQueued;
  static constexpr bool kIsPlain = true;

  bool run_until(Part& part, Time end, WhenIdle when_idle) override;
  void run_before(Part& part, std::int64_t end) override;

  [[gnu::always_inline]] void arrive(std::uint32_t port, std::uint32_t packet) override {
    Core& core = core_;
    Packet& p = core.packets[packet];
    ++p.hops;
    core.store_plainly(port, packet, p.size);
    const PortInfo& in = core.ports[port];
    const std::uint32_t output = in.first_port + p.out;
    Output& out = core.links[output];
    p.ready = core.ready_time(p, in, out);
    const std::uint32_t queue = ingress_.pair_queue(output, in.number);
    if (!ingress_.push_to_pair(out, in.number, queue, packet, p)) return;
    if (out.free_at > core.now) {
      core.wake(output, out.free_at);
    } else {
      core.mark_dirty(output);
    }
  }

  void arbitrate(std::uint32_t port) override {
    Core& core = core_;
    Output& out = core.links[port];
    const std::uint64_t requests = out.requests.word();
    if (requests == 0) return;
    const std::int64_t now = core.now;
    if (out.free_at > now) {
      core.wake(port, out.free_at);
      return;
    }
    if (core.announced != 0 || !core.is_down.empty()) [[unlikely]] {
      InputQueued<false>::arbitrate(port);
      return;
    }
    if (!core.links.takes_something_plainly(port, out, now)) {
      core.await_feedback(port);
      return;
    }
    // From the pointer upwards, then those below it.
    std::int64_t ready_at = kNever;
    const unsigned first = out.next_input;
    std::uint64_t left = std::rotr(requests, static_cast<int>(first));
    do {
      const unsigned input = (static_cast<unsigned>(std::countr_zero(left)) + first) % 64;
      const std::uint32_t queue = ingress_.pair_queue(port, input);
      const std::uint32_t packet = ingress_.head_of(queue);
      Packet& p = core.packets[packet];
      if (p.ready <= now) {
        ingress_.pop_from_pair(out, input, queue, p);
        out.next_input = static_cast<std::uint16_t>(input + 1 < out.owner_degree ? input + 1 : 0);
        start(core, port, out, packet, p);
        return;
      }
      ready_at = std::min(ready_at, p.ready);
      left &= left - 1;
    } while (left != 0);
    core.wake(port, ready_at);
  }

  void prefetch_arrival(std::uint32_t port, const Packet& packet) const override {
    const PortInfo& in = core_.ports[port];
    const std::uint32_t output = in.first_port + packet.out;
    core_.links.prefetch_plainly(output);
    core_.links.prefetch_feedback(in.upstream);
    weir::prefetch(&core_.stored[port]);
    ingress_.prefetch_pair(ingress_.pair_queue(output, in.number));
  }
  void prefetch_request(std::uint32_t port) const override {
    const Output& out = core_.links[port];
    const PortWord requests(out.requests.word());
    if (!requests.any()) return;
    const unsigned input = requests.first_cyclic(out.next_input, out.owner_degree);
    const std::uint32_t in_port = core_.ports[port].first_port + input;
    ingress_.prefetch_pair(ingress_.pair_queue(port, input));
    weir::prefetch(&core_.ports[in_port]);
    weir::prefetch(&core_.stored[in_port]);
  }
  void prefetch_head(std::uint32_t port) const override {
    const Output& out = core_.links[port];
    const PortWord requests(out.requests.word());
    if (!requests.any()) return;
    const unsigned input = requests.first_cyclic(out.next_input, out.owner_degree);
    const std::uint32_t in_port = core_.ports[port].first_port + input;
    ingress_.prefetch_head_of(ingress_.pair_queue(port, input));
    core_.links.prefetch_feedback(core_.ports[in_port].upstream);
  }
  void prefetch_tail(std::uint32_t port, const Packet& packet) const override {
    const PortInfo& in = core_.ports[port];
    ingress_.prefetch_tail_of(ingress_.pair_queue(in.first_port + packet.out, in.number));
  }

 private:
  [[gnu::always_inline]] static void start(Core& core, std::uint32_t port, Output& out,
                                           std::uint32_t packet, Packet& p) {
    const std::uint32_t in_port = p.in_port;
    const std::uint32_t size = p.size;
    core.unstore_plainly(in_port, size);
    const std::int64_t free_at = core.transmit_plainly(port, out, packet, p);
    const PortInfo& info = core.ports[in_port];
    core.tell(info.upstream, {free_at + info.upstream_delay, size, 0, Feedback::credit},
              info.is_fed_across);
    if (out.requests.word() != 0) core.wake(port, free_at);
  }
};

}  // namespace weir::fabric
