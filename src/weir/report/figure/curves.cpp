#include <algorithm>
#include <cmath>
#include <limits>

#include "weir/experiment/config/variants.hpp"
#include "weir/report/figure/kinds.hpp"
#include "weir/report/table/summary.hpp"

namespace weir::report {

using experiment::RunRecord;

namespace {

/// The values of a swept key, which must be numbers of one kind.
class SweptAxis {
 public:
  SweptAxis(const FigureSource& source, const std::string& key) : source_(source), key_(key) {
    for (const RunRecord* run : source.runs) {
      const auto number = at(*run);
      if (!number) continue;
      if (!first_) first_ = number;
      if (number->base != first_->base) {
        throw source.error("'" + key + "' is " + RunNames::value(*run, key) +
                           " in one run, and of another unit in others");
      }
      has_one_unit_ = has_one_unit_ && number->written == first_->written;
      largest_ = std::max(largest_, number->value);
    }
    if (!first_) throw source.error("no run has '" + key + "'");
  }

  /// In the base unit; nothing for a run without this key.
  [[nodiscard]] std::optional<SweptNumber> at(const RunRecord& run) const {
    const std::string text = RunNames::value(run, key_);
    if (text.empty()) return std::nullopt;
    const auto number = swept_number(text);
    if (!number) throw source_.error("'" + key_ + "' is no number in '" + text + "'");
    return number;
  }

  /// The unit as written where all values have the same.
  [[nodiscard]] Unit unit() const {
    const std::string& wanted = source_.spec.x_unit;
    if (wanted.empty() && has_one_unit_) {
      if (const auto same = unit_named(first_->base, first_->written)) return *same;
    }
    if (first_->base.empty() && wanted.empty()) return {};
    return source_.unit(wanted, first_->base, largest_, "x_unit");
  }

 private:
  const FigureSource& source_;
  std::string key_;
  std::optional<SweptNumber> first_;
  double largest_ = 0;
  bool has_one_unit_ = true;
};

/// The swept key that a curve over a metric follows.
std::string followed_key(const FigureSource& source) {
  if (!source.spec.along.empty()) return source.spec.along;
  std::vector<std::string> numbers;
  for (const std::string& key : source.names.keys()) {
    if (key == RunNames::kCase || key == source.spec.panel) continue;
    const bool all = std::all_of(source.runs.begin(), source.runs.end(), [&](const auto* run) {
      return swept_number(RunNames::value(*run, key)).has_value();
    });
    if (all) numbers.push_back(key);
  }
  if (numbers.size() == 1) return numbers.front();
  throw source.error(numbers.empty() ? "a curve over a metric needs a swept key with numbers that "
                                       "it follows"
                                     : "several swept keys have numbers; 'along' says which of "
                                       "them a curve follows");
}

}  // namespace

void scale_x(Figure& figure, const Unit& unit) {
  figure.x_per_base = unit.per_base;
  for (FigurePanel& panel : figure.panels) {
    for (FigureLine& line : panel.lines) {
      for (FigurePoint& point : line.points) {
        point.x *= unit.per_base;
        point.x_half_width *= unit.per_base;
      }
    }
  }
}

std::pair<double, double> x_extent(const Figure& figure) {
  std::pair out(std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity());
  for (const FigurePanel& panel : figure.panels) {
    for (const FigureLine& line : panel.lines) {
      for (const FigurePoint& point : line.points) {
        if (std::isnan(point.x)) continue;
        out = {std::min(out.first, point.x), std::max(out.second, point.x)};
      }
    }
  }
  return out;
}

void draw_over_key(const FigureSource& source, Figure& figure) {
  const std::string& key = source.spec.x;
  const SweptAxis axis(source, key);
  LineTable lines;
  for (const RunRecord* run : source.runs) {
    const auto x = axis.at(*run);
    if (!x) continue;
    for (const MetricName& name : source.spec.metrics) {
      const metrics::Scalar* scalar = find_scalar(*run, name);
      if (scalar == nullptr) continue;
      auto& cell = lines.line(source.panel(*run, name), source.label(*run, name, {key}))[x->value];
      cell.x.add(x->value);
      add_scalar(cell.y, scalar);
    }
  }
  lines.write(figure);
  const Unit unit = axis.unit();
  scale_x(figure, unit);
  std::string text = experiment::short_key(key, source.names.keys());
  std::replace(text.begin(), text.end(), '_', ' ');
  figure.x_label = with_unit(text, unit.name);
  auto [low, high] = x_extent(figure);
  if (low == high) std::tie(low, high) = std::pair(low - 0.5, high + 0.5);
  if (source.spec.x_log) {
    figure.x_range = {low / 1.05, high * 1.05};
    return;
  }
  const double pad = 0.015 * (high - low);  // so that symbols are seen as a whole
  const bool from_zero = low >= 0 && low <= 0.3 * high;
  figure.x_range = {from_zero ? 0 : low - pad, high + pad};
}

void draw_over_metric(const FigureSource& source, Figure& figure) {
  const MetricName& along_x = *source.spec.x_metric;
  const std::string key = followed_key(source);
  const SweptAxis axis(source, key);
  LineTable lines;
  double largest = 0;
  for (const RunRecord* run : source.runs) {
    const metrics::Scalar* x = find_scalar(*run, along_x);
    const auto order = axis.at(*run);
    if (x == nullptr || !order) continue;
    if (!std::isnan(x->value)) largest = std::max(largest, x->value);
    for (const MetricName& name : source.spec.metrics) {
      const metrics::Scalar* y = find_scalar(*run, name);
      if (y == nullptr) continue;
      auto& cells = lines.line(source.panel(*run, name), source.label(*run, name, {key}));
      add_scalar(cells[order->value].x, x);
      add_scalar(cells[order->value].y, y);
    }
  }
  lines.write(figure);
  const std::string& base = metric_kind(along_x.metric).unit;
  const Unit unit = source.unit(source.spec.x_unit, base, largest, "x_unit");
  scale_x(figure, unit);
  figure.x_label = with_unit(title_of(along_x), unit.name);
  const auto [low, high] = x_extent(figure);
  if (low > high) return;
  if (low <= 0) figure.x_log = false;
  figure.x_range = figure.x_log ? log_range(low, high) : linear_range(low, high);
}

}  // namespace weir::report
