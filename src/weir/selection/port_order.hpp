#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "weir/fabric/hooks/selection.hpp"

namespace weir::selection {

/// Routing functions list the default route first. Here outputs are numbered by their ports.
inline bool is_before(const routing::Candidate& a, const routing::Candidate& b) {
  return a.port != b.port ? a.port < b.port : a.lane < b.lane;
}

/// Number `number` of at most 256 outputs in the order of their ports.
inline routing::Candidate by_port(std::span<const routing::Candidate> outputs, std::size_t number) {
  std::array<routing::Candidate, 256> sorted;
  const auto end = std::copy(outputs.begin(), outputs.end(), sorted.begin());
  const auto wanted = sorted.begin() + static_cast<std::ptrdiff_t>(number);
  std::nth_element(sorted.begin(), wanted, end, is_before);
  return *wanted;
}

/// The first output behind a port, going round.
inline routing::Candidate behind_port(std::span<const routing::Candidate> outputs,
                                      std::uint32_t port) {
  const auto distance = [port](const routing::Candidate& output) {
    return static_cast<std::uint16_t>(output.port - port - 1);
  };
  return *std::min_element(outputs.begin(), outputs.end(),
                           [&](const routing::Candidate& a, const routing::Candidate& b) {
                             return distance(a) < distance(b);
                           });
}

}  // namespace weir::selection
