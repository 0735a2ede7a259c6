#pragma once

#include <string>
#include <vector>

#include "weir/marking/switch_marker.hpp"

namespace weir::marking {

/// Where markers with two bits begin to mark, as shares of the buffers.
struct TwoThresholds {
  double input = 0.66;
  double output = 0.33;

  /// Throws InputError for values outside (0, 1].
  explicit TwoThresholds(const Settings& settings)
      : input(share_of_buffer(settings, "input_threshold")),
        output(share_of_buffer(settings, "output_threshold")) {}
};

/// Their keys.
inline std::vector<Parameter> two_threshold_parameters() {
  return {
      share_parameter("input_threshold", "filled share of an ingress buffer above which it marks",
                      "0.66"),
      share_parameter("output_threshold",
                      "filled share of an egress buffer above which it validates marks", "0.33")};
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

  void on_ingress(const fabric::Core& core, PortId port, fabric::Packet& packet) final {
    if (packet.is_ack()) return;
    if (core.ingress_fill(port.value, packet.buffer).is_over(thresholds_.input))
      mark_a(port, packet);
  }

 protected:
  [[nodiscard]] bool is_output_congested(PortId port, const fabric::Packet& packet) const {
    return egress()->fill(port.value, packet.next_buffer).is_over(thresholds_.output);
  }
  [[nodiscard]] const TwoThresholds& thresholds() const { return thresholds_; }

 private:
  TwoThresholds thresholds_;
};

}  // namespace weir::marking
