#include <algorithm>
#include <cmath>

#include "weir/report/figure/look.hpp"
#include "weir/report/figure/sampling.hpp"
#include "weir/report/gnuplot/point_names.hpp"
#include "weir/report/gnuplot/sheet.hpp"

namespace weir::report {

namespace {

constexpr std::size_t kMostBarValues = 16;  ///< bars that have their value above them
constexpr double kGroupShare = 0.76;        ///< of the room of a group that its bars take

/// At most `most` steps of 1, 2, 2.5 or 5 times a power of ten. gnuplot's own steps along x do not
/// heed how wide an axis is: numbers of narrow panels would run into each other.
double step_of(const std::pair<double, double>& range, double most) {
  const double least = (range.second - range.first) / std::max(1.0, most);
  const double decade = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
    if (factor * decade >= least * (1 - 1e-9)) return factor * decade;
  }
  return 10 * decade;
}

class Panel {
 public:
  Panel(const Figure& figure, const Sheet& sheet, std::size_t index, Commands& out)
      : figure_(figure), sheet_(sheet), panel_(figure.panels[index]), index_(index), out_(out) {}

  void write(const std::string& more) {
    data();
    axes();
    marks();
    if (sheet_.names == Names::at_ends) names();
    if (figure_.kind == Figure::Kind::bars) {
      bars();
    } else if (figure_.kind == Figure::Kind::points) {
      points();
    } else {
      lines();
    }
    references();
    out_.line("plot {}{}", plots_, more);
  }

 private:
  template <class... Args>
  void plot(fmt::format_string<Args...> text, Args&&... args) {
    if (!plots_.empty()) plots_ += ", ";
    fmt::format_to(std::back_inserter(plots_), text, std::forward<Args>(args)...);
  }

  [[nodiscard]] std::string line_data(std::size_t i) const {
    return fmt::format("$line{}_{}", index_, i);
  }
  [[nodiscard]] std::string reference_data(std::size_t i) const {
    return fmt::format("$reference{}_{}", index_, i);
  }

  /// Of lines x, y, and the ends of both intervals.
  void data() {
    for (std::size_t i = 0; i < panel_.lines.size(); ++i) {
      out_.line("{} << END", line_data(i));
      for (const FigurePoint& p : panel_.lines[i].points) {
        if (!is_number(p.x) || !is_number(p.y) || (figure_.y_log && p.y <= 0) ||
            (figure_.x_log && p.x <= 0)) {
          out_.line("");  // a gap
          continue;
        }
        const double x_half = is_number(p.x_half_width) ? p.x_half_width : 0;
        const double end = p.y - p.below();
        const double low = figure_.y_log ? std::max(end, panel_.y_range.first) : end;
        out_.line("{:.7g} {:.7g} {:.7g} {:.7g} {:.7g} {:.7g}", p.x, p.y, low, p.y + p.above(),
                  p.x - x_half, p.x + x_half);
      }
      out_.line("END");
    }
    for (std::size_t i = 0; i < panel_.references.size(); ++i) {
      if (panel_.references[i].points.empty()) continue;
      out_.line("{} << END", reference_data(i));
      for (const auto& [x, y] : panel_.references[i].points) out_.line("{:.7g} {:.7g}", x, y);
      out_.line("END");
    }
  }

  void axes() {
    const std::pair<double, double>& x_range = figure_.x_range;
    const std::pair<double, double>& y_range = panel_.y_range;
    out_.line("set xrange [{}:{}]\nset yrange [{}:{}]", x_range.first, x_range.second,
              y_range.first, y_range.second);
    const bool has_x = index_ + sheet_.columns >= figure_.panels.size();
    const bool has_y = sheet_.has_own_axes || index_ % sheet_.columns == 0;
    out_.line("set ytics scale 0 nomirror {}",
              numbers('y', panel_.y_ticks, step_of(y_range, sheet_.plot_height / 45), has_y));
    if (figure_.kind == Figure::Kind::bars) {
      groups(has_x);
    } else {
      out_.line("set xtics out scale 0.6,0.3 nomirror {}",
                numbers('x', figure_.x_ticks, step_of(x_range, sheet_.plot_width / 64), has_x));
    }
    if (figure_.panels.size() == 1) return;
    out_.line("set title {} offset 0,-0.4 textcolor rgb '{}'",
              in_quotes(panel_.y_label.empty() ? panel_.title : panel_.y_label), kInk);
  }

  std::string numbers(char side, const std::vector<AxisTick>& ticks, double step, bool are_shown) {
    out_.line("set format {} '{}'", side, are_shown ? "%.6g" : "");
    if (ticks.empty()) return fmt::format("{}", step);
    std::string text;
    for (const AxisTick& tick : ticks) {
      text +=
          fmt::format("{}{} {} {}", text.empty() ? "(" : ", ",
                      in_quotes(are_shown ? tick.text : ""), tick.at, tick.text.empty() ? 1 : 0);
    }
    return text + ")";
  }

  /// gnuplot breaks no lines.
  void groups(bool are_shown) {
    const double slot = sheet_.plot_width / static_cast<double>(figure_.bar_groups.size());
    std::string names;
    for (std::size_t g = 0; g < figure_.bar_groups.size(); ++g) {
      std::string text;
      for (const std::string& part :
           lines_of(figure_.bar_groups[g], sheet_.are_groups_rotated ? 1e9 : slot - 6)) {
        text += (text.empty() ? "" : ".\"\\n\".") + in_quotes(part);
      }
      if (text.empty() || !are_shown) text = "''";
      names += fmt::format("{}{} {}", g == 0 ? "" : ", ", text, g);
    }
    out_.line("set xtics scale 0 nomirror {} ({})",
              sheet_.are_groups_rotated ? "rotate by -30" : "norotate", names);
  }

  /// Of it what is on the axis.
  [[nodiscard]] std::pair<double, double> shade() const {
    const auto [from, to] = figure_.shade.value_or(std::pair(0.0, 0.0));
    return {std::max(from, figure_.x_range.first), std::min(to, figure_.x_range.second)};
  }

  /// The shade, with its name above the axes, where no line goes; upright references.
  void marks() {
    const auto [from, to] = shade();
    if (from < to) {
      out_.line(
          "set object rectangle from first {},graph 0 to first {},graph 1 behind fillcolor rgb "
          "'{}' fillstyle solid noborder",
          from, to, kShade);
      if (figure_.panels.size() == 1) {
        out_.line("set label {} at first {},graph 1 offset 0,0.6 center textcolor rgb '#8a7f66'",
                  in_quotes(figure_.shade_label),
                  figure_.x_log ? std::sqrt(from * to) : (from + to) / 2);
      }
    }
    for (const FigureReference& reference : panel_.references) {
      if (!reference.x) continue;
      out_.line("set arrow from first {},graph 0 to first {},graph 1 nohead {}", *reference.x,
                *reference.x, level_style(reference));
    }
  }

  /// At the ends of lines and at level references.
  void names() {
    const std::vector<double> heights = name_heights(figure_, sheet_.plot_height);
    std::size_t k = 0;
    const auto name = [&](const std::string& text, std::string_view color) {
      out_.line("set label {} at graph 1,graph {:.4f} offset 1,0 left textcolor rgb '{}'",
                in_quotes(text), heights[k++], color);
    };
    for (const FigureLine& line : panel_.lines) {
      name(figure_.names.size() > 1 ? line.label : "", line_color(line.color).letters);
    }
    for (const FigureReference& reference : panel_.references) {
      if (reference.y) name(reference.text, kQuiet);
    }
  }

  static bool has(const FigureLine& line, double FigurePoint::*half) {
    return std::any_of(line.points.begin(), line.points.end(),
                       [&](const FigurePoint& p) { return is_number(p.*half) && p.*half > 0; });
  }

  void lines() {
    for (std::size_t i = 0; figure_.has_bands && i < panel_.lines.size(); ++i) {
      if (!has(panel_.lines[i], &FigurePoint::half_width)) continue;
      plot("{} using 1:3:4 with filledcurves {} fillstyle transparent solid 0.2 noborder notitle",
           line_data(i), line_style(figure_, panel_.lines[i].color));
    }
    const char* plain = figure_.kind == Figure::Kind::steps ? "using 1:2 with steps"
                        : figure_.has_symbols               ? "using 1:2 with linespoints"
                                                            : "using 1:2 with lines";
    for (std::size_t i = 0; i < panel_.lines.size(); ++i) {
      const FigureLine& line = panel_.lines[i];
      const bool has_y = has(line, &FigurePoint::half_width) && !figure_.has_bands;
      const bool has_x = has(line, &FigurePoint::x_half_width);
      plot("{} {} {} notitle", line_data(i),
           has_x   ? "using 1:2:5:6:3:4 with xyerrorlines"
           : has_y ? "using 1:2:3:4 with yerrorlines"
                   : plain,
           line_style(figure_, line.color));
    }
  }

  /// What nothing beats is joined by a line, and has a ring around it.
  void points() {
    if (!panel_.front.empty()) {
      out_.line("$front{} << END", index_);
      for (const std::size_t i : panel_.front) {
        const FigurePoint& point = panel_.lines[i].points.front();
        out_.line("{:.7g} {:.7g}", point.x, point.y);
      }
      out_.line("END");
      plot("$front{} using 1:2 with lines {} notitle", index_, front_style());
      plot(
          "$front{} using 1:2 with points pointtype 6 pointsize 1.5 linewidth 1.4 linecolor rgb "
          "'{}' notitle",
          index_, kInk);
    }
    for (std::size_t i = 0; i < panel_.lines.size(); ++i) {
      const FigureLine& line = panel_.lines[i];
      const bool has_y = has(line, &FigurePoint::half_width);
      const bool has_x = has(line, &FigurePoint::x_half_width);
      // Thinner than the points, of which there are many in little room.
      if (has_x || has_y) {
        plot("{} {} {} notitle", line_data(i),
             has_x ? "using 1:2:5:6:3:4 with xyerrorbars" : "using 1:2:3:4 with yerrorbars",
             whisker_style(line.color));
      }
    }
    for (std::size_t i = 0; i < panel_.lines.size(); ++i) {
      plot("{} using 1:2 with points {} notitle", line_data(i),
           point_line_style(figure_, panel_.lines[i].color));
    }
    const auto places = place_point_names(figure_, panel_, sheet_.plot_width, sheet_.plot_height);
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (places[i]) point_name(panel_.lines[i], *places[i]);
    }
  }

  void point_name(const FigureLine& line, const NamePlace& place) {
    const auto across = [&](double x) { return x / sheet_.plot_width; };
    const auto up = [&](double y) { return y / sheet_.plot_height; };
    if (place.is_far) {
      out_.line(
          "set arrow from graph {:.4f},graph {:.4f} to graph {:.4f},graph {:.4f} nohead linecolor "
          "rgb '#b5b5b5' linewidth 0.8",
          across(place.point_x), up(place.point_y), across(place.x + (place.is_left ? 2 : -2)),
          up(place.y));
    }
    out_.line("set label {} at graph {:.4f},graph {:.4f} {} front textcolor rgb '{}'",
              in_quotes(line.label), across(place.x), up(place.y), place.is_left ? "right" : "left",
              line_color(line.color).letters);
  }

  void bars() {
    const auto sets = static_cast<double>(figure_.names.size());
    const double width = kGroupShare / sets;
    std::size_t count = 0;
    for (const FigurePanel& panel : figure_.panels) {
      for (const FigureLine& line : panel.lines) count += line.points.size();
    }
    for (std::size_t i = 0; i < panel_.lines.size(); ++i) {
      const std::size_t color = panel_.lines[i].color;
      const std::string bar = fmt::format("{} using ($1{:+.5f})", line_data(i),
                                          (static_cast<double>(color) - (sets - 1) / 2) * width);
      const std::string style = line_style(figure_, color) + " fillstyle solid 1 noborder notitle";
      plot("{}:2:({:.5f}) with boxes {}", bar, 0.92 * width, style);
      plot("{}:($4>$3?$2:NaN):3:4:({:.5f}) with boxerrorbars {}", bar, 0.92 * width, style);
      if (count > kMostBarValues) continue;
      plot(
          "{}:4:(sprintf($2<1e3?'%.3g':'%.0f',$2)) with labels offset 0,0.7 textcolor rgb '{}' "
          "notitle",
          bar, kQuiet);
    }
  }

  void references() {
    for (std::size_t i = 0; i < panel_.references.size(); ++i) {
      const FigureReference& reference = panel_.references[i];
      if (reference.y) {
        plot("{} with lines {} notitle", *reference.y, level_style(reference));
      }
      if (reference.points.empty()) continue;
      plot("{} using 1:2 with points {} notitle", reference_data(i), point_style(reference));
    }
  }

  const Figure& figure_;
  const Sheet& sheet_;
  const FigurePanel& panel_;
  std::size_t index_;
  Commands& out_;
  std::string plots_;
};

}  // namespace

void write_panel(const Figure& figure, const Sheet& sheet, std::size_t panel,
                 const std::string& more, Commands& out) {
  Panel(figure, sheet, panel, out).write(more);
}

}  // namespace weir::report
