#pragma once

#include <cstddef>
#include <functional>

#include "weir/base/catalog.hpp"
#include "weir/workload/schedule.hpp"

namespace weir::workload {

/// Ranks that a schedule is asked for: as the user says, or else one for each host.
struct RankCount {
  std::size_t ranks = 0;
  bool is_given = false;
};

/// Makes the schedule of a parallel program. Throws InputError.
using WorkloadFactory = std::function<Schedule(const Settings&, const RankCount&)>;
using WorkloadRegistration = Registration<WorkloadFactory>;

Registry<WorkloadFactory>& workload_registry();

}  // namespace weir::workload
