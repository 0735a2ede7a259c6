#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// Where a value of the user's input stands. Line and column count from 1; 0 means unknown.
struct SourcePosition {
  std::shared_ptr<const std::string> file;
  int line = 0;
  int column = 0;

  /// "file:line:column", with the unknown parts left out.
  [[nodiscard]] std::string to_string() const;
};

/// The user's input is wrong. what() is "file:line:column: key: message". Exit status 2.
/// Several mistakes of one input are one error (see Problems): what() has a line for each, and
/// key(), message() and position() are those of the first.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message) : InputError(std::string_view(), message) {}
  /// What knows a key ("buffer.ingress") but not where it stands.
  InputError(std::string_view key, std::string_view message)
      : InputError(SourcePosition(), key, message) {}
  InputError(const SourcePosition& position, std::string_view key, std::string_view message);
  /// All of `problems`, of which there is at least one.
  explicit InputError(std::vector<InputError> problems);

  /// Each mistake by itself; where there is one only, this error.
  [[nodiscard]] std::vector<InputError> all() const;

  /// Dotted; empty: no key is to blame.
  [[nodiscard]] const std::string& key() const { return key_; }
  [[nodiscard]] const std::string& message() const { return message_; }
  /// Where it stands; unknown where whoever threw it knew no place.
  [[nodiscard]] const SourcePosition& position() const { return position_; }
  /// what() names a place in a file, or an option of the command line.
  [[nodiscard]] bool has_place() const { return position_.line != 0 || position_.file != nullptr; }

 private:
  std::string key_;
  std::string message_;
  SourcePosition position_;
  std::shared_ptr<const std::vector<InputError>> all_;  ///< null: it is the only one
};

/// The run failed: deadlock, broken invariant, lost packet. Exit status 1.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The closest of `known` to `wrong` by edit distance, or empty when nothing is near.
std::string nearest_name(std::string_view wrong, std::span<const std::string> known);

/// " (did you mean 'x'?)" or, when nothing is near, " (known: a, b, c)"; of very many names those
/// that begin most like it.
std::string suggestion(std::string_view wrong, std::span<const std::string> known);

}  // namespace weir
