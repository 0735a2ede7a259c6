#include <numeric>
#include <set>

#include "tests/traffic/helpers.hpp"
#include "weir/traffic/progress.hpp"

namespace weir::traffic {
namespace {

using fabric::MessageRequest;
using testing::HasSubstr;

bool same(const MessageRequest& a, const MessageRequest& b) {
  return a.at == b.at && a.destination == b.destination && a.size == b.size && a.tag == b.tag;
}

/// A name that makes four entries of every kind of randomness.
std::string mixture() {
  return entry("arrivals = { model = \"poisson\", load = 0.3 }", "a") +
         entry(
             "arrivals = { model = \"generalized-exponential\", load = 0.2, scv = 5 }\n"
             "sizes = { model = \"bimodal\", small = \"64 B\", large = \"512 B\" }",
             "b") +
         entry(
             "arrivals = { model = \"bernoulli\", load = 0.2, phase = \"random\" }\n"
             "destinations = { model = \"groups\", size = 4 }",
             "c") +
         entry("destinations = { model = \"random-permutation\" }", "d");
}

TEST(Schedule, StartAndStopAreExact) {
  const topology::Graph graph = star(4);
  Traffic traffic = traffic_of(entry("arrivals = { model = \"constant\", interval = \"1 us\", "
                                     "phase = \"aligned\" }\nstart = \"3 ms\"\nstop = \"4 ms\""),
                               graph);
  for (HostSource& s : traffic.sources) {
    const auto messages = take_all(*s.source);
    ASSERT_EQ(messages.size(), 1000U);
    EXPECT_EQ(messages.front().at, milliseconds(3));
    EXPECT_EQ(messages.back().at, milliseconds(4) - microseconds(1));
    EXPECT_FALSE(s.source->next(milliseconds(5)));
  }
}

TEST(Schedule, MessagesAreCountedPerSource) {
  const topology::Graph graph = star(4);
  for (const std::string arrivals :
       {"{ model = \"saturated\" }", "{ model = \"poisson\", load = 0.5 }"}) {
    Traffic traffic = traffic_of(entry("arrivals = " + arrivals + "\nmessages = 16"), graph);
    for (HostSource& s : traffic.sources) {
      const auto messages = take_all(*s.source);
      ASSERT_EQ(messages.size(), 16U);
      for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(messages[i].tag, i);
    }
  }
}

TEST(Schedule, PhasesHaveTheirOwnLoad) {
  const topology::Graph graph = star(4);
  Traffic traffic =
      traffic_of(entry("arrivals = { model = \"constant\", load = 0.5, phase = \"aligned\" }\n"
                       "phases = [{ start = \"0 us\", stop = \"8 us\" },\n"
                       "          { start = \"10 us\", stop = \"18 us\", load = 1.0 },\n"
                       "          { start = \"18 us\", stop = \"34 us\", load = 0.1 }]"),
                 graph);
  std::vector<int> counts(40);
  for (const MessageRequest& m : take_all(*traffic.sources[0].source)) {
    ++counts[static_cast<std::size_t>(m.at.count / 1'000'000)];
  }
  const auto sum = [&](int from, int to) {
    return std::accumulate(counts.begin() + from, counts.begin() + to, 0);
  };
  EXPECT_EQ(sum(0, 8), 50);
  EXPECT_EQ(sum(8, 10), 0);
  EXPECT_EQ(sum(10, 18), 100);
  EXPECT_EQ(sum(18, 34), 20);
  EXPECT_EQ(sum(34, 40), 0);
}

TEST(Schedule, ABurstComesOncePerPhase) {
  const topology::Graph graph = star(4);
  Traffic traffic = traffic_of(entry("arrivals = { model = \"once\", count = 2 }\n"
                                     "phases = [{ start = \"1 us\", stop = \"2 us\" }, "
                                     "{ start = \"5 us\" }]"),
                               graph);
  std::vector<Time> times;
  for (const auto& m : take_all(*traffic.sources[0].source)) times.push_back(m.at);
  EXPECT_THAT(times, testing::ElementsAre(microseconds(1), microseconds(1), microseconds(5),
                                          microseconds(5)));
}

TEST(Schedule, ASourceThatWasHeldUpCatchesUpAndStopsInTime) {
  const topology::Graph graph = star(4);
  Traffic traffic = traffic_of(entry("arrivals = { model = \"constant\", interval = \"1 us\", "
                                     "phase = \"aligned\" }\nstop = \"10 us\""),
                               graph);
  fabric::MessageSource& source = *traffic.sources[0].source;
  EXPECT_EQ(source.next(Time(0))->at, Time(0));
  EXPECT_EQ(source.next(nanoseconds(5500))->at, nanoseconds(5500));  // was due at 1 us
  for (int i = 0; i < 4; ++i) EXPECT_EQ(source.next(nanoseconds(5500))->at, nanoseconds(5500));
  EXPECT_EQ(source.next(nanoseconds(5500))->at, microseconds(6));
  EXPECT_FALSE(source.next(microseconds(10)));
}

TEST(Schedule, ResultsDoNotDependOnTheOrderOfDrawing) {
  const topology::Graph graph = star(16);
  Traffic one = traffic_of(mixture(), graph, 7);
  std::vector<std::vector<MessageRequest>> expected;
  for (HostSource& s : one.sources) expected.push_back(take(*s.source, 200));

  Traffic other = traffic_of(mixture(), graph, 7);
  ASSERT_EQ(other.sources.size(), expected.size());
  std::vector<Time> now(expected.size());
  for (std::size_t i = 0; i < 200; ++i) {
    for (std::size_t k = expected.size(); k-- > 0;) {
      const auto message = other.sources[k].source->next(now[k]);
      ASSERT_TRUE(message);
      EXPECT_TRUE(same(*message, expected[k][i])) << "source " << k << ", message " << i;
      now[k] = message->at;
    }
  }
}

TEST(Schedule, SeedEntryAndHostChangeTheMessages) {
  const topology::Graph graph = star(8);
  const std::string two = entry("arrivals = { model = \"poisson\", load = 0.3 }", "a") +
                          entry("arrivals = { model = \"poisson\", load = 0.3 }", "b");
  std::set<std::int64_t> firsts;
  for (const std::uint64_t seed : {1U, 2U}) {
    Traffic traffic = traffic_of(two, graph, seed);
    for (HostSource& s : traffic.sources) firsts.insert(s.source->next(Time(0))->at.count);
  }
  EXPECT_EQ(firsts.size(), 32U);
}

TEST(Schedule, SourcesCarryClassAndServiceLevel) {
  const topology::Graph graph = star(2);
  const Traffic traffic = traffic_of(entry("", "a") + entry("service_level = 3", "b"), graph);
  ASSERT_EQ(traffic.sources.size(), 4U);
  EXPECT_EQ(traffic.sources[1].source->traffic_class, 0);
  EXPECT_EQ(traffic.sources[2].source->traffic_class, 1);
  EXPECT_EQ(traffic.sources[3].source->service_level, 3);
  EXPECT_EQ(traffic.sources[3].host, HostId(1));
}

TEST(Progress, HoldsSourcesBackUntilEnoughPacketsAreReceived) {
  const topology::Graph graph = star(4);
  Traffic traffic =
      traffic_of(entry("", "now") + entry("start_after_packets = 50\nsources = [1, 2]", "later") +
                     entry("start_after_packets = 20\nsources = [3]", "soon"),
                 graph);
  Progress progress(traffic.sources);
  EXPECT_EQ(traffic.sources.size(), 4U);
  EXPECT_EQ(progress.waiting(), 3U);
  std::vector<std::pair<std::uint64_t, std::uint32_t>> added;
  for (int packet = 1; packet <= 100; ++packet) {
    if (!progress.on_delivered()) continue;
    for (const HostSource& s : progress.take_due()) {
      added.emplace_back(progress.received(), s.host.value);
    }
  }
  using Added = std::pair<std::uint64_t, std::uint32_t>;
  EXPECT_THAT(added, testing::ElementsAre(Added{20, 3}, Added{50, 1}, Added{50, 2}));
  EXPECT_EQ(progress.waiting(), 0U);
}

TEST(Progress, AReleasedSourceBeginsThen) {
  const topology::Graph graph = star(4);
  Traffic traffic = traffic_of(entry("start_after_packets = 5\nmessages = 3\n"
                                     "arrivals = { model = \"constant\", interval = \"1 us\" }"),
                               graph);
  const auto messages = take(*traffic.sources[0].source, 10, microseconds(700));
  ASSERT_EQ(messages.size(), 3U);
  EXPECT_LT(messages[0].at, microseconds(701));
  EXPECT_EQ(messages[2].at - messages[0].at, microseconds(2));
}

TEST(Schedule, RefusesWhatCannotBe) {
  EXPECT_THAT(traffic_error(entry("start = \"5 us\"\nstop = \"5 us\"")),
              HasSubstr("traffic[0].stop: must be later than the start, 5 us"));
  EXPECT_THAT(traffic_error(entry("stop = \"5 us\"\nphases = [{ start = \"0 us\" }]")),
              HasSubstr("phases: cannot stand beside 'stop'"));
  EXPECT_THAT(traffic_error(entry("phases = []")), HasSubstr("must be a list of tables"));
  EXPECT_THAT(traffic_error(entry("phases = [{ start = \"0 us\" }, { start = \"1 us\" }]")),
              HasSubstr("phases[1].start: must not be before the end"));
  EXPECT_THAT(traffic_error(entry("arrivals = { model = \"saturated\" }\n"
                                  "phases = [{ start = \"0 us\", load = 0.5 }]")),
              HasSubstr("cannot set a load: arrivals 'saturated' have none"));
  EXPECT_THAT(traffic_error(entry("messages = 0")), HasSubstr("must be between 1 and"));
}

}  // namespace
}  // namespace weir::traffic
