#include "weir/base/state_archive.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "weir/metrics/isolation_monitor.hpp"
#include "weir/metrics/marking_monitor.hpp"
#include "weir/metrics/mechanism_monitor.hpp"
#include "weir/metrics/network_monitor.hpp"
#include "weir/metrics/occupancy_monitor.hpp"
#include "weir/metrics/overhead_monitor.hpp"
#include "weir/metrics/recorder.hpp"

namespace weir::metrics {

// --- Traffic

namespace {

struct FlowName {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint16_t connection = 0;
  bool keeps_rate = false;

  explicit FlowName(const fabric::Flow& flow)
      : source(flow.source),
        destination(flow.destination),
        connection(flow.connection),
        keeps_rate(flow.keeps_rate) {}
  FlowName() = default;
  auto operator<=>(const FlowName&) const = default;
};

}  // namespace

void Recorder::checkpoint_traffic(StateArchive& state, const fabric::Fabric& fabric) {
  const bool tells_flows = traffic_.reports_flows();
  std::vector<FlowName> names;
  TrafficState seen = traffic_.state(fabric.now());
  if (!state.is_reading()) {
    std::vector<std::vector<std::uint32_t>> numbers;
    std::vector<fabric::Flow> flows;
    if (tells_flows) numbers = flow_numbers(fabric, &flows);
    names = std::vector<FlowName>(flows.begin(), flows.end());
    unite(fabric.now(), numbers);
    seen = traffic_.state(fabric.now());
  }
  state(seen, names);
  if (!state.is_reading()) return;
  std::map<FlowName, std::uint32_t> number_of;
  for (std::uint32_t n = 0; n < names.size(); ++n) number_of.emplace(names[n], n);
  const auto numbers_in = [&](std::size_t part) {
    std::vector<std::uint32_t> numbers(names.size(), TrafficState::kNotHere);
    const std::vector<fabric::Flow> flows = fabric.flows_of(part);
    for (std::uint32_t f = 0; f < flows.size() && tells_flows; ++f) {
      if (flows[f].source == fabric::kNone) continue;
      if (!fabric.is_in(part, HostId(flows[f].source))) continue;
      const auto known = number_of.find(FlowName(flows[f]));
      if (known != number_of.end()) numbers[known->second] = f;
    }
    return numbers;
  };
  if (parts_.empty()) traffic_.resume(seen, true, numbers_in(0));
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    const bool is_first = part == 0 && (ranks_ == nullptr || ranks_->rank() == 0);
    parts_[part]->traffic().resume(seen, is_first, numbers_in(part));
  }
}

void Recorder::checkpoint_watcher(StateArchive& state, Monitor& monitor, std::size_t number,
                                  const fabric::Fabric& fabric) {
  if (state.is_reading()) {
    const auto sum = monitor.of_part();
    sum->checkpoint(state, fabric);
    if (ranks_ == nullptr || ranks_->rank() == 0) monitor.add(*sum);
    return;
  }
  const auto sum = monitor.of_part();
  sum->add(monitor);
  for (const auto& part : parts_) sum->add(*part->watchers()[number]);
  if (ranks_ != nullptr) sum->add_other_ranks(*ranks_);
  sum->checkpoint(state, fabric);
}

void Recorder::checkpoint(StateArchive& state, const fabric::Fabric& fabric) {
  checkpoint_traffic(state, fabric);
  for (std::size_t i = 0; i < watch_deliveries_.size(); ++i)
    checkpoint_watcher(state, *watch_deliveries_[i], i, fabric);
  for (const auto& monitor : monitors_)
    if (!monitor->watches_deliveries()) monitor->checkpoint(state, fabric);
  state(sampled_);
}

// --- Monitors

void MarkingMonitor::checkpoint(StateArchive& state, const fabric::Fabric&) { state(records_); }

void OverheadMonitor::checkpoint(StateArchive&, const fabric::Fabric&) {}

void OccupancyMonitor::checkpoint(StateArchive& state, const fabric::Fabric&) {
  state(samples_, opening_, period_, now_, before_);
}

void NetworkMonitor::checkpoint(StateArchive& state, const fabric::Fabric& fabric) {
  if (!state.is_reading()) links_.complete(fabric);
  links_.checkpoint(state);
  trees_.checkpoint(state);
  state(sampled_);
}

void NetworkCounters::checkpoint(StateArchive& state) { state(at, ports); }

void LinkMonitor::GroupSeries::checkpoint(StateArchive& state) {
  state(utilization_mean, utilization_max, wait_mean, wait_max);
}

void LinkMonitor::Opening::checkpoint(StateArchive& state) { state(counters, queued_max); }

void LinkMonitor::checkpoint(StateArchive& state) {
  for (GroupSeries& group : groups_) group.checkpoint(state);
  aimed_links_.checkpoint(state);
  frames_.checkpoint(state);
  state(last_, openings_, samples_an_opening_, times_, period_, has_series_, history_,
        history_given_up_, hot_utilization_, hot_queued_, queued_, occupancy_max_, egress_max_,
        occupancy_used_, egress_used_);
}

void AimedLinks::checkpoint(StateArchive& state) { state(series_, lengths_, ends_); }

void FrameBytes::checkpoint(StateArchive& state) {
  state(times, links, utilization, wait, set_aside);
}

void FrameRecorder::checkpoint(StateArchive& state) {
  state(most_frames_, stride_, samples_, merged_, at_, period_, is_ended_, weight_, utilization_,
        wait_, set_aside_, frames_);
}

void CongestionTree::checkpoint(StateArchive& state) { state(root, branches, depth); }

void TreeTracker::Sample::checkpoint(StateArchive& state) { state(at, ports, hosts, trees); }

void TreeTracker::checkpoint(StateArchive& state) { state(period_, samples_); }

// --- Mechanisms

void MechanismMonitor::Row::checkpoint(StateArchive& state) {
  state(metric, label, traffic_class, form, largest, number);
}

void MechanismMonitor::Sample::checkpoint(StateArchive& state) { state(at, cells); }

void MechanismMonitor::checkpoint(StateArchive& state) {
  state(rows_, samples_, opening_, period_);
  if (!state.is_reading()) return;
  row_of_.clear();
  for (std::size_t r = 0; r < rows_.size(); ++r)
    row_of_[{rows_[r].metric, rows_[r].label, rows_[r].traffic_class}] = r;
}

void MechanismMonitors::checkpoint(StateArchive& state, const fabric::Fabric& fabric) {
  for (MechanismMonitor& one : all(fabric)) one.checkpoint(state);
}

// --- Set-aside queues

void SetAsideTrees::Tree::checkpoint(StateArchive& state) {
  state(root, from, until, allocations, queues, queues_max, hops_max, bytes_max, branches);
}

void SetAsideTrees::checkpoint(StateArchive& state) {
  state(latest_, current_, ended_, begun_, roots_, roots_max_, root_time_, changed_);
}

void IsolationMonitor::checkpoint(StateArchive& state, const fabric::Fabric&) {
  trees_.checkpoint(state);
  state(lifetimes_, instant_, events_, samples_, opening_, hops_max_, period_, history_,
        history_given_up_);
}

}  // namespace weir::metrics
