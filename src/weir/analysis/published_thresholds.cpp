#include "weir/analysis/published_thresholds.hpp"

#include <fmt/format.h>

#include <cmath>

#include "weir/analysis/coefficients.hpp"
#include "weir/base/error.hpp"

namespace weir::analysis {
namespace {

double load(const LevelQueue& queue, std::size_t level) {
  const double rho = queue.arrival_rate / queue.levels[level].rate;
  if (rho < 1) return rho;
  throw InputError(
      "arrival_rate",
      fmt::format("the document's formulas need a load below 1 at every rate, not {:.6g}", rho));
}

/// x + x^2 + ... + x^count.
double sum_of_powers(double x, std::int64_t count) {
  return (x - std::pow(x, static_cast<double>(count + 1))) / (1 - x);
}

struct LowerLevel {
  double x = 0;
  double g = 0;
  double mass = 0;  ///< X: over P(0)
};

LowerLevel lower_level(const LevelQueue& queue) {
  const double rho = load(queue, 0);
  const double length = unbounded_length(rho, queue.arrival_scv, queue.service_scv);
  LowerLevel out;
  out.x = (length - rho) / length;
  out.g = rho * (1 - out.x) / (out.x * (1 - rho));
  out.mass = out.g * sum_of_powers(out.x, queue.levels[0].last);
  return out;
}

}  // namespace

UpperLevel upper_level(const EntryThresholdQueue& queue, double rho, double mean_length,
                       Text text) {
  const LevelQueue levels = queue.levels();
  const LowerLevel low = lower_level(levels);
  const auto t = static_cast<double>(levels.levels[0].last);
  const double odds = rho / (1 - rho);
  const double end = std::pow(low.x, t + 1);
  const double common = low.mass / (1 - low.x) - (t + 1) * low.mass;
  const double below = text == Text::repaired
                           ? common - t * low.g * end / (1 - low.x) + (t + 1) * odds
                           : common - t * end + t * odds - 1;
  UpperLevel out;
  out.g2 = (odds - low.mass) * (rho - (1 - rho) * low.mass) / (mean_length - (1 - rho) * below);
  const double sign = text == Text::repaired ? 1 : -1;
  out.x2 = (rho * (1 + sign * low.mass) - low.mass) / ((1 - rho) * (out.g2 - low.mass) + rho);
  return out;
}

PublishedThreshold published_entry_threshold(const EntryThresholdQueue& queue, Text text) {
  const LevelQueue levels = queue.levels();
  const LowerLevel low = lower_level(levels);
  const std::int64_t threshold = levels.levels[0].last;
  const std::int64_t capacity = levels.levels[1].last;
  const auto t = static_cast<double>(threshold);
  const auto above = static_cast<double>(capacity - threshold);
  const double rho1 = load(levels, 0);
  const double rho2 = load(levels, 1);
  PublishedThreshold out;
  out.rho = (t * rho1 + above * rho2) / (t + above);
  out.mean_length = unbounded_length(rho1, queue.arrival_scv, queue.service_scv) +
                    low.x * unbounded_length(rho2, queue.arrival_scv, queue.service_scv) +
                    t * std::pow(low.x, t);
  out.x1 = low.x;
  out.g1 = low.g;
  out.level_1 = low.mass;
  const UpperLevel upper = upper_level(queue, out.rho, out.mean_length, text);
  out.x2 = upper.x2;
  out.g2 = upper.g2;
  const double end = std::pow(out.x2, above);
  const double mass_2 = out.g2 * (out.x2 - end) / (1 - out.x2);
  const bool is_repaired = text == Text::repaired;
  const double known = is_repaired ? low.mass + mass_2 : mass_2;
  out.y = (out.rho * (1 + known) - known) / (out.g2 * end * (is_repaired ? 1 : out.rho));
  const double lower = is_repaired ? low.mass : low.g * (low.x - std::pow(low.x, t)) / (1 - low.x);
  const double z = 1 + lower + mass_2 + (is_repaired ? out.g2 * end * out.y : 0);
  for (std::int64_t n = 0; n <= capacity; ++n) {
    const auto at = static_cast<double>(n);
    double weight = 1;
    if (n > 0 && n <= threshold) weight = out.g1 * std::pow(out.x1, is_repaired ? at : t);
    if (n > threshold) weight = out.g2 * std::pow(out.x2, is_repaired ? at - t : above);
    if (n == capacity) weight *= out.y;
    out.distribution.push_back(weight / z);
  }
  return out;
}

PublishedLevels published_job_threshold(const ArrivalJobThresholdQueue& queue, Text text) {
  const LevelQueue levels = queue.levels();
  const bool is_repaired = text == Text::repaired;
  const std::int64_t capacity = levels.levels.back().last;
  PublishedLevels out;
  std::vector<double> factor;  // of each level: what the levels below leave
  double below = 1;
  double known = 0;
  std::int64_t before = 0;
  for (std::size_t k = 0; k < levels.levels.size(); ++k) {
    const double rho = load(levels, k);
    const std::int64_t last = levels.levels[k].last;
    double length = unbounded_length(rho, queue.arrival_scv, queue.service_scv);
    if (!is_repaired) length /= rho;
    out.x.push_back((length - rho) / length);
    out.g.push_back((1 - out.x[k]) * rho / ((1 - rho) * out.x[k]));
    factor.push_back(is_repaired ? below : 1);
    const std::int64_t states = last - before - (last == capacity ? 1 : 0);
    known += factor[k] * out.g[k] * sum_of_powers(out.x[k], states);
    below *= std::pow(out.x[k], static_cast<double>(last - before));
    out.rho += rho * static_cast<double>(last - before) / static_cast<double>(capacity);
    before = last;
  }
  const double full = out.g.back() * below * (is_repaired ? 1 : out.rho);
  out.y = (out.rho + (out.rho - 1) * known) / full;
  const double z = 1 + known + (is_repaired ? full * out.y : 0);
  out.distribution.push_back(1 / z);
  before = 0;
  for (std::size_t k = 0; k < levels.levels.size(); ++k) {
    for (std::int64_t n = before + 1; n <= levels.levels[k].last; ++n) {
      const double weight =
          factor[k] * out.g[k] * std::pow(out.x[k], static_cast<double>(n - before));
      out.distribution.push_back(weight / z * (n == capacity ? out.y : 1));
    }
    before = levels.levels[k].last;
  }
  return out;
}

}  // namespace weir::analysis
