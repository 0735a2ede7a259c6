#include <algorithm>
#include <cmath>

#include "weir/base/keys.hpp"
#include "weir/traffic/size.hpp"

namespace weir::traffic {
namespace {

/// What is left of the tail beyond the largest size: it goes to that size.
constexpr double kTail = 1e-12;
constexpr std::int64_t kMostUnitsOfMean = 10'000;

/// k units with probability p (1 - p)^(k - 1), k = 1, 2, ... as far as the tail counts.
class Geometric final : public SizeDistribution {
 public:
  /// `mean`: in units, at least 1.
  Geometric(Bytes unit, double mean)
      : SizeDistribution(outcomes_of(unit, mean)),
        log_go_on_(mean > 1 ? std::log1p(-1 / mean) : 0.0) {}

  [[nodiscard]] Bytes draw(RandomStream& random) const override {
    const double u = random.unit();
    if (log_go_on_ == 0.0) return outcomes().front().size;
    const auto further = static_cast<std::size_t>(std::floor(std::log1p(-u) / log_go_on_));
    return outcomes()[std::min(further, outcomes().size() - 1)].size;
  }

 private:
  static std::vector<Outcome> outcomes_of(Bytes unit, double mean) {
    std::vector<Outcome> outcomes;
    double left = 1;
    for (std::int64_t k = 1; left > kTail; ++k) {
      outcomes.push_back({unit * k, left / mean});
      left -= left / mean;
    }
    outcomes.back().probability += left;
    return outcomes;
  }

  double log_go_on_;  ///< log of the probability of one more unit; 0: never
};

struct GeometricKeys {
  Bytes mean;
  Bytes unit{1};
};

std::shared_ptr<const SizeDistribution> make_geometric(const Checked<GeometricKeys>& file) {
  const auto& [mean, unit] = *file;
  const auto wrong = [&](const char* why) { return file.error(&GeometricKeys::mean, why); };
  if (mean < unit) throw wrong("is smaller than 'unit': a message has one unit");
  if (mean / kMostUnitsOfMean >= unit) throw wrong("must be less than 10000 units");
  return std::make_shared<Geometric>(
      unit, static_cast<double>(mean.count) / static_cast<double>(unit.count));
}

const SizeRegistration kGeometric(
    size_registry(),
    {"geometric",
     "Whole units, after each of which another one follows with a fixed probability; many small "
     "units: nearly exponential",
     "meisling1958discrete"},
    Keys<GeometricKeys>{
        key(&GeometricKeys::mean, "mean", "mean payload").required().at_least(1),
        key(&GeometricKeys::unit, "unit", "unit of which payloads are multiples").range(1, 1e9)},
    make_geometric);

}  // namespace
}  // namespace weir::traffic
