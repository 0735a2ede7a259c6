#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "weir/base/catalog.hpp"
#include "weir/base/ids.hpp"
#include "weir/topology/graph.hpp"

namespace weir::routing {

struct TreeTable;

/// What a routing function may look at. `in_port` is the global id of the switch port the packet
/// came in by (its role, peer and dimension follow from the graph).
struct RouteQuery {
  SwitchId at;
  PortId in_port;
  HostId source;
  HostId destination;
  std::uint8_t lane = 0;  ///< routing lane the packet occupies now (see Candidate::lane)
  /// Of a data packet: its message, which says of what connection it is (ExplicitRoutes); of a
  /// network in parts, the number of its connection.
  std::uint32_t message = kNoMessage;

  static constexpr std::uint32_t kNoMessage = UINT32_MAX;
};

/// An output that the routing function allows. Lanes are what deadlock freedom needs (datelines,
/// dragonfly phases): lane 0 .. lanes()-1. The fabric maps (lane, traffic class) to a VC.
struct Candidate {
  std::uint16_t port = 0;  ///< local port number at the switch
  std::uint8_t lane = 0;   ///< lane on the link that follows

  bool operator==(const Candidate&) const = default;
};

/// Up to 256 candidates without allocation.
class CandidateList {
 public:
  void add(Candidate c) { items_[size_++] = c; }
  void clear() { size_ = 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] const Candidate& operator[](std::size_t i) const { return items_[i]; }
  [[nodiscard]] const Candidate* begin() const { return items_.data(); }
  [[nodiscard]] const Candidate* end() const { return items_.data() + size_; }
  [[nodiscard]] std::span<const Candidate> view() const { return {items_.data(), size_}; }

 private:
  std::size_t size_ = 0;
  std::array<Candidate, 256> items_;
};

/// Which outputs a packet may take. Immutable after construction; called concurrently.
class RoutingFunction {
 public:
  virtual ~RoutingFunction() = default;

  /// The one output that deterministic routing takes. Must be among candidates().
  [[nodiscard]] virtual Candidate default_route(const RouteQuery& query) const = 0;

  /// All allowed outputs, for selection functions. Deterministic functions keep this.
  virtual void candidates(const RouteQuery& query, CandidateList& out) const {
    out.add(default_route(query));
  }

  /// Packets of two hosts take different routes by their connection (RouteQuery::message).
  [[nodiscard]] virtual bool tells_connections_apart() const { return false; }
  /// Number of lanes in use.
  [[nodiscard]] virtual int lanes() const { return 1; }
  /// Lane of the host's own link into the network.
  [[nodiscard]] virtual std::uint8_t injection_lane(HostId source, HostId destination) const {
    (void)source, (void)destination;
    return 0;
  }
  /// Switches look outputs up in tables that someone else has filled (distributed routing), and
  /// hosts do not know them.
  [[nodiscard]] virtual bool is_table_based() const { return false; }
  /// The default routes as a table, where they are one; null: they have to be asked for.
  [[nodiscard]] virtual const TreeTable* tree_table() const { return nullptr; }
  /// False when the routes to a destination are the same for every source.
  [[nodiscard]] virtual bool depends_on_source() const { return false; }
  /// Shows from its own structure, in about the time it takes to look at every port, that on this
  /// graph all candidates lead to the destination and no packets wait for each other in a circle.
  /// False says nothing: check_dependencies() walks the routes.
  [[nodiscard]] virtual bool is_proven(const topology::Graph& graph) const {
    (void)graph;
    return false;
  }
};

/// Makes a routing function for a graph. Throws InputError when it does not fit the topology.
using RoutingFactory = std::function<std::unique_ptr<RoutingFunction>(
    const Settings& settings, const topology::Graph& graph)>;

Registry<RoutingFactory>& routing_registry();

using RoutingRegistration = Registration<RoutingFactory>;

}  // namespace weir::routing
