#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weir/routing/forwarding_table.hpp"
#include "weir/routing/service_levels.hpp"

namespace weir::routing {

/// What tells the virtual lanes of a subnet.
struct SubnetLayers {
  PathRecords paths;
  /// None: the VL of a packet is its service level.
  std::optional<ServiceLevelTables> tables;
  /// Service level of pairs without a path record; none: it is an error that there are such.
  std::optional<std::uint8_t> missing_level;
};

/// Linear forwarding tables with the virtual lanes of layered routing engines: the service level of
/// a packet is that of the path record from its source to its destination, and on every link its VL
/// is what the SL2VL table says for the ports that it goes in and out by. Lanes are the VLs that
/// routes use, in ascending order.
///
/// Memory: half a byte for each pair of hosts, 2 bytes for each pair of ports of a switch.
class LayeredForwarding : public LinearForwarding {
 public:
  /// Beside what LinearForwarding checks: all LIDs are known; every pair of hosts has one service
  /// level; there is one table for each pair of ports that a route uses; no route uses VL 15.
  /// Adapters without a table of their own take the service level modulo the number of VLs of
  /// the switches (see assumed_hosts()). Throws InputError that names nodes, ports and LIDs.
  LayeredForwarding(const topology::Graph& graph, const ForwardingDump& dump,
                    const SubnetLayers& layers);

  [[nodiscard]] Candidate default_route(const RouteQuery& query) const override {
    Candidate next = LinearForwarding::default_route(query);
    next.lane = lane(query, next.port);
    return next;
  }
  void candidates(const RouteQuery& query, CandidateList& out) const override {
    out.add(default_route(query));
  }
  [[nodiscard]] int lanes() const override { return static_cast<int>(vls_.size()); }
  [[nodiscard]] std::uint8_t injection_lane(HostId source, HostId destination) const override {
    return lanes_[std::size_t{host_rows_[source.index()]} * kServiceLevels +
                  service_level(source, destination)];
  }
  /// The outputs do not, but the lanes do.
  [[nodiscard]] bool depends_on_source() const override { return true; }

  [[nodiscard]] std::uint8_t service_level(HostId source, HostId destination) const {
    const std::size_t pair = source.index() * host_count_ + destination.index();
    return static_cast<std::uint8_t>(levels_[pair / 2] >> (pair % 2 * 4) & 15U);
  }
  /// VL of each lane.
  [[nodiscard]] const std::vector<std::uint8_t>& vls() const { return vls_; }
  /// Service levels of pairs of hosts.
  [[nodiscard]] std::vector<std::uint8_t> levels_in_use() const;
  /// Hosts whose own SL2VL table is not known.
  [[nodiscard]] std::size_t assumed_hosts() const { return assumed_hosts_; }
  /// Pairs that have the service level of SubnetLayers::missing_level.
  [[nodiscard]] std::uint64_t missing_pairs() const { return missing_pairs_; }

 private:
  friend class LayerLoader;

  [[nodiscard]] std::uint8_t lane(const RouteQuery& query, std::uint16_t out) const {
    const std::size_t row = rows_[first_row_[query.in_port.index()] + out];
    return lanes_[row * kServiceLevels + service_level(query.source, query.destination)];
  }

  std::size_t host_count_;
  std::vector<std::uint8_t> levels_;      ///< [source][destination], half a byte each
  std::vector<std::uint8_t> lanes_;       ///< [row][service level], each different row once
  std::vector<std::uint16_t> host_rows_;  ///< per host
  std::vector<std::uint16_t> rows_;       ///< [switch][in port][out port]
  std::vector<std::uint32_t> first_row_;  ///< per port of a switch, as in port
  std::vector<std::uint8_t> vls_;
  std::size_t assumed_hosts_ = 0;
  std::uint64_t missing_pairs_ = 0;
};

}  // namespace weir::routing
