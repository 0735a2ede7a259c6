#include "weir/report/gnuplot/point_names.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "weir/report/figure/axis.hpp"
#include "weir/report/gnuplot/names.hpp"

namespace weir::report {

namespace {

constexpr double kHeight = 16;  ///< of a name
constexpr double kGap = 9;      ///< from the middle of a point to its name
constexpr double kSymbol = 5;   ///< half of a point
constexpr int kMostSteps = 16;  ///< of half a name, up or down

struct Box {
  double left = 0;
  double bottom = 0;
  double right = 0;
  double top = 0;

  [[nodiscard]] bool meets(const Box& other) const {
    return left < other.right && other.left < right && bottom < other.top && other.bottom < top;
  }
};

class Placer {
 public:
  Placer(const Figure& figure, const FigurePanel& panel, double width, double height)
      : panel_(panel), width_(width), height_(height) {
    for (const FigureLine& line : panel.lines) {
      const FigurePoint& point = line.points.front();
      const double x = share_of(point.x, figure.x_range, figure.x_log) * width;
      const double y = share_of(point.y, panel.y_range, figure.y_log) * height;
      points_.emplace_back(x, y);
      taken_.push_back({x - kSymbol, y - kSymbol, x + kSymbol, y + kSymbol});
    }
  }

  std::vector<std::optional<NamePlace>> places() {
    std::vector<std::optional<NamePlace>> out(points_.size());
    // From above, so that names which have to give way do so downwards in the order of the points.
    std::vector<std::size_t> order(points_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return points_[a].second > points_[b].second; });
    for (const std::size_t i : order) out[i] = place(i);
    return out;
  }

 private:
  std::optional<NamePlace> place(std::size_t i) {
    const auto [x, y] = points_[i];
    const double length = text_width(panel_.lines[i].label);
    for (int step = 0; step <= kMostSteps; ++step) {
      for (const double side : {1.0, -1.0}) {
        for (const double way : {-1.0, 1.0}) {
          if (step == 0 && way > 0) continue;
          const double at = y + way * step * kHeight / 2;
          const bool is_far = step > 1;
          const double from = x + side * (is_far ? 2 * kGap : kGap);
          const Box box{side > 0 ? from : from - length, at - kHeight / 2,
                        side > 0 ? from + length : from, at + kHeight / 2};
          if (!is_free(box, i)) continue;
          taken_.push_back(box);
          return NamePlace{from, at, side < 0, is_far, x, y};
        }
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_free(const Box& box, std::size_t own) const {
    if (box.left < 0 || box.right > width_ || box.bottom < 0 || box.top > height_) return false;
    for (std::size_t i = 0; i < taken_.size(); ++i) {
      if (i != own && taken_[i].meets(box)) return false;
    }
    return true;
  }

  const FigurePanel& panel_;
  double width_;
  double height_;
  std::vector<std::pair<double, double>> points_;
  std::vector<Box> taken_;  ///< points first, in their order
};

}  // namespace

std::vector<std::optional<NamePlace>> place_point_names(const Figure& figure,
                                                        const FigurePanel& panel, double width,
                                                        double height) {
  if (figure.kind != Figure::Kind::points) return {};
  return Placer(figure, panel, width, height).places();
}

}  // namespace weir::report
