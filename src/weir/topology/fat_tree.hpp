#pragma once

#include <vector>

#include "weir/topology/topology.hpp"

namespace weir::topology {

/// Parameters of a parallel-ports generalized fat tree PGFT(h; m_1..m_h; w_1..w_h; p_1..p_h):
/// a stage-l switch has m_l children and w_{l+1} parents, each joined by p_l (p_{l+1}) parallel links.
/// XGFT: all p = 1. k-ary n-tree: m = k..k, w = 1,k..k. Real-life fat tree with K = P/2:
/// m = K..K,2K, w = 1,K..K.
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
  std::vector<std::uint32_t> hosts_below;    ///< [s]: m_1*..*m_s, hosts below a stage-s switch; [0] = 1
  std::vector<std::uint32_t> switch_subtree; ///< per switch: index of its subtree among those of its stage
  std::vector<std::uint8_t> switch_stage;    ///< per switch, 1-based
  std::vector<std::uint16_t> down_ports;     ///< [s]: m_s * p_s; local ports 0..down-1 face down
  std::vector<std::uint16_t> up_ports;       ///< [s]: w_{s+1} * p_{s+1}; ports down.. face up; 0 at the top
};

/// Builds a PGFT. Down port c*p + j of a stage-s switch leads to child c over parallel link j
/// (children ordered by host numbers); up port u*p + j to parent u over parallel link j.
/// Hosts are numbered left to right. Throws InputError for sizes below 1 or above 256 ports.
Graph make_fat_tree(const std::string& family, const FatTreeParameters& parameters,
                    const LinkSpec& link);

}  // namespace weir::topology
