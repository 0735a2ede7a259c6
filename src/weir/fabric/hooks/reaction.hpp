#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "weir/base/catalog.hpp"
#include "weir/base/units.hpp"
#include "weir/fabric/hooks/hooks.hpp"
#include "weir/fabric/packet.hpp"
#include "weir/fabric/settings.hpp"
#include "weir/routing/routing.hpp"
#include "weir/topology/graph.hpp"

namespace weir::fabric {

/// What a reaction has done so far for packets of one traffic class.
struct ReactionCounters {
  std::uint64_t window_reductions = 0;
  std::uint64_t window_increases = 0;
  std::uint64_t delay_increases = 0;   ///< more waiting slots, a lower rate, a higher table index
  std::uint64_t delay_reductions = 0;  ///< by unmarked ACKs
  std::uint64_t resets = 0;            ///< flows that ran empty while throttled and began afresh
  std::uint64_t packets_held = 0;      ///< injected later because their flow was throttled
};

/// The flows of one traffic class while they have packets waiting or on their way: integrals over
/// time since the start, in ps. The mechanism adds up at its own changes, so that a mean over any
/// two moments is exact.
struct ReactionLoad {
  double flows = 0;
  double throttled = 0;  ///< by marks: window below its size, or a delay
  double windows = 0;    ///< of windows; 0 without windows
  double rates = 0;      ///< of rates, over that of the link; 0 without rates
};

/// What a source does on feedback: may a flow inject now? Asked and told for every packet, whatever
/// the organization of the source queues.
class Reaction {
 public:
  virtual ~Reaction() = default;
  /// A message has come to wait at its source.
  virtual void on_generated(const Message& message, Time now) { (void)message, (void)now; }
  /// Earliest time at which the message may send its next packet; Time::max(): not before an ACK.
  /// Stands until the next ACK of its flow, or of its host where shares_states().
  virtual Time may_inject(const Message& message, Time now) = 0;
  /// A packet of the message has begun to leave; with message.unsent == 0 it was the last one.
  virtual void on_injected(const Message& message, const Packet& packet, Time now) = 0;
  /// An ACK (or, with AckMode::becn, a notification) is back at ack.destination; ack.message is the
  /// flow.
  virtual void on_ack(const Packet& ack, Time now) = 0;
  /// This ACK will never come: it or its packet was discarded.
  virtual void on_lost(const Packet& ack, Time now) { (void)ack, (void)now; }

  /// Throws RunError when its state does not fit together.
  virtual void check() const {}
  [[nodiscard]] virtual ReactionCounters counters(std::uint8_t traffic_class) const {
    (void)traffic_class;
    return {};
  }
  /// Adds what has come together by `now` to the loads of the traffic classes, which are indexed by
  /// class.
  virtual void add_loads(Time now, std::vector<ReactionLoad>& loads) const {
    (void)now, (void)loads;
  }
  /// ACKs of one flow matter to other flows of the host.
  [[nodiscard]] virtual bool shares_states() const { return false; }
  [[nodiscard]] virtual bool has_windows() const { return false; }
  [[nodiscard]] virtual bool has_rates() const { return false; }
  [[nodiscard]] virtual std::size_t memory() const { return 0; }
  /// For the user: values that follow from the network, and what will not work well.
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }
};

/// What a reaction may know when it is made.
struct ReactionContext {
  std::shared_ptr<const topology::Graph> graph;
  std::shared_ptr<const routing::RoutingFunction> routing;
  std::shared_ptr<const Marker> marker;  ///< null: nothing is marked
  const FabricSettings& fabric;
};

using ReactionFactory =
    std::function<std::unique_ptr<Reaction>(const Settings&, const ReactionContext&)>;
Registry<ReactionFactory>& reaction_registry();

}  // namespace weir::fabric
