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

/// What a source does on feedback: may a flow inject now? Asked and told for every packet, whatever
/// the organization of the source queues.
class Reaction : public Mechanism {
 public:
  /// A message has come to wait at its source.
  virtual void on_generated(const Message& message, Time now) { (void)message, (void)now; }
  /// Earliest time at which the message may send its next packet; Time::max(): not before an ACK.
  /// Stands until the next ACK of its flow, or of its host where shares_states().
  virtual Time may_inject(const Message& message, Time now) = 0;
  /// A packet of the message has begun to leave; with message.unsent == 0 it was the last one.
  virtual void on_injected(const Message& message, const Packet& packet, Time now) = 0;
  /// A data packet is at its destination, and an ACK or notification is due. False: none is sent;
  /// only with AckMode::becn. What the packet carries goes back with it (Packets::record()).
  virtual bool on_received(const Packet& packet, std::uint32_t flow, Time now) {
    (void)packet, (void)flow, (void)now;
    return true;
  }
  /// An ACK (or, with AckMode::becn, a notification) is back at ack.destination; ack.message is the
  /// flow.
  virtual void on_ack(const Packet& ack, Time now) = 0;
  /// This ACK will never come: it or its packet was discarded.
  virtual void on_lost(const Packet& ack, Time now) { (void)ack, (void)now; }

  /// ACKs of one flow matter to other flows of the host.
  [[nodiscard]] virtual bool shares_states() const { return false; }
  /// A flow may have to wait for an ACK.
  [[nodiscard]] virtual bool has_windows() const { return false; }
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
