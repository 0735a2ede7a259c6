#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "weir/base/keys.hpp"
#include "weir/fabric/packet.hpp"
#include "weir/rates/flow_routes.hpp"
#include "weir/topology/graph.hpp"
#include "weir/traffic/flow_pairs.hpp"
#include "weir/traffic/model_choice.hpp"
#include "weir/traffic/pattern.hpp"
#include "weir/traffic/size.hpp"
#include "weir/traffic/traffic.hpp"

namespace weir::experiment {

/// Name of the traffic class of [[flow]]s without a name.
inline constexpr const char* kFlowClass = "flows";

enum class FlowConnection : std::uint8_t { own, shared };

/// A [[flow]] as it is written: the short form of a [[traffic]] with `rate` that sends all the time
/// or one message.
struct FlowKeys : traffic::ClassKeys {
  FlowKeys() { name = kFlowClass; }

  std::optional<ConfigValue> source;
  std::optional<ConfigValue> destination;
  std::optional<ConfigValue> destinations;
  std::optional<ConfigValue> sources;
  ConfigValue per_source{std::int64_t{1}, {}};
  std::optional<FilePath> file;
  std::optional<ConfigValue> fragmented;
  double weight = 1;
  std::string application = "all";
  std::optional<Bytes> size;         ///< nothing, nor `sizes`: it never ends
  std::optional<ConfigValue> sizes;  ///< in place of `size`
  Time start;                        ///< after that of its phase
  Time stop = Time::max();           ///< likewise; of what has no size
  std::int64_t phase = 1;
  std::optional<ConfigValue> path;
  std::optional<FlowConnection> connection;
  std::optional<std::uint16_t> connections;

  [[nodiscard]] bool has_size() const { return size || sizes; }
};
const Keys<FlowKeys>& flow_keys();

/// `fragmented` of a [[flow]].
struct FragmentedKeys {
  std::size_t applications = 32;
  std::size_t fragments = 1;
  ConfigValue permutations{ConfigArray{{std::int64_t{1}, {}}, {std::int64_t{5}, {}}}, {}};
};
const Keys<FragmentedKeys>& fragmented_keys();

/// [rates]
struct RatesKeys {
  std::string algorithm = "ffa";
  double reserve = 0;
  Time barrier;  ///< between phases of [[flow]]s
  ConfigValue reserve_of{ConfigTable(), {}};
};
const Keys<RatesKeys>& rates_keys();

/// One [[flow]] table: one flow, or many by a pattern, from a file, or of a fragmented cluster.
struct FlowEntry {
  Checked<FlowKeys> keys;
  bool is_named = false;
  std::uint8_t number_of_class = 0;  ///< place in RateInput::classes
  std::optional<traffic::ModelChoice<traffic::PatternFactory>> destinations;
  // Few tables have these, and there may be 100,000.
  std::shared_ptr<const Checked<traffic::SourceKeys>> sources;  ///< where `sources` is a table
  std::shared_ptr<const traffic::ModelChoice<traffic::SizeFactory>> sizes;
  std::shared_ptr<const Checked<FragmentedKeys>> fragmented;

  /// That its flows belong to where nothing else says it.
  [[nodiscard]] const std::string& application() const;
};

/// All [[flow]]s of one name.
struct FlowClass {
  std::string name;
  traffic::Role role = traffic::Role::none;
  std::size_t first = 0;  ///< table
};

/// [rates] and all [[flow]] tables of an experiment.
struct RateInput {
  Checked<RatesKeys> keys;
  std::vector<FlowEntry> flows;
  std::vector<FlowClass> classes;  ///< in the order of their first tables
};

/// Reads both and puts them with defaults into `resolved`, where there is any of them or
/// `some_traffic` has a rate. Throws InputError.
RateInput read_rates(const ConfigTable& table, bool some_traffic, ConfigTable& resolved);

/// What `sources` may mean of [[flow]] tables; `input` and what `context` refers to must outlive
/// its use.
std::vector<traffic::Senders> senders_of_flows(const RateInput& input,
                                               const traffic::TrafficContext& context);

/// Flows of a network, and what their applications are called: first those of the [[flow]] tables,
/// then those of [[traffic]] tables with `rate`, which are an application each.
struct FlowList {
  std::vector<rates::FlowRequest> flows;
  std::vector<Time> starts;                  ///< per flow: after that of its phase
  std::vector<Time> stops;                   ///< likewise; Time::max(): it does not
  std::vector<Bytes> sizes;                  ///< per flow; 0: endless, or of [[traffic]]
  std::vector<std::size_t> phases;           ///< per flow, from 0
  std::vector<std::uint8_t> service_levels;  ///< per flow
  std::vector<std::uint16_t> connections;    ///< per flow: its number between the two hosts
  std::vector<std::uint32_t> tables;         ///< per flow: number of its [[flow]] or [[traffic]]
  bool may_share = false;                    ///< some entry's flows share connections
  /// Of flows that say theirs: transmitting ports from the source's own on.
  std::unordered_map<std::uint32_t, std::vector<PortId>> paths;
  std::vector<std::string> applications;
  std::vector<traffic::TrafficClass> classes;  ///< of [[flow]] tables
  std::vector<std::uint8_t> class_of;          ///< per flow of these: its place in `classes`
  std::size_t written = 0;                     ///< flows of [[flow]] tables
};

/// The pairs of [[traffic]] tables with `rate`.
struct TrafficFlows {
  const std::vector<traffic::TrafficEntry>* entries = nullptr;  ///< all [[traffic]]
  std::vector<traffic::FlowPair> pairs;
};

/// What is drawn depends on the seed and the number of the entry. Between two hosts all flows of
/// entries with `connection` = "shared" have connection 0, those with `connections` and those of
/// `of_traffic` the numbers that they say, the others the numbers that follow, in order. Throws
/// InputError at the place of what does not fit the network, also for an entry that gives its
/// application no flow, and for more than 65536 connections between two hosts.
FlowList make_flows(const RateInput& input, const traffic::TrafficContext& context,
                    const TrafficFlows& of_traffic = {});

/// All connections of the flows in the order of their first flows.
struct ConnectionList {
  std::vector<fabric::ConnectionName> names;
  std::vector<std::uint32_t> of_flow;  ///< per flow: place in `names`
};
[[nodiscard]] ConnectionList list_connections(const FlowList& flows);

/// Capacities of all links less what [rates] reserves for other traffic. Throws InputError when a
/// link is left without any.
std::vector<rates::Fraction> make_capacities(const Checked<RatesKeys>& keys,
                                             const topology::Graph& graph);

}  // namespace weir::experiment
