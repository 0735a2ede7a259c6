#include <cstdint>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "weir/fabric/hooks/isolation.hpp"
#include "weir/marking/switch_marker.hpp"

namespace weir::marking {

namespace {

/// Detection of CCFIT, which joins congested-flow isolation and injection throttling
/// (escudero2011ccfit): an output is congested from when a queue that was set aside for it at an
/// input of its switch holds more than `high`, until none of them holds more than `low`. Packets
/// that leave by a congested output are marked (bit B). Outputs that only suffer from a root
/// further on have no such queues.
class IsolatedRootMarking final : public SwitchMarker {
 public:
  /// Bytes; 0: as many of the largest packets as the constants below.
  IsolatedRootMarking(std::int64_t high, std::int64_t low)
      : SwitchMarker("ccfit", Sides::both), high_(high), low_(low) {}

  void on_transmit(const fabric::Core&, PortId port, fabric::Packet& packet) override {
    const fabric::Isolation& isolation = *core().mechanisms.isolation;
    std::uint8_t& is_congested = congested_[port.index()];
    if (is_congested == 0 && isolation.counters().in_use == 0) return;
    const std::int64_t limit = is_congested != 0 ? low_ : high_;
    is_congested = has_more_than(isolation, port.value, limit) ? 1 : 0;
    if (is_congested != 0 && !packet.is_ack()) mark_b(port, packet);
  }

  [[nodiscard]] std::size_t memory() const override {
    return SwitchMarker::memory() + congested_.capacity();
  }

 private:
  static constexpr std::int64_t kHighPackets = 16;
  static constexpr std::int64_t kLowPackets = 8;

  void prepare() override {
    if (!core().mechanisms.isolation) {
      throw InputError("marking.model",
                       "\"ccfit\" looks at the queues that isolation.model = \"fbicm\" (or "
                       "\"recn\", \"recn-enhanced\") sets aside, and there is no isolation");
    }
    if (high_ == 0) high_ = kHighPackets * largest_packet();
    if (low_ == 0) low_ = std::min(kLowPackets * largest_packet(), high_);
    if (low_ > high_) {
      throw InputError("marking.low", fmt::format("{} is above marking.high, {}",
                                                  to_string(Bytes(low_)), to_string(Bytes(high_))));
    }
    congested_.assign(core().links.size(), 0);
  }

  [[nodiscard]] bool has_more_than(const fabric::Isolation& isolation, std::uint32_t port,
                                   std::int64_t bytes) const {
    const fabric::PortInfo& out = core().ports[port];
    for (std::uint32_t i = 0; i < out.degree; ++i) {
      if (isolation.root_queue_bytes(out.first_port + i, out.number) > bytes) return true;
    }
    return false;
  }

  std::int64_t high_;
  std::int64_t low_;
  std::vector<std::uint8_t> congested_;  ///< per output port
};

const Registration<fabric::MarkerFactory> kCcfit(
    fabric::marker_registry(),
    {"ccfit",
     "marks packets that leave by an output for which much is set aside at the inputs",
     "escudero2011ccfit",
     {Parameter::of(ParameterType::bytes, "high",
                    "bytes set aside at an input for an output above which that output is "
                    "congested (default: 16 of the largest packets)")
          .at_least(1),
      Parameter::of(ParameterType::bytes, "low",
                    "bytes set aside at every input for an output at which its congestion ends "
                    "(default: 8 of the largest packets)")
          .at_least(1)}},
    [](const Settings& settings, const topology::Graph&) {
      const auto bytes = [&](const char* key) {
        return settings.has(key) ? settings.bytes(key).count : 0;
      };
      return std::make_unique<IsolatedRootMarking>(bytes("high"), bytes("low"));
    });

}  // namespace

}  // namespace weir::marking
