#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "weir/fabric/settings.hpp"
#include "weir/routing/trace.hpp"
#include "weir/topology/graph.hpp"

namespace weir::fabric {

/// How long a message takes alone on a route, exactly: from its generation to the arrival of its
/// last byte, when nothing else is in the network and no buffer, window or rate holds it back. It
/// is cut at the MTU, each packet with its header, as hosts do it. What mechanisms add to packets
/// (FabricSettings::carried_data) is left out: it is a cost of theirs, and all of them are to be
/// compared with the same ideal, as in Li et al. 2019. Delays and switching are those of
/// zero_load_latency(), which this is for a message of one packet.
class MessageTiming {
 public:
  /// Of no route.
  MessageTiming() = default;
  /// Of a route that does not arrive: as of none.
  MessageTiming(const topology::Graph& graph, const routing::Route& route,
                const FabricSettings& settings);

  [[nodiscard]] bool is_known() const { return !links_.empty(); }
  /// Of at least 1 byte of payload, over a known route. Constant in the number of packets.
  [[nodiscard]] Time time(Bytes payload) const;

  auto operator<=>(const MessageTiming&) const = default;

 private:
  struct Link {
    std::int64_t rate = 0;         ///< bits per second
    std::int64_t ps_per_byte = 0;  ///< 0: not a whole number
    std::int64_t before = 0;       ///< ps from the link before to here, without serialization

    [[nodiscard]] std::int64_t duration(std::int64_t bytes) const;
    auto operator<=>(const Link&) const = default;
  };
  /// ps from the start of a packet on link `k - 1` to the earliest start on link `k`.
  [[nodiscard]] std::int64_t step(std::size_t k, std::int64_t bytes) const;

  std::vector<Link> links_;
  std::int64_t last_delay_ = 0;  ///< of the link into the destination
  std::int64_t mtu_ = 0;
  std::int64_t header_ = 0;
  bool cut_through_ = true;
};

}  // namespace weir::fabric
