#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "weir/base/catalog.hpp"
#include "weir/base/random.hpp"
#include "weir/base/units.hpp"

namespace weir::traffic {

/// Payload sizes of messages: finitely many, or ranges of them, each with a probability.
class SizeDistribution {
 public:
  /// The sizes from `smallest` to `size`, each equally likely.
  struct Outcome {
    Bytes size;
    double probability = 0;  ///< of the whole range
    Bytes smallest = size;
  };

  explicit SizeDistribution(std::vector<Outcome> outcomes) : outcomes_(std::move(outcomes)) {}
  virtual ~SizeDistribution() = default;

  [[nodiscard]] virtual Bytes draw(RandomStream& random) const = 0;
  /// All sizes; the probabilities sum to 1.
  [[nodiscard]] const std::vector<Outcome>& outcomes() const { return outcomes_; }

 private:
  std::vector<Outcome> outcomes_;
};

/// Mean bytes of a message: what applications see, and with the headers of its packets.
struct MeanSize {
  double payload = 0;
  double wire = 0;
};

/// Of messages that are cut at `mtu` into packets with a `header` each.
[[nodiscard]] MeanSize mean_size(const SizeDistribution& sizes, Bytes mtu, Bytes header);

using SizeFactory = std::function<std::shared_ptr<const SizeDistribution>(const Settings&)>;

/// Kind "sizes".
Registry<SizeFactory>& size_registry();

using SizeRegistration = Registration<SizeFactory>;

}  // namespace weir::traffic
