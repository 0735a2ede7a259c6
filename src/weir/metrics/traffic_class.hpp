#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weir/base/units.hpp"

namespace weir::metrics {

/// What a traffic class is by ground truth: hot traffic makes the congestion, cold traffic does
/// not.
enum class Role : std::uint8_t { plain, hot, cold };

/// A traffic class of the experiment; its index is Packet::traffic_class.
struct TrafficClass {
  std::string name;
  Role role = Role::plain;
};

/// Traffic that is reported together under one label.
struct TrafficGroup {
  std::string label;
  std::vector<std::size_t> members;  ///< classes by index
};
/// All traffic (""), "hot", "cold", "victim" and every class; a class alone, or one named after its
/// role, is told once. Victims count as one class more, after the others.
std::vector<TrafficGroup> traffic_groups(const std::vector<TrafficClass>& classes,
                                         bool has_victims);

/// Messages of which sizes class `number` is, from the largest payload of each class but the last,
/// ascending: "<= 10 KB", "10 KB to 1 MB" (more than 10 KB, at most 1 MB), "> 1 MB".
std::string size_class_label(const std::vector<Bytes>& sizes, std::size_t number);

}  // namespace weir::metrics
