#pragma once

#include <cstdint>
#include <vector>

namespace weir::flow_routing {

/// What somebody has put into the tables of one switch for adaptive flow routing (zdornov2009,
/// chapter 3). Ports are local numbers, from 0.
struct FlowTableEntries {
  static constexpr std::uint8_t kNoGroup = UINT8_MAX;

  /// An entry of the port group table.
  struct Group {
    std::vector<std::uint16_t> ports;
    /// The default port has the higher static priority: it wins when others carry as much.
    bool default_first = true;
  };
  /// What flows that come in by some ports may leave by, besides the default port.
  struct Allowed {
    std::vector<std::uint16_t> inputs;
    std::vector<std::uint16_t> outputs;
  };

  std::vector<Group> groups;
  std::vector<std::uint8_t> group_of;     ///< per host, or kNoGroup; empty: no host has one
  std::vector<Allowed> allowed;           ///< inputs that are in none: all outputs
  std::vector<std::uint16_t> horizontal;  ///< ports whose hops are counted
};

}  // namespace weir::flow_routing
