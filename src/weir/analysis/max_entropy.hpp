#pragma once

#include <cstdint>
#include <vector>

namespace weir::analysis {

/// What is known of the states 0 .. capacity: the distribution of the largest entropy is sought.
struct EntropyConstraints {
  std::int64_t capacity = 0;
  /// Last state of each level below the top one, and P(level k) of all of them, the top with the
  /// full state.
  std::vector<std::int64_t> thresholds;
  std::vector<double> level_mass;
  double full_probability = 0;
  double mean_length = 0;
};

/// P(n) = P(0) g_k x^n for n in level k, with y besides at n = capacity.
struct EntropySolution {
  double x = 0;
  std::vector<double> g;
  double y = 0;
  double entropy = 0;  ///< - sum P ln P
  std::vector<double> distribution;
};

/// Solves for the one x that all levels share, by bisection. Throws InputError when no
/// distribution meets the constraints.
/// Source: yan2012, section 2.4.2 (equations 2.3 to 2.5, 5.1 to 5.7).
[[nodiscard]] EntropySolution maximize_entropy(const EntropyConstraints& constraints);

/// - sum P ln P.
[[nodiscard]] double entropy(const std::vector<double>& distribution);

}  // namespace weir::analysis
