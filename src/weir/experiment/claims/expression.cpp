#include "weir/experiment/claims/expression.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <utility>

namespace weir::experiment::claims {
namespace {

constexpr std::size_t kLongest = 1000;
/// muParser parses brackets recursively.
constexpr int kDeepest = 50;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Says where in the text something is wrong.
class Complaint {
 public:
  Complaint(const std::string& text, const SourcePosition& position, const std::string& key)
      : text_(text), position_(position), key_(key) {}

  [[nodiscard]] InputError at(std::size_t place, const std::string& what) const {
    SourcePosition where = position_;
    // The text begins behind its quote.
    if (where.column > 0) where.column += 1 + static_cast<int>(std::min(place, text_.size()));
    return {where, key_, fmt::format("'{}': {}", text_, what)};
  }

 private:
  const std::string& text_;
  const SourcePosition& position_;
  const std::string& key_;
};

std::string message(const mu::ParserError& error, const std::vector<std::string>& names) {
  const std::string& token = error.GetToken();
  switch (error.GetCode()) {
    case mu::ecUNASSIGNABLE_TOKEN:
      return fmt::format("'{}' is no value and no function{}", token, suggestion(token, names));
    case mu::ecUNEXPECTED_EOF:
      return "it ends where a value is expected";
    case mu::ecMISSING_PARENS:
      return "a bracket is not closed";
    case mu::ecUNEXPECTED_PARENS:
      return "a bracket does not fit";
    case mu::ecUNEXPECTED_OPERATOR:
      return fmt::format("the operator '{}' does not fit", token);
    case mu::ecUNEXPECTED_VAL:
    case mu::ecUNEXPECTED_VAR:
      return fmt::format("'{}' follows a value without an operator", token);
    case mu::ecUNEXPECTED_FUN:
      return fmt::format("the function '{}' follows a value without an operator", token);
    case mu::ecTOO_MANY_PARAMS:
    case mu::ecTOO_FEW_PARAMS:
      return fmt::format("the function '{}' has too {} arguments", token,
                         error.GetCode() == mu::ecTOO_MANY_PARAMS ? "many" : "few");
    default:
      return error.GetMsg();
  }
}

/// Everything that muParser knows by name.
bool is_known_to_parser(const std::string& name) {
  const mu::Parser parser;
  return parser.GetFunDef().contains(name) || parser.GetConst().contains(name);
}

void refuse_assignment(const std::string& text, const Complaint& complaint) {
  for (std::size_t i = text.find('='); i != std::string::npos; i = text.find('=', i + 1)) {
    const bool is_second = i > 0 && std::string_view("=<>!").find(text[i - 1]) != std::string::npos;
    const bool is_first = i + 1 < text.size() && text[i + 1] == '=';
    if (!is_second && !is_first) throw complaint.at(i, "'=' has no meaning here; '==' compares");
  }
}

void refuse_nesting(const std::string& text, const Complaint& complaint) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_plain =
        is_word(c) || std::string_view(" .+-*/^()<>=!&|?:,").find(c) != std::string_view::npos;
    if (!is_plain) throw complaint.at(i, fmt::format("'{}' has no meaning here", c));
    // A condition costs a level as well.
    if (c == '(' || c == '?') ++depth;
    if (c == ')') --depth;
    if (depth > kDeepest) throw complaint.at(i, "is nested too deeply");
  }
}

/// The names that stand in the text as words.
bool uses(const std::string& text, const std::string& name) {
  for (std::size_t i = text.find(name); i != std::string::npos; i = text.find(name, i + 1)) {
    const std::size_t end = i + name.size();
    if ((i == 0 || !is_word(text[i - 1])) && (end == text.size() || !is_word(text[end]))) {
      return true;
    }
  }
  return false;
}

}  // namespace

struct Expression::Parser {
  mu::Parser parser;
  std::vector<double> values;
};

Expression::Expression(std::string text, std::vector<std::string> names,
                       const SourcePosition& position, const std::string& key)
    : text_(std::move(text)), parser_(std::make_unique<Parser>()) {
  const Complaint complaint(text_, position, key);
  if (text_.find_first_not_of(' ') == std::string::npos)
    throw InputError(position, key, "is empty");
  if (text_.size() > kLongest) throw InputError(position, key, "is too long");
  refuse_assignment(text_, complaint);
  refuse_nesting(text_, complaint);
  parser_->values.resize(names.size(), 1.0);
  try {
    for (std::size_t i = 0; i < names.size(); ++i) {
      parser_->parser.DefineVar(names[i], &parser_->values[i]);
    }
    parser_->parser.SetExpr(text_);
    int results = 0;
    (void)parser_->parser.Eval(results);
    if (results != 1) throw complaint.at(text_.find(','), "is a list; it must be one number");
  } catch (const mu::ParserError& error) {
    throw complaint.at(static_cast<std::size_t>(std::max(0, error.GetPos())),
                       message(error, names));
  }
  for (const std::string& name : names) {
    if (!uses(text_, name)) throw complaint.at(0, fmt::format("does not use the value '{}'", name));
  }
}

Expression::~Expression() = default;

double Expression::evaluate(std::span<const double> values) const {
  std::copy_n(values.begin(), parser_->values.size(), parser_->values.begin());
  try {
    return parser_->parser.Eval();
  } catch (const mu::ParserError&) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

bool is_value_name(const std::string& name) {
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::all_of(name.begin(), name.end(), is_word) && !is_known_to_parser(name);
}

}  // namespace weir::experiment::claims
