#pragma once

#include <cstdint>
#include <string>

namespace weir::metrics {

/// What a traffic class is by ground truth: hot traffic makes the congestion, cold traffic does
/// not.
enum class Role : std::uint8_t { plain, hot, cold };

/// A traffic class of the experiment; its index is Packet::traffic_class.
struct TrafficClass {
  std::string name;
  Role role = Role::plain;
};

}  // namespace weir::metrics
