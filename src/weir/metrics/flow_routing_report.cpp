#include "weir/metrics/flow_routing_report.hpp"

namespace weir::metrics {

void report_flow_routing(RunResult& result, const fabric::FlowRouting& flow_routing) {
  const fabric::FlowRoutingCounters counters = flow_routing.counters();
  const auto add = [&](std::string_view metric, double value) {
    result.add_scalar(metric, "", value);
  };
  add("flow_set_ups", static_cast<double>(counters.set_ups));
  add("flow_tear_downs", static_cast<double>(counters.tear_downs));
  add("flow_control_bytes", static_cast<double>(counters.control_bytes));
  add("port_choices", static_cast<double>(counters.routed));
  add("port_choices_diverted", static_cast<double>(counters.diverted));
  add("route_cache_full", static_cast<double>(counters.cache_full));
  add("route_cache_entries_max", static_cast<double>(counters.entries_max));
  add("route_cache_entries_left", static_cast<double>(counters.entries));
  if (counters.completed_set_ups == 0) return;
  add("flow_set_up_mean",
      to_nanoseconds(counters.set_up_time) / static_cast<double>(counters.completed_set_ups));
  add("flow_set_up_max", to_nanoseconds(counters.longest_set_up));
}

}  // namespace weir::metrics
