#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weir/metrics/class_record.hpp"
#include "weir/metrics/traffic_slices.hpp"

namespace weir::metrics {

/// All that a TrafficRecorder has seen: numbers and arrays of numbers alone. Everything in it is a
/// sum, a largest value or a set, in whole numbers, so that what is seen in several parts of a
/// network can be put together, in any order, to what one recorder would have seen.
struct TrafficState {
  std::vector<ClassRecord> records;          ///< the classes, then the victims
  std::optional<TrafficSlices> slices;       ///< for estimates
  std::optional<WindowGroups> earlier;       ///< where the window's begin is not known yet
  std::vector<std::uint8_t> victim_by_flow;  ///< 0 unknown, 1 no, 2 yes
  std::vector<std::int64_t> flow_delivered;  ///< per flow, payload in the window
  std::vector<std::uint8_t> flow_seen;       ///< per flow, generated something

  /// Adds that of another part, up to the same moment, whose slices have ended up to there.
  /// `numbers`: of its flows here; empty: what is known of single flows is left out.
  void merge(const TrafficState& other, std::span<const std::uint32_t> numbers);
  /// In place of the number of a flow: it is left out.
  static constexpr std::uint32_t kNotHere = UINT32_MAX;
  /// Adds what is known of single flows alone.
  void merge_flows(const TrafficState& other, std::span<const std::uint32_t> numbers);
  /// Forgets what is known of single flows.
  void forget_flows();
  /// Into a state of the same settings.
  template <class Archive>
  void serialize(Archive& archive) {
    for (ClassRecord& record : records) archive(record);
    if (slices) archive(*slices);
    if (earlier) archive(*earlier);
    archive(victim_by_flow, flow_delivered, flow_seen);
  }
};

}  // namespace weir::metrics
