#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "weir/metrics/histogram.hpp"
#include "weir/metrics/time_series.hpp"

namespace weir::metrics {

/// What happened to one group of traffic in one bin. Latencies in ps, by time of delivery.
struct TrafficBin {
  using PlainState = void;

  std::int64_t generated = 0;  ///< payload bytes
  std::int64_t injected = 0;
  std::int64_t delivered = 0;
  std::int64_t packets = 0;
  std::int64_t latency_sum = 0;
  std::int64_t latency_max = 0;
  std::int64_t network_sum = 0;
  std::int64_t network_max = 0;

  void merge(const TrafficBin& other) {
    generated += other.generated;
    injected += other.injected;
    delivered += other.delivered;
    packets += other.packets;
    latency_sum += other.latency_sum;
    latency_max = std::max(latency_max, other.latency_max);
    network_sum += other.network_sum;
    network_max = std::max(network_max, other.network_max);
  }
};

/// Counts over the whole run.
struct TrafficCounts {
  using PlainState = void;

  std::int64_t messages_generated = 0;
  std::int64_t messages_refused = 0;
  std::int64_t messages_completed = 0;
  std::int64_t bytes_generated = 0;
  std::int64_t bytes_refused = 0;
  std::int64_t packets_injected = 0;
  std::int64_t bytes_injected = 0;
  std::int64_t packets_delivered = 0;
  std::int64_t bytes_delivered = 0;
  std::int64_t out_of_order = 0;
  std::int64_t adapted_delivered = 0;
  std::int64_t adapted_innocent = 0;  ///< of these, to hosts that are not hot
  std::int64_t packets_lost = 0;      ///< for links that were down
  std::int64_t reorder_depth_sum = 0;
  std::int64_t reorder_depth_max = 0;
  std::int64_t last_delivery = 0;  ///< ps

  void merge(const TrafficCounts& other);
};

/// Sums over a stretch of time of one group of traffic, from which steady-state means are made.
/// Unsigned: sums over a whole run may wrap around, differences of them are right all the same.
struct TrafficTotals {
  using PlainState = void;

  std::uint64_t generated = 0;  ///< payload bytes
  std::uint64_t injected = 0;
  std::uint64_t delivered = 0;
  std::uint64_t packets = 0;  ///< delivered
  std::uint64_t latency = 0;  ///< of these packets, ps
  std::uint64_t network_latency = 0;
  std::uint64_t messages = 0;         ///< completed
  std::uint64_t message_latency = 0;  ///< of these messages, ps

  void merge(const TrafficTotals& other);
  [[nodiscard]] TrafficTotals since(const TrafficTotals& earlier) const;
};

/// Messages of one size class: those generated in the measuring window, or in a part of it, and
/// what is known of those of them that are complete.
struct CompletionRecord {
  /// Slowdowns are counted in millionths.
  static constexpr double kSlowdownUnit = 1e-6;

  std::int64_t generated = 0;
  Histogram time;      ///< generation to complete delivery, ps
  Histogram slowdown;  ///< that time over the ideal one

  void merge(const CompletionRecord& other);
  void clear();
  template <class Archive>
  void serialize(Archive& archive) {
    archive(generated, time, slowdown);
  }
};

/// What is recorded of one group of traffic in the measuring window, or in a part of it.
struct WindowRecord {
  Histogram latency;           ///< generation to delivery, ps
  Histogram network_latency;   ///< injection to delivery, ps
  Histogram message_latency;   ///< generation to complete delivery, ps
  std::int64_t generated = 0;  ///< payload bytes
  std::int64_t injected = 0;
  std::int64_t delivered = 0;
  std::vector<std::int64_t> source_delivered;  ///< payload per source host; -1: no source
  std::vector<CompletionRecord> completions;   ///< per size class; empty: not asked for

  void merge(const WindowRecord& other);
  /// Empty again, with the same memory; sources stay known.
  void clear();
  template <class Archive>
  void serialize(Archive& archive) {
    archive(latency, network_latency, message_latency, generated, injected, delivered,
            source_delivered, completions);
  }
};

/// Everything recorded of one group of traffic.
struct ClassRecord {
  explicit ClassRecord(std::size_t foreseen_bins) : bins(foreseen_bins) {}

  TrafficCounts counts;
  TimeSeries<TrafficBin> bins;
  std::uint64_t latency_sum = 0;  ///< over the whole run, see TrafficTotals
  std::uint64_t network_latency_sum = 0;
  std::uint64_t message_latency_sum = 0;
  WindowRecord window;

  /// Since the beginning of the run.
  [[nodiscard]] TrafficTotals totals() const;
  void merge(const ClassRecord& other);
  template <class Archive>
  void serialize(Archive& archive) {
    archive(counts, bins, latency_sum, network_latency_sum, message_latency_sum, window);
  }
};

}  // namespace weir::metrics
