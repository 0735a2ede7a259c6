#include "weir/metrics/occupancy_monitor.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace weir::metrics {

namespace {

/// Cabled ports of switches: each has an ingress buffer, and of cioq switches an egress buffer.
std::size_t buffered_ports(const topology::Graph& graph) {
  const auto& ports = graph.ports();
  return static_cast<std::size_t>(std::count_if(
      ports.begin(), ports.end(),
      [&](const topology::Port& port) { return port.from.valid() && !graph.is_host(port.node); }));
}

}  // namespace

OccupancyMonitor::Sample OccupancyMonitor::read(Time at, const fabric::Fabric& fabric) {
  const fabric::Fabric::Waited waited = fabric.waited();
  now_.at = at;
  now_.ingress += static_cast<double>(waited.ingress - before_.ingress);
  now_.egress += static_cast<double>(waited.egress - before_.egress);
  before_ = waited;
  return now_;
}

void OccupancyMonitor::sample(const fabric::Fabric& fabric, Time now, Time period) {
  if (samples_.empty()) period_ = period;
  samples_.push_back(read(now, fabric));
}

void OccupancyMonitor::open_window(const fabric::Fabric& fabric, Time now) {
  opening_ = read(now, fabric);
}

void OccupancyMonitor::report(const fabric::Fabric& fabric, Time warm_up, RunResult& result) {
  if (samples_.empty()) return;
  Sample begin;
  if (opening_ && opening_->at == warm_up) {
    begin = *opening_;
  } else if (warm_up > Time(0)) {
    const auto first = std::find_if(samples_.begin(), samples_.end(),
                                    [&](const Sample& sample) { return sample.at >= warm_up; });
    begin = first == samples_.end() ? samples_.back() : *first;
  }
  const Sample& end = samples_.back();
  const auto add = [&](std::string_view metric, double unit, auto part) {
    const auto mean = [&](const Sample& from, const Sample& to) {
      return (part(to) - part(from)) / static_cast<double>((to.at - from.at).count) / unit;
    };
    if (end.at > begin.at) result.add_scalar(metric, "", mean(begin, end));
    std::vector<double> values;
    Sample before;
    for (const Sample& sample : samples_) {
      values.push_back(mean(before, sample));
      before = sample;
    }
    result.add_series(metric, "", samples_.front().at - period_, period_, std::move(values));
  };
  const fabric::FabricSettings& settings = fabric.settings();
  const auto ports = static_cast<double>(buffered_ports(fabric.graph()));
  const int classes = settings.memory == fabric::Memory::split ? fabric.buffer_classes() : 1;
  const double ingress = ports * static_cast<double>(fabric.buffer_capacity().count * classes);
  add("queued", 1, [](const Sample& s) { return s.ingress + s.egress; });
  add("buffer_occupancy_mean", ingress, [](const Sample& s) { return s.ingress; });
  if (settings.architecture != fabric::Architecture::cioq) return;
  add("egress_occupancy_mean", ports * static_cast<double>(settings.egress_buffer.count),
      [](const Sample& s) { return s.egress; });
}

}  // namespace weir::metrics
