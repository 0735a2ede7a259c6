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
  adapted_delivered += other.adapted_delivered;
  adapted_innocent += other.adapted_innocent;
  packets_lost += other.packets_lost;
  reorder_depth_sum += other.reorder_depth_sum;
  reorder_depth_max = std::max(reorder_depth_max, other.reorder_depth_max);
  last_delivery = std::max(last_delivery, other.last_delivery);
}

void TrafficTotals::merge(const TrafficTotals& other) {
  generated += other.generated;
  injected += other.injected;
  delivered += other.delivered;
  packets += other.packets;
  latency += other.latency;
  network_latency += other.network_latency;
  messages += other.messages;
  message_latency += other.message_latency;
}

TrafficTotals TrafficTotals::since(const TrafficTotals& earlier) const {
  TrafficTotals out = *this;
  out.generated -= earlier.generated;
  out.injected -= earlier.injected;
  out.delivered -= earlier.delivered;
  out.packets -= earlier.packets;
  out.latency -= earlier.latency;
  out.network_latency -= earlier.network_latency;
  out.messages -= earlier.messages;
  out.message_latency -= earlier.message_latency;
  return out;
}

void CompletionRecord::merge(const CompletionRecord& other) {
  generated += other.generated;
  time.merge(other.time);
  slowdown.merge(other.slowdown);
}

void CompletionRecord::clear() {
  generated = 0;
  time.clear();
  slowdown.clear();
}

void WindowRecord::merge(const WindowRecord& other) {
  latency.merge(other.latency);
  network_latency.merge(other.network_latency);
  message_latency.merge(other.message_latency);
  generated += other.generated;
  injected += other.injected;
  delivered += other.delivered;
  if (source_delivered.size() < other.source_delivered.size()) {
    source_delivered.resize(other.source_delivered.size(), -1);
  }
  for (std::size_t h = 0; h < other.source_delivered.size(); ++h) {
    if (other.source_delivered[h] < 0) continue;
    source_delivered[h] =
        std::max<std::int64_t>(source_delivered[h], 0) + other.source_delivered[h];
  }
  if (completions.size() < other.completions.size()) completions.resize(other.completions.size());
  for (std::size_t s = 0; s < other.completions.size(); ++s) {
    completions[s].merge(other.completions[s]);
  }
}

void WindowRecord::clear() {
  latency.clear();
  network_latency.clear();
  message_latency.clear();
  generated = injected = delivered = 0;
  for (std::int64_t& bytes : source_delivered) bytes = std::min<std::int64_t>(bytes, 0);
  for (CompletionRecord& completion : completions) completion.clear();
}

TrafficTotals ClassRecord::totals() const {
  const auto unsigned_of = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
  return {unsigned_of(counts.bytes_generated),
          unsigned_of(counts.bytes_injected),
          unsigned_of(counts.bytes_delivered),
          unsigned_of(counts.packets_delivered),
          latency_sum,
          network_latency_sum,
          unsigned_of(counts.messages_completed),
          message_latency_sum};
}

void ClassRecord::merge(const ClassRecord& other) {
  counts.merge(other.counts);
  bins.merge(other.bins);
  latency_sum += other.latency_sum;
  network_latency_sum += other.network_latency_sum;
  message_latency_sum += other.message_latency_sum;
  window.merge(other.window);
}

}  // namespace weir::metrics
