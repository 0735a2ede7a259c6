#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/ids.hpp"
#include "weir/base/metric_registry.hpp"
#include "weir/base/units.hpp"
#include "weir/metrics/histogram.hpp"
#include "weir/metrics/link_frames.hpp"

namespace weir::metrics {

/// How far a number of a run may be trusted.
enum class Quality : std::uint8_t {
  plain,           ///< as counted; nothing is said about its error
  estimated,       ///< a steady-state mean with a confidence interval
  not_stationary,  ///< there was no steady state to estimate; the value is NaN
};

/// "plain", "estimated", "not stationary", as stored and exported.
[[nodiscard]] std::string_view to_string(Quality quality);
/// Throws InputError for any other text.
[[nodiscard]] Quality parse_quality(std::string_view text);

/// One number of a run. Its unit is the metric's. NaN: nothing to measure.
struct Scalar {
  MetricName name;
  double value = 0;
  double half_width = std::numeric_limits<double>::quiet_NaN();  ///< of the confidence interval
  Quality quality = Quality::plain;
};

/// A metric over simulated time: value k belongs to [start + k * bin, start + (k + 1) * bin).
/// A state that is sampled (MetricKind::sampled) is that at the end of the bin; other states are
/// means over it. NaN: nothing happened in the bin.
struct Series {
  MetricName name;
  Time start;
  Time bin;
  std::vector<double> values;
};

/// Values in picoseconds for metrics of the unit ns.
struct NamedHistogram {
  MetricName name;
  Histogram histogram;
};

/// One direction of a cable over the measuring window.
struct LinkSummary {
  std::string name;   ///< transmitting port
  std::string group;  ///< see link_group()
  double utilization = 0;
  double wait = 0;  ///< share of time with packets and no credit
  std::int64_t bytes = 0;
  std::int64_t packets = 0;
  std::int64_t queued_max = 0;  ///< bytes waiting for it, largest sample
};

/// A congestion tree at one sample; see congestion_tree.hpp. Ports by name.
struct TreeRecord {
  Time at;
  std::string root;
  int depth = 0;
  std::vector<std::string> branches;  ///< nearest to the root first
  std::vector<int> branch_depths;     ///< parallel to branches
  std::vector<std::string> leaves;    ///< branches that nobody of the tree waits for
};

/// All queues that were set aside for one congested output, from the first to the last one (see
/// set_aside_trees.hpp). Sides are named "sw3[2] egress".
struct SetAsideTree {
  std::string root;  ///< port
  Time from;
  Time until;                     ///< the end of the run when queues were left then
  std::uint64_t allocations = 0;  ///< of queues, altogether
  std::uint32_t queues_max = 0;   ///< at one moment
  std::uint32_t hops_max = 0;     ///< links between the farthest queue and the switch of the root
  std::int64_t bytes_max = 0;     ///< in its queues, largest sample
  /// Where the queues were at the sample with the most of them, nearest to the root first; empty:
  /// no sample found any.
  std::vector<std::string> sides;
  std::vector<int> hops;            ///< parallel to sides
  std::vector<std::string> leaves;  ///< sides behind which nobody upstream holds a queue

  bool operator==(const SetAsideTree&) const = default;
};

/// Something that happened to a set-aside queue.
struct SetAsideRecord {
  Time at;
  std::string side;
  std::string root;  ///< port
  int hops = 0;      ///< links between the side and the switch of the root
  /// "allocated", "released", "detected" (a normal queue crossed its threshold), or why a queue was
  /// refused: "full", "specific".
  std::string kind;
  Time lifetime;  ///< of a released one

  bool operator==(const SetAsideRecord&) const = default;
};

/// Everything a run measured, without what it was (see experiment::RunRecord).
struct RunResult {
  std::vector<Scalar> scalars;
  std::vector<Series> series;
  std::vector<NamedHistogram> histograms;
  std::vector<LinkSummary> links;  ///< ascending by name
  LinkFrames frames;
  std::vector<TreeRecord> trees;
  std::vector<SetAsideTree> set_aside_trees;     ///< ascending in time
  std::vector<SetAsideRecord> set_aside_events;  ///< the first ones, as they happened
  std::vector<std::string> notes;                ///< warnings to be shown with the numbers
  std::uint64_t fingerprint = 0;                 ///< of the event trajectory
  /// That the run took; no results, two runs differ in them. CPU time is that of the core it ran
  /// on; 0: not known.
  double wall_seconds = 0;
  double earlier_seconds = 0;  ///< of these, before a checkpoint from which the run went on
  double cpu_seconds = 0;

  /// Each checks that the metric is described in that form, and as sampled where it is (otherwise
  /// std::logic_error).
  void add_scalar(std::string_view metric, std::string_view label, double value,
                  Reading reading = Reading::exact);
  void add_series(std::string_view metric, std::string_view label, Time start, Time bin,
                  std::vector<double> values, Reading reading = Reading::exact);
  void add_histogram(std::string_view metric, std::string_view label, const Histogram& histogram);

  /// What the program itself did: `events`, `packet_hops`, `simulated_time`, and the wall time.
  void add_run(std::uint64_t events, std::uint64_t packet_hops, Time simulated, double seconds);

  /// Packet-hops simulated per second of CPU time, where that is not known of wall time; NaN when
  /// neither is.
  [[nodiscard]] double hops_per_second() const;

  /// The scalar or series of that name, or nullptr.
  [[nodiscard]] const double* scalar(std::string_view metric, std::string_view label = {}) const;
  [[nodiscard]] const Series* find_series(std::string_view metric,
                                          std::string_view label = {}) const;
};

}  // namespace weir::metrics
