#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/fabric/links.hpp"
#include "weir/fabric/parallel/territories.hpp"
#include "weir/topology/graph.hpp"

namespace weir::fabric {

/// A time and a span after it, neither of them negative; kNever: one of them is.
[[nodiscard]] constexpr std::int64_t later(std::int64_t at, std::int64_t by) {
  return at > kNever - by ? kNever : at + by;
}

/// How soon what happens in one part of a network can act in another one: as soon as the cables
/// between them let it, and `slack` later (Slack) between switches, over other parts where that is
/// shorter.
class Lookahead {
 public:
  /// The ways between all parts are kept up to as many parts as this; of more only the shortest way
  /// out of each.
  static constexpr std::size_t kFewParts = 256;

  /// `everywhere`: every part may act on every other one after so long, too, whatever joins them;
  /// kNever: only over cables.
  Lookahead(const topology::Graph& graph, const Territories& territories, std::int64_t everywhere,
            std::int64_t slack = 0);

  [[nodiscard]] bool knows_ways() const { return !ways_.empty(); }
  /// What happens in `from` acts in `to` so much later or still later, kNever: never; of a part and
  /// itself, by way of others. Where the ways are known.
  [[nodiscard]] std::int64_t between(std::size_t from, std::size_t to) const {
    return ways_[to * parts_ + from];
  }
  /// Of all ways out of a part the shortest.
  [[nodiscard]] std::int64_t out_of(std::size_t part) const { return out_of_[part]; }
  /// Of these ways out the longest; kNever: nothing leaves any part.
  [[nodiscard]] std::int64_t longest() const { return longest_; }

 private:
  std::size_t parts_;
  std::vector<std::int64_t> ways_;  ///< to each part, from all
  std::vector<std::int64_t> out_of_;
  std::int64_t longest_ = kNever;
};

}  // namespace weir::fabric
