#include "weir/report/figure/plot_keys.hpp"

namespace weir::report {

const Keys<PlotKeys>& plot_keys() {
  using K = PlotKeys;
  using Draw = PlotSpec::Draw;
  using Interval = PlotSpec::Interval;
  static const Keys<K> keys{
      key(&K::figure, "figure", "file name of the figure, without ending").required(),
      key(&K::metric, "metric", "metric[label], or a list of them; see `weir list metric`")
          .required(),
      key(&K::wanted_runs, "where",
          "only these runs: a table of swept keys (or 'case') with a value each, as in "
          "{ \"queueing.model\" = \"voqsw\" }; none: all"),
      key(&K::x, "x",
          "'time' draws series, 'case' bars; else a swept key, such as "
          "'traffic.0.arrivals.load', or another metric: scalars over it"),
      choice(&K::draw, "draw",
             "lines, bars, points (a named one for each case by two metrics, and the Pareto "
             "front), cdf "
             "(share of values at or below), ccdf (share above); none: bars over cases and over "
             "values "
             "that are no numbers, else lines",
             {{"lines", Draw::lines},
              {"bars", Draw::bars},
              {"points", Draw::points},
              {"cdf", Draw::cdf},
              {"ccdf", Draw::ccdf}})
          .without_default(),
      key(&K::along, "along",
          "with a metric as x: the swept key that a curve follows, or the group of cases or key of "
          "which each value is a point; none: the only key with numbers, the cases")
          .without_default(),
      key(&K::baseline, "baseline",
          "of points: y is how many times better than this case, seed by seed, and x a cost, which "
          "is 0 "
          "where there is none; none: the metric")
          .without_default(),
      key(&K::panel, "panel", "'case', 'metric' or a swept key: a panel for each of its values")
          .without_default(),
      key(&K::panel_columns, "panel_columns", "panels side by side; none: as it fits")
          .range(1, 8)
          .without_default(),
      choice(&K::interval, "interval",
             "how 95 % intervals are drawn: auto (band over time, else bars), band, bars, none",
             {{"auto", Interval::automatic},
              {"band", Interval::band},
              {"bars", Interval::bars},
              {"none", Interval::none}}),
      key(&K::title, "title", "above the figure"),
      key(&K::x_label, "x_label", "none: made from x"),
      key(&K::y_label, "y_label", "none: made from the metric and its unit"),
      choice(&K::x_log, "x_scale", "linear or log", {{"linear", false}, {"log", true}}),
      choice(&K::y_log, "y_scale", "linear or log", {{"linear", false}, {"log", true}}),
      key(&K::x_unit, "x_unit", "of the axis, such as us, Gbps, KiB; none: a readable one")
          .without_default(),
      key(&K::y_unit, "y_unit", "of the axis; none: a readable one").without_default(),
      key(&K::x_limits, "x_range", "[low, high] in the unit of the axis; none: fits the data"),
      key(&K::y_limits, "y_range", "[low, high] in the unit of the axis; none: fits the data"),
      key(&K::shade_limits, "shade",
          "[from, to]: interval of simulated time to mark, as [\"3 ms\", \"93 ms\"]"),
      key(&K::shade_label, "shade_label", "text inside the marked interval"),
      key(&K::reference, "reference",
          "list of tables: lines and points to compare with, such as published values; see `weir "
          "describe plot.reference`"),
      choice(&K::is_one_column, "size", "as wide as a page or as one column of it",
             {{"page", false}, {"column", true}}),
      key(&K::formats, "format", "files to write; gp: the gnuplot script")
          .one_of({"svg", "png", "pdf", "gp"})};
  return keys;
}

const Keys<ReferenceKeys>& reference_keys() {
  using K = ReferenceKeys;
  static const Keys<K> keys{
      key(&K::what, "what", "shown with the label: where the values come from")
          .one_of({"published", "computed", "limit"}),
      key(&K::label, "label", "such as 'Fig. 4'; that of a line: in its colour"),
      key(&K::y, "y", "a level line; in the unit of the axis, which y_unit must name"),
      key(&K::x, "x", "an upright line; in the unit of the axis, which x_unit must name"),
      key(&K::pairs, "points", "list of [x, y] in the units of the axes"),
      key(&K::panel, "panel", "only in the panel with this title; none: in all")};
  return keys;
}

const std::vector<Parameter>& PlotSpec::parameters() { return plot_keys().parameters(); }

const std::vector<Parameter>& PlotSpec::reference_parameters() {
  return reference_keys().parameters();
}

}  // namespace weir::report
