#include "output.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <sstream>

#include "weir/base/error.hpp"
#include "weir/report/table/text_table.hpp"

namespace weir::cli {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

[[noreturn]] void cannot_write(const std::string& what, int error) {
  throw InputError(fmt::format("cannot write {}: {}", what, std::strerror(error)));
}

void make_folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  if (folder.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw InputError(
        fmt::format("cannot make the folder '{}': {}", folder.string(), error.message()));
  }
}

}  // namespace

void say(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void finish_output() {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    cannot_write("to standard output", errno == 0 ? EIO : errno);
  }
}

void write_file(const std::string& path, std::string_view text) {
  if (path == "-") {
    say(text);
    return;
  }
  make_folder_of(path);
  errno = 0;
  std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "wb"));
  if (!file) cannot_write("'" + path + "'", errno);
  const bool is_whole = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() &&
                        std::fflush(file.get()) == 0;
  if (!is_whole) cannot_write("'" + path + "'", errno);
}

void print_columns(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], report::display_width(row[i]));
    }
  }
  // The last column keeps to its place as long as there are so many left for it.
  constexpr std::size_t kNarrowest = 24;
  for (const auto& row : rows) {
    std::string line;
    std::size_t column = 0;
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      line += row[i] + std::string(widths[i] - report::display_width(row[i]) + 2, ' ');
      column += widths[i] + 2;
    }
    const std::size_t left = line_width() - std::min(column, line_width());
    if (!row.empty()) line += wrapped(row.back(), std::max(kNarrowest, left), column);
    say("{}\n", line);
  }
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string out;
  std::size_t used = 0;
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    const std::string_view word = text.substr(0, end);
    const std::size_t size = report::display_width(word);
    if (used > 0 && used + 1 + size > width) {
      out += "\n" + std::string(indent, ' ');
      used = 0;
    } else if (used > 0) {
      out += ' ';
      ++used;
    }
    out += word;
    used += size;
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return out;
}

std::string fitted_help(const std::string& help) {
  if (isatty(STDOUT_FILENO) == 0) return help;
  constexpr std::size_t kDescription = 30;  // where CLI11 begins them
  constexpr std::size_t kIndent = 4;        // of what goes on below a long name
  const std::size_t width = line_width();
  std::string out;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    if (report::display_width(line) <= width) {
      out += line;
    } else if (!line.starts_with("  ")) {
      out += wrapped(line, width, 0);
    } else if (line[kDescription - 1] == ' ') {
      out += line.substr(0, kDescription) +
             wrapped(line.substr(kDescription), width - kDescription, kDescription);
    } else {
      out += "  " + wrapped(line.substr(2), width - kIndent, kIndent);
    }
    out += '\n';
  }
  return out;
}

std::size_t line_width() {
  constexpr std::size_t kUsual = 100;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsual;
  return std::clamp<std::size_t>(size.ws_col, 40, 160);
}

std::string with_commas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

std::string duration_text(double seconds) {
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", with_commas(whole / 3600), whole % 3600 / 60);
}

std::string memory_text(double bytes) {
  const char* unit = "B";
  for (const char* larger : {"KiB", "MiB", "GiB", "TiB"}) {
    if (bytes < 1000) break;
    bytes /= 1024;
    unit = larger;
  }
  return bytes < 10 ? fmt::format("{:.1f} {}", bytes, unit) : fmt::format("{:.0f} {}", bytes, unit);
}

}  // namespace weir::cli
