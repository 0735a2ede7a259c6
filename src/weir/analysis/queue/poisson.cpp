#include "weir/analysis/ge_queue.hpp"
#include "weir/analysis/queue/parameters.hpp"
#include "weir/analysis/queue_model.hpp"

namespace weir::analysis {
namespace {

class PoissonModel final : public QueueModel {
 public:
  explicit PoissonModel(const PoissonQueue& queue) : measures_(queue.solve()) {}

  [[nodiscard]] std::vector<Measure> solve() const override { return measures_of(measures_); }
  [[nodiscard]] std::vector<double> distribution() const override { return measures_.distribution; }
  [[nodiscard]] std::optional<std::vector<SimulatedMeasure>> simulate(
      const SimulationPlan&) const override {
    return std::vector<SimulatedMeasure>{};
  }

 private:
  QueueMeasures measures_;
};

const Registration<QueueModelFactory> kPoisson(
    queue_registry(),
    {"poisson",
     "M/G/1 without bound: Poisson arrivals, any services (M/D/1: service_scv = 0; M/M/1: 1)",
     "pollaczek1930aufgabe; khintchine1932queue"},
    Keys<PoissonQueue>{arrival_rate_key<PoissonQueue>(), service_rate_key<PoissonQueue>(),
                       key(&PoissonQueue::service_scv, "service_scv",
                           "squared coefficient of variation of the service times, at least 0")},
    [](const Checked<PoissonQueue>& queue) { return std::make_unique<PoissonModel>(*queue); });

}  // namespace
}  // namespace weir::analysis
