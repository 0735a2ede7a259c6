#pragma once

#include <memory>
#include <string>
#include <vector>

#include "support/small_network.hpp"
#include "weir/selection/arn.hpp"

namespace weir::selection::test {

inline constexpr topology::LinkSpec kLink{Rate(8'000'000'000), Time(2'000)};  // 1 B/ns, 2 ns
inline constexpr std::int64_t kPacket = 100;                                  // bytes, and ns
inline constexpr std::int64_t kBuffer = 84 * kPacket;

/// A network of 100-byte packets, 84 to an ingress buffer, with notifications.
struct ArnNetwork : fabric::testing::SmallNetwork {
  ArnNetwork(const std::string& topology, const std::string& topology_toml,
             const std::string& arn_toml) {
    graph = fabric::testing::make_topology(topology, topology_toml, kLink);
    if (topology != "rlft") routing = "shortest-path";
    selection = "arn";
    selection_toml = arn_toml;
    settings.mtu = Bytes(kPacket);
    settings.ingress_buffer = Bytes(kBuffer);
    settings.source_queues = fabric::SourceQueueKind::per_class;
  }

  void start() { fabric = build(); }
  /// `bytes` from one host to another, from `at` on, as many messages of one packet.
  void send(std::uint32_t from, std::uint32_t to, Time at, std::int64_t bytes) {
    std::vector<fabric::MessageRequest> messages;
    for (std::int64_t sent = 0; sent < bytes; sent += kPacket) {
      messages.push_back({at, HostId(to), Bytes(kPacket)});
    }
    fabric->add_source(HostId(from),
                       std::make_unique<fabric::testing::ListSource>(std::move(messages)));
  }
  /// All that `from` can send to `to`.
  void saturate(std::uint32_t from, std::uint32_t to) {
    fabric->add_source(HostId(from), std::make_unique<fabric::testing::SaturatedSource>(
                                         std::vector<HostId>{HostId(to)}, Bytes(kPacket)));
  }
  void run_to(Time at) { fabric->run_until(at, fabric::WhenIdle::keep_time); }

  [[nodiscard]] const Arn& arn() const { return dynamic_cast<const Arn&>(fabric->selection()); }
  [[nodiscard]] CongestionDetector::State state(PortId port) const {
    return arn().detector().state(port.value);
  }
  [[nodiscard]] std::vector<NotificationTable::Entry> entries(NodeId node) const {
    std::vector<NotificationTable::Entry> live;
    for (const NotificationTable::Entry& entry : arn().table(node).entries()) {
      if (entry.expires > fabric->now().count) live.push_back(entry);
    }
    return live;
  }
  [[nodiscard]] NodeId sw(std::size_t number) const { return graph->node(SwitchId(number)); }
  /// The switch that a host is cabled to, and the port that leads to the host.
  [[nodiscard]] PortId port_to(std::uint32_t host) const {
    return graph->port(graph->host_port(HostId(host))).to;
  }
  [[nodiscard]] NodeId leaf_of(std::uint32_t host) const { return graph->port(port_to(host)).node; }
  [[nodiscard]] std::uint64_t roots() const { return arn().counters().roots; }

  std::unique_ptr<fabric::Fabric> fabric;
};

}  // namespace weir::selection::test
