#include "weir/metrics/recorder.hpp"

#include "weir/metrics/monitors.hpp"

namespace weir::metrics {

Recorder::Recorder(const topology::Graph& graph, const RecorderSettings& settings)
    : traffic_(graph, settings.traffic),
      monitors_(make_monitors(graph, settings)),
      recovery_(settings.recovery) {
  for (const auto& monitor : monitors_)
    if (monitor->watches_deliveries()) watch_deliveries_.push_back(monitor.get());
}

void Recorder::on_sample(const fabric::Fabric& fabric, Time now) {
  if (now <= sampled_) return;
  for (const auto& monitor : monitors_) monitor->sample(fabric, now, now - sampled_);
  sampled_ = now;
}

void Recorder::begin_window(const fabric::Fabric& fabric) {
  for (const auto& monitor : monitors_) monitor->open_window(fabric, fabric.now());
}

RunResult Recorder::finish(const fabric::Fabric& fabric, double wall_seconds) {
  on_sample(fabric, fabric.now());
  RunResult result;
  traffic_.report(fabric.now(), result);
  if (recovery_) report_recovery(fabric.now(), *recovery_, result);
  const Time warm_up = traffic_.window_start(fabric.now());
  for (const auto& monitor : monitors_) monitor->report(fabric, warm_up, result);
  result.add_run(fabric.counters().events, fabric.counters().packet_hops, fabric.now(),
                 wall_seconds);
  result.fingerprint = fabric.fingerprint();
  return result;
}

}  // namespace weir::metrics
