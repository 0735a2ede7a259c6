#include "weir/queueing/threshold_queue.hpp"

#include <fmt/format.h>

#include "weir/base/error.hpp"

namespace weir::queueing {

LevelQueue EntryThresholdQueue::levels() const {
  return ArrivalJobThresholdQueue{arrival_rate, arrival_scv, service_scv, {own_rate, borrowed_rate},
                                  capacity,     {threshold}, mode}
      .levels();
}

LevelQueue ArrivalJobThresholdQueue::levels() const {
  if (rates.empty() || thresholds.size() + 1 != rates.size()) {
    throw InputError(
        fmt::format("thresholds: {} of them do not fit {} service rates: there is one between two "
                    "levels",
                    thresholds.size(), rates.size()));
  }
  if (capacity < 1 || capacity > LevelQueue::kMostStates) {
    throw InputError(fmt::format("capacity: must be 1 to {} packets, not {}",
                                 LevelQueue::kMostStates, capacity));
  }
  const std::int64_t least = mode == ThresholdMode::above ? 0 : 1;
  LevelQueue queue{arrival_rate, arrival_scv, service_scv, {}};
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < thresholds.size(); ++k) {
    if (thresholds[k] < least || thresholds[k] > capacity) {
      throw InputError(fmt::format("threshold: must be {} to {}, the capacity of one lane, not {}",
                                   least, capacity, thresholds[k]));
    }
    sum += thresholds[k];
    queue.levels.push_back({rates[k], sum - least});
  }
  queue.levels.push_back({rates.back(), static_cast<std::int64_t>(rates.size()) * capacity});
  queue.check();
  return queue;
}

}  // namespace weir::queueing
