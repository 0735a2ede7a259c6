#include "weir/marking/switch_marker.hpp"

namespace weir::marking {

namespace {

/// Output packet marking: a packet that is stored in an egress buffer filled beyond a share is
/// marked (bit B).
class OutputPacketMarking : public SwitchMarker {
 public:
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  explicit OutputPacketMarking(double threshold)
      : SwitchMarker("opm", Sides::egress), threshold_(threshold) {}

  void on_egress(PortId port, fabric::Packet& packet) override {
    if (packet.is_ack()) return;
    if (egress()->fill(port.value, packet.next_buffer).is_over(threshold_)) mark_b(port, packet);
  }

  [[nodiscard]] std::optional<std::string> silence(
      fabric::Architecture architecture) const override {
    // Egress buffers of oq switches have no bound.
    if (threshold_ < 1 || architecture == fabric::Architecture::output_queued) return std::nullopt;
    return beyond_all("threshold", "egress");
  }

 private:
  double threshold_;
};

struct OpmSettings {
  double threshold = 0.9;
};

const Registration<fabric::MarkerFactory> kOpm(
    fabric::marker_registry(),
    {"opm", "marks packets stored in an egress buffer beyond a threshold",
     "ferrer2012, section 4.2.2"},
    Keys<OpmSettings>{key(&OpmSettings::threshold, "threshold",
                          "filled share of an egress buffer above which it marks")
                          .range(0, 1)},
    [](const Checked<OpmSettings>& file, const topology::Graph&) {
      return std::make_unique<OutputPacketMarking>(share_of_buffer(file, &OpmSettings::threshold));
    });

}  // namespace

}  // namespace weir::marking
