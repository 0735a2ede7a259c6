#pragma once

#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "weir/base/catalog.hpp"
#include "weir/fabric/fabric.hpp"
#include "weir/routing/routing.hpp"
#include "weir/topology/topology.hpp"

namespace weir {
inline void PrintTo(Time t, std::ostream* out) { *out << to_string(t); }
}  // namespace weir

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

/// Remembers every delivery.
struct Delivery {
  HostId source;
  HostId destination;
  Time injected;
  Time delivered;
  std::uint32_t sequence = 0;
  bool in_order = true;
};
class Recorder : public Observer {
 public:
  void on_delivered(const Packet& packet, const Message&, Time now, bool in_order) override {
    deliveries.push_back({HostId(packet.source), HostId(packet.destination), Time(packet.injected),
                          now, packet.sequence, in_order});
    bytes_from.resize(std::max<std::size_t>(bytes_from.size(), packet.source + 1));
    if (now >= count_from) bytes_from[packet.source] += packet.size;
  }
  std::vector<Delivery> deliveries;
  std::vector<std::int64_t> bytes_from;  ///< per source host, since count_from
  Time count_from;
};

/// The queueing of one buffer class that fits `settings.voq`.
inline std::string one_class(const FabricSettings& settings) {
  return settings.voq ? "voqsw" : "fifo";
}

/// A network under test: choose, then build().
struct TestNetwork {
  std::shared_ptr<const topology::Graph> graph;
  std::string routing = "d-mod-k";
  std::string selection = "fixed";
  std::string selection_toml;
  std::string queueing;  ///< "": one class, see one_class()
  std::string queueing_toml;
  FabricSettings settings;
  Mechanisms mechanisms;
  Recorder recorder;

  std::unique_ptr<Fabric> build() { return build(recorder); }
  std::unique_ptr<Fabric> build(Observer& observer) const {
    Models models{
        graph, make_routing(routing, *graph), make_selection(selection, selection_toml),
        make_queueing(queueing.empty() ? one_class(settings) : queueing, *graph, queueing_toml)};
    return std::make_unique<Fabric>(models, mechanisms, settings, observer);
  }
};

}  // namespace weir::fabric::testing
