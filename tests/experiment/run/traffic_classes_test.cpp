// The classes DBTS, DB, PBE and BE: yan2012, sections 2.2 and 5.2.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/one_run.hpp"
#include "experiment/support.hpp"
#include "weir/experiment/run/network.hpp"
#include "weir/experiment/run/simulation.hpp"

namespace weir::experiment::traffic_classes_test {
namespace {

using ::testing::HasSubstr;

std::string of_class(const std::string& name, int service_level, const std::string& more = "") {
  return "[[traffic]]\nname = \"" + name + "\"\nsources = [" + std::to_string(service_level) +
         "]\ndestinations = { model = \"fixed\", host = 4 }\narrivals = \"saturated\"\n"
         "sizes = { model = \"fixed\", size = \"1 KiB\" }\nservice_level = " +
         std::to_string(service_level) + "\n" + more;
}

/// Hosts 0 to 3 send to host 4 by a class each.
std::string classes(const std::string& more = "", const std::string& of_dbts = "1 Gbps") {
  return "[experiment]\nduration = \"400 us\"\nwarmup = \"100 us\"\n"
         "[topology]\nmodel = \"single-switch\"\nhosts = 5\n"
         "[routing]\nmodel = \"shortest-path\"\n[link]\nrate = \"8 Gbps\"\n"
         "[host]\nmtu = \"1 KiB\"\n[management]\npreset = \"traffic-classes\"\n" +
         more + of_class("DBTS", 0, of_dbts.empty() ? "" : "reserve = \"" + of_dbts + "\"\n") +
         of_class("DB", 1, "reserve = \"1 Gbps\"\n") + of_class("PBE", 2) + of_class("BE", 3);
}

TEST(TrafficClasses, AreServiceLevelsVlsAndTables) {
  const Configuration configuration = resolve(table_of(classes()));
  EXPECT_EQ(configuration.fabric.arbiter, fabric::ArbiterKind::vl_weighted);
  EXPECT_TRUE(configuration.fabric.vl_arbitration.high.empty());
  ASSERT_EQ(configuration.fabric.vl_arbitration.low.size(), 2U);
  EXPECT_EQ(configuration.fabric.vl_arbitration.low[0].vl, 2);
  EXPECT_EQ(configuration.fabric.vl_arbitration.low[1].vl, 3);
  EXPECT_GT(configuration.fabric.vl_arbitration.low[0].weight,
            configuration.fabric.vl_arbitration.low[1].weight);
  EXPECT_EQ(refusal_of_run(classes()), "accepted");
}

// DBTS sends all it can, and no limit holds the table of high priority back.
TEST(TrafficClasses, DbtsIsInTheTableOfHighPriority) {
  const metrics::RunResult result = result_of(classes());
  EXPECT_NEAR(number(result, "throughput", "DBTS"), 8, 0.1);
}

// A table of low priority gets its turn after each packet of high priority. DB: 1 Gbps of 8 is an
// eighth of 64 entries, 8 entries of 255; PBE and BE have 255 and 64 beside them.
TEST(TrafficClasses, DbHasItsBandwidthAndPbeGoesBeforeBe) {
  const metrics::RunResult result = result_of(classes("[vl_arbitration]\nhigh_limit = 1\n"));
  const double db = number(result, "throughput", "DB");
  const double pbe = number(result, "throughput", "PBE");
  const double be = number(result, "throughput", "BE");
  EXPECT_GT(db, 1) << "what it has reserved";
  EXPECT_GT(pbe, 3 * be);
  EXPECT_GT(be, 0);
}

TEST(TrafficClasses, DbtsNeedsAConnection) {
  EXPECT_THAT(refusal_of_run(classes("", "")),
              HasSubstr("VL 0 has no entry but those of connections"));
  EXPECT_THAT(refusal_of_run(classes("[admission]\nmodel = \"none\"\n")),
              HasSubstr("VL 0 has no weight in any table, its packets would wait for ever"));
}

TEST(TrafficClasses, WhatTheFileSaysStands) {
  const Configuration configuration = resolve(table_of(
      classes("[vl_arbitration]\nlow = [{ vl = 2, weight = 9 }, { vl = 3, weight = 4 }]\n")));
  EXPECT_EQ(configuration.fabric.vl_arbitration.low[0].weight, 9);
}

}  // namespace
}  // namespace weir::experiment::traffic_classes_test
