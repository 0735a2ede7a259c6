#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/fabric/checkpoint/state_names.hpp"
#include "weir/fabric/core.hpp"

namespace weir::fabric {

/// The state of a network between two instants, by node, so that a network that is divided
/// otherwise can go on from there: a checkpoint. Bytes are what NodeState, TotalState and
/// StateArchive write.
struct NetworkState {
  struct Node {
    StateNames::Host names;  ///< of a host
    std::string begun;       ///< its messages and flows
    std::string rest;
  };
  struct LinkChange {
    std::int64_t at = 0;
    std::uint32_t port = 0;
    bool is_up = false;
  };

  std::int64_t now = 0;  ///< ps
  std::int64_t next_sample = 0;
  std::int64_t next_check = 0;
  std::uint64_t hops_at_check = 0;  ///< Counters::packet_hops when all was looked at last
  std::uint64_t hops_at_watch = 0;
  std::uint64_t hops_at_conservation = 0;
  std::string rooms;                      ///< Links::checkpoint_all()
  std::vector<std::uint8_t> is_down;      ///< per port; empty until a link has been down
  std::vector<LinkChange> changes;        ///< that are to come
  std::vector<Core::Expected> announced;  ///< that have not come around
  std::vector<std::string> totals;        ///< per part
  std::vector<Node> nodes;

  void checkpoint(StateArchive& state);
};

}  // namespace weir::fabric
