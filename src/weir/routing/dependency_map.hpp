#pragma once

#include <cstdint>
#include <vector>

#include "weir/routing/trace.hpp"

namespace weir::routing {

/// Which channel waits for which, as one bit per input channel and output channel of each switch.
/// Memory: sum over switches of (ports * lanes)^2 bits.
class DependencyMap {
 public:
  DependencyMap(const topology::Graph& graph, int lanes);

  /// Index of a channel: port * lanes + lane.
  [[nodiscard]] std::size_t index(const Channel& c) const {
    return c.port.index() * lanes_ + c.lane;
  }
  [[nodiscard]] Channel channel(std::size_t index) const {
    return {PortId(index / lanes_), static_cast<std::uint8_t>(index % lanes_)};
  }
  [[nodiscard]] std::size_t channel_count() const { return graph_.port_count() * lanes_; }

  /// A packet in the buffer behind `held` may ask switch `at` for `wanted`. O(1).
  void add(const RouteQuery& held, const Candidate& wanted) {
    const std::size_t bit = std::size_t{wanted.port} * lanes_ + wanted.lane;
    rows_[row(held.in_port, held.lane) + bit / 64] |= std::uint64_t{1} << (bit % 64);
  }

  /// Output channels at the switch behind `c` that packets on `c` wait for, called with their
  /// indices in ascending order.
  template <class Visit>
  void for_each_wanted(std::size_t c, Visit visit) const {
    const Channel held = channel(c);
    const PortId in = graph_.port(held.port).to;
    const NodeId node = graph_.port(in).node;
    const std::size_t begin = row(in, held.lane);
    const std::size_t first = graph_.first_port(node).index() * lanes_;
    for (std::size_t word = 0; word < words_[graph_.switch_of(node).index()]; ++word) {
      for (std::uint64_t bits = rows_[begin + word]; bits != 0; bits &= bits - 1) {
        visit(first + word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits)));
      }
    }
  }

  /// True for cabled channels that end at a switch: they have a row.
  [[nodiscard]] bool leads_to_switch(std::size_t c) const;
  /// True for cabled channels from a switch to a switch.
  [[nodiscard]] bool is_internal(std::size_t c) const;

 private:
  [[nodiscard]] std::size_t row(PortId in, std::uint8_t lane) const {
    return first_row_[in.index()] + lane * words_of_port(in);
  }
  [[nodiscard]] std::size_t words_of_port(PortId in) const {
    return words_[graph_.switch_of(graph_.port(in).node).index()];
  }

  const topology::Graph& graph_;
  std::size_t lanes_;
  std::vector<std::size_t> first_row_;  ///< per port, of lane 0, in 64-bit words
  std::vector<std::size_t> words_;      ///< per switch: words of one row
  std::vector<std::uint64_t> rows_;
};

/// A cycle of the map, in order, or empty. The shortest one through its first channel.
std::vector<Channel> find_cycle(const DependencyMap& map);

}  // namespace weir::routing
