#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "weir/experiment/config/run_kind.hpp"
#include "weir/experiment/run/protocol_calculation.hpp"
#include "weir/experiment/run/rate_calculation.hpp"
#include "weir/experiment/run/rate_metrics.hpp"
#include "weir/metrics/link_monitor.hpp"

namespace weir::experiment {
namespace {

using rates::FlowId;
using rates::LinkId;

/// Writes what a rate calculation gave.
class RateReport {
 public:
  RateReport(const topology::Graph& graph, const rates::FlowSet& set,
             const rates::Assignment& assignment)
      : graph_(graph), set_(set), assignment_(assignment) {}

  metrics::RunResult run() {
    add("flows", static_cast<double>(set_.flow_count()));
    add("applications", static_cast<double>(set_.application_count()));
    add("rate_levels", static_cast<double>(assignment_.levels.size()));
    const std::vector<rates::Fraction> weights = rates::link_weights(set_);
    add("link_weight_max", std::max_element(weights.begin(), weights.end())->value());
    if (!assignment_.levels.front().is_zero()) {
      add("phase_time", rates::completion_time(assignment_).value());
    }
    add_assigned_rates(out_, set_, assignment_);
    add_contention();
    return std::move(out_);
  }

 private:
  void add(std::string_view metric, double value, std::string_view label = {}) {
    out_.add_scalar(metric, label, value);
  }

  void add_contention() {
    const std::vector<std::uint32_t> flows = rates::contention(set_);
    double sum = 0;
    for (std::size_t f = 0; f < set_.flow_count(); ++f) {
      std::uint32_t most = 0;
      for (const LinkId l : set_.path(FlowId(f))) most = std::max(most, flows[l.index()]);
      sum += most;
    }
    add("flow_contention_mean", sum / static_cast<double>(set_.flow_count()));
    add("flow_contention_max", *std::max_element(flows.begin(), flows.end()));
    std::map<std::string, std::map<std::uint32_t, std::size_t>> groups;
    for (std::size_t p = 0; p < graph_.port_count(); ++p) {
      const std::string group = metrics::link_group(graph_, PortId(p));
      if (group.empty()) continue;
      const int stage = graph_.stage(graph_.port(PortId(p)).node);
      ++groups[group][flows[p]];
      if (stage > 0) ++groups[fmt::format("{} {}", group, stage)][flows[p]];
    }
    for (const auto& [group, links] : groups) add_group(group, links);
  }

  void add_group(const std::string& group, const std::map<std::uint32_t, std::size_t>& links) {
    std::size_t all = 0;
    for (const auto& [flows, count] : links) all += count;
    add("link_flows_max", links.rbegin()->first, group);
    // A share for every number up to the largest that a claim could want, zeros too.
    constexpr std::uint32_t kMostShares = 16;
    for (std::uint32_t flows = 0; flows < kMostShares; ++flows) {
      const auto found = links.find(flows);
      const std::size_t count = found == links.end() ? 0 : found->second;
      add("link_flows_share", static_cast<double>(count) / static_cast<double>(all),
          fmt::format("{}: {}", group, flows));
    }
  }

  const topology::Graph& graph_;
  const rates::FlowSet& set_;
  const rates::Assignment& assignment_;
  metrics::RunResult out_;
};

std::optional<metrics::RunResult> run_rates(const Configuration& configuration,
                                            const std::shared_ptr<const Network>& network,
                                            const GoOn& go_on, RunKind::Clock::time_point start) {
  const RoutedFlows flows = route_flows(configuration, *network);
  if (!go_on({})) return std::nullopt;
  metrics::RunResult result;
  if (configuration.protocol) {
    const ProtocolCalculation found = run_protocol(configuration, *network, flows);
    if (!go_on({})) return std::nullopt;
    result = RateReport(*network->graph, found.set, found.found).run();
    add_protocol_metrics(found, result);
  } else {
    const rates::Assignment assignment =
        calculate_rates(flows.set, flows.algorithm, configuration.fabric.seed);
    if (!go_on({})) return std::nullopt;
    result = RateReport(*network->graph, flows.set, assignment).run();
  }
  result.wall_seconds = seconds_since(start);
  return result;
}

/// Flows are drawn to know their number, as the run will.
KindNeeds needs_of_rates(const Configuration& configuration,
                         const std::shared_ptr<const Network>& network,
                         const std::function<double()>& mean_hops) {
  const RateInput& input = *configuration.rates;
  const std::size_t flows = list_flows(configuration, *network->graph).flows.size();
  at_place(configuration.source, "rates",
           [&] { (void)make_capacities(input.keys, *network->graph); });
  const double links = mean_hops() + 1;
  constexpr double kBytesOfFlow = sizeof(rates::FlowRequest) + 12 * sizeof(std::uint32_t);
  return {0, static_cast<double>(flows) * (kBytesOfFlow + links * 2 * sizeof(LinkId))};
}

void check_rates(const Configuration& configuration) {
  const Checked<RatesKeys>& keys = configuration.rates->keys;
  if (keys->algorithm == "none") {
    throw keys.error(&RatesKeys::algorithm, "is \"none\", which is for simulations");
  }
  for (const FlowEntry& entry : configuration.rates->flows) {
    if (entry.keys->phase == 1) continue;
    throw entry.keys.error(&FlowKeys::phase,
                           "is for simulations; here rates are calculated for one phase");
  }
  if (configuration.source.contains("flow") || has_rated_traffic(configuration)) return;
  throw InputError(configuration.source.position, "flow",
                   "is missing; at least one [[flow]], or a [[traffic]] with rate = "
                   "\"calculated\", says who sends to whom");
}

const Registration<RunKind> kRatesKind(
    run_kind_registry(),
    {"rates", "rates of flows are calculated; no packet moves", "zdornov2009, chapter 4", {}},
    RunKind{false, run_rates, needs_of_rates, check_rates});

}  // namespace
}  // namespace weir::experiment
