#include "weir/isolation/checkpoint.hpp"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "weir/isolation/flow_map.hpp"

namespace weir::isolation {

void InputFlags::checkpoint(StateArchive& state) {
  std::vector<fabric::PortMask> others;
  if (others_ != nullptr) others = *others_;
  state(first_, others);
  if (!state.is_reading()) return;
  others_.reset();
  if (!others.empty()) others_ = std::make_unique<std::vector<fabric::PortMask>>(std::move(others));
}

void Line::checkpoint(StateArchive& state) {
  state(name, parent, allocated_at, retry_up_at, timer_at, root, output, queue, hops, is_valid,
        is_leaf, is_owed, is_root, notified_up, xoff_sent, xoff_received, stops_inside,
        stopped_inside, owes_inside, passed_inside, notified_in, barriers, needed_for);
}

void SetAside::checkpoint(fabric::NodeState& state) {
  of_sides(state, sides_, 1);
  of_sides(state, lines_, settings_.lines);
  state.of_ports(root_notified_, classes_);
  state.of_ports(retry_in_, classes_ * (settings_.lines + std::size_t{1}) * degree_);
  state.of_ports(outputs_, classes_);
  state.of_host(changes_);
  if (!state.is_reading()) return;
  const std::int64_t now = clock_.now().count;
  std::int64_t in_use = 0;
  std::int64_t in_them = 0;
  for (std::uint32_t port = state.first_port(); port < state.end_port(); ++port) {
    for (std::uint16_t buffer = 0; buffer < classes_; ++buffer) {
      for (const Side side : {Side::ingress(port, buffer), Side::egress(port, buffer)}) {
        in_use += std::popcount(valid(side));
        if (is_relay(side)) continue;
        for (std::uint64_t left = valid(side); left != 0; left &= left - 1)
          in_them += bytes(side, line(side, static_cast<std::uint32_t>(std::countr_zero(left))));
      }
    }
  }
  counters_.in_use += static_cast<std::uint64_t>(in_use);
  counters_.bytes += static_cast<std::uint64_t>(in_them);
  counters_.changed = now;
  counters_.queue_peak.share(in_use, now);
  counters_.byte_peak.share(in_them, now);
}

void SetAside::checkpoint_totals(fabric::TotalState& state) {
  state.sum(counters_.allocations, counters_.releases, counters_.refusals_full,
            counters_.refusals_specific, counters_.detections, counters_.notifications,
            counters_.control_messages, counters_.control_bytes);
  if (!state.is_reading()) {
    counters_.queue_time = queue_time(counters_, clock_.now());
    counters_.byte_time = byte_time(counters_, clock_.now());
    counters_.changed = clock_.now().count;
  }
  state.sum(counters_.queue_time, counters_.byte_time);
  state.most(counters_.side_max);
  counters_.queue_peak.checkpoint_totals(state);
  counters_.byte_peak.checkpoint_totals(state);
}

// --- FBICM

void FlowMap::checkpoint(StateArchive& state, std::size_t destinations) {
  std::vector<std::pair<std::uint32_t, std::uint8_t>> known;
  for (std::uint32_t d = 0; d < destinations && is_made(); ++d)
    if (lines_[d] != kNone) known.emplace_back(d, lines_[d]);
  state(known);
  if (!state.is_reading()) return;
  for (const auto& [destination, line] : known) set(destination, line, destinations);
}

void MappedFlow::checkpoint(StateArchive& state) { state(destination, told_up, told_inputs); }

void MappedFlows::checkpoint(StateArchive& state) { state(flows_); }

}  // namespace weir::isolation
