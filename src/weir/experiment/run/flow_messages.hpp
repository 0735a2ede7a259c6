#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "weir/base/ranks.hpp"
#include "weir/experiment/config/flows.hpp"
#include "weir/fabric/fabric.hpp"
#include "weir/fabric/hooks/hooks.hpp"
#include "weir/traffic/traffic.hpp"

namespace weir::experiment {

/// The messages of flows, of [[flow]] as of [[traffic]] with `rate`: which flow each of them is of,
/// and when flows end. They have the number of their flow as tag. A flow is there until its source
/// has ended and all that it sent has arrived.
///
/// Where the network is divided, a flow is counted at its source by one thread and at its
/// destination by another one, and nobody learns at once that it has ended.
class FlowMessages {
 public:
  using Ended = std::function<void(std::uint32_t flow, Time now)>;

  /// `first_class`: number of the first class of [[flow]] tables. `ended` is told of a flow whose
  /// source ends when nothing of it is on the way.
  FlowMessages(const FlowList& flows, std::size_t first_class, Ended ended);

  /// The source of a flow of a [[flow]] table, which starts at `start`: one message, or packets of
  /// a size as long as there is room. The object must outlive it.
  std::unique_ptr<fabric::MessageSource> source(std::uint32_t flow, Bytes packet, Time start);
  /// The phase of such a source starts at `at`; until then it must not be asked.
  static void begin(fabric::MessageSource& source, Time at);
  /// The flow of such a source.
  static std::uint32_t flow_of(const fabric::MessageSource& source);
  /// Lets the sources of [[traffic]] with `rate` keep the rates of their flows. The object must
  /// outlive them.
  void wrap(traffic::Traffic& traffic);

  /// The messages of this class are of flows.
  [[nodiscard]] bool has(std::uint8_t traffic_class) const { return is_of_flows_[traffic_class]; }
  void on_generated(const fabric::Message& message) { ++flows_[message.tag].generated; }
  void on_complete(const fabric::Message& message, Time now) {
    Flow& flow = flows_[message.tag];
    ++flow.completed;
    flow.last = now;
  }
  /// Since when all of a flow is there; nothing: it is not, or more may come.
  [[nodiscard]] std::optional<Time> ended(std::uint32_t number) const {
    const Flow& flow = flows_[number];
    if (!flow.is_over || flow.generated != flow.completed) return std::nullopt;
    return std::max(flow.over_at, flow.last);
  }
  /// Before anything happens: `ended` of the constructor is not told anything.
  void divide() { ended_ = nullptr; }
  /// Adds up what processes know of flows whose ends they have; once, at the end.
  void share(Ranks& ranks);
  /// Of several processes the first one writes what all know; each reads what is of the hosts that
  /// it has.
  void checkpoint(StateArchive& state, const fabric::Fabric& fabric);

 private:
  class Single;
  class Wrapped;

  struct Flow {
    std::uint64_t generated = 0;  ///< messages
    Time over_at;
    bool is_over = false;         ///< its source has no more, or but one
    std::uint64_t completed = 0;  ///< messages; counted at the destination
    Time last;                    ///< that was completed
  };

  /// Flows of one source of [[traffic]].
  struct Share {
    std::uint32_t entry = 0;
    HostId source;
    std::uint16_t connection = 0;
    std::vector<HostId> destinations;  ///< ascending
    std::uint32_t first = 0;           ///< flow to the first of them; the others follow
  };

  /// Of a flow of a [[flow]] table.
  [[nodiscard]] std::uint8_t class_of(std::uint32_t flow) const {
    return static_cast<std::uint8_t>(first_class_ + list_.class_of[flow]);
  }
  /// What all processes know of the flows.
  [[nodiscard]] std::vector<Flow> shared(Ranks& ranks) const;
  [[nodiscard]] const Share& share_of(const traffic::HostSource& source) const;
  void end(std::uint32_t flow, Time now);

  const FlowList& list_;
  std::size_t first_class_;
  std::vector<Flow> flows_;
  std::vector<Share> shares_;  ///< by entry, source and connection
  std::array<bool, traffic::kMaxClasses + 1> is_of_flows_{};
  Ended ended_;
};

}  // namespace weir::experiment
