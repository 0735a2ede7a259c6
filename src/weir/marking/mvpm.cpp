#include <fmt/format.h>

#include "weir/fabric/switch/switch_model.hpp"
#include "weir/marking/two_bits.hpp"

namespace weir::marking {

namespace {

using fabric::packet_flag::kMarkA;
using fabric::packet_flag::kMarkB;

/// Marking and validation: bit A (MB) at congested ingress buffers; a congested egress buffer of
/// the same or a later switch validates it with bit B (VB). B never stands without A.
class MarkingAndValidation final : public TwoBitMarker {
 public:
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  explicit MarkingAndValidation(const TwoThresholds& thresholds)
      : TwoBitMarker("mvpm", thresholds) {}

  void on_egress(PortId port, fabric::Packet& packet) override {
    if ((packet.flags & kMarkA) == 0 || packet.is_ack()) return;
    if (is_output_congested(port, packet)) mark_b(port, packet);
  }

  [[nodiscard]] std::optional<std::string> silence(fabric::Architecture) const override {
    if (thresholds().input < 1) return std::nullopt;
    return beyond_all("input_threshold", "ingress");
  }

  void check(bool) const override {
    switches().for_each_packet([this](std::uint32_t port, std::uint32_t packet) {
      if ((packets_[packet].flags & fabric::packet_flag::kMarks) != kMarkB) return;
      throw RunError(fmt::format("a packet at {} is validated, but not marked; {}",
                                 graph().name(PortId(port)), packets_.history(packet)));
    });
  }

 private:
  void prepare(const fabric::FabricView& fabric) override {
    TwoBitMarker::prepare(fabric);
    packets_ = fabric.packets;
  }

  fabric::Packets packets_;
};

const Registration<fabric::MarkerFactory> kMvpm(
    fabric::marker_registry(),
    {"mvpm",
     "marks at congested ingress buffers (bit A), validates at congested egress ones (bit B)",
     "ferrer2007mvcm; ferrer2012, section 4.2.5"},
    two_threshold_keys(), make_two_bits<MarkingAndValidation>);

}  // namespace

}  // namespace weir::marking
