#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace weir::metrics {

/// Accumulators over consecutive equal slices of time, in fixed memory however long it goes on:
/// when `capacity` slices are full, neighbours are merged pairwise and slices are twice as long
/// from then on. So there are always at least capacity / 2 of them once that many have been seen.
/// Accumulator has merge(). Takes all memory at construction.
template <class Accumulator>
class CollapsingSlices {
 public:
  /// Throws std::invalid_argument unless `capacity` is even and positive.
  explicit CollapsingSlices(std::size_t capacity) : capacity_(capacity) {
    if (capacity == 0 || capacity % 2 != 0) {
      throw std::invalid_argument("a capacity of slices must be even and positive");
    }
    closed_.reserve(capacity);
  }

  /// Adds a slice of the present length. True: slices are twice as long from now on.
  bool push(const Accumulator& slice) {
    closed_.push_back(slice);
    if (closed_.size() < capacity_) return false;
    for (std::size_t i = 0; 2 * i < closed_.size(); ++i) {
      if (i != 0) closed_[i] = closed_[2 * i];
      closed_[i].merge(closed_[2 * i + 1]);
    }
    closed_.resize(closed_.size() / 2);
    scale_ *= 2;
    return true;
  }

  [[nodiscard]] std::span<const Accumulator> closed() const { return closed_; }
  [[nodiscard]] std::span<Accumulator> closed() { return closed_; }
  /// Length of a slice, in lengths of the first one: a power of two.
  [[nodiscard]] std::int64_t scale() const { return scale_; }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(closed_, scale_);
  }

 private:
  std::vector<Accumulator> closed_;
  std::size_t capacity_;
  std::int64_t scale_ = 1;
};

}  // namespace weir::metrics
