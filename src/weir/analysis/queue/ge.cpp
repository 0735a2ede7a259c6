#include "weir/analysis/ge_queue.hpp"
#include "weir/analysis/level_simulation.hpp"
#include "weir/analysis/queue/parameters.hpp"

namespace weir::analysis {
namespace {

class GeModel final : public QueueModel {
 public:
  explicit GeModel(const GeQueue& queue) : queue_(queue) { queue_.check(); }

  [[nodiscard]] std::vector<Measure> solve() const override { return measures_of(queue_.solve()); }
  [[nodiscard]] std::vector<double> distribution() const override {
    return queue_.solve().distribution;
  }
  [[nodiscard]] std::optional<std::vector<SimulatedMeasure>> simulate(
      const SimulationPlan& plan) const override {
    // Without bound: more packets than any of these runs sees.
    const std::int64_t capacity = queue_.capacity.value_or(LevelQueue::kMostStates);
    const LevelQueue queue{queue_.arrival_rate,
                           queue_.arrival_scv,
                           queue_.service_scv,
                           {{queue_.service_rate, capacity}}};
    return analysis::simulate(queue, plan);
  }

 private:
  GeQueue queue_;
};

const Registration<QueueModelFactory> kGe(
    queue_registry(),
    {"ge", "GE/GE/1/N: bursty arrivals and services, one server, room for N packets",
     "kouvatsos1988gg1; yan2012, section 2.4"},
    Keys<GeQueue>{arrival_rate_key<GeQueue>(), arrival_scv_key<GeQueue>(),
                  service_rate_key<GeQueue>(), service_scv_key<GeQueue>(),
                  key(&GeQueue::capacity, "capacity",
                      "packets in the system, the one in service included (default: no bound)"),
                  boundary_key<GeQueue>()},
    [](const Checked<GeQueue>& queue) { return std::make_unique<GeModel>(*queue); });

}  // namespace
}  // namespace weir::analysis
