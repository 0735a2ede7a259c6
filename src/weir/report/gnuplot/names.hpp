#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/report/figure/figure.hpp"

namespace weir::report {

inline constexpr const char* kInk = "#222222";
inline constexpr const char* kQuiet = "#666666";
inline constexpr const char* kShade = "#f3f0e8";

/// gnuplot's commands, a line each.
class Commands {
 public:
  template <class... Args>
  void line(fmt::format_string<Args...> text, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), text, std::forward<Args>(args)...);
    text_ += '\n';
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// As a gnuplot string in single quotes; used with `noenhanced`, so nothing in it is markup.
std::string in_quotes(std::string_view text);
/// Pixels, about: gnuplot measures what it places.
double text_width(std::string_view text);
/// Words in lines of at most `width` pixels where that can be.
std::vector<std::string> lines_of(const std::string& text, double width);

/// What stands behind `with lines`: of a line, of the points of a reference, of its level.
std::string line_style(const Figure& figure, std::size_t color);
std::string point_line_style(const Figure& figure, std::size_t color);
std::string whisker_style(std::size_t color);
std::string front_style();
std::string point_style(const FigureReference& reference);
std::string level_style(const FigureReference& reference);

/// Heights (shares) of names at the right ends of the lines of a single panel, and of its level
/// references behind them: those that would touch are moved apart. Empty where that would take them
/// away from their lines. gnuplot's own (`title .. at end`) do not move.
std::vector<double> name_heights(const Figure& figure, double height);

/// Where the names of lines stand: at their ends, else in a key, beside a single panel or below.
enum class Names { at_ends, beside, below };
Names place_of_names(const Figure& figure, double width, double height);

struct KeyEntry {
  std::string text;
  std::string style;  ///< "lines linecolor .."
};
/// What is not named at its end. `unnamed`: of points, those names that do not stand beside them.
std::vector<KeyEntry> key_entries(const Figure& figure, Names names,
                                  const std::vector<std::string>& unnamed = {});

}  // namespace weir::report
