#include "weir/experiment/run/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "weir/experiment/config/cables.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/run/workloads.hpp"
#include "weir/fabric/waiting_watch.hpp"
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
  auto encounter = std::make_shared<std::optional<routing::Encounter>>();
  return std::make_shared<metrics::VictimTruth>(
      ports,
      [network, reach](HostId source, HostId destination, std::vector<PortId>& links) {
        reach->add(source, destination, links);
      },
      [network, routes, encounter](HostId source, HostId destination,
                                   const std::vector<bool>& links) {
        if (!*encounter) encounter->emplace(*network->graph, *routes, links);
        return (*encounter)->is_possible(source, destination);
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

/// Sources of hot traffic by the switches that the default route to the nearest of their possible
/// destinations crosses.
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

/// Of messages alone on their default routes.
std::function<fabric::MessageTiming(HostId, HostId)> message_timing(
    const std::shared_ptr<const Network>& network, const fabric::FabricSettings& settings) {
  return [network, settings](HostId source, HostId destination) {
    return fabric::MessageTiming(
        *network->graph, routing::trace(*network->graph, *network->routing, source, destination),
        settings);
  };
}

std::optional<metrics::RecoverySettings> recovery_settings(const MetricsKeys& keys) {
  if (!keys.disturbed_from) return std::nullopt;
  metrics::RecoverySettings out = keys.recovery;
  out.from = *keys.disturbed_from;
  if (keys.disturbed_until) out.until = *keys.disturbed_until;
  return out;
}

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

template <class Interface, class Factory>
std::shared_ptr<Interface> make(const Configuration& configuration, const Chosen<Factory>& chosen,
                                const std::string& section, const topology::Graph& graph) {
  std::shared_ptr<Interface> made;
  if (chosen.make == nullptr) return made;
  at_place(configuration.source, section + ".model",
           [&] { made = (*chosen.make)(chosen.settings, graph); });
  return made;
}

/// All that the run has besides its models, but for the protocol of its flows.
fabric::Mechanisms make_mechanisms(const Configuration& configuration, const Network& network,
                                   std::shared_ptr<fabric::FlowRouting> flow_routing) {
  const topology::Graph& graph = *network.graph;
  const auto marker = make<fabric::Marker>(configuration, configuration.marking, "marking", graph);
  return {marker,
          make<fabric::PortAgent>(configuration, configuration.agent, "agent", graph),
          make_reaction(configuration, network, marker),
          make<fabric::Injection>(configuration, configuration.injection, "injection", graph),
          make_isolation(configuration, network),
          make_admission(configuration, network),
          make<fabric::VlSharing>(configuration, configuration.vl_sharing, "vl_sharing", graph),
          std::move(flow_routing),
          nullptr,
          nullptr};
}

/// Who measures waiting behind hot traffic; null where nobody asks.
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

}  // namespace

/// Passes everything on to the recorder, and stops the fabric when sources are due or a workload
/// may go on.
class Simulation::Director final : public fabric::Observer {
 public:
  Director(metrics::Recorder& recorder, FlowTraffic& flows, ReservationWatch& reservations,
           std::vector<traffic::HostSource>& sources, std::vector<workload::Workload> workloads,
           const std::optional<LastMessage>& last)
      : recorder_(recorder),
        flows_(flows),
        reservations_(reservations),
        progress_(sources),
        last_(last) {
    for (workload::Workload& one : workloads) {
      players_.add(one.name, one.settings.traffic_class,
                   workload::Player(std::move(one.schedule), std::move(one.hosts), one.settings));
    }
  }

  void attach(fabric::Fabric& fabric) { fabric_ = &fabric; }

  void on_generated(const fabric::Message& message) override {
    recorder_.on_generated(message);
    flows_.on_generated(message);
  }
  void on_refused(HostId source, const fabric::MessageRequest& request,
                  std::uint8_t traffic_class) override {
    recorder_.on_refused(source, request, traffic_class);
    count(traffic_class);
  }
  void on_injected(const fabric::Packet& packet, const fabric::Message& message) override {
    recorder_.on_injected(packet, message);
    reservations_.on_injected(packet, message);
  }
  void on_delivered(const fabric::Packet& packet, const fabric::Message& message, Time now,
                    bool in_order) override {
    recorder_.on_delivered(packet, message, now, in_order);
    flows_.on_delivered(packet, message, now);
    if (!progress_.on_delivered()) return;
    is_due_ = true;
    fabric_->stop();
  }
  void on_message_complete(const fabric::Message& message, Time now) override {
    recorder_.on_message_complete(message, now);
    flows_.on_message_complete(message, now);
    count(message.traffic_class);
    if (players_.on_message_complete(message)) fabric_->stop();
  }
  void on_lost(const fabric::Packet& packet, const fabric::Message& message, PortId port,
               Time now) override {
    recorder_.on_lost(packet, message, port, now);
    if (players_.on_lost(message)) fabric_->stop();
  }
  void on_sample(const fabric::Fabric& fabric, Time now) override {
    recorder_.on_sample(fabric, now);
  }
  void on_set_aside(const fabric::SetAsideEvent& event) override { recorder_.on_set_aside(event); }

  /// Does what is due now; false when nothing was.
  bool step() {
    const bool some_start = std::exchange(is_due_, false);
    if (some_start) {
      for (traffic::HostSource& one : progress_.take_due()) {
        fabric_->add_source(one.host, std::move(one.source));
      }
    }
    return players_.step(*fabric_) || some_start;
  }
  [[nodiscard]] const traffic::Progress& progress() const { return progress_; }
  [[nodiscard]] const workload::Players& players() const { return players_; }
  /// What `until = { delivered = .. }` waits for has arrived.
  [[nodiscard]] bool has_last() const { return last_ && last_->is_over(); }

 private:
  void count(std::uint8_t traffic_class) {
    if (last_ && last_->count(traffic_class)) fabric_->stop();
  }

  metrics::Recorder& recorder_;
  FlowTraffic& flows_;
  ReservationWatch& reservations_;
  traffic::Progress progress_;
  workload::Players players_;
  std::optional<LastMessage> last_;
  fabric::Fabric* fabric_ = nullptr;
  bool is_due_ = false;
};

/// Tells two.
class Simulation::Both final : public fabric::Observer {
 public:
  Both(fabric::Observer& first, fabric::Observer& second) : first_(first), second_(second) {}

  void on_generated(const fabric::Message& message) override {
    first_.on_generated(message);
    second_.on_generated(message);
  }
  void on_refused(HostId source, const fabric::MessageRequest& request,
                  std::uint8_t traffic_class) override {
    first_.on_refused(source, request, traffic_class);
    second_.on_refused(source, request, traffic_class);
  }
  void on_injected(const fabric::Packet& packet, const fabric::Message& message) override {
    first_.on_injected(packet, message);
    second_.on_injected(packet, message);
  }
  void on_delivered(const fabric::Packet& packet, const fabric::Message& message, Time now,
                    bool in_order) override {
    first_.on_delivered(packet, message, now, in_order);
    second_.on_delivered(packet, message, now, in_order);
  }
  void on_message_complete(const fabric::Message& message, Time now) override {
    first_.on_message_complete(message, now);
    second_.on_message_complete(message, now);
  }
  void on_lost(const fabric::Packet& packet, const fabric::Message& message, PortId port,
               Time now) override {
    first_.on_lost(packet, message, port, now);
    second_.on_lost(packet, message, port, now);
  }
  void on_sample(const fabric::Fabric& fabric, Time now) override {
    first_.on_sample(fabric, now);
    second_.on_sample(fabric, now);
  }
  void on_set_aside(const fabric::SetAsideEvent& event) override {
    first_.on_set_aside(event);
    second_.on_set_aside(event);
  }

 private:
  fabric::Observer& first_;
  fabric::Observer& second_;
};

Simulation::Simulation(const Configuration& configuration, std::shared_ptr<const Network> network,
                       const SimulationAdditions& additions)
    : flows_(configuration, std::move(network)),
      reservations_(configuration),
      network_(flows_.network()),
      resources_(resource_report(configuration, *network_)),
      end_(configuration.duration.value_or(Time::max())),
      window_(configuration.warmup),
      step_(configuration.duration ? std::max(Time(1), end_ / 200) : microseconds(20)),
      until_idle_(configuration.until_drained || configuration.until_delivered),
      until_workload_(configuration.until_workload),
      precision_(configuration.until_precise) {
  if (precision_) looks_.emplace(configuration.warmup, end_);
  const auto flow_router = make_flow_routing(configuration, *network_);
  fabric::Mechanisms mechanisms = make_mechanisms(configuration, *network_, flow_router);
  fabric::FabricSettings settings = configuration.fabric;
  settings.sample_period = configuration.bin;
  carry(settings, mechanisms);
  std::optional<traffic::Traffic> traffic;
  at_place(configuration.source, "traffic",
           [&] { traffic = make_traffic(configuration, *network_->graph, settings); });
  std::vector<workload::Workload> workloads = make_workloads(configuration, *network_->graph);
  for (traffic::TrafficClass& one : workload_classes(configuration, workloads)) {
    traffic->classes.push_back(std::move(one));
  }
  if (!flows_.is_empty()) flows_.add_to(*traffic);
  if (additions.add_traffic) additions.add_traffic(*network_->graph, *traffic);
  if (flow_router) flow_router->tell(flows_.watch());
  mechanisms.control = flows_.control();
  mechanisms.waiting = make_waiting_watch(configuration, *traffic);
  build(configuration, settings, mechanisms, std::move(*traffic), std::move(workloads),
        additions.observer);
}

Simulation::~Simulation() = default;

void Simulation::build(const Configuration& configuration, const fabric::FabricSettings& settings,
                       const fabric::Mechanisms& mechanisms, traffic::Traffic traffic,
                       std::vector<workload::Workload> workloads, fabric::Observer* also) {
  const topology::Graph& graph = *network_->graph;
  metrics::RecorderSettings recording = recorder_settings(configuration, network_, traffic, flows_);
  recording.traffic.header = settings.header;
  recording.traffic.sizes = configuration.size_classes;
  if (configuration.metrics->slowdown) {
    recording.traffic.timing = message_timing(network_, settings);
  }
  recorder_ = std::make_unique<metrics::Recorder>(graph, std::move(recording));
  hot_sources_ = hot_sources(*network_, traffic);
  if (precision_ &&
      !recorder_->estimate(precision_->metric, Time(0), precision_->keys->confidence)) {
    throw precision_->keys.error(
        &UntilKeys::metric, "victims are not known here: there is no hot traffic with fixed aims");
  }
  fabric::Observer* observer = recorder_.get();
  const bool some_wait =
      std::any_of(traffic.sources.begin(), traffic.sources.end(),
                  [](const traffic::HostSource& one) { return one.start_after_packets > 0; });
  std::optional<LastMessage> last;
  if (configuration.until_delivered) {
    const std::size_t its = delivered_class(*configuration.until_delivered, configuration);
    const std::size_t of_flows = configuration.traffic.size() + configuration.workloads.size();
    last.emplace(its, its < configuration.traffic.size() ? configuration.traffic[its].messages *
                                                               traffic.classes[its].sources.size()
                                                         : flows_.messages_of(its - of_flows));
  }
  if (some_wait || !workloads.empty() || !flows_.is_empty() || last || reservations_.is_needed()) {
    director_ = std::make_unique<Director>(*recorder_, flows_, reservations_, traffic.sources,
                                           std::move(workloads), last);
    observer = director_.get();
  }
  if (configuration.threads > 1)
    refuse_threads(configuration, also != nullptr, some_wait || last.has_value());
  if (also != nullptr) {
    both_ = std::make_unique<Both>(*observer, *also);
    observer = both_.get();
  }
  fabric::Models models{
      network_->graph, network_->routing, make_selection(configuration),
      make<fabric::QueueingScheme>(configuration, configuration.queueing, "queueing", graph)};
  at_place(configuration.source, "switch", [&] {
    if (configuration.threads == 1) {
      fabric_ = std::make_unique<fabric::Fabric>(models, mechanisms, settings, *observer);
      return;
    }
    const auto make_part = [&] {
      models.selection = make_selection(configuration);
      return fabric::PartModels{
          models,
          make_mechanisms(configuration, *network_, make_flow_routing(configuration, *network_))};
    };
    fabric_ = std::make_unique<fabric::Fabric>(
        make_part,
        std::make_shared<const fabric::Territories>(fabric::divide(graph, configuration.threads)),
        settings, *observer);
  });
  if (director_) director_->attach(*fabric_);
  at_place(configuration.source, "rates", [&] { flows_.attach(*fabric_); });
  schedule_failures(configuration.failures, configuration.fabric.seed, *fabric_);
  for (traffic::HostSource& one : traffic.sources) {
    fabric_->add_source(one.host, std::move(one.source));
  }
}

void Simulation::refuse_threads(const Configuration& configuration, bool has_observer,
                                bool waits_for_a_count) const {
  const auto refuse = [](const std::string& key, const char* what) {
    throw InputError(key, fmt::format("a run with experiment.threads above 1 has no {}: {} act on "
                                      "the whole network at once",
                                      what, what));
  };
  if (!flows_.is_empty()) {
    throw InputError(
        flows_.key(),
        fmt::format("a run with experiment.threads above 1 has no {}: each flow is measured by "
                    "itself, and what threads are told of each other's messages does not say which "
                    "flow they are of",
                    flows_.noun()));
  }
  if (director_ && director_->players().size() > 0) refuse("workload", "workloads");
  if (waits_for_a_count)
    refuse("traffic", "sources or ends of a run that wait for a count of messages");
  if (!configuration.failures.empty()) refuse("failure", "links that fail");
  if (has_observer) refuse("experiment.threads", "observers of a program");
  if (configuration.metrics->waiting) {
    throw configuration.metrics.error(
        &MetricsKeys::waiting,
        "needs experiment.threads = 1: whether hot packets fill the memory behind a link is known "
        "at its far end, which may be in another part of the network");
  }
}

bool Simulation::run_to(Time target) {
  for (;;) {
    const Time due = director_ ? director_->players().next() : Time::max();
    const bool may_stop = until_idle_ && due == Time::max();
    const bool is_idle = fabric_->run_until(
        std::min(target, due), may_stop ? fabric::WhenIdle::stop : fabric::WhenIdle::keep_time);
    if (!director_) return is_idle;
    const bool goes_on = director_->step();
    const bool are_over = director_->players().are_over();
    if ((until_workload_ && are_over) || director_->has_last()) return true;
    if (goes_on) continue;
    if (fabric_->now() >= target || is_idle) return is_idle && are_over;
  }
}

bool Simulation::advance(Time step) {
  const Time now = fabric_->now();
  Time target = end_ - now > step ? now + step : end_;
  if (looks_) target = std::min(target, looks_->next());
  const bool begins = now < window_ && window_ <= target;
  if (begins) target = window_;
  const bool is_idle = run_to(target);
  if (begins && fabric_->now() == window_) recorder_->begin_window(*fabric_);
  if (is_known()) return false;
  if (until_workload_ && director_->players().are_over()) return false;
  if (director_ && director_->has_last()) return false;
  return (!is_idle || !until_idle_) && fabric_->now() < end_;
}

bool Simulation::is_known() {
  if (!looks_ || fabric_->now() < looks_->next()) return false;
  relative_half_width_ = Precision::relative(
      recorder_->estimate(precision_->metric, fabric_->now(), precision_->keys->confidence));
  return looks_->look(relative_half_width_ <= precision_->keys->relative_half_width);
}

std::string Simulation::missed_precision() const {
  const std::string metric = to_string(precision_->metric);
  if (std::isinf(relative_half_width_)) {
    return fmt::format("the duration was over before there was an interval of {}", metric);
  }
  return fmt::format("the duration was over before {} was known within {:.3g} %: {:.3g} %", metric,
                     precision_->keys->relative_half_width * 100, relative_half_width_ * 100);
}

std::vector<std::string> Simulation::notes() const {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < fabric_->mechanisms().size(); ++i) {
    const std::vector<const fabric::Mechanism*> instances = fabric_->instances(i);
    std::vector<std::string> common = instances.front()->notes();
    for (std::size_t k = 1; k < instances.size() && !common.empty(); ++k) {
      const std::vector<std::string> told = instances[k]->notes();
      std::erase_if(common, [&](const std::string& note) {
        return std::find(told.begin(), told.end(), note) == told.end();
      });
    }
    all.insert(all.end(), common.begin(), common.end());
  }
  return all;
}

metrics::RunResult Simulation::finish(double wall_seconds) {
  fabric_->check();
  metrics::RunResult result = recorder_->finish(*fabric_, wall_seconds);
  result.cpu_seconds = fabric_->cpu_seconds_of_helpers();
  flows_.report(result, fabric_->now());
  reservations_.report(result);
  add_resources(result, resources_);
  for (const auto& [switches, count] : hot_sources_) {
    result.add_scalar("hot_sources",
                      fmt::format("{} switch{}", switches, switches == 1 ? "" : "es"),
                      static_cast<double>(count));
  }
  add_ties(result, *fabric_);
  const std::vector<std::string> told = notes();
  result.notes.insert(result.notes.end(), told.begin(), told.end());
  if (director_ && director_->players().size() > 0) {
    add_workloads(result, director_->players());
  }
  if (std::string lost = losses(*fabric_); !lost.empty()) result.notes.push_back(std::move(lost));
  result.add_scalar("heads_passed_over", "", static_cast<double>(fabric_->passed_over().heads));
  if (std::string passed = fabric_->passed_over_note(); !passed.empty())
    result.notes.push_back(std::move(passed));
  if (director_ && director_->progress().waiting() > 0) {
    result.notes.push_back(
        fmt::format("{} sources never began: {} data packets were delivered, they wait for more",
                    director_->progress().waiting(), director_->progress().received()));
  }
  if (precision_ && !(relative_half_width_ <= precision_->keys->relative_half_width)) {
    result.notes.push_back(missed_precision());
  }
  return result;
}

}  // namespace weir::experiment
