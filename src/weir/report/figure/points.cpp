#include <algorithm>
#include <cmath>

#include "weir/report/figure/kinds.hpp"
#include "weir/report/table/ranking.hpp"
#include "weir/report/table/summary.hpp"

namespace weir::report {

using experiment::RunRecord;

namespace {

/// Scalars are all that is needed of the runs.
std::vector<RunRecord> scalars_of(const std::vector<const RunRecord*>& runs) {
  std::vector<RunRecord> out;
  for (const RunRecord* run : runs) {
    RunRecord& copy = out.emplace_back();
    copy.experiment = run->experiment;
    copy.case_name = run->case_name;
    copy.seed = run->seed;
    copy.status = run->status;
    copy.parameters = run->parameters;
    copy.result.scalars = run->result.scalars;
  }
  return out;
}

void check_baseline(const FigureSource& source, const std::vector<Ranking>& all) {
  const std::string& baseline = source.spec.baseline;
  std::vector<std::string> names;
  for (const Ranking& ranking : all) {
    for (const RankedChoice& choice : ranking.choices) names.push_back(choice.name);
  }
  if (baseline.empty() || std::find(names.begin(), names.end(), baseline) != names.end()) return;
  throw source.error("no run is of the baseline '" + baseline + "'" + suggestion(baseline, names));
}

double value_of(const RankedChoice& choice, const MetricName& metric) {
  const metrics::Scalar* scalar = find_scalar(choice.means, metric);
  return scalar == nullptr || choice.rank == 0 ? std::nan("") : scalar->value;
}

/// How many times better than the baseline. Of a single draw without interval; nothing where it is
/// not known.
std::optional<FigurePoint> gain_of(const RankedChoice& choice, const Ranking& ranking,
                                   const PlotSpec& spec) {
  FigurePoint point;
  if (choice.gain) {
    point.y = choice.gain->mean;
    point.half_width = choice.gain->high - choice.gain->mean;
    point.half_width_below = choice.gain->mean - choice.gain->low;
    return point;
  }
  const auto base = std::find_if(ranking.choices.begin(), ranking.choices.end(),
                                 [&](const auto& one) { return one.name == spec.baseline; });
  if (base == ranking.choices.end() || base->rank == 0 || choice.rank == 0) return std::nullopt;
  if (&*base != &choice) {
    if (ranking.draws > 1) return std::nullopt;
    const double own = value_of(choice, spec.metrics.front());
    const double its = value_of(*base, spec.metrics.front());
    point.y = is_lower_better(spec.metrics.front()) ? its / own : own / its;
    if (!std::isfinite(point.y) || point.y <= 0) return std::nullopt;
  } else {
    point.y = 1;
  }
  return point;
}

/// Beside a baseline x is a cost: what a choice has no number of, as of the overhead of messages
/// that it does not send, costs it nothing.
Estimate x_of(const RankedChoice& choice, const PlotSpec& spec) {
  Estimate x;
  const metrics::Scalar* scalar = find_scalar(choice.means, *spec.x_metric);
  add_scalar(x, scalar);
  const bool is_cost = !spec.baseline.empty() && better_of(*spec.x_metric) == Better::lower;
  if (scalar == nullptr && is_cost) x.add(0);
  return x;
}

/// Nothing where x or y is not known.
std::optional<FigurePoint> point_of(const RankedChoice& choice, const Ranking& ranking,
                                    const PlotSpec& spec) {
  const Estimate x = x_of(choice, spec);
  if (std::isnan(x.mean())) return std::nullopt;
  std::optional<FigurePoint> point = FigurePoint{};
  if (spec.baseline.empty()) {
    Estimate y;
    add_scalar(y, find_scalar(choice.means, spec.metrics.front()));
    if (std::isnan(y.mean())) return std::nullopt;
    point->y = y.mean();
    point->half_width = y.half_width();
  } else {
    point = gain_of(choice, ranking, spec);
  }
  if (!point) return std::nullopt;
  point->x = x.mean();
  point->x_half_width = x.half_width();
  return point;
}

/// None other is at least as good in both ways and better in one.
std::vector<std::size_t> front_of(const std::vector<FigureLine>& lines, double x_sign,
                                  double y_sign) {
  const auto beats = [&](const FigurePoint& a, const FigurePoint& b) {
    const double x = x_sign * (a.x - b.x);
    const double y = y_sign * (a.y - b.y);
    return x >= 0 && y >= 0 && (x > 0 || y > 0);
  };
  std::vector<std::size_t> front;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const FigurePoint& one = lines[i].points.front();
    const bool is_beaten = std::any_of(lines.begin(), lines.end(), [&](const FigureLine& other) {
      return beats(other.points.front(), one);
    });
    if (!is_beaten) front.push_back(i);
  }
  std::sort(front.begin(), front.end(), [&](std::size_t a, std::size_t b) {
    const FigurePoint& one = lines[a].points.front();
    const FigurePoint& other = lines[b].points.front();
    return std::pair(one.x, one.y) < std::pair(other.x, other.y);
  });
  return front;
}

std::vector<std::size_t> front_of(const FigurePanel& panel, const PlotSpec& spec) {
  const auto x = better_of(*spec.x_metric);
  auto y = better_of(spec.metrics.front());
  if (!spec.baseline.empty()) y = Better::higher;
  if (!x || !y) return {};
  return front_of(panel.lines, *x == Better::higher ? 1 : -1, *y == Better::higher ? 1 : -1);
}

}  // namespace

void draw_points(const FigureSource& source, Figure& figure) {
  const PlotSpec& spec = source.spec;
  figure.kind = Figure::Kind::points;
  const std::string choice = spec.along.empty() ? RunNames::kCase : spec.along;
  const std::vector<Ranking> all =
      rankings(scalars_of(source.runs), {choice, spec.baseline, spec.metrics.front()});
  check_baseline(source, all);
  for (const Ranking& ranking : all) {
    const bool has_x = std::any_of(
        ranking.choices.begin(), ranking.choices.end(),
        [&](const RankedChoice& one) { return find_scalar(one.means, *spec.x_metric) != nullptr; });
    if (!has_x) continue;
    FigurePanel panel;
    for (const auto& [key, value] : ranking.at) {
      panel.title += (panel.title.empty() ? "" : ", ") + source.names.part(key, value);
    }
    for (const RankedChoice& one : ranking.choices) {
      const auto point = point_of(one, ranking, spec);
      if (!point) continue;
      const std::string name = one.name.empty() ? spec.figure : one.name;
      auto at = std::find(figure.names.begin(), figure.names.end(), name);
      if (at == figure.names.end()) at = figure.names.insert(at, name);
      const auto color = static_cast<std::size_t>(at - figure.names.begin());
      panel.lines.push_back({name, color, {*point}, {}});
    }
    if (panel.lines.empty()) continue;
    panel.front = front_of(panel, spec);
    figure.panels.push_back(std::move(panel));
  }
  if (figure.panels.empty()) return;
  if (figure.panels.size() == 1) figure.panels.front().title.clear();
  const Unit unit = source.unit(spec.x_unit, metric_kind(spec.x_metric->metric).unit,
                                x_extent(figure).second, "x_unit");
  scale_x(figure, unit);
  figure.x_label = with_unit(title_of(*spec.x_metric), unit.name);
  const auto [low, high] = x_extent(figure);
  if (low <= 0) figure.x_log = false;
  figure.x_range = figure.x_log ? log_range(low, high) : linear_range(low, high);
}

}  // namespace weir::report
