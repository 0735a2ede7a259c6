#pragma once

#include <string>

namespace weir::experiment {

/// Where runs keep their state now and then, to go on from there when they have been ended in any
/// way.
struct CheckpointPlan {
  std::string folder;    ///< a file for each run; empty: they keep none
  double seconds = 600;  ///< between two of them

  [[nodiscard]] bool is_on() const { return !folder.empty(); }
};

}  // namespace weir::experiment
