#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "experiment/one_run.hpp"
#include "experiment/support.hpp"

namespace weir::experiment::flow_set_ups_test {
namespace {

using ::testing::HasSubstr;

/// Flows of 64 hosts whose paths are found by packets, and then their rates by a protocol.
std::string scheme(const std::string& flow, const std::string& protocol,
                   const std::string& experiment, const std::string& routing = "") {
  return "[experiment]\n" + experiment +
         "[topology]\nmodel = \"modified-k-ary-n-tree\"\nk = 4\nn = 3\nwidth = 2\n"
         "[link]\nrate = \"10 Gbps\"\ndelay = \"15 ns\"\n"
         "[switch]\nrouting_delay = \"100 ns\"\narbiter = \"first-come\"\nvoq = true\n"
         "[buffer]\ningress = \"16 KiB\"\n[routing]\nmodel = \"d-mod-k\"\n"
         "[flow_routing]\npolicy = \"forced-dir\"\nset_up = \"packets\"\n" +
         routing +
         "[host]\nmtu = \"2 KiB\"\nheader = \"0 B\"\nsource_queues = \"per-destination\"\n"
         "[injection]\nmodel = \"periodic-selection\"\nphase = \"aligned\"\n" +
         flow + (protocol.empty() ? "" : "[protocol]\n" + protocol);
}
const std::string kRandomFlows =
    "[[flow]]\ndestinations = { model = \"uniform\" }\nper_source = 3\n";
const std::string kDrained = "until = \"drained\"\nduration = \"20 ms\"\n";
const std::string kDffa = "model = \"dffa\"\n";
constexpr double kPacket = 1638.4;  // ns

std::string ending(const std::string& size) { return kRandomFlows + "size = \"" + size + "\"\n"; }

/// First time, in steps of 50 ns, at which `metric` of a run that ends then is more than 0.
int first_time(const std::string& flow, const std::string& metric) {
  for (int at = 50; at < 20'000; at += 50) {
    const std::string experiment = "duration = \"" + std::to_string(at) + " ns\"\n";
    const metrics::RunResult result = result_of(scheme(flow, kDffa, experiment));
    const double* value = result.scalar(metric, "");
    if (value != nullptr && *value > 0) return at;
  }
  return -1;
}

TEST(FlowSetUps, PathThenAnnouncementThenRateThenData) {
  // Five switches there and five back for the set-up, for the announcement, and for the rate.
  const std::string flow = "[[flow]]\nsource = 0\ndestination = 63\nstart = \"1 us\"\n";
  const int asked = first_time(flow, "flow_set_ups");
  const int set_up = first_time(flow, "flow_set_up_mean");
  const int announced = first_time(flow, "calculation_packets_along");
  const int settled = first_time(flow, "recalculations");
  const int delivered = first_time(flow, "packets_delivered");
  EXPECT_NEAR(asked, 1'000, 60);
  // 5 hops of 100 ns of routing and 6 of 15 ns and a tail of 32 ns, and back.
  EXPECT_NEAR(set_up - asked, 2 * (500 + 90 + 32), 100);
  EXPECT_GE(announced, set_up);
  EXPECT_LE(announced, set_up + 50) << "it follows at once";
  EXPECT_GE(settled, announced + 1'000) << "at least a round trip later";
  EXPECT_GE(delivered, announced + 1'000 + 1'600) << "a packet takes 1.6 us";
}

TEST(FlowSetUps, RatesAreThoseOfTheCalculationOnThePathsThatWereSetUp) {
  for (const char* model : {"dffa", "saa"}) {
    std::string keys = "model = \"" + std::string(model) + "\"\n";
    if (std::string(model) == "saa") keys += "probe_period = \"20 us\"\n";
    const metrics::RunResult result =
        result_of(scheme(kRandomFlows, keys, "duration = \"1.2 ms\"\nwarmup = \"0.2 ms\"\n"));
    EXPECT_EQ(number(result, "calculation_settled"), 1) << model;
    EXPECT_LT(number(result, "calculation_deviation"), 1e-9) << model;
    EXPECT_GT(number(result, "port_choices_diverted"), 0) << model;
    const double expected = number(result, "expected_rate_mean");
    EXPECT_NEAR(number(result, "assigned_rate_mean"), expected, 1e-9) << model;
    EXPECT_NEAR(number(result, "delivered_rate_mean") / expected, 1, 0.03) << model;
    // Paths were found under way: those found beforehand are others.
    std::string before = scheme(kRandomFlows, keys, "duration = \"1.2 ms\"\n");
    before.replace(before.find("set_up = \"packets\"\n"), 19, "");
    EXPECT_NE(number(result_of(before), "expected_rate_mean"), expected) << model;
  }
}

TEST(FlowSetUps, CachesAndCountersEndEmpty) {
  for (const char* model : {"dffa", "saa-m", "saa"}) {
    for (const char* extent : {"flow = \"idle\"\n", "flow = \"message\"\n",
                               "tear_down = \"last-packet\"\nprc_size = 1\n"}) {
      const metrics::RunResult result = result_of(
          scheme(ending("100 KiB"), "model = \"" + std::string(model) + "\"\n", kDrained, extent));
      EXPECT_EQ(number(result, "completed_flows"), 192) << model << extent;
      EXPECT_EQ(number(result, "route_cache_entries_left"), 0) << model << extent;
      EXPECT_EQ(number(result, "calculation_settled"), 1) << model << extent;
      EXPECT_GT(number(result, "recalculations"), 1) << model << extent;
      if (std::string(extent).find("last-packet") == std::string::npos) {
        EXPECT_EQ(number(result, "flow_tear_downs"), number(result, "flow_set_ups"));
      }
    }
  }
}

TEST(FlowSetUps, FlowsOfAConnectionShareAPathWhileItIsThere) {
  const auto pair = [](const std::string& start) {
    return "[[flow]]\nsource = 0\ndestination = 63\nsize = \"200 KiB\"\nconnection = \"shared\"\n"
           "[[flow]]\nsource = 0\ndestination = 63\nsize = \"200 KiB\"\nconnection = \"shared\"\n"
           "start = \"" +
           start + "\"\n";
  };
  const metrics::RunResult together = result_of(scheme(pair("50 us"), kDffa, kDrained));
  EXPECT_EQ(number(together, "flow_set_ups"), 1);
  EXPECT_EQ(number(together, "completed_flows"), 2);
  EXPECT_NEAR(number(together, "completion_time"), 200 * kPacket, 20 * kPacket);
  const metrics::RunResult apart = result_of(scheme(pair("300 us"), kDffa, kDrained));
  EXPECT_EQ(number(apart, "flow_set_ups"), 2);
  EXPECT_EQ(number(apart, "completed_flows"), 2);
  const metrics::RunResult alone =
      result_of(scheme(pair("50 us"), kDffa, kDrained, "flow = \"message\"\n"));
  EXPECT_EQ(number(alone, "flow_set_ups"), 2);
  EXPECT_EQ(number(alone, "completed_flows"), 2);
}

TEST(FlowSetUps, AnEndlessFlowIsSetUpOnce) {
  const metrics::RunResult result =
      result_of(scheme("[[flow]]\nsource = 0\ndestination = 63\n", kDffa,
                       "duration = \"1 ms\"\nwarmup = \"0.1 ms\"\n"));
  EXPECT_EQ(number(result, "flow_set_ups"), 1);
  EXPECT_EQ(number(result, "flow_tear_downs"), 0);
  EXPECT_NEAR(number(result, "delivered_rate_mean"), 1, 0.01);
}

TEST(FlowSetUps, AnApplicationStartsWhenAllItsPathsAreThere) {
  const std::string flows =
      "[[flow]]\nfragmented = { applications = 4, fragments = 4, permutations = 2 }\n"
      "size = \"400 KiB\"\n";
  const metrics::RunResult result =
      result_of(scheme(flows, "model = \"dafa\"\nbarrier = \"2 us\"\n", kDrained));
  EXPECT_EQ(number(result, "completed_flows"), 128);
  EXPECT_EQ(number(result, "route_cache_entries_left"), 0);
  EXPECT_GE(number(result, "calculation_rounds"), 4);
}

TEST(FlowSetUps, WhoFindsNoRoomInAQueueTakesThePathAllTheSame) {
  // The first flow fills the queue that both have, and gets no rate before the second has a path.
  const std::string two =
      "[[flow]]\nsource = 0\ndestination = 63\nconnection = \"shared\"\n"
      "[[flow]]\nsource = 0\ndestination = 63\nconnection = \"shared\"\n";
  const metrics::RunResult result = result_of(scheme(two, "model = \"dafa\"\nbarrier = \"1 us\"\n",
                                                     "duration = \"1 ms\"\nwarmup = \"0.1 ms\"\n"));
  EXPECT_EQ(number(result, "calculation_settled"), 1);
  EXPECT_NEAR(number(result, "expected_rate_mean"), 0.5, 1e-9);
  EXPECT_NEAR(number(result, "delivered_rate_mean"), 0.5, 0.01);
  const metrics::RunResult later = result_of(
      scheme(two + "start = \"500 us\"\n", kDffa, "duration = \"1 ms\"\nwarmup = \"0.9 ms\"\n"));
  EXPECT_EQ(number(later, "flow_set_ups"), 1);
  EXPECT_EQ(number(later, "recalculations"), 2);
  EXPECT_NEAR(number(later, "expected_rate_mean"), 0.5, 1e-9);
}

TEST(FlowSetUps, WithoutRatesFlowsOnlyFindTheirPaths) {
  std::string text = scheme(ending("100 KiB"), "", kDrained);
  text.replace(text.find("[injection]"), text.find("[[flow]]") - text.find("[injection]"), "");
  const metrics::RunResult result = result_of(text);
  EXPECT_EQ(number(result, "completed_flows"), 192);
  EXPECT_GT(number(result, "completed_rate_mean"), 0);
  EXPECT_EQ(number(result, "route_cache_entries_left"), 0);
  EXPECT_GT(number(result, "assigned_rate_mean"), 0) << "those of the paths that were taken";
}

// --- Announcements that ride on the packets that set paths up

const std::string kRides = "announce = \"set-up\"\n";

TEST(FlowAnnouncements, RideOnTheSetUpPacketForNothing) {
  const std::string flow = "[[flow]]\nsource = 0\ndestination = 63\nsize = \"20 KiB\"\n";
  // A single flow has the whole link as soon as its links have been told: all it waits for is the
  // answer to its announcement.
  const std::string saa = "model = \"saa\"\nprobe_period = \"20 us\"\n";
  const metrics::RunResult apart = result_of(scheme(flow, saa, kDrained));
  const metrics::RunResult together = result_of(scheme(flow, saa + kRides, kDrained));
  // There at 5 switches 100 ns of routing, 60 of processing, and back 100; 6 cables of 15 ns and
  // 40 B each way.
  const double trip = 5 * (100 + 60 + 100) + 2 * 6 * (15 + 32);
  EXPECT_NEAR(number(apart, "completion_time") - number(together, "completion_time"), trip, 1);
  EXPECT_EQ(number(apart, "calculation_announced"), 0);
  EXPECT_EQ(number(together, "calculation_announced"), 1);
  EXPECT_EQ(number(apart, "calculation_packets_along"),
            number(together, "calculation_packets_along") + 1);
  EXPECT_EQ(number(apart, "flow_control_bytes"), number(together, "flow_control_bytes"));
  EXPECT_EQ(number(apart, "calculation_bytes"), number(together, "calculation_bytes") + 2 * 6 * 40);
}

TEST(FlowAnnouncements, ThatRideLeadToTheSameRates) {
  const std::vector<std::string> models{
      "model = \"dffa\"\n", "model = \"saa\"\nprobe_period = \"20 us\"\n", "model = \"saa-m\"\n",
      "model = \"periodic-dffa\"\nperiod = \"100 us\"\n"};
  for (const std::string& model : models) {
    const metrics::RunResult result =
        result_of(scheme(kRandomFlows, model + kRides, "duration = \"1.2 ms\"\n"));
    // Some flows share a connection, and find its path there or on its way.
    EXPECT_EQ(number(result, "calculation_announced"), number(result, "flow_set_ups")) << model;
    EXPECT_LT(number(result, "flow_set_ups"), 192) << model;
    // The rates of the others are one of many maximal assignments, or go on changing.
    if (model.find("saa-m") != std::string::npos || model.find("period =") != std::string::npos) {
      continue;
    }
    EXPECT_EQ(number(result, "calculation_settled"), 1) << model;
    EXPECT_LT(number(result, "calculation_deviation"), 1e-9) << model;
  }
}

TEST(FlowAnnouncements, OfFlowsThatEndLeaveNothingBehind) {
  for (const char* extent : {"flow = \"idle\"\n", "flow = \"message\"\n",
                             "tear_down = \"last-packet\"\nprc_size = 1\n"}) {
    for (const char* model : {"dffa", "saa", "saa-m"}) {
      const metrics::RunResult result =
          result_of(scheme(ending("100 KiB"), "model = \"" + std::string(model) + "\"\n" + kRides,
                           kDrained, extent));
      EXPECT_EQ(number(result, "completed_flows"), 192) << model << extent;
      EXPECT_EQ(number(result, "calculation_announced"), number(result, "flow_set_ups"))
          << model << extent;
      EXPECT_EQ(number(result, "route_cache_entries_left"), 0) << model << extent;
      EXPECT_EQ(number(result, "calculation_settled"), 1) << model << extent;
    }
  }
}

TEST(FlowAnnouncements, OfAFlowThatFindsItsPathThereIsAPacketOfItsOwn) {
  const std::string two =
      "[[flow]]\nsource = 0\ndestination = 63\nsize = \"200 KiB\"\nconnection = \"shared\"\n"
      "[[flow]]\nsource = 0\ndestination = 63\nsize = \"200 KiB\"\nconnection = \"shared\"\n"
      "start = \"50 us\"\n";
  const metrics::RunResult result = result_of(scheme(two, kDffa + kRides, kDrained));
  EXPECT_EQ(number(result, "flow_set_ups"), 1);
  EXPECT_EQ(number(result, "calculation_announced"), 1);
  EXPECT_EQ(number(result, "completed_flows"), 2);
  EXPECT_EQ(number(result, "calculation_settled"), 1);
}

std::string refused(const std::string& flow, const std::string& protocol,
                    const std::string& routing = "") {
  return refusal([&] { (void)simulated(scheme(flow, protocol, kDrained, routing)); });
}

TEST(FlowSetUps, AreRefusedWhereRatesCannotFollow) {
  EXPECT_THAT(refused(ending("1 KiB"), ""),
              HasSubstr("flow_routing.set_up: \"packets\" finds paths while the network runs"));
  EXPECT_THAT(refused(ending("1 KiB"), "model = \"dffa-star\"\n"),
              HasSubstr("protocol.model: dffa-star is for flows that are known beforehand, not for "
                        "flow_routing.set_up = \"packets\""));
  EXPECT_THAT(refused(ending("1 KiB"), "model = \"dffa\"\nchanges = { every = \"10 us\" }\n"),
              HasSubstr("protocol.changes: is for paths that are known"));
  EXPECT_THAT(
      refused(ending("1 KiB"), "model = \"dafa\"\n", "flow = \"message\"\n"),
      HasSubstr("flow_routing.flow: \"message\" sets up flows that share a connection one"));
  EXPECT_THAT(refused(kRandomFlows, kDffa, "flow = \"message\"\n"),
              HasSubstr("flow_routing.flow: \"message\" would set up every packet"));
  EXPECT_THAT(
      refused(ending("1 KiB"), "model = \"dafa\"\n" + kRides),
      HasSubstr("protocol.announce: \"set-up\" is for protocols of single flows: with dafa"));
  std::string known = scheme(ending("1 KiB"), kDffa + kRides, kDrained);
  known.replace(known.find("set_up = \"packets\"\n"), 19, "");
  EXPECT_THAT(refusal([&] { (void)simulated(known); }),
              HasSubstr("protocol.announce: \"set-up\" needs packets that set paths up"));
}

}  // namespace
}  // namespace weir::experiment::flow_set_ups_test
