#pragma once

#include <memory>
#include <string>

#include "weir/marking/switch_marker.hpp"

namespace weir::marking {

/// Where markers with two bits begin to mark, as shares of the buffers.
struct TwoThresholds {
  double input = 0.66;
  double output = 0.33;
};

inline const Keys<TwoThresholds>& two_threshold_keys() {
  using T = TwoThresholds;
  static const Keys<T> keys{
      key(&T::input, "input_threshold", "filled share of an ingress buffer above which it marks")
          .range(0, 1),
      key(&T::output, "output_threshold",
          "filled share of an egress buffer above which it validates marks")
          .range(0, 1)};
  return keys;
}

template <class TwoBits>
std::unique_ptr<fabric::Marker> make_two_bits(const Checked<TwoThresholds>& file,
                                              const topology::Graph&) {
  share_of_buffer(file, &TwoThresholds::input);
  share_of_buffer(file, &TwoThresholds::output);
  return std::make_unique<TwoBits>(*file);
}

/// Bit A at congested ingress buffers; what bit B needs besides a congested egress buffer, the
/// derived class says.
class TwoBitMarker : public SwitchMarker {
 public:
  TwoBitMarker(std::string name, const TwoThresholds& thresholds)
      : SwitchMarker(std::move(name), Sides::both), thresholds_(thresholds) {}

  /// One bit says little: the flow is warm.
  [[nodiscard]] fabric::FlowHeat classify(std::uint8_t marks) const final {
    const int both = marks & fabric::packet_flag::kMarks;
    if (both == fabric::packet_flag::kMarks) return fabric::FlowHeat::hot;
    return both == 0 ? fabric::FlowHeat::cold : fabric::FlowHeat::warm;
  }

  void on_ingress(PortId port, fabric::Packet& packet) final {
    if (packet.is_ack()) return;
    if (buffers_.fill(port.value, packet.buffer).is_over(thresholds_.input)) mark_a(port, packet);
  }

 protected:
  void prepare(const fabric::FabricView& fabric) override { buffers_ = fabric.buffers; }
  [[nodiscard]] bool is_output_congested(PortId port, const fabric::Packet& packet) const {
    return egress()->fill(port.value, packet.next_buffer).is_over(thresholds_.output);
  }
  [[nodiscard]] const TwoThresholds& thresholds() const { return thresholds_; }

 private:
  fabric::Buffers buffers_;
  TwoThresholds thresholds_;
};

}  // namespace weir::marking
