#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/small_network.hpp"
#include "weir/fabric/switch/egress.hpp"

namespace weir::marking::testing {

using fabric::Architecture;
using fabric::Fabric;
using fabric::FabricSettings;
using fabric::Fill;
using fabric::MessageRequest;
using fabric::Packet;
using fabric::testing::Delivery;
using fabric::testing::ListSource;
using fabric::testing::make_marker;
using fabric::testing::make_queueing;
using fabric::testing::make_routing;
using fabric::testing::make_selection;
using fabric::testing::make_topology;
using fabric::testing::one_class;
using fabric::testing::SaturatedSource;
using fabric::testing::settings_of;

/// 1 byte a nanosecond, 2 ns.
inline constexpr topology::LinkSpec kLink{Rate(8'000'000'000), Time(2'000)};

/// A marker that watches another one at work: how full a buffer was for each packet, and which bits
/// it got.
class Witness final : public fabric::Marker {
 public:
  struct Row {
    double at = 0;  ///< ns
    PortId port;
    std::uint32_t source = 0;
    std::uint32_t sequence = 0;
    std::int64_t bytes = 0;  ///< in the buffer
    std::uint8_t bits = 0;   ///< set here
  };
  explicit Witness(std::shared_ptr<Marker> watched) : watched_(std::move(watched)) {}

  void attach(const fabric::FabricView& fabric) override {
    clock_ = fabric.clock;
    buffers_ = fabric.buffers;
    egress_ = fabric.egress;
    watched_->attach(fabric);
  }
  void on_ingress(PortId port, Packet& packet) override {
    const std::uint8_t before = packet.flags;
    watched_->on_ingress(port, packet);
    note(at_ingress, port, packet, before, buffers_.fill(port.value, packet.buffer).bytes);
  }
  void on_egress(PortId port, Packet& packet) override {
    const std::uint8_t before = packet.flags;
    watched_->on_egress(port, packet);
    note(at_egress, port, packet, before, egress_->fill(port.value, packet.next_buffer).bytes);
  }
  void on_transmit(PortId port, Packet& packet) override {
    const std::uint8_t before = packet.flags;
    watched_->on_transmit(port, packet);
    note(at_link, port, packet, before, 0);
  }
  void check(bool is_idle) const override { watched_->check(is_idle); }

  std::vector<Row> at_ingress;
  std::vector<Row> at_egress;
  std::vector<Row> at_link;

 private:
  void note(std::vector<Row>& rows, PortId port, const Packet& packet, std::uint8_t before,
            std::int64_t bytes) const {
    rows.push_back({static_cast<double>(clock_.now().count) * 1e-3, port, packet.source,
                    packet.sequence, bytes, static_cast<std::uint8_t>(packet.flags & ~before)});
  }
  std::shared_ptr<Marker> watched_;
  fabric::Clock clock_;
  fabric::Buffers buffers_;
  const fabric::EgressBuffers* egress_ = nullptr;
};

/// A network with a marker under test: choose, then build() and send.
struct MarkingNetwork : fabric::testing::SmallNetwork {
  /// One switch with `hosts`; packets of 256 + 22 bytes, four of them in a buffer; cioq at speedup
  /// 2 without VOQs.
  explicit MarkingNetwork(int hosts = 3) {
    graph = make_topology("single-switch", "hosts = " + std::to_string(hosts), kLink);
    routing = "shortest-path";
    settings.architecture = Architecture::cioq;
    settings.speedup = 2;
    settings.voq = false;
    settings.mtu = Bytes(256);
    settings.header = Bytes(22);
    settings.ingress_buffer = settings.egress_buffer = Bytes(1'112);
    settings.check_period = nanoseconds(500);
  }
  void build(const std::string& name, const std::string& toml = "") {
    marker = make_marker(name, *graph, toml);
    witness = std::make_shared<Witness>(marker);
    mechanisms.marker = witness;
    fabric = SmallNetwork::build();
  }
  void send(std::uint32_t host, std::vector<MessageRequest> messages) const {
    fabric::testing::send(*fabric, host, std::move(messages));
  }
  /// Runs until all is delivered.
  void drain() const { ASSERT_TRUE(fabric->run_until(milliseconds(10))); }

  std::shared_ptr<fabric::Marker> marker;
  std::shared_ptr<Witness> witness;
  std::unique_ptr<Fabric> fabric;
};

/// `count` messages of `bytes` at once.
inline std::vector<MessageRequest> burst(std::uint32_t destination, int count, std::int64_t bytes,
                                         Time at = Time(0)) {
  return std::vector<MessageRequest>(static_cast<std::size_t>(count),
                                     {at, HostId(destination), Bytes(bytes)});
}

}  // namespace weir::marking::testing
