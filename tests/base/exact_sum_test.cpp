#include "weir/base/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "weir/base/random.hpp"

namespace weir {
namespace {

TEST(ExactSum, IsTheSameInAnyOrderAndInAnyParts) {
  RandomStream random(1, 0, StreamPurpose::test);
  std::vector<double> numbers;
  double scale = 1e-9;
  for (int i = 0; i < 2'000; ++i) {
    numbers.push_back((random.unit() - 0.3) * scale);
    scale = scale > 1e12 ? 1e-9 : scale * 3;
  }
  ExactSum whole;
  for (const double x : numbers) whole.add(x);
  std::reverse(numbers.begin(), numbers.end());
  ExactSum first;
  ExactSum second;
  for (std::size_t i = 0; i < numbers.size(); ++i) (i % 3 == 0 ? first : second).add(numbers[i]);
  first += second;
  EXPECT_EQ(first.value(), whole.value());
}

TEST(ExactSum, AddsWholeNumbersBeyondADoubleExactly) {
  const std::int64_t large = (std::int64_t{1} << 62) + 1;
  ExactSum sum(large);
  for (int i = 0; i < 7; ++i) sum.add(large);
  EXPECT_EQ((sum - ExactSum(large) * 8).value(), 0);
  sum.add(std::uint64_t{3});
  EXPECT_EQ((sum - ExactSum(large) * 8).value(), 3);
}

TEST(ExactSum, CutsOffBeyondSteps) {
  EXPECT_EQ(ExactSum(0.75).value(), 0.75);
  EXPECT_EQ(ExactSum(-0.75).value(), -0.75);
  EXPECT_NEAR(ExactSum(0.1).value(), 0.1, 0x1p-32);
  EXPECT_EQ(ExactSum(1e-10).value(), 0);
  EXPECT_EQ(ExactSum(0x1p80).value(), 0x1p80);
}

}  // namespace
}  // namespace weir
