#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/base/catalog.hpp"
#include "weir/base/metric_registry.hpp"

namespace weir::report {

/// Values that no run measured, to compare with. Drawn apart from the runs, and always named for
/// what they are ("published: Fig. 4").
struct ReferenceSpec {
  std::string what = "published";  ///< or "computed", "limit"
  std::string label;
  std::string panel;        ///< only in the panel so named; empty: in all
  std::optional<double> x;  ///< an upright line; all in the units that the axes show
  std::optional<double> y;  ///< a level line
  std::vector<std::pair<double, double>> points;

  /// "published: Fig. 4".
  [[nodiscard]] std::string text() const { return label.empty() ? what : what + ": " + label; }
};

/// A `[[plot]]` table of an experiment file.
struct PlotSpec {
  enum class Draw : std::uint8_t { lines, bars, points, cdf, ccdf };
  enum class Interval : std::uint8_t { automatic, band, bars, none };

  /// As `panel`: a panel for each metric.
  static constexpr const char* kMetric = "metric";

  std::string figure;  ///< file name without ending
  std::vector<MetricName> metrics;
  /// Only runs with these values of "case" or swept keys, as RunRecord::parameters has them.
  std::vector<std::pair<std::string, std::string>> where;
  std::string x = "time";              ///< "time", "case", a swept key or a metric
  std::optional<MetricName> x_metric;  ///< `x` where it is a metric
  /// Swept key that a curve over a metric follows; empty: the only one. Of points: what has one
  /// each; empty: the cases.
  std::string along;
  std::string baseline;  ///< of points: y is how many times better than this one; empty: as it is
  Draw draw = Draw::lines;
  bool is_draw_given = false;  ///< else values of `x` that are no numbers make bars
  std::string panel;           ///< "case", "metric" or a swept key: a panel each; empty: one panel
  int panel_columns = 0;       ///< 0: as it fits
  Interval interval = Interval::automatic;
  std::string title;
  std::string x_label;
  std::string y_label;
  bool x_log = false;
  bool y_log = false;
  std::string x_unit;  ///< empty: a readable one
  std::string y_unit;
  std::optional<std::pair<double, double>> x_range;  ///< in the unit that the axis shows
  std::optional<std::pair<double, double>> y_range;
  std::optional<std::pair<Time, Time>> shade;  ///< an interval of simulated time to mark
  std::string shade_label;
  std::vector<ReferenceSpec> references;
  bool is_one_column = false;  ///< as wide as one column of a page, or as the page
  std::vector<std::string> formats{"svg", "png"};

  [[nodiscard]] bool is_distribution() const { return draw == Draw::cdf || draw == Draw::ccdf; }
  /// Of the first metric as y shows it; "1": a ratio.
  [[nodiscard]] std::string y_base() const;

  /// The keys of the table, for `weir describe`.
  static const std::vector<Parameter>& parameters();
  /// The keys of a table in `reference`.
  static const std::vector<Parameter>& reference_parameters();
  /// Throws InputError at the key that is wrong. `where`: "plot[0]".
  static PlotSpec read(const ConfigTable& table, const std::string& where);
  /// The table with all defaults filled in, which reads back to itself.
  static ConfigTable resolved(const ConfigTable& table, const std::string& where);
};

}  // namespace weir::report
