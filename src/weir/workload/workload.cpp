#include "weir/workload/workload.hpp"

namespace weir::workload {

Registry<WorkloadFactory>& workload_registry() {
  static Registry<WorkloadFactory> registry("workload");
  return registry;
}

}  // namespace weir::workload
