#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "experiment/one_run.hpp"
#include "experiment/support.hpp"

namespace weir::experiment::flow_starts_test {
namespace {

using ::testing::HasSubstr;

constexpr double kPacket = 1638.4;  // ns

/// Flows on a 4-ary 2-tree at 10 Gbps that send packets of 2 KiB at the rates of a protocol.
std::string controlled(const std::string& protocol, const std::string& flow,
                       const std::string& experiment) {
  return "[experiment]\n" + experiment +
         "[topology]\nmodel = \"k-ary-n-tree\"\nk = 4\nn = 2\n"
         "[link]\nrate = \"10 Gbps\"\ndelay = \"15 ns\"\n"
         "[switch]\nrouting_delay = \"100 ns\"\narbiter = \"first-come\"\nvoq = true\n"
         "[buffer]\ningress = \"16 KiB\"\n[routing]\nmodel = \"d-mod-k\"\n"
         "[host]\nmtu = \"2 KiB\"\nheader = \"0 B\"\nsource_queues = \"per-destination\"\n"
         "[injection]\nmodel = \"periodic-selection\"\n" +
         flow + "[protocol]\n" + protocol;
}
const std::string kDrained = "until = \"drained\"\nduration = \"20 ms\"\n";
const std::string kFirst = "[[flow]]\nsource = 0\ndestination = 13\nsize = \"800 KiB\"\n";
const std::string kSecond =
    "[[flow]]\nsource = 5\ndestination = 13\nsize = \"400 KiB\"\nstart = \"327680 ns\"\n";

TEST(FlowStarts, RatesAreCalculatedAtEachStartAndEnd) {
  // 200 packets of the first alone; then 200 of each at half the rate.
  const metrics::RunResult result =
      result_of(controlled("model = \"dffa\"\n", kFirst + kSecond, kDrained));
  EXPECT_NEAR(number(result, "completion_time"), 600 * kPacket, 20 * kPacket);
  EXPECT_EQ(number(result, "completed_flows"), 2);
  EXPECT_NEAR(number(result, "completed_rate_max"), 400.0 / 600, 0.02);
  EXPECT_NEAR(number(result, "completed_rate_min"), 0.5, 0.02);
  EXPECT_NEAR(number(result, "completed_rate_mean"), (400.0 / 600 + 0.5) / 2, 0.02);
  EXPECT_GE(number(result, "recalculations"), 3);
  EXPECT_GT(number(result, "recalculation_time_mean"), 0);
  EXPECT_LT(number(result, "recalculation_time_max"), 10'000);
  // Nobody is left to compare.
  EXPECT_EQ(result.scalar("calculation_deviation", ""), nullptr);
}

TEST(FlowStarts, WhoIsThereAtTheEndHasTheRatesOfTheCalculationForThese) {
  const std::string others =
      "[[flow]]\nsource = 9\ndestination = 13\nstart = \"50 us\"\n"
      "[[flow]]\nsource = 2\ndestination = 6\nstart = \"70 us\"\n"
      "[[flow]]\nsource = 9\ndestination = 6\nsize = \"20 KiB\"\n";
  for (const char* model : {"dffa", "saa"}) {
    const std::string keys = "model = \"" + std::string(model) + "\"\n";
    const metrics::RunResult result =
        result_of(controlled(keys, kFirst + others, "duration = \"200 us\"\n"));
    EXPECT_EQ(number(result, "calculation_settled"), 1) << model;
    EXPECT_EQ(number(result, "completed_flows"), 1) << model;
    // 1/2, 1/2 and 1, without the flow that has ended.
    EXPECT_NEAR(number(result, "expected_rate_mean"), 2.0 / 3, 1e-9) << model;
    EXPECT_LT(number(result, "calculation_deviation"), 1e-9) << model;
  }
}

TEST(FlowStarts, NothingOfAFlowMovesBeforeItsStart) {
  const std::string late = "[[flow]]\nsource = 0\ndestination = 13\nstart = \"100 us\"\n";
  for (const bool has_protocol : {true, false}) {
    const auto text = [&](const char* until) {
      std::string all =
          controlled("model = \"dffa\"\n", late, "duration = \"" + std::string(until) + "\"\n");
      return has_protocol ? all : all.substr(0, all.find("[protocol]"));
    };
    EXPECT_EQ(number(result_of(text("99 us")), "packets_delivered"), 0);
    EXPECT_GT(number(result_of(text("110 us")), "packets_delivered"), 0);
  }
}

TEST(FlowStarts, ApplicationsEndWithTheirLastFlow) {
  // Two flows of one application cross the last link with one of another: a third each. That of the
  // second application ends first; then the first application has a half for each flow.
  const std::string flows =
      "[[flow]]\nsource = 0\ndestination = 13\nsize = \"400 KiB\"\napplication = \"a\"\n"
      "[[flow]]\nsource = 5\ndestination = 13\nsize = \"400 KiB\"\napplication = \"a\"\n"
      "[[flow]]\nsource = 9\ndestination = 13\nsize = \"200 KiB\"\napplication = \"b\"\n"
      "start = \"1 us\"\n";
  const metrics::RunResult result =
      result_of(controlled("model = \"dafa\"\nbarrier = \"1 us\"\n", flows, kDrained));
  EXPECT_NEAR(number(result, "completion_time"), 500 * kPacket, 40 * kPacket);
  EXPECT_EQ(number(result, "completed_flows"), 3);
}

TEST(FlowStarts, CountInCalculationsWithoutPackets) {
  const std::string flows = kFirst + kSecond;
  std::string text = controlled("model = \"dffa\"\n", flows, "kind = \"rates\"\n");
  const metrics::RunResult result = result_of(text);
  EXPECT_EQ(number(result, "calculation_settled"), 1);
  // Of the second alone, which starts long after the first.
  EXPECT_LT(number(result, "calculation_time_max"), 10'000);
  EXPECT_EQ(number(result, "calculation_rounds"), 2);
}

TEST(FlowStarts, DataMayBeThereBeforeTheStartOfItsFlow) {
  // Flows of one connection share the sum of their rates: who starts first sends for all.
  std::string flows;
  for (int i = 0; i < 4; ++i) {
    flows += "[[flow]]\nsource = 0\ndestination = 13\nsize = \"2 KiB\"\nconnection = \"shared\"\n";
  }
  const metrics::RunResult result =
      result_of(controlled("model = \"dffa\"\nstart_within = \"100 us\"\n", flows, kDrained));
  EXPECT_EQ(number(result, "completed_flows"), 4);
  EXPECT_EQ(number(result, "calculation_settled"), 1);
  EXPECT_LT(number(result, "completion_time"), 110'000);
}

std::string refused(const std::string& protocol, const std::string& flow) {
  return refusal([&] { (void)simulated(controlled(protocol, flow, kDrained)); });
}

TEST(FlowStarts, AreRefusedWhereTheyCannotBe) {
  EXPECT_THAT(refused("model = \"dffa-star\"\n", kFirst + kSecond),
              HasSubstr("protocol.model: dffa-star is for flows that are known beforehand, and "
                        "some have a `start`"));
  EXPECT_THAT(refused("model = \"dffa\"\nchanges = { every = \"10 us\" }\n", kFirst + kSecond),
              HasSubstr("protocol.changes: cannot stand beside flows that start later"));
  EXPECT_THAT(refused("model = \"dafa\"\n", kFirst + kSecond),
              HasSubstr("protocol.model: the flows of an application start together with this "
                        "protocol, not at 0 ps and at 327.68 us"));
  EXPECT_THAT(
      refused("model = \"dffa\"\n", "[[flow]]\nsource = 0\ndestination = 13\nstart = \"-1 us\"\n"),
      HasSubstr("flow[0].start: must be at least"));
}

}  // namespace
}  // namespace weir::experiment::flow_starts_test
