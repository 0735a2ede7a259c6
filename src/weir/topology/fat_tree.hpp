#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "weir/topology/topology.hpp"

namespace weir::topology {

/// Parameters of a parallel-ports generalized fat tree PGFT(h; m_1..m_h; w_1..w_h; p_1..p_h):
/// a stage-l switch has m_l children and w_{l+1} parents, each joined by p_l (p_{l+1}) parallel
/// links. XGFT: all p = 1. k-ary n-tree: m = k..k, w = 1,k..k. Real-life fat tree with K = P/2: m =
/// K..K,2K, w = 1,K..K. Hosts have one port, so w_1 = p_1 = 1.
struct FatTreeParameters {
  std::vector<int> children;  ///< m_1..m_h
  std::vector<int> parents;   ///< w_1..w_h
  std::vector<int> parallel;  ///< p_1..p_h
};

/// Digits of a fat tree, for routing. Stages count from 1 (leaf switches) to `stages`.
/// Host d lies below a stage-s switch exactly when d / hosts_below[s] equals the switch's subtree.
class FatTreeShape : public Shape {
 public:
  int stages = 0;
  FatTreeParameters parameters;
  std::vector<std::uint32_t>
      hosts_below;  ///< [s]: m_1*..*m_s, hosts below a stage-s switch; [0] = 1
  std::vector<std::uint32_t>
      switch_subtree;  ///< per switch: index of its subtree among those of its stage
  std::vector<std::uint32_t> switch_copy;  ///< per switch: which of the switches of that subtree
  std::vector<std::uint8_t> switch_stage;  ///< per switch, 1-based
  std::vector<std::uint16_t> down_ports;   ///< [s]: m_s * p_s; local ports 0..down-1 face down
  std::vector<std::uint16_t>
      up_ports;  ///< [s]: w_{s+1} * p_{s+1}; ports down.. face up; 0 at the top
  std::vector<std::uint32_t>
      first_switch;  ///< [s]: id of the first switch of stage s; [stages+1]: their number
  std::vector<std::uint32_t> copies;  ///< [s]: w_1*..*w_s, switches that share one subtree

  /// Id of the switch of `stage` that has this subtree and copy index.
  [[nodiscard]] SwitchId at(int stage, std::uint32_t subtree, std::uint32_t copy) const {
    const auto s = static_cast<std::size_t>(stage);
    return SwitchId(first_switch[s] + subtree * copies[s] + copy);
  }
};

/// Sizes and labels of a PGFT without its cables. Switches are ordered by stage, then subtree, then
/// copy. The copy index has one digit per climb, the last climb least significant: parent u of copy
/// c at stage s is copy c * w_{s+1} + u at stage s+1. Throws InputError for sizes below 1, hosts
/// with more than one port, above 256 ports a switch or above 2^24 hosts.
FatTreeShape fat_tree_shape(const FatTreeParameters& parameters);

/// Adds the hosts, switches and cables of a PGFT. `links[s-1]` joins stage s-1 and s (hosts are
/// stage 0). `extra_ports[s-1]`, if given, are added to every stage-s switch after its up ports and
/// left uncabled.
void add_fat_tree(GraphBuilder& builder, const FatTreeShape& shape, std::span<const LinkSpec> links,
                  std::span<const std::size_t> extra_ports = {});

/// Builds a PGFT. Down port c*p + j of a stage-s switch leads to child c over parallel link j
/// (children ordered by host numbers); up port u*p + j to parent u over parallel link j.
/// Hosts are numbered left to right. Throws InputError for sizes below 1 or above 256 ports.
Graph make_fat_tree(const std::string& family, const FatTreeParameters& parameters,
                    const LinkSpec& link);

/// The same with one LinkSpec a stage: `links[s-1]` for the cables between stages s-1 and s.
Graph make_fat_tree(const std::string& family, const FatTreeParameters& parameters,
                    std::span<const LinkSpec> links);

/// k-ary n-tree: k^n hosts below n stages of k^(n-1) switches.
FatTreeParameters k_ary_n_tree_parameters(int k, int n);

/// Real-life fat tree of P-port switches, K = P/2: 2 K^n hosts. `ports` must be even.
FatTreeParameters rlft_parameters(int ports, int stages);

}  // namespace weir::topology
