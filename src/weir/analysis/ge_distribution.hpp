#pragma once

#include <cstdint>
#include <string_view>

#include "weir/base/random.hpp"

namespace weir::analysis {

/// Generalized exponential (GE) times: 0 with probability 1 - t, else exponential with rate t times
/// `rate`, where t = 2 / (scv + 1). Mean 1 / rate, variance scv / rate^2. Of all distributions with
/// these two moments the one that assumes least. Times are in any unit; rates are per that unit.
/// Source: yan2012, section 2.4.1 (equations 2.1, 2.2).
class GeDistribution {
 public:
  /// Throws InputError unless rate > 0 and scv >= 1.
  GeDistribution(double rate, double scv);

  [[nodiscard]] double rate() const { return rate_; }
  [[nodiscard]] double scv() const { return scv_; }
  [[nodiscard]] double mean() const { return 1 / rate_; }
  [[nodiscard]] double variance() const { return scv_ / (rate_ * rate_); }
  /// Probability t of a time that is not 0.
  [[nodiscard]] double stage_probability() const { return stage_; }
  /// P(X <= time); 0 for negative times.
  [[nodiscard]] double cumulative(double time) const;
  [[nodiscard]] double sample(RandomStream& random) const;

 private:
  double rate_;
  double scv_;
  double stage_;
};

/// The same seen as arrivals: batches come as a Poisson process and have geometric sizes (a
/// compound Poisson process).
class BatchArrivals {
 public:
  /// Throws InputError unless rate > 0 and scv >= 1.
  BatchArrivals(double rate, double scv);

  /// Batches in a unit of time: t * rate.
  [[nodiscard]] double batch_rate() const;
  /// (scv + 1) / 2.
  [[nodiscard]] double mean_batch() const;
  /// P(K = size) = t (1 - t)^(size - 1), size >= 1; 0 below.
  [[nodiscard]] double batch_probability(std::int64_t size) const;
  [[nodiscard]] std::int64_t sample_batch(RandomStream& random) const;
  [[nodiscard]] double sample_gap(RandomStream& random) const;  ///< between batches

 private:
  GeDistribution between_;
};

/// t = 2 / (scv + 1). Throws InputError of key `name` where scv < 1: then 1 - t, the probability of
/// an interval of 0, would be negative. `name` is that of the user's key.
double stage_probability(double scv, std::string_view name);

/// Throws InputError of key `name` unless `rate` is a positive number.
void check_rate(double rate, std::string_view name);

}  // namespace weir::analysis
