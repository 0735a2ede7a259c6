#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "weir/base/error.hpp"

namespace weir::experiment::claims {

/// Arithmetic over named values: "a / b", "max(a, b) - c". Syntax of muParser, without assignment:
/// + - * / ^, comparisons, && ||, c ? x : y, min max sum avg abs sqrt exp ln log10 and so on.
class Expression {
 public:
  /// Throws InputError when it is no arithmetic over exactly these names: at the character that is
  /// wrong, with the nearest name. `position` is that of the text in the file.
  Expression(std::string text, std::vector<std::string> names, const SourcePosition& position,
             const std::string& key);
  ~Expression();
  Expression(const Expression&) = delete;
  Expression& operator=(const Expression&) = delete;

  /// `values` in the order of the names. NaN or infinite where the arithmetic has no result. By one
  /// thread at a time.
  [[nodiscard]] double evaluate(std::span<const double> values) const;
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  struct Parser;

  std::string text_;
  std::unique_ptr<Parser> parser_;
};

/// A name that can stand in an expression: a letter or "_", then letters, digits and "_", and no
/// function or constant.
bool is_value_name(const std::string& name);

}  // namespace weir::experiment::claims
