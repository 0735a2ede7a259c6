#include "weir/topology/import_text.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

namespace weir::topology {
namespace {

constexpr std::uintmax_t kLargestFile = std::uintmax_t{4} << 30U;

bool is_blank(char c) { return c == ' ' || c == '\t'; }

}  // namespace

std::string read_text_file(const std::string& path) {
  const TextPlace place(path);
  std::error_code problem;
  if (std::filesystem::is_directory(path, problem)) {
    throw place.error("this is a folder, not a file");
  }
  const auto size = std::filesystem::file_size(path, problem);
  if (!problem && size > kLargestFile) {
    throw place.error("the file is larger than 4 GiB, which is more than any subnet needs");
  }
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) throw place.error(fmt::format("cannot open the file: {}", std::strerror(errno)));
  std::string text;
  if (!problem) text.reserve(static_cast<std::size_t>(size));
  char block[1U << 16U];
  while (in.read(block, sizeof block) || in.gcount() > 0) {
    text.append(block, static_cast<std::size_t>(in.gcount()));
    if (text.size() > kLargestFile) throw place.error("the input is larger than 4 GiB");
  }
  if (in.bad()) throw place.error(fmt::format("cannot read the file: {}", std::strerror(errno)));
  return text;
}

InputError TextPlace::error(std::size_t line, std::size_t column, std::string_view message) const {
  SourcePosition position;
  position.file = file_;
  position.line = static_cast<int>(line);
  position.column = static_cast<int>(column);
  return InputError(fmt::format("{}: {}", position.to_string(), message));
}

bool LineReader::next() {
  if (rest_.empty()) return false;
  const std::size_t end = rest_.find('\n');
  line_ = rest_.substr(0, end);
  rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
  if (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
  ++number_;
  return true;
}

void LineCursor::skip_blanks() {
  while (!at_end() && is_blank(line_[at_])) ++at_;
}

bool LineCursor::accept(std::string_view literal) {
  if (!rest().starts_with(literal)) return false;
  at_ += literal.size();
  return true;
}

std::string_view LineCursor::word() {
  const std::size_t start = at_;
  while (!at_end() && !is_blank(line_[at_])) ++at_;
  return line_.substr(start, at_ - start);
}

std::optional<std::uint64_t> LineCursor::number(int base, std::uint64_t maximum) {
  std::uint64_t value = 0;
  const char* begin = line_.data() + at_;
  const auto [end, problem] = std::from_chars(begin, line_.data() + line_.size(), value, base);
  if (problem != std::errc() || value > maximum) return std::nullopt;
  at_ += static_cast<std::size_t>(end - begin);
  return value;
}

std::optional<std::string_view> LineCursor::quoted() {
  if (peek() != '"') return std::nullopt;
  const std::size_t end = line_.find('"', at_ + 1);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view text = line_.substr(at_ + 1, end - at_ - 1);
  at_ = end + 1;
  return text;
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string shown(text.substr(0, kLongest));
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return c >= 0 && (c < ' ' || c == '\x7f'); }, '?');
  if (text.size() > kLongest) shown += "...";
  return shown;
}

}  // namespace weir::topology
