#include "weir/report/figure/figure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include "weir/report/figure/kinds.hpp"
#include "weir/report/table/summary.hpp"

namespace weir::report {

using experiment::RunRecord;

namespace {

/// What the names of all metrics begin with, in whole words: "network_latency" of
/// network_latency_mean and network_latency_p99.
std::string common_words(const std::vector<MetricName>& metrics) {
  std::string common = metrics.front().metric;
  const auto begins_all = [&] {
    return std::all_of(metrics.begin(), metrics.end(), [&](const MetricName& m) {
      return m.metric == common || m.metric.starts_with(common + "_");
    });
  };
  while (!common.empty() && !begins_all()) {
    const std::size_t last = common.rfind('_');
    common.resize(last == std::string::npos ? 0 : last);
  }
  return common;
}

bool has_one_label(const std::vector<MetricName>& metrics) {
  return std::all_of(metrics.begin(), metrics.end(),
                     [&](const MetricName& m) { return m.label == metrics.front().label; });
}

/// What of a run's metrics a line shows, beyond what they have in common: "p99", "cold".
std::string what_differs(const std::vector<MetricName>& metrics, const MetricName& name) {
  const std::string common = common_words(metrics);
  std::string own = name.metric.substr(common.size());
  own.erase(0, own.find_first_not_of('_'));
  if (has_one_label(metrics)) return title_of({own.empty() ? name.metric : own, ""});
  if (own.empty()) return name.label.empty() ? "all" : name.label;
  return title_of({own, name.label});
}

[[noreturn]] void nothing_to_draw(const FigureSource& source) {
  const PlotSpec& spec = source.spec;
  const bool is_plain = spec.x == "time" || spec.x == "case";
  throw source.error("no run has '" + to_string(spec.metrics.front()) + "'" +
                     (is_plain ? "" : " over '" + spec.x + "'") +
                     needs_of(spec.metrics.front().metric,
                              spec.x == "time" ? metric_form::kSeries : metric_form::kScalar));
}

void draw_lines(const FigureSource& source, Figure& figure) {
  const PlotSpec& spec = source.spec;
  if (source.runs.empty()) return;
  if (spec.is_distribution()) return draw_distribution(source, figure);
  if (spec.x == "time") return draw_over_time(source, figure);
  if (spec.draw == PlotSpec::Draw::points) return draw_points(source, figure);
  if (spec.x_metric) return draw_over_metric(source, figure);
  const bool has_words =
      std::any_of(source.runs.begin(), source.runs.end(), [&](const RunRecord* run) {
        return !swept_number(RunNames::value(*run, spec.x)).has_value();
      });
  const bool is_bars = spec.is_draw_given ? spec.draw == PlotSpec::Draw::bars : has_words;
  if (spec.x == RunNames::kCase || is_bars) return draw_bars(source, figure);
  draw_over_key(source, figure);
}

/// Values along y of the panels from `first` on, as many as share an axis.
struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  double least_positive = std::numeric_limits<double>::infinity();
  double with_interval = high;

  void add(double y) {
    if (std::isnan(y)) return;
    low = std::min(low, y);
    high = std::max(high, y);
    if (y > 0) least_positive = std::min(least_positive, y);
  }
  void add(const FigurePanel& panel) {
    for (const FigureLine& line : panel.lines) {
      for (const FigurePoint& point : line.points) {
        add(point.y);
        if (!std::isnan(point.half_width)) {
          with_interval = std::max(with_interval, point.y + point.half_width);
        }
      }
    }
  }
  void add_references(const FigurePanel& panel, double per_unit) {
    for (const FigureReference& reference : panel.references) {
      if (reference.y) add(*reference.y * per_unit);
      for (const auto& point : reference.points) add(point.second * per_unit);
    }
  }
  /// Wide intervals must not make what they belong to small.
  [[nodiscard]] double top() const { return std::max(high, std::min(with_interval, 1.5 * high)); }
};

/// Scales y of panels that share an axis, and finds its range.
class YAxis {
 public:
  YAxis(const FigureSource& source, std::string base) : source_(source), base_(std::move(base)) {}

  Unit fit(const std::vector<FigurePanel*>& panels) {
    Extent extent;
    for (const FigurePanel* panel : panels) extent.add(*panel);
    const Unit unit = source_.unit(source_.spec.y_unit, base_, extent.top(), "y_unit");
    for (const FigurePanel* panel : panels) extent.add_references(*panel, 1 / unit.per_base);
    const auto range = source_.spec.y_range.value_or(range_of(extent, unit));
    for (FigurePanel* panel : panels) {
      panel->y_range = range;
      panel->y_per_base = unit.per_base;
      for (FigureLine& line : panel->lines) {
        for (FigurePoint& point : line.points) {
          point.y *= unit.per_base;
          point.half_width *= unit.per_base;
          point.half_width_below *= unit.per_base;
        }
      }
    }
    return unit;
  }

 private:
  [[nodiscard]] std::pair<double, double> range_of(const Extent& extent, const Unit& unit) const {
    if (extent.low > extent.high) return {0, 1};
    const double top = extent.top() * unit.per_base;
    if (source_.spec.y_log) {
      if (!std::isfinite(extent.least_positive)) {
        throw source_.error("no value above 0 to draw on a logarithmic axis");
      }
      return log_range(extent.least_positive * unit.per_base, top);
    }
    // A ratio reads best on the whole of 0 to 1 unless it is far below.
    if (base_ == "1" && top > 0.5 && extent.high <= 1 && extent.low >= 0) return {0, 1};
    return linear_range(extent.low * unit.per_base, top);
  }

  const FigureSource& source_;
  std::string base_;
};

/// Equal texts share a symbol or a dash; points in the colours of their lines are told by these.
std::size_t style_of(const ReferenceSpec& spec, bool has_color, std::vector<std::string>& known) {
  const std::string text = has_color && !spec.points.empty() ? "" : spec.text();
  const auto at = std::find(known.begin(), known.end(), text);
  if (at != known.end()) return static_cast<std::size_t>(at - known.begin());
  known.push_back(text);
  return known.size() - 1;
}

void add_references(const FigureSource& source, Figure& figure) {
  std::vector<std::string> symbols;
  std::vector<std::string> dashes;
  for (const ReferenceSpec& spec : source.spec.references) {
    FigureReference drawn{spec.text(), spec.x, spec.y, spec.points, std::nullopt, 0};
    const auto name = std::find(figure.names.begin(), figure.names.end(), spec.label);
    if (name != figure.names.end() && !spec.label.empty()) {
      drawn.color = static_cast<std::size_t>(name - figure.names.begin());
    }
    drawn.style = style_of(spec, drawn.color.has_value(), spec.points.empty() ? dashes : symbols);
    std::vector<std::string> titles;
    for (FigurePanel& panel : figure.panels) {
      titles.push_back(panel.title);
      if (spec.panel.empty() || spec.panel == panel.title) panel.references.push_back(drawn);
    }
    if (spec.panel.empty() || std::find(titles.begin(), titles.end(), spec.panel) != titles.end()) {
      continue;
    }
    throw source.error("a reference is for the panel '" + spec.panel + "', which is not there" +
                       suggestion(spec.panel, titles));
  }
}

void widen_x(Figure& figure) {
  for (const FigurePanel& panel : figure.panels) {
    for (const FigureReference& reference : panel.references) {
      std::vector<double> all;
      if (reference.x) all.push_back(*reference.x);
      for (const auto& point : reference.points) all.push_back(point.first);
      for (const double x : all) {
        figure.x_range.first = std::min(figure.x_range.first, x);
        figure.x_range.second = std::max(figure.x_range.second, x);
      }
    }
  }
}

void fit_y(const FigureSource& source, Figure& figure) {
  const PlotSpec& spec = source.spec;
  if (spec.is_distribution()) {
    std::vector<FigurePanel*> all;
    for (FigurePanel& panel : figure.panels) all.push_back(&panel);
    YAxis(source, "1").fit(all);
    figure.y_label =
        spec.draw == PlotSpec::Draw::cdf ? "share of values at or below" : "share of values above";
  } else if (spec.panel == PlotSpec::kMetric) {
    for (FigurePanel& panel : figure.panels) {
      const auto name = std::find_if(spec.metrics.begin(), spec.metrics.end(),
                                     [&](const auto& m) { return title_of(m) == panel.title; });
      const Unit unit = YAxis(source, metric_kind(name->metric).unit).fit({&panel});
      panel.y_label = with_unit(panel.title, unit.name);
    }
  } else {
    std::vector<FigurePanel*> all;
    for (FigurePanel& panel : figure.panels) all.push_back(&panel);
    const Unit unit = YAxis(source, spec.y_base()).fit(all);
    figure.y_label = with_unit(common_title(spec.metrics), unit.name) +
                     (spec.baseline.empty() ? "" : ": times better than '" + spec.baseline + "'");
  }
}

/// Leaves the runs that `where` means.
void keep_wanted(const PlotSpec& spec, std::vector<const RunRecord*>& runs) {
  for (const auto& [key, wanted] : spec.where) {
    std::vector<std::string> there;
    std::vector<const RunRecord*> kept;
    for (const RunRecord* run : runs) {
      const std::string value = RunNames::value(*run, key);
      if (value == wanted) kept.push_back(run);
      if (std::find(there.begin(), there.end(), value) == there.end()) there.push_back(value);
    }
    if (kept.empty() && !runs.empty()) {
      throw InputError("figure '" + spec.figure + "': no run has " + key + " = " + wanted +
                       suggestion(wanted, there));
    }
    runs = std::move(kept);
  }
}

void add_ticks(Figure& figure) {
  if (figure.x_log) figure.x_ticks = log_ticks(figure.x_range);
  for (FigurePanel& panel : figure.panels) {
    if (figure.y_log) panel.y_ticks = log_ticks(panel.y_range);
  }
}

/// Many marks on a line hide it.
bool has_few_points(const Figure& figure) {
  constexpr std::size_t kFew = 30;
  return std::all_of(figure.panels.begin(), figure.panels.end(), [](const FigurePanel& panel) {
    return std::all_of(panel.lines.begin(), panel.lines.end(),
                       [](const FigureLine& line) { return line.points.size() <= kFew; });
  });
}

/// Finds where lines end and the order of a key. Those that end together stand in the order of
/// their averages.
void order_names(Figure& figure) {
  std::map<std::size_t, std::pair<double, double>> heights;  // by color: rounded end, mean
  for (FigurePanel& panel : figure.panels) {
    for (FigureLine& line : panel.lines) {
      double last = 0;
      double mean = 0;
      double count = 0;
      for (const FigurePoint& point : line.points) {
        const double x = share_of(point.x, figure.x_range, figure.x_log);
        if (!std::isfinite(point.y) || x > 1) continue;
        last = share_of(point.y, panel.y_range, figure.y_log);
        line.end = x > 0.96 && last <= 1 ? std::optional(last) : std::nullopt;
        mean += (last - mean) / ++count;
      }
      heights[line.color] = {std::round(last * 40), mean};
    }
  }
  figure.key_order.resize(figure.names.size());
  std::iota(figure.key_order.begin(), figure.key_order.end(), std::size_t{0});
  const bool is_in_order = figure.kind == Figure::Kind::bars || figure.kind == Figure::Kind::points;
  if (figure.panels.size() > 1 || is_in_order) return;
  std::stable_sort(figure.key_order.begin(), figure.key_order.end(),
                   [&](std::size_t a, std::size_t b) { return heights[a] > heights[b]; });
}

/// Points that nobody could tell from the one before, as distributions have many of.
void drop_unseen(Figure& figure) {
  constexpr double kSeen = 5e-4;  ///< share of an axis
  for (FigurePanel& panel : figure.panels) {
    for (FigureLine& line : panel.lines) {
      const FigurePoint* last = nullptr;
      std::vector<FigurePoint> kept;
      for (const FigurePoint& point : line.points) {
        const auto distance = [&](double FigurePoint::*at, const auto& range, bool is_log) {
          return std::fabs(share_of(point.*at, range, is_log) - share_of(last->*at, range, is_log));
        };
        const bool is_unseen = last != nullptr && &point != &line.points.back() &&
                               distance(&FigurePoint::x, figure.x_range, figure.x_log) < kSeen &&
                               distance(&FigurePoint::y, panel.y_range, figure.y_log) < kSeen;
        if (is_unseen) continue;
        kept.push_back(point);
        last = &point;
      }
      line.points = std::move(kept);
    }
  }
}

void hide_intervals(Figure& figure) {
  for (FigurePanel& panel : figure.panels) {
    for (FigureLine& line : panel.lines) {
      for (FigurePoint& point : line.points) {
        point.half_width = point.x_half_width = point.half_width_below = std::nan("");
      }
    }
  }
}

}  // namespace

std::string common_title(const std::vector<MetricName>& metrics) {
  const std::string words = common_words(metrics);
  if (words.empty()) return "";
  return title_of({words, has_one_label(metrics) ? metrics.front().label : ""});
}

const metrics::Scalar* find_scalar(const RunRecord& run, const MetricName& name) {
  for (const metrics::Scalar& scalar : run.result.scalars) {
    if (scalar.name == name) return &scalar;
  }
  return nullptr;
}

void add_scalar(Estimate& estimate, const metrics::Scalar* scalar) {
  if (scalar == nullptr) return;
  if (scalar->quality == metrics::Quality::not_stationary) {
    estimate.add_not_stationary();
  } else {
    estimate.add(scalar->value, scalar->half_width);
  }
}

std::string FigureSource::panel(const RunRecord& run, const MetricName& metric) const {
  if (spec.panel.empty()) return "";
  if (spec.panel == PlotSpec::kMetric) return title_of(metric);
  return names.part(spec.panel, RunNames::value(run, spec.panel));
}

std::string FigureSource::label(const RunRecord& run, const MetricName& metric,
                                std::vector<std::string> along_x) const {
  along_x.push_back(spec.panel);
  const std::string who = names.text(run, along_x);
  if (spec.metrics.size() == 1 || spec.panel == PlotSpec::kMetric) return who;
  const std::string what = what_differs(spec.metrics, metric);
  return who.empty() ? what : who + ", " + what;
}

Unit FigureSource::unit(const std::string& wanted, const std::string& base, double largest,
                        const char* key) const {
  if (wanted.empty()) return readable_unit(base, largest);
  if (const auto unit = unit_named(base, wanted)) return *unit;
  const auto known = units_like(base);
  throw error(std::string(key) + ": '" + wanted + "' does not measure what the axis shows" +
              suggestion(wanted, known));
}

InputError FigureSource::error(const std::string& text) const {
  return InputError("figure '" + spec.figure + "': " + text);
}

Figure make_figure(const PlotSpec& spec, const std::vector<RunRecord>& runs) {
  std::vector<const RunRecord*> done;
  for (const RunRecord& run : runs) {
    if (run.status == "done") done.push_back(&run);
  }
  keep_wanted(spec, done);
  const FigureSource source{spec, done, RunNames(done)};
  Figure figure;
  figure.name = spec.figure;
  figure.title = spec.title;
  figure.is_one_column = spec.is_one_column;
  figure.panel_columns = spec.panel_columns;
  figure.x_log = spec.x_log;
  figure.y_log = spec.y_log;
  draw_lines(source, figure);
  if (figure.panels.empty()) nothing_to_draw(source);
  add_references(source, figure);
  if (figure.kind != Figure::Kind::bars) widen_x(figure);
  fit_y(source, figure);
  if (!spec.x_label.empty()) figure.x_label = spec.x_label;
  if (!spec.y_label.empty()) figure.y_label = spec.y_label;
  if (spec.x_range) figure.x_range = *spec.x_range;
  add_ticks(figure);
  order_names(figure);
  drop_unseen(figure);
  figure.has_symbols = figure.kind == Figure::Kind::points ||
                       (figure.kind == Figure::Kind::lines && has_few_points(figure));
  if (spec.interval == PlotSpec::Interval::none) hide_intervals(figure);
  if (spec.interval == PlotSpec::Interval::band) figure.has_bands = true;
  if (spec.interval == PlotSpec::Interval::bars) figure.has_bands = false;
  return figure;
}

std::vector<RunRecord> latest_runs(std::vector<RunRecord> runs) {
  if (runs.empty()) return runs;
  using Key =
      std::tuple<std::string, std::vector<std::pair<std::string, std::string>>, std::uint64_t>;
  // Runs stand in the order of their plan; their ids tell which was written later.
  const auto is_earlier = [](const RunRecord& a, const RunRecord& b) { return a.id <= b.id; };
  std::size_t latest = 0;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    if (is_earlier(runs[latest], runs[i])) latest = i;
  }
  const std::string experiment = runs[latest].experiment;
  std::map<Key, std::size_t> last;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].experiment != experiment) continue;
    const auto [at, is_new] =
        last.emplace(Key{runs[i].case_name, runs[i].parameters, runs[i].seed}, i);
    if (!is_new && is_earlier(runs[at->second], runs[i])) at->second = i;
  }
  std::vector<RunRecord> kept;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto at = last.find(Key{runs[i].case_name, runs[i].parameters, runs[i].seed});
    if (at != last.end() && at->second == i) kept.push_back(std::move(runs[i]));
  }
  return kept;
}

}  // namespace weir::report
