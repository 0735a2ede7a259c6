#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weir/analysis/measures.hpp"
#include "weir/base/catalog.hpp"

namespace weir::analysis {

/// A number of a model, by the name of its metric; the label says of which station or level.
struct Measure {
  std::string metric;
  std::string label;
  double value = 0;
};

/// A part of a simulated time: a measure is sum over weight, of one slice or of many.
struct Slice {
  double sum = 0;
  double weight = 0;
};

/// A simulated measure. All measures of a run have equally many slices, of equally many arrivals.
struct SimulatedMeasure {
  std::string metric;
  std::string label;
  std::vector<Slice> slices;
};

/// How a model is simulated. The first tenth of the arrivals is not measured.
struct SimulationPlan {
  std::uint64_t seed = 1;
  std::int64_t arrivals = 0;
  std::int64_t slices = 1000;
  /// Asked now and then with the share that is done: false ends it.
  std::function<bool(double)> go_on = nullptr;
};

/// A queue of `[queue]`: what it comes to, by its equations and by simulation.
class QueueModel {
 public:
  QueueModel() = default;
  QueueModel(const QueueModel&) = delete;
  QueueModel& operator=(const QueueModel&) = delete;
  virtual ~QueueModel() = default;

  [[nodiscard]] virtual std::vector<Measure> solve() const = 0;
  /// P(n packets), n = 0, 1, ..., where that is one list; else empty.
  [[nodiscard]] virtual std::vector<double> distribution() const { return {}; }
  /// Empty: the model is not simulated. Nothing: plan.go_on said no.
  [[nodiscard]] virtual std::optional<std::vector<SimulatedMeasure>> simulate(
      const SimulationPlan& plan) const = 0;
  /// What a reader of the numbers must know, such as where equations and simulation differ in what
  /// they take into account. `simulates`: a simulation stands beside the equations.
  [[nodiscard]] virtual std::vector<std::string> notes(bool simulates) const {
    (void)simulates;
    return {};
  }
};

/// Makes a model from the keys of `[queue]`. Throws InputError with the key.
using QueueModelFactory = std::function<std::unique_ptr<QueueModel>(const Settings&)>;

/// The models of `[queue]`; each registers itself in a file of its own.
Registry<QueueModelFactory>& queue_registry();

/// The measures that every single queue has.
[[nodiscard]] std::vector<Measure> measures_of(const QueueMeasures& queue);

}  // namespace weir::analysis
