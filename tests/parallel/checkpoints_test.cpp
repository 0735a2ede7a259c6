// A run that goes on from checkpoints gives the numbers of one that was never stopped, however it
// is divided before and after each.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <fmt/format.h>

#include "parallel/random_configuration.hpp"
#include "parallel/same_numbers.hpp"
#include "weir/admission/link_by_link.hpp"
#include "weir/experiment/combinations/dimension.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/read_file.hpp"
#include "weir/experiment/config/run_kind.hpp"
#include "weir/experiment/run/simulation.hpp"

namespace weir::experiment::parallel {
namespace {

Configuration small(const std::string& more) {
  ConfigTable table = parse_experiment(small_experiment(), "checkpoints");
  lay_over(table, expanded(parse_toml(more, "checkpoints")));
  return resolve(table);
}

std::string difference_of(const Configuration& experiment, const std::vector<Division>& stages,
                          std::size_t* stops = nullptr) {
  const Numbers whole = run(experiment, {});
  const Numbers stopped = run_in_stages(experiment, stages, whole.end);
  if (stops != nullptr) *stops = stopped.stops;
  return difference(whole, stopped);
}

/// It stopped between all of them.
void expect_same(const Configuration& experiment, const std::vector<Division>& stages) {
  std::size_t stops = 0;
  EXPECT_EQ(difference_of(experiment, stages, &stops), "");
  EXPECT_EQ(stops, stages.size() - 1);
}

TEST(Checkpoints, AreWhereARunGoesOn) {
  const Configuration experiment = small("");
  ASSERT_EQ(no_checkpoints(experiment), "");
  ASSERT_GT(run(experiment, {}).packets, 100U);
  expect_same(experiment, {{1}, {1}});
  expect_same(experiment, {{1}, {1}, {1}, {1}});
}

TEST(Checkpoints, LetAnotherNumberOfThreadsGoOn) {
  const Configuration experiment = small("");
  expect_same(experiment, {{1}, {3}});
  expect_same(experiment, {{2}, {1}});
  expect_same(experiment, {{2}, {4}, {3, 7}});
}

TEST(Checkpoints, LetAnotherNumberOfProcessesGoOn) {
  const Configuration experiment = small("");
  expect_same(experiment, {{1}, {1, std::nullopt, 2}});
  expect_same(experiment, {{1, std::nullopt, 3}, {2}, {2, 5, 2}, {1}});
}

// Each process knows its own links until a checkpoint or the end.
TEST(Checkpoints, OfLinksOverTimeHaveThoseOfAllProcesses) {
  const std::string metrics = "[metrics]\nbin = \"300 ns\"\nframes = 4\nlink_series = true\n";
  for (const std::string& more :
       {std::string(),
        std::string("[switch]\narchitecture = \"cioq\"\nspeedup = 1.5\n[isolation]\n"
                    "model = \"fbicm\"\n"),
        std::string("[experiment]\nwarmup = \"auto\"\n"),
        std::string("[experiment]\nwarmup = \"auto\"\n[metrics]\nlinks = false\n")}) {
    SCOPED_TRACE(more);
    const Configuration experiment =
        more.find("links = false") == std::string::npos ? small(metrics + more) : small(more);
    const Numbers whole = run(experiment, {});
    for (const Division& division : {Division{3}, {1, std::nullopt, 3}, {2, 5, 2}})
      EXPECT_EQ(difference(whole, run(experiment, division)), "") << to_string(division);
    expect_same(experiment, {{1, 3, 2}, {2}, {1, 7, 3}, {1}});
    expect_same(experiment, {{1, std::nullopt, 2}, {1, std::nullopt, 3}, {2, 5, 2}});
  }
}

/// With messages above and below the rendezvous size, and receives that wait.
TEST(Checkpoints, OfWorkloadsKnowWhatRanksWaitFor) {
  const Configuration experiment = small(R"([experiment]
until = "workload"
[[workload]]
name = "exchange"
model = "all-to-all"
bytes = "5 KiB"
rendezvous = "4 KiB"
overhead = "200 ns"
[[workload]]
name = "sum"
model = "ring-all-reduce"
bytes = "16 KiB"
start = "3 us"
)");
  ASSERT_EQ(no_checkpoints(experiment), "");
  expect_same(experiment, {{1}, {1}, {1}, {1}});
  expect_same(experiment, {{1}, {2}, {3, 5}, {1}});
  expect_same(experiment, {{2}, {1, 3, 2}, {1}, {2, std::nullopt, 2}});
}

TEST(Checkpoints, OfSourcesThatWaitForPacketsAndOfEndsThatDo) {
  const Configuration experiment = small(R"([experiment]
until = { delivered = "cold" }
[traffic.cold]
messages = 20
[traffic.hot]
start_after_packets = 60
)");
  ASSERT_EQ(no_checkpoints(experiment), "");
  expect_same(experiment, {{1}, {1}, {1}, {1}});
  expect_same(experiment, {{2}, {1}, {1, 3, 2}, {3}});
}

/// Stopped often enough that lanes are lent at some of the stops.
TEST(Checkpoints, OfLanesKnowWhoHasBorrowedThem) {
  for (const char* ports : {"hosts", "switches"}) {
    SCOPED_TRACE(ports);
    const Configuration experiment = small(fmt::format(R"([switch]
architecture = "iq"
[queueing]
model = "dbbm"
queues = 2
[host]
source_queues = "per-class"
[vl_sharing]
model = "entry-threshold"
own_rate = "20 Gbps"
borrowed_rate = "40 Gbps"
threshold = 2
lenders = [0, 1]
ports = "{}"
service_scv = 2
)",
                                                       ports));
    ASSERT_EQ(no_checkpoints(experiment), "");
    expect_same(experiment, std::vector<Division>(9, Division{1}));
    expect_same(experiment, {{1}, {2}, {3, 5}, {1}});
  }
}

TEST(Checkpoints, OfWaitingBehindHotTrafficKnowHowLong) {
  for (const char* architecture : {"iq", "cioq"}) {
    SCOPED_TRACE(architecture);
    const Configuration experiment = small(
        fmt::format("[metrics]\nwaiting = true\n[switch]\narchitecture = \"{}\"\n", architecture));
    ASSERT_EQ(no_checkpoints(experiment), "");
    expect_same(experiment, std::vector<Division>(7, Division{1}));
  }
}

Configuration with_flows(const std::string& more) {
  ConfigTable table = parse_experiment(std::string(small_experiment()) + more, "checkpoints");
  lay_over(table,
           expanded(parse_toml("[host]\nsource_queues = \"per-destination\"\n", "checkpoints")));
  return resolve(table);
}

TEST(Checkpoints, OfFlowsKeepTheirRates) {
  for (const char* scheme :
       {"periodic-selection", "shaped-virtual-clock", "inter-packet-delay", "leaky-buckets-fifo"}) {
    SCOPED_TRACE(scheme);
    const Configuration experiment = with_flows(fmt::format(R"(
[[flow]]
source = 1
destination = 2
size = "16 KiB"
[[flow]]
source = 1
destination = 3
stop = "8 us"
[injection]
model = "{}"
)",
                                                            scheme));
    ASSERT_EQ(no_checkpoints(experiment), "");
    expect_same(experiment, {{1}, {1}, {1}, {1}});
    expect_same(experiment, {{1}, {2}, {3, 5}, {1}});
    expect_same(experiment, {{2}, {1, 3, 2}, {1}});
  }
}

/// Some stops lie before a phase, in the barrier before it, and in the last one.
TEST(Checkpoints, OfPhasesOfFlowsKnowWhichHaveBegun) {
  const Configuration experiment = with_flows(R"(
[[flow]]
source = 1
destination = 2
size = "8 KiB"
[[flow]]
source = 3
destination = 2
size = "4 KiB"
start = "1 us"
[[flow]]
source = 1
destination = 3
size = "8 KiB"
phase = 2
[[flow]]
source = 2
destination = 4
size = "4 KiB"
phase = 3
[injection]
model = "periodic-selection"
)");
  ASSERT_EQ(no_checkpoints(experiment), "");
  expect_same(experiment, std::vector<Division>(7, Division{1}));
  expect_same(experiment, {{1}, {2}, {3, 5}, {1}, {2}});
  expect_same(experiment, {{2}, {1, 3, 2}, {1}, {1, 4, 2}});
}

// --- Paths and rates that packets find

/// With route caches of one entry, or as many as it takes.
TEST(Checkpoints, OfPathsThatPacketsSetUpKnowWhatIsUnderWay) {
  for (const char* keys : {"", "flow = \"message\"\nprc_size = 1\n",
                           "tear_down = \"last-packet\"\nmetric = \"weight\"\n"}) {
    SCOPED_TRACE(keys);
    const Configuration experiment =
        small(fmt::format("[host]\nsource_queues = \"per-destination\"\n[flow_routing]\nset_up = "
                          "\"packets\"\npolicy = \"ascent\"\n{}",
                          keys));
    ASSERT_EQ(no_checkpoints(experiment), "");
    expect_same(experiment, std::vector<Division>(9, Division{1}));
    expect_same(experiment, {{1}, {2}, {3, 5}, {1, 3, 2}, {1}});
    expect_same(experiment, {{2, 9, 2}, {1}, {4}});
  }
}

/// Of two connections, in two phases; some stops lie between a flow's wish and its path.
const std::string kFlowsOfPhases = R"(
[[flow]]
source = 1
destination = 6
size = "64 KiB"
[[flow]]
source = 1
destination = 6
size = "32 KiB"
start = "1 us"
[[flow]]
source = 3
destination = 6
size = "128 KiB"
[[flow]]
source = 6
destination = 2
size = "64 KiB"
start = "400 ns"
[[flow]]
source = 1
destination = 6
size = "32 KiB"
phase = 2
[[flow]]
source = 2
destination = 5
size = "64 KiB"
start = "100 ns"
phase = 2
)";

TEST(Checkpoints, OfFlowsWhosePathsPacketsSetUpKnowWhoseTheyAre) {
  for (const char* keys : {"flow = \"idle\"\n", "flow = \"message\"\nprc_size = 1\n"}) {
    SCOPED_TRACE(keys);
    const Configuration experiment = with_flows(
        kFlowsOfPhases + "[flow_routing]\nset_up = \"packets\"\npolicy = \"ascent\"\n" + keys);
    ASSERT_EQ(no_checkpoints(experiment), "");
    expect_same(experiment, {{1}, {1}});
    expect_same(experiment, std::vector<Division>(17, Division{1}));
  }
}

/// Flows at the rates of a protocol, for a while.
Configuration with_protocol(const std::string& more, const std::string& protocol,
                            const std::string& lasts = "duration = \"40 us\"\n") {
  std::string text = small_experiment();
  const std::string until = "duration = \"1 ms\"\nuntil = \"drained\"\n";
  text.replace(text.find(until), until.size(), lasts);
  ConfigTable table = parse_experiment(
      text + more + "[injection]\nmodel = \"periodic-selection\"\n[protocol]\n" + protocol,
      "checkpoints");
  lay_over(table,
           expanded(parse_toml("[host]\nsource_queues = \"per-destination\"\n", "checkpoints")));
  return resolve(table);
}

TEST(Checkpoints, OfRateProtocolsKnowWhatTheirPacketsSay) {
  for (const char* protocol :
       {"model = \"dffa\"\n", "model = \"dffa\"\npreempt = false\n",
        "model = \"saa\"\nprobe_period = \"2 us\"\n", "model = \"saa-m\"\n",
        "model = \"periodic-dffa\"\nperiod = \"3 us\"\ncalm = \"300 ns\"\n"}) {
    SCOPED_TRACE(protocol);
    const Configuration experiment = with_protocol(kFlowsOfPhases, protocol);
    ASSERT_EQ(no_checkpoints(experiment), "");
    expect_same(experiment, {{1}, {1}});
    expect_same(experiment, std::vector<Division>(17, Division{1}));
  }
}

/// Messages of these protocols repeat themselves when all flows have ended.
TEST(Checkpoints, DoNotDecideWhenARunWithARateProtocolIsDrained) {
  for (const char* protocol :
       {"model = \"saa\"\nprobe_period = \"2 us\"\n",
        "model = \"periodic-dffa\"\nperiod = \"3 us\"\ncalm = \"300 ns\"\n"}) {
    SCOPED_TRACE(protocol);
    const Configuration experiment =
        with_protocol(kFlowsOfPhases, protocol, "duration = \"1 ms\"\nuntil = \"drained\"\n");
    for (const std::size_t stops : {1U, 4U, 16U, 64U, 200U})
      expect_same(experiment, std::vector<Division>(stops + 1, Division{1}));
  }
}

/// Applications of two phases.
TEST(Checkpoints, OfRateProtocolsOfApplicationsKnowWhatTheirPacketsSay) {
  std::string flows;
  for (const int number : {1, 2, 3}) {
    for (const int to : {2, 6}) {
      flows += fmt::format(
          "[[flow]]\nsource = {}\ndestination = {}\nsize = \"{} KiB\"\napplication = \"a{}\"\n"
          "phase = {}\nstart = \"{} ns\"\n",
          number == 2 ? 3 : number, number == 2 ? 5 : to, 4 * to, number, number == 3 ? 2 : 1,
          300 * number);
    }
  }
  const Configuration experiment = with_protocol(flows, "model = \"dafa\"\nbarrier = \"1 us\"\n");
  ASSERT_EQ(no_checkpoints(experiment), "");
  expect_same(experiment, {{1}, {1}});
  expect_same(experiment, std::vector<Division>(17, Division{1}));
}

/// Of flows that are known beforehand, and all begin at once.
TEST(Checkpoints, OfRateProtocolsOfAFixedSetKnowWhatTheirPacketsSay) {
  for (const char* protocol : {"dffa-star", "dafa-star"}) {
    SCOPED_TRACE(protocol);
    const Configuration experiment = with_protocol(R"(
[[flow]]
destinations = { model = "uniform" }
per_source = 2
)",
                                                   fmt::format("model = \"{}\"\n", protocol));
    ASSERT_EQ(no_checkpoints(experiment), "");
    expect_same(experiment, {{1}, {1}});
    expect_same(experiment, std::vector<Division>(17, Division{1}));
  }
}

/// Announcements travel by themselves, or with the packets that look for a path.
TEST(Checkpoints, OfRateProtocolsOnPathsThatPacketsSetUp) {
  for (const char* protocol : {"model = \"dffa\"\n", "model = \"dffa\"\nannounce = \"set-up\"\n",
                               "model = \"saa-m\"\nannounce = \"set-up\"\n"}) {
    SCOPED_TRACE(protocol);
    const Configuration experiment = with_protocol(
        kFlowsOfPhases + "[flow_routing]\nset_up = \"packets\"\npolicy = \"ascent\"\n", protocol);
    ASSERT_EQ(no_checkpoints(experiment), "");
    expect_same(experiment, {{1}, {1}});
    expect_same(experiment, std::vector<Division>(17, Division{1}));
  }
}

/// Long cables, so that probes and last packets are under way at any moment. Connections that each
/// last for a message, of which several wait at a host, and some that are rejected. Each VL has
/// entries of its connections alone.
std::string with_connections(const std::string& more) {
  return R"([link]
delay = "150 ns"
rate = "40 Gbps"
[switch]
architecture = "iq"
arbiter = "vl-weighted"
[queueing]
model = "service-level"
vls = 2
[host]
source_queues = "per-class"
[traffic.hot]
reserve = "12 Gbps"
service_level = 1
[traffic.cold]
arrivals = { model = "generalized-exponential", load = 1.0, scv = 8.0 }
stop = "50 us"
sizes = { model = "fixed", size = "16 KiB" }
reserve = "1 Gbps"
[admission]
model = "link-by-link"
tables = "connections"
high_vls = [1]
retry = "700 ns"
)" + more;
}

/// What a run in one part has under way where runs in so many stages stop: at so many stops.
struct UnderWay {
  std::size_t probes = 0;        ///< or answers
  std::size_t last_packets = 0;  ///< have left hosts, and not yet come to others
  std::size_t rejections = 0;    ///< some connections wait to ask again, or do so
  std::size_t entries = 0;       ///< of tables are taken
};

/// Bytes per second that connections have reserved on all links to hosts, less those from hosts.
std::int64_t only_at_the_end(const admission::LinkByLink& admission, const topology::Graph& graph) {
  std::int64_t sum = 0;
  for (std::size_t h = 0; h < graph.host_count(); ++h) {
    const PortId port = graph.host_port(HostId(h));
    sum += admission.reserved(graph.port(port).from, 0) - admission.reserved(port, 0);
  }
  return sum;
}

UnderWay under_way(const Configuration& experiment, std::size_t stages) {
  UnderWay found;
  const Time end = run(experiment, {}).end;
  NetworkCache networks;
  Simulation simulation(experiment, networks.get(experiment));
  const auto& admission =
      dynamic_cast<const admission::LinkByLink&>(*simulation.fabric().admission());
  const topology::Graph& graph = simulation.fabric().graph();
  for (std::size_t s = 1; s < stages; ++s) {
    const Time stop = end * static_cast<std::int64_t>(s) / static_cast<std::int64_t>(stages);
    while (simulation.fabric().now() < stop &&
           simulation.advance(stop - simulation.fabric().now())) {
    }
    const admission::AdmissionCounters hot = admission.counters(0);
    const admission::AdmissionCounters cold = admission.counters(1);
    if (cold.rejected == 0 && cold.asked > cold.accepted) ++found.probes;
    if (hot.rejected > 0 && hot.asked > hot.accepted) ++found.rejections;
    if (only_at_the_end(admission, graph) > 0) ++found.last_packets;
    int entries = 0;
    for (std::size_t p = 0; p < graph.port_count(); ++p)
      entries += admission.tables()->entries(PortId(p), 0);
    if (entries > 0) ++found.entries;
  }
  return found;
}

TEST(Checkpoints, OfConnectionsKnowWhatTheyHold) {
  for (const char* more : {"", "[metrics]\nintervals = true\n",
                           "[vl_sharing]\nmodel = \"entry-threshold\"\nown_rate = \"20 Gbps\"\n"
                           "borrowed_rate = \"40 Gbps\"\nthreshold_entries = 2\nlenders = [0, 1]\n"
                           "ports = \"switches\"\n"}) {
    SCOPED_TRACE(more);
    const Configuration experiment = small(with_connections(more));
    ASSERT_EQ(no_checkpoints(experiment), "");
    const UnderWay found = under_way(experiment, 9);
    EXPECT_GT(found.probes, 0U);
    EXPECT_GT(found.last_packets, 0U);
    EXPECT_GT(found.rejections, 0U);
    EXPECT_GT(found.entries, 0U);
    expect_same(experiment, std::vector<Division>(9, Division{1}));
    expect_same(experiment, {{1}, {2}, {3}, {1}, {3, 7}, {2, 5}, {4, 3}, {1}, {2}});
    expect_same(experiment,
                {{1}, {1, 3, 2}, {3, 5}, {2, 4, 2}, {1}, {1, 7, 3}, {2}, {1, std::nullopt, 2}});
  }
}

/// A link fails and comes back; what waits for it is under way at some of the stops.
TEST(Checkpoints, OfConnectionsOverALinkThatFails) {
  const Configuration experiment = small(with_connections(R"([[failure]]
random = 2
at = "2 us"
until = "4 us"
[vl_arbitration]
low = [{ vl = 0, weight = 4 }, { vl = 1, weight = 4 }]
)"));
  ASSERT_EQ(no_checkpoints(experiment), "");
  expect_same(experiment, std::vector<Division>(13, Division{1}));
}

/// Of some flows a destination first hears that a packet is lost.
TEST(Checkpoints, OfLossesKnowWhoseTheyAre) {
  for (const char* more : {"", "[host]\norder = \"reorder\"\n[traffic.cold]\nconnections = 3\n"}) {
    SCOPED_TRACE(more);
    const Configuration experiment = small(
        "[[failure]]\nrandom = 3\nat = \"1 us\"\nuntil = \"3 us\"\n[[failure]]\nrandom = 3\n"
        "at = \"4 us\"\nuntil = \"6 us\"\n" +
        std::string(more));
    ASSERT_EQ(no_checkpoints(experiment), "");
    expect_same(experiment, {{1}, {2}, {3, 7}, {1, 3, 2}, {2, 5}, {1}, {4, 3}, {1, 7, 3}, {2}});
  }
}

/// TOML that random configurations begin with.
std::string nothing(std::uint32_t /*number*/) { return ""; }
std::string connections(std::uint32_t number) {
  std::string toml =
      "[traffic.cold]\nreserve = \"3 Gbps\"\n[admission]\nmodel = \"link-by-link\"\n";
  if (number % 2 == 0) return toml;
  toml += "tables = \"connections\"\n[traffic.hot]\nreserve = \"2 Gbps\"\n";
  toml += "[switch]\narbiter = \"vl-weighted\"\n";
  return toml + "[queueing]\nmodel = \"service-level\"\nvls = 2\n";
}

void expect_nothing_lost(std::string (*with)(std::uint32_t number), bool with_admission) {
  const std::uint64_t seed = from_environment("WEIR_DRAWN_SEED", 1);
  const std::uint64_t count = from_environment("WEIR_CHECKPOINTS_DRAWN", 12);
  std::uint64_t compared = 0;
  std::size_t stops = 0;
  for (std::uint32_t number = 0; compared < count && number < 40 * count; ++number) {
    RandomConfiguration drawn(seed, number, with(number));
    const Configuration experiment = resolve(drawn.experiment());
    if (experiment.kind->is_search || !no_checkpoints(experiment).empty()) continue;
    if (with_admission && experiment.admission.make == nullptr) continue;
    ++compared;
    const Division divided{1 + number % 3, number, 0};
    const Division ranks{1, number, 2};
    const std::vector<std::vector<Division>> ways{
        {{1}, {1}, {1}}, {{1}, divided, {1}}, {divided, {2}}, {{2}, ranks}, {ranks, {1}}};
    std::size_t its = 0;
    std::string differs;
    try {
      differs = difference_of(experiment, ways[number % ways.size()], &its);
    } catch (const std::exception& error) {
      differs = error.what();
    }
    stops += its;
    if (differs.empty()) continue;
    drawn.shrink([&](const ConfigTable& less) {
      try {
        return !difference_of(resolve(less), ways[number % ways.size()]).empty();
      } catch (const std::exception&) {
        return true;
      }
    });
    ADD_FAILURE() << fmt::format("configuration {} of seed {}: {}\n{}\n", number, seed, differs,
                                 to_toml(drawn.experiment()));
  }
  EXPECT_GE(compared, count);
  EXPECT_GE(stops, count);
}

TEST(Checkpoints, OfRandomConfigurationsLoseNothing) { expect_nothing_lost(nothing, false); }

TEST(Checkpoints, OfRandomConfigurationsWithConnectionsLoseNothing) {
  expect_nothing_lost(connections, true);
}

}  // namespace
}  // namespace weir::experiment::parallel
