#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace weir::metrics {

/// Counts of non-negative integers in log-linear buckets: exact below 128, then 128 buckets an
/// octave. Percentiles are bucket middles, so at most 0.4 % off; mean, minimum and maximum are
/// exact. All memory (57 KiB) is taken at construction; record() is constant time and allocates
/// nothing.
class Histogram {
 public:
  Histogram() : counts_(kBuckets, 0) {}

  /// Negative values count as 0.
  void record(std::int64_t value, std::uint64_t times = 1) {
    if (value < 0) value = 0;
    counts_[bucket_of(value)] += times;
    count_ += times;
    sum_ += static_cast<Sum>(static_cast<std::uint64_t>(value)) * times;
    if (value > maximum_) maximum_ = value;
    if (value < minimum_) minimum_ = value;
  }
  void merge(const Histogram& other);
  /// Empty again, with the same memory.
  void clear();

  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// Mean, minimum and maximum are 0 when empty.
  [[nodiscard]] double mean() const {
    return count_ == 0 ? 0.0 : static_cast<double>(sum_) / static_cast<double>(count_);
  }
  [[nodiscard]] std::int64_t minimum() const { return count_ == 0 ? 0 : minimum_; }
  [[nodiscard]] std::int64_t maximum() const { return maximum_; }
  /// Smallest recorded value that at least `percent` per cent of the values do not exceed, 0..100;
  /// 0 when empty.
  [[nodiscard]] double percentile(double percent) const;

  /// What is stored: buckets in use with their counts, and the exact numbers beside them.
  struct Stored {
    std::vector<std::pair<std::uint32_t, std::uint64_t>> buckets;
    double sum = 0;
    std::int64_t minimum = 0;
    std::int64_t maximum = 0;

    bool operator==(const Stored&) const = default;
  };
  [[nodiscard]] Stored stored() const;
  /// Exactly; buckets without a value take no room.
  template <class Archive>
  void serialize(Archive& archive) {
    Buckets buckets = used();
    auto low = static_cast<std::uint64_t>(sum_);
    auto high = static_cast<std::uint64_t>(sum_ >> 64U);
    archive(buckets, low, high, minimum_, maximum_);
    if constexpr (Archive::is_loading::value) {
      sum_ = static_cast<Sum>(high) << 64U | low;
      set_used(buckets);
    }
  }
  /// Throws std::invalid_argument when a bucket is out of range.
  static Histogram restore(const Stored& stored);

  /// Smallest value of a bucket, and of the one after it.
  [[nodiscard]] static std::int64_t lower_bound(std::size_t bucket);
  [[nodiscard]] static std::size_t bucket_of(std::int64_t value) {
    const auto v = static_cast<std::uint64_t>(value);
    if (v < kLinear) return v;
    const auto shift = static_cast<unsigned>(std::bit_width(v)) - kBits - 1;
    return (static_cast<std::size_t>(shift) << kBits) + static_cast<std::size_t>(v >> shift);
  }

 private:
  using Buckets = std::vector<std::pair<std::uint32_t, std::uint64_t>>;
  [[nodiscard]] Buckets used() const;
  void set_used(const Buckets& buckets);

  static constexpr unsigned kBits = 7;
  static constexpr std::uint64_t kLinear = 1U << kBits;
  static constexpr std::size_t kBuckets = (63 - kBits + 1) << kBits;

  /// Whole numbers: the same in whatever order values are recorded and histograms merged.
  __extension__ using Sum = unsigned __int128;

  std::vector<std::uint64_t> counts_;
  std::uint64_t count_ = 0;
  Sum sum_ = 0;
  std::int64_t minimum_ = INT64_MAX;
  std::int64_t maximum_ = 0;
};

}  // namespace weir::metrics
