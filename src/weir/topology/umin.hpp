#pragma once

#include <cstdint>
#include <vector>

#include "weir/topology/topology.hpp"

namespace weir::topology {

/// A unidirectional MIN (butterfly): N = k^n hosts send into stage 0 and receive from stage n-1; n
/// stages of N/k switches with k input and k output channels. Port i of a switch is input channel i
/// and output channel i, with different peers. Switch i of stage j has id j*N/k + i and owns
/// positions i*k..i*k+k-1. Between stages j and j+1 digit 0 and digit j+1 of the position change
/// places. Source: Ferrer 2012, chapter 7.
class UminShape : public Shape {
 public:
  std::uint32_t k = 0;               ///< arity
  std::uint32_t n = 0;               ///< stages
  std::uint32_t hosts = 0;           ///< N = k^n
  std::uint32_t per_stage = 0;       ///< N / k
  std::vector<std::uint32_t> power;  ///< [i]: k^i, i = 0..n

  [[nodiscard]] std::uint32_t stage(SwitchId s) const { return s.value / per_stage; }
  [[nodiscard]] std::uint32_t digit(std::uint32_t number, std::uint32_t i) const {
    return number / power[i] % k;
  }
  /// Position with digits 0 and i exchanged.
  [[nodiscard]] std::uint32_t exchange(std::uint32_t position, std::uint32_t i) const {
    const std::uint32_t low = digit(position, 0);
    const std::uint32_t high = digit(position, i);
    return position - low - high * power[i] + high + low * power[i];
  }
};

/// Throws InputError when there would be too many hosts.
Graph make_umin(int k, int stages, std::span<const LinkSpec> links);

}  // namespace weir::topology
