#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fabric/test_network.hpp"
#include "weir/fabric/switch/egress.hpp"

namespace weir::marking::testing {

using fabric::Architecture;
using fabric::Fabric;
using fabric::FabricSettings;
using fabric::Fill;
using fabric::MessageRequest;
using fabric::Packet;
using fabric::testing::ListSource;
using fabric::testing::make_queueing;
using fabric::testing::make_routing;
using fabric::testing::make_selection;
using fabric::testing::make_topology;
using fabric::testing::one_class;
using fabric::testing::SaturatedSource;
using fabric::testing::settings_of;

/// 1 byte a nanosecond, 2 ns.
inline constexpr topology::LinkSpec kLink{Rate(8'000'000'000), Time(2'000)};

inline std::shared_ptr<fabric::Marker> make_marker(const std::string& name, const std::string& toml,
                                                   const topology::Graph& graph) {
  const auto& model = fabric::marker_registry().find(name, {}, "marking");
  return model.make(settings_of(model.info, toml), graph);
}

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

/// Marks of delivered packets, and of the ACKs of reactions' sources.
class Arrivals : public fabric::Observer {
 public:
  struct Row {
    std::uint32_t source = 0;
    std::uint32_t destination = 0;
    std::uint32_t sequence = 0;
    std::uint8_t marks = 0;
    double generated = 0;  ///< ns
  };
  void on_delivered(const Packet& p, const fabric::Message& m, Time, bool) override {
    rows.push_back({p.source, p.destination, p.sequence,
                    static_cast<std::uint8_t>(p.flags & fabric::packet_flag::kMarks),
                    static_cast<double>(m.generated) * 1e-3});
  }
  [[nodiscard]] std::size_t with(std::uint8_t bits) const {
    std::size_t n = 0;
    for (const Row& row : rows) n += (row.marks & bits) == bits ? 1 : 0;
    return n;
  }
  std::vector<Row> rows;
};

/// A network with a marker under test: choose, then build() and send.
struct MarkingNetwork {
  std::shared_ptr<const topology::Graph> graph;
  std::string routing = "shortest-path";
  std::string queueing;  ///< "": one class
  std::string queueing_toml;
  FabricSettings settings;
  Arrivals arrivals;
  std::shared_ptr<fabric::Marker> marker;
  std::shared_ptr<Witness> witness;
  std::unique_ptr<Fabric> fabric;

  /// One switch with `hosts`; packets of 256 + 22 bytes, four of them in a buffer; cioq at speedup
  /// 2 without VOQs.
  explicit MarkingNetwork(int hosts = 3) {
    graph = make_topology("single-switch", "hosts = " + std::to_string(hosts), kLink);
    settings.architecture = Architecture::cioq;
    settings.speedup = 2;
    settings.voq = false;
    settings.mtu = Bytes(256);
    settings.header = Bytes(22);
    settings.ingress_buffer = settings.egress_buffer = Bytes(1'112);
    settings.check_period = nanoseconds(500);
  }
  void build(const std::string& name, const std::string& toml = "") {
    marker = make_marker(name, toml, *graph);
    witness = std::make_shared<Witness>(marker);
    fabric::Mechanisms mechanisms;
    mechanisms.marker = witness;
    fabric::Models models{
        graph, make_routing(routing, *graph), make_selection("fixed"),
        make_queueing(queueing.empty() ? one_class(settings) : queueing, *graph, queueing_toml)};
    fabric = std::make_unique<Fabric>(models, mechanisms, settings, arrivals);
  }
  void send(std::uint32_t host, std::vector<MessageRequest> messages) const {
    fabric->add_source(HostId(host), std::make_unique<ListSource>(std::move(messages)));
  }
  /// Runs until all is delivered.
  void drain() const { ASSERT_TRUE(fabric->run_until(milliseconds(10))); }
};

/// `count` messages of `bytes` at once.
inline std::vector<MessageRequest> burst(std::uint32_t destination, int count, std::int64_t bytes,
                                         Time at = Time(0)) {
  return std::vector<MessageRequest>(static_cast<std::size_t>(count),
                                     {at, HostId(destination), Bytes(bytes)});
}

}  // namespace weir::marking::testing
