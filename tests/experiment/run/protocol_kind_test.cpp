#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/one_run.hpp"
#include "experiment/support.hpp"
#include "weir/experiment/run/protocol_calculation.hpp"

namespace weir::experiment::protocol_kind_test {
namespace {

using ::testing::HasSubstr;

/// A 4-ary 2-tree at 10 Gbps with the timing of Table 6.2.
std::string protocol(const std::string& keys, const std::string& flows = "") {
  return "[experiment]\nkind = \"rates\"\n[topology]\nmodel = \"k-ary-n-tree\"\nk = 4\nn = 2\n"
         "[link]\nrate = \"10 Gbps\"\ndelay = \"15 ns\"\n[switch]\nrouting_delay = \"100 ns\"\n"
         "[routing]\nmodel = \"d-mod-k\"\n" +
         (flows.empty() ? "[[flow]]\ndestinations = { model = \"uniform\" }\nper_source = 3\n"
                        : flows) +
         "[protocol]\n" + keys;
}

std::string refusal(const std::string& text) {
  try {
    const Configuration configuration = resolve(table_of(text));
    const auto network = make_network(configuration);
    (void)run_protocol(configuration, *network, route_flows(configuration, *network));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ProtocolKind, EachFindsTheRatesOfItsCalculation) {
  for (const char* model : {"saa", "dffa-star", "dffa", "dafa-star", "dafa"}) {
    const metrics::RunResult result =
        result_of(protocol("model = \"" + std::string(model) + "\"\n"));
    EXPECT_EQ(number(result, "calculation_settled"), 1) << model;
    EXPECT_LT(number(result, "calculation_deviation"), 1e-12) << model;
    EXPECT_GT(number(result, "calculation_time_mean"), 0) << model;
    // All take the same time: the mean may be a rounding above it.
    EXPECT_GE(number(result, "calculation_time_max") * (1 + 1e-12),
              number(result, "calculation_time_mean"));
    EXPECT_GT(number(result, "calculation_bytes"), 0) << model;
    EXPECT_NEAR(number(result, "assigned_rate_mean"), number(result, "expected_rate_mean"), 1e-11);
    EXPECT_EQ(number(result, "flows"), 48);
  }
}

TEST(ProtocolKind, SaaMGivesMoreThanSaa) {
  const metrics::RunResult result = result_of(protocol("model = \"saa-m\"\n"));
  const metrics::RunResult least = result_of(protocol("model = \"saa\"\n"));
  EXPECT_EQ(number(result, "calculation_settled"), 1);
  EXPECT_GT(number(result, "assigned_rate_mean"), number(least, "assigned_rate_mean"));
  EXPECT_NEAR(number(result, "assigned_rate_mean"), number(result, "expected_rate_mean"), 0.02);
}

TEST(ProtocolKind, FieldsOfDataTakeThePlaceOfProbes) {
  const metrics::RunResult probes = result_of(protocol("model = \"saa\"\n"));
  const metrics::RunResult data = result_of(protocol("model = \"saa\"\ndata_packet = \"2 KiB\"\n"));
  EXPECT_EQ(number(data, "calculation_settled"), 1);
  EXPECT_EQ(number(data, "calculation_deviation"), 0);
  EXPECT_EQ(number(data, "calculation_packets_mean"), 1) << "the announcement only";
  EXPECT_GT(number(data, "calculation_fields"), 0);
  EXPECT_GT(number(probes, "calculation_packets_mean"), 1);
  EXPECT_EQ(number(probes, "calculation_fields"), 0);
}

TEST(ProtocolKind, ALateFlowIsMeasuredByItself) {
  const metrics::RunResult one = result_of(protocol("model = \"dffa\"\nlate = 1\n"));
  EXPECT_EQ(number(one, "calculation_settled"), 1);
  EXPECT_LT(number(one, "calculation_deviation"), 1e-12);
  const metrics::RunResult all = result_of(protocol("model = \"dffa\"\n"));
  EXPECT_GT(number(one, "calculation_packets_mean"), number(all, "calculation_packets_mean"));
  // Held rates and a new flow's share exceed a link for a while; shares alone do not.
  EXPECT_GT(number(one, "oversubscription_max"), 1.001);
  EXPECT_NEAR(number(all, "oversubscription_max"), 1, 1e-9);
}

TEST(ProtocolKind, FlowsComeAndGo) {
  for (const char* model : {"saa", "saa-m", "dffa"}) {
    const metrics::RunResult result =
        result_of(protocol("model = \"" + std::string(model) +
                           "\"\nchanges = { every = \"20 us\", count = 7, present = 0.75 }\n"));
    EXPECT_EQ(number(result, "calculation_settled"), 1) << model;
    EXPECT_EQ(number(result, "flows"), 36) << model;
    const bool is_unique = std::string(model) != "saa-m";
    EXPECT_LT(number(result, "calculation_deviation"), is_unique ? 1e-9 : 1.0) << model;
  }
}

// What grows after a calculation must not be taken by others that ask for more: in this network
// rates of a tenth of the flows were off by up to a quarter while that could happen.
TEST(ProtocolKind, PeriodicCalculationsEndAtFairRatesInATreeOfThreeLevels) {
  const metrics::RunResult result = result_of(
      "[experiment]\nkind = \"rates\"\n[topology]\nmodel = \"k-ary-n-tree\"\nk = 4\n"
      "n = 3\n[link]\nrate = \"10 Gbps\"\ndelay = \"15 ns\"\n[switch]\nrouting_delay = "
      "\"100 ns\"\n[routing]\nmodel = \"d-mod-k\"\n[[flow]]\ndestinations = { model = "
      "\"uniform\" }\nper_source = 12\n[protocol]\nmodel = \"periodic-dffa\"\nchanges = "
      "{ every = \"20 us\", count = 7 }\n");
  EXPECT_EQ(number(result, "calculation_settled"), 1);
  EXPECT_LT(number(result, "calculation_deviation"), 1e-6);
}

TEST(ProtocolKind, ApplicationsComeAndGo) {
  const std::string flows =
      "[[flow]]\nfragmented = { applications = 4, fragments = 2, permutations = 2 }\n";
  const metrics::RunResult result =
      result_of(protocol("model = \"dafa\"\nchanges = { every = \"50 us\", count = 4 }\n", flows));
  EXPECT_EQ(number(result, "calculation_settled"), 1);
  EXPECT_EQ(number(result, "applications"), 2);
  EXPECT_LT(number(result, "calculation_deviation"), 1e-12);
}

TEST(ProtocolKind, WhatNeverSettlesIsReported) {
  const metrics::RunResult result =
      result_of(protocol("model = \"dffa\"\nlimit = \"300 us\"\n"
                         "changes = { every = \"1 us\", count = 1000, from = \"1 us\" }\n"));
  EXPECT_EQ(number(result, "calculation_settled"), 0);
  EXPECT_EQ(result.scalar("calculation_time_mean"), nullptr);
  EXPECT_GT(number(result, "calculation_rounds"), 200);
}

TEST(ProtocolKind, ReadsBackAndIsComparedWithAnotherCalculation) {
  const Configuration configuration = resolve(table_of(protocol("model = \"dafa\"\n")));
  EXPECT_EQ(configuration.resolved.find("rates")->table().find("algorithm")->text(), "afa");
  const Configuration again = resolve(configuration.resolved);
  EXPECT_EQ(configuration_hash(again.resolved), configuration_hash(configuration.resolved));
  const Configuration other =
      resolve(table_of(protocol("model = \"saa\"\n[rates]\nalgorithm = \"ffa\"\n")));
  EXPECT_EQ(other.resolved.find("rates")->table().find("algorithm")->text(), "ffa");
}

TEST(ProtocolKind, RefusesWhatCannotBe) {
  EXPECT_THAT(refusal(protocol("model = \"dfaf\"\n")), HasSubstr("no protocol is called 'dfaf'"));
  EXPECT_THAT(refusal(protocol("model = \"dffa-star\"\nlate = 1\n")),
              HasSubstr("protocol.late: dffa-star is for flows that are known beforehand"));
  EXPECT_THAT(refusal(protocol("model = \"dffa\"\nlate = 48\n")),
              HasSubstr("protocol.late: leaves none of 48"));
  EXPECT_THAT(refusal(protocol("model = \"dffa\"\nchanges = { every = \"0 us\" }\n")),
              HasSubstr("protocol.changes.every: must be positive"));
  EXPECT_THAT(
      refusal(protocol("model = \"dffa\"\nchanges = { every = \"1 us\", present = 1.0 }\n")),
      HasSubstr("protocol.changes.present"));
  EXPECT_THAT(refusal(protocol("model = \"dafa\"\nleader = \"s99\"\n")),
              HasSubstr("protocol.leader: no switch or host is called 's99'"));
  EXPECT_THAT(refusal(protocol("model = \"dffa\"\ncontrol_size = \"0 B\"\n")),
              HasSubstr("protocol.control_size: must be at least 1 B"));
  EXPECT_THAT(refusal(protocol("model = \"saa\"\nprobe_period = \"0 ns\"\n")),
              HasSubstr("protocol.probe_period"));
}

}  // namespace
}  // namespace weir::experiment::protocol_kind_test
