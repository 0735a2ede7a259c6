#include "weir/metrics/set_aside_trees.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

namespace weir::metrics {

using fabric::SetAsideEvent;
using fabric::SetAsideLine;

std::string side_name(const topology::Graph& graph, fabric::Side side) {
  std::string name = graph.name(PortId(side.port())) + (side.is_egress() ? " egress" : " ingress");
  if (side.buffer > 0) name += ", class " + std::to_string(side.buffer);
  return name;
}

SetAsideTrees::SetAsideTrees(const topology::Graph& graph, Time gap, std::size_t most)
    : graph_(graph), gap_(gap), most_(most), latest_(graph.port_count(), kNone) {}

void SetAsideTrees::on_event(const SetAsideEvent& event) {
  if (event.kind != SetAsideEvent::allocated && event.kind != SetAsideEvent::released) return;
  root_time_ = root_time(event.at);
  changed_ = event.at;
  std::uint32_t& place = latest(event.root);
  if (event.kind == SetAsideEvent::released) {
    if (place == kNone || current_[place].queues == 0) return;
    Tree& tree = current_[place];
    tree.until = event.at;
    if (--tree.queues == 0) --roots_;
    return;
  }
  const bool is_known = place != kNone;
  if (!is_known) {
    place = static_cast<std::uint32_t>(current_.size());
    current_.emplace_back();
  }
  Tree& tree = current_[place];
  if (tree.queues == 0) {
    if (!is_known || event.at - tree.until > gap_) {
      if (is_known) keep(std::exchange(tree, {}));
      tree.root = event.root;
      tree.from = event.at;
      ++begun_;
    }
    roots_max_ = std::max(roots_max_, ++roots_);
  }
  ++tree.allocations;
  tree.queues_max = std::max(tree.queues_max, ++tree.queues);
  tree.hops_max = std::max(tree.hops_max, event.hops);
}

void SetAsideTrees::keep(Tree tree) {
  ended_.push_back(std::move(tree));
  if (ended_.size() < 2 * most_ + 16) return;
  const auto middle = ended_.begin() + static_cast<std::ptrdiff_t>(most_);
  std::nth_element(ended_.begin(), middle, ended_.end(), [](const Tree& a, const Tree& b) {
    return a.queues_max != b.queues_max ? a.queues_max > b.queues_max : a.from < b.from;
  });
  ended_.resize(most_);
}

std::uint32_t SetAsideTrees::sample(std::vector<SetAsideLine>& lines) {
  const auto key = [](const SetAsideLine& line) {
    return std::tuple(line.root, line.hops, line.side.index, line.side.buffer);
  };
  std::sort(lines.begin(), lines.end(),
            [&](const SetAsideLine& a, const SetAsideLine& b) { return key(a) < key(b); });
  std::uint32_t hops = 0;
  for (std::size_t first = 0; first < lines.size();) {
    std::size_t last = first;
    std::int64_t bytes = 0;
    for (; last < lines.size() && lines[last].root == lines[first].root; ++last) {
      bytes += lines[last].bytes;
    }
    hops = std::max(hops, lines[last - 1].hops);
    if (const std::uint32_t place = latest(lines[first].root); place != kNone) {
      Tree& tree = current_[place];
      tree.bytes_max = std::max(tree.bytes_max, bytes);
      if (last - first > tree.branches.size()) {
        tree.branches.clear();
        for (std::size_t i = first; i < last; ++i) {
          tree.branches.push_back({lines[i].side, lines[i].hops, lines[i].is_leaf});
        }
      }
    }
    first = last;
  }
  return hops;
}

SetAsideTree SetAsideTrees::record(const Tree& tree) const {
  SetAsideTree out;
  out.root = graph_.name(tree.root);
  out.from = tree.from;
  out.until = tree.until;
  out.allocations = tree.allocations;
  out.queues_max = tree.queues_max;
  out.hops_max = tree.hops_max;
  out.bytes_max = tree.bytes_max;
  for (const Branch& branch : tree.branches) {
    out.sides.push_back(side_name(graph_, branch.side));
    out.hops.push_back(static_cast<int>(branch.hops));
    if (branch.is_leaf) out.leaves.push_back(out.sides.back());
  }
  return out;
}

void SetAsideTrees::report(RunResult& result, Time end) {
  std::vector<Tree> all = std::move(ended_);
  for (Tree& tree : current_) {
    if (tree.queues > 0) tree.until = end;
    all.push_back(std::move(tree));
  }
  if (all.size() > most_) {
    std::stable_sort(all.begin(), all.end(),
                     [](const Tree& a, const Tree& b) { return a.queues_max > b.queues_max; });
    all.resize(most_);
  }
  if (begun_ > most_ && most_ > 0) {
    result.notes.push_back("only the " + std::to_string(most_) + " largest of " +
                           std::to_string(begun_) +
                           " trees of set-aside queues are kept in the results");
  }
  std::sort(all.begin(), all.end(), [](const Tree& a, const Tree& b) {
    return a.from != b.from ? a.from < b.from : a.root < b.root;
  });
  for (const Tree& tree : all) result.set_aside_trees.push_back(record(tree));
}

}  // namespace weir::metrics
