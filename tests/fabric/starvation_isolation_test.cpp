// Nobody starves where congested packets are set aside, whatever their sizes. Equal shares of flows
// are no part of it: hot flows share their link by inputs at each switch on the way.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "starvation_network.hpp"

namespace weir::fabric::testing::starvation_isolation_test {
namespace {

/// Its settings with so many lines.
void set_aside(Network& net, const std::string& model, int lines) {
  net.isolation = model;
  net.isolation_toml = model == "fbicm" ? fmt::format("cfqs = {}", lines)
                                        : fmt::format("explicit_routes = true\nsaqs = {}", lines);
}

/// With egress buffers behind a crossbar of that speedup; kInputQueued: without.
constexpr double kInputQueued = 0;
void choose_switches(Network& net, double speedup) {
  const bool has_egress = speedup != kInputQueued;
  net.settings.architecture = has_egress ? Architecture::cioq : Architecture::input_queued;
  if (has_egress) net.settings.speedup = speedup;
}

// Hosts 0 to 2 behind a link and 4, 5 beside it want host 7; host 3 wants host 6 over that link.
// Hot packets of the first switch share a set-aside queue at its output, which lets its inputs go
// on one packet at a time: all of them as often.
TEST(StarvationInIsolation, InputsOfASetAsideQueueTakeTurns) {
  for (const char* model : {"recn", "recn-enhanced", "fbicm"}) {
    for (const double speedup : {kInputQueued, 1.0, 2.0}) {
      for (const std::int64_t size : {64, 512, 2'048}) {
        for (const std::int64_t other : {64, 300, 2'048}) {
          SCOPED_TRACE(
              fmt::format("{}, speedup {}, {} B beside {} B", model, speedup, size, other));
          Network net;
          net.graph = make_topology("line", "switches = 2\nhosts_per_switch = [4, 4]", kLink);
          choose_switches(net, speedup);
          net.settings.ingress_buffer = net.settings.egress_buffer = Bytes(65'536);
          set_aside(net, model, 3);
          const Time end = milliseconds(size == 2'048 ? 4 : 1);
          const Flows counts = net.run(
              {{3, 6, other}, {0, 7, size}, {1, 7, size}, {2, 7, size}, {4, 7, size}, {5, 7, size}},
              end);
          const auto mean = static_cast<double>(counts.of(0, 7).packets + counts.of(1, 7).packets +
                                                counts.of(2, 7).packets) /
                            3;
          for (std::uint32_t h = 0; h < 3; ++h)
            EXPECT_NEAR(static_cast<double>(counts.of(h, 7).packets) / mean, 1, 0.05) << h;
          // An input that is refused in the first iteration of iSLIP leaves the pointer where it
          // is, and the next input gains by it: 64 B beside what keeps the uplink's input busy.
          if (size > 64) {
            EXPECT_NEAR(static_cast<double>(counts.of(4, 7).packets) /
                            static_cast<double>(counts.of(5, 7).packets),
                        1, 0.05);
          }
          // The victim has what the hot flows, a third of host 7's link, leave. Basic RECN refuses
          // points behind the congested link itself.
          const double left = static_cast<double>(end.count) / 1'000 * 0.9 * 2 / 3;
          if (net.isolation != "recn") {
            EXPECT_GT(static_cast<double>(counts.of(3, 6).bytes), 0.95 * left);
          }
          EXPECT_EQ(net.passed_over, "");
        }
      }
    }
  }
}

// Hosts 2 and 3 share a switch and want host 1. Packets of one of them reach the set-aside queue of
// the uplink past its lines at the inputs: there is none for that input. They keep it full, but do
// not keep those in such lines stopped.
TEST(StarvationInIsolation, InputsWithoutALineDoNotStopTheOthers) {
  for (const char* model : {"recn", "recn-enhanced", "fbicm"}) {
    for (const int lines : {1, 2, 4}) {
      for (const double speedup : {kInputQueued, 1.0, 1.3, 2.0}) {
        Network net;
        net.graph = make_topology("k-ary-n-tree", "k = 2\nn = 3", kLink);
        net.routing = "up-down";
        choose_switches(net, speedup);
        net.settings.ingress_buffer = Bytes(32'768);
        net.settings.egress_buffer = Bytes(65'536);
        set_aside(net, model, lines);
        const Flows counts =
            net.run({{2, 1, 256}, {3, 1, 1'500}, {5, 6, 2'048}, {5, 1, 1'000}}, milliseconds(1));
        EXPECT_GT(counts.of(3, 1).packets, 50)
            << model << " with " << lines << " lines, speedup " << speedup;
        EXPECT_GT(counts.of(2, 1).packets, 50);
        EXPECT_EQ(net.passed_over, "");
      }
    }
  }
}

// Hosts 0 and 1 send to roots behind one uplink, whose egress buffer is full. The input of host 0
// is busy with large packets for another output whenever there is room: small packets of host 1,
// which go at once, do not take all of it.
TEST(StarvationInIsolation, RoomIsKeptForAnInputThatIsBusy) {
  Network net;
  net.graph = make_topology("k-ary-n-tree", "k = 2\nn = 3", kLink);
  net.routing = "up-down";
  net.settings.architecture = Architecture::cioq;
  net.settings.speedup = 2;
  net.settings.ingress_buffer = net.settings.egress_buffer = Bytes(32'768);
  set_aside(net, "recn", 2);
  const Flows counts = net.run({{0, 1, 2'048},
                                {0, 2, 256},
                                {1, 2, 1'500},
                                {1, 4, 64},
                                {2, 0, 1'000},
                                {3, 0, 2'048},
                                {6, 0, 100},
                                {6, 7, 1'500},
                                {7, 0, 64},
                                {7, 2, 2'048}},
                               milliseconds(2));
  EXPECT_GT(counts.of(0, 2).packets, 100);
  EXPECT_EQ(net.passed_over, "");
}

// Hosts 0, 2 and 4 share the set-aside queues of one switch. The input of host 0 is free whenever
// the output to host 1 is and sends its pointer back to the same place; the inputs of hosts 2 and 4
// are busy with other packets then. The turn that the output keeps goes to both of them alike.
TEST(StarvationInIsolation, AnOutputKeepsTurnsForAllBusyInputs) {
  for (const char* model : {"recn", "recn-enhanced", "fbicm"}) {
    Network net;
    net.graph = single_switch(7);
    choose_switches(net, 1);
    net.settings.ingress_buffer = Bytes(65'536);
    net.settings.egress_buffer = Bytes(49'152);
    set_aside(net, model, 1);
    const Flows counts = net.run(
        {{0, 1, 100}, {2, 1, 2'048}, {2, 5, 2'048}, {4, 1, 2'048}, {4, 0, 256}}, milliseconds(4));
    EXPECT_GT(counts.of(4, 1).packets, 300) << model;
    EXPECT_NEAR(
        static_cast<double>(counts.of(2, 1).packets) / static_cast<double>(counts.of(4, 1).packets),
        1, 0.05)
        << model;
    EXPECT_EQ(net.passed_over, "");
  }
}

// Any flows with any sizes on any network: none that always has something to send gets nothing.
RC_GTEST_PROP(StarvationSlow, NobodyGetsNothingBesideSetAsideQueues, ()) {
  Network net;
  net.graph = any_graph();
  net.routing = "up-down";
  choose_switches(net, one_of<double>({kInputQueued, 1.0, 1.3, 1.5, 2.0}));
  net.settings.ingress_buffer = Bytes(one_of<int>({32'768, 49'152, 65'536}));
  net.settings.egress_buffer = Bytes(one_of<int>({32'768, 49'152, 65'536}));
  set_aside(net, one_of<std::string>({"recn", "recn-enhanced", "fbicm"}), number(1, 4));
  if (net.isolation == "fbicm") {
    if (number(0, 3) == 0) net.isolation_toml += "\ningress = \"single\"";
    if (number(0, 3) == 0) {
      net.marker = "ccfit";
      net.reaction = "congestion-control-table";
      net.reaction_toml = "timer = \"20 us\"";
      net.settings.acks = AckMode::becn;
    }
  }
  if (number(0, 2) == 0) net.isolation_toml += fmt::format("\ndrain_boost = {}", number(1, 4));
  const std::vector<Flow> flows = hot_flows(*net.graph);
  const Flows counts = run_turns_of_all(net, flows);
  nobody_got_nothing(
      net, flows, counts,
      fmt::format("{} hosts, {} with {}, {} reaction, speedup {}, {} + {} B;",
                  net.graph->host_count(), net.isolation, net.isolation_toml,
                  net.reaction.empty() ? "no" : "a", net.settings.speedup,
                  net.settings.ingress_buffer.count, net.settings.egress_buffer.count));
}

}  // namespace
}  // namespace weir::fabric::testing::starvation_isolation_test
