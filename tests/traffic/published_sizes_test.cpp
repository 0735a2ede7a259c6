// Published distributions of sizes, and tables of ranges of sizes, against their closed forms.
#include "tests/traffic/helpers.hpp"
#include "weir/traffic/size_table.hpp"

namespace weir::traffic::published_sizes_test {
namespace {

using testing::HasSubstr;

constexpr std::size_t kDraws = 100'000;

std::vector<double> drawn(const std::string& sizes) {
  const topology::Graph graph = star(4);
  Traffic traffic = traffic_of(entry("sizes = " + sizes), graph);
  std::vector<double> all;
  for (const auto& message : take(*traffic.sources[0].source, kDraws)) {
    all.push_back(static_cast<double>(message.size.count));
  }
  return all;
}

/// Share of the draws that are at most `bytes`.
double share_up_to(const std::vector<double>& all, double bytes) {
  double count = 0;
  for (const double one : all) count += one <= bytes ? 1 : 0;
  return count / static_cast<double>(all.size());
}

void expect_share(const std::vector<double>& all, double bytes, double share) {
  EXPECT_NEAR(share_up_to(all, bytes), share, 5 * std::sqrt(share * (1 - share) / kDraws) + 1e-12)
      << bytes << " B";
}

/// Mean from messages that come evenly at half of 100 Gbps (80 ps a byte).
double mean_by_load(const std::string& sizes, const std::string& load_of = "payload") {
  const topology::Graph graph = star(4);
  Traffic traffic = traffic_of(
      entry("sizes = " + sizes + "\narrivals = { model = \"constant\", load = 0.5, load_of = \"" +
            load_of + "\" }"),
      graph);
  const auto messages = take(*traffic.sources[0].source, 1'001);
  return static_cast<double>((messages[1'000].at - messages[0].at).count) / 160 / 1'000;
}

struct Published {
  const char* name;
  double mean;       ///< by hand: sum of (first + last size of a segment) / 2 times its share
  double deviation;  ///< standard, at most
  std::vector<std::pair<double, double>> shares;  ///< at and between points
};

class PublishedSizes : public ::testing::TestWithParam<Published> {};

TEST_P(PublishedSizes, HaveTheirMeanAndQuantiles) {
  const Published& known = GetParam();
  const std::string sizes = "{ model = \"" + std::string(known.name) + "\" }";
  // Intervals are whole picoseconds.
  EXPECT_NEAR(mean_by_load(sizes), known.mean, 0.01);
  const std::vector<double> all = drawn(sizes);
  double sum = 0;
  for (const double one : all) sum += one;
  EXPECT_NEAR(sum / kDraws, known.mean, 5 * known.deviation / std::sqrt(kDraws));
  for (const auto& [bytes, share] : known.shares) expect_share(all, bytes, share);
}

INSTANTIATE_TEST_SUITE_P(
    All, PublishedSizes,
    ::testing::Values(
        Published{
            "web-search",
            1'711'250.5,
            4.4e6,
            {{5e3, 0.075}, {10e3, 0.15}, {65e3, 0.465}, {200e3, 0.6}, {7.5e6, 0.935}, {30e6, 1}}},
        Published{"hadoop",
                  120'421.25,
                  0.7e6,
                  {{100, 0.01}, {325, 0.1}, {700, 0.5}, {40e3, 0.77}, {1e6, 0.975}, {10e6, 1}}},
        Published{
            "storage", 40'870.3, 0.2e6, {{2e3, 0.11465}, {8e3, 0.6921}, {256e3, 0.9753}, {2e6, 1}}},
        // 25,557,032 numbers in 161 tensors; of normalization, and the offset of the last layer:
        // 107, of at most 2048 numbers.
        Published{"resnet-50-gradients",
                  25'557'032 * 4.0 / 161,
                  1.8e6,
                  {{255, 0}, {8'192, 107 / 161.0}, {2'359'296 * 4.0, 1}}},
        Published{"bert-large-gradients",
                  335'141'888 * 4.0 / 391,
                  8e6,
                  {{4'095, 0}, {4'096, 219 / 391.0}, {16'384, 244 / 391.0}, {30'522 * 4'096.0, 1}}},
        // 5116.6 packets of 1460 B and half a byte for what is not the atom.
        Published{"data-mining",
                  7'470'236.25,
                  51e6,
                  {{1'459, 0}, {1'460, 0.5}, {2'190, 0.55}, {2'107 * 1'460.0, 0.95}, {1e9, 1}}}),
    [](const auto& tested) {
      std::string name = tested.param.name;
      name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
      return name;
    });

TEST(PublishedSizes, ScaleWithAFactor) {
  const std::vector<double> all = drawn("{ model = \"web-search\", scale = 0.01 }");
  expect_share(all, 100, 0.15);
  expect_share(all, 10'000, 0.7);
  EXPECT_DOUBLE_EQ(share_up_to(all, 300'000), 1);
  EXPECT_NEAR(mean_by_load("{ model = \"web-search\", scale = 0.01 }"), 17'113, 0.01);
  // So small that segments vanish: no message is empty.
  const std::vector<double> tiny = drawn("{ model = \"hadoop\", scale = 0.001 }");
  EXPECT_DOUBLE_EQ(*std::min_element(tiny.begin(), tiny.end()), 1);
  EXPECT_THAT(traffic_error(entry("sizes = { model = \"storage\", scale = 0 }")),
              HasSubstr("sizes.scale: must be"));
}

TEST(PublishedSizes, GradientsAreDividedAmongRanks) {
  // The smallest tensor of 64 numbers and the largest of 2,359,296, in half precision.
  const std::vector<double> all =
      drawn("{ model = \"resnet-50-gradients\", ranks = 50, number = 2 }");
  EXPECT_DOUBLE_EQ(*std::min_element(all.begin(), all.end()), 3);  // 2.56: the last is smaller
  EXPECT_DOUBLE_EQ(*std::max_element(all.begin(), all.end()), 94'372);
  EXPECT_THAT(traffic_error(entry("sizes = { model = \"resnet-50-gradients\", ranks = 0 }")),
              HasSubstr("sizes.ranks: must be"));
}

// Packets of 100 B payload with 20 B of header each, counted size by size.
TEST(MeanSize, OfRangesIsThatOfAllTheirSizes) {
  const SizeTable table(
      {{Bytes(1'007), 0.3, Bytes(95)}, {Bytes(300), 0.5}, {Bytes(9), 0.2, Bytes(1)}});
  const auto mean_wire = [](int smallest, int largest) {
    double sum = 0;
    for (int size = smallest; size <= largest; ++size) sum += size + 20 * ((size + 99) / 100);
    return sum / (largest - smallest + 1);
  };
  const MeanSize mean = mean_size(table, Bytes(100), Bytes(20));
  EXPECT_NEAR(mean.payload, 0.3 * 551 + 0.5 * 300 + 0.2 * 5, 1e-9);
  EXPECT_NEAR(mean.wire,
              0.3 * mean_wire(95, 1'007) + 0.5 * mean_wire(300, 300) + 0.2 * mean_wire(1, 9), 1e-9);
  // Large enough for what does not fit into 64 bits on the way.
  const SizeTable large({{Bytes(1'000'000'000'000), 1, Bytes(1)}});
  EXPECT_NEAR(mean_size(large, Bytes(1), Bytes(1)).wire / 1e12, 1, 1e-9);
}

TEST(SizeTable, DrawsAllSizesOfARangeEquallyOften) {
  const SizeTable table({{Bytes(4), 0.6, Bytes(2)}, {Bytes(9), 0.4}});
  RandomStream random(3, 1, StreamPurpose::test);
  std::vector<double> counts(10);
  for (std::size_t i = 0; i < kDraws; ++i)
    ++counts[static_cast<std::size_t>(table.draw(random).count)];
  for (const std::size_t size : {2U, 3U, 4U}) {
    EXPECT_NEAR(counts[size] / kDraws, 0.2, 5 * std::sqrt(0.16 / kDraws));
  }
  EXPECT_NEAR(counts[9] / kDraws, 0.4, 5 * std::sqrt(0.24 / kDraws));
}

TEST(Empirical, MayInterpolateItsFile) {
  const TemporaryFile file("100 0.25\n200 0.75\n1000 1\n");
  const std::string path = "file = \"" + file.path() + "\"";
  const std::vector<double> all =
      drawn("{ model = \"empirical\", interpolate = true, " + path + " }");
  expect_share(all, 99, 0);
  expect_share(all, 100, 0.25);
  expect_share(all, 150, 0.5);
  expect_share(all, 600, 0.875);
  // 0.25 x 100 + 0.5 x (101 + 200) / 2 + 0.25 x (201 + 1000) / 2
  EXPECT_NEAR(mean_by_load("{ model = \"empirical\", interpolate = true, " + path + " }"), 250.375,
              0.01);
  EXPECT_THAT(traffic_error(entry(
                  "sizes = { model = \"empirical\", sizes = [\"1 B\"], interpolate = true }")),
              HasSubstr("sizes.interpolate: goes with 'file'"));
}

}  // namespace
}  // namespace weir::traffic::published_sizes_test
