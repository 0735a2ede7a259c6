#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "weir/report/gnuplot/names.hpp"

namespace weir::report {

/// How much room a figure needs, in pixels of a canvas that is 880 wide for a page and 430 for a
/// column (about 123 to the inch); text is 14 high. What stands where in it, gnuplot finds.
struct Sheet {
  static constexpr double kEdge = 14;
  static constexpr double kTextRow = 22;

  explicit Sheet(const Figure& figure);

  std::size_t columns = 1;  ///< of panels
  std::size_t rows = 1;
  bool has_own_axes = false;  ///< each panel has, along y
  Names names = Names::below;
  std::vector<KeyEntry> key;
  std::size_t key_rows = 0;  ///< below

  double width = 880;
  double height = 0;
  double top = kEdge;       ///< title, what y shows, the name of the shade
  double left = 64;         ///< numbers along y
  double right = 24;        ///< names at the ends of lines; the last name under bars
  double bottom = 0;        ///< numbers along x or names under bars, what x shows, the key
  double below_groups = 0;  ///< of it, what the names under bars take
  double between = 32;      ///< columns of panels
  double above_panel = 0;   ///< its title
  double plot_width = 0;    ///< of a panel; of a single one gnuplot finds it
  double plot_height = 0;
  bool are_groups_rotated = false;  ///< names that do not fit under their bars otherwise

 private:
  void place_panels(const Figure& figure);
  void place_groups(const Figure& figure);
  /// Names of points that have no place beside them.
  [[nodiscard]] std::vector<std::string> unnamed(const Figure& figure) const;
};

/// A panel: data, axes, and what is drawn. `more` stands behind that: entries of the key.
void write_panel(const Figure& figure, const Sheet& sheet, std::size_t panel,
                 const std::string& more, Commands& out);

}  // namespace weir::report
