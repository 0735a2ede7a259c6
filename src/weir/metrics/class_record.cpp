#include "weir/metrics/class_record.hpp"

namespace weir::metrics {

void TrafficCounts::merge(const TrafficCounts& other) {
  messages_generated += other.messages_generated;
  messages_refused += other.messages_refused;
  messages_completed += other.messages_completed;
  bytes_generated += other.bytes_generated;
  bytes_refused += other.bytes_refused;
  packets_injected += other.packets_injected;
  bytes_injected += other.bytes_injected;
  packets_delivered += other.packets_delivered;
  bytes_delivered += other.bytes_delivered;
  out_of_order += other.out_of_order;
  reorder_depth_sum += other.reorder_depth_sum;
  reorder_depth_max = std::max(reorder_depth_max, other.reorder_depth_max);
  last_delivery = std::max(last_delivery, other.last_delivery);
}

void ClassRecord::merge(const ClassRecord& other) {
  counts.merge(other.counts);
  bins.merge(other.bins);
  latency.merge(other.latency);
  network_latency.merge(other.network_latency);
  message_latency.merge(other.message_latency);
  window_generated += other.window_generated;
  window_injected += other.window_injected;
  window_delivered += other.window_delivered;
  if (source_delivered.size() < other.source_delivered.size()) {
    source_delivered.resize(other.source_delivered.size(), -1);
  }
  for (std::size_t h = 0; h < other.source_delivered.size(); ++h) {
    if (other.source_delivered[h] < 0) continue;
    source_delivered[h] =
        std::max<std::int64_t>(source_delivered[h], 0) + other.source_delivered[h];
  }
}

}  // namespace weir::metrics
