#include "weir/analysis/threshold_queue.hpp"

#include <fmt/format.h>

#include "weir/analysis/ge_distribution.hpp"
#include "weir/base/error.hpp"

namespace weir::analysis {

namespace {

/// `key` names the thresholds in errors.
LevelQueue with_lanes(const ArrivalJobThresholdQueue& queue, const char* key) {
  if (queue.capacity < 1 || queue.capacity > LevelQueue::kMostStates) {
    throw InputError("capacity", fmt::format("must be 1 to {} packets, not {}",
                                             LevelQueue::kMostStates, queue.capacity));
  }
  const std::int64_t least = queue.mode == ThresholdMode::above ? 0 : 1;
  LevelQueue out{queue.arrival_rate, queue.arrival_scv, queue.service_scv, {}};
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < queue.thresholds.size(); ++k) {
    const std::int64_t threshold = queue.thresholds[k];
    if (threshold < least || threshold > queue.capacity) {
      throw InputError(key, fmt::format("must be {} to {}, the capacity of one lane, not {}", least,
                                        queue.capacity, threshold));
    }
    sum += threshold;
    out.levels.push_back({queue.rates[k], sum - least});
  }
  out.levels.push_back(
      {queue.rates.back(), static_cast<std::int64_t>(queue.rates.size()) * queue.capacity});
  out.check();
  return out;
}

}  // namespace

LevelQueue EntryThresholdQueue::levels() const {
  check_rate(own_rate, "own_rate");
  check_rate(borrowed_rate, "borrowed_rate");
  return with_lanes({arrival_rate,
                     arrival_scv,
                     service_scv,
                     {own_rate, borrowed_rate},
                     capacity,
                     {threshold},
                     mode,
                     boundary},
                    "threshold");
}

LevelQueue ArrivalJobThresholdQueue::levels() const {
  if (rates.empty() || thresholds.size() + 1 != rates.size()) {
    throw InputError("thresholds",
                     fmt::format("{} of them do not fit {} rates: there is one between two levels",
                                 thresholds.size(), rates.size()));
  }
  for (const double rate : rates) check_rate(rate, "rates");
  return with_lanes(*this, "thresholds");
}

}  // namespace weir::analysis
