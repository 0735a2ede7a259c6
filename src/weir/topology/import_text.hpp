#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "weir/base/error.hpp"

namespace weir::topology {

/// Ports that all nodes of an imported network have together, at most.
inline constexpr std::size_t kMostPortsOfAll = std::size_t{1} << 22U;

/// The whole of a text file. Throws InputError when it cannot be read or is larger than 4 GiB.
std::string read_text_file(const std::string& path);

/// Names a file once for many messages, and makes InputErrors at a place in it.
class TextPlace {
 public:
  explicit TextPlace(const std::string& file) : file_(std::make_shared<const std::string>(file)) {}

  /// "file:line:column: message"; line or column 0 leaves that part out.
  [[nodiscard]] InputError error(std::size_t line, std::size_t column,
                                 std::string_view message) const;
  [[nodiscard]] InputError error(std::size_t line, std::string_view message) const {
    return error(line, 0, message);
  }
  [[nodiscard]] InputError error(std::string_view message) const { return error(0, 0, message); }
  [[nodiscard]] const std::string& file() const { return *file_; }

 private:
  std::shared_ptr<const std::string> file_;
};

/// Steps through a text line by line; LF and CRLF both end a line.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : rest_(text) {}

  /// Moves to the next line; false at the end of the text.
  bool next();
  [[nodiscard]] std::string_view line() const { return line_; }
  /// Number of the line, from 1.
  [[nodiscard]] std::size_t number() const { return number_; }

 private:
  std::string_view rest_;
  std::string_view line_;
  std::size_t number_ = 0;
};

/// Reads tokens from left to right out of one line. A failed read leaves the position unchanged.
class LineCursor {
 public:
  explicit LineCursor(std::string_view line) : line_(line) {}

  void skip_blanks();
  [[nodiscard]] bool at_end() const { return at_ == line_.size(); }
  [[nodiscard]] char peek() const { return at_end() ? '\0' : line_[at_]; }
  [[nodiscard]] std::string_view rest() const { return line_.substr(at_); }
  /// Column of the next character, from 1.
  [[nodiscard]] std::size_t column() const { return at_ + 1; }
  void advance(std::size_t count) { at_ += count; }

  bool accept(std::string_view literal);
  /// Characters up to the next blank; empty at the end of the line.
  std::string_view word();
  /// Unsigned number in base 10 or 16 (digits only, no sign or prefix) that is at most `maximum`.
  std::optional<std::uint64_t> number(int base, std::uint64_t maximum);
  /// What stands between a quote here and the next quote.
  std::optional<std::string_view> quoted();

 private:
  std::string_view line_;
  std::size_t at_ = 0;
};

/// Text of the user's file for a message: cut after 60 bytes, with bytes that do not print as '?'.
std::string excerpt(std::string_view text);

}  // namespace weir::topology
