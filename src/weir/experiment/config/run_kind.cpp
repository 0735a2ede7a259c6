#include "weir/experiment/config/run_kind.hpp"

#include <ctime>

namespace weir::experiment {

Registry<RunKind>& run_kind_registry() {
  static Registry<RunKind> registry("experiment");
  return registry;
}

double cpu_seconds() {
  timespec used{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used) != 0) return 0;
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

double seconds_since(RunKind::Clock::time_point start) {
  return std::chrono::duration<double>(RunKind::Clock::now() - start).count();
}

}  // namespace weir::experiment
