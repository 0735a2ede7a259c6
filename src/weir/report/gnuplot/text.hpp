#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::report {

/// As a gnuplot string in single quotes; used with `noenhanced`, so nothing in it is markup.
std::string in_quotes(std::string_view text);

/// Width of a text in DejaVu Sans, in heights of the font (em). Other scripts: about.
double text_width(std::string_view text, bool is_bold = false);

/// Words in lines of at most `width` em where that can be.
std::vector<std::string> lines_of(const std::string& text, double width);

/// Where an axis has its ticks, and what stands there; ticks between them have no text.
struct Ticks {
  std::vector<std::pair<double, std::string>> major;
  std::vector<double> minor;
};
/// At most `most` labelled ticks at round numbers within the range.
Ticks linear_ticks(double low, double high, double most);
/// Powers of ten, and 2 and 5 times them where there is room. Both ends above 0.
Ticks log_ticks(double low, double high, double most);

/// For `set xtics`: ('0.1' 0.1, '1' 1, '' 2 1).
std::string ticks_text(const Ticks& ticks, bool has_labels = true);

}  // namespace weir::report
