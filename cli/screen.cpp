#include "screen.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "output.hpp"
#include "weir/report/table/text_table.hpp"

namespace weir::cli {

std::size_t terminal_width(std::FILE* terminal) {
  winsize size{};
  if (ioctl(fileno(terminal), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 100;
  return std::max<std::size_t>(size.ws_col, 20);
}

std::string clipped(std::string line, std::size_t width) {
  while (report::display_width(line) > width) {
    while ((static_cast<unsigned char>(line.back()) & 0xC0U) == 0x80U) line.pop_back();
    line.pop_back();
  }
  return line;
}

std::string bar_text(double share) {
  constexpr std::size_t kBarWidth = 24;
  const auto filled = std::min(
      kBarWidth, static_cast<std::size_t>(std::max(0.0, share) * static_cast<double>(kBarWidth)));
  return "[" + std::string(filled, '#') + std::string(kBarWidth - filled, '.') + "]";
}

std::string left_text(double seconds) {
  constexpr int kWidth = 15;  // "59 min 59 s left"
  return fmt::format("{:>{}}", seconds < 0 ? "" : duration_text(seconds) + " left", kWidth + 1);
}

std::string Screen::back_to_the_first() const {
  if (widths_.empty()) return "";
  const std::size_t width = terminal_width(terminal_);
  std::size_t rows = 0;
  for (const std::size_t one : widths_) rows += std::max<std::size_t>(1, (one + width - 1) / width);
  return fmt::format("\r\033[{}A\033[J", rows);
}

void Screen::draw(const std::vector<std::string>& lines) {
  std::string text = back_to_the_first();
  widths_.clear();
  // A line that fills the last column would go on in the next on some terminals.
  const std::size_t width = terminal_width(terminal_) - 1;
  for (const std::string& line : lines) {
    const std::string shown = clipped(line, width);
    widths_.push_back(report::display_width(shown));
    text += shown + "\n";
  }
  std::fwrite(text.data(), 1, text.size(), terminal_);
  std::fflush(terminal_);
}

void Screen::erase() {
  const std::string text = back_to_the_first();
  widths_.clear();
  std::fwrite(text.data(), 1, text.size(), terminal_);
  std::fflush(terminal_);
}

}  // namespace weir::cli
