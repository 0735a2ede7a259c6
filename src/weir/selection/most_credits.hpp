#pragma once

#include <cstdint>
#include <span>

#include "weir/fabric/hooks/selection.hpp"

namespace weir::selection {

/// The output for which credits(output) is largest; ties at random, each with equal probability
/// (one pass: the n-th of equally good outputs replaces the choice with probability 1/n). `among`
/// is not empty.
template <class Credits>
routing::Candidate most_credits(std::span<const routing::Candidate> among, RandomStream& random,
                                Credits credits) {
  routing::Candidate best = among[0];
  if (among.size() == 1) return best;
  std::int64_t most = credits(best);
  std::uint64_t ties = 1;
  for (const routing::Candidate& candidate : among.subspan(1)) {
    const std::int64_t here = credits(candidate);
    if (here < most) continue;
    if (here > most) {
      most = here;
      ties = 1;
      best = candidate;
    } else if (random.below(++ties) == 0) {
      best = candidate;
    }
  }
  return best;
}

}  // namespace weir::selection
