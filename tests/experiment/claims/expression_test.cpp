#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "experiment/support.hpp"
#include "weir/experiment/claims/expression.hpp"

namespace weir::experiment::claims::expression_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

SourcePosition place() { return {std::make_shared<const std::string>("claims.toml"), 7, 11}; }

double value_of(const std::string& text) {
  return Expression(text, {"a", "b"}, place(), "measure").evaluate(std::vector{6.0, 4.0});
}

std::string refusal_of(const std::string& text) {
  return refusal([&] { (void)Expression(text, {"alpha", "b"}, place(), "measure"); });
}

TEST(ClaimExpression, IsArithmeticOverNames) {
  EXPECT_DOUBLE_EQ(value_of("a / b"), 1.5);
  EXPECT_DOUBLE_EQ(value_of("max(a, b) - 2 ^ b / 8"), 4);
  EXPECT_DOUBLE_EQ(value_of("a > b ? a - b : 0"), 2);
  EXPECT_DOUBLE_EQ(value_of("a >= 6 && b != 3"), 1);
  EXPECT_FALSE(std::isfinite(value_of("a / (b - 4)")));
}

TEST(ClaimExpression, AnUnknownNameIsToldWhereItStands) {
  const std::string message = refusal_of("b + alpa");
  // Column 11 is the quote before the text.
  EXPECT_THAT(message, StartsWith("claims.toml:7:16: measure: "));
  EXPECT_THAT(message, HasSubstr("'alpa' is no value and no function (did you mean 'alpha'?)"));
}

TEST(ClaimExpression, WrongSyntaxIsRefused) {
  EXPECT_THAT(refusal_of("alpha / (b"), HasSubstr("a bracket is not closed"));
  EXPECT_THAT(refusal_of("alpha + b)"), HasSubstr("claims.toml:7:21: "));
  EXPECT_THAT(refusal_of("alpha +"), HasSubstr("it ends where a value is expected"));
  EXPECT_THAT(refusal_of("alpha b"), HasSubstr("follows a value without an operator"));
  EXPECT_THAT(refusal_of("alpha = b"),
              HasSubstr("claims.toml:7:18: measure: 'alpha = b': '=' has"));
  EXPECT_THAT(refusal_of("alpha, b"), HasSubstr("must be one number"));
  EXPECT_THAT(refusal_of("alpha + b + \"x\""), HasSubstr("has no meaning here"));
  EXPECT_THAT(refusal_of(""), HasSubstr("is empty"));
  EXPECT_THAT(refusal_of(std::string(60, '(') + "alpha + b" + std::string(60, ')')),
              HasSubstr("nested too deeply"));
}

TEST(ClaimExpression, EveryValueIsUsed) {
  EXPECT_THAT(refusal_of("alpha"), HasSubstr("does not use the value 'b'"));
  EXPECT_THAT(refusal_of("alpha * 2 + abs(3)"), HasSubstr("does not use the value 'b'"));
}

TEST(ClaimExpression, NamesOfValuesAreWords) {
  EXPECT_TRUE(is_value_name("cold_1"));
  for (const char* wrong : {"", "1a", "a-b", "max", "_pi"}) {
    EXPECT_FALSE(is_value_name(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace weir::experiment::claims::expression_test
