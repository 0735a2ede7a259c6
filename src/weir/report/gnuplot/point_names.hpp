#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "weir/report/figure/figure.hpp"

namespace weir::report {

/// Where the name of a point stands, in pixels from the left lower corner of the axes.
struct NamePlace {
  double x = 0;          ///< of its left edge, or its right one
  double y = 0;          ///< of its middle
  bool is_left = false;  ///< it stands on the left of the point and ends at `x`
  bool is_far = false;   ///< so far from the point that a line leads to it
  double point_x = 0;
  double point_y = 0;
};

/// Places for the names of a panel's points on axes of that size: beside their points, above or
/// below, clear of other points and of each other. Nothing for a name that would not be legible
/// anywhere, which belongs into the key then. In the order of the panel's lines; empty for other
/// kinds of figures.
std::vector<std::optional<NamePlace>> place_point_names(const Figure& figure,
                                                        const FigurePanel& panel, double width,
                                                        double height);

}  // namespace weir::report
