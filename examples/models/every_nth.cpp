#include <vector>

#include "weir/marking/switch_marker.hpp"

namespace weir::marking {

namespace {

struct EveryNthSettings {
  std::uint32_t packets = 100;
};

/// Marks each n-th data packet that enters a switch by a port, whatever the queues are like: what a
/// reaction does with marks alone.
class EveryNth final : public SwitchMarker {
 public:
  explicit EveryNth(std::uint32_t packets)
      : SwitchMarker("every-nth", Sides::ingress), packets_(packets) {}

  void on_ingress(PortId port, fabric::Packet& packet) override {
    if (packet.is_ack() || ++seen_[port.index()] % packets_ != 0) return;
    mark_b(port, packet);
  }
  [[nodiscard]] std::size_t memory() const override {
    return SwitchMarker::memory() + seen_.capacity() * sizeof(std::uint32_t);
  }

 private:
  void prepare(const fabric::FabricView& fabric) override { seen_.resize(fabric.ports.size()); }

  std::uint32_t packets_;
  std::vector<std::uint32_t> seen_;  ///< by port
};

const Registration<fabric::MarkerFactory> kEveryNth(
    fabric::marker_registry(),
    {"every-nth", "marks each n-th packet that enters a switch by a port", "A. N. Author 2026"},
    Keys<EveryNthSettings>{
        key(&EveryNthSettings::packets, "packets", "n: 1 marks all").range(1, 1'000'000)},
    [](const Checked<EveryNthSettings>& settings, const topology::Graph&) {
      return std::make_unique<EveryNth>(settings->packets);
    });

}  // namespace

}  // namespace weir::marking
