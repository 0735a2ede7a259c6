#include "weir/report/figure.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>

#include "weir/report/summary.hpp"

namespace weir::report {

using experiment::RunRecord;
using metrics::MetricName;

namespace {

struct Unit {
  double per_base = 1;  ///< axis value = base value * this
  std::string name;
};

/// A readable unit for base values up to `largest`.
Unit readable(std::string_view unit, double largest) {
  const auto pick = [&](std::initializer_list<std::pair<double, const char*>> scales) {
    Unit best{1 / scales.begin()->first, scales.begin()->second};
    for (const auto& [size, name] : scales) {
      if (largest >= 2 * size) best = {1 / size, name};
    }
    return best;
  };
  if (unit == "ns") return pick({{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}});
  if (unit == "Gbps") return pick({{1e-3, "Mbps"}, {1, "Gbps"}, {1e3, "Tbps"}});
  if (unit == "B") return pick({{1, "B"}, {1e3, "KB"}, {1e6, "MB"}, {1e9, "GB"}});
  return {1, unit == "1" ? "" : std::string(unit)};
}

std::string with_unit(const std::string& text, const std::string& unit) {
  return unit.empty() ? text : text + " (" + unit + ")";
}

/// The number that a written value begins with ("0.9", "100 Gbps"); nothing for other texts.
std::optional<std::pair<double, std::string>> leading_number(const std::string& text) {
  const char* begin = text.data() + (text.starts_with('"') ? 1 : 0);
  const char* end = text.data() + text.size();
  double value = 0;
  const auto parsed = std::from_chars(begin, end, value);
  if (parsed.ec != std::errc{}) return std::nullopt;
  std::string unit(parsed.ptr, end);
  std::erase(unit, '"');
  unit.erase(0, unit.find_first_not_of(' ') == std::string::npos ? unit.size()
                                                                 : unit.find_first_not_of(' '));
  return std::pair(value, unit);
}

/// The multiple of 1, 2 or 5 times a power of ten at or above `value`, counted in fifths of its
/// decade.
double nice_above(double value) {
  if (value <= 0) return 1;
  const double decade = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0}) {
    if (value <= step * decade * (1 + 1e-9)) return step * decade;
  }
  return 10 * decade;
}

class Maker {
 public:
  Maker(const PlotSpec& spec, const std::vector<RunRecord>& runs) : spec_(spec) {
    for (const RunRecord& run : runs) {
      if (run.status == "done") runs_.push_back(&run);
    }
  }

  Figure make() {
    figure_.name = spec_.figure;
    figure_.title = spec_.title;
    if (spec_.x == "time") {
      over_time();
    } else if (spec_.x == "case") {
      bars();
    } else {
      over_key();
    }
    if (figure_.lines.empty()) nothing();
    scale_y();
    labels();
    return std::move(figure_);
  }

 private:
  [[noreturn]] void nothing() const {
    throw InputError("figure '" + spec_.figure + "': no run has '" +
                     to_string(spec_.metrics.front()) + "'" +
                     (spec_.x == "time" || spec_.x == "case" ? "" : " over '" + spec_.x + "'"));
  }

  /// Name of a line: the case, the metric, or both, whatever tells lines apart.
  [[nodiscard]] std::string line_label(const std::string& who, const MetricName& metric) const {
    if (spec_.metrics.size() == 1) return who;
    const std::string what = what_differs(metric);
    return several_runs_ ? who + ", " + what : what;
  }
  [[nodiscard]] std::string what_differs(const MetricName& name) const {
    const bool same_metric =
        std::all_of(spec_.metrics.begin(), spec_.metrics.end(),
                    [&](const MetricName& m) { return m.metric == name.metric; });
    if (!same_metric) return title_of(name);
    return name.label.empty() ? "all" : name.label;
  }

  using Sums = std::map<double, std::pair<double, int>>;  ///< x: sum of y, how many

  /// Lines in the order of first use; equal names (seeds) are averaged.
  Sums& line(const std::string& label) {
    for (auto& [known, sums] : sums_) {
      if (known == label) return sums;
    }
    return sums_.emplace_back(label, Sums{}).second;
  }
  static void add(Sums& sums, double x, double y) {
    auto& [sum, count] = sums[x];
    if (std::isnan(y)) return;
    sum += y;
    ++count;
  }
  void take_lines() {
    for (auto& [label, sums] : sums_) {
      FigureLine out{label, {}};
      for (const auto& [x, y] : sums) {
        out.points.emplace_back(x, y.second == 0 ? std::nan("") : y.first / y.second);
      }
      figure_.lines.push_back(std::move(out));
    }
  }

  void over_time() {
    several_runs_ = distinct_labels() > 1;
    double end = 0;
    for (const RunRecord* run : runs_) {
      for (const MetricName& name : spec_.metrics) {
        const metrics::Series* series = run->result.find_series(name.metric, name.label);
        if (series == nullptr) continue;
        Sums& sums = line(line_label(label_of(*run), name));
        for (std::size_t k = 0; k < series->values.size(); ++k) {
          const Time bin_start = series->start + series->bin * static_cast<std::int64_t>(k);
          add(sums, to_nanoseconds(bin_start) + to_nanoseconds(series->bin) / 2, series->values[k]);
          end = std::max(end, to_nanoseconds(bin_start + series->bin));
        }
      }
    }
    take_lines();
    const Unit unit = readable("ns", end);
    for (FigureLine& l : figure_.lines) {
      for (auto& point : l.points) point.first *= unit.per_base;
    }
    figure_.x_label = with_unit("simulated time", unit.name);
    figure_.x_range = {0, end * unit.per_base};
    if (spec_.shade) {
      figure_.shade = {to_nanoseconds(spec_.shade->first) * unit.per_base,
                       to_nanoseconds(spec_.shade->second) * unit.per_base};
      figure_.shade_label = spec_.shade_label;
    }
  }

  void bars() {
    figure_.is_bars = true;
    for (const RunRecord* run : runs_) {
      const std::string who = label_of(*run);
      auto at = std::find(figure_.bar_groups.begin(), figure_.bar_groups.end(), who);
      if (at == figure_.bar_groups.end()) at = figure_.bar_groups.insert(at, who);
      const auto x = static_cast<double>(at - figure_.bar_groups.begin());
      for (const MetricName& name : spec_.metrics) {
        const double* value = run->result.scalar(name.metric, name.label);
        if (value != nullptr) add(line(what_differs(name)), x, *value);
      }
    }
    take_lines();
    figure_.x_range = {-0.5, static_cast<double>(figure_.bar_groups.size()) - 0.5};
  }

  /// Lines by everything that a run's parameters say except x itself.
  [[nodiscard]] std::string who_without_x(const RunRecord& run) const {
    RunRecord rest;
    rest.case_name = run.case_name;
    for (const auto& parameter : run.parameters) {
      if (parameter.first != spec_.x) rest.parameters.push_back(parameter);
    }
    return label_of(rest);
  }

  void over_key() {
    std::string x_unit;
    std::vector<std::string> names;
    for (const RunRecord* run : runs_) names.push_back(who_without_x(*run));
    several_runs_ =
        std::any_of(names.begin(), names.end(), [&](const auto& n) { return n != names.front(); });
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      for (const auto& [key, text] : runs_[i]->parameters) {
        if (key != spec_.x) continue;
        const auto x = leading_number(text);
        if (!x)
          throw InputError("figure '" + spec_.figure + "': '" + key + "' is no number in '" + text +
                           "'");
        x_unit = x->second;
        for (const MetricName& name : spec_.metrics) {
          const double* y = runs_[i]->result.scalar(name.metric, name.label);
          if (y != nullptr) add(line(line_label(names[i], name)), x->first, *y);
        }
      }
    }
    take_lines();
    if (figure_.lines.empty()) nothing();
    figure_.x_label = with_unit(spec_.x, x_unit);
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const FigureLine& l : figure_.lines) {
      low = std::min(low, l.points.front().first);
      high = std::max(high, l.points.back().first);
    }
    figure_.x_range = low < high ? std::pair(low, high) : std::pair(low - 0.5, high + 0.5);
  }

  [[nodiscard]] std::size_t distinct_labels() const {
    std::vector<std::string> labels;
    for (const RunRecord* run : runs_) labels.push_back(label_of(*run));
    std::sort(labels.begin(), labels.end());
    return static_cast<std::size_t>(std::unique(labels.begin(), labels.end()) - labels.begin());
  }

  void scale_y() {
    double high = 0;
    double low = 0;
    for (const FigureLine& l : figure_.lines) {
      for (const auto& [x, y] : l.points) {
        if (std::isnan(y)) continue;
        high = std::max(high, y);
        low = std::min(low, y);
      }
    }
    const std::string& base = metrics::metric_kind(spec_.metrics.front().metric).unit;
    y_unit_ = readable(base, high);
    for (FigureLine& l : figure_.lines) {
      for (auto& point : l.points) point.second *= y_unit_.per_base;
    }
    // A ratio reads best on the whole of 0 to 1 unless it is far below.
    const double top =
        base == "1" && high > 0.5 && high <= 1.0 ? 1.0 : nice_above(high * y_unit_.per_base);
    figure_.y_range = {low < 0 ? -nice_above(-low * y_unit_.per_base) : 0, top};
  }

  void labels() {
    if (!spec_.x_label.empty()) figure_.x_label = spec_.x_label;
    const MetricName& first = spec_.metrics.front();
    const bool same_metric =
        std::all_of(spec_.metrics.begin(), spec_.metrics.end(),
                    [&](const MetricName& m) { return m.metric == first.metric; });
    const std::string text = spec_.metrics.size() == 1 ? title_of(first)
                             : same_metric             ? title_of({first.metric, ""})
                                                       : "";
    figure_.y_label = spec_.y_label.empty() ? with_unit(text, y_unit_.name) : spec_.y_label;
    if (spec_.x_range) figure_.x_range = *spec_.x_range;
    if (spec_.y_range) figure_.y_range = *spec_.y_range;
  }

  const PlotSpec& spec_;
  std::vector<const RunRecord*> runs_;
  bool several_runs_ = true;
  std::vector<std::pair<std::string, Sums>> sums_;
  Unit y_unit_;
  Figure figure_;
};

}  // namespace

Figure make_figure(const PlotSpec& spec, const std::vector<RunRecord>& runs) {
  return Maker(spec, runs).make();
}

}  // namespace weir::report
