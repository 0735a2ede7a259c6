#pragma once

#include <array>
#include <cstdint>

#include "weir/marking/switch_marker.hpp"

namespace weir::marking {

/// What one switch says of the output that a packet takes, as its transmission starts.
struct HopTelemetry {
  std::int64_t time = 0;        ///< ps
  std::int64_t bytes_sent = 0;  ///< of the output so far, with this packet
  std::uint32_t queued = 0;     ///< bytes that wait for the output
  float ps_per_byte = 0;        ///< of its link
  std::uint32_t port = 0;
};

/// What a packet has gathered on its way.
struct PathTelemetry {
  static constexpr std::size_t kMostHops = 12;
  std::uint32_t hops = 0;
  std::array<HopTelemetry, kMostHops> hop{};
};

/// In-band network telemetry: every switch adds what it knows of the output to each data packet,
/// whose ACK brings it back. No bits are set. A packet has 2 bytes and 8 for each switch of the
/// longest route, from its source on, and so has its ACK. Source: li2019hpcc, section 4.
class Telemetry final : public SwitchMarker {
 public:
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  /// `longest`: switches of a route.
  explicit Telemetry(std::size_t longest)
      : SwitchMarker("telemetry", Sides::any), longest_(longest) {}

  [[nodiscard]] fabric::CarriedBytes carried() const override {
    const Bytes bytes(2 + 8 * static_cast<std::int64_t>(longest_));
    return {bytes, bytes};
  }
  void on_transmit(PortId port, fabric::Packet& packet) override;

  /// Of a data packet or its ACK.
  [[nodiscard]] const PathTelemetry& of(const fabric::Packet& packet) const {
    return packets_.record(slot_, packet);
  }
  [[nodiscard]] std::size_t longest() const { return longest_; }

 private:
  void prepare(const fabric::FabricView& fabric) override {
    links_ = fabric.links;
    packets_ = fabric.packets;
    slot_ = packets_.reserve<PathTelemetry>();
  }

  fabric::OutputLinks links_;
  fabric::Packets packets_;
  std::size_t longest_;
  fabric::RecordSlot<PathTelemetry> slot_;
};

}  // namespace weir::marking
