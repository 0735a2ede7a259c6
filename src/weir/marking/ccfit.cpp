#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "weir/base/keys.hpp"
#include "weir/fabric/checkpoint/node_state.hpp"
#include "weir/fabric/hooks/isolation.hpp"
#include "weir/marking/switch_marker.hpp"

namespace weir::marking {

namespace {

/// Nothing chosen: 16 and 8 of the largest packets.
struct CcfitSettings {
  std::optional<Bytes> high;
  std::optional<Bytes> low;
};

/// Detection of CCFIT, which joins congested-flow isolation and injection throttling
/// (escudero2011ccfit): an output is congested from when a queue that was set aside for it at an
/// input of its switch holds more than `high`, until none of them holds more than `low`. Packets
/// that leave by a congested output are marked (bit B). Outputs that only suffer from a root
/// further on have no such queues. Each class behind an output is looked at by itself.
class IsolatedRootMarking final : public SwitchMarker {
 public:
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(fabric::NodeState& state) override {
    SwitchMarker::checkpoint(state);
    state.of_ports(congested_, static_cast<std::size_t>(buffers_.classes()));
  }
  explicit IsolatedRootMarking(const CcfitSettings& settings)
      : SwitchMarker("ccfit", Sides::ingress), settings_(settings) {}

  void on_transmit(PortId port, fabric::Packet& packet) override {
    const fabric::Isolation& isolation = *isolation_;
    const std::uint16_t behind = packet.next_buffer;
    std::uint8_t& is_congested = congested_[buffers_.index(port.value, behind)];
    if (is_congested == 0 && isolation.in_use() == 0) return;
    const std::int64_t limit = is_congested != 0 ? low_ : high_;
    is_congested = has_more_than(isolation, port.value, behind, limit) ? 1 : 0;
    if (is_congested != 0 && !packet.is_ack()) mark_b(port, packet);
  }

  [[nodiscard]] std::size_t memory() const override {
    return SwitchMarker::memory() + congested_.capacity();
  }

 private:
  void prepare(const fabric::FabricView& fabric) override {
    ports_ = fabric.ports;
    buffers_ = fabric.buffers;
    isolation_ = fabric.mechanisms.isolation.get();
    if (isolation_ == nullptr) {
      throw InputError("marking.model",
                       "\"ccfit\" looks at the queues that isolation.model = \"fbicm\" (or "
                       "\"recn\", \"recn-enhanced\") sets aside, and there is no isolation");
    }
    high_ = settings_.high.value_or(Bytes(16 * largest_packet())).count;
    low_ = settings_.low.value_or(Bytes(std::min(8 * largest_packet(), high_))).count;
    if (low_ > high_) {
      throw InputError("marking.low", fmt::format("{} is above marking.high, {}",
                                                  to_string(Bytes(low_)), to_string(Bytes(high_))));
    }
    congested_.assign(buffers_.size(), 0);
  }

  [[nodiscard]] bool has_more_than(const fabric::Isolation& isolation, std::uint32_t port,
                                   std::uint16_t behind, std::int64_t bytes) const {
    const fabric::PortInfo& out = ports_[port];
    for (std::uint32_t i = 0; i < out.degree; ++i) {
      if (isolation.root_queue_bytes(out.first_port + i, out.number, behind) > bytes) return true;
    }
    return false;
  }

  CcfitSettings settings_;
  fabric::Ports ports_;
  fabric::Buffers buffers_;
  const fabric::Isolation* isolation_ = nullptr;
  std::int64_t high_ = 0;
  std::int64_t low_ = 0;
  std::vector<std::uint8_t> congested_;  ///< per output port and class behind it
};

const Registration<fabric::MarkerFactory> kCcfit(
    fabric::marker_registry(),
    {"ccfit", "marks packets that leave by an output for which much is set aside at the inputs",
     "escudero2011ccfit"},
    Keys<CcfitSettings>{
        key(&CcfitSettings::high, "high",
            "bytes set aside at an input for an output above which that output is congested "
            "(default: 16 of the largest packets)")
            .at_least(1),
        key(&CcfitSettings::low, "low",
            "bytes set aside at every input for an output at which its congestion ends (default: 8 "
            "of the largest packets)")
            .at_least(1)},
    [](const Checked<CcfitSettings>& settings, const topology::Graph&) {
      return std::make_unique<IsolatedRootMarking>(*settings);
    });

}  // namespace

}  // namespace weir::marking
