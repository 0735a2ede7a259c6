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

  void arrive(std::uint32_t port, std::uint32_t packet) override {
    Packet& p = core_.packets[packet];
    ++p.hops;
    core_.store(port, packet);
    const PortInfo& in = core_.ports[port];
    const std::uint32_t output = in.first_port + p.out;
    p.ready = core_.ready_time(p, in, core_.links[output]);
    if (ingress_.push_to_pair(output, in.number, packet)) ask(output);
  }

  void arbitrate(std::uint32_t port) override {
    Output& out = core_.links[port];
    const std::uint64_t requests = out.requests.word();
    if (requests == 0) return;
    const std::int64_t now = core_.now;
    if (out.free_at > now) {
      core_.wake(port, out.free_at);
      return;
    }
    if (core_.announced != 0 || !core_.is_down.empty()) [[unlikely]] {
      InputQueued<false>::arbitrate(port);
      return;
    }
    core_.links.apply_plainly(port, now);
    if (core_.links.takes_nothing_plainly(port)) {
      core_.await_feedback(port);
      return;
    }
    // From the pointer upwards, then those below it.
    std::int64_t ready_at = kNever;
    std::uint64_t left = requests & (~std::uint64_t{0} << out.next_input);
    std::uint64_t after = requests ^ left;
    if (left == 0) std::swap(left, after);
    for (;;) {
      const auto input = static_cast<unsigned>(std::countr_zero(left));
      const std::uint32_t queue = ingress_.pair_queue(port, input);
      const std::int64_t ready = core_.packets[ingress_.head_of(queue)].ready;
      if (ready <= now) {
        start(port, out, input, queue);
        return;
      }
      ready_at = std::min(ready_at, ready);
      left &= left - 1;
      if (left != 0) continue;
      if (after == 0) break;
      std::swap(left, after);
    }
    core_.wake(port, ready_at);
  }

  void prefetch_arrival(std::uint32_t port, const Packet& packet) const override {
    const PortInfo& in = core_.ports[port];
    const std::uint32_t output = in.first_port + packet.out;
    core_.links.prefetch_plainly(output);
    core_.links.prefetch_feedback(in.upstream);
    weir::prefetch(&core_.stored[port]);
    ingress_.prefetch_pair(ingress_.pair_queue(output, in.number));
  }
  void prefetch_tail(std::uint32_t port, const Packet& packet) const override {
    const PortInfo& in = core_.ports[port];
    ingress_.prefetch_tail_of(ingress_.pair_queue(in.first_port + packet.out, in.number));
  }

 private:
  void start(std::uint32_t port, Output& out, unsigned input, std::uint32_t queue) {
    const std::uint32_t packet = ingress_.pop_from_pair(out, input, queue);
    const Packet& p = core_.packets[packet];
    const std::uint32_t in_port = p.in_port;
    const std::uint32_t size = p.size;
    const unsigned next = input + 1;
    out.next_input = static_cast<std::uint16_t>(next < out.owner_degree ? next : 0);
    core_.stored[in_port] -= size;
    core_.at_ingress.go(size, core_.now);
    const std::int64_t free_at = core_.transmit_plainly(port, packet);
    const PortInfo& info = core_.ports[in_port];
    core_.tell(info.upstream, {free_at + info.upstream_delay, size, 0, Feedback::credit},
               info.is_fed_across);
    if (out.requests.word() != 0) core_.wake(port, free_at);
  }
};

}  // namespace weir::fabric
