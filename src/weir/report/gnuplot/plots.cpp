#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "weir/report/gnuplot/panel.hpp"

namespace weir::report {

namespace {

constexpr std::array<const char*, 8> kColors{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                             "#E69F00", "#56B4E9", "#000000", "#8C8C00"};
constexpr std::array<int, 6> kSymbols{7, 5, 9, 13, 11, 15};
constexpr std::array<int, 5> kReferenceSymbols{12, 4, 8, 10, 6};
constexpr std::size_t kFewPoints = 30;      ///< lines of so many show them as symbols
constexpr std::size_t kMostBarValues = 16;  ///< bars that have their value above them

/// Bars with caps from `start` (x, y and for upright ones dx) over `length`; none where that is 0.
/// gnuplot's own error bars wipe out what is under their middle.
std::string error_bars(const std::string& data, const std::string& start, const std::string& length,
                       const char* color) {
  const bool is_upright = start.ends_with("(0)");
  return fmt::format(
      "{} using {}:({}>0?{}:NaN){} with vectors heads size screen 0.0035,90 fixed linecolor rgb "
      "'{}' linewidth 1.2 notitle",
      data, start, length, length, is_upright ? "" : ":(0)", color);
}

}  // namespace

const char* line_color(std::size_t index) { return kColors.at(index % kColors.size()); }
int line_dash(std::size_t index) { return index < kColors.size() ? 1 : 2; }
int line_symbol(std::size_t index) { return kSymbols.at(index % kSymbols.size()); }
int reference_point_type(std::size_t symbol) {
  return kReferenceSymbols.at(symbol % kReferenceSymbols.size());
}

bool has_symbols(const Figure& figure) {
  if (figure.kind != Figure::Kind::lines) return false;
  for (const FigurePanel& panel : figure.panels) {
    for (const FigureLine& line : panel.lines) {
      if (line.points.size() > kFewPoints) return false;
    }
  }
  return true;
}

std::string PanelScript::line_plots() const {
  const bool with_symbols = has_symbols(figure_);
  const bool is_steps = figure_.kind == Figure::Kind::steps;
  std::string bands;
  std::string lines;
  for (std::size_t i = 0; i < panel_.lines.size(); ++i) {
    const FigureLine& drawn = panel_.lines[i];
    const std::string data = fmt::format("$line{}_{}", index_, i);
    const char* color = line_color(drawn.color);
    const auto has = [&](double FigurePoint::*half) {
      return std::any_of(drawn.points.begin(), drawn.points.end(),
                         [&](const FigurePoint& p) { return std::isfinite(p.*half); });
    };
    const bool has_y = has(&FigurePoint::half_width);
    const bool has_x = has(&FigurePoint::x_half_width);
    if (has_y && figure_.has_bands) {
      bands += fmt::format(
          "{} using 1:3:4 with filledcurves fillcolor rgb '{}' fillstyle "
          "transparent solid 0.2 noborder notitle, ",
          data, color);
    } else if (has_y || has_x) {
      if (has_y) bands += error_bars(data, "1:3:(0)", "$4-$3", color) + ", ";
      if (has_x) bands += error_bars(data, "5:2", "$6-$5", color) + ", ";
    }
    lines += fmt::format(
        "{}{} using 1:2 with {} linecolor rgb '{}' linewidth 2.2 dashtype {}{} title {}",
        i == 0 ? "" : ", ", data,
        is_steps       ? "steps"
        : with_symbols ? "linespoints"
                       : "lines",
        color, line_dash(drawn.color),
        with_symbols ? fmt::format(" pointtype {} pointsize 0.7", line_symbol(drawn.color)) : "",
        in_quotes(drawn.label));
  }
  return bands + lines;
}

double PanelScript::bar_shift(const FigureLine& drawn) const {
  const auto sets = static_cast<double>(figure_.names.size());
  return (static_cast<double>(drawn.color) - (sets - 1) / 2) * 0.76 / sets;
}

std::string PanelScript::bar_plots() const {
  const double width = 0.76 / static_cast<double>(figure_.names.size());
  std::size_t bars = 0;
  for (const FigurePanel& panel : figure_.panels) {
    for (const FigureLine& drawn : panel.lines) bars += drawn.points.size();
  }
  std::string plots;
  for (std::size_t i = 0; i < panel_.lines.size(); ++i) {
    const FigureLine& drawn = panel_.lines[i];
    const std::string data = fmt::format("$line{}_{}", index_, i);
    const double shift = bar_shift(drawn);
    plots += fmt::format(
        "{}{} using ($1{:+.5f}):2:({:.5f}) with boxes fillstyle solid 1 noborder linecolor rgb "
        "'{}' title {}",
        i == 0 ? "" : ", ", data, shift, width * 0.92, line_color(drawn.color),
        in_quotes(drawn.label));
    plots += ", " + error_bars(data, fmt::format("($1{:+.5f}):3:(0)", shift), "$4-$3", kInk);
    if (bars > kMostBarValues) continue;
    plots += fmt::format(
        ", {} using ($1{:+.5f}):4:7 with labels offset 0,0.7 textcolor rgb "
        "'{}' notitle",
        data, shift, kQuiet);
  }
  return plots;
}

std::string PanelScript::reference_plots() const {
  std::string plots;
  for (std::size_t i = 0; i < panel_.references.size(); ++i) {
    const FigureReference& reference = panel_.references[i];
    if (reference.points.empty()) continue;
    plots += fmt::format(
        ", $reference{}_{} using 1:2 with points pointtype {} pointsize 0.9 linecolor rgb '{}' "
        "linewidth 1.4 title {}",
        index_, i, reference_point_type(reference_symbol(figure_, reference)),
        reference.color ? line_color(*reference.color) : kQuiet, in_quotes(reference.text));
  }
  return plots;
}

}  // namespace weir::report
