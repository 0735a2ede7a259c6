#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "weir/base/catalog.hpp"
#include "weir/base/ids.hpp"
#include "weir/base/units.hpp"
#include "weir/fabric/hooks/hooks.hpp"
#include "weir/fabric/packet.hpp"
#include "weir/fabric/queues.hpp"
#include "weir/fabric/settings.hpp"
#include "weir/routing/routing.hpp"
#include "weir/topology/graph.hpp"

namespace weir::fabric {

/// One half of a port: ingress is before the crossbar, egress before the link. The egress side of a
/// host's port is its injection buffer; its ingress side stores nothing.
struct Side {
  std::uint32_t index = 0;  ///< 2 * port, plus 1 for egress

  static Side ingress(std::uint32_t port) { return {2 * port}; }
  static Side egress(std::uint32_t port) { return {2 * port + 1}; }
  [[nodiscard]] std::uint32_t port() const { return index / 2; }
  [[nodiscard]] bool is_egress() const { return (index & 1) != 0; }
};

/// What an isolation mechanism may do with the queues of a side. Queues are numbered from 0 in each
/// side; normal ones come first.
class SideQueues {
 public:
  virtual ~SideQueues() = default;
  [[nodiscard]] virtual const Queue& queue(Side side, std::uint32_t queue) const = 0;
  /// The queue is not served until it is let go.
  virtual void hold(Side side, std::uint32_t queue) = 0;
  virtual void let_go(Side side, std::uint32_t queue) = 0;
  /// The queue is served before all others of its side (that want the same output), or like them.
  virtual void set_urgent(Side side, std::uint32_t queue, bool urgent) = 0;
  /// Packets of queue `number` of an ingress side will join queue `target` of their output's egress
  /// side; without a word the first one. For each of those the inputs take turns.
  virtual void set_target(Side side, std::uint32_t number, std::uint32_t target) = 0;
  /// Queues at inputs that lead to queue `number` of an egress side have been stopped. When they
  /// are let go, their turns go on where they were.
  virtual void keep_turns(Side side, std::uint32_t number) = 0;
  /// Moves the head of queue `from` to the end of queue `to` of the same side, in no time.
  virtual void move_head(Side side, std::uint32_t from, std::uint32_t to) = 0;
  /// Packets, counters and turn of queue `from` of an ingress side go to queue `to`, which is empty
  /// and free, and its counters to `from`.
  virtual void rename(Side side, std::uint32_t from, std::uint32_t to) = 0;
};

/// For which destinations packets of a host end up in another queue of its injection buffer than
/// before.
struct InjectionChanges {
  bool any = false;
  bool all = false;                         ///< for any destination
  std::vector<std::uint32_t> destinations;  ///< else these, perhaps several times

  void add_all() { any = all = true; }
  void add(std::uint32_t destination) {
    any = true;
    if (all) return;
    if (destinations.size() == kMost) {
      all = true;
    } else {
      destinations.push_back(destination);
    }
  }
  void clear() {
    any = all = false;
    destinations.clear();
  }

 private:
  static constexpr std::size_t kMost = 64;
};

/// Queues and look-up lines of one side.
struct SideResources {
  std::uint32_t normal_queues = 1;
  std::uint32_t set_aside_queues = 0;
  std::uint32_t cam_lines = 0;
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
/// given back while the network runs (RECN, FBICM). Works on cioq switches with a single buffer
/// class whose memory all queues of a side share, and on the injection buffers of hosts.
class Isolation : public Mechanism {
 public:
  /// Of an ingress or egress side at a switch with `degree` ports; of a host's injection buffer
  /// (`degree` 1, egress).
  [[nodiscard]] virtual SideResources resources(bool is_egress, std::uint32_t degree) const = 0;

  /// A packet has been made at a host and is about to enter its injection buffer.
  virtual void on_made(std::uint32_t packet) { (void)packet; }
  /// Fetch into the cache what is known of a packet, of a side, then of the lines of a side (for a
  /// packet to `destination`), and of the route of a packet that may be made.
  virtual void prefetch_packet(std::uint32_t packet) const { (void)packet; }
  virtual void prefetch_side(Side side) const { (void)side; }
  virtual void prefetch_lines(Side side, std::uint32_t destination) const {
    (void)side, (void)destination;
  }
  virtual void prefetch_route(std::uint32_t source, std::uint32_t destination) const {
    (void)source, (void)destination;
  }
  /// What a message of its own that will arrive at `port` is about.
  virtual void prefetch_message(std::uint32_t port, const ControlMessage& message) const {
    (void)port, (void)message;
  }
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
  /// Queue of the injection buffer of host port `port`, by number, that a packet of these hosts
  /// would end up in.
  [[nodiscard]] virtual std::uint32_t injection_queue(std::uint32_t port, std::uint32_t source,
                                                      std::uint32_t destination) = 0;
  /// How answers of injection_queue() have changed; who has read it clears it.
  [[nodiscard]] virtual InjectionChanges& injection_changes(std::uint32_t port) = 0;
  /// May the injection buffer take a packet that would end up in that queue? It has to have room
  /// for the largest that there is.
  [[nodiscard]] virtual bool admits(std::uint32_t port, std::uint32_t queue) const = 0;
  /// No packet would be admitted, whatever its destination; a quick answer.
  [[nodiscard]] virtual bool admits_nothing(std::uint32_t port) const = 0;
  /// The link that leaves `port` has gone down, or is up again. No message may cross it meanwhile.
  virtual void on_link(PortId port, bool is_up) { (void)port, (void)is_up; }

  /// Set-aside queues in use now.
  [[nodiscard]] virtual std::uint64_t in_use() const = 0;
  /// Bytes in the set-aside queue of ingress `port` for packets whose congested point is local
  /// output `output` itself; 0: there is none.
  [[nodiscard]] virtual std::int64_t root_queue_bytes(std::uint32_t port,
                                                      std::uint16_t output) const {
    (void)port, (void)output;
    return 0;
  }
  virtual void for_each_line(const std::function<void(const SetAsideLine&)>& visit) const = 0;
};

/// What a mechanism may know when it is made.
struct IsolationContext {
  std::shared_ptr<const topology::Graph> graph;
  std::shared_ptr<const routing::RoutingFunction> routing;
  const FabricSettings& fabric;
};

using IsolationFactory =
    std::function<std::unique_ptr<Isolation>(const Settings&, const IsolationContext&)>;
Registry<IsolationFactory>& isolation_registry();

}  // namespace weir::fabric
