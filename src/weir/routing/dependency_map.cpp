#include "weir/routing/dependency_map.hpp"

#include <algorithm>

namespace weir::routing {

using topology::Graph;

DependencyMap::DependencyMap(const Graph& graph, int lanes)
    : graph_(graph), lanes_(static_cast<std::size_t>(lanes)), first_row_(graph.port_count()) {
  std::size_t next = 0;
  for (std::size_t s = 0; s < graph.switch_count(); ++s) {
    const NodeId node = graph.node(SwitchId(s));
    words_.push_back((graph.degree(node) * lanes_ + 63) / 64);
    for (std::size_t port = 0; port < graph.degree(node); ++port) {
      first_row_[graph.port(node, port).index()] = next;
      next += lanes_ * words_.back();
    }
  }
  rows_.assign(next, 0);
}

bool DependencyMap::leads_to_switch(std::size_t c) const {
  const PortId to = graph_.port(channel(c).port).to;
  return to.valid() && !graph_.is_host(graph_.port(to).node);
}

bool DependencyMap::is_internal(std::size_t c) const {
  return leads_to_switch(c) && !graph_.is_host(graph_.port(channel(c).port).node);
}

namespace {

enum class Color : std::uint8_t { unseen, open, done };

/// Depth-first search with its own stack; a channel met again while open lies on a cycle.
class CycleSearch {
 public:
  explicit CycleSearch(const DependencyMap& map)
      : map_(map), color_(map.channel_count(), Color::unseen) {}

  /// A channel on some cycle, or channel_count() when there is none.
  std::size_t channel_on_cycle() {
    for (std::size_t c = 0; c < color_.size(); ++c) {
      if (color_[c] != Color::unseen || !map_.is_internal(c)) continue;
      const std::size_t found = search(c);
      if (found != color_.size()) return found;
    }
    return color_.size();
  }

 private:
  void open(std::size_t c) {
    color_[c] = Color::open;
    stack_.push_back(c);
    map_.for_each_wanted(c, [&](std::size_t next) {
      if (map_.is_internal(next)) stack_.push_back(next);
    });
  }

  std::size_t search(std::size_t root) {
    stack_.push_back(root);
    // An open channel lies below those it wants; it is done when it comes to the top again.
    while (!stack_.empty()) {
      const std::size_t c = stack_.back();
      if (color_[c] == Color::unseen) {
        stack_.pop_back();
        open(c);
        if (wants_open(c)) return c;
      } else {
        stack_.pop_back();
        color_[c] = Color::done;
      }
    }
    return color_.size();
  }

  bool wants_open(std::size_t c) const {
    bool found = false;
    map_.for_each_wanted(c,
                         [&](std::size_t next) { found = found || color_[next] == Color::open; });
    return found;
  }

  const DependencyMap& map_;
  std::vector<Color> color_;
  std::vector<std::size_t> stack_;
};

}  // namespace

std::vector<Channel> find_cycle(const DependencyMap& map) {
  const std::size_t start = CycleSearch(map).channel_on_cycle();
  if (start == map.channel_count()) return {};
  // Breadth first from `start` back to itself.
  constexpr std::size_t kUnseen = SIZE_MAX;
  std::vector<std::size_t> before(map.channel_count(), kUnseen);
  std::vector<std::size_t> queue{start};
  for (std::size_t i = 0; i < queue.size() && before[start] == kUnseen; ++i) {
    map.for_each_wanted(queue[i], [&](std::size_t next) {
      if (before[next] != kUnseen || !map.is_internal(next)) return;
      before[next] = queue[i];
      queue.push_back(next);
    });
  }
  std::vector<Channel> cycle{map.channel(start)};
  for (std::size_t c = before[start]; c != start; c = before[c]) cycle.push_back(map.channel(c));
  std::reverse(cycle.begin() + 1, cycle.end());
  return cycle;
}

}  // namespace weir::routing
