#include "weir/report/gnuplot/sheet.hpp"

#include <algorithm>
#include <cmath>

#include "weir/report/gnuplot/point_names.hpp"

namespace weir::report {

namespace {

constexpr std::size_t kMostGroupLines = 3;
constexpr double kKeyRow = 24;
constexpr double kKeySample = 48;  ///< piece of line before a name, and the space around it

}  // namespace

Sheet::Sheet(const Figure& figure)
    : has_own_axes(!figure.panels.front().y_label.empty()),
      width(figure.is_one_column ? 430 : 880) {
  place_panels(figure);
  names = place_of_names(figure, width, plot_height);
  if (figure.kind != Figure::Kind::points) key = key_entries(figure, names);
  if (!figure.title.empty()) top += 27;
  if (!figure.y_label.empty()) top += kTextRow;
  top += !figure.shade_label.empty() && rows * columns == 1 ? kTextRow : 10;
  if (names == Names::at_ends) {
    for (const std::string& name : figure.names) {
      if (figure.names.size() > 1) right = std::max(right, text_width(name) + 26);
    }
    for (const FigureReference& reference : figure.panels.front().references) {
      if (reference.y) right = std::max(right, text_width(reference.text) + 26);
    }
  }
  const auto across = static_cast<double>(columns);
  plot_width = (width - left - right - between * (across - 1)) / across;
  if (figure.kind == Figure::Kind::points) key = key_entries(figure, names, unnamed(figure));
  below_groups = kTextRow + 12;
  if (figure.kind == Figure::Kind::bars) place_groups(figure);
  bottom = below_groups + (figure.x_label.empty() ? 0 : 30) + kEdge;
  if (names != Names::beside && !key.empty()) {
    double widest = 0;
    for (const KeyEntry& entry : key) widest = std::max(widest, text_width(entry.text));
    const double fit = std::max(1.0, std::floor((width - 2 * kEdge) / (widest + kKeySample)));
    key_rows = static_cast<std::size_t>(std::ceil(static_cast<double>(key.size()) / fit));
    bottom += static_cast<double>(key_rows) * kKeyRow;
  }
  const auto down = static_cast<double>(rows);
  height = std::round(top + down * (above_panel + plot_height) + (down - 1) * kTextRow + bottom);
}

std::vector<std::string> Sheet::unnamed(const Figure& figure) const {
  std::vector<std::string> out;
  for (const FigurePanel& panel : figure.panels) {
    const auto places = place_point_names(figure, panel, plot_width, plot_height);
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (!places[i]) out.push_back(panel.lines[i].label);
    }
  }
  return out;
}

void Sheet::place_panels(const Figure& figure) {
  const std::size_t n = figure.panels.size();
  columns = n == 4 ? 2 : std::min<std::size_t>(n, 3);
  if (figure.is_one_column || has_own_axes) columns = 1;
  if (figure.panel_columns > 0) {
    columns = std::min(n, static_cast<std::size_t>(figure.panel_columns));
  }
  rows = (n + columns - 1) / columns;
  if (n == 1) {
    plot_height = figure.is_one_column ? 200 : 370;
    return;
  }
  plot_height = figure.is_one_column ? 150 : columns == 1 ? 170 : columns == 2 ? 210 : 190;
  above_panel = 28;
  if (has_own_axes) between = left + 10;
}

void Sheet::place_groups(const Figure& figure) {
  const double slot = plot_width / static_cast<double>(figure.bar_groups.size());
  std::size_t most = 1;
  double widest = 0;
  for (const std::string& group : figure.bar_groups) {
    const std::vector<std::string> lines = lines_of(group, slot - 6);
    most = std::max(most, lines.size());
    for (const std::string& line : lines) are_groups_rotated |= text_width(line) > slot;
    widest = std::max(widest, text_width(group));
  }
  are_groups_rotated |= most > kMostGroupLines;
  below_groups = 12 + 17 * static_cast<double>(most);
  if (!are_groups_rotated) return;
  below_groups = 0.5 * widest + 20;  // by 30 degrees, downwards to the right
  right = std::max(right, 0.87 * text_width(figure.bar_groups.back()) - slot / 2);
}

}  // namespace weir::report
