#include "weir/traffic/column_reader.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace weir::traffic {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace

std::string quoted(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string shown = "'";
  for (const char c : text.substr(0, kShown)) shown += c >= ' ' && c <= '~' ? c : '?';
  return shown + (text.size() > kShown ? "...'" : "'");
}

std::ifstream open_input(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw std::runtime_error(fmt::format("cannot read '{}': it is a folder", path));
  }
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw std::runtime_error(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  return in;
}

ColumnReader::ColumnReader(std::istream& in, std::string file)
    : in_(in), file_(std::make_shared<const std::string>(std::move(file))) {}

bool ColumnReader::read_line() {
  in_.getline(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  if (in_.bad()) throw file_error("cannot be read to its end");
  const auto count = static_cast<std::size_t>(in_.gcount());
  if (in_.eof()) {
    if (count == 0) return false;
    ++line_;
    throw error("the file ends inside this line (no newline): is it truncated?");
  }
  ++line_;
  if (in_.fail()) throw error(fmt::format("is longer than {} characters", kLongestLine - 1));
  length_ = count - 1;  // the newline counts
  return true;
}

bool ColumnReader::next() {
  while (read_line()) {
    std::string_view text(buffer_.data(), length_);
    if (line_ == 1 && text.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
      std::fill_n(buffer_.begin(), kByteOrderMark.size(), ' ');
    }
    split(text.substr(0, text.find('#')));
    if (!fields_.empty()) return true;
  }
  return false;
}

void ColumnReader::split(std::string_view text) {
  fields_.clear();
  std::size_t i = 0;
  bool after_comma = false;
  while (true) {
    while (i < text.size() && is_blank(text[i])) ++i;
    if (i == text.size()) break;
    const std::size_t begin = i;
    while (i < text.size() && !is_blank(text[i]) && text[i] != ',') ++i;
    add_field(text, begin, i);
    while (i < text.size() && is_blank(text[i])) ++i;
    after_comma = i < text.size() && text[i] == ',';
    if (after_comma) ++i;
  }
  if (after_comma) add_field(text, text.size(), text.size());
}

void ColumnReader::add_field(std::string_view text, std::size_t begin, std::size_t end) {
  const Field field{text.substr(begin, end - begin), static_cast<int>(begin) + 1};
  if (field.text.empty()) throw InputError(position(field.column), "", "a value is missing here");
  fields_.push_back(field);
}

void ColumnReader::expect(const std::vector<std::string>& names) const {
  if (fields_.size() == names.size()) return;
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : " ") + name;
  if (fields_.size() > names.size()) {
    throw InputError(position(fields_[names.size()].column), "",
                     fmt::format("{} is one value too many: a line has {} ({})",
                                 quoted(fields_[names.size()].text), names.size(), list));
  }
  throw InputError(position(static_cast<int>(length_) + 1), names[fields_.size()],
                   fmt::format("is missing: a line has {} values ({}), this one has {}",
                               names.size(), list, fields_.size()));
}

std::uint64_t ColumnReader::whole_number(std::size_t i, std::string_view name) const {
  const std::string_view text = fields_[i].text;
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure == std::errc::result_out_of_range) {
    throw error(i, name, quoted(text) + " is too large");
  }
  if (failure != std::errc() || end != text.data() + text.size()) {
    throw error(i, name, "must be a whole number from 0, not " + quoted(text));
  }
  return number;
}

HostId ColumnReader::host(std::size_t i, std::string_view name, std::size_t hosts) const {
  const std::uint64_t number = whole_number(i, name);
  if (number >= hosts) {
    throw error(i, name, fmt::format("there is no host {}: hosts are 0 to {}", number, hosts - 1));
  }
  return HostId(static_cast<std::size_t>(number));
}

InputError ColumnReader::error(std::size_t i, std::string_view name,
                               std::string_view message) const {
  return {position(fields_[i].column), name, message};
}

InputError ColumnReader::error(std::string_view message) const {
  return {position(0), "", message};
}

InputError ColumnReader::file_error(std::string_view message) const {
  return {SourcePosition{file_, 0, 0}, "", message};
}

SourcePosition ColumnReader::position(int column) const { return {file_, line_, column}; }

}  // namespace weir::traffic
