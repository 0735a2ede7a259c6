#include "weir/experiment/run/source_storage.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "weir/reaction/network_constants.hpp"

namespace weir::experiment {
namespace {

using fabric::SourceQueueKind;

/// Straight lines through the areas of table 8.6 over the memory of table 8.5
/// (ferrer2012, section 8.6.2): fits, not a synthesis.
struct AreaFit {
  double fixed = 0;
  double per_kib = 0;
};

AreaFit area_fit(SourceQueueKind kind) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  switch (kind) {
    case SourceQueueKind::per_destination:
      return {0.043, 0.22402};
    case SourceQueueKind::modulo:
      return {0.048, 0.20821};
    case SourceQueueKind::shared_memory:
      return {-0.001, 0.20958};
    case SourceQueueKind::fifo:
    case SourceQueueKind::per_class:
      break;
  }
  return {kNone, kNone};
}

/// What the reaction says itself; a window may be a whole number or a fractional one.
std::optional<double> window_of(const Settings& reaction) {
  if (reaction.has("window_kind") && reaction.text("window_kind") == "none") return std::nullopt;
  if (!reaction.has("window")) return std::nullopt;
  return reaction.number("window");
}

/// Packets of a flow that may be without ACK: places of its queue, the window of the reaction, or
/// that by formula.
double window_of(const Configuration& configuration, const Network& network) {
  if (configuration.fabric.source_queue_packets > 0)
    return static_cast<double>(configuration.fabric.source_queue_packets);
  if (const auto window = window_of(configuration.reaction.settings)) return *window;
  return reaction::network_constants(*network.graph, *network.routing, configuration.fabric)
      .window();
}

}  // namespace

SourceStorage source_storage(const Configuration& configuration, const Network& network) {
  const fabric::FabricSettings& fabric = configuration.fabric;
  const auto hosts = static_cast<double>(network.graph->host_count());
  const auto packet = static_cast<double>(fabric.mtu.count);
  const double window = window_of(configuration, network);
  SourceStorage out;
  switch (fabric.source_queues) {
    case SourceQueueKind::per_destination:
      out.memory = window * hosts * packet;
      break;
    case SourceQueueKind::modulo:
      out.memory = fabric.source_queue_count * packet;
      break;
    case SourceQueueKind::shared_memory:
      out.memory = static_cast<double>(fabric.source_memory.count);
      break;
    case SourceQueueKind::fifo:
    case SourceQueueKind::per_class:
      out.memory = packet;
      break;
  }
  if (fabric.source_queues != SourceQueueKind::per_destination)
    out.counters = hosts * std::round(std::log2(window + 1));
  const AreaFit fit = area_fit(fabric.source_queues);
  out.area = fit.fixed + fit.per_kib * out.memory / 1'024;
  return out;
}

void add_source_storage(metrics::RunResult& out, const SourceStorage& storage) {
  out.add_scalar("source_memory", "", storage.memory);
  out.add_scalar("source_counters", "", storage.counters);
  if (std::isfinite(storage.area)) out.add_scalar("source_area", "", storage.area);
}

}  // namespace weir::experiment
