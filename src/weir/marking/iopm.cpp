#include "weir/marking/two_bits.hpp"

namespace weir::marking {

namespace {

/// Input and output packet marking: bit A (MBin) at congested ingress buffers and bit B (MBout) at
/// congested egress buffers, independent of each other.
class InputOutputPacketMarking final : public TwoBitMarker {
 public:
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  explicit InputOutputPacketMarking(const TwoThresholds& thresholds)
      : TwoBitMarker("iopm", thresholds) {}

  void on_egress(PortId port, fabric::Packet& packet) override {
    if (!packet.is_ack() && is_output_congested(port, packet)) mark_b(port, packet);
  }

  [[nodiscard]] std::optional<std::string> silence(fabric::Architecture) const override {
    if (thresholds().input < 1 || thresholds().output < 1) return std::nullopt;
    return beyond_all("input_threshold = output_threshold", "ingress or egress");
  }
};

const Registration<fabric::MarkerFactory> kIopm(
    fabric::marker_registry(),
    {"iopm", "marks at congested ingress buffers (bit A) and, with bit B, at congested egress ones",
     "ferrer2010iocm; ferrer2012, section 4.2.4"},
    two_threshold_keys(), make_two_bits<InputOutputPacketMarking>);

}  // namespace

}  // namespace weir::marking
