#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/store/results_record.hpp"
#include "weir/metrics/link_comparison.hpp"
#include "weir/topology/graph.hpp"
#include "weir/topology/port_counters.hpp"

namespace weir::report {

/// A network as the page knows it: `Topology` of viewer/src/data.ts. Its ports are the cabled ones
/// in the order of the graph.
class PageNetwork {
 public:
  explicit PageNetwork(topology::Graph graph);

  [[nodiscard]] const topology::Graph& graph() const { return graph_; }
  [[nodiscard]] std::size_t port_count() const { return ports_.size(); }
  /// Index of a port in `Topology.ports`, by name.
  [[nodiscard]] std::optional<std::size_t> index_of(const std::string& port) const;
  [[nodiscard]] nlohmann::json to_json() const;

 private:
  topology::Graph graph_;
  std::vector<PortId> ports_;
  std::unordered_map<std::string, std::size_t> index_;
};

/// Makes the network of each run again from its configuration; runs with the same topology share
/// one.
class PageNetworks {
 public:
  /// Throws InputError when it cannot be made again: a file that it was read from is gone.
  std::shared_ptr<const PageNetwork> get(const experiment::Configuration& configuration);

 private:
  std::map<std::string, std::shared_ptr<const PageNetwork>> made_;
};

/// Counters of a real fabric beside what its links did in runs. Runs of the same fabric share them.
class MeasuredFabrics {
 public:
  explicit MeasuredFabrics(topology::CounterFiles files) : files_(std::move(files)) {}

  /// Throws InputError when the network cannot be made again, the run has no links, and for
  /// counters that are not of it.
  metrics::LinkComparison compare(const experiment::Configuration& configuration,
                                  const metrics::RunResult& result);

 private:
  topology::CounterFiles files_;
  PageNetworks networks_;
  std::map<const PageNetwork*, topology::SubnetCounters> counters_;
};

/// Counters of the real fabric: "measured" of a `Topology`, and "agreement" of a `Run` on it.
nlohmann::json measured_to_json(const topology::Graph& graph,
                                const topology::SubnetCounters& counters,
                                const topology::CounterFiles& files);
nlohmann::json agreement_to_json(const metrics::LinkComparison& comparison);

/// Most congestion trees that the page shows at one time: the largest.
inline constexpr std::size_t kMostTreesAtATime = 64;

/// Most trees of set-aside queues that it has of a run: those with the most queues.
inline constexpr std::size_t kMostSetAsideTrees = 500;

/// What the run's links did, for the congestion view: "links", "frames", "trees" and with isolation
/// "set_aside" of a `Run`, on `network`. At most `most_frames` frames, and trees only at their
/// times. Throws InputError when the links are not those of the network.
nlohmann::json congestion_of(const experiment::RunRecord& run, const PageNetwork& network,
                             std::size_t most_frames);

}  // namespace weir::report
