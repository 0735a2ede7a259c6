#include "weir/metrics/aimed_links.hpp"

#include <cmath>

#include "weir/metrics/statistics.hpp"

namespace weir::metrics {

AimedLinks::AimedLinks(const topology::Graph& graph, const std::vector<HotAim>& aims) {
  for (const HotAim& aim : aims) {
    const PortId into = graph.port(graph.host_port(aim.host)).from;
    if (into.valid()) aims_.push_back({into, aim.start, aim.stop});
  }
}

std::vector<PortId> AimedLinks::ports() const {
  std::vector<PortId> ports;
  for (const Aim& aim : aims_) ports.push_back(aim.into);
  return ports;
}

void AimedLinks::sample(Time begin, Time end, const std::vector<PortState>& state) {
  double sum = 0;
  int count = 0;
  for (const Aim& aim : aims_) {
    if (begin < aim.start || end > aim.stop) continue;
    sum += state[aim.into.index()].utilization;
    ++count;
  }
  series_.push_back(count > 0 ? sum / count : kNothing);
  lengths_.push_back(end - begin);
  ends_.push_back(end);
}

double AimedLinks::mean(Time warm_up) const {
  double sum = 0;
  double time = 0;
  for (std::size_t k = 0; k < series_.size(); ++k) {
    if (ends_[k] <= warm_up || std::isnan(series_[k])) continue;
    const auto length = static_cast<double>(lengths_[k].count);
    sum += series_[k] * length;
    time += length;
  }
  return time > 0 ? sum / time : kNothing;
}

}  // namespace weir::metrics
