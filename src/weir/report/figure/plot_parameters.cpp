#include "weir/report/figure/plot_spec.hpp"

namespace weir::report {

const std::vector<Parameter>& PlotSpec::parameters() {
  using enum ParameterType;
  static const std::vector<Parameter> all{
      Parameter::of(text, "figure", "file name of the figure, without ending").required(),
      Parameter::of(any, "metric", "metric[label], or a list of them; see `weir list metric`")
          .required(),
      Parameter::of(any, "where",
                    "only these runs: a table of swept keys (or 'case') with a value each, as in "
                    "{ \"queueing.model\" = \"voqsw\" }; none: all"),
      Parameter::of(text, "x",
                    "'time' draws series, 'case' bars; else a swept key, such as "
                    "'traffic.0.arrivals.load', or another metric: scalars over it")
          .by_default("time"),
      Parameter::of(text, "draw",
                    "lines, bars, cdf (share of values at or below), ccdf (share above); none: "
                    "bars over cases and over values that are no numbers, else lines")
          .one_of({"lines", "bars", "cdf", "ccdf"}),
      Parameter::of(text, "along",
                    "with a metric as x: the swept key that a curve follows; none: the only one "
                    "with numbers"),
      Parameter::of(text, "panel",
                    "'case', 'metric' or a swept key: a panel for each of its values"),
      Parameter::of(integer, "panel_columns", "panels side by side; none: as it fits").range(1, 8),
      Parameter::of(text, "interval",
                    "how 95 % intervals are drawn: auto (band over time, else bars), band, bars, "
                    "none")
          .by_default("auto")
          .one_of({"auto", "band", "bars", "none"}),
      Parameter::of(text, "title", "above the figure").by_default(""),
      Parameter::of(text, "x_label", "none: made from x").by_default(""),
      Parameter::of(text, "y_label", "none: made from the metric and its unit").by_default(""),
      Parameter::of(text, "x_scale", "linear or log")
          .by_default("linear")
          .one_of({"linear", "log"}),
      Parameter::of(text, "y_scale", "linear or log")
          .by_default("linear")
          .one_of({"linear", "log"}),
      Parameter::of(text, "x_unit", "of the axis, such as us, Gbps, KiB; none: a readable one"),
      Parameter::of(text, "y_unit", "of the axis; none: a readable one"),
      Parameter::of(reals, "x_range", "[low, high] in the unit of the axis; none: fits the data"),
      Parameter::of(reals, "y_range", "[low, high] in the unit of the axis; none: fits the data"),
      Parameter::of(texts, "shade",
                    "[from, to]: interval of simulated time to mark, as [\"3 ms\", \"93 ms\"]"),
      Parameter::of(text, "shade_label", "text inside the marked interval").by_default(""),
      Parameter::of(any, "reference",
                    "list of tables: lines and points to compare with, such as published values; "
                    "see `weir describe plot.reference`"),
      Parameter::of(text, "size", "as wide as a page or as one column of it")
          .by_default("page")
          .one_of({"page", "column"}),
      Parameter::of(texts, "format", "files to write: svg, png, pdf, gp (the gnuplot script)")
          .by_default(R"(["svg", "png"])"),
  };
  return all;
}

const std::vector<Parameter>& PlotSpec::reference_parameters() {
  using enum ParameterType;
  static const std::vector<Parameter> all{
      Parameter::of(text, "what", "shown with the label: where the values come from")
          .by_default("published")
          .one_of({"published", "computed", "limit"}),
      Parameter::of(text, "label", "such as 'Fig. 4'; that of a line: in its colour")
          .by_default(""),
      Parameter::of(real, "y", "a level line; in the unit of the axis, which y_unit must name"),
      Parameter::of(real, "x", "an upright line; in the unit of the axis, which x_unit must name"),
      Parameter::of(any, "points", "list of [x, y] in the units of the axes"),
      Parameter::of(text, "panel", "only in the panel with this title; none: in all")
          .by_default(""),
  };
  return all;
}

}  // namespace weir::report
