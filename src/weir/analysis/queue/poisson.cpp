#include "weir/analysis/ge_queue.hpp"
#include "weir/analysis/queue/parameters.hpp"
#include "weir/analysis/queue_model.hpp"

namespace weir::analysis {
namespace {

class PoissonModel final : public QueueModel {
 public:
  explicit PoissonModel(const Settings& settings)
      : queue_{settings.real("arrival_rate"), settings.real("service_rate"),
               settings.real("service_scv")},
        measures_(queue_.solve()) {}

  [[nodiscard]] std::vector<Measure> solve() const override { return measures_of(measures_); }
  [[nodiscard]] std::vector<double> distribution() const override { return measures_.distribution; }
  [[nodiscard]] std::optional<std::vector<SimulatedMeasure>> simulate(
      const SimulationPlan&) const override {
    return std::vector<SimulatedMeasure>{};
  }

 private:
  PoissonQueue queue_;
  QueueMeasures measures_;
};

const Registration<QueueModelFactory> kPoisson(
    queue_registry(),
    {"poisson",
     "M/G/1 without bound: Poisson arrivals, any services (M/D/1: service_scv = 0; M/M/1: 1)",
     "pollaczek1930aufgabe; khintchine1932queue",
     {arrival_rate_key(), service_rate_key(),
      Parameter::of(ParameterType::real, "service_scv",
                    "squared coefficient of variation of the service times, at least 0")
          .by_default("1.0")}},
    [](const Settings& settings) { return std::make_unique<PoissonModel>(settings); });

}  // namespace
}  // namespace weir::analysis
