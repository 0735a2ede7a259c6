#include <map>

#include "tests/traffic/helpers.hpp"

namespace weir::traffic::sizes_test {
namespace {

using testing::HasSubstr;

constexpr std::size_t kDraws = 100'000;

/// How often each size comes.
std::map<std::int64_t, double> drawn(const std::string& sizes) {
  const topology::Graph graph = star(4);
  Traffic traffic = traffic_of(entry("sizes = " + sizes), graph);
  std::map<std::int64_t, double> counts;
  for (const auto& message : take(*traffic.sources[0].source, kDraws)) ++counts[message.size.count];
  return counts;
}

std::string refused(const std::string& sizes) { return traffic_error(entry("sizes = " + sizes)); }

TEST(FixedSize, IsItsSize) {
  const auto counts = drawn("{ model = \"fixed\", size = \"4 KiB\" }");
  EXPECT_EQ(counts, (std::map<std::int64_t, double>{{4096, kDraws}}));
  EXPECT_THAT(refused("{ model = \"fixed\", size = \"0 B\" }"),
              HasSubstr("sizes.size: must be at least 1 B, not 0"));
}

TEST(Bimodal, HasItsShareOfLargeOnes) {
  auto counts = drawn(
      "{ model = \"bimodal\", small = \"64 B\", large = \"512 B\", large_probability = 0.2 }");
  EXPECT_EQ(counts.size(), 2U);
  EXPECT_NEAR(counts[512] / kDraws, 0.2, 5 * std::sqrt(0.16 / kDraws));
  EXPECT_THAT(refused("{ model = \"bimodal\", small = \"64 B\", large = \"5 B\" }"),
              HasSubstr("large: is smaller than 'small'"));
}

TEST(Bimodal, MeanSetsTheInterval) {
  const topology::Graph graph = star(4);
  Traffic traffic =
      traffic_of(entry("sizes = { model = \"bimodal\", small = \"64 B\", large = \"512 B\" }\n"
                       "arrivals = { model = \"constant\", load = 1.0 }"),
                 graph);
  const auto messages = take(*traffic.sources[0].source, 2);
  EXPECT_NEAR(static_cast<double>((messages[1].at - messages[0].at).count), 288 * 80, 1);
}

TEST(Geometric, HasTheProbabilitiesOfItsFormula) {
  auto counts = drawn("{ model = \"geometric\", mean = \"256 B\", unit = \"64 B\" }");
  double probability = 0.25;
  for (int k = 1; k <= 8; ++k) {
    EXPECT_NEAR(counts[64 * k] / kDraws, probability,
                5 * std::sqrt(probability * (1 - probability) / kDraws))
        << k << " units";
    probability *= 0.75;
  }
  for (const auto& [size, count] : counts) EXPECT_EQ(size % 64, 0) << count;
}

TEST(Geometric, SmallUnitsAreNearlyExponential) {
  double mean = 0;
  double squares = 0;
  double above = 0;
  for (const auto& [size, count] : drawn("{ model = \"geometric\", mean = \"1000 B\" }")) {
    const auto bytes = static_cast<double>(size);
    mean += bytes * count / kDraws;
    squares += bytes * bytes * count / kDraws;
    if (bytes > 2'000) above += count / kDraws;
  }
  EXPECT_NEAR(mean, 1'000, 5 * 1'000 / std::sqrt(kDraws));
  EXPECT_NEAR(squares / (mean * mean), 2, 0.05);
  EXPECT_NEAR(above, std::exp(-2.0), 5 * std::sqrt(0.12 / kDraws));
}

TEST(Geometric, MeanSetsTheInterval) {
  const topology::Graph graph = star(4);
  Traffic traffic =
      traffic_of(entry("sizes = { model = \"geometric\", mean = \"1000 B\", unit = \"10 B\" }\n"
                       "arrivals = { model = \"constant\", load = 0.5 }"),
                 graph);
  const auto messages = take(*traffic.sources[0].source, 2);
  EXPECT_NEAR(static_cast<double>((messages[1].at - messages[0].at).count), 2'000 * 80, 1);
}

TEST(Geometric, OneUnitIsAlwaysOneUnit) {
  EXPECT_EQ(drawn("{ model = \"geometric\", mean = \"8 B\", unit = \"8 B\" }"),
            (std::map<std::int64_t, double>{{8, kDraws}}));
  EXPECT_THAT(refused("{ model = \"geometric\", mean = \"8 B\", unit = \"9 B\" }"),
              HasSubstr("sizes.mean: is smaller than 'unit'"));
  EXPECT_THAT(refused("{ model = \"geometric\", mean = \"1 MB\" }"),
              HasSubstr("sizes.mean: must be less than 10000 units"));
}

TEST(Empirical, FollowsItsWeights) {
  auto counts = drawn(
      "{ model = \"empirical\", sizes = [\"2 KB\", \"8 KB\", \"64 KB\", \"1 B\"], "
      "weights = [40, 45, 15, 0] }");
  EXPECT_EQ(counts.size(), 3U);
  EXPECT_NEAR(counts[2000] / kDraws, 0.40, 5 * std::sqrt(0.24 / kDraws));
  EXPECT_NEAR(counts[8000] / kDraws, 0.45, 5 * std::sqrt(0.25 / kDraws));
  EXPECT_NEAR(counts[64000] / kDraws, 0.15, 5 * std::sqrt(0.13 / kDraws));
}

TEST(Empirical, ReadsACumulativeDistribution) {
  const TemporaryFile file("# bytes share\n100 0.25\n200, 0.25\n1500 1.0\n");
  auto counts = drawn("{ model = \"empirical\", file = \"" + file.path() + "\" }");
  EXPECT_EQ(counts.size(), 2U);
  EXPECT_NEAR(counts[100] / kDraws, 0.25, 5 * std::sqrt(0.19 / kDraws));
}

TEST(Empirical, ErrorsNameTheirPlace) {
  const auto from_file = [](const std::string& content) {
    const TemporaryFile file(content);
    return refused("{ model = \"empirical\", file = \"" + file.path() + "\" }");
  };
  EXPECT_THAT(from_file("100 0.5\n"), HasSubstr("the last share is 0.5; it must be 1"));
  EXPECT_THAT(from_file("100 0.5\n100 1\n"), HasSubstr(":2:1: bytes: sizes must be"));
  EXPECT_THAT(from_file("100 0.5\n200 0.4\n"), HasSubstr(":2:5: share: shares must not descend"));
  EXPECT_THAT(from_file("100 nan\n"), HasSubstr(":1:5: share: must be a number from 0 to 1"));
  EXPECT_THAT(from_file("100 1"), HasSubstr(":1: the file ends inside this line"));
  EXPECT_THAT(refused("{ model = \"empirical\" }"), HasSubstr("give either 'sizes'"));
  EXPECT_THAT(refused("{ model = \"empirical\", sizes = [\"1 KB\"], weights = [1, 2] }"),
              HasSubstr("weights: has 2 entries for 1 sizes"));
  EXPECT_THAT(refused("{ model = \"empirical\", sizes = [\"1 furlong\"] }"), HasSubstr("sizes"));
  EXPECT_THAT(refused("{ model = \"empirical\", file = \"/nowhere\" }"),
              HasSubstr("sizes.file: cannot read '/nowhere'"));
}

}  // namespace
}  // namespace weir::traffic::sizes_test
