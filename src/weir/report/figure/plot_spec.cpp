#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/variants.hpp"
#include "weir/report/figure/axis.hpp"
#include "weir/report/figure/plot_keys.hpp"
#include "weir/report/table/ranking.hpp"

namespace weir::report {

namespace {

/// Reads one table; everything is checked where it stands.
class Reader {
 public:
  Reader(const ConfigTable& table, const std::string& where)
      : file_(plot_keys().check(table, where)), spec_(*file_) {}

  PlotSpec read() {
    check_name();
    read_metrics();
    read_where();
    read_x();
    spec_.x_range = range(&PlotKeys::x_limits, spec_.x_log);
    spec_.y_range = range(&PlotKeys::y_limits, spec_.y_log);
    spec_.shade = shade();
    if (file_->reference) read_references();
    check_forms();
    check_units();
    return std::move(spec_);
  }

  [[nodiscard]] ConfigTable resolved() const { return file_.settings().resolved(); }

 private:
  void check_name() const {
    if (spec_.figure.empty() || spec_.figure.front() == '.' ||
        spec_.figure.find_first_of("/\\\n") != std::string::npos) {
      throw file_.error(&PlotSpec::figure, "must be a plain file name");
    }
  }

  void read_metrics() {
    const ConfigValue& value = file_->metric;
    const auto add = [&](const ConfigValue& one) {
      if (!one.is_text()) {
        throw file_.error(&PlotKeys::metric, "must be a string or a list of strings");
      }
      spec_.metrics.push_back(
          parse_metric_name(one.text(), one.position, file_.path_to(&PlotKeys::metric)));
    };
    if (!value.is_array()) {
      add(value);
    } else {
      for (const ConfigValue& one : value.array()) add(one);
    }
    if (spec_.metrics.empty()) throw file_.error(&PlotKeys::metric, "names no metric");
  }

  void read_where() {
    if (!file_->wanted_runs) return;
    const ConfigValue& value = *file_->wanted_runs;
    if (!value.is_table() || value.table().empty()) {
      throw file_.error(&PlotKeys::wanted_runs, "must be a table of swept keys with a value each");
    }
    // Dotted keys without quotes are tables of tables.
    for (const experiment::KeyedValue& one : experiment::flattened(value.table())) {
      spec_.where.emplace_back(one.key, experiment::short_text(one.value));
    }
  }

  void read_x() {
    spec_.is_draw_given = file_.is_given(&PlotSpec::draw);
    const std::string metric = spec_.x.substr(0, spec_.x.find('['));
    const auto known = metric_registry().models();
    if (std::any_of(known.begin(), known.end(), [&](const auto* m) { return m->name == metric; })) {
      spec_.x_metric = parse_metric_name(spec_.x, {}, file_.path_to(&PlotSpec::x));
      if ((metric_kind(metric).forms & metric_form::kScalar) == 0) {
        throw file_.error(&PlotSpec::x, "'" + metric + "' is no single number of a run");
      }
    }
    check_x();
  }

  void check_x() const {
    if (spec_.is_distribution() && file_.is_given(&PlotSpec::x)) {
      throw file_.error(&PlotSpec::x, "a distribution has the values of its metric along x");
    }
    if (spec_.draw == PlotSpec::Draw::bars && (spec_.x == "time" || spec_.x_metric)) {
      throw file_.error(&PlotSpec::x, "bars stand over 'case' or a swept key");
    }
    if (spec_.is_draw_given && spec_.draw == PlotSpec::Draw::lines && spec_.x == "case") {
      throw file_.error(&PlotSpec::draw, "lines do not go over cases");
    }
    if (!spec_.along.empty() && !spec_.x_metric) {
      throw file_.error(&PlotSpec::along, "is for curves over another metric only");
    }
    check_points();
    if (!spec_.panel.empty() && spec_.panel == spec_.x) {
      throw file_.error(&PlotSpec::panel, "is along x already");
    }
  }

  void check_points() const {
    if (spec_.draw != PlotSpec::Draw::points) {
      if (spec_.baseline.empty()) return;
      throw file_.error(&PlotSpec::baseline, "is for draw = \"points\" only");
    }
    if (!spec_.x_metric) {
      throw file_.error(&PlotSpec::x, "points stand over another metric, which x names");
    }
    if (spec_.metrics.size() > 1) {
      throw file_.error(&PlotKeys::metric, "points show one metric over that of x");
    }
    if (!spec_.panel.empty()) {
      throw file_.error(&PlotSpec::panel,
                        "points have a panel for whatever else the runs differ in by themselves");
    }
    if (spec_.baseline.empty() || better_of(spec_.metrics.front())) return;
    throw file_.error(&PlotSpec::baseline, "'" + to_string(spec_.metrics.front()) +
                                               "' has no better direction, so nothing is better "
                                               "than another");
  }

  [[nodiscard]] std::optional<std::pair<double, double>> range(
      std::optional<std::vector<double>> PlotKeys::*key, bool is_log) const {
    if (!((*file_).*key)) return std::nullopt;
    const std::vector<double>& values = *((*file_).*key);
    if (values.size() != 2 || !(values[0] < values[1])) {
      throw file_.error(key, "must be [low, high] with low below high");
    }
    if (is_log && values[0] <= 0) {
      throw file_.error(key, "must be above 0 on a logarithmic axis");
    }
    return std::pair(values[0], values[1]);
  }

  [[nodiscard]] std::optional<std::pair<Time, Time>> shade() const {
    if (!file_->shade_limits) return std::nullopt;
    if (spec_.x != "time" || spec_.is_distribution()) {
      throw file_.error(&PlotKeys::shade_limits, "is simulated time: it needs x = \"time\"");
    }
    const std::vector<std::string>& values = *file_->shade_limits;
    if (values.size() != 2)
      throw file_.error(&PlotKeys::shade_limits, "must be [from, to], two times");
    try {
      const std::pair shade(parse_time(values[0]), parse_time(values[1]));
      if (shade.first < shade.second) return shade;
    } catch (const std::invalid_argument& error) {
      throw file_.error(&PlotKeys::shade_limits, error.what());
    }
    throw file_.error(&PlotKeys::shade_limits, "must end after it begins");
  }

  void read_references() {
    const ConfigValue& list = *file_->reference;
    if (!list.is_array()) throw file_.error(&PlotKeys::reference, "must be a list of tables");
    for (const ConfigValue& value : list.array()) {
      const std::string where =
          file_.path_to(&PlotKeys::reference) + "[" + std::to_string(spec_.references.size()) + "]";
      spec_.references.push_back(read_reference(value, where));
    }
  }

  [[nodiscard]] ReferenceSpec read_reference(const ConfigValue& value,
                                             const std::string& where) const {
    const auto file = reference_keys().check(placed_table(value, where), where);
    ReferenceSpec out = *file;
    if (file->pairs) out.points = points(file);
    const int given = (out.x ? 1 : 0) + (out.y ? 1 : 0) + (file->pairs ? 1 : 0);
    if (given != 1) throw InputError(value.position, where, "needs one of x, y and points");
    if (!out.panel.empty() && spec_.panel.empty()) {
      throw file.error(&ReferenceSpec::panel, "the figure has no panels");
    }
    check_reference_units(file);
    return out;
  }

  static std::vector<std::pair<double, double>> points(const Checked<ReferenceKeys>& file) {
    const auto number = [](const ConfigValue& value) -> std::optional<double> {
      if (value.is_integer()) return static_cast<double>(value.integer());
      if (value.is_real()) return std::get<double>(value.data);
      return std::nullopt;
    };
    std::vector<std::pair<double, double>> out;
    const ConfigValue& list = *file->pairs;
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
      throw file.error(&ReferenceKeys::pairs, "must be a list of [x, y], two numbers each");
    }
    return out;
  }

  static InputError error_at_number(const Checked<ReferenceKeys>& file, std::string_view message) {
    if (file->x) return file.error(&ReferenceSpec::x, message);
    if (file->y) return file.error(&ReferenceSpec::y, message);
    return file.error(&ReferenceKeys::pairs, message);
  }

  /// A readable unit depends on the data: numbers beside it need a fixed one.
  void check_reference_units(const Checked<ReferenceKeys>& file) const {
    const bool has_y = !file->x && !spec_.is_distribution();
    const std::string y_base = spec_.y_base();
    if (has_y && spec_.y_unit.empty() && !units_like(y_base).empty()) {
      throw error_at_number(file, "needs y_unit in the plot, so that its unit is sure");
    }
    if (file->y || !spec_.x_unit.empty() || spec_.x == "case") return;
    const std::string x_base = spec_.x == "time" && !spec_.is_distribution() ? "ns"
                               : spec_.is_distribution()                     ? y_base
                               : spec_.x_metric ? metric_kind(spec_.x_metric->metric).unit
                                                : "1";
    if (units_like(x_base).empty()) return;
    throw error_at_number(file, "needs x_unit in the plot, so that its unit is sure");
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
      throw file_.error(&PlotKeys::metric, "'" + name.metric + "' has no " + lack);
    }
  }

  /// One axis shows one unit.
  void check_units() const {
    const std::string& base = metric_kind(spec_.metrics.front().metric).unit;
    if (spec_.panel != PlotSpec::kMetric) {
      for (const MetricName& name : spec_.metrics) {
        if (metric_kind(name.metric).unit == base) continue;
        throw file_.error(&PlotKeys::metric, "'" + to_string(spec_.metrics.front()) + "' and '" +
                                                 to_string(name) +
                                                 "' have different units; panel = \"metric\" gives "
                                                 "each axes of its own");
      }
    }
    check_unit(&PlotSpec::y_unit, spec_.y_base());
    if (spec_.x == "time" && !spec_.is_distribution()) check_unit(&PlotSpec::x_unit, "ns");
    if (spec_.is_distribution()) check_unit(&PlotSpec::x_unit, base);
    if (spec_.x_metric) {
      check_unit(&PlotSpec::x_unit, metric_kind(spec_.x_metric->metric).unit);
    }
  }
  void check_unit(std::string PlotSpec::*key, const std::string& base) const {
    const std::string& unit = spec_.*key;
    if (unit.empty() || unit_named(base, unit)) return;
    const auto known = units_like(base);
    throw file_.error(key, known.empty() ? "the axis has no unit"
                                         : "'" + unit + "' does not measure what the axis shows" +
                                               suggestion(unit, known));
  }

  Checked<PlotKeys> file_;
  PlotSpec spec_;
};

}  // namespace

std::string PlotSpec::y_base() const {
  return baseline.empty() ? metric_kind(metrics.front().metric).unit : "1";
}

PlotSpec PlotSpec::read(const ConfigTable& table, const std::string& where) {
  return Reader(table, where).read();
}

ConfigTable PlotSpec::resolved(const ConfigTable& table, const std::string& where) {
  Reader reader(table, where);
  reader.read();
  return reader.resolved();
}

}  // namespace weir::report
