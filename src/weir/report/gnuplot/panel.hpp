#pragma once

#include <string>

#include "weir/report/gnuplot/layout.hpp"

namespace weir::report {

/// Colours of Okabe and Ito (and one more), which people with colour-blindness tell apart; lines
/// from the ninth on are dashed.
const char* line_color(std::size_t index);
/// dashtype
int line_dash(std::size_t index);
/// All lines have so few points that each has a symbol.
bool has_symbols(const Figure& figure);
/// Filled symbols; of references hollow ones.
int line_symbol(std::size_t index);
int reference_point_type(std::size_t symbol);

inline constexpr const char* kInk = "#222222";
inline constexpr const char* kQuiet = "#666666";

/// gnuplot's commands for one panel, and its data.
class PanelScript {
 public:
  PanelScript(const Figure& figure, const Layout& layout, std::size_t panel);
  [[nodiscard]] std::string write();

 private:
  template <class... Args>
  void line(const std::string& text, const Args&... args);

  void data();
  void axes();
  void x_ticks();
  void group_ticks();
  void shade();
  void references();
  void level_text(double y, const std::string& text);
  void upright_text(double x, const std::string& text);
  void names();
  void names_inside(std::size_t point);
  void names_at_ends();
  [[nodiscard]] std::string line_plots() const;
  [[nodiscard]] std::string bar_plots() const;
  [[nodiscard]] std::string reference_plots() const;
  [[nodiscard]] double bar_shift(const FigureLine& drawn) const;

  const Figure& figure_;
  const Layout& layout_;
  const FigurePanel& panel_;
  const Layout::Box& box_;
  std::size_t index_;
  std::string out_;
};

}  // namespace weir::report
