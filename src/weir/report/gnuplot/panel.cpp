#include "weir/report/gnuplot/panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/report/figure/sampling.hpp"
#include "weir/report/gnuplot/labels.hpp"
#include "weir/report/table/text_table.hpp"

namespace weir::report {

namespace {

constexpr double kLeastStep = 0.4;  ///< pixels: nearer points are not seen

/// Three digits that mean something, without an exponent where that is short.
std::string short_number(double value) {
  return std::fabs(value) >= 1e3 && std::fabs(value) < 1e6 ? fmt::format("{:.0f}", value)
                                                           : fmt::format("{:.3g}", value);
}

}  // namespace

PanelScript::PanelScript(const Figure& figure, const Layout& layout, std::size_t panel)
    : figure_(figure),
      layout_(layout),
      panel_(figure.panels[panel]),
      box_(layout.panels[panel]),
      index_(panel) {}

template <class... Args>
void PanelScript::line(const std::string& text, const Args&... args) {
  out_ += fmt::format(fmt::runtime(text), args...);
  out_ += '\n';
}

std::string PanelScript::write() {
  data();
  axes();
  if (figure_.panels.size() > 1) {
    line("set label {} at graph 0,graph {:.4f} left textcolor rgb '{}'",
         in_quotes(panel_.y_label.empty() ? panel_.title : panel_.y_label), 1 + 14 / box_.height(),
         panel_.y_label.empty() ? kInk : kQuiet);
  }
  shade();
  references();
  names();
  std::string plots = figure_.kind == Figure::Kind::bars ? bar_plots() : line_plots();
  plots += reference_plots();
  line("plot {}", plots);
  return std::move(out_);
}

void PanelScript::data() {
  const LabelPlaces places(figure_, panel_, box_);
  for (std::size_t i = 0; i < panel_.lines.size(); ++i) {
    line("$line{}_{} << END", index_, i);
    double last_x = -1e9;
    double last_y = -1e9;
    const auto& points = panel_.lines[i].points;
    for (std::size_t k = 0; k < points.size(); ++k) {
      const FigurePoint& p = points[k];
      if (!is_number(p.x) || !is_number(p.y) || (figure_.y_log && p.y <= 0) ||
          (figure_.x_log && p.x <= 0)) {
        out_ += "\n";  // a gap
        continue;
      }
      const double x = places.share_x(p.x) * box_.width();
      const double y = places.share_y(p.y) * box_.height();
      const bool is_seen =
          std::fabs(x - last_x) >= kLeastStep || std::fabs(y - last_y) >= kLeastStep;
      if (!is_seen && k + 1 < points.size()) continue;
      last_x = x;
      last_y = y;
      const double half = is_number(p.half_width) ? p.half_width : 0;
      const double x_half = is_number(p.x_half_width) ? p.x_half_width : 0;
      const double low = figure_.y_log ? std::max(p.y - half, panel_.y_range.first) : p.y - half;
      line("{:.7g} {:.7g} {:.7g} {:.7g} {:.7g} {:.7g} {}", p.x, p.y, low, p.y + half, p.x - x_half,
           p.x + x_half, short_number(p.y));
    }
    line("END");
  }
  for (std::size_t i = 0; i < panel_.references.size(); ++i) {
    if (panel_.references[i].points.empty()) continue;
    line("$reference{}_{} << END", index_, i);
    for (const auto& [x, y] : panel_.references[i].points) line("{:.7g} {:.7g}", x, y);
    line("END");
  }
}

void PanelScript::axes() {
  line("set lmargin at screen {:.4f}", box_.left / layout_.width);
  line("set rmargin at screen {:.4f}", box_.right / layout_.width);
  line("set tmargin at screen {:.4f}", 1 - box_.top / layout_.height);
  line("set bmargin at screen {:.4f}", 1 - box_.bottom / layout_.height);
  line("set border 1 linecolor rgb '{}' linewidth 1", kQuiet);
  line("set grid ytics linetype 1 linecolor rgb '#e3e3e3' linewidth 0.8");
  line("set tics textcolor rgb '{}'", kQuiet);
  line("{} logscale x", figure_.x_log ? "set" : "unset");
  line("{} logscale y", figure_.y_log ? "set" : "unset");
  line("set xrange [{}:{}]", figure_.x_range.first, figure_.x_range.second);
  line("set yrange [{}:{}]", panel_.y_range.first, panel_.y_range.second);
  const bool shares_y =
      index_ > 0 && panel_.y_label.empty() && box_.left > layout_.panels.front().left + 1;
  line("set ytics scale 0 nomirror {}", ticks_text(layout_.y_ticks[index_], !shares_y));
  if (figure_.kind == Figure::Kind::bars) {
    group_ticks();
  } else {
    x_ticks();
  }
  line("unset key");
}

void PanelScript::x_ticks() {
  const auto [low, high] = figure_.x_range;
  const Ticks ticks = figure_.x_log ? log_ticks(low, high, box_.width() / 40)
                                    : linear_ticks(low, high, box_.width() / 64);
  line("set xtics scale 0.6,0.3 out nomirror {}", ticks_text(ticks, box_.has_x_labels));
}

void PanelScript::group_ticks() {
  const double slot = box_.width() / static_cast<double>(figure_.bar_groups.size());
  std::string tics;
  for (std::size_t g = 0; g < figure_.bar_groups.size(); ++g) {
    const std::string& group = figure_.bar_groups[g];
    std::string text;
    const double width = layout_.has_rotated_groups ? 1e9 : (slot - 8) / Layout::kFont;
    for (const std::string& part : lines_of(group, width)) {
      text += (text.empty() ? "" : ".\"\\n\".") + in_quotes(part);
    }
    if (text.empty() || !box_.has_x_labels) text = "''";
    tics += fmt::format("{}{} {}", g == 0 ? "" : ", ", text, g);
  }
  line("set xtics scale 0 {} ({})", layout_.has_rotated_groups ? "rotate by -30" : "norotate",
       tics);
}

void PanelScript::shade() {
  if (!figure_.shade) return;
  const double from = std::max(figure_.shade->first, figure_.x_range.first);
  const double to = std::min(figure_.shade->second, figure_.x_range.second);
  if (from >= to) return;
  line(
      "set object rectangle from first {},graph 0 to first {},graph 1 behind fillcolor rgb "
      "'#f3f0e8' fillstyle solid noborder",
      from, to);
  if (figure_.shade_label.empty() || index_ > 0) return;
  const LabelPlaces places(figure_, panel_, box_);
  const double x = (places.share_x(from) + places.share_x(to)) / 2;
  const double width = text_width(figure_.shade_label) * Layout::kFont;
  const double edge = 12 / box_.height();
  const bool is_above = places.clearance(x, 1 - edge, width) > places.clearance(x, edge, width);
  line("set label {} at graph {:.4f},graph {:.4f} center textcolor rgb '#8a7f66'",
       in_quotes(figure_.shade_label), x, is_above ? 1 - edge : edge);
}

void PanelScript::references() {
  const LabelPlaces places(figure_, panel_, box_);
  const bool has_names = figure_.panels.size() == 1;  // else in the key
  for (const FigureReference& reference : panel_.references) {
    const char* color = reference.color ? line_color(*reference.color) : kQuiet;
    if (reference.y) {
      line(
          "set arrow from graph 0,first {} to graph 1,first {} nohead linecolor rgb '{}' "
          "linewidth 1.2 dashtype 2",
          *reference.y, *reference.y, color);
      if (has_names) level_text(places.share_y(*reference.y), reference.text);
    }
    if (reference.x) {
      line(
          "set arrow from first {},graph 0 to first {},graph 1 nohead linecolor rgb '{}' "
          "linewidth 1.2 dashtype 2",
          *reference.x, *reference.x, color);
      if (has_names) upright_text(places.share_x(*reference.x), reference.text);
    }
  }
}

/// Where the lines leave most room, above the level line or below it.
void PanelScript::level_text(double y, const std::string& text) {
  const LabelPlaces places(figure_, panel_, box_);
  const double width = text_width(text) * Layout::kFont;
  const double half = (width / 2 + 6) / box_.width();
  const double step = 11 / box_.height();
  double best_x = 1 - half;
  double best_y = y + step;
  double most = -1;
  for (const double at_y : {y + step, y - step}) {
    if (at_y < 0.02 || at_y > 1 + 2 * step) continue;
    for (const double at_x : {1 - half, half, 0.5}) {
      const double room = std::min(places.clearance(at_x, at_y, width), 40.0);
      if (room <= most + 1) continue;
      most = room;
      best_x = at_x;
      best_y = at_y;
    }
  }
  line("set label {} at graph {:.4f},graph {:.4f} center front textcolor rgb '{}'", in_quotes(text),
       best_x, best_y, kQuiet);
}

/// Beside the upright line, at the top or the bottom, on the side where there is room.
void PanelScript::upright_text(double x, const std::string& text) {
  const LabelPlaces places(figure_, panel_, box_);
  const double width = text_width(text) * Layout::kFont;
  const double shift = (width / 2 + 6) / box_.width();
  const double edge = 12 / box_.height();
  double best_x = x + shift;
  double best_y = 1 - edge;
  double most = -1;
  for (const double at_x : {x + shift, x - shift}) {
    if (at_x - shift < -0.01 || at_x + shift > 1.02) continue;
    for (const double at_y : {1 - edge, edge}) {
      const double room = std::min(places.clearance(at_x, at_y, width), 40.0);
      if (room <= most + 1) continue;
      most = room;
      best_x = at_x;
      best_y = at_y;
    }
  }
  line("set label {} at graph {:.4f},graph {:.4f} center front textcolor rgb '{}'", in_quotes(text),
       best_x, best_y, kQuiet);
}

void PanelScript::names() {
  if (figure_.names.size() < 2 || !has_names_at_lines(figure_)) return;
  const auto point = LabelPlaces(figure_, panel_, box_).inside();
  if (point) {
    names_inside(*point);
  } else {
    names_at_ends();
  }
}

void PanelScript::names_inside(std::size_t point) {
  const LabelPlaces places(figure_, panel_, box_);
  for (const FigureLine& drawn : panel_.lines) {
    line("set label {} at graph {:.4f},graph {:.4f} center front textcolor rgb '{}'",
         in_quotes(drawn.label), places.share_x(drawn.points[point].x),
         places.share_y(drawn.points[point].y) + 13 / box_.height(), line_color(drawn.color));
  }
}

void PanelScript::names_at_ends() {
  const std::vector<double> heights = LabelPlaces(figure_, panel_, box_).at_ends();
  for (std::size_t i = 0; i < panel_.lines.size(); ++i) {
    line("set label {} at graph {:.4f},graph {:.4f} left textcolor rgb '{}'",
         in_quotes(panel_.lines[i].label), 1 + 9 / box_.width(), heights[i],
         line_color(panel_.lines[i].color));
  }
}

}  // namespace weir::report
