#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "weir/fabric/hooks/selection.hpp"

namespace weir::selection {

/// Different outputs drawn at random, every one equally likely.
class Sample {
 public:
  /// Draws `count` of `from`, or all of them where there are no more, without `left_out`.
  Sample(std::span<const routing::Candidate> from, std::size_t count, RandomStream& random,
         const routing::Candidate* left_out = nullptr) {
    for (const routing::Candidate& candidate : from) {
      if (left_out == nullptr || candidate != *left_out) items_[size_++] = candidate;
    }
    const std::size_t wanted = std::min(count, size_);
    for (std::size_t k = 0; k < wanted; ++k) {
      std::swap(items_[k], items_[k + random.below(size_ - k)]);
    }
    size_ = wanted;
  }

  [[nodiscard]] std::span<const routing::Candidate> view() const { return {items_.data(), size_}; }

 private:
  std::size_t size_ = 0;
  std::array<routing::Candidate, 256> items_;
};

}  // namespace weir::selection
