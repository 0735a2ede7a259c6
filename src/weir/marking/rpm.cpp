#include <vector>

#include "weir/fabric/checkpoint/node_state.hpp"
#include "weir/marking/output_counters.hpp"
#include "weir/marking/switch_marker.hpp"

namespace weir::marking {

namespace {

/// Renato's packet marking: while an ingress buffer is full, all outputs that its packets want are
/// congested, and as many packets will be marked (bit A) as are in the switch for them. Packets
/// that leave in another order than they came make others carry the mark than were meant; that is
/// part of the scheme.
class RenatosPacketMarking final : public SwitchMarker {
 public:
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(fabric::NodeState& state) override {
    SwitchMarker::checkpoint(state);
    counters_.checkpoint(state);
    state.of_ports(leaves_until_);
  }
  RenatosPacketMarking() : SwitchMarker("rpm", Sides::ingress) {}

  void on_ingress(PortId port, fabric::Packet& packet) override {
    if (!packet.is_ack()) counters_.enter(ports_.output_of(packet));
    const fabric::Fill fill = buffers_.fill(port.value, packet.buffer);
    // Full: there is no room for another packet of the largest size.
    if (fill.bytes + largest_packet() <= fill.capacity) return;
    for_each_wanted_output(ports_, *ingress(), port.value, packet,
                           [&](std::uint32_t output) { plan(output); });
  }

  void on_transmit(PortId port, fabric::Packet& packet) override {
    if (packet.is_ack()) return;
    if (counters_.leave(port.value)) mark_a(port, packet);
    leaves_until_[port.index()] = links_.free_at(port.value);
  }

  void check(bool) const override { counters_.check(ports_, packets_, graph(), switches()); }
  [[nodiscard]] std::size_t memory() const override {
    return SwitchMarker::memory() + counters_.memory() +
           leaves_until_.capacity() * sizeof(std::int64_t);
  }

 private:
  void prepare(const fabric::FabricView& fabric) override {
    ports_ = fabric.ports;
    links_ = fabric.links;
    buffers_ = fabric.buffers;
    packets_ = fabric.packets;
    counters_.resize(ports_.size());
    leaves_until_.assign(ports_.size(), 0);
  }
  /// The packet on the link is in the switch until its tail has left.
  void plan(std::uint32_t output) {
    const std::uint32_t leaving = leaves_until_[output] > clock().now().count ? 1 : 0;
    counters_.plan(output, counters_.waiting(output) + leaving);
  }

  fabric::Ports ports_;
  fabric::OutputLinks links_;
  fabric::Buffers buffers_;
  fabric::Packets packets_;
  OutputCounters counters_;
  std::vector<std::int64_t> leaves_until_;  ///< per port: tail of the latest data packet
};

const Registration<fabric::MarkerFactory> kRpm(
    fabric::marker_registry(),
    {"rpm",
     "marks all packets in the switch whose output is wanted from a full ingress buffer",
     "santos2003endtoend; ferrer2012, section 3.5.1",
     {}},
    [](const Settings&, const topology::Graph&) {
      return std::make_unique<RenatosPacketMarking>();
    });

}  // namespace

}  // namespace weir::marking
