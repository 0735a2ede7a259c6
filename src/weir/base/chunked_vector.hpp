#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "weir/base/huge_pages.hpp"

namespace weir {

/// A vector for millions of small objects that grows without being copied, which would need half as
/// much memory again while it lasts: in chunks of 2^kBits objects, of which the first one alone
/// grows as vectors do. References to objects stay valid when the first chunk is full.
template <class T, unsigned kBits>
class ChunkedVector {
 public:
  [[nodiscard]] std::size_t size() const {
    return chunks_.empty() ? 0 : ((chunks_.size() - 1) << kBits) + chunks_.back().size();
  }
  T& operator[](std::size_t i) { return chunks_[i >> kBits][i & kMask]; }
  const T& operator[](std::size_t i) const { return chunks_[i >> kBits][i & kMask]; }
  T& emplace_back() {
    if (chunks_.empty() || chunks_.back().size() > kMask) add_chunk();
    return chunks_.back().emplace_back();
  }
  /// Has at least as many objects as `size`, new ones made without arguments.
  void grow_to(std::size_t size) {
    while (this->size() < size) {
      if (chunks_.empty() || chunks_.back().size() > kMask) add_chunk();
      HugeVector<T>& last = chunks_.back();
      last.resize(std::min(last.size() + (size - this->size()), kMask + 1));
    }
  }
  /// Many will come: the first chunk does not grow, either.
  void expect_many() {
    if (chunks_.empty()) chunks_.emplace_back().reserve(kMask + 1);
  }
  /// Bytes of memory held.
  [[nodiscard]] std::size_t memory() const {
    std::size_t objects = 0;
    for (const HugeVector<T>& chunk : chunks_) objects += chunk.capacity();
    return objects * sizeof(T);
  }

 private:
  static constexpr std::size_t kMask = (std::size_t{1} << kBits) - 1;

  void add_chunk() {
    const bool is_first = chunks_.empty();
    chunks_.emplace_back();
    if (!is_first) chunks_.back().reserve(kMask + 1);
  }

  std::vector<HugeVector<T>> chunks_;
};

}  // namespace weir
