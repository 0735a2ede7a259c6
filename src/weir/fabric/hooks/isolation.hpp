#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "weir/base/catalog.hpp"
#include "weir/base/ids.hpp"
#include "weir/base/units.hpp"
#include "weir/fabric/hooks/cache_hints.hpp"
#include "weir/fabric/hooks/hooks.hpp"
#include "weir/fabric/hooks/injection_buffer.hpp"
#include "weir/fabric/packet.hpp"
#include "weir/fabric/queues.hpp"
#include "weir/fabric/settings.hpp"
#include "weir/routing/routing.hpp"
#include "weir/topology/graph.hpp"

namespace weir::fabric {

/// What an isolation mechanism may do with the queues of a side. Queues are numbered from 0 in each
/// side, which is of one class; normal ones come first.
class SideQueues {
 public:
  virtual ~SideQueues() = default;
  [[nodiscard]] virtual const Queue& queue(Side side, std::uint32_t queue) const = 0;
  /// The queue is not served until it is let go.
  virtual void hold(Side side, std::uint32_t queue) = 0;
  virtual void let_go(Side side, std::uint32_t queue) = 0;
  /// The queue is served before all others of its side (that want the same output), or like them.
  virtual void set_urgent(Side side, std::uint32_t queue, bool urgent) = 0;
  /// Packets of queue `number` of an ingress side will join queue `target` of the egress side `out`
  /// of their output; for `target` 0, as without a word, the first one of their next class. For
  /// each of those the inputs take turns.
  virtual void set_target(Side side, std::uint32_t number, Side out, std::uint32_t target) = 0;
  /// Queues at inputs that lead to queue `number` of an egress side have been stopped. When they
  /// are let go, their turns go on where they were.
  virtual void keep_turns(Side side, std::uint32_t number) = 0;
  /// Moves the head of queue `from` to the end of queue `to` of the same side, in no time.
  virtual void move_head(Side side, std::uint32_t from, std::uint32_t to) = 0;
  /// Packets, counters and turn of queue `from` of an ingress side go to queue `to`, which is empty
  /// and free, and its counters to `from`.
  virtual void rename(Side side, std::uint32_t from, std::uint32_t to) = 0;
};

/// A set-aside queue in use, with the congested point that it is for.
struct SetAsideLine {
  Side side;
  PortId root;               ///< output that is congested
  std::uint32_t hops = 0;    ///< links between this side and the switch of the root
  std::int64_t bytes = 0;    ///< in its queue
  std::int64_t packets = 0;  ///< in its queue
  bool is_leaf = false;      ///< nobody upstream holds a queue for it
  bool is_root = false;      ///< came from detection at this very side
  bool is_held = false;      ///< waits for its order or was told to stop
};

/// Something happened to a set-aside queue.
struct SetAsideEvent {
  enum Kind : std::uint8_t {
    allocated,
    released,
    refused_full,      ///< no queue was free
    refused_specific,  ///< the congested point lies behind another one (basic RECN)
    detected,          ///< a normal queue crossed its threshold; no queue may have been taken yet
  };
  Time at;
  Side side;
  PortId root;
  std::uint32_t hops = 0;
  Kind kind = allocated;
  Time lifetime;  ///< of a released one
};

/// Congestion isolation: puts packets of congested flows aside, into queues that are taken and
/// given back while the network runs (RECN, FBICM). Works on cioq and iq switches, and on injection
/// buffers of hosts. All queues of a side share the memory of its class.
class Isolation : public Mechanism, public InjectionBufferRules, public CacheHints {
 public:
  /// Of an ingress or egress side at a switch with `degree` ports; of a host's injection buffer
  /// (`degree` 1, egress). Every class has as many.
  [[nodiscard]] virtual SideResources resources(bool is_egress, std::uint32_t degree) const = 0;
  [[nodiscard]] std::optional<SideResources> side_resources(bool is_egress,
                                                            std::uint32_t degree) const final {
    return resources(is_egress, degree);
  }

  /// A packet has been made at a host and is about to enter its injection buffer.
  virtual void on_made(std::uint32_t packet) { (void)packet; }
  /// Queue for a packet that is about to be stored at a side. At egress, Packet::in_port is still
  /// the port it came in by at this switch.
  virtual std::uint32_t choose_queue(Side side, std::uint32_t packet) = 0;
  /// A packet has been stored in `queue`, or removed from it (it begins to leave the side).
  virtual void on_stored(Side side, std::uint32_t queue, std::uint32_t packet) = 0;
  virtual void on_removed(Side side, std::uint32_t queue, std::uint32_t packet) = 0;
  /// May this packet, the head of an ingress queue, enter the egress side of `port`, if there is
  /// room? Asked only where limits_entry().
  [[nodiscard]] virtual bool may_enter(std::uint32_t port, std::uint32_t packet) const {
    (void)port, (void)packet;
    return true;
  }
  [[nodiscard]] virtual bool limits_entry() const { return false; }
  /// The link that leaves `port` has gone down, or is up again. No message may cross it meanwhile.
  virtual void on_link(PortId port, bool is_up) { (void)port, (void)is_up; }

  /// Set-aside queues in use now.
  [[nodiscard]] virtual std::uint64_t in_use() const = 0;
  /// Bytes in the set-aside queue at ingress `port` for packets whose congested point is local
  /// output `output` itself, of the class `behind` it; where packets of several classes go there,
  /// of the fullest. 0: there is none.
  [[nodiscard]] virtual std::int64_t root_queue_bytes(std::uint32_t port, std::uint16_t output,
                                                      std::uint16_t behind) const {
    (void)port, (void)output, (void)behind;
    return 0;
  }
  virtual void for_each_line(const std::function<void(const SetAsideLine&)>& visit) const = 0;
};

/// What a mechanism may know when it is made.
struct IsolationContext {
  std::shared_ptr<const topology::Graph> graph;
  std::shared_ptr<const routing::RoutingFunction> routing;
  const FabricSettings& fabric;
  int classes = 1;  ///< of a buffer, over all lanes
};

using IsolationFactory =
    std::function<std::unique_ptr<Isolation>(const Settings&, const IsolationContext&)>;
Registry<IsolationFactory>& isolation_registry();

}  // namespace weir::fabric
