#include "weir/report/table/text_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utf8proc.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace weir::report {

namespace {

constexpr std::size_t kGap = 2;  // between columns

std::string padded(const std::string& text, std::size_t width, Align align) {
  const std::size_t used = display_width(text);
  const std::string fill(width > used ? width - used : 0, ' ');
  return align == Align::left ? text + fill : fill + text;
}

/// Digits in groups of three, from five digits on.
std::string grouped(std::string digits) {
  const std::size_t sign = digits.starts_with('-') ? 1 : 0;
  if (digits.size() - sign < 5) return digits;
  for (std::size_t at = digits.size(); at > sign + 3;) {
    at -= 3;
    digits.insert(at, " ");
  }
  return digits;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    utf8proc_int32_t point = 0;
    const utf8proc_ssize_t length =
        utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                         static_cast<utf8proc_ssize_t>(text.size()), &point);
    // A byte that is no UTF-8 shows as one mark of replacement.
    width += length < 0 ? 1 : static_cast<std::size_t>(utf8proc_charwidth(point));
    text.remove_prefix(length < 0 ? 1 : static_cast<std::size_t>(length));
  }
  return width;
}

namespace {

/// What is not broken: words, and a number with its per cent sign.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t start = 0; start < text.size();) {
    std::size_t end = text.find(' ', start);
    while (end != std::string_view::npos && text.substr(end + 1).starts_with('%')) {
      end = text.find(' ', end + 1);
    }
    end = std::min(end, text.size());
    words.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return words;
}

std::size_t longest_word(std::string_view text) {
  std::size_t longest = 0;
  for (const std::string_view word : words_of(text)) {
    longest = std::max(longest, display_width(word));
  }
  return longest;
}

}  // namespace

std::vector<std::string> wrapped_lines(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  for (const std::string_view word : words_of(text)) {
    std::string* line = &lines.back();
    if (!line->empty() && display_width(*line) + 1 + display_width(word) > width) {
      line = &lines.emplace_back();
    }
    if (!line->empty()) *line += ' ';
    *line += word;
  }
  return lines;
}

void TextTable::add_column(std::string title, Align align) {
  columns_.push_back({{std::move(title)}, align});
}

void TextTable::add_row(std::vector<std::string> cells) {
  if (cells.size() > columns_.size()) throw std::invalid_argument("more cells than columns");
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::string TextTable::title_of(const Column& column) {
  return fmt::format("{}", fmt::join(column.title, " "));
}

std::vector<std::size_t> TextTable::natural_widths() const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t width = 0;
    for (const std::string& line : columns_[c].title) width = std::max(width, display_width(line));
    for (const auto& row : rows_) width = std::max(width, display_width(row[c]));
    widths.push_back(width);
  }
  return widths;
}

void TextTable::wrap(std::size_t width) {
  if (width == 0 || columns_.empty()) return;
  std::vector<std::size_t> room = natural_widths();
  std::vector<std::size_t> least;  // of each column
  std::size_t used = kGap * (room.size() - 1);
  for (std::size_t c = 0; c < room.size(); ++c) {
    used += room[c];
    least.push_back(longest_word(title_of(columns_[c])));
    for (const auto& row : rows_) least[c] = std::max(least[c], longest_word(row[c]));
  }
  for (; used > width; --used) {
    std::size_t widest = room.size();
    for (std::size_t c = 0; c < room.size(); ++c) {
      if (room[c] > least[c] && (widest == room.size() || room[c] > room[widest])) widest = c;
    }
    if (widest == room.size()) break;
    --room[widest];
  }
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    columns_[c].title = wrapped_lines(title_of(columns_[c]), room[c]);
  }
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : rows_) {
    const std::size_t first = rows.size();
    rows.emplace_back(columns_.size());
    for (std::size_t c = 0; c < row.size(); ++c) {
      std::size_t at = first;
      for (std::string& line : wrapped_lines(row[c], room[c])) {
        if (at == rows.size()) rows.emplace_back(columns_.size());
        rows[at++][c] = std::move(line);
      }
    }
  }
  rows_ = std::move(rows);
}

std::string TextTable::block(const std::vector<std::size_t>& shown,
                             const std::vector<std::size_t>& widths, bool color) const {
  std::string out;
  const auto line = [&](auto&& cell, const char* before, const char* after) {
    std::string text;
    for (const std::size_t c : shown) {
      if (c != shown.front()) text += "  ";
      text += padded(cell(c), widths[c], columns_[c].align);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    if (color) text = before + text + after;
    out += text + "\n";
  };
  std::size_t heads = 1;
  for (const std::size_t c : shown) heads = std::max(heads, columns_[c].title.size());
  for (std::size_t k = 0; k < heads; ++k) {
    // The last lines of all titles stand above the rule.
    const auto title = [&](std::size_t c) {
      const std::vector<std::string>& lines = columns_[c].title;
      const std::size_t above = heads - lines.size();
      return k < above ? std::string() : lines[k - above];
    };
    line(title, "\x1b[1m", "\x1b[0m");
  }
  line(
      [&](std::size_t c) {
        std::string rule;
        for (std::size_t i = 0; i < widths[c]; ++i) rule += "─";
        return rule;
      },
      "\x1b[2m", "\x1b[0m");
  for (const auto& row : rows_) line([&](std::size_t c) { return row[c]; }, "", "");
  return out;
}

std::string TextTable::render(const Look& look) const {
  const std::vector<std::size_t> widths = natural_widths();
  std::vector<std::size_t> keys;
  for (std::size_t c = 0; c < std::min(look.keys, columns_.size()); ++c) keys.push_back(c);
  std::size_t used = 0;
  for (const std::size_t c : keys) used += widths[c] + kGap;
  const std::size_t of_keys = used;
  std::string out;
  std::vector<std::size_t> shown = keys;
  for (std::size_t c = keys.size(); c < columns_.size(); ++c) {
    const bool is_full = look.width > 0 && used + widths[c] > look.width;
    if (is_full && shown.size() > keys.size()) {
      out += block(shown, widths, look.color) + "\n";
      shown = keys;
      used = of_keys;
    }
    shown.push_back(c);
    used += widths[c] + kGap;
  }
  return out + block(shown, widths, look.color);
}

std::string format_number(double value) {
  if (std::isnan(value)) return "-";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  const double size = std::fabs(value);
  if (size == std::floor(size) && size < 1e15) return grouped(fmt::format("{:.0f}", value));
  if (size >= 1000)
    return size < 1e15 ? grouped(fmt::format("{:.0f}", value)) : fmt::format("{:.3e}", value);
  if (size < 1e-4) return fmt::format("{:.3g}", value);
  const int digits = std::max(0, 3 - static_cast<int>(std::floor(std::log10(size))));
  return fmt::format("{:.{}f}", value, std::min(digits, 4));
}

namespace {

struct TextScale {
  double factor;
  const char* unit;
};

/// Scales of a unit, smallest first; empty: not scaled.
std::vector<TextScale> text_scales_of(std::string_view unit) {
  if (unit == "ns") return {{1e-3, "ps"}, {1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}};
  if (unit == "s") return {{1e-6, "µs"}, {1e-3, "ms"}, {1, "s"}};
  if (unit == "Gbps") return {{1e-6, "Kbps"}, {1e-3, "Mbps"}, {1, "Gbps"}, {1e3, "Tbps"}};
  if (unit == "B") return {{1, "B"}, {1e3, "KB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}};
  if (unit == "1/s") return {{1, "/s"}, {1e3, "k/s"}, {1e6, "M/s"}, {1e9, "G/s"}};
  return {};
}

}  // namespace

namespace {

/// The largest scale that `value` reaches; factor 0: the unit has none.
TextScale text_scale_of(double value, std::string_view unit) {
  const std::vector<TextScale> scales = text_scales_of(unit);
  if (scales.empty()) return {0, ""};
  if (value == 0) {
    return *std::find_if(scales.begin(), scales.end(),
                         [](const TextScale& s) { return s.factor == 1; });
  }
  TextScale best = scales[0];
  for (const TextScale& scale : scales) {
    if (std::fabs(value) >= 0.99995 * scale.factor) {
      best = scale;  // what rounds to 1000 is 1 of the next
    }
  }
  return best;
}

/// Memories are written in KiB; whole ones read as they were written: in MiB where that leaves at
/// most two digits after the point, else in KiB. Factor 0: no memory, or none that four digits say.
TextScale memory_scale_of(double bytes) {
  constexpr double kKibibyte = 1024;
  constexpr double kMebibyte = 1024 * kKibibyte;
  constexpr double kMost = 10'000;
  const double size = std::fabs(bytes);
  if (size == 0 || !std::isfinite(size) || std::fmod(size, kKibibyte) != 0) return {0, ""};
  const double hundredths = size / kMebibyte * 100;
  if (size >= kMebibyte && size < 100 * kMebibyte && hundredths == std::floor(hundredths)) {
    return {kMebibyte, "MiB"};
  }
  const bool is_whole = std::fmod(size, kMebibyte) == 0;
  if (is_whole && size >= kMebibyte && size < kMost * kMebibyte) return {kMebibyte, "MiB"};
  return size < kMost * kKibibyte ? TextScale{kKibibyte, "KiB"} : TextScale{0, ""};
}

}  // namespace

std::string format_quantity(double value, std::string_view unit) {
  if (std::isnan(value) || unit.empty() || unit == "1") return format_number(value);
  const TextScale memory = unit == "B" ? memory_scale_of(value) : TextScale{0, ""};
  const TextScale best = memory.factor > 0 ? memory : text_scale_of(value, unit);
  if (best.factor == 0) return format_number(value) + " " + std::string(unit);
  const double scaled = value / best.factor;
  const bool is_whole = scaled == std::floor(scaled) && std::fabs(scaled) < 1e4;
  std::string digits = is_whole ? fmt::format("{:.0f}", scaled) : fmt::format("{:#.4g}", scaled);
  if (digits.ends_with('.')) digits.pop_back();
  return digits + " " + best.unit;
}

std::string format_interval(double value, double half_width, std::string_view unit) {
  if (std::isnan(value) || !std::isfinite(half_width)) return format_quantity(value, unit);
  const bool has_unit = !unit.empty() && unit != "1";
  TextScale scale = has_unit ? text_scale_of(value, unit) : TextScale{1, ""};
  const std::string name = scale.factor == 0 ? std::string(unit) : scale.unit;
  if (scale.factor == 0) scale.factor = 1;
  const double half = half_width / scale.factor;
  const double scaled = value / scale.factor;
  // Two digits of the half width; of a value without spread, as many as usual.
  const double grain = half > 0 ? half : std::fabs(scaled) * 1e-2;
  const int decimals =
      grain > 0 ? static_cast<int>(std::clamp(1 - std::floor(std::log10(grain)), 0.0, 6.0)) : 0;
  const std::string text = fmt::format("{:.{}f} ± {:.{}f}", scaled, decimals, half, decimals);
  return name.empty() ? text : text + " " + name;
}

}  // namespace weir::report
