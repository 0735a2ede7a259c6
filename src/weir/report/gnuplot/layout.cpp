#include "weir/report/gnuplot/layout.hpp"

#include <algorithm>
#include <cmath>

namespace weir::report {

namespace {

constexpr double kPad = 14;
constexpr double kRow = 22;
constexpr double kSwatch = 26;  ///< piece of line in the key
constexpr std::size_t kMostNamesAtLines = 12;
constexpr std::size_t kMostGroupLines = 3;
/// Of a name that is rotated by 30 degrees, over its length.
constexpr double kRotatedWidth = 0.87;

double px(const std::string& text) { return text_width(text) * Layout::kFont; }

/// Entries of the key for references with points (one for all that have lines' colours), and for
/// all others where there are several panels.
std::vector<Layout::Name> reference_names(const Figure& figure) {
  std::vector<Layout::Name> names;
  const bool has_panels = figure.panels.size() > 1;
  for (const FigurePanel& panel : figure.panels) {
    for (const FigureReference& reference : panel.references) {
      if (reference.points.empty()) {
        const bool is_known = std::any_of(names.begin(), names.end(), [&](const auto& name) {
          return name.is_line && name.text == reference.text;
        });
        if (has_panels && !is_known) names.push_back({reference.text, 0, true, true});
        continue;
      }
      const std::size_t symbol = reference_symbol(figure, reference);
      const bool is_known = std::any_of(names.begin(), names.end(), [&](const auto& name) {
        return !name.is_line && name.color == symbol;
      });
      if (is_known) continue;
      const std::string what = reference.text.substr(0, reference.text.find(':'));
      names.push_back({symbol == 0 ? what : reference.text, symbol, true});
    }
  }
  return names;
}

class Maker {
 public:
  explicit Maker(const Figure& figure) : figure_(figure) {
    out_.width = figure.is_one_column ? 430 : 880;
  }

  Layout make() {
    head();
    grid();
    return std::move(out_);
  }

 private:
  void head() {
    y_ = kPad - 2;
    if (!figure_.title.empty()) {
      out_.title_y = y_ + 9;
      y_ += 28;
    }
    std::vector<Layout::Name> names;
    if (figure_.names.size() > 1 && !has_names_at_lines(figure_)) {
      for (std::size_t i = 0; i < figure_.names.size(); ++i) {
        names.push_back({figure_.names[i], i, false});
      }
    }
    for (const Layout::Name& name : reference_names(figure_)) names.push_back(name);
    const bool has_label = !figure_.y_label.empty();
    if (!has_label && names.empty()) return;
    out_.y_label_y = y_ + 9;
    place(names, has_label ? kPad + px(figure_.y_label) + 30 : kPad);
    y_ += kRow + 2;
  }

  static double width_of(const Layout::Name& name) { return kSwatch + 6 + px(name.text) + 20; }

  /// To the right of the y label where all fit, else in rows below it.
  void place(std::vector<Layout::Name>& names, double free_from) {
    double total = 0;
    for (const Layout::Name& name : names) total += width_of(name);
    const bool fits = free_from + total <= out_.width;
    double x = fits ? out_.width - total : kPad;
    if (!fits && free_from > kPad) y_ += kRow;
    for (Layout::Name& name : names) {
      if (!fits && x > kPad && x + width_of(name) > out_.width) {
        x = kPad;
        y_ += kRow;
      }
      name.x = x;
      name.y = y_ + 9;
      x += width_of(name);
    }
    out_.key = std::move(names);
  }

  [[nodiscard]] std::size_t columns() const {
    const std::size_t n = figure_.panels.size();
    if (figure_.panel_columns > 0) {
      return std::min(n, static_cast<std::size_t>(figure_.panel_columns));
    }
    if (figure_.is_one_column || has_own_axes()) return 1;
    return n == 4 ? 2 : std::min<std::size_t>(n, 3);
  }
  [[nodiscard]] bool has_own_axes() const { return !figure_.panels.front().y_label.empty(); }

  [[nodiscard]] double plot_height(std::size_t columns) const {
    if (figure_.panels.size() == 1) return figure_.is_one_column ? 200 : 370;
    if (figure_.is_one_column) return 150;
    return columns == 1 ? 170 : columns == 2 ? 210 : 190;
  }

  [[nodiscard]] double names_at_lines() const {
    if (!has_names_at_lines(figure_) || figure_.names.size() < 2) return 0;
    double widest = 0;
    for (const std::string& name : figure_.names) widest = std::max(widest, px(name));
    return std::min(widest, 0.45 * out_.width);
  }

  /// Room for the widest number along y.
  [[nodiscard]] double tick_room(std::size_t panel) const {
    double widest = 0;
    for (const auto& [at, text] : out_.y_ticks[panel].major) widest = std::max(widest, px(text));
    return widest + 10;
  }

  void grid() {
    const std::size_t n = figure_.panels.size();
    const std::size_t wide = columns();
    const double height = plot_height(wide);
    for (const FigurePanel& panel : figure_.panels) {
      const auto [low, high] = panel.y_range;
      const double most = height / 45;
      out_.y_ticks.push_back(figure_.y_log ? log_ticks(low, high, height / 26)
                                           : linear_ticks(low, high, most));
    }
    double room = 0;
    for (std::size_t i = 0; i < n; ++i) room = std::max(room, tick_room(i));
    const double left = kPad + room;
    double right = out_.width - std::max(24.0, names_at_lines() + 8 + kPad);
    const double gap = has_own_axes() ? room + 30 : 32;
    const auto width_up_to = [&](double end) {
      return (end - left - gap * static_cast<double>(wide - 1)) / static_cast<double>(wide);
    };
    right -= std::max(0.0, overhang(width_up_to(right)) - 24);
    const double width = width_up_to(right);
    const double title = n > 1 ? 24 : 0;
    y_ += 8;
    for (std::size_t i = 0; i < n; ++i) {
      const auto column = static_cast<double>(i % wide);
      const std::size_t rows_above = i / wide;
      const auto row = static_cast<double>(rows_above);
      Layout::Box box;
      box.left = left + column * (width + gap);
      box.right = box.left + width;
      box.top = y_ + title + row * (height + title + 22);
      box.bottom = box.top + height;
      box.has_x_labels = i + wide >= n;
      out_.panels.push_back(box);
    }
    double lowest = 0;
    for (const Layout::Box& box : out_.panels) lowest = std::max(lowest, box.bottom);
    foot(lowest, (left + right) / 2, width);
  }

  /// Ticks, what stands under bars, and the label of the x axis.
  void foot(double lowest, double middle, double panel_width) {
    double y = lowest + 38;
    if (figure_.kind == Figure::Kind::bars) y = lowest + 12 + group_height(panel_width);
    if (!figure_.x_label.empty()) {
      out_.x_label_x = middle;
      out_.x_label_y = y + 10;
      y += 24;
    }
    out_.height = std::round(y + 8);
  }

  /// How the names under bars stand: in so many lines, or rotated where they are too long.
  struct GroupNames {
    std::size_t lines = 1;
    bool are_rotated = false;
    double slot = 0;
  };
  GroupNames group_names(double panel_width) const {
    GroupNames names;
    names.slot = panel_width / static_cast<double>(figure_.bar_groups.size());
    for (const std::string& group : figure_.bar_groups) {
      const auto broken = lines_of(group, (names.slot - 8) / Layout::kFont);
      names.lines = std::max(names.lines, broken.size());
      for (const std::string& line : broken)
        if (px(line) > names.slot - 4) names.are_rotated = true;
    }
    if (names.lines > kMostGroupLines) names.are_rotated = true;
    return names;
  }

  /// How far the last name under bars reaches beyond its panel.
  double overhang(double panel_width) const {
    if (figure_.kind != Figure::Kind::bars || figure_.bar_groups.empty()) return 0;
    const GroupNames names = group_names(panel_width);
    if (!names.are_rotated) return 0;
    return px(figure_.bar_groups.back()) * kRotatedWidth - names.slot / 2;
  }

  double group_height(double panel_width) {
    const GroupNames names = group_names(panel_width);
    out_.has_rotated_groups = names.are_rotated;
    if (!names.are_rotated) return static_cast<double>(names.lines) * 17;
    double longest = 0;
    for (const std::string& group : figure_.bar_groups) longest = std::max(longest, px(group));
    return longest * 0.5 + 20;
  }

  const Figure& figure_;
  Layout out_;
  double y_ = 0;
};

}  // namespace

bool has_names_at_lines(const Figure& figure) {
  if (figure.kind != Figure::Kind::lines || figure.panels.size() != 1) return false;
  const FigurePanel& panel = figure.panels.front();
  if (figure.names.size() > kMostNamesAtLines) return false;
  const double low = figure.x_range.first;
  const double high = figure.x_range.second;
  return std::all_of(panel.lines.begin(), panel.lines.end(), [&](const FigureLine& line) {
    const FigurePoint* end = nullptr;
    for (const FigurePoint& point : line.points) {
      if (!std::isnan(point.y) && point.x <= high) end = &point;
    }
    return end != nullptr && end->x >= high - 0.04 * (high - low) && end->y <= panel.y_range.second;
  });
}

std::size_t reference_symbol(const Figure& figure, const FigureReference& reference) {
  if (reference.color) return 0;
  std::vector<std::string> texts;
  for (const FigurePanel& panel : figure.panels) {
    for (const FigureReference& other : panel.references) {
      const bool counts = !other.color && !other.points.empty();
      if (counts && std::find(texts.begin(), texts.end(), other.text) == texts.end()) {
        texts.push_back(other.text);
      }
    }
  }
  const auto at = std::find(texts.begin(), texts.end(), reference.text);
  return 1 + static_cast<std::size_t>(at - texts.begin());
}

Layout make_layout(const Figure& figure) { return Maker(figure).make(); }

}  // namespace weir::report
