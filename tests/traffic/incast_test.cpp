// Incasts by fan-in.
#include "weir/traffic/incast.hpp"

#include <map>
#include <set>

#include "tests/traffic/helpers.hpp"

namespace weir::traffic::incast_test {
namespace {

using testing::HasSubstr;

std::string table(const std::string& incast, const std::string& more = "") {
  return "[[traffic]]\nname = \"a\"\n" + more + "\nincast = { " + incast + " }\n";
}

struct Sent {
  std::uint32_t source;
  fabric::MessageRequest message;
};

/// All messages up to 1 ms, by time.
std::multimap<std::int64_t, Sent> messages_of(const std::string& toml, const topology::Graph& graph,
                                              std::uint64_t seed = 1) {
  Traffic traffic =
      make_sources(entries_of(toml), {graph, seed, Bytes(4096), Bytes(20), milliseconds(1)});
  std::multimap<std::int64_t, Sent> all;
  for (HostSource& one : traffic.sources) {
    for (const auto& message : take_all(*one.source)) {
      all.emplace(message.at.count, Sent{one.host.value, message});
    }
  }
  return all;
}

/// Those of one instant are an incast: destination and senders.
struct Incast {
  std::set<std::uint32_t> senders;
  std::set<std::uint32_t> destinations;
  std::size_t messages = 0;
};
std::map<std::int64_t, Incast> incasts_of(const std::multimap<std::int64_t, Sent>& messages) {
  std::map<std::int64_t, Incast> all;
  for (const auto& [at, sent] : messages) {
    Incast& one = all[at];
    one.senders.insert(sent.source);
    one.destinations.insert(sent.message.destination.value);
    ++one.messages;
  }
  return all;
}

// 8 x 10 KB to any of 16 hosts with 12.5 KB/us each: 80 KB in 200 KB/us x 0.2, so one every 2 us.
TEST(Incast, SendersAreDistinctAndNeverTheDestination) {
  const topology::Graph graph = star(16);
  const auto incasts =
      incasts_of(messages_of(table("fan_in = 8, size = \"10 KB\", load = 0.2"), graph));
  EXPECT_NEAR(static_cast<double>(incasts.size()), 500, 5 * std::sqrt(500.0));
  std::vector<double> as_destination(16);
  std::vector<double> as_sender(16);
  for (const auto& [at, one] : incasts) {
    ASSERT_EQ(one.messages, 8U);
    ASSERT_EQ(one.senders.size(), 8U);
    ASSERT_EQ(one.destinations.size(), 1U);
    EXPECT_EQ(one.senders.count(*one.destinations.begin()), 0U);
    ++as_destination[*one.destinations.begin()];
    for (const std::uint32_t sender : one.senders) ++as_sender[sender];
  }
  EXPECT_LT(chi_square(as_destination), chi_square_limit(16));
  EXPECT_LT(chi_square(as_sender), chi_square_limit(16));
}

// All sets of 2 of the 4 other hosts.
TEST(Incast, EverySetOfSendersIsEquallyLikely) {
  const topology::Graph graph = star(5);
  std::map<std::set<std::uint32_t>, double> sets;
  for (const auto& [at, one] : incasts_of(messages_of(
           table("fan_in = 2, size = \"1 B\", destinations = 3, interval = \"0.1 us\""), graph))) {
    EXPECT_EQ(one.destinations, (std::set<std::uint32_t>{3}));
    ++sets[one.senders];
  }
  ASSERT_EQ(sets.size(), 6U);
  std::vector<double> counts;
  for (const auto& [senders, count] : sets) counts.push_back(count);
  EXPECT_LT(chi_square(counts), chi_square_limit(6));
}

TEST(Incast, TimesAreConstantOrGiven) {
  const topology::Graph graph = star(8);
  const auto times = [&](const std::string& incast, const std::string& more = "") {
    std::vector<std::int64_t> all;
    for (const auto& [at, one] : incasts_of(messages_of(table(incast, more), graph))) {
      all.push_back(at / 1'000'000);
    }
    return all;
  };
  EXPECT_EQ(times("fan_in = 3, size = \"1 KB\", interval = \"250 us\", epochs = \"constant\""),
            (std::vector<std::int64_t>{0, 250, 500, 750}));
  EXPECT_EQ(times("fan_in = 3, size = \"1 KB\", times = [\"70 us\", \"10 us\"]"),
            (std::vector<std::int64_t>{10, 70}));
  EXPECT_EQ(times("fan_in = 3, size = \"1 KB\", times = [\"0 us\", \"10 us\", \"70 us\"]",
                  "start = \"100 us\"\nstop = \"150 us\""),
            (std::vector<std::int64_t>{100, 110}));
}

TEST(Incast, TotalIsSplitAmongTheSenders) {
  const topology::Graph graph = star(8);
  for (const auto& [at, sent] :
       messages_of(table("fan_in = 3, total = \"1000 B\", times = [\"1 us\"]"), graph)) {
    EXPECT_EQ(sent.message.size, Bytes(334));
  }
}

TEST(Incast, SendersMayBeginAtRandom) {
  const topology::Graph graph = star(200);
  double sum = 0;
  const auto all =
      messages_of(table("fan_in = 199, size = \"1 KB\", times = [\"100 us\"], within = \"50 us\", "
                        "destinations = 0"),
                  graph);
  ASSERT_EQ(all.size(), 199U);
  for (const auto& [at, sent] : all) {
    EXPECT_GE(at, microseconds(100).count);
    EXPECT_LT(at, microseconds(150).count);
    sum += static_cast<double>(at) / 1e6;
  }
  EXPECT_NEAR(sum / 199, 125, 5 * 50 / std::sqrt(12.0 * 199));
}

// What is sent does not depend on which source is asked first, on the end of the run, or on other
// entries; the seed decides.
TEST(Incast, IsDecidedByTheSeedAlone) {
  const topology::Graph graph = star(16);
  const std::string toml = table("fan_in = 4, size = \"10 KB\", load = 0.1");
  const auto entries = entries_of(toml);
  const auto trace = [&](std::uint64_t seed, Time span) {
    const TrafficContext context{graph, seed};
    const IncastWorkload workload(entries[0], 0, context);
    const Trace made = workload.messages(span);
    std::vector<std::tuple<std::uint32_t, std::int64_t, std::uint32_t>> all;
    for (std::uint32_t h = 0; h < 16; ++h) {
      for (const Trace::Record& record : made.messages(HostId(h))) {
        if (record.time < microseconds(100).count) {
          all.emplace_back(h, record.time, record.destination);
        }
      }
    }
    return all;
  };
  const auto known = trace(7, microseconds(100));
  EXPECT_GT(known.size(), 100U);
  EXPECT_EQ(trace(7, microseconds(100)), known);
  EXPECT_EQ(trace(7, microseconds(900)), known);
  EXPECT_NE(trace(8, microseconds(100)), known);
}

TEST(Incast, IsAClassWithSendersAndAims) {
  const topology::Graph graph = star(8);
  const auto made = [&](const std::string& incast) {
    return make_sources(entries_of(table(incast, "role = \"hot\"")),
                        {graph, 1, Bytes(4096), Bytes(20), microseconds(10)})
        .classes[0];
  };
  const TrafficClass aimed = made(
      "fan_in = 2, size = \"1 KB\", times = [\"0 us\"], senders = [1, 2, 3], destinations = 5");
  EXPECT_EQ(aimed.sources, (std::vector<HostId>{HostId(1), HostId(2), HostId(3)}));
  EXPECT_EQ(aimed.targets, (std::vector<HostId>{HostId(5)}));
  EXPECT_TRUE(made("fan_in = 2, size = \"1 KB\", times = [\"0 us\"]").targets.empty());
}

TEST(Incast, ErrorsNameTheKey) {
  const auto refused = [](const std::string& incast, const std::string& more = "stop = \"1 ms\"") {
    return traffic_error(table(incast, more));
  };
  EXPECT_THAT(refused("fan_in = 16, size = \"1 KB\", load = 0.1"),
              HasSubstr("incast.fan_in: is 16, more than the 15 hosts that may send to host 0"));
  EXPECT_THAT(refused("fan_in = 2, size = \"1 KB\""),
              HasSubstr("incast.load: is missing; give one of load, interval, times"));
  EXPECT_THAT(refused("fan_in = 2, load = 0.1"), HasSubstr("incast.size: is missing"));
  EXPECT_THAT(refused("fan_in = 2, size = \"1 KB\", total = \"2 KB\", load = 0.1"),
              HasSubstr("incast.total: cannot stand beside 'size'"));
  EXPECT_THAT(refused("fan_in = 2, size = \"1 KB\", load = 1.5"),
              HasSubstr("incast.load: offers the link of destination 0 1.5 times what it carries"));
  // Two senders feed four destinations at 0.6 of their links.
  EXPECT_THAT(refused("fan_in = 2, size = \"1 KB\", load = 0.6, senders = [0, 1], "
                      "destinations = [4, 5, 6, 7]"),
              HasSubstr("offers the link of sender 0 1.2 times"));
  EXPECT_THAT(refused("fan_in = 2, size = \"1 KB\", times = [\"1 furlong\"]"),
              HasSubstr("incast.times"));
  EXPECT_THAT(refused("fan_in = 2, size = \"1 KB\", load = 0.1", ""),
              HasSubstr("stop: is missing: incast traffic is made up to it"));
  EXPECT_THAT(refused("fan_in = 2, size = \"1 KB\", load = 0.1", "sources = [1]"),
              HasSubstr("sources: cannot stand beside 'incast'"));
  EXPECT_THAT(refused("fan_in = 2, size = \"1 KB\", load = 0.1", "trace = { file = \"x\" }"),
              HasSubstr("incast: cannot stand beside 'trace'"));
}

}  // namespace
}  // namespace weir::traffic::incast_test
