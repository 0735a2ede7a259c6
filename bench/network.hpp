#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weir/base/catalog.hpp"
#include "weir/fabric/fabric.hpp"
#include "weir/metrics/recorder.hpp"
#include "weir/routing/routing.hpp"
#include "weir/topology/topology.hpp"
#include "weir/traffic/traffic.hpp"

namespace weir::bench {

/// A network to measure: a topology of the catalog.
struct Network {
  std::string label;
  std::string model;
  std::string settings;  ///< TOML
};

inline const std::vector<Network>& networks() {
  static const std::vector<Network> all = {{"4-ary 3-tree", "k-ary-n-tree", "k = 4\nn = 3"},
                                           {"8-ary 3-tree", "k-ary-n-tree", "k = 8\nn = 3"},
                                           {"16-ary 3-tree", "k-ary-n-tree", "k = 16\nn = 3"},
                                           {"rlft 12/3", "rlft", "ports = 12\nstages = 3"},
                                           {"rlft 24/3", "rlft", "ports = 24\nstages = 3"},
                                           {"16-ary 4-tree", "k-ary-n-tree", "k = 16\nn = 4"}};
  return all;
}

/// Offered load of uniform traffic in per cent, or the hot spot: 10 % of the hosts, chosen at
/// random, send all they can to host 4, the others all they can to everyone.
struct Load {
  int uniform_percent = 0;  ///< 0: hot spot
  [[nodiscard]] std::string label() const {
    return uniform_percent == 0 ? "H10" : fmt::format("uniform {} %", uniform_percent);
  }
};

/// A part of the switch or of the hosts whose cost is compared.
enum class Part {
  none,
  isolation,  ///< with a source queue for each destination
  selection,
  marking,
  management,  ///< see managements()
};

/// A congestion management whose cost is compared: "" stands for no such model.
struct Management {
  std::string name;
  std::string marker;
  std::string marker_settings;  ///< TOML
  std::string reaction;
  fabric::AckMode acks = fabric::AckMode::in_band;
};

inline const std::vector<Management>& managements() {
  static const std::vector<Management> all = {
      {"acks", "", "", ""},
      {"mvcm", "mvpm", "", "dynamic-window"},
      {"dcqcn", "red",
       "low_bytes = \"12.5 KB\"\nhigh_bytes = \"300 KB\"\nprobability = 0.01\n"
       "weight = 1.0\nspread = \"independent\"",
       "dcqcn", fabric::AckMode::becn},
      {"timely", "", "", "timely"},
      {"swift", "", "", "swift"},
      {"hpcc", "telemetry", "", "hpcc"}};
  return all;
}

struct Case {
  Network network;
  Load load;
  fabric::Architecture architecture = fabric::Architecture::input_queued;
  bool metrics = true;  ///< with the recorder of a default run
  Part part = Part::none;
  std::string model{};  ///< of that part; "voqsw" and "unmarked" are runs without any

  [[nodiscard]] bool has(Part which) const { return part == which; }
  [[nodiscard]] std::string switches() const {
    if (part != Part::none) return model;
    return architecture == fabric::Architecture::cioq ? "cioq 2x" : "input-queued";
  }
};

inline std::string label(const Case& c) {
  return c.network.label + ", " + c.load.label() + ", " + c.switches();
}

/// Catalog entry made from TOML text.
template <class Registry, class... Context>
auto make_model(const Registry& registry, const std::string& name, const std::string& toml,
                const Context&... context) {
  const auto& entry = registry.find(name, {}, "model");
  return entry.make(Settings::check(parse_toml(toml, "bench"), entry.info.parameters, name),
                    context...);
}

/// Parameters of the adaptive-routing document (4 KB packets, 84-packet buffers, 100 ns routing
/// delay). Source queues are bounded, so that runs near saturation reach a steady state.
inline fabric::FabricSettings fabric_settings(fabric::Architecture architecture) {
  fabric::FabricSettings settings;
  settings.architecture = architecture;
  settings.speedup = architecture == fabric::Architecture::cioq ? 2.0 : 1.0;
  settings.routing_delay = nanoseconds(100);
  settings.ingress_buffer = settings.egress_buffer = Bytes(84 * 4'096);
  settings.backlog = Bytes(16 * 4'096);
  return settings;
}

inline std::string traffic_toml(const Load& load) {
  const auto entry = [](const std::string& name, const std::string& sources,
                        const std::string& destinations, const std::string& arrivals) {
    return fmt::format(
        "[[traffic]]\nname = \"{}\"\nsources = {}\ndestinations = {{ {} }}\n"
        "arrivals = {{ {} }}\nsizes = {{ model = \"fixed\", size = \"4096 B\" }}\n",
        name, sources, destinations, arrivals);
  };
  if (load.uniform_percent > 0) {
    return entry("uniform", "\"all\"", "model = \"uniform\"",
                 fmt::format("model = \"poisson\", load = {}", load.uniform_percent / 100.0));
  }
  return entry("hot", "{ exclude = [4], fraction = 0.1, choose = \"random\" }",
               "model = \"fixed\", host = 4", "model = \"saturated\"") +
         entry("cold", "\"rest\"", "model = \"uniform\"", "model = \"saturated\"");
}

/// A fabric under load, ready to run.
class Simulation {
 public:
  explicit Simulation(const Case& what) {
    const topology::LinkSpec link{gigabits_per_second(100), nanoseconds(30)};
    graph_ = std::make_shared<const topology::Graph>(
        make_model(topology::topology_registry(), what.network.model, what.network.settings, link));
    fabric::Models models;
    models.graph = graph_;
    models.routing = make_model(routing::routing_registry(), "d-mod-k", "", *graph_);
    models.selection = make_model(fabric::selection_registry(),
                                  what.has(Part::selection) ? what.model : "fixed", "");
    const bool sets_aside = what.has(Part::isolation) && what.model != "voqsw";
    models.queueing =
        make_model(fabric::queueing_registry(), sets_aside ? "fifo" : "voqsw", "", *graph_);
    const ConfigTable toml = parse_toml(traffic_toml(what.load), "bench");
    auto traffic =
        traffic::make_sources(traffic::check_traffic(*toml.find("traffic")), {*graph_, 1});
    const Management management = management_of(what);
    observe(traffic.classes, what.metrics, !management.marker.empty());
    fabric::FabricSettings settings = fabric_settings(what.architecture);
    settings.acks = management.acks;
    fabric::Mechanisms mechanisms;
    if (!management.marker.empty()) {
      mechanisms.marker = make_model(fabric::marker_registry(), management.marker,
                                     management.marker_settings, *graph_);
    }
    if (what.has(Part::management) || what.has(Part::isolation)) {
      settings.source_queues = fabric::SourceQueueKind::per_destination;
    }
    if (!management.reaction.empty()) {
      mechanisms.reaction =
          make_model(fabric::reaction_registry(), management.reaction, "",
                     fabric::ReactionContext{graph_, models.routing, mechanisms.marker, settings});
    }
    if (sets_aside) {
      mechanisms.isolation = make_model(fabric::isolation_registry(), what.model, "",
                                        fabric::IsolationContext{graph_, models.routing, settings});
    }
    fabric_ = std::make_unique<fabric::Fabric>(models, mechanisms, settings, *observer_);
    for (traffic::HostSource& s : traffic.sources) {
      fabric_->add_source(s.host, std::move(s.source));
    }
  }

  fabric::Fabric& fabric() { return *fabric_; }
  [[nodiscard]] std::size_t hosts() const { return graph_->host_count(); }

 private:
  static Management management_of(const Case& what) {
    if (what.has(Part::management)) {
      for (const Management& one : managements())
        if (one.name == what.model) return one;
    }
    const bool is_marked = what.has(Part::marking) && what.model != "unmarked";
    return {"", is_marked ? what.model : "", "", "", fabric::AckMode::none};
  }
  void observe(const std::vector<traffic::TrafficClass>& classes, bool metrics, bool is_marked) {
    if (!metrics) {
      observer_ = std::make_unique<fabric::Observer>();
      return;
    }
    metrics::RecorderSettings settings;
    for (const traffic::TrafficClass& c : classes)
      settings.traffic.classes.push_back({c.name, metrics::Role::plain});
    settings.traffic.foreseen_end = milliseconds(100);
    settings.watch_links = settings.watch_trees = false;
    settings.watch_marks = is_marked;
    observer_ = std::make_unique<metrics::Recorder>(*graph_, settings);
  }

  std::shared_ptr<const topology::Graph> graph_;
  std::unique_ptr<fabric::Observer> observer_;
  std::unique_ptr<fabric::Fabric> fabric_;
};

}  // namespace weir::bench
