#include "weir/analysis/max_entropy.hpp"

#include <cmath>

#include "weir/base/error.hpp"

namespace weir::analysis {
namespace {

/// States first .. last share `mass` in proportion to x^n.
struct Block {
  std::int64_t first;
  std::int64_t last;
  double mass;
};

/// Mean of n over first .. last with weights x^n, ln x = `slope`.
double block_mean(const Block& block, double slope) {
  // Beside the largest weight no power overflows.
  const std::int64_t anchor = slope > 0 ? block.last : block.first;
  double plain = 0;
  double weighted = 0;
  for (std::int64_t n = block.first; n <= block.last; ++n) {
    const double weight = std::exp(slope * static_cast<double>(n - anchor));
    plain += weight;
    weighted += weight * static_cast<double>(n);
  }
  return weighted / plain;
}

std::vector<Block> blocks_of(const EntropyConstraints& c) {
  if (c.capacity < 1 || c.thresholds.size() + 1 != c.level_mass.size()) {
    throw InputError("level_mass", "needs one more than there are thresholds, and a capacity");
  }
  std::vector<Block> blocks;
  std::int64_t before = 0;
  double busy = 0;
  for (std::size_t k = 0; k < c.level_mass.size(); ++k) {
    const bool is_top = k == c.thresholds.size();
    const std::int64_t last = is_top ? c.capacity - 1 : c.thresholds[k];
    const double mass = c.level_mass[k] - (is_top ? c.full_probability : 0);
    if (mass < 0 || last < before || (last == before && mass > 0)) {
      throw InputError("level_mass", "does not fit the thresholds and the full queue");
    }
    if (last > before) blocks.push_back({before + 1, last, mass});
    busy += c.level_mass[k];
    before = last;
  }
  if (!(busy > 0) || !(busy < 1)) throw InputError("level_mass", "must add up to between 0 and 1");
  return blocks;
}

}  // namespace

double entropy(const std::vector<double>& distribution) {
  double sum = 0;
  for (const double p : distribution) {
    if (p > 0) sum -= p * std::log(p);
  }
  return sum;
}

EntropySolution maximize_entropy(const EntropyConstraints& c) {
  const std::vector<Block> blocks = blocks_of(c);
  const auto mean = [&](double slope) {
    double sum = static_cast<double>(c.capacity) * c.full_probability;
    for (const Block& block : blocks) sum += block.mass * block_mean(block, slope);
    return sum;
  };
  double low = -700;
  double high = 700;
  if (mean(low) > c.mean_length || mean(high) < c.mean_length) {
    throw InputError("mean_length", "no distribution with these level masses has it");
  }
  for (int step = 0; step < 200 && low < high; ++step) {
    const double middle = (low + high) / 2;
    if (middle == low || middle == high) break;
    (mean(middle) < c.mean_length ? low : high) = middle;
  }
  const double slope = (low + high) / 2;

  EntropySolution out;
  out.x = std::exp(slope);
  double empty = 1;
  for (const double mass : c.level_mass) empty -= mass;
  out.distribution.assign(static_cast<std::size_t>(c.capacity) + 1, 0);
  out.distribution.front() = empty;
  out.distribution.back() = c.full_probability;
  for (const Block& block : blocks) {
    double plain = 0;
    const std::int64_t anchor = slope > 0 ? block.last : block.first;
    for (std::int64_t n = block.first; n <= block.last; ++n) {
      plain += std::exp(slope * static_cast<double>(n - anchor));
    }
    for (std::int64_t n = block.first; n <= block.last; ++n) {
      out.distribution[static_cast<std::size_t>(n)] =
          block.mass * std::exp(slope * static_cast<double>(n - anchor)) / plain;
    }
    out.g.push_back(block.mass / (empty * plain * std::exp(slope * static_cast<double>(anchor))));
  }
  if (!out.g.empty()) {
    out.y = c.full_probability /
            (empty * out.g.back() * std::exp(slope * static_cast<double>(c.capacity)));
  }
  out.entropy = entropy(out.distribution);
  return out;
}

}  // namespace weir::analysis
