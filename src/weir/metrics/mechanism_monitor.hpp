#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "weir/base/exact_sum.hpp"
#include "weir/base/ranks.hpp"
#include "weir/base/units.hpp"
#include "weir/fabric/hooks/mechanism.hpp"
#include "weir/metrics/monitor.hpp"
#include "weir/metrics/traffic_class.hpp"

namespace weir::metrics {

/// The metrics that one mechanism has of its own (Mechanism::read()). Counts and ratios are of the
/// whole run, means and levels of the measuring window; series are by bins; forms that a metric is
/// not registered with are left out. What is told by traffic
/// class is reported by class, by role, and together under no label.
class MechanismMonitor {
 public:
  /// `instances`: of one mechanism, in each part of the network. What they tell adds up.
  /// `ranks`: processes that have those in other parts; null: there are none.
  MechanismMonitor(std::vector<const fabric::Mechanism*> instances,
                   std::vector<TrafficClass> classes, Ranks* ranks = nullptr)
      : instances_(std::move(instances)), classes_(std::move(classes)), ranks_(ranks) {}

  /// `period`: since the sample before.
  void sample(Time at, Time period);
  /// The measuring window begins between two samples.
  void open_window(Time at);
  /// The measuring window begins at `warm_up`, or at the first sample after it where it was not
  /// opened. Call it once.
  void report(RunResult& result, Time now, Time warm_up);
  void checkpoint(StateArchive& state);

 private:
  enum class Form : std::uint8_t {
    count,
    mean,
    average,
    estimate,
    ratio,
    level,
    value,
    smallest,
    largest
  };
  /// What is known of one metric, in the order in which metrics were first told.
  struct Row {
    std::string metric;
    std::string label;          ///< of none by class
    std::size_t traffic_class;  ///< kNone: not by class
    Form form;
    std::string largest;       ///< of a level: metric of its largest sample
    std::uint32_t number = 0;  ///< among rows that are new in one sample

    void checkpoint(StateArchive& state);
  };
  struct Cell {
    ExactSum part;  ///< or count
    ExactSum whole;
    double number = std::numeric_limits<double>::quiet_NaN();  ///< of levels and values; NaN: none
  };
  /// One of many things, of which those that have most are reported.
  struct Ranked {
    std::string metric;
    std::string label;
    std::uint32_t number;
    double value;
  };
  /// Of all rows that were there by then.
  struct Sample {
    Time at;
    std::vector<Cell> cells;

    void checkpoint(StateArchive& state);
    [[nodiscard]] Cell cell(std::size_t row) const {
      return row < cells.size() ? cells[row] : Cell{};
    }
  };
  class Reader;

  /// With the time up to the sample as the whole of an average.
  [[nodiscard]] Cell cell_of(const Sample& sample, std::size_t row) const;
  [[nodiscard]] Sample read(Time at, bool is_end = false);
  /// Rows that are new in this sample, number `from` and on.
  void put_in_order(std::size_t from, Sample& sample);
  /// What had come together when the measuring window began.
  [[nodiscard]] Sample before_window(Time warm_up) const;
  /// Rows that are reported together under one label.
  struct Group {
    std::string label;
    std::vector<std::size_t> rows;
  };
  void report(RunResult& result, const std::string& metric, const Group& group, const Sample& begin,
              const Sample& end) const;
  void add_series(RunResult& result, const std::string& metric, const Group& group) const;
  void report_level(RunResult& result, std::size_t row, Time warm_up) const;
  void report_ranked(RunResult& result);
  /// A mean with its interval.
  void report_estimate(RunResult& result, std::size_t row, const Sample& begin) const;

  static constexpr std::size_t kNone = SIZE_MAX;
  static constexpr std::size_t kMostRanked = 16;  ///< of one metric
  std::vector<const fabric::Mechanism*> instances_;
  std::vector<TrafficClass> classes_;
  Ranks* ranks_;
  std::vector<Row> rows_;
  std::map<std::tuple<std::string, std::string, std::size_t>, std::size_t> row_of_;
  std::vector<Sample> samples_;
  std::optional<Sample> opening_;
  std::vector<Ranked> ranked_;  ///< at the end
  Time period_;
};

/// Those of all mechanisms of a run.
class MechanismMonitors final : public Monitor {
 public:
  explicit MechanismMonitors(std::vector<TrafficClass> classes) : classes_(std::move(classes)) {}
  void sample(const fabric::Fabric& fabric, Time now, Time period) override {
    for (MechanismMonitor& one : all(fabric)) one.sample(now, period);
  }
  void open_window(const fabric::Fabric& fabric, Time now) override {
    for (MechanismMonitor& one : all(fabric)) one.open_window(now);
  }
  void report(const fabric::Fabric& fabric, Time warm_up, RunResult& result) override {
    for (MechanismMonitor& one : all(fabric)) one.report(result, fabric.now(), warm_up);
  }
  void checkpoint(StateArchive& state, const fabric::Fabric& fabric) override;

 private:
  std::vector<MechanismMonitor>& all(const fabric::Fabric& fabric) {
    if (monitors_.empty()) {
      for (std::size_t i = 0; i < fabric.mechanisms().size(); ++i)
        monitors_.emplace_back(fabric.instances(i), classes_, fabric.ranks());
    }
    return monitors_;
  }

  std::vector<TrafficClass> classes_;
  std::vector<MechanismMonitor> monitors_;  ///< known from the first call on
};

}  // namespace weir::metrics
