#include <cmath>

#include "weir/report/page/network.hpp"
#include "weir/report/page/run.hpp"

namespace weir::report {

using nlohmann::json;

namespace {

json time_or_null(const std::optional<Time>& time) {
  return time ? json(to_nanoseconds(*time)) : json(nullptr);
}

json count_or_null(const topology::LinkCount& count, double factor) {
  if (count.state != topology::CounterState::counted) return nullptr;
  return page_number(static_cast<double>(count.count) * factor);
}

json agreement_of(const metrics::Agreement& agreement) {
  return {{"spearman", page_number(agreement.coefficient)}, {"links", agreement.links}};
}

}  // namespace

json measured_to_json(const topology::Graph& graph, const topology::SubnetCounters& counters,
                      const topology::CounterFiles& files) {
  json bytes = json::array();
  json ticks = json::array();
  // As Topology.ports: the cabled ones in the order of the graph.
  for (std::size_t p = 0; p < graph.port_count(); ++p) {
    if (!graph.port(PortId(p)).to.valid()) continue;
    bytes.push_back(count_or_null(counters.links[p].words, topology::kBytesPerWord));
    ticks.push_back(count_or_null(counters.links[p].ticks, 1));
  }
  return {{"after", files.after},
          {"before", files.before},
          {"interval_ns", time_or_null(files.interval)},
          {"tick_ns", time_or_null(files.tick)},
          {"bytes", std::move(bytes)},
          {"ticks", std::move(ticks)}};
}

json agreement_to_json(const metrics::LinkComparison& comparison) {
  return {{"wait", agreement_of(comparison.wait)},
          {"sent", agreement_of(comparison.sent)},
          {"notes", comparison.notes}};
}

}  // namespace weir::report
