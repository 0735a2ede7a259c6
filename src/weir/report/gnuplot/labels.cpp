#include "weir/report/gnuplot/labels.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace weir::report {

namespace {

constexpr double kNameHeight = 20;    ///< pixels between names
constexpr int kStepsAlongPiece = 12;  ///< to look how near it comes

double share(double value, const std::pair<double, double>& range, bool is_log) {
  if (is_log) {
    if (value <= 0) return 0;
    return std::log(value / range.first) / std::log(range.second / range.first);
  }
  return (value - range.first) / (range.second - range.first);
}

/// Moves rising positions apart to at least `gap`, clusters around their middle, within 0 and 1.
void spread(std::vector<double>& at, double gap) {
  for (int pass = 0; pass < 200; ++pass) {
    bool has_moved = false;
    for (std::size_t k = 0; k + 1 < at.size(); ++k) {
      const double lack = gap - (at[k + 1] - at[k]);
      if (lack <= 1e-6) continue;
      at[k] -= lack / 2;
      at[k + 1] += lack / 2;
      has_moved = true;
    }
    if (!has_moved) break;
  }
  if (at.empty()) return;
  const double over = at.back() - 0.99;
  if (over > 0) {
    for (double& y : at) y -= over;
  }
  if (at.front() < 0.01) at.front() = 0.01;
  for (std::size_t k = 1; k < at.size(); ++k) at[k] = std::max(at[k], at[k - 1] + gap * 0.9);
}

}  // namespace

LabelPlaces::LabelPlaces(const Figure& figure, const FigurePanel& panel, const Layout::Box& box)
    : figure_(figure), panel_(panel), box_(box) {}

double LabelPlaces::share_x(double x) const { return share(x, figure_.x_range, figure_.x_log); }

double LabelPlaces::share_y(double y) const {
  return std::clamp(share(y, panel_.y_range, figure_.y_log), 0.0, 1.0);
}

double LabelPlaces::name_gap() const { return kNameHeight / box_.height(); }

double LabelPlaces::clearance(double at_x, double at_y, double width) const {
  const double half = (width / 2 + 4) / box_.width();
  double least = 1e9;
  const auto look = [&](double x, double y) {
    if (std::fabs(x - at_x) <= half) {
      least = std::min(least, std::fabs(y - at_y) * box_.height());
    }
  };
  for (const FigureLine& line : panel_.lines) {
    const FigurePoint* before = nullptr;
    for (const FigurePoint& point : line.points) {
      if (std::isnan(point.y)) {
        before = nullptr;
        continue;
      }
      const double x = share_x(point.x);
      const double y = share_y(point.y);
      look(x, y);
      for (int k = 1; before != nullptr && k < kStepsAlongPiece; ++k) {
        const double part = static_cast<double>(k) / kStepsAlongPiece;
        look(std::lerp(share_x(before->x), x, part), std::lerp(share_y(before->y), y, part));
      }
      before = &point;
    }
  }
  return least;
}

double LabelPlaces::separation(std::size_t first, std::size_t last) const {
  double least = 1;
  for (std::size_t a = 0; a < panel_.lines.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      for (std::size_t k = first; k <= last; ++k) {
        const double ya = panel_.lines[a].points[k].y;
        const double yb = panel_.lines[b].points[k].y;
        const bool is_gap = std::isnan(ya) || std::isnan(yb);
        least = is_gap ? 0 : std::min(least, std::fabs(share_y(ya) - share_y(yb)));
      }
    }
  }
  return least;
}

std::optional<std::size_t> LabelPlaces::inside() const {
  const std::size_t n = panel_.lines.front().points.size();
  double widest = 0;
  for (const FigureLine& line : panel_.lines) {
    if (line.points.size() != n) return std::nullopt;
    widest = std::max(widest, text_width(line.label) * Layout::kFont);
  }
  if (n < 20 || separation(n - 1, n - 1) >= name_gap()) return std::nullopt;
  const double share = widest / box_.width();
  const auto half = static_cast<std::size_t>(std::ceil(share / 2 * static_cast<double>(n))) + 1;
  std::optional<std::size_t> best;
  double most = 1.3 * name_gap();
  for (std::size_t k = half + n / 12; k + half < n - n / 12; ++k) {
    const double apart = separation(k - half, k + half);
    if (apart <= most + 1e-3) continue;
    most = apart;
    best = k;
  }
  return best;
}

std::vector<double> LabelPlaces::at_ends() const {
  struct Height {
    double end = 0;
    double mean = 0;
  };
  std::vector<Height> heights;
  for (const FigureLine& line : panel_.lines) {
    Height h;
    double count = 0;
    for (const FigurePoint& point : line.points) {
      if (std::isnan(point.y) || point.x > figure_.x_range.second) continue;
      h.end = share_y(point.y);
      h.mean += share_y(point.y);
      ++count;
    }
    heights.push_back({h.end, count == 0 ? 0 : h.mean / count});
  }
  const double gap = name_gap();
  std::vector<std::size_t> order(heights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const double ea = std::round(heights[a].end / (gap / 2));
    const double eb = std::round(heights[b].end / (gap / 2));
    return ea != eb ? ea < eb : heights[a].mean < heights[b].mean;
  });
  std::vector<double> rising;
  rising.reserve(order.size());
  for (const std::size_t i : order) rising.push_back(heights[i].end);
  spread(rising, gap);
  std::vector<double> at(heights.size());
  for (std::size_t k = 0; k < order.size(); ++k) at[order[k]] = rising[k];
  return at;
}

}  // namespace weir::report
