#pragma once

#include <cstdint>

namespace weir::engine {

/// A hash of a set of (time, what) facts that does not depend on the order in which they are added,
/// so that partitions can add up theirs. Two runs with the same trajectory have the same value.
class Fingerprint {
 public:
  void add(std::int64_t time, std::uint64_t what) {
    std::uint64_t h = static_cast<std::uint64_t>(time) * 0x9e3779b97f4a7c15ULL ^ what;
    h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93ULL;
    sum_ += h ^ (h >> 29);
  }
  void add(const Fingerprint& other) { sum_ += other.sum_; }
  Fingerprint& operator+=(const Fingerprint& other) {
    add(other);
    return *this;
  }
  [[nodiscard]] std::uint64_t value() const { return sum_; }

 private:
  std::uint64_t sum_ = 0;
};

}  // namespace weir::engine
