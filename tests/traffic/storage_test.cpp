#include "weir/traffic/storage.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "tests/traffic/helpers.hpp"

namespace weir::traffic::storage_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Rate kLink = gigabits_per_second(8);  // 1 B/ns
constexpr std::int64_t kRequest = 64;

std::string storage_entry(const std::string& storage = "", const std::string& more = "") {
  return "[[traffic]]\nname = \"san\"\nstorage = { " + storage + " }\n" + more;
}

/// A workload and what it refers to.
struct Workload {
  explicit Workload(const std::string& storage = "", std::size_t hosts = 64, std::uint64_t seed = 1)
      : graph(star(hosts, kLink)),
        entry(entries_of(storage_entry(storage)).front()),
        context{graph, seed},
        made(entry, 0, context) {}
  topology::Graph graph;
  TrafficEntry entry;
  TrafficContext context;
  StorageWorkload made;
};

struct Sent {
  std::int64_t time;
  std::uint32_t source;
  std::uint32_t destination;
  std::int64_t bytes;
  auto operator<=>(const Sent&) const = default;
};

/// All messages; by time, then by source.
std::vector<Sent> all_of(const Trace& trace, std::size_t hosts) {
  std::vector<Sent> all;
  for (std::size_t h = 0; h < hosts; ++h) {
    for (const Trace::Record& r : trace.messages(HostId(h))) {
      all.push_back({r.time, static_cast<std::uint32_t>(h), r.destination, r.bytes});
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<Sent> sent(const std::string& storage, Time span, std::size_t hosts = 64,
                       std::uint64_t seed = 1) {
  const Workload w(storage, hosts, seed);
  return all_of(w.made.messages(span), hosts);
}

/// Messages of hosts, without the data of disks: one an I/O.
std::vector<Sent> ios_of(std::vector<Sent> all, std::uint32_t first_disk = 48) {
  std::erase_if(all, [=](const Sent& s) { return s.source >= first_disk; });
  return all;
}

/// Bytes over what `disks` links of 1 B/ns carry.
double load_of(const std::vector<Sent>& all, Time span, std::uint32_t first_disk, bool from_disks) {
  double bytes = 0;
  std::uint32_t last = 0;
  for (const Sent& s : all) {
    last = std::max({last, s.source, s.destination});
    if ((s.source >= first_disk) == from_disks) bytes += static_cast<double>(s.bytes);
  }
  return bytes / (to_nanoseconds(span) * (last + 1 - first_disk));
}

// --- Hosts and disks

TEST(StorageHosts, AreTheLowerThreeQuartersByDefault) {
  const Workload w;
  EXPECT_EQ(w.made.hosts().size(), 48U);
  EXPECT_EQ(w.made.hosts().back(), HostId(47));
  std::vector<HostId> disks = w.made.disks();
  std::sort(disks.begin(), disks.end());
  EXPECT_EQ(disks.size(), 16U);
  EXPECT_EQ(disks.front(), HostId(48));
  EXPECT_EQ(w.made.senders().size(), 64U);
}

TEST(StorageHosts, MayBeListed) {
  const Workload w("disks = [5, 1], hosts = [\"h3\", 0], zipf = 0.0", 8);
  EXPECT_THAT(w.made.hosts(), ElementsAre(HostId(0), HostId(3)));
  EXPECT_THAT(w.made.senders(), ElementsAre(HostId(0), HostId(1), HostId(3), HostId(5)));
  EXPECT_THAT(Workload("disks = [1], reads = 0.0", 3).made.senders(),
              ElementsAre(HostId(0), HostId(2)));
}

TEST(StorageHosts, AreSourcesOfTheClassThoughSilent) {
  const topology::Graph graph = star(8, kLink);
  const Traffic traffic =
      traffic_of(storage_entry("disks = [7], hosts = [1, 2]", "stop = \"1 ps\"\n") +
                     entry("sources = \"rest\"", "others"),
                 graph);
  EXPECT_THAT(traffic.classes[0].sources, ElementsAre(HostId(1), HostId(2), HostId(7)));
  EXPECT_TRUE(traffic.classes[0].targets.empty());
  EXPECT_EQ(traffic.classes[1].sources.size(), 5U);
  EXPECT_TRUE(take_all(*traffic.sources[0].source).empty());
}

// --- What an I/O is

TEST(StorageIo, SizesAndReadsHaveTheirShares) {
  // Data of writes goes to disks, that of reads to hosts; both have the same sizes.
  std::map<std::int64_t, double> sizes;
  double reads = 0;
  double writes = 0;
  for (const Sent& s : sent("", milliseconds(200))) {
    const bool from_disk = s.source >= 48;
    if (s.bytes == kRequest) {
      EXPECT_FALSE(from_disk);
      continue;
    }
    ++sizes[s.bytes];
    ++(from_disk ? reads : writes);
  }
  const double all = reads + writes;
  ASSERT_GT(all, 100'000);
  ASSERT_EQ(sizes.size(), 3U);
  EXPECT_NEAR(sizes[2048] / all, 0.40, 0.01);
  EXPECT_NEAR(sizes[8192] / all, 0.45, 0.01);
  EXPECT_NEAR(sizes[65536] / all, 0.15, 0.01);
  EXPECT_NEAR(reads / all, 0.6, 0.01);
}

TEST(StorageIo, DataFollowItsRequestFromTheSameDiskAfterTheServiceTime) {
  const Workload w("service = \"1 ms\", compression = 16.0");
  EXPECT_EQ(w.made.service(), nanoseconds(62'500));
  const Time span = milliseconds(20);
  std::multiset<std::tuple<std::int64_t, std::uint32_t, std::uint32_t>> expected;
  std::multiset<std::tuple<std::int64_t, std::uint32_t, std::uint32_t>> seen;
  for (const Sent& s : all_of(w.made.messages(span), 64)) {
    if (s.bytes == kRequest) {
      const std::int64_t at = s.time + w.made.service().count;
      if (at < span.count) expected.insert({at, s.destination, s.source});
    } else if (s.source >= 48 && s.time >= w.made.service().count) {
      seen.insert({s.time, s.source, s.destination});
    }
  }
  EXPECT_GT(seen.size(), 5'000U);
  EXPECT_EQ(seen, expected);
}

TEST(StorageIo, DataOfEarlierReadsComesFromTheBeginning) {
  // No ramp: within the first service time disks send what hosts have asked for before 0.
  double early = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    for (const Sent& s : sent("service = \"20 ms\"", milliseconds(1), 64, seed)) {
      if (s.source >= 48) early += static_cast<double>(s.bytes);
    }
  }
  EXPECT_NEAR(early / 40 / (16 * 1e6), 0.7, 0.15);
}

TEST(StorageIo, OnlyReadsAndOnlyWrites) {
  for (const Sent& s : sent("reads = 0.0", milliseconds(1))) EXPECT_LT(s.source, 48U);
  for (const Sent& s : sent("reads = 1.0, request = \"32 B\"", milliseconds(1))) {
    EXPECT_EQ(s.source < 48, s.bytes == 32);
  }
}

TEST(StorageIo, PopularityOfDisksFollowsZipf) {
  const Workload w("zipf = 1.0, overload = true");
  std::map<std::uint32_t, double> counts;
  double all = 0;
  for (const Sent& s : ios_of(all_of(w.made.messages(milliseconds(200)), 64))) {
    ++counts[s.destination];
    ++all;
  }
  ASSERT_GT(all, 100'000);
  double harmonic = 0;
  for (int k = 1; k <= 16; ++k) harmonic += 1.0 / k;
  for (std::size_t k = 1; k <= 16; ++k) {
    const double share = 1 / (static_cast<double>(k) * harmonic);
    EXPECT_NEAR(counts[w.made.disks()[k - 1].value] / all, share, 0.05 * share) << "rank " << k;
  }
}

TEST(StorageIo, TheSeedRanksTheDisks) {
  EXPECT_EQ(Workload("", 64, 1).made.disks(), Workload("load = 0.1", 64, 1).made.disks());
  EXPECT_NE(Workload("", 64, 1).made.disks(), Workload("", 64, 2).made.disks());
  std::vector<double> firsts(4);
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    ++firsts[Workload("", 16, seed).made.disks().front().value - 12];
  }
  EXPECT_LT(chi_square(firsts), chi_square_limit(4));
}

// --- When I/Os come

TEST(BoundedPareto, HasItsMeanAndItsTail) {
  for (const double tail : {1.2, 1.4, 2.5}) {
    const BoundedPareto law(20, tail, 100);
    EXPECT_DOUBLE_EQ(law.most(), 2000);
    RandomStream random(1, 1, StreamPurpose::test);
    constexpr int kDraws = 2'000'000;
    double sum = 0;
    std::map<double, double> beyond{{law.least() * 2, 0}, {40, 0}, {200, 0}, {1000, 0}};
    for (int i = 0; i < kDraws; ++i) {
      const double x = law.draw(random);
      ASSERT_GE(x, law.least());
      ASSERT_LE(x, law.most());
      sum += x;
      for (auto& [limit, count] : beyond) count += x > limit ? 1 : 0;
    }
    EXPECT_NEAR(sum / kDraws, 20, 0.3) << tail;
    for (const auto& [limit, count] : beyond) {
      const double expected = law.beyond(limit) * kDraws;
      EXPECT_NEAR(count, expected, 5 * std::sqrt(expected) + 1) << tail << " beyond " << limit;
    }
  }
}

TEST(BoundedPareto, ApproachesTheLawWithoutACut) {
  // Mean of a Pareto law from x0 on: x0 tail / (tail - 1).
  EXPECT_NEAR(BoundedPareto(14, 1.4, 1e9).least(), 4, 0.01);
  EXPECT_NEAR(BoundedPareto(14, 1.4, 1e9).beyond(400), std::pow(100, -1.4), 1e-4);
  // Almost constant at the other end.
  EXPECT_GT(BoundedPareto(14, 3, 1.01).least(), 13.8);
}

TEST(BoundedPareto, DrawsByLength) {
  // Weighed by length, the mean is E[X^2] / E[X].
  const BoundedPareto law(3, 1.8, 20);
  RandomStream random(2, 1, StreamPurpose::test);
  constexpr int kDraws = 1'000'000;
  double plain = 0;
  double squares = 0;
  double by_length = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = law.draw(random);
    plain += x;
    squares += x * x;
    by_length += law.draw_by_length(random);
  }
  EXPECT_NEAR(by_length / kDraws, squares / plain, 0.02 * squares / plain);
}

/// I/Os of each burst: gaps of at most 1 and idle times of more than 1 in these laws.
std::vector<double> bursts_of(const BurstLaw& law, std::size_t count) {
  IoTimes times(law, RandomStream(3, 1, StreamPurpose::test));
  std::vector<double> bursts;
  double last = times.next();
  double ios = 1;
  while (bursts.size() < count) {
    const double at = times.next();
    EXPECT_GE(at, last);
    if (at - last > 1) {
      bursts.push_back(ios);
      ios = 0;
    }
    ++ios;
    last = at;
  }
  return bursts;
}

TEST(IoTimes, BurstsHaveAHeavyTail) {
  // With gaps far below the shortest idle time, bursts can be told apart.
  const BurstLaw law{BoundedPareto(20, 1.4, 100), BoundedPareto(1e6, 1.2, 100), 1e-3};
  const std::vector<double> bursts = bursts_of(law, 200'000);
  const double mean =
      std::accumulate(bursts.begin(), bursts.end(), 0.0) / static_cast<double>(bursts.size());
  EXPECT_NEAR(mean, 20, 0.5);
  for (const double limit : {10.0, 40.0, 160.0, 640.0}) {
    const auto beyond = static_cast<double>(
        std::count_if(bursts.begin(), bursts.end(), [=](double ios) { return ios > limit; }));
    // A burst of n I/Os stands for lengths from n - 1 to n + 1: n > limit for limit + 1/2.
    const double expected = law.burst.beyond(limit + 0.5) * static_cast<double>(bursts.size());
    EXPECT_NEAR(beyond, expected, 0.01 * expected + 5 * std::sqrt(expected)) << limit;
  }
  // Hill's estimate of the exponent from the largest tenth, without what the cut takes away.
  std::vector<double> sorted = bursts;
  std::sort(sorted.begin(), sorted.end());
  const double least = sorted[sorted.size() * 9 / 10];
  double logs = 0;
  double larger = 0;
  for (const double ios : sorted) {
    if (ios <= least || ios > 10 * least) continue;
    logs += std::log(ios / (least + 0.5));
    ++larger;
  }
  // Mean of ln(x / least) of a Pareto law cut at ten times the least.
  const auto cut_mean = [](double tail) {
    const double share = std::pow(10, -tail);
    return 1 / tail - share * std::log(10) / (1 - share);
  };
  EXPECT_LT(logs / larger, cut_mean(1.3));
  EXPECT_GT(logs / larger, cut_mean(1.5));
}

TEST(IoTimes, AreStationaryFromTheFirstOne) {
  // Numbers of I/Os in intervals of a cycle's length: all the same mean, the first as well.
  const BurstLaw law{BoundedPareto(8, 1.8, 30), BoundedPareto(60, 1.8, 30), 10};
  EXPECT_DOUBLE_EQ(law.cycle(), 130);
  constexpr int kStreams = 100'000;
  std::vector<double> counts(6);
  std::size_t at_once = 0;
  for (std::uint32_t i = 0; i < kStreams; ++i) {
    IoTimes times(law, RandomStream(4, i, StreamPurpose::test));
    double at = times.next();
    at_once += at < 0.1 ? 1 : 0;
    while (at < 6 * law.cycle()) {
      ++counts[static_cast<std::size_t>(at / law.cycle())];
      at = times.next();
    }
  }
  for (const double count : counts) EXPECT_NEAR(count / kStreams, 8, 0.15);
  // The rate at 0 itself; two I/Os in so short a time are rare.
  EXPECT_NEAR(static_cast<double>(at_once) / kStreams, 0.1 * 8 / law.cycle(), 0.0012);
}

// --- Load and compression

TEST(StorageLoad, IsThatOfTheDisksInTheirBusierDirection) {
  // A tenth of the tails: what a long run shows.
  const std::string mild = "burst_tail = 2.5, idle_tail = 2.5, compression = 40.0";
  const Time span = milliseconds(300);
  const auto reading = sent(mild, span);
  EXPECT_NEAR(load_of(reading, span, 48, true), 0.7, 0.02);
  EXPECT_NEAR(load_of(reading, span, 48, false), 0.7 * (0.4 * 14336 + 0.6 * 64) / (0.6 * 14336),
              0.02);
  const auto writing = sent(mild + ", reads = 0.2, load = 0.3", span);
  EXPECT_NEAR(load_of(writing, span, 48, false), 0.3, 0.01);
  EXPECT_LT(load_of(writing, span, 48, true), 0.08);
  const auto fixed = sent(mild + ", sizes = { model = \"fixed\", size = \"4 KiB\" }", span);
  EXPECT_NEAR(load_of(fixed, span, 48, true), 0.7, 0.02);
}

TEST(StorageLoad, HoldsOnAverageOverSeedsWithTheDefaultTails) {
  // Single runs of 2 ms scatter; their mean does not.
  std::vector<double> loads;
  const Time span = milliseconds(2);
  constexpr std::uint64_t kSeeds = 200;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Workload w("", 64, seed);
    double bytes = 0;
    for (const Sent& s : all_of(w.made.messages(span), 64)) {
      if (s.source >= 48) bytes += static_cast<double>(s.bytes);
    }
    loads.push_back(bytes / (16 * to_nanoseconds(span)));
  }
  const double mean = std::accumulate(loads.begin(), loads.end(), 0.0) / kSeeds;
  double variance = 0;
  for (const double load : loads) variance += (load - mean) * (load - mean) / (kSeeds - 1);
  EXPECT_NEAR(mean, 0.7, 4 * std::sqrt(variance / kSeeds));
  EXPECT_LT(std::sqrt(variance / kSeeds), 0.02);
}

TEST(StorageLoad, CompressionDividesAllTimes) {
  // Load 0.7 compressed 40 times is load 0.0175, 40 times as fast.
  const auto packed = sent("compression = 40.0", milliseconds(1));
  const auto plain = sent("compression = 1.0, load = 0.0175", milliseconds(40));
  ASSERT_GT(packed.size(), 500U);
  ASSERT_EQ(packed.size(), plain.size());
  for (std::size_t i = 0; i < packed.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(packed[i].time), static_cast<double>(plain[i].time) / 40, 2);
    EXPECT_EQ(packed[i].bytes, plain[i].bytes);
    EXPECT_EQ(packed[i].destination, plain[i].destination);
  }
}

TEST(StorageLoad, CompressionMakesBurstsDenserAtTheSameLoad) {
  const Workload slow("compression = 10.0");
  const Workload fast("compression = 100.0");
  EXPECT_DOUBLE_EQ(slow.made.interval(), fast.made.interval());
  // Share of the time that a host is within a burst.
  const auto busy = [](const BurstLaw& law) { return 1 - law.idle.mean() / law.cycle(); };
  EXPECT_NEAR(busy(slow.made.law()), 10 * busy(fast.made.law()), 1e-9);
}

TEST(StorageLoad, DoesNotDependOnTheNumberOfHosts) {
  const std::string mild =
      "burst_tail = 2.5, idle_tail = 2.5, compression = 40.0, disks = [62, 63]";
  const Time span = milliseconds(500);
  EXPECT_NEAR(load_of(sent(mild, span), span, 62, true), 0.7, 0.03);
  EXPECT_NEAR(load_of(sent(mild + ", hosts = [1, 2, 3]", span), span, 62, true), 0.7, 0.05);
}

// --- Determinism

TEST(StorageDeterminism, MessagesDependOnSeedEntryAndHostOnly) {
  const Time span = milliseconds(3);
  EXPECT_EQ(sent("", span), sent("", span));
  EXPECT_NE(sent("", span), sent("", span, 64, 2));
  // The order of a list does not matter.
  EXPECT_EQ(sent("hosts = [1, 2, 3], disks = [60, 61]", span),
            sent("hosts = [3, 1, 2], disks = [61, 60]", span));
  // Nor do other hosts, at the same rate a host.
  const auto by_host = [](std::vector<Sent> all, std::uint32_t host) {
    std::erase_if(all, [=](const Sent& s) { return s.source != host && s.destination != host; });
    return all;
  };
  const std::string loose = ", disks = [60, 61], overload = true";
  const auto few = sent("hosts = [1, 2], load = 0.2" + loose, span * 10);
  const auto many = sent("hosts = [0, 1, 2, 5], load = 0.4" + loose, span * 10);
  ASSERT_FALSE(by_host(few, 2).empty());
  EXPECT_EQ(by_host(few, 2), by_host(many, 2));
}

TEST(StorageDeterminism, ALongerSpanChangesNothingBefore) {
  auto longer = sent("", milliseconds(4));
  std::erase_if(longer, [](const Sent& s) { return s.time >= milliseconds(2).count; });
  EXPECT_EQ(sent("", milliseconds(2)), longer);
}

TEST(StorageDeterminism, EntriesDiffer) {
  const topology::Graph graph = star(16, kLink);
  const std::string text = storage_entry("", "stop = \"4 ms\"\n");
  const Traffic traffic =
      traffic_of(text + "[[traffic]]\nname = \"b\"\nstorage = {}\nstop = \"4 ms\"\n", graph);
  ASSERT_EQ(traffic.sources.size(), 32U);
  std::vector<std::int64_t> times[2];
  for (const HostSource& s : traffic.sources) {
    for (const auto& m : take_all(*s.source)) {
      times[s.source->traffic_class].push_back(m.at.count);
    }
  }
  EXPECT_GT(times[0].size(), 50U);
  EXPECT_NE(times[0], times[1]);
}

// --- As traffic of an experiment

TEST(StorageTraffic, IsMadeForTheTimeOfItsEntry) {
  const topology::Graph graph = star(64, kLink);
  const auto last = [&](const std::string& more, Time end) {
    Traffic traffic =
        make_sources(entries_of(storage_entry("", more)), {graph, 1, Bytes(4096), Bytes(0), end});
    Time first = Time::max();
    Time latest;
    for (const HostSource& s : traffic.sources) {
      for (const auto& m : take_all(*s.source)) {
        first = std::min(first, m.at);
        latest = std::max(latest, m.at);
      }
    }
    return std::pair(first, latest);
  };
  const auto [first, latest] = last("start = \"1 ms\"\nstop = \"3 ms\"\n", Time::max());
  EXPECT_GE(first, milliseconds(1));
  EXPECT_LT(first, microseconds(1050));
  EXPECT_LT(latest, milliseconds(3));
  EXPECT_GT(latest, microseconds(2950));
  const Time until_end = last("stop = \"3 ms\"\n", milliseconds(2)).second;
  EXPECT_LT(until_end, milliseconds(2));
  EXPECT_GT(until_end, microseconds(1950));
  EXPECT_EQ(last("start = \"1 ms\"\n", microseconds(10)).first, Time::max());
}

TEST(StorageTraffic, ResolvedReadsBackToItself) {
  for (const std::string storage : {"",
                                    "disks = [1, 2], hosts = [3], sizes = { model = \"fixed\", "
                                    "size = \"1 KiB\" }, gap = \"1 us\""}) {
    const auto entries = entries_of(storage_entry(storage, "stop = \"1 ms\"\n"));
    const std::string text = to_toml(entries[0].resolved);
    const TrafficEntry again = TrafficEntry::check(parse_toml(text, "resolved"), "traffic[0]");
    EXPECT_EQ(to_toml(again.resolved), text);
  }
  const auto entries = entries_of(storage_entry("", "stop = \"1 ms\"\n"));
  EXPECT_THAT(to_toml(entries[0].resolved), HasSubstr("service = \"2 ms\""));
  EXPECT_THAT(to_toml(entries[0].resolved), HasSubstr("\"64 KiB\""));
}

std::string refused(const std::string& storage, std::size_t hosts = 64,
                    const std::string& more = "stop = \"1 ms\"\n") {
  const topology::Graph graph = star(hosts, kLink);
  return error_of([&] { (void)traffic_of(storage_entry(storage, more), graph); });
}

TEST(StorageTraffic, RefusesWhatCannotBe) {
  EXPECT_THAT(refused("", 64, ""), HasSubstr("traffic[0].stop: is missing: storage traffic"));
  EXPECT_THAT(refused("laod = 1.0"), HasSubstr("storage.laod: unknown key (did you mean 'load'?)"));
  EXPECT_THAT(refused("", 64, "trace = { file = \"x\" }\n"),
              HasSubstr("traffic[0].storage: cannot stand beside 'trace'"));
  EXPECT_THAT(refused("", 64, "sizes = { model = \"fixed\", size = \"1 B\" }\n"),
              HasSubstr("traffic[0].sizes: cannot stand beside 'storage', which has its own"));
  EXPECT_THAT(refused("", 64, "phases = [{ start = \"0 s\", stop = \"1 us\" }]\n"),
              HasSubstr("traffic[0].phases: cannot stand beside 'storage'"));
  EXPECT_THAT(refused("sizes = \"fixd\""),
              HasSubstr("traffic[0].storage.sizes.model: no sizes is called 'fixd'"));
  EXPECT_THAT(refused("sizes = { model = \"fixed\", size = \"5 GiB\" }"),
              HasSubstr("traffic[0].storage.sizes: are too large"));
}

TEST(StorageTraffic, RefusesHostsAndDisksThatCannotBe) {
  EXPECT_THAT(refused("", 1),
              HasSubstr("traffic[0].storage.disks: need a network of at least two"));
  EXPECT_THAT(refused("disks = 0.1", 4), HasSubstr("storage.disks: 0.1 of 4 hosts is no disk"));
  EXPECT_THAT(refused("disks = 1.0"), HasSubstr("storage.disks: leave no host that makes I/Os"));
  EXPECT_THAT(refused("disks = 1.5"), HasSubstr("storage.disks: must be between 0 and 1"));
  EXPECT_THAT(refused("disks = -0.5"), HasSubstr("storage.disks: must be between 0 and 1"));
  EXPECT_THAT(refused("disks = 3"),
              HasSubstr("must be a share of the hosts, as in 0.25, or a list"));
  EXPECT_THAT(refused("disks = []"), HasSubstr("storage.disks: is an empty list"));
  EXPECT_THAT(refused("disks = [64]"), HasSubstr("storage.disks[0]: there is no host 64"));
  EXPECT_THAT(refused("hosts = []"), HasSubstr("storage.hosts: is an empty list"));
  EXPECT_THAT(refused("hosts = [3, 50]"), HasSubstr("storage.hosts: host 50 is a disk"));
}

TEST(StorageTraffic, RefusesNumbersThatCannotBe) {
  EXPECT_THAT(refused("reads = 1.1"), HasSubstr("storage.reads: must be between 0 and 1"));
  EXPECT_THAT(refused("burst_tail = 1.0"), HasSubstr("storage.burst_tail: must be more than 1"));
  EXPECT_THAT(refused("idle_tail = 0.9"), HasSubstr("storage.idle_tail: must be more than 1"));
  EXPECT_THAT(refused("burst = 2.0"), HasSubstr("storage.burst: is too small"));
  EXPECT_THAT(refused("compression = 0.0"), HasSubstr("storage.compression: must be between"));
  EXPECT_THAT(refused("zipf = -1.0"), HasSubstr("storage.zipf: must be between 0 and 10"));
  EXPECT_THAT(refused("load = 0.0"), HasSubstr("storage.load: must be between"));
  EXPECT_THAT(refused("load = 0.95"), HasSubstr("storage.load: offers the link of disk "));
  EXPECT_THAT(refused("load = 1.1, zipf = 0.0, compression = 100.0"),
              HasSubstr("with 6.2 % of the I/Os 1.1 times what it carries; overload = true"));
  EXPECT_THAT(refused("hosts = [1], zipf = 0.0"),
              HasSubstr("offers the link of host 1 with 1e+02 %"));
  EXPECT_THAT(refused("service = \"1000 s\", compression = 1e-6, gap = \"0 s\""),
              HasSubstr("storage.service: is too long after compression"));
  EXPECT_THAT(refused("", 64, "stop = \"1000 s\"\n"), HasSubstr("messages in 1000 s; at most"));
}

TEST(StorageTraffic, SaysWhichCompressionLeavesIdleTime) {
  const std::string message = refused("compression = 1.0");
  EXPECT_THAT(message, HasSubstr("storage.load: leaves no time between bursts"));
  const std::string::size_type at = message.find("more than ");
  ASSERT_NE(at, std::string::npos);
  const double least = std::stod(message.substr(at + 10));
  // 48 hosts, 11.2 B/ns, 8601.6 B an I/O: 36.9 us between I/Os of a host; 200 us * 19 / 20 of gap.
  EXPECT_NEAR(least, 0.95 * 200 / (48 * 8.6016 / 11.2), 0.01);
  EXPECT_NO_THROW(Workload("compression = " + std::to_string(least * 1.01)));
  EXPECT_THAT(refused("compression = " + std::to_string(least * 0.99)), HasSubstr("no time"));
}

}  // namespace
}  // namespace weir::traffic::storage_test
