// Runs in which something concerns the whole network, by several threads: workloads, flows and
// their phases, counts of packets and messages, links that fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "experiment/run/threads.hpp"

namespace weir::experiment::threads {
namespace {

using ::testing::HasSubstr;

std::string network(const std::string& experiment, const std::string& host = "",
                    const std::string& more = "") {
  return "[experiment]\n" + experiment +
         "[topology]\nmodel = \"rlft\"\nports = 4\nstages = 2\n"
         "[link]\nrate = \"100 Gbps\"\ndelay = \"30 ns\"\n"
         "[switch]\nrouting_delay = \"100 ns\"\n[buffer]\ningress = \"32 KiB\"\n"
         "[host]\nmtu = \"2 KiB\"\n" +
         host + "[routing]\nmodel = \"d-mod-k\"\n[metrics]\nbin = \"5 us\"\n" + more;
}

const std::string kCross =
    "[[traffic]]\nname = \"cross\"\ndestinations = \"uniform\"\n"
    "arrivals = { model = \"poisson\", load = 0.3 }\nsizes = { model = \"fixed\", size = \"3 KiB\" "
    "}\n";

std::string workload(const std::string& model, const std::string& more = "") {
  return "[[workload]]\nname = \"" + model + "\"\nmodel = \"" + model +
         "\"\nbytes = \"24 KiB\"\nmapping = \"random\"\n" + more;
}

TEST(ThreadsWithWorkloads, EndInTheSameInstant) {
  const metrics::RunResult one = expect_the_same(
      network("until = \"workload\"\n") + kCross +
          workload("ring-all-reduce", "overhead = \"40 ns\"\ncompute = \"2 us\"\nrounds = 2\n") +
          workload("all-to-all", "start = \"1 us\"\n"),
      100);
  ASSERT_NE(one.scalar("execution_time"), nullptr);
  EXPECT_GT(*one.scalar("execution_time"), 10e-6);
}

TEST(ThreadsWithWorkloads, HaveSeveralRanksAHostAndRendezvous) {
  expect_the_same(network("until = \"workload\"\n") +
                      workload("all-to-all", "ranks = 20\nrendezvous = \"4 KiB\"\n") +
                      workload("gather", "rendezvous = \"1 KiB\"\noverhead = \"100 ns\"\n"),
                  100);
}

TEST(ThreadsWithWorkloads, GoOnUntilNothingIsLeftOrTimeIsOver) {
  const std::string two =
      workload("recursive-doubling-all-reduce", "compute = \"1 us\"\nrounds = 3\n");
  expect_the_same(network("until = \"drained\"\n") + two, 100);
  expect_the_same(network("duration = \"9 us\"\n") + two + kCross, 100);
}

/// Phases of flows with calculated rates; the last one goes on for ever.
std::string phases(const std::string& barrier, const std::string& last) {
  const auto flow = [](const char* name, int by, const std::string& more) {
    return "[[flow]]\nname = \"" + std::string(name) +
           "\"\nsources = \"all\"\ndestinations = { model = \"shift\", distance = " +
           std::to_string(by) + " }\n" + more;
  };
  return network("duration = \"60 us\"\nwarmup = \"5 us\"\n",
                 "source_queues = \"per-destination\"\n", "per_flow = true\n") +
         "[rates]\nalgorithm = \"ffa\"\nbarrier = \"" + barrier +
         "\"\n[injection]\nmodel = \"periodic-selection\"\n" +
         flow("one", 3, "size = \"40 KiB\"\nphase = 1\n") +
         flow("two", 5, "size = \"20 KiB\"\nphase = 2\n") + flow("three", 2, last + "phase = 3\n");
}

TEST(ThreadsWithFlows, BeginPhasesTogether) {
  const metrics::RunResult one = expect_the_same(phases("1 us", ""), 100);
  EXPECT_NE(one.scalar("phase_length", "2"), nullptr);
  expect_the_same(phases("0 ns", "size = \"30 KiB\"\n"), 100);
}

TEST(ThreadsWithFlows, StartAndStopThem) {
  std::string text = phases("1 us", "start = \"4 us\"\nstop = \"21 us\"\n");
  for (const char* phase : {"phase = 1\n", "phase = 2\n", "phase = 3\n"})
    text.erase(text.find(phase), 10);
  const metrics::RunResult one = expect_the_same(text + kCross, 100);
  EXPECT_GT(*one.scalar("completed_flows"), 0);
}

TEST(ThreadsWithCounts, StartSourcesWhenEnoughHasArrived) {
  const metrics::RunResult one =
      expect_the_same(network("duration = \"40 us\"\n") + kCross +
                          "[[traffic]]\nname = \"later\"\ndestinations = { model = \"fixed\", host "
                          "= 1 }\nsources = [3, 5, 6]\n"
                          "arrivals = \"saturated\"\nsizes = { model = \"fixed\", size = \"2 KiB\" "
                          "}\nstart_after_packets = 40\n",
                      100);
  ASSERT_NE(one.scalar("throughput", "later"), nullptr);
  EXPECT_GT(*one.scalar("throughput", "later"), 0);
}

TEST(ThreadsWithCounts, EndWithTheLastMessage) {
  const std::string counted =
      "[[traffic]]\nname = \"counted\"\ndestinations = \"uniform\"\nmessages = 30\n"
      "arrivals = { model = \"poisson\", load = 0.5 }\nsizes = { model = \"fixed\", size = \"5 "
      "KiB\" }\n";
  expect_the_same(
      network("until = { delivered = \"counted\" }\nduration = \"2 ms\"\n") + kCross + counted,
      100);
}

TEST(ThreadsWithFailures, LoseTheSamePackets) {
  const std::string failures =
      "[[failure]]\nrandom = 2\nat = \"10 us\"\nuntil = \"25 us\"\n"
      "[[failure]]\nrandom = 1\nat = \"17 us\"\n";
  const std::string plain = network("duration = \"50 us\"\n") + kCross + failures;
  // Sources that hear of it.
  std::string reacts = plain + "[management]\npreset = \"fimd\"\n";
  reacts.insert(reacts.find("routing_delay"), "architecture = \"cioq\"\nspeedup = 2\n");
  reacts.insert(reacts.find("ingress"), "egress = \"128 KiB\"\n");
  for (const std::string& text : {plain, reacts}) {
    const metrics::RunResult one = expect_the_same(text, 100);
    ASSERT_NE(one.scalar("packets_lost"), nullptr);
    EXPECT_GT(*one.scalar("packets_lost"), 5);
  }
}

TEST(ThreadsWithFailures, EndWorkloadsThatCannotGoOn) {
  const std::string failures = "[[failure]]\nrandom = 2\nat = \"3 us\"\nuntil = \"8 us\"\n";
  const metrics::RunResult one = expect_the_same(
      network("until = \"workload\"\nduration = \"200 us\"\n") + workload("all-to-all") + failures,
      50);
  EXPECT_EQ(one.scalar("execution_time"), nullptr);
}

/// Somebody who watches hears of the same.
struct Watcher : fabric::Observer {
  void on_delivered(const fabric::Packet& packet, const fabric::Message& message, Time now,
                    bool in_order) override {
    EXPECT_GE(now, last);
    last = now;
    rows.emplace_back(now.count, message.generated, packet.injected, packet.source,
                      packet.destination, packet.sequence, in_order);
  }
  Time last;
  std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::uint32_t, std::uint32_t,
                         std::uint32_t, bool>>
      rows;
};

TEST(ThreadsWithObservers, TellThemTheSame) {
  const auto heard = [](const std::string& threads) {
    Watcher watcher;
    SimulationAdditions additions;
    additions.observer = &watcher;
    additions.only_watches = true;
    const Configuration configuration =
        with(network("duration = \"30 us\"\n") + kCross, "experiment.threads=" + threads);
    Simulation simulation(configuration, make_network(configuration), additions);
    while (simulation.advance()) continue;
    std::sort(watcher.rows.begin(), watcher.rows.end());
    return watcher.rows;
  };
  const auto one = heard("1");
  EXPECT_GT(one.size(), 100U);
  EXPECT_EQ(heard("2"), one);
  EXPECT_EQ(heard("3"), one);
}

TEST(ThreadsWithObservers, RefuseThoseThatMayAct) {
  fabric::Observer observer;
  SimulationAdditions additions;
  additions.observer = &observer;
  const Configuration configuration =
      with(network("duration = \"30 us\"\n") + kCross, "experiment.threads=2");
  const auto net = make_network(configuration);
  EXPECT_THAT(refusal([&] { Simulation(configuration, net, additions); }),
              HasSubstr("observers of a program"));
}

TEST(ThreadsWithFlows, RefuseWhatOneThreadKnows) {
  const std::string flow = "[[flow]]\nsource = 0\ndestination = 5\nsize = \"20 KiB\"\n";
  EXPECT_THAT(refused(network("until = \"drained\"\n") + flow +
                      "[flow_routing]\npolicy = \"ascent\"\nset_up = \"packets\"\n"),
              HasSubstr("flow_routing.set_up"));
}

}  // namespace
}  // namespace weir::experiment::threads
