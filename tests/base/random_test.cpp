#include "weir/base/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

namespace weir {
namespace {

constexpr int kDraws = 200'000;

/// Chi-square statistic of counts against equal expectations.
double chi_square(const std::vector<int>& counts) {
  double total = 0;
  for (const int count : counts) total += count;
  const double expected = total / static_cast<double>(counts.size());
  double statistic = 0;
  for (const int count : counts) statistic += (count - expected) * (count - expected) / expected;
  return statistic;
}

/// Mean plus five standard deviations of the statistic: passed by one in millions of fair
/// generators.
double chi_square_limit(std::size_t cells) {
  const auto degrees = static_cast<double>(cells - 1);
  return degrees + 5 * std::sqrt(2 * degrees) + 10;
}

std::vector<std::uint64_t> first(RandomStream stream, int count) {
  std::vector<std::uint64_t> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(stream());
  return numbers;
}

TEST(Philox, GivesThePublishedBlocks) {
  // Known answers that Random123 publishes for philox4x32-10: counter, key, result.
  using Block = std::array<std::uint32_t, 4>;
  const auto philox = [](Block counter, std::uint32_t key0, std::uint32_t key1) {
    const r123::Philox4x32::ctr_type c{{counter[0], counter[1], counter[2], counter[3]}};
    const auto block = r123::Philox4x32()(c, r123::Philox4x32::key_type{{key0, key1}});
    return Block{block[0], block[1], block[2], block[3]};
  };
  EXPECT_EQ(philox({0, 0, 0, 0}, 0, 0), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t kOnes = 0xffffffff;
  EXPECT_EQ(philox({kOnes, kOnes, kOnes, kOnes}, kOnes, kOnes),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0xa4093822, 0x299f31d0),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomStream, IsPhiloxCountingInItsFirstWords) {
  const std::uint64_t seed = 0x0123456789abcdef;
  const std::vector<std::uint64_t> numbers = first({seed, 42, StreamPurpose::routing}, 6);
  for (std::uint32_t n = 0; n < 3; ++n) {
    const r123::Philox4x32::ctr_type counter{
        {n, 0, 42, static_cast<std::uint32_t>(StreamPurpose::routing)}};
    const auto block = r123::Philox4x32()(counter, {{0x89abcdef, 0x01234567}});
    EXPECT_EQ(numbers[2 * n], block[0] | static_cast<std::uint64_t>(block[1]) << 32);
    EXPECT_EQ(numbers[2 * n + 1], block[2] | static_cast<std::uint64_t>(block[3]) << 32);
  }
}

TEST(RandomStream, RepeatsItselfWhateverOthersDraw) {
  RandomStream a(1, 7, StreamPurpose::arrivals);
  RandomStream other(1, 8, StreamPurpose::arrivals);
  for (const std::uint64_t expected : first({1, 7, StreamPurpose::arrivals}, 100)) {
    EXPECT_EQ(a(), expected);
    other();
  }
}

TEST(RandomStream, DiffersBySeedEntityAndPurpose) {
  std::set<std::uint64_t> seen;
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 32}) {
    for (std::uint32_t entity = 0; entity < 50; ++entity) {
      for (const auto purpose : {StreamPurpose::arrivals, StreamPurpose::destinations}) {
        for (const std::uint64_t number : first({seed, entity, purpose}, 20)) seen.insert(number);
      }
    }
  }
  EXPECT_EQ(seen.size(), 3U * 50U * 2U * 20U);
}

TEST(RandomStream, NeighbouringStreamsAreUncorrelated) {
  RandomStream a(5, 100, StreamPurpose::sizes);
  RandomStream b(5, 101, StreamPurpose::sizes);
  double sum = 0;
  for (int i = 0; i < kDraws; ++i) sum += (a.unit() - 0.5) * (b.unit() - 0.5);
  const double correlation = 12 * sum / kDraws;
  EXPECT_LT(std::abs(correlation), 5 / std::sqrt(kDraws));
}

TEST(RandomStream, UnitIsInItsHalfOpenIntervalAndEven) {
  RandomStream stream(11, 0, StreamPurpose::test);
  std::vector<int> counts(100);
  for (int i = 0; i < kDraws; ++i) {
    const double u = stream.unit();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    ++counts[static_cast<std::size_t>(u * 100)];
  }
  EXPECT_LT(chi_square(counts), chi_square_limit(counts.size()));
}

TEST(RandomStream, BelowIsEvenForBoundsThatAreNoPowersOfTwo) {
  for (const std::uint64_t bound : {2U, 3U, 7U, 10U, 432U}) {
    RandomStream stream(3, 0, StreamPurpose::test);
    std::vector<int> counts(bound);
    for (int i = 0; i < kDraws; ++i) {
      const std::uint64_t n = stream.below(bound);
      ASSERT_LT(n, bound);
      ++counts[n];
    }
    EXPECT_LT(chi_square(counts), chi_square_limit(bound)) << "bound " << bound;
  }
}

TEST(RandomStream, BelowIsUnbiasedForHugeBounds) {
  // Without rejection a third of this range would come up twice as often as the rest.
  const std::uint64_t bound = (std::uint64_t{1} << 63) + (std::uint64_t{1} << 62);
  RandomStream stream(3, 1, StreamPurpose::test);
  std::vector<int> thirds(3);
  std::vector<int> residues(3);
  for (int i = 0; i < kDraws; ++i) {
    const std::uint64_t n = stream.below(bound);
    ASSERT_LT(n, bound);
    ++thirds[n / (bound / 3)];
    ++residues[n % 3];
  }
  EXPECT_LT(chi_square(thirds), chi_square_limit(3));
  EXPECT_LT(chi_square(residues), chi_square_limit(3));
}

TEST(RandomStream, BelowOneIsZero) {
  RandomStream stream;
  for (int i = 0; i < 100; ++i) EXPECT_EQ(stream.below(1), 0U);
}

TEST(RandomStream, ExponentialHasItsMeanAndIsFinite) {
  RandomStream stream(2, 9, StreamPurpose::arrivals);
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = stream.exponential(40.0);
    ASSERT_GE(x, 0.0);
    ASSERT_TRUE(std::isfinite(x));
    sum += x;
    squares += x * x;
  }
  const double mean = sum / kDraws;
  const double variance = squares / kDraws - mean * mean;
  EXPECT_NEAR(mean, 40.0, 5 * 40.0 / std::sqrt(kDraws));
  EXPECT_NEAR(variance, 1600.0, 5 * 1600.0 * std::sqrt(8.0 / kDraws));
}

TEST(RandomStream, WorksWithTheStandardDistributions) {
  static_assert(std::uniform_random_bit_generator<RandomStream>);
  RandomStream stream(4, 0, StreamPurpose::test);
  std::uniform_int_distribution<int> die(1, 6);
  std::vector<int> counts(6);
  for (int i = 0; i < kDraws; ++i) ++counts[static_cast<std::size_t>(die(stream) - 1)];
  EXPECT_LT(chi_square(counts), chi_square_limit(6));
}

}  // namespace
}  // namespace weir
