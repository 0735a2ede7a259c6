#include "weir/flow_routing/flow_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weir/base/error.hpp"
#include "weir/routing/staged_tree.hpp"
#include "weir/topology/modified_tree.hpp"

namespace weir::flow_routing {

using topology::FatTreeShape;
using topology::Graph;
using topology::ModifiedTreeShape;

namespace {

constexpr std::string_view kWhat = "flow routing";

const FatTreeShape& required_tree(const Graph& graph) {
  if (const auto* modified = graph.shape<ModifiedTreeShape>()) return modified->fat_tree;
  if (const auto* tree = graph.shape<FatTreeShape>()) return *tree;
  throw InputError(fmt::format("{} needs a fat tree or a modified-k-ary-n-tree; this is a {}",
                               kWhat, graph.family()));
}

void check_defaults(const routing::RoutingFunction& defaults) {
  if (dynamic_cast<const routing::StagedTree*>(&defaults) == nullptr ||
      defaults.depends_on_source()) {
    throw InputError(fmt::format(
        "{} needs default ports by digits of the destination: [routing] model = \"d-mod-k\"",
        kWhat));
  }
}

}  // namespace

FlowTables::FlowTables(const Graph& graph, const routing::RoutingFunction& defaults,
                       const FlowRules& rules)
    : graph_(graph), defaults_(defaults), rules_(rules) {
  const FatTreeShape& tree = required_tree(graph);
  const auto* modified = graph.shape<ModifiedTreeShape>();
  check_defaults(defaults);
  if (rules.sideways != FlowRules::Sideways::none && modified == nullptr) {
    throw InputError(fmt::format(
        "{} by forced-dir and free-dir needs horizontal cables (topology modified-k-ary-n-tree); "
        "on a {} flows can choose on their way up: policy = \"ascent\"",
        kWhat, graph.family()));
  }
  prepare();
  for (std::size_t i = 0; i < graph.switch_count(); ++i) {
    const SwitchId at(i);
    const NodeId node = graph.node(at);
    const std::size_t stage = tree.switch_stage[i];
    const std::uint16_t downs = tree.down_ports[stage];
    const std::uint16_t ups = tree.up_ports[stage];
    const auto tree_ports = static_cast<std::uint16_t>(downs + ups);
    const bool has_sides = rules.sideways != FlowRules::Sideways::none && rules.most_hops > 0 &&
                           stage > 1 && modified->width > 0;
    const auto width = static_cast<std::uint16_t>(has_sides ? modified->width : 0);
    first_port_.push_back(graph.first_port(node).value);
    places_.push_back({tree.hosts_below[stage], tree.switch_subtree[i],
                       static_cast<std::uint16_t>(tree.parameters.parallel[stage - 1]),
                       tree_ports});
    const auto sides = static_cast<std::uint16_t>(2 * width);
    add_groups(at, downs, ups, sides);

    const std::uint16_t left = tree_ports;
    const auto right = static_cast<std::uint16_t>(left + width);
    const std::size_t ports = graph.degree(node);
    for (std::size_t p = 0; p < ports; ++p) {
      const PortId in = graph.port(node, p);
      is_horizontal_[in.index()] = p >= left;
      begin_allowed(in, ports);
      allow(in, 0, downs);
      if (p < downs) allow(in, downs, ups);
      if (p >= left && p < right) {
        allow(in, right, width);
      } else if (p >= right) {
        allow(in, left, width);
      } else if (has_sides && rules.sideways == FlowRules::Sideways::free) {
        allow(in, left, sides);
      } else if (has_sides) {
        const bool goes_right = 2 * modified->position[i] < tree.copies[stage];
        allow(in, goes_right ? right : left, width);
      }
    }
  }
}

FlowTables::FlowTables(const Graph& graph, const routing::RoutingFunction& defaults,
                       const FlowRules& rules, std::span<const FlowTableEntries> entries)
    : graph_(graph), defaults_(defaults), rules_(rules), are_filled_(true) {
  if (defaults.depends_on_source() || defaults.lanes() > 1) {
    throw InputError(
        fmt::format("{} needs default routes that do not depend on the source and use "
                    "one lane",
                    kWhat));
  }
  prepare();
  const std::size_t hosts = graph.host_count();
  group_of_.assign(graph.switch_count() * hosts, FlowTableEntries::kNoGroup);
  for (std::size_t i = 0; i < graph.switch_count(); ++i) {
    const SwitchId at(i);
    const NodeId node = graph.node(at);
    const FlowTableEntries& its = entries[i];
    first_port_.push_back(graph.first_port(node).value);
    std::copy(its.group_of.begin(), its.group_of.end(),
              group_of_.begin() + static_cast<std::ptrdiff_t>(i * hosts));
    for (const FlowTableEntries::Group& group : its.groups) {
      group_ports_.insert(group_ports_.end(), group.ports.begin(), group.ports.end());
      end_group(group.default_first);
    }
    end_switch(at);
    for (const std::uint16_t port : its.horizontal) {
      is_horizontal_[graph.port(node, port).index()] = true;
    }
    const std::size_t ports = graph.degree(node);
    for (std::size_t p = 0; p < ports; ++p) begin_allowed(graph.port(node, p), ports);
    std::vector<bool> is_listed(ports);
    for (const FlowTableEntries::Allowed& one : its.allowed) {
      for (const std::uint16_t in : one.inputs) {
        is_listed[in] = true;
        for (const std::uint16_t out : one.outputs) allow(graph.port(node, in), out, 1);
      }
    }
    for (std::size_t p = 0; p < ports; ++p) {
      if (!is_listed[p]) allow(graph.port(node, p), 0, static_cast<std::uint16_t>(ports));
    }
    hosts_differ_ = hosts_differ_ || do_hosts_differ(node);
  }
}

bool FlowTables::do_hosts_differ(NodeId at) const {
  const std::size_t ports = graph_.degree(at);
  std::optional<PortId> first;
  for (std::size_t p = 0; p < ports; ++p) {
    const PortId in = graph_.port(at, p);
    const PortId from = graph_.port(in).from;
    if (!from.valid() || !graph_.is_host(graph_.port(from).node)) continue;
    if (!first) first = in;
    for (std::size_t out = 0; out < ports; ++out) {
      const auto port = static_cast<std::uint16_t>(out);
      if (allows(in, port) != allows(*first, port)) return true;
    }
  }
  return false;
}

void FlowTables::prepare() {
  first_group_.push_back(0);
  first_in_group_.push_back(0);
  first_word_.assign(graph_.port_count(), 0);
  is_horizontal_.assign(graph_.port_count(), false);
}

void FlowTables::end_group(bool default_first) {
  first_in_group_.push_back(static_cast<std::uint32_t>(group_ports_.size()));
  is_default_first_.push_back(default_first);
}

void FlowTables::end_switch(SwitchId at) {
  first_group_.push_back(static_cast<std::uint32_t>(first_in_group_.size() - 1));
  if (group_count(at) > kMostGroups) {
    throw InputError(fmt::format("{}: {} has {} groups of ports; a switch can have {}", kWhat,
                                 graph_.name(graph_.node(at)), group_count(at), kMostGroups));
  }
}

void FlowTables::begin_allowed(PortId in, std::size_t ports) {
  first_word_[in.index()] = static_cast<std::uint32_t>(allowed_.size());
  allowed_.resize(allowed_.size() + (ports + 63) / 64, 0);
}

/// Group 0: ports up; 1: horizontal ports, or, with parallel cables, 1 + c: those to child c.
void FlowTables::add_groups(SwitchId at, std::uint16_t downs, std::uint16_t ups,
                            std::uint16_t sideways) {
  const auto add = [this](std::uint16_t first, std::uint16_t count, bool default_first) {
    for (std::uint16_t p = first; p < first + count; ++p) group_ports_.push_back(p);
    end_group(default_first);
  };
  const Place& place = places_[at.index()];
  add(downs, ups, rules_.default_first);
  if (place.parallel > 1) {
    for (std::uint16_t p = 0; p < downs; p = static_cast<std::uint16_t>(p + place.parallel)) {
      add(p, place.parallel, true);
    }
  } else if (sideways > 0) {
    // Horizontal cables that have no neighbour to lead to are left out.
    for (std::uint16_t p = place.first_horizontal; p < place.first_horizontal + sideways; ++p) {
      const PortId port = graph_.port(graph_.node(at), p);
      if (graph_.port(port).to.valid()) group_ports_.push_back(p);
    }
    end_group(true);
  }
  end_switch(at);
}

void FlowTables::allow(PortId in, std::uint16_t first, std::uint16_t count) {
  for (std::uint32_t p = first; p < std::uint32_t{first} + count; ++p) {
    allowed_[first_word_[in.index()] + p / 64] |= std::uint64_t{1} << (p % 64);
  }
}

std::optional<std::uint32_t> FlowTables::group_of(SwitchId at, HostId destination) const {
  if (are_filled_) {
    const std::uint8_t group = group_of_[at.index() * graph_.host_count() + destination.index()];
    if (group == FlowTableEntries::kNoGroup) return std::nullopt;
    return group;
  }
  if (!is_below(at, destination)) return 0;
  const Place& place = places_[at.index()];
  // Default ports do not depend on where packets come in.
  const PortId in(first_port_[at.index()]);
  const std::uint32_t child =
      place.parallel > 1 ? default_port(at, in, destination) / place.parallel : 0;
  if (1 + child >= group_count(at)) return std::nullopt;
  return 1 + child;
}

void FlowTables::candidates(const routing::RouteQuery& query, routing::CandidateList& out) const {
  const std::uint16_t first = default_port(query.at, query.in_port, query.destination);
  out.add({first, 0});
  for (const std::uint16_t port : alternates(query.at, query.destination)) {
    if (port != first && allows(query.in_port, port)) out.add({port, 0});
  }
}

HopsLeft hops_after(const FlowTables& tables, SwitchId at, std::uint16_t port, HopsLeft hops) {
  if (!tables.is_horizontal(at, port)) return kHopsUnset;
  const HopsLeft before = hops == kHopsUnset ? tables.rules().most_hops : hops;
  const bool stays = before == FlowRules::kUnlimited || before == 0;
  return stays ? before : static_cast<HopsLeft>(before - 1);
}

PortChoice select_port(const FlowTables& tables, SwitchId at, PortId in, HostId destination,
                       HopsLeft hops, std::span<const std::uint64_t> load, RandomStream& random) {
  const topology::Graph& graph = tables.graph();
  const std::size_t first_port = graph.first_port(graph.node(at)).index();
  const std::uint16_t dp = tables.default_port(at, in, destination);
  const std::optional<std::uint32_t> group = tables.group_of(at, destination);
  if (!group) return {dp, dp, hops_after(tables, at, dp, hops)};
  const bool default_first = tables.is_default_first(at, *group);
  const bool may_not_go_sideways =
      hops == 0 || (hops == kHopsUnset && tables.rules().most_hops == 0);
  std::uint16_t best = dp;
  std::uint64_t least = load[first_port + dp];
  std::uint64_t equals = 1;
  for (const std::uint16_t port : tables.group(at, *group)) {
    if (port == dp || !tables.allows(in, port)) continue;
    if (may_not_go_sideways && tables.is_horizontal(at, port)) continue;
    const std::uint64_t here = load[first_port + port];
    if (here > least || (here == least && best == dp && default_first)) continue;
    if (here < least) {
      best = port;
      least = here;
      equals = 1;
    } else if (random.below(++equals) == 0) {
      best = port;
    }
  }
  return {best, dp, hops_after(tables, at, best, hops)};
}

}  // namespace weir::flow_routing
