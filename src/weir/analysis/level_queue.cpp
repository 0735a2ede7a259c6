#include "weir/analysis/level_queue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/analysis/coefficients.hpp"
#include "weir/analysis/scaled.hpp"
#include "weir/base/error.hpp"

namespace weir::analysis {
namespace {

Stages stages_of(const LevelQueue& queue) {
  return {stage_probability(queue.arrival_scv, "arrival_scv"),
          stage_probability(queue.service_scv, "service_scv")};
}

void finish(const LevelQueue& queue, QueueMeasures& out) {
  out.throughput = 0;
  for (std::size_t k = 0; k < queue.levels.size(); ++k) {
    out.throughput += queue.levels[k].rate * out.level_mass[k];
  }
  out.response_time = out.mean_length / out.throughput;
  out.offered_load = queue.arrival_rate / queue.levels.front().rate;
  out.carried_load = out.throughput / queue.levels.front().rate;
}

/// Sums of x^i and of i x^i for i = 1 .. count.
struct GeometricSums {
  Scaled plain;
  Scaled weighted;
};
GeometricSums geometric_sums(double x, std::int64_t count) {
  if (count == 0) return {};
  const auto n = static_cast<double>(count);
  // Beside the largest term both sums are sums of falling powers: nothing overflows.
  const double q = x < 1 ? x : 1 / x;
  double plain = 0;  // sum of q^j, j < count
  double lag = 0;    // sum of j q^j
  if (n * (1 - q) < 1) {
    // The quotients below are of small differences here; at q = 1 they are 0 / 0.
    double term = 1;
    for (std::int64_t j = 0; j < count; ++j, term *= q) {
      plain += term;
      lag += static_cast<double>(j) * term;
    }
  } else {
    const double end = power(q, count).over(0);
    plain = (1 - end) / (1 - q);
    lag = (q * (1 - end) - n * end * (1 - q)) / ((1 - q) * (1 - q));
  }
  if (x < 1) return {Scaled::of(plain).times(x), Scaled::of(lag + plain).times(x)};
  const Scaled top = power(x, count);
  return {top.times(plain), top.times(n * plain - lag)};
}

}  // namespace

double error_measure(double simulation, double model) {
  return std::abs(simulation - model) / simulation;
}

void LevelQueue::check() const {
  check_rate(arrival_rate, "arrival_rate");
  (void)stages_of(*this);
  if (levels.empty()) throw InputError("service_rate", "no level has one");
  const std::int64_t capacity = levels.back().last;
  if (capacity < 1 || capacity > kMostStates) {
    throw InputError("capacity",
                     fmt::format("must be 1 to {} packets, not {}", kMostStates, capacity));
  }
  std::int64_t before = 0;
  for (const Level& level : levels) {
    check_rate(level.rate, "service_rate");
    const bool is_top = &level == &levels.back();
    if (level.last < before || (level.last == before && is_top)) {
      throw InputError(
          "threshold",
          fmt::format("levels must end at growing numbers of packets, not at {} after {}",
                      level.last, before));
    }
    before = level.last;
  }
}

QueueMeasures LevelQueue::solve(Boundary boundary) const {
  check();
  const Stages stages = stages_of(*this);
  const double s = stages.s;
  const double r = stages.r;
  const std::int64_t capacity = levels.back().last;
  std::vector<Scaled> weight(static_cast<std::size_t>(capacity) + 1);
  weight[0] = Scaled::of(1);
  // What a tagged packet meets: V(n) = (1 - s) V(n - 1) + P(n), which grows by x of the level.
  Scaled seen = Scaled::of(stages.empty_factor());
  std::int64_t largest = weight[0].exponent;
  std::int64_t n = 1;
  for (const Level& level : levels) {
    const double rho = arrival_rate / level.rate;
    const double bottom = r + rho * s * (1 - r);
    const double x = (rho * s + r * (1 - s)) / bottom;
    const double step = rho * s * (r + s - r * s) / bottom;  // x - (1 - s) without cancellation
    for (; n <= level.last && n < capacity; ++n) {
      weight[static_cast<std::size_t>(n)] = seen.times(step);
      seen = seen.times(x);
      largest = std::max(largest, weight[static_cast<std::size_t>(n)].exponent);
    }
  }
  const double top_rho = arrival_rate / levels.back().rate;
  const bool is_exact = boundary == Boundary::exact;
  const double too_large = is_exact ? 1 : (r + s - r * s) / s;  // equation 2.10 over the exact one
  weight.back() = seen.times(top_rho * s / r * too_large);
  largest = std::max({largest, weight.back().exponent, seen.exponent});

  QueueMeasures out;
  out.distribution.reserve(weight.size());
  double total = 0;
  for (const Scaled& one : weight) {
    out.distribution.push_back(one.over(largest));
    total += out.distribution.back();
  }
  for (double& probability : out.distribution) probability /= total;
  const double inside = is_exact ? (1 - s) * seen.over(largest) : 0;  // of a batch that fills it
  out.blocking = (inside + weight.back().over(largest)) / total;
  out.level_mass.assign(levels.size(), 0);
  std::size_t level = 0;
  for (std::int64_t at = 1; at <= capacity; ++at) {
    while (at > levels[level].last) ++level;
    const double probability = out.distribution[static_cast<std::size_t>(at)];
    out.level_mass[level] += probability;
    out.busy_probability += probability;
    out.mean_length += static_cast<double>(at) * probability;
  }
  finish(*this, out);
  return out;
}

QueueMeasures LevelQueue::solve_closed_form() const {
  check();
  const Stages stages = stages_of(*this);
  const std::size_t count = levels.size();
  std::vector<Scaled> mass(count);
  std::vector<Scaled> length(count);
  Scaled carried = Scaled::of(1);  // product of the powers of the levels below
  Scaled full;
  std::int64_t before = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const GeCoefficients c = ge_coefficients(arrival_rate / levels[k].rate, stages);
    const bool is_top = k + 1 == count;
    const std::int64_t states = levels[k].last - before - (is_top ? 1 : 0);
    const GeometricSums sums = geometric_sums(c.x, states);
    const auto joined = [&](const Scaled& sum) {
      Scaled product = carried.times(sum.value * c.g);
      if (product.value != 0) product.exponent += sum.exponent;
      return product;
    };
    const Scaled plain = joined(sums.plain);
    const Scaled weighted = joined(sums.weighted);
    mass[k] = plain;
    const std::int64_t base = std::max(plain.exponent, weighted.exponent);
    length[k] = Scaled::of(static_cast<double>(before) * plain.over(base) + weighted.over(base));
    length[k].exponent += base;
    const Scaled rest = power(c.x, levels[k].last - before);
    carried = carried.times(rest.value);
    carried.exponent += rest.exponent;
    if (is_top) full = carried.times(c.g * c.y_exact);
    before = levels[k].last;
  }

  std::int64_t largest = std::max<std::int64_t>(full.exponent, 1);
  for (std::size_t k = 0; k < count; ++k) largest = std::max(largest, mass[k].exponent);
  const double empty = Scaled::of(1).over(largest);
  double total = empty + full.over(largest);
  for (const Scaled& one : mass) total += one.over(largest);

  QueueMeasures out;
  const double p_full = full.over(largest) / total;
  for (std::size_t k = 0; k < count; ++k) {
    out.level_mass.push_back(mass[k].over(largest) / total);
    out.mean_length += length[k].over(largest) / total;
  }
  out.level_mass.back() += p_full;
  out.mean_length += static_cast<double>(before) * p_full;
  for (const double one : out.level_mass) out.busy_probability += one;
  const double rho = arrival_rate / levels.back().rate;
  out.blocking = p_full * (1 + stages.r * (1 - stages.s) / (rho * stages.s));
  finish(*this, out);
  return out;
}

}  // namespace weir::analysis
