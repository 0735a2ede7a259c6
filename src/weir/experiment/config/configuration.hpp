#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/analysis/queue_model.hpp"
#include "weir/base/keys.hpp"
#include "weir/base/ranks.hpp"
#include "weir/experiment/config/checkpoint_plan.hpp"
#include "weir/experiment/config/chosen.hpp"
#include "weir/experiment/config/failures.hpp"
#include "weir/experiment/config/flow_routing.hpp"
#include "weir/experiment/config/flows.hpp"
#include "weir/experiment/config/protocol_keys.hpp"
#include "weir/experiment/config/section_keys.hpp"
#include "weir/experiment/config/until.hpp"
#include "weir/fabric/hooks/admission.hpp"
#include "weir/fabric/hooks/hooks.hpp"
#include "weir/fabric/hooks/isolation.hpp"
#include "weir/fabric/hooks/reaction.hpp"
#include "weir/fabric/hooks/selection.hpp"
#include "weir/fabric/hooks/vl_sharing.hpp"
#include "weir/fabric/settings.hpp"
#include "weir/routing/routing.hpp"
#include "weir/topology/cable_delays.hpp"
#include "weir/topology/topology.hpp"
#include "weir/traffic/traffic.hpp"
#include "weir/workload/entry.hpp"

namespace weir::experiment {

struct RunKind;

/// One run, checked as far as that goes without building its network.
struct Configuration {
  ConfigTable source;    ///< as written, for positions
  ConfigTable resolved;  ///< with all defaults filled in; resolve() accepts it

  std::string name;
  std::string title;
  std::uint32_t threads = 1;      ///< that simulate one run, in each process
  Ranks* ranks = nullptr;         ///< processes that simulate it together; no file says it
  CheckpointPlan checkpoints;     ///< nor that
  std::string kind_name;          ///< `experiment.kind`
  const RunKind* kind = nullptr;  ///< see run_kind.hpp
  std::optional<Time> duration;
  bool until_drained = false;
  bool until_workload = false;  ///< all workloads are done
  /// `delivered`: the traffic entry that ends the run.
  std::optional<Checked<UntilKeys>> until_delivered;
  std::optional<Checked<FindKeys>> find;   ///< `experiment.find`
  std::optional<Precision> until_precise;  ///< with a duration
  Time warmup;
  bool detect_warmup = false;  ///< then `warmup` is 0
  bool intervals = false;      ///< of steady-state means
  Time bin;

  Chosen<topology::TopologyFactory> topology;
  topology::LinkSpec link;
  topology::CableDelays cables;
  Chosen<fabric::QueueingFactory> queueing;
  Chosen<routing::RoutingFactory> routing;
  bool allows_cycles = false;  ///< in the channel dependencies
  Chosen<fabric::SelectionFactory> selection;
  Chosen<fabric::MarkerFactory> marking;
  Chosen<fabric::AgentFactory> agent;
  Chosen<fabric::IsolationFactory> isolation;
  Chosen<fabric::AdmissionFactory> admission;
  Chosen<fabric::VlSharingFactory> vl_sharing;
  Chosen<fabric::ReactionFactory> reaction;
  Chosen<fabric::InjectionFactory> injection;
  fabric::FabricSettings fabric;
  std::vector<traffic::TrafficEntry> traffic;
  std::vector<workload::WorkloadEntry> workloads;
  std::vector<Failure> failures;
  FlowRoutingInput flow_routing;
  std::shared_ptr<const RateInput> rates;  ///< [rates] and all [[flow]]s
  std::optional<ProtocolInput> protocol;
  Chosen<analysis::QueueModelFactory> queue;
  Checked<QueueKeys> queue_keys;
  Checked<MetricsKeys> metrics;
  std::vector<Bytes> size_classes;  ///< metrics.sizes
  Checked<NetworkKeys> network;     ///< what is measured of a network
  Checked<ResultsKeys> results;
  std::vector<ConfigTable> plots;  ///< as written: what draws them reads them
};

/// Who says what is sent: `program` brings sources of its own, and a file need not have any.
enum class TrafficFrom : std::uint8_t { file, program };

/// Checks every section of a run (without `case` and `sweep`). Throws InputError.
Configuration resolve(const ConfigTable& table, TrafficFrom from = TrafficFrom::file);

/// Some [[traffic]] has `rate` = "calculated".
[[nodiscard]] bool has_rated_traffic(const Configuration& configuration);

/// What its traffic is made for.
[[nodiscard]] traffic::TrafficContext traffic_context(const Configuration& configuration,
                                                      const topology::Graph& graph,
                                                      const fabric::FabricSettings& settings);
/// Sources and classes of all its traffic. Throws InputError where entries do not fit the graph.
traffic::Traffic make_traffic(const Configuration& configuration, const topology::Graph& graph);
/// The same with other settings of the fabric: with the sizes of what mechanisms carry, say.
traffic::Traffic make_traffic(const Configuration& configuration, const topology::Graph& graph,
                              const fabric::FabricSettings& settings);

/// The part of a configuration that makes the graph, from a file that may hold nothing else.
Chosen<topology::TopologyFactory> resolve_topology(const ConfigTable& table,
                                                   topology::LinkSpec& link,
                                                   topology::CableDelays& cables);

/// Refuses sections that do not exist.
void check_section_names(const ConfigTable& table);

/// Runs `work`. An InputError without a place in a file gets one: that of the key it names, else
/// that of `key`.
void at_place(const ConfigTable& table, std::string_view key, const std::function<void()>& work);

/// 128 bits, in hexadecimal, of what decides the numbers of a run: the resolved configuration
/// without names, plots and output, and the contents of the files it names.
std::string configuration_hash(const ConfigTable& resolved);
/// 128-bit FNV-1a of a text, as 32 hexadecimal digits.
std::string configuration_hash(std::string_view text);

}  // namespace weir::experiment
