// [[flow]]s that follow each other behind a barrier.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "experiment/one_run.hpp"
#include "experiment/support.hpp"

namespace weir::experiment::flow_phases_test {
namespace {

using ::testing::HasSubstr;

/// A 4-ary 2-tree at 10 Gbps. A packet of 2 KiB takes 1638.4 ns.
std::string phases(const std::string& flows, const std::string& more = "") {
  return "[experiment]\nuntil = \"drained\"\nduration = \"20 ms\"\n"
         "[topology]\nmodel = \"k-ary-n-tree\"\nk = 4\nn = 2\n"
         "[link]\nrate = \"10 Gbps\"\ndelay = \"15 ns\"\n"
         "[switch]\nrouting_delay = \"100 ns\"\narbiter = \"first-come\"\nvoq = true\n"
         "[buffer]\ningress = \"16 KiB\"\n[routing]\nmodel = \"d-mod-k\"\n"
         "[host]\nmtu = \"2 KiB\"\nheader = \"0 B\"\nsource_queues = \"per-destination\"\n" +
         more + flows;
}
constexpr double kPacket = 1638.4;
/// First byte to last byte through three switches: cables, look-ups.
constexpr double kWay = 4 * 15 + 3 * 100;

/// 0 and 5 send 100 packets each to 13, then 5 sends 50 to 13 and 13 sends 20 to 0.
const std::string kTwoPhases =
    "[[flow]]\nsource = 0\ndestination = 13\nsize = \"200 KiB\"\n"
    "[[flow]]\nsource = 5\ndestination = 13\nsize = \"200 KiB\"\n"
    "[[flow]]\nsource = 5\ndestination = 13\nsize = \"100 KiB\"\nphase = 2\n"
    "[[flow]]\nsource = 13\ndestination = 0\nsize = \"40 KiB\"\nphase = 2\n";

TEST(FlowPhases, ThoseOfOneBeginWhenAllOfTheOneBeforeIsThereAndTheBarrierHasPassed) {
  const metrics::RunResult run =
      result_of(phases(kTwoPhases, "[rates]\nalgorithm = \"none\"\nbarrier = \"10 us\"\n"));
  const double first = number(run, "phase_length", "1");
  const double second = number(run, "phase_length", "2");
  EXPECT_NEAR(first, 200 * kPacket + kWay, 2);
  EXPECT_NEAR(second, 50 * kPacket + kWay, 2);
  EXPECT_DOUBLE_EQ(number(run, "completion_time"), first + 10'000 + second);
  EXPECT_EQ(number(run, "completed_flows"), 4);
  // From the start of its phase: a flow of 20 packets alone on its way.
  EXPECT_NEAR(number(run, "completed_rate_max"), 1, 0.01);
  EXPECT_EQ(run.scalar("phase_length", "3"), nullptr);
}

TEST(FlowPhases, AStartCountsFromItsPhase) {
  const std::string flows =
      "[[flow]]\nsource = 0\ndestination = 13\nsize = \"20 KiB\"\n"
      "[[flow]]\nsource = 5\ndestination = 13\nsize = \"20 KiB\"\nphase = 2\nstart = \"3 us\"\n";
  const metrics::RunResult run = result_of(phases(flows));
  EXPECT_NEAR(number(run, "phase_length", "2"), number(run, "phase_length", "1") + 3'000, 2);
}

TEST(FlowPhases, EachIsCalculatedByItself) {
  const metrics::RunResult run = result_of(phases(
      kTwoPhases, "[rates]\nalgorithm = \"saa\"\n[injection]\nmodel = \"periodic-selection\"\n"));
  // One half each of the link to 13, then all of it.
  EXPECT_DOUBLE_EQ(number(run, "assigned_rate_min"), 0.5);
  EXPECT_DOUBLE_EQ(number(run, "assigned_rate_max"), 1);
  EXPECT_DOUBLE_EQ(number(run, "assigned_rate_mean"), 0.75);
  EXPECT_DOUBLE_EQ(number(run, "phase_time"), 2 + 1);
  EXPECT_DOUBLE_EQ(number(run, "link_weight_max"), 2);
  EXPECT_NEAR(number(run, "phase_length", "1"), 200 * kPacket, 5 * kPacket);
  EXPECT_NEAR(number(run, "phase_length", "2"), 50 * kPacket, 5 * kPacket);
}

TEST(FlowPhases, AProtocolFindsTheRatesOfEach) {
  for (const bool by_packets : {false, true}) {
    std::string more =
        "[injection]\nmodel = \"periodic-selection\"\n[rates]\nalgorithm = \"saa\"\n"
        "barrier = \"5 us\"\n[protocol]\nmodel = \"saa\"\nprobe_period = \"20 us\"\n";
    if (by_packets) more += "[flow_routing]\npolicy = \"ascent\"\nset_up = \"packets\"\n";
    std::string flows;
    for (int phase = 1; phase <= 4; ++phase) {
      flows +=
          "[[flow]]\ndestinations = { model = \"random-permutation\" }\nsize = \"200 KiB\"\n"
          "phase = " +
          std::to_string(phase) + "\n";
    }
    const metrics::RunResult run = result_of(phases(flows, more));
    EXPECT_EQ(number(run, "completed_flows"), 64) << by_packets;
    double sum = 0;
    for (int phase = 1; phase <= 4; ++phase) {
      const double length = number(run, "phase_length", std::to_string(phase));
      EXPECT_GT(length, 100 * kPacket);
      EXPECT_LT(length, 450 * kPacket);  // of a permutation at most four share a link
      sum += length;
    }
    EXPECT_NEAR(number(run, "completion_time"), sum + 3 * 5'000, 1);
    // A start of all flows and an end of each, four times: what settles in between depends on them.
    EXPECT_GE(number(run, "recalculations"), 8);
  }
}

// What a failed link discards is not sent again.
TEST(FlowPhases, OneThatLosesPacketsSaysThatItDidNotEnd) {
  const std::string failure = "[[failure]]\nlinks = [\"s0[4]\"]\nat = \"10 us\"\n";
  const std::string flows =
      "[[flow]]\nsource = 0\ndestination = 12\nsize = \"200 KiB\"\n"
      "[[flow]]\nsource = 1\ndestination = 0\nsize = \"20 KiB\"\nphase = 2\n";
  const metrics::RunResult run = result_of(phases(flows, failure));
  EXPECT_GT(number(run, "packets_lost"), 0);
  EXPECT_EQ(run.scalar("phase_length", "1"), nullptr);
  EXPECT_THAT(run.notes,
              ::testing::Contains("phase 1 of 2 did not end, so that no later one began"));
}

TEST(FlowPhases, TheLastOneMayGoOnForEver) {
  std::string text = phases(
      "[[flow]]\nsource = 0\ndestination = 12\nsize = \"20 KiB\"\n"
      "[[flow]]\nsource = 1\ndestination = 0\nphase = 2\n");
  text.replace(text.find("until = \"drained\"\nduration = \"20 ms\""), 36, "duration = \"1 ms\"");
  const metrics::RunResult run = result_of(text);
  EXPECT_NE(run.scalar("phase_length", "1"), nullptr);
  EXPECT_EQ(run.scalar("phase_length", "2"), nullptr);
  EXPECT_THAT(run.notes, ::testing::Not(::testing::Contains(HasSubstr("did not end"))));
}

TEST(FlowPhases, MistakesAreNamed) {
  const auto error_of = [](const std::string& text) {
    try {
      (void)simulated(text);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const std::string first = "[[flow]]\nsource = 0\ndestination = 13\nsize = \"20 KiB\"\n";
  const std::string third =
      "[[flow]]\nsource = 5\ndestination = 13\nsize = \"20 KiB\"\nphase = 3\n";
  EXPECT_THAT(error_of(phases(first + third)),
              HasSubstr("flow[1].phase: is 3, and no [[flow]] is of phase 2"));
  EXPECT_THAT(error_of(phases("[[flow]]\nsource = 0\ndestination = 13\n" + first + "phase = 2\n")),
              HasSubstr("flow[0].size: is missing: these flows never end, so that phase 2"));
  EXPECT_THAT(error_of(phases(kTwoPhases,
                              "[injection]\nmodel = \"periodic-selection\"\n[protocol]\nmodel = "
                              "\"dafa\"\n")),
              HasSubstr("flow.phase: an application has flows of the phases 1 and 2, and dafa"));
  std::string rates = phases(kTwoPhases);
  rates.replace(rates.find("[experiment]\nuntil = \"drained\"\nduration = \"20 ms\"\n"), 50,
                "[experiment]\nkind = \"rates\"\n");
  EXPECT_THAT(error_of(rates), HasSubstr("flow[2].phase: is for simulations"));
}

}  // namespace
}  // namespace weir::experiment::flow_phases_test
