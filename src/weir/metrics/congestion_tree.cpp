#include "weir/metrics/congestion_tree.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <string_view>

namespace weir::metrics {

namespace {

constexpr int kUnseen = -1;

/// Ports that wait for each port, as ranges of one sorted list.
class WaitersOf {
 public:
  /// Sorts a copy unless it is sorted, else keeps a reference.
  explicit WaitersOf(const std::vector<Waiting>& waiting) : waiting_(waiting) {
    if (std::is_sorted(waiting.begin(), waiting.end(), is_wanted_before)) return;
    sorted_ = waiting;
    std::sort(sorted_.begin(), sorted_.end(), is_wanted_before);
    waiting_ = sorted_;
  }
  WaitersOf(const WaitersOf&) = delete;
  WaitersOf& operator=(const WaitersOf&) = delete;
  template <class Visit>
  void each(PortId wanted, Visit visit) const {
    auto it = std::lower_bound(waiting_.begin(), waiting_.end(), wanted,
                               [](const Waiting& w, PortId port) { return w.wanted < port; });
    for (; it != waiting_.end() && it->wanted == wanted; ++it) {
      if (it->bytes > 0) visit(it->blocked);
    }
  }

 private:
  std::vector<Waiting> sorted_;
  std::span<const Waiting> waiting_;
};

/// Breadth first from the root, against the flow of packets.
CongestionTree grow(PortId root, const std::vector<PortCongestion>& kind, const WaitersOf& waiters,
                    std::vector<int>& depth) {
  CongestionTree tree{root, {}, 0};
  std::vector<PortId> front{root};
  depth[root.index()] = 0;
  for (int level = 1; !front.empty(); ++level) {
    std::vector<PortId> next;
    for (const PortId at : front) {
      waiters.each(at, [&](PortId p) {
        if (kind[p.index()] != PortCongestion::branch || depth[p.index()] != kUnseen) return;
        depth[p.index()] = level;
        next.push_back(p);
      });
    }
    std::sort(next.begin(), next.end());
    for (const PortId p : next) tree.branches.push_back({p, level, true});
    if (!next.empty()) tree.depth = level;
    front = std::move(next);
  }
  for (TreeBranch& branch : tree.branches) {
    waiters.each(branch.port, [&](PortId p) {
      if (depth[p.index()] == branch.depth + 1) branch.is_leaf = false;
    });
  }
  depth[root.index()] = kUnseen;
  for (const TreeBranch& branch : tree.branches) depth[branch.port.index()] = kUnseen;
  return tree;
}

}  // namespace

PortCongestion classify(const PortState& port, bool is_switch_port, const TreeThresholds& limits) {
  // A host's queues are not counted in bytes; that it waited says that it had packets.
  const bool has_packets = port.queued > 0 || !is_switch_port;
  if (has_packets && port.wait >= limits.branch_wait) return PortCongestion::branch;
  if (is_switch_port && port.queued > limits.root_queued.count &&
      port.utilization >= limits.root_utilization) {
    return PortCongestion::root;
  }
  return PortCongestion::clear;
}

void find_congested(const topology::Graph& graph, const std::vector<PortState>& ports,
                    std::span<const std::uint32_t> among, const TreeThresholds& limits,
                    std::vector<CongestedPort>& congested) {
  for (const std::uint32_t p : among) {
    const bool is_switch_port = !graph.is_host(graph.port(PortId(p)).node);
    const PortCongestion kind = classify(ports[p], is_switch_port, limits);
    if (kind != PortCongestion::clear) congested.push_back({PortId(p), kind});
  }
}

std::vector<CongestionTree> find_trees(const topology::Graph& graph,
                                       const std::vector<CongestedPort>& congested,
                                       const std::vector<Waiting>& waiting) {
  std::vector<PortId> roots;
  for (const CongestedPort& port : congested)
    if (port.kind == PortCongestion::root) roots.push_back(port.port);
  std::vector<CongestionTree> trees;
  if (roots.empty()) return trees;
  std::sort(roots.begin(), roots.end());
  std::vector<PortCongestion> kind(graph.port_count(), PortCongestion::clear);
  for (const CongestedPort& port : congested) kind[port.port.index()] = port.kind;
  const WaitersOf waiters(waiting);
  std::vector<int> depth(graph.port_count(), kUnseen);
  for (const PortId root : roots) trees.push_back(grow(root, kind, waiters, depth));
  return trees;
}

TreeTracker::TreeTracker(const topology::Graph& graph, TreeThresholds limits, Time warm_up)
    : graph_(graph), limits_(limits), warm_up_(warm_up) {}

void TreeTracker::sample(Time at, Time period, const std::vector<CongestedPort>& congested,
                         const std::vector<Waiting>& waiting) {
  if (samples_.empty()) period_ = period;
  Sample sample{at, 0, 0, find_trees(graph_, congested, waiting)};
  std::vector<bool> counted(sample.trees.empty() ? 0 : graph_.port_count(), false);
  const auto count = [&](PortId p) {
    if (counted[p.index()]) return;
    counted[p.index()] = true;
    ++sample.ports;
    if (graph_.is_host(graph_.port(p).node)) ++sample.hosts;
  };
  for (const CongestionTree& tree : sample.trees) {
    count(tree.root);
    for (const TreeBranch& branch : tree.branches) count(branch.port);
  }
  samples_.push_back(std::move(sample));
}

TreeRecord TreeTracker::record(Time at, const CongestionTree& tree) const {
  TreeRecord out{at, graph_.name(tree.root), tree.depth, {}, {}, {}};
  for (const TreeBranch& branch : tree.branches) {
    out.branches.push_back(graph_.name(branch.port));
    out.branch_depths.push_back(branch.depth);
    if (branch.is_leaf) out.leaves.push_back(out.branches.back());
  }
  return out;
}

void TreeTracker::report(RunResult& result, std::size_t max_records, Time warm_up) const {
  if (samples_.empty()) return;
  std::vector<double> roots;
  std::vector<double> ports;
  std::vector<double> hosts;
  std::vector<double> size;
  std::vector<double> depth;
  for (const Sample& s : samples_) {
    double largest = 0;
    int deepest = 0;
    for (const CongestionTree& tree : s.trees) {
      largest = std::max(largest, static_cast<double>(tree.size()));
      deepest = std::max(deepest, tree.depth);
      if (result.trees.size() < max_records) result.trees.push_back(record(s.at, tree));
    }
    roots.push_back(static_cast<double>(s.trees.size()));
    ports.push_back(static_cast<double>(s.ports));
    hosts.push_back(static_cast<double>(s.hosts));
    size.push_back(largest);
    depth.push_back(deepest);
  }
  if (result.trees.size() == max_records && max_records > 0) {
    result.notes.emplace_back("only the first " + std::to_string(max_records) +
                              " congestion trees are kept in the results");
  }
  const auto measured = [&](const std::vector<double>& values) {
    std::vector<double> kept;
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (samples_[k].at > warm_up) kept.push_back(values[k]);
    }
    return kept;
  };
  const auto add = [&](std::string_view metric, std::vector<double> values, bool of_mean,
                       std::string_view largest_name) {
    const std::vector<double> kept = measured(values);
    if (!kept.empty()) {
      const double largest = *std::max_element(kept.begin(), kept.end());
      double sum = 0;
      for (const double v : kept) sum += v;
      result.add_scalar(metric, "", of_mean ? sum / static_cast<double>(kept.size()) : largest,
                        Reading::sampled);
      if (!largest_name.empty()) result.add_scalar(largest_name, "", largest, Reading::sampled);
    }
    const Time start = samples_.front().at - period_;
    result.add_series(metric, "", start, period_, std::move(values), Reading::sampled);
  };
  add("tree_roots", std::move(roots), true, "tree_roots_max");
  add("tree_ports", std::move(ports), true, "tree_ports_max");
  add("tree_size", std::move(size), false, "");
  add("tree_depth", std::move(depth), false, "");
  add("tree_hosts", std::move(hosts), false, "");
}

}  // namespace weir::metrics
