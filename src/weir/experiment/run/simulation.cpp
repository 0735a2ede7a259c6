#include "weir/experiment/run/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <optional>

#include "weir/base/state_archive.hpp"
#include "weir/experiment/config/cables.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/run/expected_work.hpp"
#include "weir/experiment/run/recorder_settings.hpp"
#include "weir/experiment/run/workloads.hpp"
#include "weir/fabric/hooks/two_observers.hpp"

namespace weir::experiment {
namespace {

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

}  // namespace

Simulation::Simulation(const Configuration& configuration, std::shared_ptr<const Network> network,
                       const SimulationAdditions& additions)
    : flows_(configuration, std::move(network)),
      reservations_(configuration),
      network_(flows_.network()),
      resources_(resource_report(configuration, *network_)),
      is_watched_(additions.observer != nullptr),
      end_(configuration.duration.value_or(Time::max())),
      window_(configuration.warmup),
      step_(configuration.duration ? std::max(Time(1), end_ / 200) : microseconds(20)),
      until_idle_(configuration.until_drained || configuration.until_delivered),
      until_workload_(configuration.until_workload),
      precision_(configuration.until_precise) {
  if (precision_) looks_.emplace(configuration.warmup, end_);
  if (additions.goes_on) flows_.expect_checkpoint();
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
  build(configuration, settings, mechanisms, std::move(*traffic), std::move(workloads), additions);
}

Simulation::~Simulation() = default;

void Simulation::build(const Configuration& configuration, const fabric::FabricSettings& settings,
                       const fabric::Mechanisms& mechanisms, traffic::Traffic traffic,
                       std::vector<workload::Workload> workloads,
                       const SimulationAdditions& additions) {
  const topology::Graph& graph = *network_->graph;
  metrics::RecorderSettings recording = recorder_settings(configuration, network_, traffic, flows_);
  recording.ranks = configuration.ranks;
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
  Ranks* const ranks = configuration.ranks;
  const std::size_t parts = configuration.threads * (ranks == nullptr ? 1 : ranks->count());
  if (ranks != nullptr) refuse_ranks(additions);
  if (parts > 1) {
    refuse_threads(configuration);
    if (additions.observer != nullptr && !additions.only_watches) {
      throw InputError("experiment.threads",
                       "observers of a program that may act on the network need one thread: those "
                       "of several hear later of what has happened");
    }
  }
  if (additions.observer != nullptr) {
    both_ = std::make_unique<fabric::TwoObservers>(*observer, *additions.observer);
    observer = both_.get();
  }
  fabric::Models models{
      network_->graph, network_->routing, make_selection(configuration),
      make<fabric::QueueingScheme>(configuration, configuration.queueing, "queueing", graph)};
  at_place(configuration.source, "switch", [&] {
    if (parts == 1) {
      fabric_ = std::make_unique<fabric::Fabric>(models, mechanisms, settings, *observer);
      return;
    }
    fabric::Territories divided =
        additions.divide
            ? additions.divide(graph, parts)
            : fabric::divide(graph, parts,
                             expected_packets(make_traffic(configuration, graph, settings),
                                              *network_, settings));
    if (ranks != nullptr) {
      // Libraries of other machines, or another thread's random numbers, may divide it otherwise.
      divided = fabric::territories_of(graph, gathered(ranks, divided.of_node).front(),
                                       of_first(ranks, divided.parts));
    }
    const auto territories = std::make_shared<const fabric::Territories>(std::move(divided));
    if (director_) {
      divided_ = std::make_unique<DividedDirector>(configuration, *director_, flows_, reservations_,
                                                   territories->parts);
    }
    const auto make_part = [&] {
      models.selection = make_selection(configuration);
      return fabric::PartModels{
          models,
          make_mechanisms(configuration, *network_, make_flow_routing(configuration, *network_)),
          divided_ ? &divided_->next_work() : nullptr};
    };
    fabric_ = std::make_unique<fabric::Fabric>(make_part, territories, settings, *observer,
                                               divided_.get(), ranks);
  });
  if (director_) director_->attach(*fabric_);
  if (divided_) divided_->attach(*fabric_);
  at_place(configuration.source, "rates", [&] { flows_.attach(*fabric_); });
  if (!additions.goes_on)
    schedule_failures(configuration.failures, configuration.fabric.seed, *fabric_);
  for (traffic::HostSource& one : traffic.sources) {
    if (additions.goes_on) {
      fabric_->add_source_later(one.host, std::move(one.source));
    } else {
      fabric_->add_source(one.host, std::move(one.source));
    }
  }
}

std::string Simulation::no_checkpoints() const {
  if (is_watched_) return "an observer of a program";
  return fabric_->no_checkpoints();
}

void Simulation::checkpoint(StateArchive& state) {
  if (divided_ && !state.is_reading()) divided_->settle();
  if (director_) director_->checkpoint(state);
  if (divided_ && state.is_reading()) divided_->go_on();
  fabric_->checkpoint(state);
  if (fabric_->ranks() != nullptr && !state.is_reading()) reservations_.share(*fabric_->ranks());
  reservations_.checkpoint(state);
  recorder_->checkpoint(state, *fabric_);
  if (looks_) looks_->checkpoint(state);
  state(relative_half_width_);
}

bool Simulation::run_to(Time target) {
  if (divided_) {
    const bool is_idle = fabric_->run_until(
        target, until_idle_ ? fabric::WhenIdle::stop : fabric::WhenIdle::keep_time);
    return divided_->is_over() || (is_idle && director_->players().are_over());
  }
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

metrics::RunResult Simulation::finish(double wall_seconds) {
  fabric_->check();
  if (divided_) divided_->settle();
  metrics::RunResult result = recorder_->finish(*fabric_, wall_seconds);
  result.cpu_seconds = fabric_->cpu_seconds_of_helpers();
  flows_.report(result, fabric_->now());
  if (fabric_->ranks() != nullptr) reservations_.share(*fabric_->ranks());
  reservations_.report(result);
  add_resources(result, resources_);
  for (const auto& [switches, count] : hot_sources_) {
    result.add_scalar("hot_sources",
                      fmt::format("{} switch{}", switches, switches == 1 ? "" : "es"),
                      static_cast<double>(count));
  }
  add_ties(result, *fabric_);
  const std::vector<std::string> told = fabric_->notes();
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
