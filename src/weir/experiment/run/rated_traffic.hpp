#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "weir/experiment/config/flows.hpp"
#include "weir/fabric/hooks/hooks.hpp"
#include "weir/traffic/traffic.hpp"

namespace weir::experiment {

/// The messages of [[traffic]] with `rate`: which flow each of them is of, and when flows end. They
/// have the number of their flow as tag. A flow is there until its source has ended and all that it
/// sent has arrived.
class RatedTraffic {
 public:
  using Ended = std::function<void(std::uint32_t flow, Time now)>;

  /// `ended` is told of a flow whose source ends when nothing of it is on the way.
  RatedTraffic(const FlowList& flows, Ended ended);

  /// Lets the sources of these classes keep the rates of their flows. The object must outlive them.
  void wrap(traffic::Traffic& traffic);

  [[nodiscard]] bool has(std::uint8_t traffic_class) const { return is_rated_[traffic_class]; }
  void on_generated(const fabric::Message& message) { ++flows_[message.tag].on_the_way; }
  /// True: the flow has ended.
  bool on_complete(const fabric::Message& message) {
    Flow& flow = flows_[message.tag];
    return --flow.on_the_way == 0 && flow.is_over;
  }

 private:
  class Source;

  struct Flow {
    std::uint64_t on_the_way = 0;  ///< messages
    bool is_over = false;          ///< its source has no more
  };

  /// Flows of one source.
  struct Share {
    std::uint32_t entry = 0;
    HostId source;
    std::uint16_t connection = 0;
    std::vector<HostId> destinations;  ///< ascending
    std::uint32_t first = 0;           ///< flow to the first of them; the others follow
  };

  [[nodiscard]] const Share& share_of(const traffic::HostSource& source) const;
  void end(const Share& share, Time now);

  std::vector<Flow> flows_;    ///< of all flows; those of [[flow]] tables are not used
  std::vector<Share> shares_;  ///< by entry, source and connection
  std::array<bool, traffic::kMaxClasses + 1> is_rated_{};
  Ended ended_;
};

}  // namespace weir::experiment
