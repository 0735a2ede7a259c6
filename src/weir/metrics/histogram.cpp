#include "weir/metrics/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace weir::metrics {

void Histogram::merge(const Histogram& other) {
  for (std::size_t i = 0; i < kBuckets; ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  sum_ += other.sum_;
  minimum_ = std::min(minimum_, other.minimum_);
  maximum_ = std::max(maximum_, other.maximum_);
}

void Histogram::clear() {
  std::fill(counts_.begin(), counts_.end(), 0);
  count_ = 0;
  sum_ = 0;
  minimum_ = INT64_MAX;
  maximum_ = 0;
}

std::int64_t Histogram::lower_bound(std::size_t bucket) {
  if (bucket < kLinear) return static_cast<std::int64_t>(bucket);
  const std::size_t shift = (bucket >> kBits) - 1;
  if (bucket >= kBuckets) return INT64_MAX;
  return static_cast<std::int64_t>((bucket - (shift << kBits)) << shift);
}

double Histogram::percentile(double percent) const {
  if (count_ == 0) return 0;
  const double share = std::clamp(percent, 0.0, 100.0) / 100.0;
  const double wanted = std::max(1.0, std::ceil(share * static_cast<double>(count_) - 1e-9));
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    seen += counts_[i];
    if (static_cast<double>(seen) < wanted) continue;
    const auto low = static_cast<double>(lower_bound(i));
    const auto high = static_cast<double>(lower_bound(i + 1) - 1);
    return std::clamp((low + high) / 2, static_cast<double>(minimum_),
                      static_cast<double>(maximum_));
  }
  return static_cast<double>(maximum_);
}

Histogram::Buckets Histogram::used() const {
  Buckets buckets;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    if (counts_[i] != 0) buckets.emplace_back(static_cast<std::uint32_t>(i), counts_[i]);
  }
  return buckets;
}

void Histogram::set_used(const Buckets& buckets) {
  std::fill(counts_.begin(), counts_.end(), 0);
  count_ = 0;
  for (const auto& [bucket, times] : buckets) {
    counts_.at(bucket) = times;
    count_ += times;
  }
}

Histogram::Stored Histogram::stored() const {
  Stored out;
  out.buckets = used();
  out.sum = static_cast<double>(sum_);
  out.minimum = minimum();
  out.maximum = maximum();
  return out;
}

Histogram Histogram::restore(const Stored& stored) {
  Histogram out;
  for (const auto& [bucket, times] : stored.buckets) {
    if (bucket >= kBuckets) throw std::invalid_argument("histogram bucket out of range");
    out.counts_[bucket] += times;
    out.count_ += times;
  }
  out.sum_ = stored.sum > 0 ? static_cast<Sum>(stored.sum) : 0;
  out.maximum_ = stored.maximum;
  if (out.count_ != 0) out.minimum_ = stored.minimum;
  return out;
}

}  // namespace weir::metrics
