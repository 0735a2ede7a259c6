#include "weir/marking/telemetry.hpp"

#include <fmt/format.h>

#include <optional>

#include "weir/base/keys.hpp"
#include "weir/topology/statistics.hpp"

namespace weir::marking {

void Telemetry::on_transmit(PortId port, fabric::Packet& packet) {
  if (packet.is_ack()) return;
  PathTelemetry& path = packets_.record(slot_, packet);
  if (path.hops == longest_) {
    throw RunError(fmt::format(
        "a packet from host {} to host {} crosses more than the {} switches that marking.hops says",
        packet.source, packet.destination, longest_));
  }
  const std::uint32_t out = port.value;
  path.hop[path.hops++] = {clock().now().count, links_.bytes_sent(out),
                           static_cast<std::uint32_t>(links_.queued_bytes(out)),
                           static_cast<float>(8e12 / static_cast<double>(links_.rate(out).count)),
                           out};
}

namespace {

struct TelemetryKeys {
  std::optional<std::size_t> hops;
};

const Registration<fabric::MarkerFactory> kTelemetry(
    fabric::marker_registry(),
    {"telemetry",
     "sets no bits: switches write rate, queue, bytes sent and time of the output into each data "
     "packet (INT), which its ACK brings back, for reaction.model = \"hpcc\"",
     "li2019hpcc"},
    Keys<TelemetryKeys>{
        key(&TelemetryKeys::hops, "hops",
            "switches that a packet has room for, 8 bytes each; default: those of the longest of "
            "the shortest paths")
            .range(1, PathTelemetry::kMostHops)},
    [](const Checked<TelemetryKeys>& keys, const topology::Graph& graph) {
      const std::size_t hops =
          keys->hops ? *keys->hops : static_cast<std::size_t>(topology::statistics(graph).diameter);
      if (hops > PathTelemetry::kMostHops) {
        throw InputError("marking.model",
                         fmt::format("a path has {} switches, a packet has room for {}", hops,
                                     PathTelemetry::kMostHops));
      }
      return std::make_unique<Telemetry>(hops);
    });

}  // namespace

}  // namespace weir::marking
