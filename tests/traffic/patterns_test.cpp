#include <map>
#include <set>

#include "tests/traffic/helpers.hpp"
#include "weir/topology/grid.hpp"

namespace weir::traffic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Traffic with(const std::string& destinations, const topology::Graph& graph,
             const std::string& more = "", std::uint64_t seed = 1) {
  return traffic_of(entry("destinations = " + destinations + "\n" + more), graph, seed);
}

std::string refused(const std::string& destinations, std::size_t hosts,
                    const std::string& more = "") {
  return traffic_error(entry("destinations = " + destinations + "\n" + more), hosts);
}

/// Destination of the first message of every host; the host count where it is silent.
std::vector<std::uint32_t> images(Traffic traffic, std::size_t hosts) {
  std::vector<std::uint32_t> images(hosts, static_cast<std::uint32_t>(hosts));
  for (HostSource& s : traffic.sources) {
    images[s.host.index()] = s.source->next(Time(0))->destination.value;
  }
  return images;
}

/// Counts of the destinations of the first `draws` messages of one source.
std::vector<double> counts(fabric::MessageSource& source, std::size_t hosts, std::size_t draws) {
  std::vector<double> counts(hosts);
  for (const auto& message : take(source, draws)) ++counts[message.destination.index()];
  return counts;
}

TEST(Uniform, IsEvenOverAllOthersAndNeverTheSource) {
  const topology::Graph graph = star(50);
  Traffic traffic = with("\"uniform\"", graph);
  for (const std::size_t h : {0U, 20U, 49U}) {
    std::vector<double> c = counts(*traffic.sources[h].source, 50, 100'000);
    EXPECT_EQ(c[h], 0);
    c.erase(c.begin() + static_cast<std::ptrdiff_t>(h));
    EXPECT_LT(chi_square(c), chi_square_limit(49));
  }
}

TEST(Uniform, KeepsToItsHosts) {
  const topology::Graph graph = star(12);
  Traffic traffic =
      with("{ model = \"uniform\", among = [1, 3, 5, \"h7\", 9], exclude = [5] }", graph);
  std::vector<double> c = counts(*traffic.sources[3].source, 12, 30'000);
  EXPECT_EQ(c[3] + c[5] + c[0], 0);
  EXPECT_LT(chi_square({c[1], c[7], c[9]}), chi_square_limit(3));
}

TEST(Uniform, NeedsADestination) {
  EXPECT_THAT(refused("{ model = \"uniform\", among = [3], exclude = 3 }", 4),
              HasSubstr("exclude: leaves no destination"));
  EXPECT_THAT(refused("{ model = \"uniform\", among = [3] }", 4),
              HasSubstr("among: leaves source 3 itself as its only destination"));
  EXPECT_THAT(refused("\"uniform\"", 1), HasSubstr("source 0 itself"));
}

TEST(Fixed, AimsAtItsHost) {
  const topology::Graph graph = star(8);
  Traffic traffic = with("{ model = \"fixed\", host = 5 }", graph, "sources = { exclude = [5] }");
  EXPECT_THAT(images(std::move(traffic), 8), ElementsAre(5, 5, 5, 5, 5, 8, 5, 5));
  traffic = with("{ model = \"fixed\", host = 5 }", graph, "sources = [1]");
  EXPECT_THAT(traffic.classes[0].targets, ElementsAre(HostId(5)));
}

TEST(Fixed, RefusesSelfAndHostsOutOfRange) {
  EXPECT_THAT(refused("{ model = \"fixed\", host = 5 }", 8),
              HasSubstr("traffic[0].destinations.host: host 5 is one of the sources and would send "
                        "to itself: sources = { exclude = [5], ... } leaves it out"));
  EXPECT_THAT(refused("{ model = \"fixed\", host = 8 }", 8),
              HasSubstr("t.toml:5:42: traffic[0].destinations.host: there is no host 8: hosts are "
                        "0 to 7"));
  EXPECT_THAT(refused("{ model = \"fixed\", host = \"g3\" }", 8),
              HasSubstr("no host is called 'g3' (did you mean 'h3'?)"));
}

TEST(HotSpots, RoundRobinSharesSourcesOutByRank) {
  const topology::Graph graph = star(9);
  const auto traffic =
      with("{ model = \"hot-spots\", hosts = [4, 0] }", graph, "sources = { exclude = [0, 4] }");
  EXPECT_THAT(traffic.classes[0].targets, ElementsAre(HostId(4), HostId(0)));
  auto image = images(
      with("{ model = \"hot-spots\", hosts = [4, 0] }", graph, "sources = { exclude = [0, 4] }"),
      9);
  EXPECT_THAT(image, ElementsAre(9, 4, 0, 4, 9, 0, 4, 0, 4));
}

TEST(HotSpots, CycleTakesThemInTurnAndRandomByWeight) {
  const topology::Graph graph = star(6);
  Traffic cycle = with("{ model = \"hot-spots\", hosts = [1, 2, 3], choose = \"cycle\" }", graph,
                       "sources = [0]");
  std::vector<std::uint32_t> order;
  for (const auto& m : take(*cycle.sources[0].source, 5)) order.push_back(m.destination.value);
  EXPECT_THAT(order, ElementsAre(1, 2, 3, 1, 2));

  Traffic random =
      with("{ model = \"hot-spots\", hosts = [1, 2, 3], choose = \"random\", weights = [1, 2, 5] }",
           graph, "sources = [0]");
  const auto c = counts(*random.sources[0].source, 6, 80'000);
  EXPECT_LT(chi_square({c[1], c[2] / 2, c[3] / 5}), chi_square_limit(3));
  EXPECT_EQ(c[1] + c[2] + c[3], 80'000);
}

TEST(HotSpots, RefusesWhatCannotBe) {
  EXPECT_THAT(refused("{ model = \"hot-spots\", hosts = [1, 1] }", 6, "sources = [0]"),
              HasSubstr("hosts[1]: host 1 is in the list twice"));
  EXPECT_THAT(refused("{ model = \"hot-spots\", hosts = [1, 2] }", 6),
              HasSubstr("host 1 is one of the sources"));
  EXPECT_THAT(refused("{ model = \"hot-spots\", hosts = [1], weights = [2] }", 6, "sources = [0]"),
              HasSubstr("choose = \"random\" only"));
}

TEST(RandomPermutation, IsABijectionWithoutFixedPoints) {
  const topology::Graph graph = star(64);
  std::set<std::vector<std::uint32_t>> seen;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const auto image = images(with("\"random-permutation\"", graph, "", seed), 64);
    EXPECT_EQ(std::set<std::uint32_t>(image.begin(), image.end()).size(), 64U);
    for (std::uint32_t h = 0; h < 64; ++h) EXPECT_NE(image[h], h);
    seen.insert(image);
  }
  EXPECT_EQ(seen.size(), 50U);
}

TEST(RandomPermutation, AllDerangementsAreEquallyLikely) {
  const topology::Graph graph = star(4);  // nine derangements
  std::map<std::vector<std::uint32_t>, double> seen;
  for (std::uint64_t seed = 1; seed <= 9000; ++seed) {
    ++seen[images(with("\"random-permutation\"", graph, "", seed), 4)];
  }
  std::vector<double> frequencies;
  frequencies.reserve(seen.size());
  for (const auto& [image, count] : seen) frequencies.push_back(count);
  ASSERT_EQ(frequencies.size(), 9U);
  EXPECT_LT(chi_square(frequencies), chi_square_limit(9));
}

TEST(RandomPermutation, SuperposedOnesAreTakenInTurn) {
  const topology::Graph graph = star(32);
  Traffic traffic = with("{ model = \"random-permutation\", superposed = 3 }", graph);
  std::vector<int> received(32);
  for (HostSource& s : traffic.sources) {
    const auto messages = take(*s.source, 6);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(messages[i].destination, messages[i + 3].destination);
      ++received[messages[i].destination.index()];
    }
  }
  EXPECT_THAT(received, testing::Each(3));
}

TEST(RandomPermutation, FixedPointsAreSilent) {
  const topology::Graph graph = star(100);
  std::size_t silent = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Traffic traffic =
        with("{ model = \"random-permutation\", fixed_points = true }", graph, "", seed);
    silent += 100 - traffic.sources.size();
    EXPECT_EQ(traffic.classes[0].sources.size(), traffic.sources.size());
  }
  EXPECT_NEAR(static_cast<double>(silent) / 100, 1.0, 0.5);  // one on average
}

TEST(RandomPermutation, AmongSourcesStaysThere) {
  const topology::Graph graph = star(20);
  const auto image = images(with("{ model = \"random-permutation\", among = \"sources\" }", graph,
                                 "sources = [2, 3, 5, 7]"),
                            20);
  const std::multiset<std::uint32_t> to{image[2], image[3], image[5], image[7]};
  EXPECT_THAT(to, ElementsAre(2, 3, 5, 7));
}

TEST(Permutations, AreTheTextbookOnes) {
  const topology::Graph eight = star(8);
  EXPECT_THAT(images(with("{ model = \"shift\", distance = 3 }", eight), 8),
              ElementsAre(3, 4, 5, 6, 7, 0, 1, 2));
  EXPECT_THAT(images(with("{ model = \"shift\", distance = -1 }", eight), 8),
              ElementsAre(7, 0, 1, 2, 3, 4, 5, 6));
  EXPECT_THAT(images(with("\"complement\"", eight), 8), ElementsAre(7, 6, 5, 4, 3, 2, 1, 0));
  // 0, 2, 5 and 7 are palindromes: silent.
  EXPECT_THAT(images(with("\"bit-reverse\"", eight), 8), ElementsAre(8, 4, 8, 6, 1, 8, 3, 8));
  const topology::Graph nine = star(9);
  EXPECT_THAT(images(with("\"transpose\"", nine), 9), ElementsAre(9, 3, 6, 1, 9, 7, 2, 5, 9));
  EXPECT_THAT(images(with("\"tornado\"", eight), 8), ElementsAre(3, 4, 5, 6, 7, 0, 1, 2));
  EXPECT_THAT(images(with("\"neighbour\"", eight), 8), ElementsAre(1, 2, 3, 4, 5, 6, 7, 0));
  EXPECT_THAT(images(with("{ model = \"neighbour\", dimensions = [4, 2] }", eight), 8),
              ElementsAre(5, 6, 7, 4, 1, 2, 3, 0));
}

TEST(Permutations, FollowTheGridThatTheTopologyIs) {
  const topology::Graph torus = topology::make_grid(true, {5, 3}, 2, {}, {});
  // Host 2*s + i on switch s = x + 5*y: x + 2, y + 1.
  const auto image = images(with("\"tornado\"", torus), 30);
  EXPECT_EQ(image[0], 2U * (2 + 5 * 1));
  EXPECT_EQ(image[1], 2U * (2 + 5 * 1) + 1);
  EXPECT_EQ(image[28], 2U * (1 + 5 * 0));
  EXPECT_EQ(std::set<std::uint32_t>(image.begin(), image.end()).size(), 30U);
}

TEST(Permutations, SayWhichSizesFit) {
  EXPECT_THAT(refused("\"transpose\"", 432),
              HasSubstr("destinations.model: transpose needs a square number of hosts, not 432; "
                        "400 and 441 fit"));
  EXPECT_THAT(refused("\"bit-reverse\"", 432),
              HasSubstr("needs a power of two of hosts, not 432; 256 and 512 fit"));
  EXPECT_THAT(refused("{ model = \"shift\", distance = 32 }", 16),
              HasSubstr("distance: sends every host's messages to itself"));
  EXPECT_THAT(refused("{ model = \"tornado\", dimensions = [5, 3] }", 16),
              HasSubstr("dimensions: must multiply to the 16 hosts"));
  EXPECT_THAT(refused("{ model = \"tornado\", dimensions = [2, 2, 2, 2] }", 16),
              HasSubstr("destinations: gives no source a destination other than itself"));
}

TEST(PermutationFile, IsReadWithClearErrors) {
  const topology::Graph graph = star(6);
  const auto from_file = [&](const std::string& content) {
    const TemporaryFile file(content);
    return images(with("{ model = \"permutation-file\", file = \"" + file.path() + "\" }", graph),
                  6);
  };
  EXPECT_THAT(from_file("# pairs\n0 5\n1,4\n\n 5\t0 # back\n2 2\n"), ElementsAre(5, 4, 6, 6, 6, 0));
  EXPECT_THAT(error_of([&] { from_file("0 5\n0 4\n"); }),
              HasSubstr(":2:1: source: host 0 has a destination already, from line 1"));
  EXPECT_THAT(error_of([&] { from_file("0 5\n1 5\n"); }),
              HasSubstr(":2:3: destination: host 5 is the destination of line 1 already"));
  EXPECT_THAT(error_of([&] { from_file("0 6\n"); }), HasSubstr(":1:3: destination: there is no"));
  EXPECT_THAT(error_of([&] { from_file("0\n"); }), HasSubstr(":1:2: destination: is missing"));
  EXPECT_THAT(error_of([&] { from_file(""); }), HasSubstr("is empty"));
  EXPECT_THAT(refused("{ model = \"permutation-file\", file = \"/nowhere/p\" }", 6),
              HasSubstr("destinations.file: cannot read '/nowhere/p': No such file"));
}

TEST(Groups, StayInsideAndAreEven) {
  const topology::Graph graph = star(12);
  Traffic traffic = with("{ model = \"groups\", size = 4 }", graph);
  const auto c = counts(*traffic.sources[6].source, 12, 30'000);
  EXPECT_EQ(c[4] + c[5] + c[7], 30'000);
  EXPECT_LT(chi_square({c[4], c[5], c[7]}), chi_square_limit(3));

  Traffic listed =
      with("{ model = \"groups\", lists = [[0, 11], [5, 2, 7]] }", graph, "sources = [0, 2, 5]");
  const auto from_2 = counts(*listed.sources[1].source, 12, 1000);
  EXPECT_EQ(from_2[5] + from_2[7], 1000);
}

TEST(Groups, RefuseWhatCannotBe) {
  EXPECT_THAT(refused("{ model = \"groups\", size = 5 }", 432),
              HasSubstr("size: groups of 5 do not divide 432 hosts; 4 or 6 would"));
  EXPECT_THAT(refused("{ model = \"groups\", size = 500 }", 432), HasSubstr("more than the 432"));
  EXPECT_THAT(refused("{ model = \"groups\", lists = [[0, 1], [1, 2]] }", 4),
              HasSubstr("lists[1]: host 1 is in two groups"));
  EXPECT_THAT(refused("{ model = \"groups\", lists = [[0, 1], [3]] }", 4),
              HasSubstr("lists[1]: a group needs at least 2 hosts"));
  EXPECT_THAT(refused("{ model = \"groups\", lists = [[0, 1]] }", 4),
              HasSubstr("source 2 is in no group"));
}

}  // namespace
}  // namespace weir::traffic
