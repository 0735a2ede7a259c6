#pragma once

#include <string>
#include <vector>

#include "weir/report/figure/axis.hpp"
#include "weir/report/figure/data.hpp"

namespace weir::report {

/// What every kind of figure starts from.
struct FigureSource {
  const PlotSpec& spec;
  std::vector<const experiment::RunRecord*> runs;  ///< those that ended well
  RunNames names;

  /// The panel that shows a metric of a run.
  [[nodiscard]] std::string panel(const experiment::RunRecord& run, const MetricName& metric) const;
  /// Name of the line that shows it: whatever tells it from other lines. `along_x`: keys that are
  /// told by x.
  [[nodiscard]] std::string label(const experiment::RunRecord& run, const MetricName& metric,
                                  std::vector<std::string> along_x) const;
  /// The unit of an axis: the one asked for, or a readable one. `key`: x_unit or y_unit.
  [[nodiscard]] Unit unit(const std::string& wanted, const std::string& base, double largest,
                          const char* key) const;
  [[nodiscard]] InputError error(const std::string& text) const;
};

/// What the metrics have in common: their title, that of the metric without label, or nothing.
std::string common_title(const std::vector<MetricName>& metrics);

/// The scalar of a run, or nullptr.
const metrics::Scalar* find_scalar(const experiment::RunRecord& run, const MetricName& name);
/// Adds a scalar of a run; nothing where the run has none.
void add_scalar(Estimate& estimate, const metrics::Scalar* scalar);

/// Scales x of all points.
void scale_x(Figure& figure, const Unit& unit);
/// Smallest and largest x of all points.
std::pair<double, double> x_extent(const Figure& figure);

/// Each fills in the panels and the x axis; y stays in the metrics' units.
void draw_over_time(const FigureSource& source, Figure& figure);
void draw_over_key(const FigureSource& source, Figure& figure);
void draw_over_metric(const FigureSource& source, Figure& figure);
void draw_points(const FigureSource& source, Figure& figure);
void draw_bars(const FigureSource& source, Figure& figure);
void draw_distribution(const FigureSource& source, Figure& figure);

}  // namespace weir::report
