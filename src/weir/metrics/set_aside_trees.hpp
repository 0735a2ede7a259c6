#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/base/units.hpp"
#include "weir/fabric/hooks/isolation.hpp"
#include "weir/metrics/run_result.hpp"
#include "weir/topology/graph.hpp"

namespace weir {
class StateArchive;
}

namespace weir::metrics {

/// Congestion trees as an isolation mechanism knows them: all set-aside queues for one congested
/// output, its root, are one tree (lippens2010, section 3). When a tree begins and ends,
/// and how many queues it has, is followed event by event; its branches are read from samples.
///
/// A root whose last queue was given back and that gets one again within `gap` is still the same
/// tree. Memory: 4 bytes a port of the network, and the trees.
class SetAsideTrees {
 public:
  /// Of more than `most` trees, those are kept that had the most queues.
  SetAsideTrees(const topology::Graph& graph, Time gap, std::size_t most);

  void on_event(const fabric::SetAsideEvent& event);

  /// All queues in use at one instant. Sorts them by root, distance and side. Returns the hops of
  /// the farthest queue from its root.
  std::uint32_t sample(std::vector<fabric::SetAsideLine>& lines);

  /// Trees that have begun so far.
  [[nodiscard]] std::uint64_t count() const { return begun_; }
  /// Most roots at one moment.
  [[nodiscard]] std::uint32_t roots_max() const { return roots_max_; }
  /// Integral of the number of roots over time up to `now`, in ps.
  [[nodiscard]] double root_time(Time now) const {
    return root_time_ + roots_ * static_cast<double>((now - changed_).count);
  }
  /// The trees, ascending in time; those that are there at `end` end there. Call it once.
  void report(RunResult& result, Time end);
  void checkpoint(StateArchive& state);

 private:
  struct Branch {
    fabric::Side side;
    std::uint32_t hops = 0;
    bool is_leaf = false;
  };
  struct Tree {
    PortId root;
    Time from;
    Time until;
    std::uint64_t allocations = 0;
    std::uint32_t queues = 0;  ///< now
    std::uint32_t queues_max = 0;
    std::uint32_t hops_max = 0;
    std::int64_t bytes_max = 0;
    std::vector<Branch> branches;  ///< at the sample with the most

    void checkpoint(StateArchive& state);
  };
  static constexpr std::uint32_t kNone = UINT32_MAX;

  /// Tree of the root that is the latest, which may have ended; kNone.
  [[nodiscard]] std::uint32_t& latest(PortId root) { return latest_[root.index()]; }
  void keep(Tree tree);
  [[nodiscard]] SetAsideTree record(const Tree& tree) const;

  const topology::Graph& graph_;
  Time gap_;
  std::size_t most_;
  std::vector<std::uint32_t> latest_;  ///< per port: place in current_
  std::vector<Tree> current_;          ///< the latest tree of every root that ever was one
  std::vector<Tree> ended_;
  std::uint64_t begun_ = 0;
  std::uint32_t roots_ = 0;
  std::uint32_t roots_max_ = 0;
  double root_time_ = 0;  ///< up to changed_
  Time changed_;
};

/// Name of a side: "sw3[2] egress", of a class other than the first "sw3[2] egress, class 1".
std::string side_name(const topology::Graph& graph, fabric::Side side);

}  // namespace weir::metrics
