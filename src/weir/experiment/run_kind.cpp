#include "weir/experiment/run_kind.hpp"

namespace weir::experiment {

Registry<RunKind>& run_kind_registry() {
  static Registry<RunKind> registry("experiment");
  return registry;
}

double seconds_since(RunKind::Clock::time_point start) {
  return std::chrono::duration<double>(RunKind::Clock::now() - start).count();
}

}  // namespace weir::experiment
