#pragma once

#include <array>
#include <cstdint>
#include <fstream>
#include <istream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/error.hpp"
#include "weir/base/ids.hpp"

namespace weir::traffic {

/// One value of a line.
struct Field {
  std::string_view text;
  int column = 0;  ///< from 1
};

/// Reads a text file of columns line by line: fields stand apart by blanks, tabs or one comma; '#'
/// begins a comment; lines without fields are skipped. Every line must end with a newline, so that
/// a cut-off file is noticed. No allocation per line.
class ColumnReader {
 public:
  ColumnReader(std::istream& in, std::string file);

  /// Steps to the next line with fields; false at the end of the file. Throws InputError.
  bool next();

  [[nodiscard]] const std::vector<Field>& fields() const { return fields_; }
  [[nodiscard]] const Field& field(std::size_t i) const { return fields_[i]; }
  [[nodiscard]] int line() const { return line_; }

  /// Throws unless the line has exactly `names.size()` fields.
  void expect(const std::vector<std::string>& names) const;
  /// Field i as a whole number from 0; `name` is for messages.
  [[nodiscard]] std::uint64_t whole_number(std::size_t i, std::string_view name) const;
  /// Field i as a host number below `hosts`.
  [[nodiscard]] HostId host(std::size_t i, std::string_view name, std::size_t hosts) const;

  /// An error at field i of this line.
  [[nodiscard]] InputError error(std::size_t i, std::string_view name,
                                 std::string_view message) const;
  /// An error at this line.
  [[nodiscard]] InputError error(std::string_view message) const;
  /// An error about the file.
  [[nodiscard]] InputError file_error(std::string_view message) const;

 private:
  static constexpr std::size_t kLongestLine = 4096;

  /// Reads one line into buffer_; false at the end.
  bool read_line();
  void split(std::string_view text);
  void add_field(std::string_view text, std::size_t begin, std::size_t end);
  [[nodiscard]] SourcePosition position(int column) const;

  std::istream& in_;
  std::shared_ptr<const std::string> file_;
  int line_ = 0;
  std::size_t length_ = 0;
  std::array<char, kLongestLine> buffer_{};
  std::vector<Field> fields_;
};

/// `text` in quotes, shortened and with control characters replaced, for messages.
std::string quoted(std::string_view text);

/// Opens a file to read. Throws std::runtime_error with "cannot read 'x': reason".
std::ifstream open_input(const std::string& path);

}  // namespace weir::traffic
