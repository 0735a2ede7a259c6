#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "weir/metrics/run_result.hpp"
#include "weir/topology/graph.hpp"
#include "weir/topology/port_counters.hpp"

namespace weir::metrics {

/// A quantity of one link, measured and simulated. NaN: the link does not take part, or no measure.
struct ComparedQuantity {
  topology::CounterState state = topology::CounterState::missing;
  double count = std::numeric_limits<double>::quiet_NaN();          ///< bytes or ticks, as measured
  double measured = std::numeric_limits<double>::quiet_NaN();       ///< share of all links
  double simulated = std::numeric_limits<double>::quiet_NaN();      ///< share of the same links
  double measured_time = std::numeric_limits<double>::quiet_NaN();  ///< share of the interval
  double simulated_time = 0;                                        ///< share of the window
  /// 1 is the highest; equal values share the mean of their ranks.
  double measured_rank = std::numeric_limits<double>::quiet_NaN();
  double simulated_rank = std::numeric_limits<double>::quiet_NaN();
};

struct ComparedLink {
  std::string name;
  std::string group;  ///< see link_group()
  ComparedQuantity sent;
  ComparedQuantity wait;

  /// How far apart the ranks of waiting are; NaN: not known.
  [[nodiscard]] double rank_difference() const;
};

/// Whether the links that do more of something in reality do so in the simulation.
struct Agreement {
  /// Spearman's coefficient of rank correlation. NaN: fewer than three links, or all are equal.
  double coefficient = std::numeric_limits<double>::quiet_NaN();
  std::size_t links = 0;
};

struct LinkComparison {
  std::vector<ComparedLink> links;  ///< as in RunResult::links
  Agreement sent;
  Agreement wait;
  bool has_sent_time = false;  ///< shares of the interval are known: it is
  bool has_wait_time = false;  ///< so is the length of a tick
  std::vector<std::string> notes;
};

/// Measured counters beside what a run did on the same links. Throws InputError when the run has no
/// links or they are not those of the graph.
LinkComparison compare_links(const topology::Graph& graph, const topology::SubnetCounters& counters,
                             const topology::CounterFiles& files, const RunResult& run);

}  // namespace weir::metrics
