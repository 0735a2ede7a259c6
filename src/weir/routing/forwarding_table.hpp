#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weir/routing/routing.hpp"
#include "weir/topology/import_text.hpp"

namespace weir::routing {

/// Linear forwarding table of one switch, as dumped.
struct ForwardingTable {
  struct Entry {
    std::uint16_t lid = 0;
    std::uint8_t port = 0;  ///< as InfiniBand counts: 0 is the switch itself, 255 no route
    std::uint32_t line = 0;
  };
  std::size_t line = 0;
  std::uint64_t guid = 0;
  std::string name;
  std::vector<Entry> entries;  ///< by LID

  /// switch 'leaf1' (0x0002c90200000001)
  [[nodiscard]] std::string describe() const;
};

struct ForwardingDump {
  topology::TextPlace place;
  std::vector<ForwardingTable> tables;
};

/// Reads unicast forwarding tables as dump_fts, dump_lfts and ibroute print them (with or without
/// destinations, with -a, too) and as OpenSM dumps them. Throws InputError "file:line:column: ..."
/// for anything else, for a table that is cut off and for a switch or LID that comes twice.
ForwardingDump parse_forwarding_tables(std::string_view text, const std::string& file);

/// Linear forwarding tables: each switch has one output port for each destination.
class LinearForwarding : public RoutingFunction {
 public:
  /// Checks the tables against the fabric, which must have a topology::SubnetShape: every switch
  /// has a table and every table its switch; all LIDs are known; the ports for hosts' LIDs exist
  /// and are cabled; from every host every other host is reached. Of a host with several LIDs (LMC)
  /// the base LID routes; the entries for its other LIDs are checked to be ports of the switch.
  /// Throws InputError that names the switch and the LID, and for a loop the switches in order.
  LinearForwarding(const topology::Graph& graph, const ForwardingDump& dump);

  /// Throws RunError when the table has no entry, which cannot happen on the way from a host.
  [[nodiscard]] Candidate default_route(const RouteQuery& query) const override;
  void candidates(const RouteQuery& query, CandidateList& out) const override;
  [[nodiscard]] bool is_table_based() const override { return true; }

 private:
  static constexpr std::uint8_t kNoEntry = 255;

  [[nodiscard]] std::uint8_t port(SwitchId at, HostId destination) const {
    return ports_[at.index() * hosts_ + destination.index()];
  }

  std::size_t hosts_;
  std::vector<std::uint8_t> ports_;  ///< [switch][host]: local port number, from 0
};

}  // namespace weir::routing
