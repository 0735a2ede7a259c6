#include "weir/report/gnuplot/text.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <sstream>

#include "weir/report/table/text_table.hpp"

namespace weir::report {

namespace {

/// Advance widths of the printable ASCII characters in DejaVu Sans, hundredths of an em.
constexpr std::array<unsigned char, 95> kWidths{
    32, 40, 46, 84, 64, 95, 78, 27, 39,  39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79,
    60, 79, 69, 63, 61, 73, 68, 99, 69,  61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63,
    63, 28, 28, 58, 28, 97, 63, 61, 63,  63, 41, 52, 39, 63, 59, 82, 59, 59, 53, 64, 34, 64, 84};

/// "0.01", "100", "10⁶": a power of ten.
std::string power_text(int exponent) {
  if (exponent >= -3 && exponent <= 4) return fmt::format("{:g}", std::pow(10, exponent));
  static constexpr std::array<const char*, 10> kDigits{"⁰", "¹", "²", "³", "⁴",
                                                       "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(std::abs(exponent))) {
    text += kDigits.at(static_cast<std::size_t>(digit - '0'));
  }
  return text;
}

}  // namespace

std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += '\'';
    out += c == '\n' ? ' ' : c;
  }
  return out + "'";
}

double text_width(std::string_view text, bool is_bold) {
  double hundredths = 0;
  std::string others;
  for (const char c : text) {
    if (c >= ' ' && c <= '~') {
      hundredths += kWidths.at(static_cast<std::size_t>(c - ' '));
    } else {
      others += c;
    }
  }
  hundredths += 64.0 * static_cast<double>(display_width(others));
  return hundredths / 100 * (is_bold ? 1.12 : 1);
}

std::vector<std::string> lines_of(const std::string& text, double width) {
  std::vector<std::string> lines;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!lines.empty() && text_width(lines.back() + " " + word) <= width) {
      lines.back() += " " + word;
    } else {
      lines.push_back(word);
    }
  }
  return lines;
}

Ticks linear_ticks(double low, double high, double most) {
  const double least = (high - low) / std::max(1.0, most);
  const double decade = std::pow(10, std::floor(std::log10(least)));
  double step = 10 * decade;
  for (const double factor : {5.0, 2.5, 2.0, 1.0}) {
    if (factor * decade >= least * (1 - 1e-9)) step = factor * decade;
  }
  Ticks ticks;
  const auto first = static_cast<std::int64_t>(std::ceil(low / step - 1e-6));
  const auto last = static_cast<std::int64_t>(std::floor(high / step + 1e-6));
  for (std::int64_t k = first; k <= last; ++k) {
    const double at = static_cast<double>(k) * step;
    ticks.major.emplace_back(at, fmt::format("{:.6g}", at));
  }
  return ticks;
}

Ticks log_ticks(double low, double high, double most) {
  const int first = static_cast<int>(std::floor(std::log10(low) + 1e-9));
  const int last = static_cast<int>(std::ceil(std::log10(high) - 1e-9));
  const int every = std::max(1, static_cast<int>(std::ceil((last - first + 1) / most)));
  const bool has_room = (last - first) * 3 < most;
  const auto is_inside = [&](double at) {
    return at >= low * (1 - 1e-9) && at <= high * (1 + 1e-9);
  };
  Ticks ticks;
  for (int exponent = first; exponent <= last; ++exponent) {
    for (int digit = 1; digit <= 9; ++digit) {
      const double at = digit * std::pow(10, exponent);
      if (!is_inside(at)) continue;
      if (digit == 1 && (exponent - first) % every == 0) {
        ticks.major.emplace_back(at, power_text(exponent));
      } else if (has_room && (digit == 2 || digit == 5)) {
        ticks.major.emplace_back(at, fmt::format("{:g}", at));
      } else if (every == 1 || digit == 1) {
        ticks.minor.push_back(at);
      }
    }
  }
  return ticks;
}

std::string ticks_text(const Ticks& ticks, bool has_labels) {
  std::string out;
  for (const auto& [at, text] : ticks.major) {
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", in_quotes(has_labels ? text : ""), at);
  }
  for (const double at : ticks.minor) {
    out += fmt::format("{}'' {} 1", out.empty() ? "" : ", ", at);
  }
  return "(" + out + ")";
}

}  // namespace weir::report
