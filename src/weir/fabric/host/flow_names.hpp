#pragma once

#include <cstddef>
#include <cstdint>

#include "weir/base/chunked_vector.hpp"

namespace weir::fabric {

/// Source and destination of millions of flows, by their numbers: 4 bytes each where hosts have
/// numbers below 65,536, else 8.
class FlowNames {
 public:
  struct Name {
    std::uint32_t source = 0;
    std::uint32_t destination = 0;

    bool operator==(const Name&) const = default;
  };

  explicit FlowNames(std::size_t hosts) : is_short_(hosts <= (std::size_t{1} << kShort)) {}

  [[nodiscard]] Name operator[](std::uint32_t flow) const {
    if (!is_short_) return long_[flow];
    const std::uint32_t both = short_[flow];
    return {both >> kShort, both & ((1U << kShort) - 1)};
  }
  void set(std::uint32_t flow, Name name) {
    if (is_short_) {
      short_[flow] = name.source << kShort | name.destination;
    } else {
      long_[flow] = name;
    }
  }
  /// New ones are called 0 to 0.
  void grow_to(std::size_t flows) {
    if (is_short_) {
      short_.grow_to(flows);
    } else {
      long_.grow_to(flows);
    }
  }
  void expect_many() {
    if (is_short_) {
      short_.expect_many();
    } else {
      long_.expect_many();
    }
  }
  [[nodiscard]] std::size_t memory() const { return short_.memory() + long_.memory(); }

 private:
  static constexpr unsigned kShort = 16;  ///< bits of a host's number

  bool is_short_;
  ChunkedVector<std::uint32_t, 19> short_;
  ChunkedVector<Name, 18> long_;
};

}  // namespace weir::fabric
