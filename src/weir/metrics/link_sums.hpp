#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace weir::metrics {

/// What a sample finds in some links and buffers, added up. Whole numbers alone: what it comes to
/// does not depend on who added up what, so that each thread and each process takes its own ports.
struct LinkSums {
  /// Groups that link_group() tells apart.
  static constexpr std::size_t kMostGroups = 6;

  /// Links of a group; ps of the sampling period.
  struct Group {
    std::int64_t busy = 0;
    std::int64_t busy_max = 0;
    std::int64_t wait = 0;
    std::int64_t wait_max = 0;

    void add(std::int64_t link_busy, std::int64_t link_wait) {
      *this += {link_busy, link_busy, link_wait, link_wait};
    }
    Group& operator+=(const Group& other) {
      busy += other.busy;
      busy_max = std::max(busy_max, other.busy_max);
      wait += other.wait;
      wait_max = std::max(wait_max, other.wait_max);
      return *this;
    }
  };
  /// Buffers of one size.
  struct Buffers {
    std::int64_t bytes = 0;
    std::int64_t fullest = 0;  ///< bytes
    std::int64_t used = 0;     ///< buffers that hold something

    void add(std::int64_t stored) { *this += {stored, stored, stored > 0 ? 1 : 0}; }
    Buffers& operator+=(const Buffers& other) {
      bytes += other.bytes;
      fullest = std::max(fullest, other.fullest);
      used += other.used;
      return *this;
    }
    /// Shares of `capacity`; 0 without bound.
    [[nodiscard]] double fullest_share(std::int64_t capacity) const {
      return capacity > 0 ? static_cast<double>(fullest) / static_cast<double>(capacity) : 0.0;
    }
    /// Mean over those that hold something.
    [[nodiscard]] double used_share(std::int64_t capacity) const {
      if (capacity <= 0 || used == 0) return 0;
      return static_cast<double>(bytes) /
             (static_cast<double>(capacity) * static_cast<double>(used));
    }
  };

  std::array<Group, kMostGroups> groups;
  std::int64_t queued = 0;  ///< bytes, for outputs of switches
  Buffers ingress;          ///< of switches
  Buffers egress;

  LinkSums& operator+=(const LinkSums& other) {
    for (std::size_t g = 0; g < groups.size(); ++g) groups[g] += other.groups[g];
    queued += other.queued;
    ingress += other.ingress;
    egress += other.egress;
    return *this;
  }
};

}  // namespace weir::metrics
