#include "weir/experiment/run/recorder_settings.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "weir/experiment/config/keys.hpp"
#include "weir/metrics/victims.hpp"
#include "weir/routing/reach.hpp"
#include "weir/routing/trace.hpp"

namespace weir::experiment {
namespace {

metrics::Role role_of(traffic::Role role) {
  switch (role) {
    case traffic::Role::hot:
      return metrics::Role::hot;
    case traffic::Role::cold:
      return metrics::Role::cold;
    case traffic::Role::none:
      break;
  }
  return metrics::Role::plain;
}

void add_route(const Network& network, HostId source, HostId destination,
               std::vector<PortId>& links) {
  const routing::Route route =
      routing::trace(*network.graph, *network.routing, source, destination);
  for (const routing::Channel& channel : route.channels) links.push_back(channel.port);
}

std::shared_ptr<metrics::VictimTruth> victim_truth(const std::shared_ptr<const Network>& network) {
  const std::size_t ports = network->graph->port_count();
  if (network->is_fixed) {
    return std::make_shared<metrics::VictimTruth>(
        ports, [network](HostId source, HostId destination, std::vector<PortId>& links) {
          add_route(*network, source, destination, links);
        });
  }
  const routing::RoutingFunction* routes = network->routing.get();
  if (network->flow_tables) routes = network->flow_tables.get();
  auto reach = std::make_shared<routing::Reach>(*network->graph, *routes);
  struct Asked {
    std::mutex one_at_a_time;  ///< threads of the parts of a network ask
    std::optional<routing::Encounter> encounter;
  };
  auto asked = std::make_shared<Asked>();
  return std::make_shared<metrics::VictimTruth>(
      ports,
      [network, reach](HostId source, HostId destination, std::vector<PortId>& links) {
        reach->add(source, destination, links);
      },
      [network, routes, asked](HostId source, HostId destination, const std::vector<bool>& links) {
        const std::scoped_lock lock(asked->one_at_a_time);
        if (!asked->encounter) asked->encounter.emplace(*network->graph, *routes, links);
        return asked->encounter->is_possible(source, destination);
      });
}

/// Who is a victim, where hot traffic has a known aim.
std::function<bool(HostId, HostId)> victim_test(const std::shared_ptr<const Network>& network,
                                                const traffic::Traffic& traffic) {
  const auto truth = victim_truth(network);
  bool has_hot = false;
  for (const traffic::TrafficClass& one : traffic.classes) {
    if (one.role != traffic::Role::hot || one.targets.empty()) continue;
    for (const auto& [source, target] : one.aims()) truth->add_hot_flow(source, target);
    has_hot = true;
  }
  if (!has_hot) return {};
  return
      [truth](HostId source, HostId destination) { return truth->is_victim(source, destination); };
}

std::vector<HostId> hot_destinations(const traffic::Traffic& traffic) {
  std::vector<HostId> hosts;
  for (const traffic::TrafficClass& one : traffic.classes) {
    if (one.role == traffic::Role::hot) {
      hosts.insert(hosts.end(), one.targets.begin(), one.targets.end());
    }
  }
  std::sort(hosts.begin(), hosts.end());
  hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
  return hosts;
}

/// When hot traffic has which aims, by its phases, beside those of [[flow]]s.
std::vector<metrics::HotAim> hot_aims(const Configuration& configuration,
                                      const traffic::Traffic& traffic,
                                      std::vector<metrics::HotAim> aims) {
  const std::size_t entries = std::min(traffic.classes.size(), configuration.traffic.size());
  for (std::size_t i = 0; i < entries; ++i) {
    if (traffic.classes[i].role != traffic::Role::hot) continue;
    for (const HostId host : traffic.classes[i].targets) {
      for (const traffic::Phase& phase : configuration.traffic[i].phases) {
        aims.push_back({host, phase.start, phase.stop});
      }
    }
  }
  return aims;
}

std::optional<metrics::RecoverySettings> recovery_settings(const MetricsKeys& keys) {
  if (!keys.disturbed_from) return std::nullopt;
  metrics::RecoverySettings out = keys.recovery;
  out.from = *keys.disturbed_from;
  if (keys.disturbed_until) out.until = *keys.disturbed_until;
  return out;
}

}  // namespace

metrics::RecorderSettings recorder_settings(const Configuration& configuration,
                                            const std::shared_ptr<const Network>& network,
                                            const traffic::Traffic& traffic,
                                            const FlowTraffic& flows) {
  const MetricsKeys& keys = *configuration.metrics;
  metrics::RecorderSettings out = keys.recorder;
  for (const traffic::TrafficClass& one : traffic.classes) {
    out.traffic.classes.push_back({one.name, role_of(one.role)});
  }
  out.traffic.warm_up = configuration.warmup;
  out.traffic.detect_warm_up = configuration.detect_warmup;
  out.traffic.estimate = configuration.intervals;
  out.traffic.foreseen_end = configuration.duration.value_or(Time(0));
  out.traffic.bin = configuration.bin;
  out.traffic.is_victim = victim_test(network, traffic);
  out.traffic.counts_victims = keys.waiting;
  out.links.hot_destinations = hot_destinations(traffic);
  out.traffic.hot_destinations = out.links.hot_destinations;
  out.links.hot_aims = hot_aims(configuration, traffic, flows.hot_aims());
  out.watch_links = out.watch_trees = keys.watches_links;
  out.links.has_link_series = keys.link_series;
  out.watch_marks = configuration.marking.make != nullptr;
  out.recovery = recovery_settings(keys);
  return out;
}

std::map<std::size_t, std::size_t> hot_sources(const Network& network,
                                               const traffic::Traffic& traffic) {
  std::map<std::size_t, std::size_t> counts;
  for (const traffic::TrafficClass& one : traffic.classes) {
    if (one.role != traffic::Role::hot || one.targets.empty()) continue;
    std::map<HostId, std::size_t> nearest;
    for (const auto& [source, target] : one.aims()) {
      const std::size_t switches =
          routing::trace(*network.graph, *network.routing, source, target).switches();
      const auto place = nearest.emplace(source, switches).first;
      place->second = std::min(place->second, switches);
    }
    for (const auto& [source, switches] : nearest) ++counts[switches];
  }
  return counts;
}

std::function<fabric::MessageTiming(HostId, HostId)> message_timing(
    const std::shared_ptr<const Network>& network, const fabric::FabricSettings& settings) {
  return [network, settings](HostId source, HostId destination) {
    return fabric::MessageTiming(
        *network->graph, routing::trace(*network->graph, *network->routing, source, destination),
        settings);
  };
}

std::shared_ptr<fabric::WaitingWatch> make_waiting_watch(const Configuration& configuration,
                                                         const traffic::Traffic& traffic) {
  const MetricsKeys& keys = *configuration.metrics;
  if (!keys.waiting) return nullptr;
  fabric::WaitingSettings settings;
  for (const traffic::TrafficClass& one : traffic.classes) {
    settings.hot_classes.push_back(one.role == traffic::Role::hot);
    settings.cold_classes.push_back(one.role == traffic::Role::cold);
  }
  if (std::find(settings.cold_classes.begin(), settings.cold_classes.end(), true) ==
      settings.cold_classes.end()) {
    throw configuration.metrics.error(
        &MetricsKeys::waiting,
        "measures packets of cold classes, and no traffic has role = \"cold\"");
  }
  settings.hot_destinations = hot_destinations(traffic);
  settings.least = keys.victim_wait;
  return std::make_shared<fabric::WaitingWatch>(std::move(settings));
}

}  // namespace weir::experiment
