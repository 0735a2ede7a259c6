#include "weir/experiment/run/flow_traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "weir/experiment/config/flow_routing.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/run/connection_metrics.hpp"
#include "weir/experiment/run/rate_metrics.hpp"
#include "weir/fabric/hooks/known_paths.hpp"
#include "weir/traffic/host_list.hpp"

namespace weir::experiment {
namespace {

using rates::FlowId;
using rates::LinkId;

[[noreturn]] void refuse_protocol(const Configuration& configuration) {
  throw InputError(position_of(configuration.source, "protocol.model"), "protocol.model",
                   "finds rates that no injection scheme keeps: set injection.model, as in "
                   "\"periodic-selection\"");
}

/// Flows of one connection share a source queue and a path, in which VLs would wait for each other.
void check_levels(const Configuration& configuration, const FlowList& list,
                  const ConnectionList& connections) {
  std::vector<std::uint8_t> known(connections.names.size(), UINT8_MAX);
  for (std::size_t f = 0; f < list.flows.size(); ++f) {
    const std::uint8_t level = list.service_levels[f];
    std::uint8_t& first = known[connections.of_flow[f]];
    if (first == UINT8_MAX) first = level;
    if (first == level) continue;
    const auto why = [&](const char* what, const char* instead) {
      return fmt::format(
          "is {}, and {} from host {} to host {} has {}: flows that share a connection have to "
          "stay "
          "in one class{}",
          level, what, list.flows[f].source.value, list.flows[f].destination.value, first, instead);
    };
    if (f >= list.written) {
      throw configuration.traffic[list.tables[f]].keys.error(
          &traffic::TrafficKeys::service_level, why("an earlier flow with a rate", ""));
    }
    throw configuration.rates->flows[list.tables[f]].keys.error(
        &FlowKeys::service_level,
        why("an earlier [[flow]]", "; with connection = \"own\" each has one of its own"));
  }
}

/// No flow has a rate: what needs one is wrong.
void check_unused(const Configuration& configuration, bool some_traffic, bool are_kept) {
  if (are_kept) {
    throw InputError(configuration.source.position, "injection.model",
                     fmt::format("'{}' keeps calculated rates, and there is none: give [[traffic]] "
                                 "rate = \"calculated\", or add a [[flow]]",
                                 configuration.injection.name));
  }
  if (some_traffic && configuration.protocol) refuse_protocol(configuration);
}

bool ranks_flows(const Configuration& configuration, const topology::Graph& graph) {
  if (configuration.injection.make == nullptr) return false;
  return (*configuration.injection.make)(configuration.injection.settings, graph)->ranks_flows();
}

}  // namespace

FlowTraffic::FlowTraffic(const Configuration& configuration, std::shared_ptr<const Network> network)
    : network_(std::move(network)) {
  const topology::Graph& graph = *network_->graph;
  keeps_rates_ = ranks_flows(configuration, graph);
  const bool some_traffic = has_rated_traffic(configuration);
  if (configuration.rates->flows.empty() && !(some_traffic && keeps_rates_)) {
    check_unused(configuration, some_traffic, keeps_rates_);
    return;
  }
  if (configuration.detect_warmup) {
    throw InputError(configuration.source.position, "experiment.warmup",
                     "must be a time where flows have rates");
  }
  const RateInput& input = *configuration.rates;
  flows_ = route_flows(configuration, *network_,
                       keeps_rates_ ? FlowsOfTraffic::counted : FlowsOfTraffic::left_out);
  connections_ = list_connections(flows_.list);
  phases_ = FlowPhases(input, flows_.list);
  if (has_rated()) check_traffic(configuration);
  if (keeps_rates_ || network_->flow_tables) check_levels(configuration, flows_.list, connections_);
  const bool is_ended = configuration.duration || configuration.until_workload;
  for (std::size_t f = 0; f < flows_.list.written; ++f) {
    if (flows_.list.sizes[f].count > 0) continue;
    has_endless_ = true;
    if (flows_.list.stops[f] != Time::max() || is_ended) continue;
    throw input.flows[flows_.list.tables[f]].keys.error(
        &FlowKeys::size,
        "is missing; these flows never end: give them sizes or a stop, or the experiment a "
        "duration");
  }
  line_ = rates::line_rate(graph);
  mtu_ = configuration.fabric.mtu;
  header_ = configuration.fabric.header;
  warm_up_ = configuration.warmup;
  delivered_.assign(flows_.set.flow_count(), 0);
  in_all_ = delivered_;
  last_.assign(flows_.set.flow_count(), Time());
  set_unit(input);
  share_paths();
  if (network_->flow_tables) {
    per_message_ = configuration.flow_routing.router.per_message;
    check_packets(configuration);
  }
  if (configuration.protocol) {
    if (!keeps_rates_) refuse_protocol(configuration);
    protocol_ = std::make_unique<FlowProtocol>(configuration, *network_, flows_);
  }
  const bool are_routed = flows_.flow_routing != "static" || !flows_.list.paths.empty();
  if (are_routed && !network_->flow_tables) {
    if (!network_->is_fixed) {
      throw InputError(position_of(configuration.source, "selection.model"), "selection.model",
                       "packets keep to the paths that flow_routing or [[flow]] knows before the "
                       "run, and nothing is left to select: take \"fixed\"");
    }
    check_isolation(configuration);
    at_place(configuration.source, has_written() ? "flow" : "traffic", [&] { add_routes(); });
    if (!flows_.list.paths.empty()) check_paths(configuration);
  }
  calculate(configuration);
}

/// Traffic has messages that come and go, in one phase.
void FlowTraffic::check_traffic(const Configuration& configuration) const {
  using T = traffic::TrafficKeys;
  const traffic::TrafficEntry* last = nullptr;
  for (std::size_t f = flows_.list.written; f < flows_.list.flows.size(); ++f) {
    const traffic::TrafficEntry& entry = configuration.traffic[flows_.list.tables[f]];
    if (&entry == std::exchange(last, &entry)) continue;
    if (phases_.count() > 1) {
      throw entry.keys.error(&T::has_rate,
                             "\"calculated\" cannot stand beside phases of [[flow]]s: rates are "
                             "calculated anew for each of them");
    }
    if (network_->flow_tables) {
      throw entry.keys.error(&T::has_rate,
                             "\"calculated\" is for paths that stay, and flow_routing.set_up = "
                             "\"packets\" finds one whenever messages come again: take \"before\", "
                             "or [[flow]]s");
    }
    if (configuration.protocol && entry.start_after_packets > 0) {
      throw entry.keys.error(&T::start_after_packets,
                             "cannot stand beside a protocol: flows are announced at a time");
    }
  }
}

void FlowTraffic::check_packets(const Configuration& configuration) const {
  if (keeps_rates_ && !configuration.protocol) {
    throw InputError(position_of(configuration.source, "flow_routing.set_up"),
                     "flow_routing.set_up",
                     "\"packets\" finds paths while the network runs, and rates are calculated for "
                     "paths that are known: find them with [protocol], or take \"before\"");
  }
  for (std::size_t f = 0; f < flows_.list.written; ++f) {
    if (flows_.list.stops[f] == Time::max()) continue;
    throw configuration.rates->flows[flows_.list.tables[f]].keys.error(
        &FlowKeys::stop,
        "is for paths that stay, and flow_routing.set_up = \"packets\" tears one down when all of "
        "a "
        "size has been sent: give a size, or take \"before\"");
  }
  const bool is_by_application =
      configuration.protocol && configuration.protocol->chosen.make->is_by_application;
  if (is_by_application && per_message_ && flows_.list.may_share) {
    throw InputError(position_of(configuration.source, "flow_routing.flow"), "flow_routing.flow",
                     "\"message\" sets up flows that share a connection one after another, and an "
                     "application waits for all of its flows: take \"idle\", or give [[flow]] "
                     "connection = \"own\"");
  }
  if (has_endless_ && per_message_) {
    throw InputError(position_of(configuration.source, "flow_routing.flow"), "flow_routing.flow",
                     "\"message\" would set up every packet of a [[flow]] without size: take "
                     "\"idle\"");
  }
}

/// Paths that a file says may turn anywhere.
void FlowTraffic::check_paths(const Configuration& configuration) const {
  routing::DependencyOptions options;
  options.all_candidates = true;
  const routing::DependencyReport report =
      routing::check_dependencies(*network_->graph, *routes_, options);
  if (report.ok() || configuration.allows_cycles) return;
  throw InputError(position_of(configuration.source, "flow"), "flow.path",
                   fmt::format("flows on these paths can deadlock with others (allow_cycles = true "
                               "in [routing] runs it anyway)\n{}",
                               routing::describe(*network_->graph, report)));
}

/// Routes in headers are those of pairs of hosts here.
void FlowTraffic::check_isolation(const Configuration& configuration) const {
  if (configuration.isolation.make == nullptr || !have_numbers()) return;
  const auto isolation = make_isolation(configuration, *network_);
  if (dynamic_cast<const fabric::NeedsKnownPaths*>(isolation.get()) == nullptr) return;
  throw InputError(
      position_of(configuration.source, "isolation.model"), "isolation.model",
      "knows one route between two hosts, and connections of several [[flow]]s between "
      "them have routes of their own: give these connection = \"shared\", or take \"fbicm\"");
}

void FlowTraffic::calculate(const Configuration& configuration) {
  seed_ = configuration.fabric.seed;
  if (flows_.algorithm == "none") {
    if (!keeps_rates_) return;
    throw InputError(configuration.source.position, "rates.algorithm",
                     fmt::format("is \"none\", and injection.model = \"{}\" keeps calculated rates",
                                 configuration.injection.name));
  }
  if (network_->flow_tables) return;
  calculated_ = calculate_phases(flows_.set);
  assigned_.resize(flows_.set.flow_count());
  for (std::size_t p = 0; p < calculated_.size(); ++p) {
    for (std::size_t i = 0; i < phases_.flows(p).size(); ++i) {
      assigned_[phases_.flows(p)[i]] =
          calculated_[p].rates->rate(calculated_[p].set, FlowId(i)).value();
    }
  }
}

std::vector<FlowTraffic::Calculated> FlowTraffic::calculate_phases(
    const rates::FlowSet& set) const {
  std::vector<Calculated> out;
  for (std::size_t p = 0; p < phases_.count(); ++p) {
    const std::vector<std::size_t> flows(phases_.flows(p).begin(), phases_.flows(p).end());
    Calculated one{phases_.count() == 1 ? set : subset(set, flows), std::nullopt};
    if (flows_.algorithm != "none") one.rates = calculate_rates(one.set, flows_.algorithm, seed_);
    out.push_back(std::move(one));
  }
  return out;
}

void FlowTraffic::begin_phase() {
  const Time at = phases_.start();
  const std::vector<std::uint32_t>& flows = phases_.flows(phases_.current());
  for (const std::uint32_t f : flows) flows_.list.starts[f] += at;
  if (protocol_) {
    protocol_->begin_phase(flows, at);
  } else {
    set_rates(phases_.current());
  }
  for (traffic::HostSource& one : take_sources(phases_.current(), at))
    fabric_->add_source(one.host, std::move(one.source));
}

std::vector<traffic::HostSource> FlowTraffic::take_sources(std::size_t phase, Time at) {
  const auto end =
      std::stable_partition(later_.begin(), later_.end(), [&](const traffic::HostSource& one) {
        return phases_.of(FlowMessages::flow_of(*one.source)) != phase;
      });
  std::vector<traffic::HostSource> taken(std::make_move_iterator(end),
                                         std::make_move_iterator(later_.end()));
  later_.erase(end, later_.end());
  for (const traffic::HostSource& one : taken) FlowMessages::begin(*one.source, at);
  return taken;
}

void FlowTraffic::checkpoint(StateArchive& state) {
  if (is_empty()) return;
  std::vector<Arrived> arrived;
  if (!state.is_reading()) arrived = all_arrived();
  state(arrived);
  if (state.is_reading()) set_arrived(arrived);
  messages_->checkpoint(state, *fabric_);
  if (set_ups_) set_ups_->checkpoint(state);
  if (protocol_) protocol_->checkpoint(state);
  phases_.checkpoint(state);
}

void FlowTraffic::begin_again(std::size_t phase) {
  while (added_ < phase) {
    const Time at = phases_.start_of(++added_);
    for (const std::uint32_t f : phases_.flows(added_)) flows_.list.starts[f] += at;
    // Sources go on with the rates of the checkpoint; names and numbers are those of here, which a
    // protocol has told of beforehand.
    if (!protocol_) set_rates(added_);
    for (traffic::HostSource& one : take_sources(added_, at))
      fabric_->add_source_later(one.host, std::move(one.source));
  }
}

void FlowTraffic::go_on() {
  if (is_empty()) return;
  begin_again(phases_.current());
  // Of a network that is divided the last phase is told at the end.
  if (!phases_at_meetings_ || has_next_phase()) end_flows();
}

void FlowTraffic::end(std::uint32_t flow, Time now) {
  if (protocol_) protocol_->end(flow);
  if (phases_.end(flow, now)) begin_phase();
}

void FlowTraffic::set_unit(const RateInput& input) {
  if (has_rated()) return;
  for (const FlowEntry& entry : input.flows) {
    if (!entry.keys->size || entry.keys->size != input.flows.front().keys->size) return;
  }
  const std::int64_t payload = input.flows.front().keys->size->count;
  unit_ = payload + ((payload - 1) / mtu_.count + 1) * header_.count;
}

void FlowTraffic::share_paths() {
  const std::vector<rates::FlowRequest>& list = flows_.list.flows;
  constexpr std::uint32_t kNone = UINT32_MAX;
  std::vector<std::uint32_t> first(connections_.names.size(), kNone);
  bool some_differ = false;
  std::vector<std::uint32_t> path_of(list.size());
  for (std::uint32_t f = 0; f < list.size(); ++f) {
    std::uint32_t& leader = first[connections_.of_flow[f]];
    if (leader == kNone) leader = f;
    path_of[f] = leader;
    const auto mine = flows_.set.path(FlowId(f));
    const auto its = flows_.set.path(FlowId(path_of[f]));
    some_differ = some_differ || !std::equal(mine.begin(), mine.end(), its.begin(), its.end());
  }
  if (!some_differ) return;
  std::vector<rates::Fraction> capacities;
  for (std::size_t l = 0; l < flows_.set.link_count(); ++l) {
    capacities.push_back(flows_.set.capacity(LinkId(l)));
  }
  rates::FlowSetBuilder builder(std::move(capacities));
  builder.reserve(list.size(), flows_.set.total_length());
  for (std::uint32_t f = 0; f < list.size(); ++f) {
    builder.add(flows_.set.path(FlowId(path_of[f])), list[f].weight, list[f].application);
  }
  flows_.set = builder.build();
}

void FlowTraffic::add_routes() {
  routes_ = std::make_shared<routing::ExplicitRoutes>(*network_->graph, network_->routing);
  std::vector<PortId> path;
  for (std::uint32_t f = 0; f < flows_.list.flows.size(); ++f) {
    path.clear();
    for (const LinkId link : flows_.set.path(FlowId(f))) path.emplace_back(link.value);
    routes_->add(flows_.list.flows[f].source, flows_.list.flows[f].destination, path,
                 flows_.list.connections[f]);
  }
  auto with_paths = std::make_shared<Network>(*network_);
  with_paths->routing = routes_;
  network_ = std::move(with_paths);
}

void FlowTraffic::add_to(traffic::Traffic& traffic) {
  const std::size_t first_class = traffic.classes.size();
  messages_ = std::make_unique<FlowMessages>(
      flows_.list, first_class, [this](std::uint32_t flow, Time now) { end(flow, now); });
  messages_->wrap(traffic);
  if (network_->flow_tables) add_set_ups(first_class);
  add_written(traffic);
}

void FlowTraffic::add_set_ups(std::size_t first_class) {
  const bool rides = protocol_ && protocol_->rides_on_set_up();
  set_ups_ = std::make_unique<FlowSetUps>(
      flows_.list,
      FlowSetUps::Options{first_class, flows_.list.classes.size(), per_message_, rides},
      protocol_.get());
  if (protocol_) protocol_->on_wish([this](std::uint32_t flow) { set_ups_->wish(flow); });
}

void FlowTraffic::add_written(traffic::Traffic& traffic) {
  for (std::uint32_t f = 0; f < flows_.list.written; ++f) {
    const bool is_first = phases_.of(f) == 0;
    (is_first ? traffic.sources : later_)
        .push_back({flows_.list.flows[f].source, messages_->source(f, mtu_, start_of(f)), 0});
  }
  for (const traffic::TrafficClass& one : flows_.list.classes) traffic.classes.push_back(one);
}

std::vector<metrics::HotAim> FlowTraffic::hot_aims() const {
  const FlowList& list = flows_.list;
  std::set<std::tuple<HostId, Time, Time>> aims;
  for (std::size_t f = 0; f < list.written; ++f) {
    const traffic::TrafficClass& its = list.classes[list.class_of[f]];
    const HostId host = list.flows[f].destination;
    if (its.role != traffic::Role::hot || !traffic::contains(its.targets, host)) continue;
    aims.emplace(host, phases_.of(static_cast<std::uint32_t>(f)) == 0 ? list.starts[f] : Time(),
                 list.stops[f]);
  }
  std::vector<metrics::HotAim> out;
  for (const auto& [host, start, stop] : aims) out.push_back({host, start, stop});
  return out;
}

std::uint64_t FlowTraffic::messages_of(std::size_t number) const {
  const std::vector<std::uint8_t>& classes = flows_.list.class_of;
  return static_cast<std::uint64_t>(std::count(classes.begin(), classes.end(), number));
}

void FlowTraffic::attach(fabric::Fabric& fabric) {
  fabric_ = &fabric;
  if (!is_empty() && keeps_rates_ && fabric.settings().carried_data.count > 0) {
    throw InputError("reaction.model",
                     "calculated rates are for packets without what switches and sources add "
                     "for it");
  }
  // Look-ups of routes are faster where the hosts say it all.
  if (routes_ && have_numbers()) {
    if (fabric.parts() == 1 && fabric.ranks() == nullptr) {
      routes_->tell([&fabric](std::uint32_t message) { return fabric.connection_of(message); });
    } else {
      routes_->tell(
          [](std::uint32_t connection) { return static_cast<std::uint16_t>(connection); });
    }
  }
  if (is_empty() || !keeps_rates_) return;
  if (protocol_) {
    protocol_->attach(fabric, line_);
  } else {
    set_rates(phases_.current());
  }
}

void FlowTraffic::divide() {
  phases_at_meetings_ = true;
  if (messages_) messages_->divide();
}

bool FlowTraffic::have_numbers() const {
  const std::vector<std::uint16_t>& numbers = flows_.list.connections;
  return std::any_of(numbers.begin(), numbers.end(), [](std::uint16_t n) { return n > 0; });
}

void FlowTraffic::set_rates(std::size_t phase) const {
  if (!keeps_rates_) return;
  // In the order of the flows, which decides between equal ones.
  std::vector<double> sums(connections_.names.size());
  for (const std::uint32_t f : phases_.flows(phase)) {
    const std::uint32_t connection = connections_.of_flow[f];
    double& sum = sums[connection];
    sum += assigned_[f];
    fabric_->set_rate(connections_.names[connection],
                      Rate(std::llround(sum * static_cast<double>(line_.count))));
  }
}

FlowWork FlowTraffic::work(Time end) const {
  FlowWork out;
  if (is_empty()) return out;
  const auto add = [&](std::uint32_t f, double packets) {
    out.packets += packets;
    out.packet_hops += packets * static_cast<double>(flows_.set.path(FlowId(f)).size());
  };
  const std::vector<std::uint32_t> sharing = rates::contention(flows_.set);
  const double seconds = to_seconds(serialization_time(Bytes(mtu_.count + header_.count), line_));
  // What [[traffic]] offers is counted with it.
  for (std::uint32_t f = 0; f < flows_.list.written; ++f) {
    const std::int64_t size = flows_.list.sizes[f].count;
    if (size > 0) {
      add(f, static_cast<double>((size - 1) / mtu_.count + 1));
    } else if (end != Time::max() || flows_.list.stops[f] != Time::max()) {
      // Without a calculated rate, its share of the link that most flows use.
      std::uint32_t most = 1;
      for (const LinkId l : flows_.set.path(FlowId(f))) most = std::max(most, sharing[l.index()]);
      const double share = assigned_.empty() ? 1.0 / most : assigned_[f];
      const Time from = std::min(flows_.list.starts[f], end);
      const Time to = std::min(flows_.list.stops[f], end);
      add(f, share * to_seconds(to - from) / seconds);
    }
  }
  return out;
}

}  // namespace weir::experiment
