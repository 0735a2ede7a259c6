#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/journal.hpp"
#include "weir/base/catalog.hpp"
#include "weir/base/error.hpp"
#include "weir/fabric/fabric.hpp"
#include "weir/fabric/hooks/reaction.hpp"
#include "weir/routing/routing.hpp"
#include "weir/topology/topology.hpp"

namespace weir::fabric::testing {

/// Settings of a model from TOML text ("k = 4").
inline Settings settings_of(const ModelInfo& info, const std::string& toml) {
  return Settings::check(parse_toml(toml, "test"), info.parameters, info.name);
}

inline std::shared_ptr<const topology::Graph> make_topology(const std::string& name,
                                                            const std::string& toml = "",
                                                            topology::LinkSpec link = {}) {
  const auto& model = topology::topology_registry().find(name, {}, "topology");
  return std::make_shared<topology::Graph>(model.make(settings_of(model.info, toml), link));
}

inline std::shared_ptr<const routing::RoutingFunction> make_routing(const std::string& name,
                                                                    const topology::Graph& graph,
                                                                    const std::string& toml = "") {
  const auto& model = routing::routing_registry().find(name, {}, "routing");
  return model.make(settings_of(model.info, toml), graph);
}

inline std::shared_ptr<SelectionFunction> make_selection(const std::string& name,
                                                         const std::string& toml = "") {
  const auto& model = selection_registry().find(name, {}, "selection");
  return model.make(settings_of(model.info, toml));
}

inline std::shared_ptr<const QueueingScheme> make_queueing(const std::string& name,
                                                           const topology::Graph& graph,
                                                           const std::string& toml = "") {
  const auto& model = queueing_registry().find(name, {}, "queueing");
  return model.make(settings_of(model.info, toml), graph);
}

/// Sends a given list of messages.
class ListSource : public MessageSource {
 public:
  explicit ListSource(std::vector<MessageRequest> messages) : messages_(std::move(messages)) {}
  std::optional<MessageRequest> next(Time) override {
    if (next_ == messages_.size()) return std::nullopt;
    return messages_[next_++];
  }

 private:
  std::vector<MessageRequest> messages_;
  std::size_t next_ = 0;
};

/// Always has a message, for destinations in turn or at random.
class SaturatedSource : public MessageSource {
 public:
  SaturatedSource(std::vector<HostId> destinations, Bytes size,
                  std::optional<std::uint64_t> random = std::nullopt)
      : destinations_(std::move(destinations)), size_(size) {
    if (random) random_.emplace(*random, 0, StreamPurpose::test);
  }
  std::optional<MessageRequest> next(Time now) override {
    const std::size_t i =
        random_ ? random_->below(destinations_.size()) : next_++ % destinations_.size();
    return MessageRequest{now, destinations_[i], size_};
  }
  [[nodiscard]] bool closed_loop() const override { return true; }

 private:
  std::vector<HostId> destinations_;
  Bytes size_;
  std::size_t next_ = 0;
  std::optional<RandomStream> random_;
};

/// The queueing of one buffer class that fits `settings.voq`.
inline std::string one_class(const FabricSettings& settings) {
  return settings.voq ? "voqsw" : "fifo";
}

/// Made by name from the registries, with parameters in TOML.
inline std::shared_ptr<Marker> make_marker(const std::string& name, const topology::Graph& graph,
                                           const std::string& toml = "") {
  const auto& model = marker_registry().find(name, {}, "marking");
  return model.make(settings_of(model.info, toml), graph);
}

/// A network under test: choose, then build(). One class, routes as named, and no mechanism unless
/// said otherwise.
struct SmallNetwork {
  std::shared_ptr<const topology::Graph> graph;
  std::string routing = "d-mod-k";
  std::string routing_toml;
  std::string selection = "fixed";
  std::string selection_toml;
  std::string queueing;  ///< "": one class, see one_class(); with isolation "fifo"
  std::string queueing_toml;
  std::string isolation;  ///< "": that of `mechanisms`, if any
  std::string isolation_toml;
  std::string reaction;  ///< likewise
  std::string reaction_toml;
  FabricSettings settings;
  Mechanisms mechanisms;
  std::function<Mechanisms()> make_mechanisms;  ///< in place of those
  Journal journal;

  [[nodiscard]] Models models() const {
    const std::string plain = isolation.empty() ? one_class(settings) : "fifo";
    return {graph, make_routing(routing, *graph, routing_toml),
            make_selection(selection, selection_toml),
            make_queueing(queueing.empty() ? plain : queueing, *graph, queueing_toml)};
  }
  std::unique_ptr<Fabric> build() { return build(journal); }
  std::unique_ptr<Fabric> build(Observer& observer) const {
    const PartModels made = part();
    return std::make_unique<Fabric>(made.models, made.mechanisms, settings, observer);
  }
  /// Divided; `mechanisms` are made anew for each part by `make_mechanisms`.
  std::unique_ptr<Fabric> build(Observer& observer, const Territories& territories) const {
    return std::make_unique<Fabric>([this] { return part(); },
                                    std::make_shared<const Territories>(territories), settings,
                                    observer);
  }
  [[nodiscard]] PartModels part() const {
    const Models chosen = models();
    Mechanisms all = make_mechanisms ? make_mechanisms() : mechanisms;
    if (!reaction.empty()) {
      const auto& model = reaction_registry().find(reaction, {}, "reaction");
      all.reaction = model.make(settings_of(model.info, reaction_toml),
                                {graph, chosen.routing, all.marker, settings});
    }
    if (!isolation.empty()) {
      const auto& model = isolation_registry().find(isolation, {}, "isolation");
      const int classes = (chosen.queueing->classes() + chosen.selection->added_classes()) *
                          chosen.routing->lanes();
      all.isolation = model.make(settings_of(model.info, isolation_toml),
                                 {graph, chosen.routing, settings, classes});
    }
    return {chosen, all};
  }
  /// What build() says is wrong; "": nothing.
  [[nodiscard]] std::string refusal() {
    try {
      build();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  // --- Places
  /// The switch port to which a host is attached.
  [[nodiscard]] std::uint32_t at_host(std::uint32_t host) const {
    return graph->port(graph->host_port(HostId(host))).to.value;
  }
  /// The port of switch `from` that leads to switch `to`.
  [[nodiscard]] std::uint32_t towards(std::uint32_t from, std::uint32_t to) const {
    for (const topology::Port& port : graph->ports(graph->node(SwitchId(from)))) {
      if (port.to.valid() && graph->port(port.to).node == graph->node(SwitchId(to)))
        return graph->port(port.to).from.value;
    }
    throw std::logic_error("no such cable");
  }
};

/// These messages of one host.
inline void send(Fabric& fabric, std::uint32_t host, std::vector<MessageRequest> messages) {
  fabric.add_source(HostId(host), std::make_unique<ListSource>(std::move(messages)));
}

}  // namespace weir::fabric::testing
