#include <algorithm>
#include <charconv>
#include <memory>
#include <numeric>

#include <fmt/format.h>

#include "weir/routing/fit.hpp"
#include "weir/routing/path_table.hpp"

namespace weir::routing {
namespace {

using topology::Graph;

constexpr std::uint32_t kUnreached = UINT32_MAX;

constexpr const char* kMostConnected = "most-connected";

struct UpDownSettings : TieBreakSettings {
  std::string root = kMostConnected;
};

/// The switch that a port's cable leads to; invalid for hosts and ports without a cable.
SwitchId neighbour(const Graph& graph, const topology::Port& port) {
  if (!port.to.valid() || graph.is_host(graph.port(port.to).node)) return {};
  return graph.switch_of(graph.port(port.to).node);
}

/// Cables between switches work both ways.
bool is_full_duplex(const Graph& graph) {
  return std::all_of(graph.ports().begin(), graph.ports().end(),
                     [&](const topology::Port& port) { return port.to == port.from; });
}

/// Steps from the nearest of `roots` to every switch.
std::vector<std::uint32_t> ranks_from(const Graph& graph, std::vector<SwitchId> roots) {
  std::vector<std::uint32_t> rank(graph.switch_count(), kUnreached);
  for (const SwitchId root : roots) rank[root.index()] = 0;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    for (const topology::Port& port : graph.ports(graph.node(roots[i]))) {
      const SwitchId next = neighbour(graph, port);
      if (!next.valid() || rank[next.index()] != kUnreached) continue;
      rank[next.index()] = rank[roots[i].index()] + 1;
      roots.push_back(next);
    }
  }
  return rank;
}

/// Most cables to other switches; among equals the one with the smallest sum of distances (of the
/// first kMaxMeasured), then the first.
SwitchId most_connected(const Graph& graph) {
  constexpr std::size_t kMaxMeasured = 64;
  std::vector<std::size_t> cables(graph.switch_count(), 0);
  for (std::size_t s = 0; s < cables.size(); ++s) {
    for (const topology::Port& port : graph.ports(graph.node(SwitchId(s)))) {
      cables[s] += neighbour(graph, port).valid() ? 1 : 0;
    }
  }
  const std::size_t most = *std::max_element(cables.begin(), cables.end());
  SwitchId best;
  std::uint64_t least = UINT64_MAX;
  std::size_t measured = 0;
  for (std::size_t s = 0; s < cables.size() && measured < kMaxMeasured; ++s) {
    if (cables[s] != most) continue;
    ++measured;
    const auto rank = ranks_from(graph, {SwitchId(s)});
    const std::uint64_t sum = std::accumulate(rank.begin(), rank.end(), std::uint64_t{0});
    if (sum < least) {
      least = sum;
      best = SwitchId(s);
    }
  }
  return best;
}

/// A switch by name, or by number.
SwitchId named_switch(const Checked<UpDownSettings>& settings, const Graph& graph) {
  const std::string& text = settings->root;
  std::vector<std::string> names;
  for (std::size_t s = 0; s < graph.switch_count(); ++s) {
    names.push_back(graph.name(graph.node(SwitchId(s))));
    if (names.back() == text) return SwitchId(s);
  }
  std::size_t number = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec == std::errc{} && parsed.ptr == end && number < graph.switch_count()) {
    return SwitchId(number);
  }
  constexpr std::size_t kMaxNames = 20;
  if (names.size() > kMaxNames && nearest_name(text, names).empty()) names.resize(kMaxNames);
  throw settings.error(&UpDownSettings::root,
                       fmt::format("no switch is called '{}'{}", text, suggestion(text, names)));
}

/// Smaller is nearer to the root.
std::vector<std::uint32_t> ranks(const Checked<UpDownSettings>& settings, const Graph& graph) {
  const std::string& root = settings->root;
  if (root == kMostConnected) return ranks_from(graph, {most_connected(graph)});
  if (root != "top-stage") return ranks_from(graph, {named_switch(settings, graph)});
  std::vector<std::uint32_t> rank;
  int top = 0;
  for (std::size_t s = 0; s < graph.switch_count(); ++s) {
    top = std::max(top, graph.stage(graph.node(SwitchId(s))));
  }
  if (top == 0) {
    throw settings.error(&UpDownSettings::root, fmt::format("a {} has no stages", graph.family()));
  }
  for (std::size_t s = 0; s < graph.switch_count(); ++s) {
    rank.push_back(static_cast<std::uint32_t>(top - graph.stage(graph.node(SwitchId(s)))));
  }
  return rank;
}

/// Per transmitting port: away from the root, by rank, then by number. A total order of the
/// switches, so that neither up nor down cables can close a ring.
std::vector<bool> down_cables(const Graph& graph, const std::vector<std::uint32_t>& rank) {
  std::vector<bool> goes_down(graph.port_count(), false);
  for (std::size_t i = 0; i < graph.port_count(); ++i) {
    const topology::Port& port = graph.port(PortId(i));
    if (graph.is_host(port.node)) continue;
    const SwitchId to = neighbour(graph, port);
    if (!to.valid()) continue;
    const SwitchId from = graph.switch_of(port.node);
    goes_down[i] = std::pair(rank[from.index()], from) < std::pair(rank[to.index()], to);
  }
  return goes_down;
}

const FittedRouting kUpDown(
    {"up-down",
     "up*/down* on any full-duplex graph: never up after down, so deadlock-free; shortest such "
     "paths",
     "schroeder1991autonet"},
    "full-duplex cables and at least one switch",
    [](const Graph& graph) { return graph.switch_count() > 0 && is_full_duplex(graph); },
    Keys<UpDownSettings>{
        key(&UpDownSettings::root, "root",
            "name or number of the root switch; most-connected; or top-stage, where the topology "
            "has stages: all switches of the last one")}
        .with(tie_break_keys()),
    [](const Checked<UpDownSettings>& settings, const Graph& graph) {
      return std::make_unique<PathTable>("up-down", graph, settings->tie_break,
                                         down_cables(graph, ranks(settings, graph)));
    });

}  // namespace
}  // namespace weir::routing
