#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/base/config.hpp"
#include "weir/experiment/combinations/dimension.hpp"

namespace weir::experiment {

/// Whether two parts work together, or one by itself.
struct Combination {
  ConfigTable experiment;  ///< the one that works; else the first that was tried
  /// What the check of a run says: "key: message". Nothing: they work.
  std::optional<std::string> refusal;
};

/// Puts parts into the small experiment and makes the checks that a run makes before its first
/// event.
Combination check_combination(const std::vector<const Part*>& parts);

/// The parts of one dimension with those of another.
struct CombinationMatrix {
  const Dimension* rows = nullptr;
  const Dimension* columns = nullptr;
  std::vector<std::vector<Combination>> cells;

  [[nodiscard]] int size() const;
  [[nodiscard]] int working() const;
};

/// Rows and columns: the pairs of dimensions that can stand beside each other, in their order; the
/// longer one of a pair is down. Live no longer than `all`.
std::vector<std::pair<const Dimension*, const Dimension*>> pairs_of(
    const std::vector<Dimension>& all);

CombinationMatrix check_pair(const Dimension& rows, const Dimension& columns);

}  // namespace weir::experiment
