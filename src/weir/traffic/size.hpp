#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "weir/base/catalog.hpp"
#include "weir/base/random.hpp"
#include "weir/base/units.hpp"

namespace weir::traffic {

/// Payload sizes of messages: finitely many, each with a probability.
class SizeDistribution {
 public:
  struct Outcome {
    Bytes size;
    double probability = 0;
  };

  explicit SizeDistribution(std::vector<Outcome> outcomes) : outcomes_(std::move(outcomes)) {}
  virtual ~SizeDistribution() = default;

  [[nodiscard]] virtual Bytes draw(RandomStream& random) const = 0;
  /// All sizes; the probabilities sum to 1.
  [[nodiscard]] const std::vector<Outcome>& outcomes() const { return outcomes_; }

 private:
  std::vector<Outcome> outcomes_;
};

using SizeFactory = std::function<std::shared_ptr<const SizeDistribution>(const Settings&)>;

/// Kind "sizes".
Registry<SizeFactory>& size_registry();

using SizeRegistration = Registration<SizeFactory>;

}  // namespace weir::traffic
