#include <algorithm>
#include <map>

#include <set>

#include "tests/traffic/helpers.hpp"

namespace weir::traffic::sources_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::uint32_t> numbers(const std::vector<HostId>& hosts) {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(hosts.size());
  for (const HostId host : hosts) numbers.push_back(host.value);
  return numbers;
}

std::vector<std::uint32_t> sources(const std::string& sources, std::size_t hosts,
                                   std::uint64_t seed = 1) {
  const topology::Graph graph = star(hosts);
  return numbers(traffic_of(entry("sources = " + sources), graph, seed).classes[0].sources);
}

std::string refused(const std::string& sources) {
  return traffic_error(entry("sources = " + sources));
}

/// Two classes of the adaptive-routing document: `share` of the hosts send to the hot hosts, the
/// others uniformly.
std::string hot_spot(const std::string& share, const std::string& hosts) {
  return entry("role = \"hot\"\nsources = { fraction = " + share + ", exclude = " + hosts +
                   " }\ndestinations = { model = \"hot-spots\", hosts = " + hosts +
                   " }\nstart = \"3 ms\"\nstop = \"93 ms\"",
               "hot") +
         entry("role = \"cold\"\nsources = \"rest\"", "cold");
}

TEST(Sources, HaveTheCountsOfTheAdaptiveRoutingDocument) {
  struct Case {
    std::string share;
    std::string hosts;
    std::size_t network;
    std::size_t hot;
  };
  for (const Case& c :
       {Case{"0.1", "[4]", 432, 43}, Case{"0.25", "[4]", 432, 108},
        Case{"0.1", "[4, 120, 244, 431]", 432, 43}, Case{"0.25", "[4, 120, 244, 431]", 432, 108},
        Case{"0.1", "[4]", 3456, 346}, Case{"0.25", "[0, 889, 1772, 3454]", 3456, 864}}) {
    const topology::Graph graph = star(c.network);
    const Traffic traffic = traffic_of(hot_spot(c.share, c.hosts), graph);
    const TrafficClass& hot = traffic.classes[0];
    const TrafficClass& cold = traffic.classes[1];
    EXPECT_EQ(hot.sources.size(), c.hot);
    EXPECT_EQ(hot.role, Role::hot);
    EXPECT_EQ(cold.role, Role::cold);
    std::vector<int> uses(c.network);
    for (const HostId host : hot.sources) ++uses[host.index()];
    for (const HostId host : cold.sources) ++uses[host.index()];
    EXPECT_THAT(uses, testing::Each(1));
    for (const HostId target : hot.targets) {
      EXPECT_THAT(cold.sources, testing::Contains(target));
    }
  }
}

TEST(Sources, OfFourHotSpotsAreSharedOutEvenly) {
  const topology::Graph graph = star(432);
  Traffic traffic = traffic_of(hot_spot("0.1", "[4, 120, 244, 431]"), graph);
  std::map<std::uint32_t, int> sources_of;
  for (HostSource& s : traffic.sources) {
    if (s.source->traffic_class == 0) ++sources_of[s.source->next(Time(0))->destination.value];
  }
  EXPECT_THAT(sources_of, ElementsAre(std::pair(4, 11), std::pair(120, 11), std::pair(244, 11),
                                      std::pair(431, 10)));
}

TEST(Sources, SpreadAreEven) {
  EXPECT_THAT(sources("{ count = 4 }", 16), ElementsAre(2, 6, 10, 14));
  EXPECT_THAT(sources("{ count = 1 }", 3), ElementsAre(1));
  const auto hosts = sources("{ fraction = 0.2 }", 512);
  ASSERT_EQ(hosts.size(), 102U);
  for (std::size_t i = 1; i < hosts.size(); ++i) {
    EXPECT_GE(hosts[i] - hosts[i - 1], 5U);
    EXPECT_LE(hosts[i] - hosts[i - 1], 6U);
  }
}

TEST(Sources, CanBeEveryFifthHost) {
  const auto hosts = sources("{ modulo = [5, 4] }", 512);
  EXPECT_EQ(hosts.size(), 102U);
  EXPECT_EQ(hosts.front(), 4U);
  EXPECT_EQ(hosts.back(), 509U);
}

TEST(Sources, RandomOnesDependOnTheSeedAndAreFair) {
  EXPECT_EQ(sources("{ count = 16, choose = \"random\", exclude = [32] }", 64),
            sources("{ count = 16, choose = \"random\", exclude = [32] }", 64));
  std::vector<double> chosen(12);
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const auto hosts = sources("{ count = 3, choose = \"random\" }", 12, seed);
    EXPECT_EQ(hosts.size(), 3U);
    EXPECT_TRUE(std::is_sorted(hosts.begin(), hosts.end()));
    for (const std::uint32_t h : hosts) ++chosen[h];
  }
  EXPECT_LT(chi_square(chosen), chi_square_limit(12));
}

TEST(Sources, CanBeListedAndCut) {
  EXPECT_THAT(sources("[3, \"h1\", 2]", 5), ElementsAre(1, 2, 3));
  EXPECT_THAT(sources("{ range = [2, 4] }", 9), ElementsAre(2, 3, 4));
  EXPECT_THAT(sources("{ of = [8, 1, 5, 2], count = 2, choose = \"last\" }", 9), ElementsAre(5, 8));
  EXPECT_THAT(sources("{ fraction = 0.5, choose = \"first\" }", 5), ElementsAre(0, 1, 2));
}

TEST(Sources, CanBeThoseOfAnotherEntryAndTheRest) {
  const topology::Graph graph = star(10);
  const Traffic traffic = traffic_of(
      entry("sources = { same_as = \"cold\" }\narrivals = { model = \"once\" }", "bursts") +
          entry("sources = \"rest\"", "cold") + entry("sources = { range = [0, 3] }", "hot"),
      graph);
  EXPECT_THAT(numbers(traffic.classes[0].sources), ElementsAre(4, 5, 6, 7, 8, 9));
  EXPECT_THAT(numbers(traffic.classes[1].sources), ElementsAre(4, 5, 6, 7, 8, 9));
  EXPECT_EQ(traffic.sources.size(), 16U);
}

TEST(Sources, RefuseWhatCannotBe) {
  EXPECT_THAT(refused("[16]"), HasSubstr("sources[0]: there is no host 16: hosts are 0 to 15"));
  EXPECT_THAT(refused("[1, 1]"), HasSubstr("sources[1]: host 1 is in the list twice"));
  EXPECT_THAT(refused("[]"), HasSubstr("sources: leave no host"));
  EXPECT_THAT(refused("\"everybody\""), HasSubstr("no host is called 'everybody'"));
  EXPECT_THAT(refused("3"), HasSubstr("must be \"all\", \"rest\", a list of hosts or a table"));
  EXPECT_THAT(refused("{ fraction = 0.01 }"), HasSubstr("fraction: of 16 hosts is no host"));
  EXPECT_THAT(refused("{ fraction = 1.5 }"), HasSubstr("must be between 0 and 1"));
  EXPECT_THAT(refused("{ fraction = 0.5, count = 3 }"), HasSubstr("either 'fraction' or 'count'"));
  EXPECT_THAT(refused("{ range = [0, 3], count = 5 }"),
              HasSubstr("count: asks for 5 sources; only 4 hosts are left"));
  EXPECT_THAT(refused("{ range = [3, 16] }"), HasSubstr("hosts from 0 to 15"));
  EXPECT_THAT(refused("{ modulo = [5, 5] }"), HasSubstr("modulo: must be [divisor, remainder]"));
  EXPECT_THAT(refused("{ of = [1], range = [0, 3] }"), HasSubstr("give one of 'of'"));
  EXPECT_THAT(refused("{ same_as = \"b\" }"), HasSubstr("no [[traffic]] is called 'b'"));
  EXPECT_THAT(refused("{ same_as = \"a\" }"), HasSubstr("depend on themselves"));
  EXPECT_THAT(refused("{ chose = \"random\" }"), HasSubstr("did you mean 'choose'"));
  EXPECT_THAT(traffic_error(entry("", "a") + entry("sources = \"rest\"", "b")),
              HasSubstr("traffic[1].sources: leave no host"));
}

// Eight sources of a host at an eighth of its load each; the first connection's streams are those
// of a source without others.
TEST(Connections, ShareTheLoadOfTheirSource) {
  const topology::Graph graph = star(4);
  const std::string arrivals = "arrivals = { model = \"poisson\", load = 0.4 }\n";
  Traffic alone = traffic_of(entry(arrivals), graph);
  Traffic spread = traffic_of(entry(arrivals + "connections = 8"), graph);
  EXPECT_EQ(spread.classes[0].sources.size(), 4U);
  ASSERT_EQ(spread.sources.size(), 32U);
  double count = 0;
  std::set<std::pair<std::int64_t, std::uint32_t>> different;
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(spread.sources[i].host, HostId(0));
    EXPECT_EQ(spread.sources[i].source->connection, i);
    // 80 ns of 1000 B at 100 Gbps, over 0.4: a message in 200 ns.
    std::uint64_t messages = 0;
    for (const auto& message : take(*spread.sources[i].source, 2'000)) {
      if (message.at < microseconds(1'000)) ++messages;
      different.emplace(message.at.count, message.destination.value);
    }
    count += static_cast<double>(messages);
  }
  EXPECT_NEAR(count, 5'000, 5 * std::sqrt(5'000));
  EXPECT_EQ(different.size(), 16'000U);
  const auto first = take(*alone.sources[0].source, 100);
  Traffic again = traffic_of(entry(arrivals + "connections = 8"), graph);
  const auto slow = take(*again.sources[0].source, 100);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(slow[i].destination, first[i].destination);
    EXPECT_NEAR(static_cast<double>(slow[i].at.count), 8 * static_cast<double>(first[i].at.count),
                1'000);
  }
}

TEST(Connections, NeedALoadToShare) {
  EXPECT_THAT(traffic_error(entry("arrivals = \"saturated\"\nconnections = 2")),
              testing::HasSubstr("connections: share a load, and arrivals 'saturated' have none"));
  EXPECT_THAT(traffic_error(entry("messages = 5\nconnections = 2")),
              testing::HasSubstr("messages: cannot stand beside 2 connections"));
  EXPECT_THAT(traffic_error("[[traffic]]\nname = \"a\"\nconnections = 2\nincast = { fan_in = 2, "
                            "size = \"1 KB\", times = [\"0 us\"] }\n"),
              testing::HasSubstr("connections: cannot stand beside 'incast'"));
}

}  // namespace
}  // namespace weir::traffic::sources_test
