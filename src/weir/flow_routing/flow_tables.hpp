#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weir/base/random.hpp"
#include "weir/flow_routing/flow_table_entries.hpp"
#include "weir/routing/routing.hpp"

namespace weir::flow_routing {

/// How flows find their way (zdornov2009, chapter 3).
struct FlowRules {
  /// What the cables between switches with the same descendants are used for.
  enum class Sideways : std::uint8_t {
    none,    ///< not at all: flows choose on their way up only
    forced,  ///< toward the farther end of the line: ForcedDir
    free,    ///< either way, but no turning back: FreeDir
  };
  static constexpr std::uint16_t kUnlimited = UINT16_MAX - 1;

  Sideways sideways = Sideways::none;
  std::uint16_t most_hops = 8;  ///< horizontal ones at each level of the tree
  bool default_first = false;   ///< of equally loaded ports up: the default port, if among them
};

/// Horizontal hops that a set-up packet may still make at this level; kHopsUnset before the first.
using HopsLeft = std::uint16_t;
constexpr HopsLeft kHopsUnset = UINT16_MAX;

/// What switches know about flow routing before there are flows: of the extended routing table
/// (ERT) the default port and the group of alternates of each destination, the groups (PGT), and
/// which outputs a flow may take that comes in by a port (zdornov2009, chapter 3). As a routing
/// function it allows all that some flow could take: what deadlock freedom has to be shown for.
///
/// Computed for trees, or as somebody has filled them, for any network.
///
/// Immutable. Memory: 8 bytes per port and input port of the same switch / 64, and the groups; of
/// filled tables also a byte per switch and host.
class FlowTables : public routing::RoutingFunction {
 public:
  /// Of the document: a group number has 5 or 6 bits.
  static constexpr std::size_t kMostGroups = 64;

  /// Default routes are those of `defaults`, which must outlive the tables, as must the graph.
  /// Throws InputError when the graph is not a (modified) tree with destination-digit routing, when
  /// there are no horizontal cables for a rule that uses them, and for more than kMostGroups.
  FlowTables(const topology::Graph& graph, const routing::RoutingFunction& defaults,
             const FlowRules& rules);

  /// Filled tables: `entries` per switch, whose ports must exist. Of the rules only the number of
  /// hops counts. Throws InputError when the default routes depend on the source or use lanes, and
  /// for more than kMostGroups. That paths arrive and have no cycle is check_dependencies()'s
  /// matter.
  FlowTables(const topology::Graph& graph, const routing::RoutingFunction& defaults,
             const FlowRules& rules, std::span<const FlowTableEntries> entries);

  [[nodiscard]] const FlowRules& rules() const { return rules_; }
  [[nodiscard]] const topology::Graph& graph() const { return graph_; }

  /// Local port that a destination's packets take by default which came in by `in`.
  [[nodiscard]] std::uint16_t default_port(SwitchId at, PortId in, HostId destination) const {
    return defaults_.default_route({at, in, {}, destination}).port;
  }
  /// Number of the group that a destination's flows may choose from besides the default port.
  [[nodiscard]] std::optional<std::uint32_t> group_of(SwitchId at, HostId destination) const;
  /// Local ports of a group.
  [[nodiscard]] std::span<const std::uint16_t> group(SwitchId at, std::uint32_t number) const {
    const std::uint32_t g = first_group_[at.index()] + number;
    return std::span(group_ports_)
        .subspan(first_in_group_[g], first_in_group_[g + 1] - first_in_group_[g]);
  }
  /// Local ports of the destination's group; empty when it has none.
  [[nodiscard]] std::span<const std::uint16_t> alternates(SwitchId at, HostId destination) const {
    const std::optional<std::uint32_t> number = group_of(at, destination);
    return number ? group(at, *number) : std::span<const std::uint16_t>();
  }
  /// Does the default port win against ports of a group that carry as much?
  [[nodiscard]] bool is_default_first(SwitchId at, std::uint32_t group) const {
    return is_default_first_[first_group_[at.index()] + group];
  }
  /// May a flow that came in by port `in` leave its switch by local port `out`?
  [[nodiscard]] bool allows(PortId in, std::uint16_t out) const {
    return (allowed_[first_word_[in.index()] + out / 64] >> (out % 64) & 1) != 0;
  }
  [[nodiscard]] bool is_horizontal(SwitchId at, std::uint16_t port) const {
    return is_horizontal_[first_port_[at.index()] + port];
  }
  [[nodiscard]] std::size_t group_count(SwitchId at) const {
    return first_group_[at.index() + 1] - first_group_[at.index()];
  }

  [[nodiscard]] routing::Candidate default_route(const routing::RouteQuery& query) const override {
    return defaults_.default_route(query);
  }
  /// The default port, then the allowed alternates.
  void candidates(const routing::RouteQuery& query, routing::CandidateList& out) const override;
  /// Hosts of one switch may have been given different outputs.
  [[nodiscard]] bool depends_on_source() const override { return hosts_differ_; }

 private:
  struct Place {
    std::uint32_t hosts_below = 1;
    std::uint32_t subtree = 0;
    std::uint16_t parallel = 1;  ///< cables to each child
    std::uint16_t first_horizontal = 0;
  };

  /// Is the destination of a tree reached by going down from here?
  [[nodiscard]] bool is_below(SwitchId at, HostId destination) const {
    const Place& place = places_[at.index()];
    return destination.value / place.hosts_below == place.subtree;
  }
  void prepare();
  void end_group(bool default_first);
  void end_switch(SwitchId at);
  /// No outputs yet for flows that come in by `in`, one of `ports` of its switch.
  void begin_allowed(PortId in, std::size_t ports);
  [[nodiscard]] bool do_hosts_differ(NodeId at) const;
  void add_groups(SwitchId at, std::uint16_t downs, std::uint16_t ups, std::uint16_t sideways);
  void allow(PortId in, std::uint16_t first, std::uint16_t count);

  const topology::Graph& graph_;
  const routing::RoutingFunction& defaults_;
  FlowRules rules_;
  std::vector<std::uint32_t> first_port_;      ///< per switch
  std::vector<Place> places_;                  ///< per switch; empty when filled
  std::vector<std::uint32_t> first_group_;     ///< per switch, plus an end mark
  std::vector<std::uint32_t> first_in_group_;  ///< per group, plus an end mark
  std::vector<std::uint16_t> group_ports_;
  std::vector<bool> is_default_first_;  ///< per group
  std::vector<bool> is_horizontal_;     ///< per port
  std::vector<std::uint8_t> group_of_;  ///< filled: [switch][host], or kNoGroup
  bool are_filled_ = false;
  bool hosts_differ_ = false;              ///< those of some switch have different outputs
  std::vector<std::uint32_t> first_word_;  ///< per port
  std::vector<std::uint64_t> allowed_;     ///< a bit for each output
};

/// What the port selector of a switch decides about a set-up packet.
struct PortChoice {
  std::uint16_t port = 0;          ///< local
  std::uint16_t default_port = 0;  ///< that it could have taken anyway
  HopsLeft hops = kHopsUnset;      ///< of the packet from here on
};

/// The output of the flow that a set-up packet with `hops` left routes, which came in by `in`: the
/// one with the smallest load. On the way down the default port wins ties; elsewhere they are drawn
/// (zdornov2009, chapter 3). `load` is indexed by the transmitting port.
PortChoice select_port(const FlowTables& tables, SwitchId at, PortId in, HostId destination,
                       HopsLeft hops, std::span<const std::uint64_t> load, RandomStream& random);

/// Hops left after a packet with `hops` has been sent by `port`.
HopsLeft hops_after(const FlowTables& tables, SwitchId at, std::uint16_t port, HopsLeft hops);

}  // namespace weir::flow_routing
