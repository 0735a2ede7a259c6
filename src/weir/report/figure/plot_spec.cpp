#include "weir/report/figure/plot_spec.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/variants.hpp"
#include "weir/report/figure/axis.hpp"

namespace weir::report {

namespace {

/// Reads one table; everything is checked where it stands.
class Reader {
 public:
  Reader(const ConfigTable& table, std::string where)
      : settings_(Settings::check(table, PlotSpec::parameters(), where)),
        where_(std::move(where)) {}

  PlotSpec read() {
    read_name();
    read_metrics();
    read_where();
    read_x();
    read_style();
    if (settings_.has("reference")) read_references();
    check_forms();
    check_units();
    return std::move(spec_);
  }

 private:
  [[nodiscard]] std::string optional_text(std::string_view key) const {
    return settings_.has(key) ? settings_.text(key) : "";
  }

  void read_name() {
    spec_.figure = settings_.text("figure");
    if (spec_.figure.empty() || spec_.figure.front() == '.' ||
        spec_.figure.find_first_of("/\\\n") != std::string::npos) {
      throw settings_.error("figure", "must be a plain file name");
    }
  }

  void read_metrics() {
    const ConfigValue& value = settings_.raw("metric");
    const auto add = [&](const ConfigValue& one) {
      if (!one.is_text()) throw settings_.error("metric", "must be a string or a list of strings");
      spec_.metrics.push_back(parse_metric_name(one.text(), one.position, where_ + ".metric"));
    };
    if (!value.is_array()) {
      add(value);
    } else {
      for (const ConfigValue& one : value.array()) add(one);
    }
    if (spec_.metrics.empty()) throw settings_.error("metric", "names no metric");
  }

  void read_where() {
    if (!settings_.has("where")) return;
    const ConfigValue& value = settings_.raw("where");
    if (!value.is_table() || value.table().empty()) {
      throw settings_.error("where", "must be a table of swept keys with a value each");
    }
    // Dotted keys without quotes are tables of tables.
    for (const experiment::KeyedValue& one : experiment::flattened(value.table())) {
      spec_.where.emplace_back(one.key, experiment::short_text(one.value));
    }
  }

  void read_x() {
    spec_.x = settings_.text("x");
    spec_.along = optional_text("along");
    spec_.panel = optional_text("panel");
    if (settings_.has("panel_columns")) {
      spec_.panel_columns = static_cast<int>(settings_.integer("panel_columns"));
    }
    const std::string draw = optional_text("draw");
    spec_.is_draw_given = !draw.empty();
    if (draw == "bars") spec_.draw = PlotSpec::Draw::bars;
    if (draw == "cdf") spec_.draw = PlotSpec::Draw::cdf;
    if (draw == "ccdf") spec_.draw = PlotSpec::Draw::ccdf;
    const std::string metric = spec_.x.substr(0, spec_.x.find('['));
    const auto known = metric_registry().models();
    if (std::any_of(known.begin(), known.end(), [&](const auto* m) { return m->name == metric; })) {
      spec_.x_metric = parse_metric_name(spec_.x, {}, where_ + ".x");
      if ((metric_kind(metric).forms & metric_form::kScalar) == 0) {
        throw settings_.error("x", "'" + metric + "' is no single number of a run");
      }
    }
    check_x();
  }

  void check_x() const {
    if (spec_.is_distribution() && settings_.given("x")) {
      throw settings_.error("x", "a distribution has the values of its metric along x");
    }
    if (spec_.draw == PlotSpec::Draw::bars && (spec_.x == "time" || spec_.x_metric)) {
      throw settings_.error("x", "bars stand over 'case' or a swept key");
    }
    if (spec_.is_draw_given && spec_.draw == PlotSpec::Draw::lines && spec_.x == "case") {
      throw settings_.error("draw", "lines do not go over cases");
    }
    if (!spec_.along.empty() && !spec_.x_metric) {
      throw settings_.error("along", "is for curves over another metric only");
    }
    if (!spec_.panel.empty() && spec_.panel == spec_.x) {
      throw settings_.error("panel", "is along x already");
    }
  }

  void read_style() {
    spec_.title = settings_.text("title");
    spec_.x_label = settings_.text("x_label");
    spec_.y_label = settings_.text("y_label");
    spec_.x_log = settings_.text("x_scale") == "log";
    spec_.y_log = settings_.text("y_scale") == "log";
    spec_.x_unit = optional_text("x_unit");
    spec_.y_unit = optional_text("y_unit");
    spec_.x_range = range("x_range", spec_.x_log);
    spec_.y_range = range("y_range", spec_.y_log);
    spec_.shade = shade();
    spec_.shade_label = settings_.text("shade_label");
    spec_.is_one_column = settings_.text("size") == "column";
    spec_.formats = formats();
    const std::string interval = settings_.text("interval");
    if (interval == "band") spec_.interval = PlotSpec::Interval::band;
    if (interval == "bars") spec_.interval = PlotSpec::Interval::bars;
    if (interval == "none") spec_.interval = PlotSpec::Interval::none;
  }

  [[nodiscard]] std::optional<std::pair<double, double>> range(std::string_view key,
                                                               bool is_log) const {
    if (!settings_.has(key)) return std::nullopt;
    const std::vector<double> values = settings_.reals(key);
    if (values.size() != 2 || !(values[0] < values[1])) {
      throw settings_.error(key, "must be [low, high] with low below high");
    }
    if (is_log && values[0] <= 0) {
      throw settings_.error(key, "must be above 0 on a logarithmic axis");
    }
    return std::pair(values[0], values[1]);
  }

  [[nodiscard]] std::optional<std::pair<Time, Time>> shade() const {
    if (!settings_.has("shade")) return std::nullopt;
    if (spec_.x != "time" || spec_.is_distribution()) {
      throw settings_.error("shade", "is simulated time: it needs x = \"time\"");
    }
    const std::vector<std::string> values = settings_.texts("shade");
    if (values.size() != 2) throw settings_.error("shade", "must be [from, to], two times");
    try {
      const std::pair shade(parse_time(values[0]), parse_time(values[1]));
      if (shade.first < shade.second) return shade;
    } catch (const std::invalid_argument& error) {
      throw settings_.error("shade", error.what());
    }
    throw settings_.error("shade", "must end after it begins");
  }

  [[nodiscard]] std::vector<std::string> formats() const {
    const std::vector<std::string> known{"svg", "png", "pdf", "gp"};
    const std::vector<std::string> formats = settings_.texts("format");
    for (const std::string& format : formats) {
      if (std::find(known.begin(), known.end(), format) == known.end()) {
        throw settings_.error("format",
                              "no such format: '" + format + "'" + suggestion(format, known));
      }
    }
    return formats;
  }

  void read_references() {
    const ConfigValue& list = settings_.raw("reference");
    if (!list.is_array()) throw settings_.error("reference", "must be a list of tables");
    for (const ConfigValue& value : list.array()) {
      const std::string where =
          where_ + ".reference[" + std::to_string(spec_.references.size()) + "]";
      if (!value.is_table()) throw InputError(value.position, where, "must be a table");
      spec_.references.push_back(read_reference(value, where));
    }
  }

  [[nodiscard]] ReferenceSpec read_reference(const ConfigValue& value,
                                             const std::string& where) const {
    ConfigTable table = value.table();
    if (table.position.line == 0) table.position = value.position;
    const Settings settings = Settings::check(table, PlotSpec::reference_parameters(), where);
    ReferenceSpec out;
    out.what = settings.text("what");
    out.label = settings.text("label");
    out.panel = settings.text("panel");
    if (settings.has("x")) out.x = settings.real("x");
    if (settings.has("y")) out.y = settings.real("y");
    if (settings.has("points")) out.points = points(settings);
    const int given = (out.x ? 1 : 0) + (out.y ? 1 : 0) + (settings.has("points") ? 1 : 0);
    if (given != 1) throw InputError(value.position, where, "needs one of x, y and points");
    if (!out.panel.empty() && spec_.panel.empty()) {
      throw settings.error("panel", "the figure has no panels");
    }
    check_reference_units(settings, out);
    return out;
  }

  static std::vector<std::pair<double, double>> points(const Settings& settings) {
    const auto number = [](const ConfigValue& value) -> std::optional<double> {
      if (value.is_integer()) return static_cast<double>(value.integer());
      if (value.is_real()) return std::get<double>(value.data);
      return std::nullopt;
    };
    std::vector<std::pair<double, double>> out;
    const ConfigValue& list = settings.raw("points");
    if (list.is_array()) {
      for (const ConfigValue& one : list.array()) {
        if (!one.is_array() || one.array().size() != 2) break;
        const auto x = number(one.array()[0]);
        const auto y = number(one.array()[1]);
        if (!x || !y) break;
        out.emplace_back(*x, *y);
      }
    }
    if (out.empty() || out.size() != list.array().size()) {
      throw settings.error("points", "must be a list of [x, y], two numbers each");
    }
    return out;
  }

  /// A readable unit depends on the data: numbers beside it need a fixed one.
  void check_reference_units(const Settings& reference, const ReferenceSpec& spec) const {
    const char* key = spec.x ? "x" : spec.y ? "y" : "points";
    const bool has_y = !spec.x && !spec_.is_distribution();
    const std::string& y_base = metric_kind(spec_.metrics.front().metric).unit;
    if (has_y && spec_.y_unit.empty() && !units_like(y_base).empty()) {
      throw reference.error(key, "needs y_unit in the plot, so that its unit is sure");
    }
    if (spec.y || !spec_.x_unit.empty() || spec_.x == "case") return;
    const std::string x_base = spec_.x == "time" && !spec_.is_distribution() ? "ns"
                               : spec_.is_distribution()                     ? y_base
                               : spec_.x_metric ? metric_kind(spec_.x_metric->metric).unit
                                                : "1";
    if (units_like(x_base).empty()) return;
    throw reference.error(key, "needs x_unit in the plot, so that its unit is sure");
  }

  /// Every metric needs the form that the figure draws.
  void check_forms() const {
    using namespace metric_form;
    const bool wants_series = spec_.x == "time";
    const std::uint8_t form = spec_.is_distribution() ? kHistogram
                              : wants_series          ? kSeries
                                                      : kScalar;
    const std::string lack = spec_.is_distribution() ? "distribution"
                             : wants_series          ? "series to draw over time"
                                                     : "single number a run";
    for (const MetricName& name : spec_.metrics) {
      if ((metric_kind(name.metric).forms & form) != 0) continue;
      throw settings_.error("metric", "'" + name.metric + "' has no " + lack);
    }
  }

  /// One axis shows one unit.
  void check_units() const {
    const std::string& base = metric_kind(spec_.metrics.front().metric).unit;
    if (spec_.panel != "metric") {
      for (const MetricName& name : spec_.metrics) {
        if (metric_kind(name.metric).unit == base) continue;
        throw settings_.error("metric", "'" + to_string(spec_.metrics.front()) + "' and '" +
                                            to_string(name) +
                                            "' have different units; panel = \"metric\" gives "
                                            "each axes of its own");
      }
    }
    check_unit("y_unit", spec_.y_unit, base);
    if (spec_.x == "time" && !spec_.is_distribution()) check_unit("x_unit", spec_.x_unit, "ns");
    if (spec_.is_distribution()) check_unit("x_unit", spec_.x_unit, base);
    if (spec_.x_metric) {
      check_unit("x_unit", spec_.x_unit, metric_kind(spec_.x_metric->metric).unit);
    }
  }
  void check_unit(const char* key, const std::string& unit, const std::string& base) const {
    if (unit.empty() || unit_named(base, unit)) return;
    const auto known = units_like(base);
    throw settings_.error(
        key, known.empty()
                 ? "the axis has no unit"
                 : "'" + unit + "' does not measure what the axis shows" + suggestion(unit, known));
  }

  Settings settings_;
  std::string where_;
  PlotSpec spec_;
};

}  // namespace

PlotSpec PlotSpec::read(const ConfigTable& table, const std::string& where) {
  return Reader(table, where).read();
}

ConfigTable PlotSpec::resolved(const ConfigTable& table, const std::string& where) {
  read(table, where);
  return Settings::check(table, parameters(), where).resolved();
}

}  // namespace weir::report
