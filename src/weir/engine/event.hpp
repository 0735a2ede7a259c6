#pragma once

#include <cstdint>

#include "weir/base/uint128.hpp"

namespace weir::engine {

/// A fixed-size event. The order of events is (time, kind, entity, payload): it does not depend on
/// the container nor on the order of scheduling. The kind is the phase within an instant.
struct Event {
  static constexpr unsigned kEntityBits = 27;
  static constexpr std::uint32_t kEntityMask = (1U << kEntityBits) - 1;
  static constexpr std::uint32_t kMaxKind = (1U << (32 - kEntityBits)) - 1;

  std::int64_t time = 0;      ///< picoseconds
  std::uint32_t payload = 0;  ///< meaning depends on the kind
  std::uint32_t key = 0;      ///< kind in the upper 5 bits, entity below

  Event() = default;
  Event(std::int64_t at, std::uint32_t kind, std::uint32_t entity, std::uint32_t data)
      : time(at), payload(data), key((kind << kEntityBits) | entity) {}

  [[nodiscard]] std::uint32_t kind() const { return key >> kEntityBits; }
  [[nodiscard]] std::uint32_t entity() const { return key & kEntityMask; }

  bool operator==(const Event&) const = default;
};

static_assert(sizeof(Event) == 16);

/// Total order of events. Times are never negative, so one wide comparison does it.
inline bool operator<(const Event& a, const Event& b) {
  const auto wide = [](const Event& e) {
    const auto low = (static_cast<std::uint64_t>(e.key) << 32) | e.payload;
    return (static_cast<Uint128>(static_cast<std::uint64_t>(e.time)) << 64) | low;
  };
  return wide(a) < wide(b);
}

}  // namespace weir::engine
