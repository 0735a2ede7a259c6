#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/experiment/store/results_record.hpp"
#include "weir/report/figure/axis.hpp"
#include "weir/report/figure/plot_spec.hpp"

namespace weir::report {

/// A mean and half of its 95 % interval, in both directions. NaN in y: a gap; in a half width: none
/// is known.
struct FigurePoint {
  double x = 0;
  double y = 0;
  double half_width = std::numeric_limits<double>::quiet_NaN();    ///< of y
  double x_half_width = std::numeric_limits<double>::quiet_NaN();  ///< of x
  /// Of y downwards, where that is another: of a ratio.
  double half_width_below = std::numeric_limits<double>::quiet_NaN();

  /// 0: not known.
  [[nodiscard]] double above() const { return std::isnan(half_width) ? 0 : half_width; }
  [[nodiscard]] double below() const {
    return std::isnan(half_width_below) ? above() : half_width_below;
  }
};

/// A line of a figure, the bars of one colour, or a point with its name.
struct FigureLine {
  std::string label;
  std::size_t color = 0;  ///< index in Figure::names: the same name has the same colour everywhere
  std::vector<FigurePoint> points;
  /// Share of the height of the axes at which it reaches their right edge; of a line that ends
  /// elsewhere nothing.
  std::optional<double> end;
};

/// See ReferenceSpec.
struct FigureReference {
  std::string text;  ///< "published: Fig. 4"
  std::optional<double> x;
  std::optional<double> y;
  std::vector<std::pair<double, double>> points;
  std::optional<std::size_t> color;  ///< that of the line that bears the same name
  /// Symbol of the points, dash of a line: equal texts share one, and all points in the colours of
  /// their lines the first.
  std::size_t style = 0;
};

/// One pair of axes.
struct FigurePanel {
  std::string title;    ///< what tells it from the other panels; empty where it is the only one
  std::string y_label;  ///< empty: the figure's
  std::vector<FigureLine> lines;
  std::vector<FigureReference> references;
  /// Of points: numbers of those lines whose point no other beats in both metrics, from left to
  /// right; empty where one of the metrics has no better direction.
  std::vector<std::size_t> front;
  std::pair<double, double> y_range;
  std::vector<AxisTick> y_ticks;  ///< of a logarithmic axis; else the drawing program finds them
  double y_per_base = 1;          ///< number on the axis = value in the metric's unit * this
};

/// What is drawn: numbers in the axes' units, texts, ranges. No drawing program is known here;
/// look.hpp says what all of them use for it.
struct Figure {
  enum class Kind : std::uint8_t { lines, bars, steps, points };

  std::string name;
  std::string title;  ///< may be empty
  std::string x_label;
  std::string y_label;
  Kind kind = Kind::lines;
  bool is_one_column = false;
  bool has_bands = false;  ///< intervals as bands; else as error bars
  bool x_log = false;
  bool y_log = false;
  bool has_symbols = false;  ///< lines have so few points that each is marked
  std::pair<double, double> x_range;
  std::vector<AxisTick> x_ticks;        ///< as FigurePanel::y_ticks
  double x_per_base = 1;                ///< as FigurePanel::y_per_base
  std::vector<std::string> bar_groups;  ///< names along x of bars; a point's group stands at its x
  std::vector<std::string> names;       ///< of all lines, in order of first use
  /// Indices of names as a key has them: beside a single panel in the order in which lines end, the
  /// highest first; else in order of first use.
  std::vector<std::size_t> key_order;
  std::vector<FigurePanel> panels;
  int panel_columns = 0;                           ///< 0: as it fits
  std::optional<std::pair<double, double>> shade;  ///< along x
  std::string shade_label;
};

/// Picks the numbers of a figure out of the runs; failed runs are left out. Units are scaled to
/// readable ones (ns to ms, ..). Runs that differ in nothing but their seed make one point, with
/// the 95 % interval of their mean; a single run has the interval that it measured itself. Throws
/// InputError when no run has what is to be drawn.
Figure make_figure(const PlotSpec& spec, const std::vector<experiment::RunRecord>& runs);

/// Of runs that differ in nothing that a figure could show (as after a change of the experiment)
/// the last ones, in their order; and only those of the experiment of the last run.
std::vector<experiment::RunRecord> latest_runs(std::vector<experiment::RunRecord> runs);

}  // namespace weir::report
