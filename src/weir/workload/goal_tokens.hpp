#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "weir/base/error.hpp"

namespace weir::workload {

enum class TokenKind : std::uint8_t { word, number, symbol, line_end, file_end };

/// A piece of GOAL text.
struct Token {
  TokenKind kind = TokenKind::file_end;
  std::string_view text;
  int line = 0;
  int column = 0;
};

/// Cuts GOAL text into words, whole numbers, the symbols { } : -, and ends of lines; skips blanks
/// and comments. Keeps no more than the text and a place in it.
class GoalTokens {
 public:
  GoalTokens(std::string_view text, const std::string& file);

  /// The token at hand; next() goes on.
  [[nodiscard]] const Token& now() const { return now_; }
  Token next();

  [[nodiscard]] InputError error(const Token& at, std::string_view key,
                                 std::string_view message) const;
  [[nodiscard]] const std::shared_ptr<const std::string>& file() const { return file_; }

 private:
  void advance();
  /// Over blanks and comments, up to what counts.
  void skip();
  void skip_comment();
  [[nodiscard]] char at(std::size_t place) const {
    return place < text_.size() ? text_[place] : '\0';
  }

  std::string_view text_;
  std::shared_ptr<const std::string> file_;
  std::size_t place_ = 0;
  std::size_t line_begin_ = 0;
  int line_ = 1;
  Token now_;
};

/// What a token is, for messages: "'send'", "the end of the line".
std::string quoted(const Token& token);

}  // namespace weir::workload
