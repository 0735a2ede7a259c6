#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir::report {

/// Columns a terminal gives to UTF-8 text: combining marks take none, East Asian wide characters
/// two. A byte that is no UTF-8 takes one.
std::size_t display_width(std::string_view text);

/// Lines of at most `width` columns, broken at blanks, though not before a per cent sign; a longer
/// word has a line of its own.
std::vector<std::string> wrapped_lines(std::string_view text, std::size_t width);

enum class Align : std::uint8_t { left, right };

/// A table for a terminal: a header, a rule, rows; columns two spaces apart.
class TextTable {
 public:
  void add_column(std::string title, Align align);
  /// Missing cells are empty; too many throw std::invalid_argument.
  void add_row(std::vector<std::string> cells);
  /// Breaks titles and cells at blanks, the widest columns first, so that lines fit into `width` as
  /// far as words do (0: no limit). For tables of texts: numbers stay whole in render()'s blocks.
  void wrap(std::size_t width);
  [[nodiscard]] std::size_t row_count() const { return rows_.size(); }
  [[nodiscard]] std::size_t column_count() const { return columns_.size(); }

  /// How a table is to look.
  struct Look {
    bool color = false;     ///< bold titles and dim rule, for terminals
    std::size_t width = 0;  ///< of the terminal; 0: no limit
    std::size_t keys = 1;   ///< leading columns that say what a row is about
  };
  /// Lines with a newline each. Columns that do not fit in the width follow in further blocks below
  /// the first, each behind the keys.
  [[nodiscard]] std::string render(const Look& look) const;
  [[nodiscard]] std::string render(bool color = false) const { return render(Look{color, 0, 1}); }

 private:
  struct Column {
    std::vector<std::string> title;  ///< its lines
    Align align;
  };
  [[nodiscard]] static std::string title_of(const Column& column);
  [[nodiscard]] std::vector<std::size_t> natural_widths() const;
  [[nodiscard]] std::string block(const std::vector<std::size_t>& shown,
                                  const std::vector<std::size_t>& widths, bool color) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// A number as people read it: four digits that mean something, counts in full in groups of three
/// ("1 234 567"), shares and large numbers without exponents where that is short. NaN: "-".
std::string format_number(double value);

/// With its unit, scaled so that it is easy to read: 1234567 "ns" is "1.235 ms", 0.0123 "Gbps" is
/// "12.30 Mbps", 3e9 "B" is "3 GB"; "1" (a ratio) and "" (a count) have no unit. Whole KiB, as
/// memories have, stay KiB or MiB: 344064 "B" is "336 KiB".
std::string format_quantity(double value, std::string_view unit);

/// A mean with the half width of its interval, the latter with two digits: "715.1 ± 3.4 µs".
/// Without half width (NaN) as format_quantity().
std::string format_interval(double value, double half_width, std::string_view unit);

}  // namespace weir::report
