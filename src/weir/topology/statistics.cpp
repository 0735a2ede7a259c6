#include "weir/topology/statistics.hpp"

#include <algorithm>
#include <limits>

#include "weir/topology/export_names.hpp"
#include "weir/topology/fat_tree.hpp"
#include "weir/topology/grid.hpp"

namespace weir::topology {
namespace {

constexpr std::uint32_t kUnseen = UINT32_MAX;

std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/// Switch-to-switch links in compressed rows, and how many hosts send to and receive from each
/// switch.
struct SwitchGraph {
  std::vector<std::uint32_t> first;  ///< per switch, plus an end mark, into `next`
  std::vector<std::uint32_t> next;
  std::vector<std::uint32_t> senders;
  std::vector<std::uint32_t> receivers;
  /// Per host: the switch it sends to and the one it receives from; kUnseen for a host.
  std::vector<std::uint32_t> entry;
  std::vector<std::uint32_t> exit;
};

SwitchGraph switch_graph(const Graph& graph) {
  SwitchGraph g;
  g.senders.resize(graph.switch_count());
  g.receivers.resize(graph.switch_count());
  for (std::size_t h = 0; h < graph.host_count(); ++h) {
    const Port& port = graph.port(graph.host_port(HostId(h)));
    const NodeId to = graph.port(port.to).node;
    const NodeId from = graph.port(port.from).node;
    g.entry.push_back(graph.is_host(to) ? kUnseen : graph.switch_of(to).value);
    g.exit.push_back(graph.is_host(from) ? kUnseen : graph.switch_of(from).value);
    if (g.entry.back() != kUnseen) ++g.senders[g.entry.back()];
    if (g.exit.back() != kUnseen) ++g.receivers[g.exit.back()];
  }
  for (std::size_t s = 0; s < graph.switch_count(); ++s) {
    g.first.push_back(static_cast<std::uint32_t>(g.next.size()));
    for (const Port& port : graph.ports(graph.node(SwitchId(s)))) {
      if (!port.to.valid()) continue;
      const NodeId to = graph.port(port.to).node;
      if (!graph.is_host(to)) g.next.push_back(graph.switch_of(to).value);
    }
  }
  g.first.push_back(static_cast<std::uint32_t>(g.next.size()));
  return g;
}

/// Distances and numbers of shortest paths from one switch to all. Reused over the sources.
class Search {
 public:
  explicit Search(const SwitchGraph& graph)
      : graph_(graph), hops_(graph.senders.size()), paths_(graph.senders.size()) {}

  void run(std::uint32_t source) {
    std::fill(hops_.begin(), hops_.end(), kUnseen);
    order_.assign(1, source);
    hops_[source] = 1;
    paths_[source] = 1;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const std::uint32_t here = order_[i];
      for (std::uint32_t e = graph_.first[here]; e < graph_.first[here + 1]; ++e) {
        const std::uint32_t there = graph_.next[e];
        if (hops_[there] == kUnseen) {
          hops_[there] = hops_[here] + 1;
          paths_[there] = 0;
          order_.push_back(there);
        }
        if (hops_[there] == hops_[here] + 1) {
          paths_[there] = saturating_add(paths_[there], paths_[here]);
        }
      }
    }
  }

  /// The switches that were reached, nearest first.
  [[nodiscard]] const std::vector<std::uint32_t>& reached() const { return order_; }
  [[nodiscard]] std::uint32_t hops(std::uint32_t s) const { return hops_[s]; }
  [[nodiscard]] std::uint64_t paths(std::uint32_t s) const { return paths_[s]; }

 private:
  const SwitchGraph& graph_;
  std::vector<std::uint32_t> hops_;
  std::vector<std::uint64_t> paths_;
  std::vector<std::uint32_t> order_;
};

/// Adds `pairs` host pairs at `hops` switches with `paths` shortest paths each.
void count_pairs(TopologyStatistics& result, std::size_t hops, std::uint64_t pairs,
                 std::uint64_t paths) {
  if (pairs == 0) return;
  if (result.by_hops.size() <= hops) result.by_hops.resize(hops + 1);
  HopClass& c = result.by_hops[hops];
  c.fewest_paths = c.pairs == 0 ? paths : std::min(c.fewest_paths, paths);
  c.most_paths = std::max(c.most_paths, paths);
  c.pairs += pairs;
  c.mean_paths += static_cast<double>(pairs) * static_cast<double>(paths);
}

/// Counts the host pairs of one source switch after another.
class PairCounter {
 public:
  PairCounter(const SwitchGraph& graph, TopologyStatistics& result)
      : graph_(graph),
        result_(result),
        search_(graph),
        hosts_of_(graph.senders.size()),
        own_(graph.senders.size()) {
    for (std::size_t h = 0; h < graph.entry.size(); ++h) {
      if (graph.entry[h] != kUnseen) hosts_of_[graph.entry[h]].push_back(h);
    }
  }

  void count_from(std::uint32_t source) {
    search_.run(source);
    // A host is no pair with itself: own_ says how many to leave out where.
    for (const std::size_t h : hosts_of_[source]) ++own_[graph_.exit[h]];
    const std::uint64_t senders = graph_.senders[source];
    std::uint64_t found = 0;
    for (const std::uint32_t exit : search_.reached()) {
      const std::uint64_t pairs = senders * graph_.receivers[exit] - own_[exit];
      count_pairs(result_, search_.hops(exit), pairs, search_.paths(exit));
      found += pairs;
    }
    for (const std::size_t h : hosts_of_[source]) own_[graph_.exit[h]] = 0;
    result_.unreachable_pairs += senders * (graph_.entry.size() - 1) - found;
  }

 private:
  const SwitchGraph& graph_;
  TopologyStatistics& result_;
  Search search_;
  std::vector<std::vector<std::size_t>> hosts_of_;
  std::vector<std::uint32_t> own_;
};

/// Hosts joined without a switch: each reaches its peer and nobody else.
void count_direct_hosts(const Graph& graph, const SwitchGraph& g, TopologyStatistics& result) {
  for (const std::uint32_t entry : g.entry) {
    if (entry != kUnseen) continue;
    count_pairs(result, 0, 1, 1);
    result.unreachable_pairs += graph.host_count() - 2;
  }
}

void finish_means(TopologyStatistics& result) {
  std::uint64_t pairs = 0;
  double hops = 0;
  for (std::size_t i = 0; i < result.by_hops.size(); ++i) {
    HopClass& c = result.by_hops[i];
    if (c.pairs == 0) continue;
    c.mean_paths /= static_cast<double>(c.pairs);
    pairs += c.pairs;
    hops += static_cast<double>(i) * static_cast<double>(c.pairs);
    result.diameter = static_cast<int>(i);
  }
  if (pairs > 0) result.mean_hops = hops / static_cast<double>(pairs);
}

void count_ports(const Graph& graph, TopologyStatistics& result) {
  if (graph.switch_count() == 0) return;
  result.fewest_ports = std::numeric_limits<std::size_t>::max();
  for (std::size_t s = 0; s < graph.switch_count(); ++s) {
    const auto ports = graph.ports(graph.node(SwitchId(s)));
    const auto cabled = static_cast<std::size_t>(std::count_if(
        ports.begin(), ports.end(), [](const Port& p) { return p.to.valid() || p.from.valid(); }));
    result.fewest_ports = std::min(result.fewest_ports, cabled);
    result.most_ports = std::max(result.most_ports, cabled);
  }
}

}  // namespace

TopologyStatistics statistics(const Graph& graph, std::uint64_t work_limit) {
  TopologyStatistics result;
  result.hosts = graph.host_count();
  result.switches = graph.switch_count();
  result.links = cables(graph, true).size();
  result.bisection = bisection(graph);
  count_ports(graph, result);

  const SwitchGraph g = switch_graph(graph);
  std::vector<std::uint32_t> sources;
  for (std::uint32_t s = 0; s < g.senders.size(); ++s) {
    if (g.senders[s] > 0) sources.push_back(s);
  }
  const std::uint64_t work = std::max<std::uint64_t>(g.next.size() + g.senders.size(), 1);
  result.source_switches = sources.size();
  result.sampled_sources = std::min<std::size_t>(
      sources.size(), std::max<std::size_t>(static_cast<std::size_t>(work_limit / work), 1));

  PairCounter counter(g, result);
  for (std::size_t i = 0; i < result.sampled_sources; ++i) {
    counter.count_from(sources[i * sources.size() / result.sampled_sources]);
  }
  count_direct_hosts(graph, g, result);
  finish_means(result);
  return result;
}

namespace {

std::optional<std::uint64_t> fat_tree_bisection(const FatTreeShape& tree) {
  if (tree.stages < 2 || tree.parameters.children.back() % 2 != 0) return std::nullopt;
  std::uint64_t thinnest = UINT64_MAX;
  for (std::size_t s = 1; s < static_cast<std::size_t>(tree.stages); ++s) {
    const std::uint64_t switches = tree.first_switch[s + 1] - tree.first_switch[s];
    thinnest = std::min(thinnest, switches * tree.up_ports[s]);
  }
  return thinnest / 2;
}

std::optional<std::uint64_t> grid_bisection(const GridShape& grid) {
  const auto longest = std::max_element(grid.sizes.begin(), grid.sizes.end());
  if (*longest % 2 != 0) return std::nullopt;
  const auto d = static_cast<std::size_t>(longest - grid.sizes.begin());
  const std::uint64_t switches = std::uint64_t{grid.strides.back()} * grid.sizes.back();
  return switches / *longest * (grid.wraps(d) ? 2 : 1);
}

}  // namespace

std::optional<std::uint64_t> bisection(const Graph& graph) {
  if (const auto* tree = graph.shape<FatTreeShape>()) return fat_tree_bisection(*tree);
  if (const auto* grid = graph.shape<GridShape>()) return grid_bisection(*grid);
  return std::nullopt;
}

}  // namespace weir::topology
