#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/base/catalog.hpp"
#include "weir/experiment/results_record.hpp"
#include "weir/metrics/metric_registry.hpp"

namespace weir::report {

/// A `[[plot]]` table of an experiment file.
struct PlotSpec {
  std::string figure;  ///< file name without ending
  std::vector<metrics::MetricName> metrics;
  std::string x = "time";  ///< "time": series; "case": bars; else a swept key: scalars over it
  std::string title;
  std::string x_label;
  std::string y_label;
  std::optional<std::pair<double, double>> x_range;  ///< in the unit that the axis shows
  std::optional<std::pair<double, double>> y_range;
  std::optional<std::pair<Time, Time>> shade;  ///< an interval of simulated time to mark
  std::string shade_label;
  std::vector<std::string> formats{"svg", "png"};

  /// The keys of the table, for `weir describe`.
  static const std::vector<Parameter>& parameters();
  /// Throws InputError at the key that is wrong. `where`: "plot[0]".
  static PlotSpec read(const ConfigTable& table, const std::string& where);
};

/// A line of a figure, or the bars of one colour.
struct FigureLine {
  std::string label;
  std::vector<std::pair<double, double>> points;  ///< NaN in y: a gap
};

/// What is drawn: numbers in the axes' units, texts, ranges. No drawing program is known here.
struct Figure {
  std::string name;
  std::string title;  ///< may be empty
  std::string x_label;
  std::string y_label;
  bool is_bars = false;
  std::vector<std::string> bar_groups;  ///< names along x of bars; a line's point i stands at x = i
  std::vector<FigureLine> lines;
  std::pair<double, double> x_range;
  std::pair<double, double> y_range;
  std::optional<std::pair<double, double>> shade;  ///< along x
  std::string shade_label;
};

/// Picks the numbers of a figure out of the runs; failed runs are left out. Units are scaled to
/// readable ones (ns to ms, ..). Seeds of one case are averaged. Throws InputError when no run has
/// the metric.
Figure make_figure(const PlotSpec& spec, const std::vector<experiment::RunRecord>& runs);

}  // namespace weir::report
