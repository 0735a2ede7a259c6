#include "weir/report/page/figures.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "weir/base/error.hpp"
#include "weir/experiment/store/results_store.hpp"
#include "weir/report/figure/figure.hpp"
#include "weir/report/figure/look.hpp"
#include "weir/report/figure/plot_spec.hpp"
#include "weir/report/page/run.hpp"
#include "weir/report/table/summary.hpp"

namespace weir::report {

using experiment::RunRecord;
using nlohmann::json;

namespace {

json log_axes(bool x, bool y) {
  json log = json::array();
  if (x) log.push_back("x");
  if (y) log.push_back("y");
  return log;
}

json figure_to_json(const PlotSpec& spec) {
  json names = json::array();
  for (const auto& name : spec.metrics) names.push_back(to_string(name));
  json shade = nullptr;
  if (spec.shade) {
    shade = {to_nanoseconds(spec.shade->first), to_nanoseconds(spec.shade->second)};
  }
  return {{"log", log_axes(spec.x_log, spec.y_log)},
          {"name", spec.figure},
          {"title", spec.title},
          {"metrics", names},
          {"x", spec.is_distribution() ? "distribution" : spec.x},
          {"x_label", spec.x_label},
          {"y_label", spec.y_label},
          {"shade", std::move(shade)},
          {"shade_label", spec.shade_label}};
}

bool is_of_lines(const PlotSpec& spec) { return spec.x == "time" || spec.is_distribution(); }

/// Whether one of the page's charts, which show one or two metrics of all runs, can be this figure.
bool fits_a_chart(const PlotSpec& spec, const std::vector<RunRecord>& runs) {
  if (is_of_lines(spec)) return true;
  // Two metrics are, but not how many times better than another run one of them is.
  if (spec.draw == PlotSpec::Draw::points) return false;
  const bool is_plain =
      spec.where.empty() && (spec.panel.empty() || spec.panel == PlotSpec::kMetric);
  if (!is_plain || (spec.metrics.size() > 1 && spec.panel != PlotSpec::kMetric)) return false;
  // Points of two metrics are there, too, but not curves with what is published of each of them.
  if (spec.x_metric) return spec.references.empty() && spec.metrics.size() == 1;
  // Groups of cases are no axis of the page.
  return spec.x == "case" || std::any_of(runs.begin(), runs.end(), [&](const RunRecord& run) {
           return std::any_of(run.parameters.begin(), run.parameters.end(),
                              [&](const auto& parameter) { return parameter.first == spec.x; });
         });
}

/// A reference of a figure with several metrics may be for one of them only, which nothing tells.
bool is_sure_of_metric(const PlotSpec& spec) {
  return spec.metrics.size() == 1 || spec.panel == PlotSpec::kMetric || is_of_lines(spec);
}

/// The runs with the series and histograms of the figure, and no others.
std::vector<RunRecord> with_lines(const PlotSpec& spec, const std::vector<RunRecord>& runs,
                                  const RunReader& read) {
  const auto is_other = [&](const auto& one) {
    return std::find(spec.metrics.begin(), spec.metrics.end(), one.name) == spec.metrics.end();
  };
  std::vector<RunRecord> out;
  for (const RunRecord& run : runs) {
    out.push_back(run);
    read(out.back(), {true, true, false, false});
    std::erase_if(out.back().result.series, is_other);
    std::erase_if(out.back().result.histograms, is_other);
  }
  return out;
}

/// As the gnuplot figure has it; nothing where it cannot be drawn.
std::optional<Figure> drawn(const PlotSpec& spec, const std::vector<RunRecord>& runs,
                            const RunReader& read) {
  try {
    return make_figure(spec, is_of_lines(spec) ? with_lines(spec, runs, read) : runs);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// What limits the reference to some of the runs, if anything.
std::string with_limits(const PlotSpec& spec, const ReferenceSpec& reference) {
  std::string text = reference.text();
  if (!reference.panel.empty() && spec.panel != PlotSpec::kMetric) text += ", " + reference.panel;
  for (const auto& [key, value] : spec.where) text += ", " + key + " = " + value;
  return text;
}

/// Numbers of a chart of the page are in the metrics' units; a bar is known by its name.
json in_base_units(const ReferenceSpec& reference, const Figure& figure, double y_per_base) {
  json out = json::object();
  const bool is_bars = figure.kind == Figure::Kind::bars;
  if (reference.x && !is_bars) out["x"] = page_number(*reference.x / figure.x_per_base);
  if (reference.y) out["y"] = page_number(*reference.y / y_per_base);
  for (const auto& [x, y] : reference.points) {
    json at = page_number(x / figure.x_per_base);
    if (is_bars) {
      if (x != std::floor(x) || x < 0 || x >= static_cast<double>(figure.bar_groups.size())) {
        continue;
      }
      at = figure.bar_groups[static_cast<std::size_t>(x)];
    }
    out["points"].push_back({std::move(at), page_number(y / y_per_base)});
  }
  return out;
}

json references_of(const PlotSpec& spec, const Figure& figure) {
  json out = json::array();
  const bool has_own_axes = spec.panel == PlotSpec::kMetric;
  for (const ReferenceSpec& reference : spec.references) {
    for (const FigurePanel& panel : figure.panels) {
      if (has_own_axes && !reference.panel.empty() && reference.panel != panel.title) continue;
      json one = in_base_units(reference, figure, panel.y_per_base);
      if (one.empty()) continue;
      one["text"] = with_limits(spec, reference);
      one["metrics"] = json::array();
      for (const MetricName& name : spec.metrics) {
        if (has_own_axes && title_of(name) != panel.title) continue;
        one["metrics"].push_back(to_string(name));
      }
      if (spec.draw == PlotSpec::Draw::ccdf) one["above"] = true;
      out.push_back(std::move(one));
      if (!has_own_axes) break;  // all panels have the same axes
    }
  }
  return out;
}

json range_of(const std::pair<double, double>& range) {
  return {page_number(range.first), page_number(range.second)};
}

/// [at, text] of the ticks of a logarithmic axis.
json ticks_of(const std::vector<AxisTick>& ticks) {
  json out = json::array();
  for (const AxisTick& tick : ticks) out.push_back({page_number(tick.at), tick.text});
  return out;
}

json line_to_json(const FigureLine& line) {
  json points = json::array();
  for (const FigurePoint& point : line.points) {
    json one{page_number(point.x), page_number(point.y), page_number(point.half_width)};
    if (!std::isnan(point.half_width_below)) one.push_back(page_number(point.half_width_below));
    points.push_back(std::move(one));
  }
  return {{"name", line.label},
          {"colour", line.color},
          {"symbol", to_string(line_symbol(line.color))},
          {"dashed", is_dashed(line.color)},
          {"points", std::move(points)}};
}

json reference_to_json(const FigureReference& reference) {
  json out{{"text", reference.text}};
  if (reference.color) out["colour"] = *reference.color;
  if (!reference.points.empty()) out["symbol"] = to_string(reference_symbol(reference.style));
  if (reference.x) out["x"] = page_number(*reference.x);
  if (reference.y) out["y"] = page_number(*reference.y);
  for (const auto& [x, y] : reference.points) {
    out["points"].push_back({page_number(x), page_number(y)});
  }
  return out;
}

json panel_to_json(const FigurePanel& panel, const Figure& figure) {
  json lines = json::array();
  for (const FigureLine& line : panel.lines) lines.push_back(line_to_json(line));
  json references = json::array();
  for (const FigureReference& one : panel.references) references.push_back(reference_to_json(one));
  return {{"title", panel.title},
          {"y_label", panel.y_label.empty() ? figure.y_label : panel.y_label},
          {"y_range", range_of(panel.y_range)},
          {"y_ticks", ticks_of(panel.y_ticks)},
          {"lines", std::move(lines)},
          {"front", panel.front},
          {"references", std::move(references)}};
}

json drawn_to_json(const Figure& figure) {
  json panels = json::array();
  for (const FigurePanel& panel : figure.panels) panels.push_back(panel_to_json(panel, figure));
  json names = json::array();
  for (const std::size_t i : figure.key_order) names.push_back(figure.names[i]);
  return {{"name", figure.name},
          {"title", figure.title},
          {"x_label", figure.x_label},
          {"x_range", range_of(figure.x_range)},
          {"x_ticks", ticks_of(figure.x_ticks)},
          {"log", log_axes(figure.x_log, figure.y_log)},
          {"symbols", figure.has_symbols},
          {"points", figure.kind == Figure::Kind::points},
          {"names", std::move(names)},
          {"bars", figure.kind == Figure::Kind::bars ? json(figure.bar_groups) : json(nullptr)},
          {"panels", std::move(panels)}};
}

std::vector<PlotSpec> readable(const experiment::Configuration& configuration) {
  std::vector<PlotSpec> specs;
  for (const ConfigTable& table : configuration.plots) {
    try {
      specs.push_back(PlotSpec::read(table, "plot"));
    } catch (const InputError&) {
      continue;
    }
  }
  return specs;
}

void add_figure(const PlotSpec& spec, const std::vector<RunRecord>& runs, const RunReader& read,
                PageFigures& out) {
  const bool is_chart = fits_a_chart(spec, runs);
  const bool is_drawn = !is_chart || !spec.references.empty();
  const auto figure = is_drawn ? drawn(spec, runs, read) : std::nullopt;
  if (figure && !is_chart) out.drawn.push_back(drawn_to_json(*figure));
  out.asked.push_back(figure_to_json(spec));
  if (figure && !spec.references.empty() && is_sure_of_metric(spec)) {
    out.asked.back()["references"] = references_of(spec, *figure);
  }
}

}  // namespace

json page_look() {
  json light = json::array();
  json dark = json::array();
  json letters = json::array();
  for (const LineColor& color : kLineColors) {
    light.push_back(color.light);
    dark.push_back(color.dark);
    letters.push_back(color.letters);
  }
  json symbols = json::array();
  for (const Symbol symbol : kReferenceSymbols) symbols.push_back(to_string(symbol));
  return {
      {"colours",
       {{"light", std::move(light)}, {"dark", std::move(dark)}, {"letters", std::move(letters)}}},
      {"reference_symbols", std::move(symbols)}};
}

PageFigures page_figures(const experiment::Configuration& configuration,
                         const std::vector<RunRecord>& runs, const RunReader& read) {
  const std::vector<PlotSpec> specs = readable(configuration);
  const std::vector<RunRecord> drawn_runs =
      specs.empty() ? std::vector<RunRecord>() : latest_runs(runs);
  PageFigures out;
  for (const PlotSpec& spec : specs) add_figure(spec, drawn_runs, read, out);
  return out;
}

}  // namespace weir::report
