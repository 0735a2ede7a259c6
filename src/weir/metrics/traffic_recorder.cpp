#include "weir/metrics/traffic_recorder.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace weir::metrics {

namespace {

std::size_t foreseen_bins(const TrafficRecorderSettings& settings) {
  if (settings.bin.count <= 0) throw std::invalid_argument("the width of a bin must be positive");
  return TimeBins(settings.bin).count(settings.foreseen_end) + 1;
}

/// What all links into hosts can carry.
Rate rate_into_hosts(const topology::Graph& graph) {
  Rate sum;
  for (std::size_t h = 0; h < graph.host_count(); ++h) {
    const PortId from = graph.port(graph.host_port(HostId(h))).from;
    if (from.valid()) sum += graph.port(from).link.rate;
  }
  return sum;
}

template <class T>
T& grown(std::vector<T>& values, std::size_t index) {
  if (index >= values.size()) values.resize(std::max(index + 1, values.size() * 2));
  return values[index];
}

}  // namespace

TrafficRecorder::TrafficRecorder(const topology::Graph& graph, TrafficRecorderSettings settings)
    : settings_(std::move(settings)), bins_(settings_.bin), capacity_(rate_into_hosts(graph)) {
  state_.records.reserve(settings_.classes.size() + 1);
  for (std::size_t c = 0; c < settings_.classes.size(); ++c) {
    state_.records.emplace_back(foreseen_bins(settings_));
  }
  state_.records.emplace_back(settings_.is_victim ? foreseen_bins(settings_) : 0);
  const std::size_t size_classes = settings_.timing ? settings_.sizes.size() + 1 : 0;
  if (settings_.timing) ideal_times_.emplace(settings_.timing);
  for (ClassRecord& record : state_.records) {
    record.window.source_delivered.assign(graph.host_count(), -1);
    record.window.completions.resize(size_classes);
  }
  if (!settings_.estimate && !settings_.detect_warm_up) return;
  if (settings_.detect_warm_up && settings_.warm_up != Time(0)) {
    throw std::invalid_argument("a warm-up is either set or detected");
  }
  state_.slices.emplace(state_.records.size(), settings_.warm_up);
  totals_.resize(state_.records.size());
  next_slice_ = state_.slices->next();
  if (settings_.detect_warm_up) {
    state_.earlier.emplace(state_.records.size(), graph.host_count(), size_classes);
  }
}

void TrafficRecorder::unite(std::span<const TrafficState* const> parts,
                            std::span<const std::vector<std::uint32_t>> numbers) {
  const auto numbers_of = [&](std::size_t part) {
    return numbers.empty() ? std::span<const std::uint32_t>() : std::span(numbers[part]);
  };
  state_ = *parts.front();
  state_.forget_flows();
  state_.merge_flows(*parts.front(), numbers_of(0));
  for (std::size_t part = 1; part < parts.size(); ++part)
    state_.merge(*parts[part], numbers_of(part));
  if (has_slices()) next_slice_ = state_.slices->next();
}

void TrafficRecorder::resume(const TrafficState& seen, bool takes_totals,
                             std::span<const std::uint32_t> numbers) {
  if (takes_totals) {
    state_ = seen;
    state_.forget_flows();
  } else {
    if (seen.slices) state_.slices = seen.slices->emptied();
    if (seen.earlier) state_.earlier->skip(seen.earlier->closed().size());
  }
  state_.merge_flows(seen, numbers);
  if (has_slices()) next_slice_ = state_.slices->next();
}

void TrafficRecorder::end_slices(Time now) {
  for (std::size_t r = 0; r < totals_.size(); ++r) totals_[r] = state_.records[r].totals();
  while (now >= next_slice_) {
    const std::size_t before = state_.slices->count();
    const bool is_collapsed = state_.slices->close(totals_);
    next_slice_ = state_.slices->next();
    if (!state_.earlier) continue;
    const bool is_group = is_collapsed || (state_.slices->count() > before &&
                                           state_.slices->count() % WindowGroups::kSlices == 0);
    if (is_group) state_.earlier->close(state_.records, state_.flow_delivered);
    if (is_collapsed) state_.earlier->collapse();
  }
}

bool TrafficRecorder::is_victim(const fabric::Message& message) {
  if (!settings_.is_victim || settings_.classes[message.traffic_class].role != Role::cold) {
    return false;
  }
  std::uint8_t& known = grown(state_.victim_by_flow, message.flow);
  if (known == 0) known = is_found_a_victim(message) ? 2 : 1;
  return known == 2;
}

bool TrafficRecorder::is_found_a_victim(const fabric::Message& message) const {
  return settings_.is_victim && settings_.classes[message.traffic_class].role == Role::cold &&
         settings_.is_victim(HostId(message.source), HostId(message.destination));
}

template <class Add>
void TrafficRecorder::add_to_records(const fabric::Message& message, Add add) {
  // There is one place that calls add(): it is worth inlining.
  ClassRecord* record = &state_.records[message.traffic_class];
  while (record != nullptr) {
    add(*record);
    record = is_victim(message) && record != &victims() ? &victims() : nullptr;
  }
}

void TrafficRecorder::on_generated(const fabric::Message& message, Time now) {
  keep_up(now);
  const Time at(message.generated);
  const std::size_t bin = bins_.at(at);
  add_to_records(message, [&](ClassRecord& record) {
    ++record.counts.messages_generated;
    record.counts.bytes_generated += message.bytes;
    record.bins.at(bin).generated += message.bytes;
    if (at >= settings_.warm_up) record.window.generated += message.bytes;
    std::int64_t& delivered = record.window.source_delivered[message.source];
    delivered = std::max<std::int64_t>(delivered, 0);
  });
  if (ideal_times_) count_generated(message);
  if (settings_.per_flow) grown(state_.flow_seen, message.flow) = 1;
}

void TrafficRecorder::on_refused(HostId /*source*/, const fabric::MessageRequest& request,
                                 std::uint8_t traffic_class) {
  TrafficCounts& counts = state_.records[traffic_class].counts;
  ++counts.messages_refused;
  counts.bytes_refused += request.size.count;
}

void TrafficRecorder::on_injected(const fabric::Packet& packet, const fabric::Message& message) {
  if (packet.is_ack()) return;
  const Time at(packet.injected);
  keep_up(at);
  const std::size_t bin = bins_.at(at);
  const std::int64_t payload = packet.size - settings_.header.count;
  add_to_records(message, [&](ClassRecord& record) {
    ++record.counts.packets_injected;
    record.counts.bytes_injected += payload;
    record.bins.at(bin).injected += payload;
    if (at >= settings_.warm_up) record.window.injected += payload;
  });
}

void TrafficRecorder::on_delivered(const fabric::Packet& packet, const fabric::Message& message,
                                   Time now, bool in_order) {
  if (packet.is_ack()) return;
  keep_up(now);
  const std::size_t bin_index = bins_.at(now);
  const std::int64_t payload = packet.size - settings_.header.count;
  const std::int64_t latency = now.count - message.generated;
  const std::int64_t network = now.count - packet.injected;
  const bool measured = now >= settings_.warm_up;
  const std::vector<HostId>& hot = settings_.hot_destinations;
  const bool is_innocent = packet.is_adapted() &&
                           !std::binary_search(hot.begin(), hot.end(), HostId(message.destination));
  add_to_records(message, [&](ClassRecord& record) {
    ++record.counts.packets_delivered;
    record.counts.adapted_delivered += packet.is_adapted() ? 1 : 0;
    record.counts.adapted_innocent += is_innocent ? 1 : 0;
    record.counts.bytes_delivered += payload;
    record.counts.last_delivery = now.count;
    record.latency_sum += static_cast<std::uint64_t>(latency);
    record.network_latency_sum += static_cast<std::uint64_t>(network);
    record.bins.at(bin_index).merge({0, 0, payload, 1, latency, latency, network, network});
    if (!measured) return;
    record.window.delivered += payload;
    record.window.latency.record(latency);
    record.window.network_latency.record(network);
    std::int64_t& delivered = record.window.source_delivered[message.source];
    delivered = std::max<std::int64_t>(delivered, 0) + payload;
  });
  if (!in_order) note_late(packet, message);
  if (settings_.per_flow && measured) grown(state_.flow_delivered, message.flow) += payload;
}

void TrafficRecorder::note_late(const fabric::Packet& packet, const fabric::Message& message) {
  TrafficCounts& counts = state_.records[message.traffic_class].counts;
  const std::int64_t depth = static_cast<std::int64_t>(message.newest) - 1 - packet.sequence;
  ++counts.out_of_order;
  counts.reorder_depth_sum += depth;
  counts.reorder_depth_max = std::max(counts.reorder_depth_max, depth);
  if (is_victim(message)) ++victims().counts.out_of_order;
}

void TrafficRecorder::on_lost(const fabric::Packet&, const fabric::Message& message, PortId,
                              Time now) {
  keep_up(now);
  ++state_.records[message.traffic_class].counts.packets_lost;
  // The part of the network that loses a packet may not know its flow by number.
  if (is_found_a_victim(message)) ++victims().counts.packets_lost;
}

void TrafficRecorder::on_message_complete(const fabric::Message& message, Time now) {
  keep_up(now);
  const std::int64_t latency = now.count - message.generated;
  add_to_records(message, [&](ClassRecord& record) {
    ++record.counts.messages_completed;
    record.message_latency_sum += static_cast<std::uint64_t>(latency);
    if (now >= settings_.warm_up) record.window.message_latency.record(latency);
  });
  if (ideal_times_) count_completed(message, latency);
}

// --- Completion times

WindowRecord& TrafficRecorder::window_at(std::size_t record, Time at) {
  if (state_.earlier) {
    const Time stretch = state_.slices->length() * static_cast<std::int64_t>(WindowGroups::kSlices);
    const auto group = static_cast<std::size_t>(at / stretch);
    if (group < state_.earlier->closed().size()) return state_.earlier->window(group, record);
  }
  return state_.records[record].window;
}

template <class Count>
void TrafficRecorder::count_message(const fabric::Message& message, Count count) {
  const Time at(message.generated);
  if (at < settings_.warm_up) return;
  const auto& sizes = settings_.sizes;
  const auto size_class = static_cast<std::size_t>(
      std::lower_bound(sizes.begin(), sizes.end(), Bytes(message.bytes)) - sizes.begin());
  count(window_at(message.traffic_class, at).completions[size_class]);
  if (is_victim(message)) count(window_at(settings_.classes.size(), at).completions[size_class]);
}

void TrafficRecorder::count_generated(const fabric::Message& message) {
  count_message(message, [](CompletionRecord& record) { ++record.generated; });
}

void TrafficRecorder::count_completed(const fabric::Message& message, std::int64_t time) {
  const std::int64_t ideal = ideal_times_->of(message).count;
  const double ratio = static_cast<double>(time) / static_cast<double>(ideal);
  count_message(message, [&](CompletionRecord& record) {
    record.time.record(time);
    if (ideal > 0) record.slowdown.record(std::llround(ratio / CompletionRecord::kSlowdownUnit));
  });
}

}  // namespace weir::metrics
