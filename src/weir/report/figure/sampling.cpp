#include "weir/report/figure/sampling.hpp"

#include <algorithm>
#include <cmath>

namespace weir::report {
namespace {

/// Smallest and largest value of a group, the earlier one first; both NaN where there is none.
std::pair<double, double> extremes(const double* first, const double* last) {
  const double* low = nullptr;
  const double* high = nullptr;
  for (const double* at = first; at != last; ++at) {
    if (!is_number(*at)) continue;
    if (low == nullptr || *at < *low) low = at;
    if (high == nullptr || *at > *high) high = at;
  }
  if (low == nullptr) return {std::nan(""), std::nan("")};
  return low <= high ? std::pair(*low, *high) : std::pair(*high, *low);
}

}  // namespace

metrics::Series thinned(const metrics::Series& series, std::size_t most) {
  const std::size_t count = series.values.size();
  const std::size_t pairs = std::max<std::size_t>(1, most / 2);
  if (count <= std::max<std::size_t>(2, most)) return series;
  const std::size_t half = (count + 2 * pairs - 1) / (2 * pairs);
  metrics::Series out{series.name, series.start, series.bin * static_cast<std::int64_t>(half), {}};
  for (std::size_t at = 0; at < count; at += 2 * half) {
    const std::size_t end = std::min(count, at + 2 * half);
    const auto [first, second] = extremes(series.values.data() + at, series.values.data() + end);
    out.values.push_back(first);
    if (end - at > 1) out.values.push_back(second);
  }
  return out;
}

std::vector<std::pair<double, std::uint64_t>> buckets_of(const metrics::Histogram& histogram,
                                                         std::size_t most) {
  using metrics::Histogram;
  const auto stored = histogram.stored().buckets;
  std::vector<std::pair<double, std::uint64_t>> out;
  const std::size_t group = (stored.size() + most - 1) / std::max<std::size_t>(1, most);
  for (std::size_t at = 0; at < stored.size(); at += group) {
    const std::size_t end = std::min(stored.size(), at + group);
    double sum = 0;
    std::uint64_t count = 0;
    for (std::size_t i = at; i < end; ++i) {
      const auto [bucket, times] = stored[i];
      // A bucket holds low .. next - 1.
      const auto low = static_cast<double>(Histogram::lower_bound(bucket));
      const auto next = static_cast<double>(Histogram::lower_bound(bucket + 1));
      sum += (low + next - 1) / 2 * static_cast<double>(times);
      count += times;
    }
    if (count > 0) out.emplace_back(sum / static_cast<double>(count), count);
  }
  return out;
}

double rounded(double value) {
  constexpr double kTiny = 1e-290;
  if (!is_number(value)) return value;
  if (std::abs(value) < kTiny) return 0;
  constexpr int kDigits = 6;
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
  const int decimals = kDigits - magnitude;
  // Dividing by a power of ten is exact to the last bit where multiplying by its inverse is not.
  const double scale = std::pow(10.0, std::abs(decimals));
  return decimals >= 0 ? std::round(value * scale) / scale : std::round(value / scale) * scale;
}

}  // namespace weir::report
