#include "weir/traffic/flow_pairs.hpp"

#include <set>
#include <tuple>

#include "helpers.hpp"

namespace weir::traffic::flow_pairs_test {
namespace {

using ::testing::HasSubstr;

/// Entry, source, connection and destination.
using Pair = std::tuple<std::uint32_t, std::uint32_t, std::uint16_t, std::uint32_t>;

constexpr std::size_t kHosts = 16;

TrafficContext context_of(const topology::Graph& graph, std::uint64_t seed) {
  TrafficContext context{graph, seed, Bytes(4096), Bytes(20)};
  context.end = milliseconds(1);
  return context;
}

std::set<Pair> pairs(const std::string& toml, const topology::Graph& graph, std::uint64_t seed) {
  std::set<Pair> all;
  for (const FlowPair& one : flow_pairs(entries_of(toml), context_of(graph, seed))) {
    EXPECT_TRUE(
        all.emplace(one.entry, one.source.value, one.connection, one.destination.value).second);
  }
  return all;
}

/// What the sources of entries with `rate` really send.
std::set<Pair> sent(const std::string& toml, const topology::Graph& graph, std::uint64_t seed) {
  const std::vector<TrafficEntry> entries = entries_of(toml);
  const Traffic traffic = make_sources(entries, context_of(graph, seed));
  std::set<Pair> all;
  for (const HostSource& one : traffic.sources) {
    const std::uint8_t entry = one.source->traffic_class;
    if (!entries[entry].has_rate) continue;
    for (const fabric::MessageRequest& message : take(*one.source, 200)) {
      all.emplace(entry, one.host.value, one.source->connection, message.destination.value);
    }
  }
  return all;
}

const std::string kRate = "rate = \"calculated\"\n";

TEST(FlowPairs, AreThoseThatSourcesSendTo) {
  const topology::Graph graph = star(kHosts);
  const std::string others = "sources = { exclude = [3, 5] }\n";
  for (const std::string& destinations : std::vector<std::string>{
           others + "destinations = { model = \"fixed\", host = 3 }",
           others + "destinations = { model = \"hot-spots\", hosts = [3, 5] }",
           others + "destinations = { model = \"hot-spots\", hosts = [3, 5], choose = \"cycle\" }",
           others + "destinations = { model = \"hot-spots\", hosts = [3, 5], choose = \"random\" }",
           "destinations = { model = \"random-permutation\" }",
           "destinations = { model = \"random-permutation\", superposed = 3, fixed_points = true }",
           "sources = { count = 6 }\n"
           "destinations = { model = \"random-permutation\", among = \"sources\" }",
           "destinations = { model = \"shift\", distance = 3 }",
           "destinations = { model = \"transpose\" }", "destinations = { model = \"bit-reverse\" }",
           "destinations = { model = \"complement\" }",
           "destinations = { model = \"neighbour\" }\nconnections = 3",
           "incast = { fan_in = 3, size = \"1 KB\", load = 0.2 }\n"}) {
    for (const std::uint64_t seed : {1U, 2U}) {
      std::string toml = entry(destinations + "\n" + kRate);
      if (destinations.find("incast") == 0) {
        toml = "[[traffic]]\nname = \"a\"\n" + destinations + kRate;
      }
      const std::set<Pair> all = pairs(toml, graph, seed);
      EXPECT_FALSE(all.empty());
      EXPECT_EQ(all, sent(toml, graph, seed)) << destinations;
    }
  }
}

TEST(FlowPairs, AreOfEntriesWithARateOnly) {
  const topology::Graph graph = star(kHosts);
  const std::string rest = entry("sources = \"rest\"", "rest");
  const std::string hot =
      entry("sources = [1, 2]\ndestinations = { model = \"fixed\", host = 7 }\n" + kRate, "hot");
  EXPECT_EQ(pairs(rest + hot, graph, 1), (std::set<Pair>{{1, 1, 0, 7}, {1, 2, 0, 7}}));
  EXPECT_TRUE(pairs(rest, graph, 1).empty());
  const std::string none = entry("rate = \"none\"", "none");
  EXPECT_TRUE(pairs(none, graph, 1).empty());
}

TEST(FlowPairs, AreNotThereWhereDestinationsAreDrawn) {
  const topology::Graph graph = star(kHosts);
  for (const char* model : {"{ model = \"uniform\" }", "{ model = \"groups\", size = 4 }"}) {
    const std::string toml = entry("destinations = " + std::string(model) + "\n" + kRate);
    try {
      (void)pairs(toml, graph, 1);
      ADD_FAILURE() << model;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("traffic[0].rate"));
      EXPECT_THAT(error.what(), HasSubstr("random-permutation"));
    }
  }
}

}  // namespace
}  // namespace weir::traffic::flow_pairs_test
