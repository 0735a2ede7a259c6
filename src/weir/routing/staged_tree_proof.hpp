#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weir/routing/staged_tree.hpp"

namespace weir::routing {

/// That a StagedTree is sound on a graph, from its tables alone, in the time it takes to look at
/// every port and at every host and stage:
/// * Up ports lead to the next stage; where a switch has none, it is above all hosts.
/// * From every switch that is above a host, all cables to the host's child lead to the stage below
///   and to a switch that is above it, too, or to the host.
///
/// So packets go up until they are above their destination, then down, and arrive. What goes up
/// waits only for what is further up, or for what goes down, which waits for what is further down.
class StagedTreeProof {
 public:
  using Stages = std::span<const StagedTree::Stage>;
  using Places = std::span<const StagedTree::Place>;
  using HostDigits = std::span<const StagedTree::Digits>;

  StagedTreeProof(const topology::Graph& graph, Stages stages, Places places, HostDigits digits)
      : graph_(graph), stages_(stages), places_(places), digits_(digits) {}

  [[nodiscard]] bool holds();

 private:
  static constexpr std::uint32_t kNowhere = UINT32_MAX;
  static constexpr std::size_t kMostPorts = 256;

  [[nodiscard]] bool do_sizes_fit() const;
  [[nodiscard]] bool goes_up(std::size_t s) const;
  void find_ways_down();
  /// Where a down port of switch `s` leads: a subtree of the stage below or, from the lowest, a
  /// host.
  [[nodiscard]] std::uint32_t behind(std::size_t s, std::size_t port) const;
  [[nodiscard]] std::uint32_t& way_down(std::uint32_t stage, std::uint32_t subtree,
                                        std::size_t port) {
    return ways_down_[stage][subtree * kMostPorts + port];
  }
  /// From all switches of a stage that are above the host.
  [[nodiscard]] bool goes_down(std::uint32_t host, std::uint32_t stage);

  const topology::Graph& graph_;
  Stages stages_;
  Places places_;
  HostDigits digits_;
  std::vector<std::uint32_t> subtrees_;  ///< per stage: how many
  /// Per stage, subtree and port: where it leads, of all switches there; kNowhere: they differ.
  std::vector<std::vector<std::uint32_t>> ways_down_;
};

}  // namespace weir::routing
