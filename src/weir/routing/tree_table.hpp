#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/base/ids.hpp"

namespace weir::routing {

/// The default routes of a tree of stages by destination, one entry for each host and stage. A loop
/// that forwards packets reads it itself, without asking a RoutingFunction.
struct TreeTable {
  /// Digits of one host at one stage.
  struct Digits {
    std::uint32_t subtree = 0;  ///< equals Place::subtree of the switches above this host
    std::uint8_t child = 0;     ///< first down port toward the host
    std::uint8_t parallel = 0;  ///< offset to the parallel down port that its default route takes
    std::uint8_t up = 0;        ///< up port (local number) that its default route takes
  };
  /// Where a switch stands.
  struct Place {
    std::uint32_t subtree = 0;
    std::uint32_t stage = 0;  ///< from 0
  };

  std::size_t stages = 0;
  std::vector<Place> places;   ///< per switch
  std::vector<Digits> digits;  ///< per host and stage

  [[nodiscard]] const Digits& of(HostId host, std::uint32_t stage) const {
    return digits[host.index() * stages + stage];
  }
  /// Local number of the port by which a switch forwards to a host.
  [[nodiscard]] std::uint8_t port(SwitchId at, HostId to) const {
    const Place& place = places[at.index()];
    const Digits& there = of(to, place.stage);
    // Without a branch: whether a packet has reached the top no processor foresees.
    const auto down = static_cast<std::uint32_t>(there.child + there.parallel);
    const std::uint32_t is_below = -static_cast<std::uint32_t>(there.subtree == place.subtree);
    return static_cast<std::uint8_t>(there.up ^ ((there.up ^ down) & is_below));
  }
};

}  // namespace weir::routing
