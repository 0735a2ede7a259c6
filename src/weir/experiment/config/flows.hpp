#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "weir/base/catalog.hpp"
#include "weir/base/config.hpp"
#include "weir/fabric/packet.hpp"
#include "weir/rates/flow_routes.hpp"
#include "weir/topology/graph.hpp"
#include "weir/traffic/model_choice.hpp"
#include "weir/traffic/pattern.hpp"

namespace weir::experiment {

/// Name of the traffic class of all [[flow]]s of a simulation.
inline constexpr const char* kFlowClass = "flows";

/// One [[flow]] table: one flow, or many by a pattern, from a file, or of a fragmented cluster.
struct FlowEntry {
  Settings settings;  ///< flow_parameters()
  std::optional<traffic::ModelChoice<traffic::PatternFactory>> destinations;
  std::optional<Settings> fragmented;  ///< fragmented_parameters()
};

/// Keys of [[flow]], of its `fragmented`, and of [rates].
std::vector<Parameter> flow_parameters();
std::vector<Parameter> fragmented_parameters();
std::vector<Parameter> rates_parameters();

/// [rates] and all [[flow]] tables of an experiment.
struct RateInput {
  Settings settings;  ///< rates_parameters()
  std::vector<FlowEntry> flows;
};

/// [rates] alone. Throws InputError.
Settings read_rate_settings(const ConfigTable& table);
/// Reads both and, where there is any of them, puts them with defaults into `resolved` (null:
/// nowhere). Throws InputError.
RateInput read_rates(const ConfigTable& table, ConfigTable* resolved = nullptr);

/// Flows of a network, and what their applications are called.
struct FlowList {
  std::vector<rates::FlowRequest> flows;
  std::vector<Time> starts;                  ///< per flow
  std::vector<std::uint8_t> service_levels;  ///< per flow
  std::vector<std::uint16_t> connections;    ///< per flow: its number between the two hosts
  bool may_share = false;                    ///< some entry's flows share connections
  /// Of flows that say theirs: transmitting ports from the source's own on.
  std::unordered_map<std::uint32_t, std::vector<PortId>> paths;
  std::vector<std::string> applications;
  std::vector<std::size_t> entry_end;  ///< of each [[flow]] table: one past its last flow
};

/// What is drawn depends on the seed and the number of the entry. Between two hosts all flows of
/// entries with `connection` = "shared" have connection 0, the others the numbers that follow, in
/// order. Throws InputError at the place of what does not fit the network, also for an entry that
/// gives its application no flow, and for more than 65536 connections between two hosts.
FlowList make_flows(const std::vector<FlowEntry>& entries, const topology::Graph& graph,
                    std::uint64_t seed);

/// All connections of the flows in the order of their first flows.
struct ConnectionList {
  std::vector<fabric::ConnectionName> names;
  std::vector<std::uint32_t> of_flow;  ///< per flow: place in `names`
};
[[nodiscard]] ConnectionList list_connections(const FlowList& flows);

/// Capacities of all links less what [rates] reserves for other traffic. Throws InputError when a
/// link is left without any.
std::vector<rates::Fraction> make_capacities(const Settings& settings,
                                             const topology::Graph& graph);

}  // namespace weir::experiment
