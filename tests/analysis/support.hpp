#pragma once

#include <cstddef>

#include "weir/analysis/ge_distribution.hpp"
#include "weir/analysis/level_queue.hpp"
#include "weir/analysis/markov_chain.hpp"

namespace weir::analysis {

/// Half of the last printed digit of a reference value, and what is lost reading it.
inline constexpr double kPrinted = 0.5e-6 + 1e-9;

/// The chain of a LevelQueue transition by transition, which the closed forms know nothing of.
/// Source: yan2012, section 5.2, table of the full generator.
inline MarkovChain generator(const LevelQueue& queue) {
  const double s = 2 / (queue.arrival_scv + 1);
  const double r = 2 / (queue.service_scv + 1);
  const auto full = static_cast<std::size_t>(queue.levels.back().last);
  const double first = r / (r * (1 - s) + s);
  const auto rate = [&queue](std::size_t n) {
    for (const Level& level : queue.levels) {
      if (static_cast<std::int64_t>(n) <= level.last) return level.rate;
    }
    return 0.0;
  };
  MarkovChain chain(full + 1);
  double left = s * queue.arrival_rate * first;  // of batches that do not end before k
  for (std::size_t k = 1; k < full; ++k, left *= 1 - s) chain.add(0, k, left * s);
  chain.add(0, full, left);
  for (std::size_t n = 1; n <= full; ++n) {
    left = s * queue.arrival_rate;
    for (std::size_t k = 1; n + k < full; ++k, left *= 1 - s) chain.add(n, n + k, left * s);
    if (n < full) chain.add(n, full, left);
    double down = r * rate(n);
    for (std::size_t d = 1; d < n; ++d, down *= 1 - r) chain.add(n, n - d, down * r);
    chain.add(n, 0, down);
  }
  return chain;
}

}  // namespace weir::analysis
