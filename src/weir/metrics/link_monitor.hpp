#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "weir/base/ids.hpp"
#include "weir/base/units.hpp"
#include "weir/metrics/aimed_links.hpp"
#include "weir/metrics/congestion_tree.hpp"
#include "weir/metrics/link_frames.hpp"
#include "weir/metrics/link_sums.hpp"
#include "weir/metrics/network_snapshot.hpp"
#include "weir/metrics/run_result.hpp"
#include "weir/topology/graph.hpp"

namespace weir::fabric {
class Fabric;
}

namespace weir::metrics {

/// All cabled transmitting ports, ascending by name as std::string compares: the order of
/// RunResult::links and of the results database.
std::vector<PortId> links_by_name(const topology::Graph& graph);

/// Group of a transmitting port: "injection" (leaves a host), "ejection" (enters a host), else
/// between switches: "up", "down", "horizontal" by the port's role, or "switch". Empty: not cabled.
std::string link_group(const topology::Graph& graph, PortId port);

struct LinkMonitorSettings {
  Time warm_up;                          ///< the measuring window starts here
  bool detect_warm_up = false;           ///< or it is told at the end
  std::vector<HostId> hot_destinations;  ///< for hot_link_utilization
  std::vector<HotAim> hot_aims;          ///< for hot_link_utilization[aimed]
  bool has_link_series = false;          ///< of single links
  /// These are kept for all ports up to this many ports, else for the busiest
  /// waiters.
  std::size_t all_ports_up_to = 256;
  std::size_t top_ports = 32;
  /// Numbers kept in memory for these series; beyond it they are given up with a note.
  std::size_t max_history = 64'000'000;
  std::size_t frames = 200;  ///< most LinkFrames kept; 0: none
};

/// Utilization, waiting (XmitWait) and queued bytes per link and per group of links, from counters
/// that are read every sampling period. Shares of time are exact, whatever the period; buffers are
/// looked at when they are read.
class LinkMonitor {
 public:
  LinkMonitor(const topology::Graph& graph, LinkMonitorSettings settings);

  /// Takes counters of every port. Returns each port's state over the period since the call before.
  const std::vector<PortState>& sample(const NetworkSnapshot& now);
  /// The same in steps, of which the second one is taken by several threads and processes, each for
  /// ports of its own. False: nothing has passed since the call before, and there is nothing to do.
  bool begin_sample(const NetworkSnapshot& now);
  /// Finds the states of some ports, by number, and adds them up.
  void sample_ports(const NetworkSnapshot& now, std::span<const std::uint32_t> ports,
                    LinkSums& sums);
  /// `sums`: of all ports.
  void end_sample(const NetworkSnapshot& now, const LinkSums& sums);
  /// By port; of those that were sampled here, or set.
  [[nodiscard]] const std::vector<PortState>& states() const { return state_; }
  /// Ports whose states all processes have to know before end_sample().
  [[nodiscard]] const std::vector<PortId>& watched() const { return watched_; }
  /// What another process has found.
  void set_state(PortId port, const PortState& state) { state_[port.index()] = state; }
  /// Instead of sample(), where means over the measuring window are enough: nothing else will be
  /// reported.
  void count(const NetworkCounters& now);
  /// The measuring window begins now, between two samples.
  void open_window(const NetworkCounters& now);
  /// Call it once, after the last sample. The measuring window begins where it was opened, else at
  /// the first sample at or after `warm_up` at which it can: any, or when the warm-up is detected
  /// one of 16 to 32 spread evenly over the run.
  void report(RunResult& result, Time warm_up);
  void report(RunResult& result) { report(result, settings_.warm_up); }
  /// Fills in what other processes know of their ports. Before report() and what is written down.
  void complete(const fabric::Fabric& fabric);
  void checkpoint(StateArchive& state);

 private:
  /// What a sample needs to know of a port.
  struct Place {
    std::uint32_t link = UINT32_MAX;  ///< into links_; UINT32_MAX: not cabled
    std::uint32_t to = 0;             ///< receiving port
    std::uint8_t group = 0;
    bool is_switch = false;
  };
  struct Point {
    float utilization = 0;
    float wait = 0;
    float queued = 0;
    float egress = 0;
  };
  struct GroupSeries {
    std::string name;
    std::vector<PortId> ports;
    std::vector<double> utilization_mean;
    std::vector<double> utilization_max;
    std::vector<double> wait_mean;
    std::vector<double> wait_max;

    void checkpoint(StateArchive& state);
  };
  struct WindowTotals {
    double utilization = 0;
    double wait = 0;
    std::int64_t bytes = 0;
    std::int64_t packets = 0;
  };
  /// Where the measuring window may begin.
  struct Opening {
    NetworkCounters counters;
    std::vector<std::int64_t> queued_max;  ///< per port, until the next opening

    void checkpoint(StateArchive& state);
  };
  void open_window_if_due();
  void choose_window(Time warm_up);
  void add_groups(Time period, const LinkSums& sums);
  void add_buffers(const NetworkSnapshot& now, const LinkSums& sums);
  void sample_hot_links();
  void keep_history(const NetworkSnapshot& now);
  [[nodiscard]] WindowTotals window(PortId port) const;
  [[nodiscard]] std::vector<PortId> ports_to_show() const;
  void report_groups(RunResult& result) const;
  void report_links(RunResult& result) const;
  void report_queued(RunResult& result) const;
  void add_series(RunResult& result, std::string_view metric, std::string_view label,
                  std::vector<double> values, Reading reading = Reading::exact) const;

  const topology::Graph& graph_;
  LinkMonitorSettings settings_;
  std::vector<GroupSeries> groups_;
  std::vector<PortId> links_;      ///< cabled transmitting ports, by name
  std::vector<PortId> hot_links_;  ///< into the hot destinations
  AimedLinks aimed_links_;
  FrameRecorder frames_;
  std::vector<Place> places_;    ///< by port
  std::vector<PortId> watched_;  ///< of hot_links_ and aimed_links_
  std::vector<PortState> state_;
  NetworkCounters last_;
  std::vector<Opening> openings_;       ///< in time; at the end the one of the window alone
  std::size_t samples_an_opening_ = 1;  ///< when the warm-up is detected
  std::vector<Time> times_;             ///< of the samples
  Time period_;
  bool has_series_ = true;      ///< sample(), not count()
  std::vector<Point> history_;  ///< sample by sample, links_ each
  bool history_given_up_ = false;
  std::vector<double> hot_utilization_;
  std::vector<double> hot_queued_;  ///< bytes, mean over the hot links
  std::vector<double> queued_;      ///< whole network
  std::vector<double> occupancy_max_;
  std::vector<double> egress_max_;  ///< empty: no switch has a bounded egress buffer
  std::vector<double> occupancy_used_;
  std::vector<double> egress_used_;
};

}  // namespace weir::metrics
