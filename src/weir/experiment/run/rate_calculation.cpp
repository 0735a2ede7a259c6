#include "weir/experiment/run/rate_calculation.hpp"

#include <fmt/format.h>

#include <span>
#include <utility>
#include <vector>

#include "weir/experiment/config/flow_routing.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/run_kind.hpp"
#include "weir/rates/certificate.hpp"

namespace weir::experiment {

namespace {

/// Some flows say their paths.
void set_paths(const FlowList& list, rates::FlowSet& set) {
  std::vector<rates::Fraction> capacities;
  for (std::size_t l = 0; l < set.link_count(); ++l) {
    capacities.push_back(set.capacity(rates::LinkId(l)));
  }
  rates::FlowSetBuilder builder(std::move(capacities));
  std::vector<rates::LinkId> links;
  for (std::uint32_t f = 0; f < list.flows.size(); ++f) {
    const auto said = list.paths.find(f);
    links.clear();
    if (said == list.paths.end()) {
      const std::span<const rates::LinkId> found = set.path(rates::FlowId(f));
      links.assign(found.begin(), found.end());
    } else {
      for (const PortId port : said->second) links.emplace_back(port.value);
    }
    builder.add(links, list.flows[f].weight, list.flows[f].application);
  }
  set = builder.build();
}

}  // namespace

FlowList list_flows(const Configuration& configuration, const topology::Graph& graph,
                    FlowsOfTraffic of_traffic) {
  FlowList list;
  TrafficFlows rated{&configuration.traffic, {}};
  if (of_traffic == FlowsOfTraffic::counted) {
    at_place(configuration.source, "traffic", [&] {
      rated.pairs = traffic::flow_pairs(
          configuration.traffic, traffic_context(configuration, graph, configuration.fabric));
    });
  }
  at_place(configuration.source, "flow", [&] {
    list = make_flows(*configuration.rates,
                      traffic_context(configuration, graph, configuration.fabric), rated);
  });
  return list;
}

RoutedFlows route_flows(const Configuration& configuration, const Network& network,
                        FlowsOfTraffic of_traffic) {
  const RateInput& input = *configuration.rates;
  RoutedFlows out;
  // With a protocol, its own calculation unless another is named: resolve() has put it there.
  out.algorithm = configuration.resolved.find("rates")->table().find("algorithm")->text();
  out.list = list_flows(configuration, *network.graph, of_traffic);
  const FlowRoutingInput& flow_routing = configuration.flow_routing;
  out.flow_routing = flow_routing.policy;
  const bool are_filled = !flow_routing.tables.empty();
  const char* place = are_filled                 ? "flow_routing.tables"
                      : flow_routing.is_adaptive ? "flow_routing.policy"
                                                 : "flow";
  at_place(configuration.source, place, [&] {
    std::vector<rates::Fraction> capacities = make_capacities(input.keys, *network.graph);
    // Packets that set flows up begin with the default routes.
    const bool waits = flow_routing.by_packets && configuration.kind->simulates;
    out.set =
        flow_routing.is_adaptive && !waits
            ? rates::route_flows(*make_flow_tables(flow_routing, *network.graph, *network.routing),
                                 flow_routing.set_up, out.list.flows, std::move(capacities))
            : rates::route_flows(*network.graph, *network.routing, out.list.flows,
                                 std::move(capacities));
  });
  if (out.list.paths.empty()) return out;
  if (flow_routing.is_adaptive) {
    throw InputError(position_of(configuration.source, "flow_routing.policy"),
                     "flow_routing.policy",
                     "finds the paths of all flows, and a [[flow]] says its `path`: take "
                     "\"static\"");
  }
  set_paths(out.list, out.set);
  return out;
}

rates::Assignment calculate_rates(const rates::FlowSet& set, const std::string& algorithm,
                                  std::uint64_t seed) {
  const rates::Algorithm& chosen =
      rates::algorithm_registry().find(algorithm, {}, "rates.algorithm").make;
  rates::Assignment assignment = chosen.run(set, seed);
  if (const auto wrong = rates::find_violation(set, assignment, chosen.promise)) {
    throw RunError(fmt::format("rates of {} are wrong: {}", algorithm, *wrong));
  }
  return assignment;
}

}  // namespace weir::experiment
