#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "weir/report/figure.hpp"

namespace weir::report {

const std::vector<Parameter>& PlotSpec::parameters() {
  using enum ParameterType;
  static const std::vector<Parameter> all{
      Parameter::of(text, "figure", "file name of the figure, without ending").required(),
      Parameter::of(any, "metric", "metric[label], or a list of them; see `weir list metric`")
          .required(),
      Parameter::of(text, "x",
                    "'time' draws series, 'case' bars; else a swept key, such as 'traffic.0.load'")
          .by_default("time"),
      Parameter::of(text, "title", "above the figure; none: the label of the y axis")
          .by_default(""),
      Parameter::of(text, "x_label", "none: made from x").by_default(""),
      Parameter::of(text, "y_label", "none: made from the metric and its unit").by_default(""),
      Parameter::of(reals, "x_range", "[low, high] in the unit of the axis; none: fits the data"),
      Parameter::of(reals, "y_range", "[low, high] in the unit of the axis; none: fits the data"),
      Parameter::of(texts, "shade",
                    "[from, to]: interval of simulated time to mark, as [\"3 ms\", \"93 ms\"]"),
      Parameter::of(text, "shade_label", "text inside the marked interval").by_default(""),
      Parameter::of(texts, "format", "files to write: svg, png, pdf, gp (the gnuplot script)"),
  };
  return all;
}

namespace {

std::vector<metrics::MetricName> metrics_in(const Settings& settings, const std::string& where) {
  const ConfigValue& value = settings.raw("metric");
  std::vector<metrics::MetricName> names;
  const auto add = [&](const ConfigValue& one) {
    if (!one.is_text()) throw settings.error("metric", "must be a text or a list of texts");
    names.push_back(metrics::parse_metric_name(one.text(), one.position, where + ".metric"));
  };
  if (!value.is_array()) {
    add(value);
  } else {
    for (const ConfigValue& one : value.array()) add(one);
  }
  if (names.empty()) throw settings.error("metric", "names no metric");
  return names;
}

std::optional<std::pair<double, double>> range_in(const Settings& settings, std::string_view key) {
  if (!settings.has(key)) return std::nullopt;
  const std::vector<double> values = settings.reals(key);
  if (values.size() != 2 || !(values[0] < values[1])) {
    throw settings.error(key, "must be [low, high] with low below high");
  }
  return std::pair(values[0], values[1]);
}

std::optional<std::pair<Time, Time>> shade_in(const Settings& settings) {
  if (!settings.has("shade")) return std::nullopt;
  const std::vector<std::string> values = settings.texts("shade");
  if (values.size() != 2) throw settings.error("shade", "must be [from, to], two times");
  try {
    const std::pair shade(parse_time(values[0]), parse_time(values[1]));
    if (shade.first < shade.second) return shade;
  } catch (const std::invalid_argument& error) {
    throw settings.error("shade", error.what());
  }
  throw settings.error("shade", "must end after it begins");
}

std::vector<std::string> formats_in(const Settings& settings) {
  const std::vector<std::string> known{"svg", "png", "pdf", "gp"};
  std::vector<std::string> formats = settings.texts("format");
  for (const std::string& format : formats) {
    if (std::find(known.begin(), known.end(), format) == known.end()) {
      throw settings.error("format",
                           "no such format: '" + format + "'" + suggestion(format, known));
    }
  }
  return formats;
}

/// Every metric needs the form that the figure draws.
void check_forms(const PlotSpec& spec, const Settings& settings) {
  const bool wants_series = spec.x == "time";
  const std::uint8_t form =
      wants_series ? metrics::metric_form::kSeries : metrics::metric_form::kScalar;
  for (const metrics::MetricName& name : spec.metrics) {
    if ((metrics::metric_kind(name.metric).forms & form) != 0) continue;
    throw settings.error("metric",
                         "'" + name.metric + "' has no " +
                             (wants_series ? "series to draw over time" : "single number a run"));
  }
}

}  // namespace

PlotSpec PlotSpec::read(const ConfigTable& table, const std::string& where) {
  const Settings settings = Settings::check(table, parameters(), where);
  PlotSpec spec;
  spec.figure = settings.text("figure");
  if (spec.figure.empty() || spec.figure.front() == '.' ||
      spec.figure.find_first_of("/\\\n") != std::string::npos) {
    throw settings.error("figure", "must be a plain file name");
  }
  spec.metrics = metrics_in(settings, where);
  spec.x = settings.text("x");
  spec.title = settings.text("title");
  spec.x_label = settings.text("x_label");
  spec.y_label = settings.text("y_label");
  spec.x_range = range_in(settings, "x_range");
  spec.y_range = range_in(settings, "y_range");
  spec.shade = shade_in(settings);
  spec.shade_label = settings.text("shade_label");
  if (settings.has("format")) spec.formats = formats_in(settings);
  check_forms(spec, settings);
  return spec;
}

}  // namespace weir::report
