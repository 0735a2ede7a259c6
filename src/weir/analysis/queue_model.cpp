#include "weir/analysis/queue_model.hpp"

namespace weir::analysis {

Registry<QueueModelFactory>& queue_registry() {
  static Registry<QueueModelFactory> registry("queue");
  return registry;
}

std::vector<Measure> measures_of(const QueueMeasures& queue) {
  std::vector<Measure> out{{"queue_length", "", queue.mean_length},
                           {"blocking_probability", "", queue.blocking},
                           {"queue_throughput", "", queue.throughput},
                           {"response_time", "", queue.response_time},
                           {"busy_probability", "", queue.busy_probability},
                           {"offered_load", "", queue.offered_load},
                           {"carried_load", "", queue.carried_load}};
  if (queue.level_mass.size() < 2) return out;
  for (std::size_t k = 0; k < queue.level_mass.size(); ++k) {
    out.push_back({"level_probability", std::to_string(k + 1), queue.level_mass[k]});
  }
  return out;
}

}  // namespace weir::analysis
