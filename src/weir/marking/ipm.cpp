#include "weir/marking/switch_marker.hpp"

namespace weir::marking {

namespace {

/// Input packet marking: a packet that is stored in an ingress buffer filled beyond a share is
/// marked (bit A), whatever its output.
class InputPacketMarking : public SwitchMarker {
 public:
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  explicit InputPacketMarking(double threshold)
      : SwitchMarker("ipm", Sides::ingress), threshold_(threshold) {}

  void on_ingress(PortId port, fabric::Packet& packet) override {
    if (packet.is_ack()) return;
    if (buffers_.fill(port.value, packet.buffer).is_over(threshold_)) mark_a(port, packet);
  }

  [[nodiscard]] std::optional<std::string> silence(fabric::Architecture) const override {
    if (threshold_ < 1) return std::nullopt;
    return beyond_all("threshold", "ingress");
  }

 private:
  void prepare(const fabric::FabricView& fabric) override { buffers_ = fabric.buffers; }

  fabric::Buffers buffers_;
  double threshold_;
};

struct IpmSettings {
  double threshold = 0.66;
};

const Registration<fabric::MarkerFactory> kIpm(
    fabric::marker_registry(),
    {"ipm", "marks packets stored in an ingress buffer beyond a threshold",
     "santos2002detection; ferrer2012, section 4.2.1"},
    Keys<IpmSettings>{key(&IpmSettings::threshold, "threshold",
                          "filled share of an ingress buffer above which it marks")
                          .range(0, 1)},
    [](const Checked<IpmSettings>& file, const topology::Graph&) {
      return std::make_unique<InputPacketMarking>(share_of_buffer(file, &IpmSettings::threshold));
    });

}  // namespace

}  // namespace weir::marking
