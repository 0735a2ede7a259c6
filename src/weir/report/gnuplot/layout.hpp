#pragma once

#include <string>
#include <vector>

#include "weir/report/figure/figure.hpp"
#include "weir/report/gnuplot/text.hpp"

namespace weir::report {

/// Where the parts of a figure stand, in pixels of a canvas that is 880 wide for a page and 430 for
/// a column (about 123 to the inch), from the top left. Text is 14 pixels high.
struct Layout {
  static constexpr double kFont = 14;

  struct Box {
    double left = 0;
    double right = 0;
    double top = 0;
    double bottom = 0;
    bool has_x_labels = true;  ///< no panel below it
    [[nodiscard]] double width() const { return right - left; }
    [[nodiscard]] double height() const { return bottom - top; }
  };
  /// A name with a piece of its line (or colour), or with the symbol of references.
  struct Name {
    std::string text;
    std::size_t color = 0;  ///< of a reference: its symbol
    bool is_reference = false;
    bool is_line = false;  ///< a level or upright reference
    double x = 0;
    double y = 0;
  };

  double width = 880;
  double height = 0;
  double y_label_y = 0;
  double title_y = 0;
  double x_label_x = 0;
  double x_label_y = 0;
  bool has_rotated_groups = false;
  std::vector<Box> panels;
  std::vector<Name> key;  ///< empty: names stand at the lines
  std::vector<Ticks> y_ticks;
};

/// Names can stand at the right ends of the lines.
bool has_names_at_lines(const Figure& figure);

/// The symbol of a reference's points: 0 for those in the colour of a line, else one for each text.
std::size_t reference_symbol(const Figure& figure, const FigureReference& reference);

Layout make_layout(const Figure& figure);

}  // namespace weir::report
