#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weir/base/ids.hpp"
#include "weir/base/units.hpp"
#include "weir/metrics/network_snapshot.hpp"
#include "weir/metrics/run_result.hpp"
#include "weir/topology/graph.hpp"

namespace weir {
class StateArchive;
}

namespace weir::metrics {

/// One transmitter over the last sampling period.
struct PortState {
  double utilization = 0;   ///< share of the period it was sending
  double wait = 0;          ///< share of the period it had packets and no credit
  std::int64_t queued = 0;  ///< bytes that wait for it at the end of the period
  std::uint32_t set_aside =
      0;  ///< queues in use at both ends of the link, at the end of the period
};

/// What counts as congested.
struct TreeThresholds {
  Bytes root_queued = Bytes(8'192);  ///< more than this must wait for a root
  double root_utilization = 0.9;     ///< a root is sending at least this share of the period
  double branch_wait = 0.1;          ///< a branch is held up at least this share of the period
};

/// What an output port is.
enum class PortCongestion : std::uint8_t {
  clear,
  root,  ///< of a switch; more queued than the threshold, sends all the time, the far end takes it
         ///< all
  branch,  ///< has queued packets and is held up by missing credits
};

struct TreeBranch {
  PortId port;
  int depth = 0;         ///< links from the root: 1 feeds the root's switch
  bool is_leaf = false;  ///< no other branch waits for it

  bool operator==(const TreeBranch&) const = default;
};

/// A root and everything that waits for it, directly or not; nearest branches first.
/// A branch that feeds several roots is in all their trees.
struct CongestionTree {
  PortId root;
  std::vector<TreeBranch> branches;
  int depth = 0;  ///< of the farthest branch; 0: the root alone

  void checkpoint(StateArchive& state);

  /// Ports, root included.
  [[nodiscard]] std::size_t size() const { return branches.size() + 1; }
};

/// Root or branch, by the port alone. Thresholds are inclusive for shares, exclusive for bytes.
PortCongestion classify(const PortState& port, bool is_switch_port, const TreeThresholds& limits);

struct CongestedPort {
  PortId port;
  PortCongestion kind = PortCongestion::clear;
};

/// Adds those of some ports, by number, that are root or branch to `congested`.
void find_congested(const topology::Graph& graph, const std::vector<PortState>& ports,
                    std::span<const std::uint32_t> among, const TreeThresholds& limits,
                    std::vector<CongestedPort>& congested);

/// The congestion trees of a network, by root port. A branch p belongs to a tree when bytes in the
/// buffer that p feeds want a port of that tree. Branches that lead to no root are left out: their
/// root has just drained, or there is none (see the stall check for cycles). Pure function of its
/// arguments.
/// `congested`: all that are root or branch, in any order.
std::vector<CongestionTree> find_trees(const topology::Graph& graph,
                                       const std::vector<CongestedPort>& congested,
                                       const std::vector<Waiting>& waiting);

/// Keeps the trees of every sample.
class TreeTracker {
 public:
  TreeTracker(const topology::Graph& graph, TreeThresholds limits, Time warm_up);

  /// Adds those of some ports that are root or branch to `congested`.
  void find_congested(const std::vector<PortState>& ports, std::span<const std::uint32_t> among,
                      std::vector<CongestedPort>& congested) const {
    metrics::find_congested(graph_, ports, among, limits_, congested);
  }
  /// `period`: since the sample before. `congested` and `waiting`: of the whole network, or nothing
  /// where no port is a root.
  void sample(Time at, Time period, const std::vector<CongestedPort>& congested,
              const std::vector<Waiting>& waiting);
  /// Adds series and scalars (of the measuring window) and, up to `max_records` trees, the trees
  /// themselves.
  void report(RunResult& result, std::size_t max_records) const {
    report(result, max_records, warm_up_);
  }
  /// The same with a warm-up that was not known before.
  void report(RunResult& result, std::size_t max_records, Time warm_up) const;
  void checkpoint(StateArchive& state);

 private:
  struct Sample {
    Time at;
    std::size_t ports = 0;  ///< in any tree
    std::size_t hosts = 0;
    std::vector<CongestionTree> trees;

    void checkpoint(StateArchive& state);
  };
  [[nodiscard]] TreeRecord record(Time at, const CongestionTree& tree) const;

  const topology::Graph& graph_;
  TreeThresholds limits_;
  Time warm_up_;
  Time period_;
  std::vector<Sample> samples_;
};

}  // namespace weir::metrics
