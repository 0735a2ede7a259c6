#include <algorithm>

#include "weir/fabric/switch/egress.hpp"
#include "weir/fabric/switch/switch_model.hpp"

namespace weir::fabric {

namespace {

/// Ideal output-queued switch: a packet goes at once, whatever else arrives, into an egress buffer
/// without bound. The reference without HOL blocking and without back-pressure (spec
/// lippens2010, section 5.1).
class OutputQueued : public SwitchModel {
 public:
  explicit OutputQueued(Core& core) : core_(core), egress_(core, EgressBuffers::kUnlimited) {}

  void arrive(std::uint32_t port, std::uint32_t packet) override {
    Packet& p = core_.packets[packet];
    ++p.hops;
    core_.store(port, packet);
    core_.unstore(port, p);
    core_.route(p);
    const Output& out = core_.links[core_.ports[port].first_port + p.out];
    const std::int64_t crossbar = core_.settings.crossbar_delay.count;
    core_.release(port, p.buffer, p.size, std::max(p.tail, core_.now));
    p.ready = std::max(core_.now, p.tail - out.duration(p.size)) + crossbar;
    egress_.push(core_.ports[port].first_port + p.out, packet);
  }

  void arbitrate(std::uint32_t port) override { egress_.arbitrate(port); }

  void for_each_packet(
      const std::function<void(std::uint32_t, std::uint32_t)>& visit) const override {
    egress_.for_each_packet(visit);
  }
  void for_each_head(
      const std::function<void(std::uint32_t, std::uint32_t, bool)>& visit) const override {
    egress_.for_each_head(
        [&](std::uint32_t port, std::uint32_t packet) { visit(port, packet, true); });
  }
  void for_each_wait(std::uint32_t, std::uint16_t,
                     const std::function<void(std::uint32_t)>&) const override {}
  [[nodiscard]] std::size_t memory() const override { return egress_.memory(); }
  void checkpoint(NodeState& state) override { egress_.checkpoint(state); }
  EgressBuffers* egress_buffers() override { return &egress_; }

 private:
  Core& core_;
  EgressBuffers egress_;
};

}  // namespace

std::unique_ptr<SwitchModel> make_output_queued(Core& core) {
  return std::make_unique<OutputQueued>(core);
}

}  // namespace weir::fabric
