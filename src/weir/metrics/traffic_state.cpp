#include "weir/metrics/traffic_state.hpp"

#include <algorithm>

namespace weir::metrics {

namespace {

/// Adds the values of flows under their numbers.
template <class T, class Add>
void add_up(std::vector<T>& sum, const std::vector<T>& values,
            std::span<const std::uint32_t> numbers, Add add_one) {
  const std::size_t count = std::min(values.size(), numbers.size());
  for (std::size_t f = 0; f < count; ++f) {
    const std::uint32_t number = numbers[f];
    if (values[f] == T{} || number == TrafficState::kNotHere) continue;
    if (number >= sum.size()) sum.resize(number + 1);
    sum[number] = add_one(sum[number], values[f]);
  }
}

std::int64_t sum_of(std::int64_t a, std::int64_t b) { return a + b; }
std::uint8_t larger_of(std::uint8_t a, std::uint8_t b) { return std::max(a, b); }

}  // namespace

void TrafficState::merge(const TrafficState& other, std::span<const std::uint32_t> numbers) {
  for (std::size_t r = 0; r < records.size(); ++r) records[r].merge(other.records[r]);
  if (slices) slices->merge(*other.slices);
  if (earlier) earlier->merge(*other.earlier);
  merge_flows(other, numbers);
}

void TrafficState::merge_flows(const TrafficState& other, std::span<const std::uint32_t> numbers) {
  if (earlier) {
    for (std::size_t g = 0; g < earlier->closed().size(); ++g)
      add_up(earlier->flow_delivered(g), other.earlier->closed()[g].flow_delivered, numbers,
             sum_of);
  }
  add_up(victim_by_flow, other.victim_by_flow, numbers, larger_of);
  add_up(flow_delivered, other.flow_delivered, numbers, sum_of);
  add_up(flow_seen, other.flow_seen, numbers, larger_of);
}

void TrafficState::forget_flows() {
  victim_by_flow.clear();
  flow_delivered.clear();
  flow_seen.clear();
  if (!earlier) return;
  for (std::size_t g = 0; g < earlier->closed().size(); ++g) earlier->flow_delivered(g).clear();
}

}  // namespace weir::metrics
