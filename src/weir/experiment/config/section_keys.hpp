#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/base/keys.hpp"
#include "weir/metrics/recorder.hpp"
#include "weir/topology/cable_delays.hpp"

namespace weir::experiment {

/// [experiment]
struct ExperimentKeys {
  std::string name;
  std::string kind = "simulation";
  std::string title;
  std::string description;
  std::uint64_t seed = 1;
  std::optional<Time> duration;
  std::optional<ConfigValue> find;
  std::optional<ConfigValue> until;
  TimeOrAuto warmup;
  std::uint32_t threads = 1;
};
const Keys<ExperimentKeys>& experiment_keys();

/// experiment.find
struct FindKeys {
  std::string goal = "saturation";
  std::optional<std::string> load;
  double low = 0;
  double high = 1;
  double resolution = 0.01;
};
const Keys<FindKeys>& find_keys();

/// experiment.until
struct UntilKeys {
  std::optional<std::string> delivered;
  std::optional<std::string> metric;
  double relative_half_width = 0.05;  ///< of the confidence interval, over the mean
  double confidence = 0.95;
};
const Keys<UntilKeys>& until_keys();

/// [link]
struct LinkKeys {
  topology::LinkSpec link;
  std::optional<ConfigValue> lengths;
  std::optional<Time> per_metre;
  Time perturbation;
};
const Keys<LinkKeys>& link_keys();

/// Keys of [routing] that all models have.
struct RoutingKeys {
  bool allows_cycles = false;
};
const Keys<RoutingKeys>& routing_keys();

/// [management]
struct ManagementKeys {
  std::string preset = "none";
};
const Keys<ManagementKeys>& management_keys();

/// [network]
struct NetworkKeys {
  std::optional<std::vector<std::int64_t>> pair;
  std::uint64_t path_pairs = 10'000;
  bool follows_routes = true;
};
const Keys<NetworkKeys>& network_keys();

/// [metrics]
struct MetricsKeys {
  metrics::RecorderSettings recorder;
  Time bin;
  bool watches_links = true;
  bool link_series = false;
  bool waiting = false;
  Time victim_wait;
  bool slowdown = false;
  std::optional<std::vector<std::string>> sizes;
  bool intervals = false;
  std::optional<Time> disturbed_from;
  std::optional<Time> disturbed_until;
  metrics::RecoverySettings recovery;
};
const Keys<MetricsKeys>& metrics_keys();

/// Keys of [queue] that all models have.
struct QueueKeys {
  std::int64_t simulate = 0;
  std::size_t states = 0;
};
const Keys<QueueKeys>& queue_keys();

/// [results]
struct ResultsKeys {
  std::vector<std::string> exports{"csv", "json"};
  bool wants_report = true;
  std::optional<std::vector<std::string>> columns;
};
const Keys<ResultsKeys>& results_keys();

/// A [[case]]
struct CaseKeys {
  std::string name;
  std::string group = "\"\"";
  ConfigValue set{ConfigTable(), {}};
};
const Keys<CaseKeys>& case_keys();

/// [replicate]
struct ReplicateKeys {
  std::int64_t seeds = 1;
};
const Keys<ReplicateKeys>& replicate_keys();

}  // namespace weir::experiment
