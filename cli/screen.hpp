#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace weir::cli {

/// Lines at the bottom of a terminal that are drawn again and again. Each is clipped to the width
/// that the terminal has at that moment. When it became narrower since, it has wrapped what was
/// there, and that is erased with all its rows.
class Screen {
 public:
  explicit Screen(std::FILE* terminal) : terminal_(terminal) {}
  ~Screen() { erase(); }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  void draw(const std::vector<std::string>& lines);
  /// Takes the lines away: what is printed next stands in their place.
  void erase();
  /// Leaves the lines where they are.
  void keep() { widths_.clear(); }

 private:
  [[nodiscard]] std::string back_to_the_first() const;

  std::FILE* terminal_;
  std::vector<std::size_t> widths_;  ///< of the lines that are there
};

/// Columns of the terminal that a file is; 100 where nobody knows.
std::size_t terminal_width(std::FILE* terminal);

/// The line as far as it fits into so many columns.
std::string clipped(std::string line, std::size_t width);

/// "[######....]" of a share from 0 to 1.
std::string bar_text(double share);

/// "3 min 5 s left", as wide as any; empty but as wide where `seconds` is negative: not known.
std::string left_text(double seconds);

}  // namespace weir::cli
