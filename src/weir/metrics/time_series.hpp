#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "weir/base/units.hpp"

namespace weir::metrics {

/// Bin k covers [k * width, (k + 1) * width) of simulated time.
class TimeBins {
 public:
  /// Width must be positive.
  explicit TimeBins(Time width) : width_(width) {}

  [[nodiscard]] Time width() const { return width_; }
  /// Bin of a time. Calls with rising times cost a comparison.
  [[nodiscard]] std::size_t at(Time now) {
    if (now < low_ || now >= high_) move_to(now);
    return bin_;
  }
  /// Bins that a run up to `end` touches: the last may be shorter than the others.
  [[nodiscard]] std::size_t count(Time end) const {
    return static_cast<std::size_t>((end.count + width_.count - 1) / width_.count);
  }
  /// Length of bin k in a run that ends at `end`.
  [[nodiscard]] Time length(std::size_t k, Time end) const {
    const Time start = width_ * static_cast<std::int64_t>(k);
    return std::max(Time(0), std::min(width_, end - start));
  }

 private:
  void move_to(Time now) {
    bin_ = static_cast<std::size_t>(now.count / width_.count);
    low_ = width_ * static_cast<std::int64_t>(bin_);
    high_ = low_ + width_;
  }

  Time width_;
  Time low_;
  Time high_;
  std::size_t bin_ = 0;
};

/// One accumulator a bin. Grows when a run is longer than foreseen.
template <class Accumulator>
class TimeSeries {
 public:
  explicit TimeSeries(std::size_t foreseen = 0) { bins_.reserve(foreseen); }

  Accumulator& at(std::size_t bin) {
    if (bin >= bins_.size()) bins_.resize(bin + 1);
    return bins_[bin];
  }
  [[nodiscard]] std::size_t size() const { return bins_.size(); }
  /// A bin that nothing touched reads as an empty accumulator.
  [[nodiscard]] Accumulator get(std::size_t bin) const {
    return bin < bins_.size() ? bins_[bin] : Accumulator{};
  }
  /// Adds another series bin by bin; Accumulator has merge().
  void merge(const TimeSeries& other) {
    for (std::size_t k = 0; k < other.bins_.size(); ++k) at(k).merge(other.bins_[k]);
  }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(bins_);
  }

 private:
  std::vector<Accumulator> bins_;
};

}  // namespace weir::metrics
