#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "weir/base/chunked_vector.hpp"

namespace weir {
namespace {

using Eights = ChunkedVector<std::size_t, 3>;

std::vector<std::size_t> all_of(const Eights& numbers) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < numbers.size(); ++i) all.push_back(numbers[i]);
  return all;
}

TEST(ChunkedVector, KeepsWhatIsPutInInItsOrder) {
  Eights numbers;
  EXPECT_EQ(numbers.size(), 0U);
  EXPECT_TRUE(all_of(numbers).empty());
  std::vector<std::size_t> expected;
  for (std::size_t i = 0; i < 27; ++i) {
    EXPECT_EQ(numbers.emplace_back(), 0U) << "a new one has its default";
    numbers[i] = i * i;
    expected.push_back(i * i);
    ASSERT_EQ(numbers.size(), i + 1);
    ASSERT_EQ(all_of(numbers), expected);
  }
  const Eights& constant = numbers;
  for (std::size_t i = 0; i < 27; ++i) EXPECT_EQ(constant[i], i * i);
}

TEST(ChunkedVector, MovesNothingOnceTheFirstChunkIsFull) {
  Eights numbers;
  for (std::size_t i = 0; i < 8; ++i) numbers.emplace_back();
  const std::size_t* const first = &numbers[0];
  for (std::size_t i = 8; i < 100; ++i) {
    const std::size_t* const last = &numbers.emplace_back();
    ASSERT_EQ(&numbers[i], last);
    ASSERT_EQ(&numbers[0], first);
  }
}

TEST(ChunkedVector, GrowsToASize) {
  Eights numbers;
  numbers.grow_to(19);
  EXPECT_EQ(all_of(numbers), std::vector<std::size_t>(19));
  numbers[18] = 7;
  numbers.grow_to(3);
  EXPECT_EQ(numbers.size(), 19U) << "it never shrinks";
  EXPECT_EQ(numbers[18], 7U);
}

TEST(ChunkedVector, TakesAChunkMoreAtATime) {
  Eights numbers;
  EXPECT_EQ(numbers.memory(), 0U);
  numbers.emplace_back();
  EXPECT_LT(numbers.memory(), 8 * sizeof(std::size_t)) << "the first chunk grows";
  for (std::size_t i = 1; i < 8; ++i) numbers.emplace_back();
  EXPECT_EQ(numbers.memory(), 8 * sizeof(std::size_t));
  numbers.emplace_back();
  EXPECT_EQ(numbers.memory(), 16 * sizeof(std::size_t));
}

}  // namespace
}  // namespace weir
