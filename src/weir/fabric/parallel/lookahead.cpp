#include "weir/fabric/parallel/lookahead.hpp"

#include <algorithm>

namespace weir::fabric {

Lookahead::Lookahead(const topology::Graph& graph, const Territories& territories,
                     std::int64_t everywhere, std::int64_t slack)
    : parts_(territories.parts), out_of_(parts_, parts_ > 1 ? everywhere : kNever) {
  if (parts_ <= kFewParts) {
    ways_.assign(parts_ * parts_, everywhere);
    for (std::size_t part = 0; part < parts_; ++part) ways_[part * parts_ + part] = kNever;
  }
  const auto shorten = [](std::int64_t& way, std::int64_t by) { way = std::min(way, by); };
  for (std::size_t port = 0; port < graph.port_count(); ++port) {
    const topology::Port& one = graph.port(PortId(port));
    if (!one.to.valid()) continue;
    const std::size_t from = territories.of_port[port];
    const std::size_t to = territories.of_port[one.to.index()];
    if (from == to) continue;
    // Credits go the other way in as much time. A host's cable has no slack: see Slack::of().
    const bool is_of_host = graph.is_host(one.node) || graph.is_host(graph.port(one.to).node);
    const std::int64_t delay = one.link.delay.count + (is_of_host ? 0 : slack);
    shorten(out_of_[from], delay);
    shorten(out_of_[to], delay);
    if (!knows_ways()) continue;
    shorten(ways_[to * parts_ + from], delay);
    shorten(ways_[from * parts_ + to], delay);
  }
  // Floyd and Warshall, with the way back to where it began.
  for (std::size_t over = 0; over < parts_ && knows_ways(); ++over) {
    for (std::size_t to = 0; to < parts_; ++to) {
      const std::int64_t rest = ways_[to * parts_ + over];
      if (rest == kNever) continue;
      for (std::size_t from = 0; from < parts_; ++from)
        shorten(ways_[to * parts_ + from], later(ways_[over * parts_ + from], rest));
    }
  }
  for (const std::int64_t out : out_of_) {
    if (out != kNever) longest_ = longest_ == kNever ? out : std::max(longest_, out);
  }
}

}  // namespace weir::fabric
