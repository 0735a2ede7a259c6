#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

namespace weir::cli {

/// Writes to standard output. finish_output() notices when that fails.
void say(std::string_view text);

template <class... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  say(std::string_view(fmt::format(format, std::forward<Args>(args)...)));
}

/// Flushes standard output. Throws InputError when not everything was written.
void finish_output();

/// Writes a whole file, or to standard output when `path` is "-". Throws InputError that names the
/// file when it cannot be made or not everything fits.
void write_file(const std::string& path, std::string_view text);

/// Columns under their heads, the last one free.
void print_columns(const std::vector<std::vector<std::string>>& rows);

/// `text` broken into lines of at most `width`, the second and later ones behind `indent` blanks.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

/// What CLI11 says of a command, with its descriptions broken to the width of a terminal.
std::string fitted_help(const std::string& help);

/// Width of the terminal, or 100.
std::size_t line_width();

/// 1234567 as "1,234,567".
std::string with_commas(std::uint64_t number);

/// Seconds as people say them: "0.4 s", "2 min 5 s", "3 h 20 min".
std::string duration_text(double seconds);

/// "1.2 GiB".
std::string memory_text(double bytes);

}  // namespace weir::cli
