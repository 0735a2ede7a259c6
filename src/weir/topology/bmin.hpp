#pragma once

#include <cstdint>

#include "weir/topology/topology.hpp"

namespace weir::topology {

/// A bidirectional MIN with perfect-shuffle wiring: n stages of M = N/k switches, each with k down
/// ports (0..k-1) and k up ports (k..2k-1). Switch i of stage j (0-based) has id j*M + i; host d
/// sits on down port d mod k of first-stage switch d div k; the up ports of the last stage are not
/// cabled. Source: Ferrer 2012, chapter 7, with the wiring of a k-ary perfect shuffle.
class BminShape : public Shape {
 public:
  std::uint32_t k = 0;          ///< arity
  std::uint32_t n = 0;          ///< stages
  std::uint32_t hosts = 0;      ///< N
  std::uint32_t per_stage = 0;  ///< M = N / k, switches of a stage

  [[nodiscard]] std::uint32_t stage(SwitchId s) const { return s.value / per_stage; }
  [[nodiscard]] std::uint32_t index(SwitchId s) const { return s.value % per_stage; }
  [[nodiscard]] SwitchId at(std::uint32_t stage, std::uint32_t index) const {
    return SwitchId(stage * per_stage + index);
  }
  /// The k-ary perfect shuffle of positions 0..N-1 between two stages.
  [[nodiscard]] std::uint32_t shuffle(std::uint32_t position) const {
    return k * (position % per_stage) + position / per_stage;
  }
  /// Switch of stage j-1 below down port c of switch `index` of stage j.
  [[nodiscard]] std::uint32_t below(std::uint32_t index, std::uint32_t c) const {
    return (index + per_stage * c) / k;
  }
};

/// Throws InputError when k does not divide `hosts` or the stages cannot join all hosts.
Graph make_bmin(int k, int stages, int hosts, std::span<const LinkSpec> links);

}  // namespace weir::topology
