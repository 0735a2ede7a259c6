#pragma once

#include <optional>
#include <vector>

#include "weir/report/gnuplot/layout.hpp"

namespace weir::report {

/// Finds room for texts in a panel. Shares count from the left and from the bottom of the axes.
class LabelPlaces {
 public:
  LabelPlaces(const Figure& figure, const FigurePanel& panel, const Layout::Box& box);

  [[nodiscard]] double share_x(double x) const;
  [[nodiscard]] double share_y(double y) const;  ///< within 0 and 1

  /// Least distance of the lines, in pixels, from a text of `width` pixels whose middle is there.
  [[nodiscard]] double clearance(double at_x, double at_y, double width) const;

  /// Lines that end together but run apart in the middle are named there: index of that point.
  [[nodiscard]] std::optional<std::size_t> inside() const;

  /// Heights (shares) of names at the right ends of the lines, parallel to the lines: moved apart
  /// as far as needed. Lines that end together are named in the order of their averages.
  [[nodiscard]] std::vector<double> at_ends() const;

 private:
  [[nodiscard]] double name_gap() const;
  [[nodiscard]] double separation(std::size_t first, std::size_t last) const;

  const Figure& figure_;
  const FigurePanel& panel_;
  const Layout::Box& box_;
};

}  // namespace weir::report
