#include "weir/queueing/level_simulation.hpp"
#include "weir/queueing/models/parameters.hpp"
#include "weir/queueing/threshold_queue.hpp"

namespace weir::queueing {
namespace {

ThresholdMode mode_of(const Settings& settings) {
  return settings.text("mode") == "above" ? ThresholdMode::above : ThresholdMode::at_or_above;
}

class LevelModel final : public QueueModel {
 public:
  explicit LevelModel(LevelQueue queue) : queue_(std::move(queue)) {}

  [[nodiscard]] std::vector<Measure> solve() const override { return measures_of(queue_.solve()); }
  [[nodiscard]] std::vector<double> distribution() const override {
    return queue_.solve().distribution;
  }
  [[nodiscard]] std::optional<std::vector<SimulatedMeasure>> simulate(
      const SimulationPlan& plan) const override {
    return queueing::simulate(queue_, plan);
  }

 private:
  LevelQueue queue_;
};

const Registration<QueueModelFactory> kEntryThreshold(
    queue_registry(),
    {"entry-threshold",
     "ET: a virtual lane borrows an empty one while it holds more than a threshold",
     "infiniband-queueing 3.7, 4.4",
     {arrival_rate_key(), arrival_scv_key(), service_scv_key(),
      Parameter::of(ParameterType::real, "own_rate", "service rate of one lane").required(),
      Parameter::of(ParameterType::real, "borrowed_rate", "with the borrowed lane").required(),
      capacity_key("of one lane, packets; twice that with the borrowed one"),
      Parameter::of(ParameterType::integer, "threshold", "packets, 0 to the capacity of one lane")
          .required(),
      mode_key()}},
    [](const Settings& s) {
      const EntryThresholdQueue queue{s.real("arrival_rate"),  s.real("arrival_scv"),
                                      s.real("service_scv"),   s.real("own_rate"),
                                      s.real("borrowed_rate"), s.integer("capacity"),
                                      s.integer("threshold"),  mode_of(s)};
      return std::make_unique<LevelModel>(queue.levels());
    });

const Registration<QueueModelFactory> kArrivalJobThreshold(
    queue_registry(),
    {"arrival-job-threshold",
     "AJT: one more shared lane each time the newest one holds more than its threshold",
     "infiniband-queueing 3.8, 4.5",
     {arrival_rate_key(), arrival_scv_key(), service_scv_key(),
      Parameter::of(ParameterType::reals, "rates", "service rate with 1, 2, ... lanes").required(),
      capacity_key("of one lane, packets; k times that with k lanes"),
      Parameter::of(ParameterType::integers, "thresholds",
                    "of lane 1, 2, ...: packets in that lane, one fewer than rates")
          .required(),
      mode_key()}},
    [](const Settings& s) {
      const ArrivalJobThresholdQueue queue{s.real("arrival_rate"),
                                           s.real("arrival_scv"),
                                           s.real("service_scv"),
                                           s.reals("rates"),
                                           s.integer("capacity"),
                                           s.integers("thresholds"),
                                           mode_of(s)};
      return std::make_unique<LevelModel>(queue.levels());
    });

}  // namespace
}  // namespace weir::queueing
