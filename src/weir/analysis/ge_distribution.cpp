#include "weir/analysis/ge_distribution.hpp"

#include <fmt/format.h>

#include <cmath>

#include "weir/base/error.hpp"

namespace weir::analysis {

double stage_probability(double scv, std::string_view name) {
  if (!std::isfinite(scv) || scv < 1) {
    throw InputError(
        name, fmt::format("must be at least 1, not {}: a generalized exponential time is 0 with "
                          "probability 1 - 2 / (scv + 1)",
                          scv));
  }
  return 2 / (scv + 1);
}

void check_rate(double rate, std::string_view name) {
  // Farther apart than this, quotients and products of rates leave the range of numbers.
  constexpr double kMost = 1e100;
  if (rate >= 1 / kMost && rate <= kMost) return;
  throw InputError(
      name, rate > 0 ? fmt::format("must be between {} and {}, not {}", 1 / kMost, kMost, rate)
                     : fmt::format("must be greater than 0, not {}", rate));
}

GeDistribution::GeDistribution(double rate, double scv)
    : rate_(rate), scv_(scv), stage_(analysis::stage_probability(scv, "scv")) {
  check_rate(rate, "rate");
}

double GeDistribution::cumulative(double time) const {
  return time < 0 ? 0 : 1 - stage_ * std::exp(-stage_ * rate_ * time);
}

double GeDistribution::sample(RandomStream& random) const {
  if (stage_ < 1 && random.unit() >= stage_) return 0;
  return random.exponential(1 / (stage_ * rate_));
}

BatchArrivals::BatchArrivals(double rate, double scv) : between_(rate, scv) {}

double BatchArrivals::batch_rate() const { return between_.stage_probability() * between_.rate(); }

double BatchArrivals::mean_batch() const { return 1 / between_.stage_probability(); }

double BatchArrivals::batch_probability(std::int64_t size) const {
  if (size < 1) return 0;
  const double t = between_.stage_probability();
  return t * std::pow(1 - t, static_cast<double>(size - 1));
}

std::int64_t BatchArrivals::sample_batch(RandomStream& random) const {
  std::int64_t size = 1;
  while (between_.stage_probability() < 1 && random.unit() >= between_.stage_probability()) ++size;
  return size;
}

double BatchArrivals::sample_gap(RandomStream& random) const {
  return random.exponential(1 / batch_rate());
}

}  // namespace weir::analysis
