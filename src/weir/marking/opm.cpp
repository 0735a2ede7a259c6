#include "weir/fabric/core.hpp"
#include "weir/fabric/hooks.hpp"

namespace weir::marking {

namespace {

/// Output packet marking: a packet that is stored in an egress buffer of more than `threshold`
/// occupancy is marked (bit B). Needs switches with egress buffers.
class OutputPacketMarking : public fabric::Marker {
 public:
  explicit OutputPacketMarking(double threshold) : threshold_(threshold) {}

  void on_egress(const fabric::Core& core, PortId port, fabric::Packet& packet) override {
    if (packet.is_ack()) return;
    const double capacity = static_cast<double>(core.settings.egress_buffer.count);
    // queued_bytes counts the packet itself; the one on the link is still in memory.
    if (static_cast<double>(core.links[port.value].queued_bytes) > threshold_ * capacity) {
      packet.flags |= fabric::packet_flag::kMarkB;
    }
  }

 private:
  double threshold_;
};

const Registration<fabric::MarkerFactory> registration(
    fabric::marker_registry(),
    {"opm",
     "marks packets stored in an egress buffer beyond a threshold",
     "packet-marking 3.1.3",
     {Parameter::of(ParameterType::real, "threshold", "share of the egress buffer")
          .by_default("0.9")
          .range(0.01, 1)}},
    [](const Settings& settings, const topology::Graph&) {
      return std::make_unique<OutputPacketMarking>(settings.real("threshold"));
    });

}  // namespace

}  // namespace weir::marking
