#include "weir/workload/goal_tokens.hpp"

#include "weir/traffic/column_reader.hpp"

namespace weir::workload {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

GoalTokens::GoalTokens(std::string_view text, const std::string& file)
    : text_(text), file_(std::make_shared<const std::string>(file)) {
  if (text_.starts_with("\xEF\xBB\xBF")) place_ = line_begin_ = 3;
  advance();
}

Token GoalTokens::next() {
  const Token token = now_;
  advance();
  return token;
}

InputError GoalTokens::error(const Token& at, std::string_view key,
                             std::string_view message) const {
  return {SourcePosition{file_, at.line, at.column}, key, message};
}

void GoalTokens::skip_comment() {
  if (at(place_ + 1) == '/') {
    while (place_ < text_.size() && text_[place_] != '\n') ++place_;
    return;
  }
  const Token begin{TokenKind::symbol, text_.substr(place_, 2), line_,
                    static_cast<int>(place_ - line_begin_ + 1)};
  place_ += 2;
  while (place_ < text_.size() && !(text_[place_] == '*' && at(place_ + 1) == '/')) {
    if (text_[place_] == '\n') {
      ++line_;
      line_begin_ = place_ + 1;
    }
    ++place_;
  }
  if (place_ >= text_.size()) throw error(begin, "comment", "never ends; '*/' is missing");
  place_ += 2;
}

void GoalTokens::skip() {
  while (place_ < text_.size()) {
    const char c = text_[place_];
    const char after = at(place_ + 1);
    if (c == ' ' || c == '\t' || (c == '\r' && after == '\n')) {
      ++place_;
    } else if (c == '/' && (after == '/' || after == '*')) {
      skip_comment();
    } else {
      return;
    }
  }
}

void GoalTokens::advance() {
  skip();
  now_ = {TokenKind::file_end, {}, line_, static_cast<int>(place_ - line_begin_ + 1)};
  if (place_ >= text_.size()) return;
  const std::size_t begin = place_;
  const char c = text_[place_++];
  if (c == '\n') {
    now_.kind = TokenKind::line_end;
    ++line_;
    line_begin_ = place_;
  } else if (is_digit(c)) {
    now_.kind = TokenKind::number;
    while (is_digit(at(place_))) ++place_;
  } else if (is_letter(c)) {
    now_.kind = TokenKind::word;
    while (is_letter(at(place_)) || is_digit(at(place_)) || at(place_) == '_') ++place_;
  } else {
    now_.kind = TokenKind::symbol;
    if (c != '{' && c != '}' && c != ':' && c != '-') {
      throw error(now_, "schedule",
                  traffic::quoted(text_.substr(begin, 1)) + " means nothing here");
    }
  }
  now_.text = text_.substr(begin, place_ - begin);
}

std::string quoted(const Token& token) {
  if (token.kind == TokenKind::file_end) return "the end of the file";
  if (token.kind == TokenKind::line_end) return "the end of the line";
  return traffic::quoted(token.text);
}

}  // namespace weir::workload
