#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "weir/base/catalog.hpp"
#include "weir/base/random.hpp"
#include "weir/base/units.hpp"
#include "weir/topology/graph.hpp"

namespace weir::topology {

/// Lengths of cables in metres; all are positive.
class LengthDistribution {
 public:
  explicit LengthDistribution(double shortest) : shortest_(shortest) {}
  virtual ~LengthDistribution() = default;

  [[nodiscard]] virtual double draw(RandomStream& random) const = 0;
  /// No cable is shorter.
  [[nodiscard]] double shortest() const { return shortest_; }

 private:
  double shortest_;
};

using LengthFactory =
    std::function<std::shared_ptr<const LengthDistribution>(const Settings& settings)>;

/// Kind "lengths".
Registry<LengthFactory>& length_registry();

using LengthRegistration = Registration<LengthFactory>;

/// What the seed decides about the delays of cables.
struct CableDelays {
  std::shared_ptr<const LengthDistribution> lengths;  ///< of cables without a delay of their own
  Time per_metre = nanoseconds(5);                    ///< light in glass or copper
  Time perturbation = Time(0);  ///< every cable is so much longer or shorter at most
  std::uint64_t seed = 0;

  [[nodiscard]] bool are_drawn() const { return lengths != nullptr || perturbation.count > 0; }
  [[nodiscard]] Time delay(double metres) const;
};

/// The same network with the delays that `rule` draws. A cable has one length in both directions,
/// which depends on the seed and on its ports alone. A perturbation makes a cable longer or shorter
/// with the same chance; one without length can only become longer. Throws InputError when a cable
/// is shorter than the perturbation, and when no cable takes a length.
Graph with_drawn_delays(Graph graph, const CableDelays& rule);

/// Propagation delays of all cables.
struct DelayRange {
  Time shortest;
  Time longest;
  double mean = 0;  ///< ps
};
DelayRange delay_range(const Graph& graph);

}  // namespace weir::topology
