// What a file says about hosts: models of saturated sources, source queues of VLs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/one_run.hpp"
#include "experiment/support.hpp"
#include "weir/experiment/run/network.hpp"
#include "weir/experiment/run/simulation.hpp"

namespace weir::experiment::host_models_test {
namespace {

using ::testing::HasSubstr;

/// Six hosts at a switch, packets of 44 B, which are a unit of weight.
std::string star(const std::string& more, const std::string& traffic) {
  return "[experiment]\nduration = \"100 us\"\nwarmup = \"20 us\"\n"
         "[topology]\nmodel = \"single-switch\"\nhosts = 6\n[routing]\nmodel = "
         "\"shortest-path\"\n[link]\nrate = \"8 Gbps\"\n" +
         more + traffic;
}

std::string entry(const std::string& name, const std::string& sources,
                  const std::string& destinations, const std::string& more = "") {
  return "[[traffic]]\nname = \"" + name + "\"\nsources = " + sources +
         "\ndestinations = { model = " + destinations +
         " }\narrivals = \"saturated\"\nsizes = { model = \"fixed\", size = \"44 B\" }\n" + more;
}

const std::string kTwoVls =
    "[switch]\narbiter = \"vl-weighted\"\n"
    "[queueing]\nmodel = \"service-level\"\nvls = 2\n"
    "[vl_arbitration]\nlow = [{ vl = 0, weight = 30 }, { vl = 1, weight = 10 }]\n";

const std::string kOnBoth = entry("vl0", "[0]", "\"fixed\", host = 2") +
                            entry("vl1", "[0]", "\"fixed\", host = 2", "service_level = 1\n");

TEST(HostVls, GetTheirWeightsWithoutFurtherKeys) {
  const std::string text = star(kTwoVls + "[host]\nmtu = \"44 B\"\n", kOnBoth);
  const Configuration configuration = resolve(table_of(text));
  EXPECT_EQ(configuration.fabric.source_queues, fabric::SourceQueueKind::per_class);
  const ConfigValue* host = configuration.resolved.find("host");
  ASSERT_NE(host, nullptr);
  EXPECT_EQ(std::get<std::string>(host->table().find("source_queues")->data), "per-class");
  const metrics::RunResult result = result_of(text);
  const double one = number(result, "throughput", "vl0");
  const double other = number(result, "throughput", "vl1");
  EXPECT_NEAR(one / (one + other), 0.75, 0.0075);
  EXPECT_NEAR(one + other, 8, 0.05);
}

TEST(HostVls, AreNotToShareAQueue) {
  for (const char* kind : {"\"fifo\"", "\"modulo\"\nsource_queue_count = 4",
                           "\"shared-memory\"\nsource_memory = \"1 KiB\""}) {
    const std::string text =
        star(kTwoVls + "[host]\nmtu = \"44 B\"\nsource_queues = " + kind + "\n", kOnBoth);
    EXPECT_THAT(refusal_of_run(text),
                HasSubstr("host.source_queues: messages of 2 VLs would wait in one "
                          "queue"))
        << kind;
    EXPECT_THAT(refusal_of_run(text), HasSubstr("take \"per-class\" or \"per-destination\""));
  }
  EXPECT_EQ(
      refusal_of_run(
          star(kTwoVls + "[host]\nmtu = \"44 B\"\nsource_queues = \"per-destination\"\n", kOnBoth)),
      "accepted");
}

TEST(SaturatedHosts, TheModelIsAKey) {
  const auto model_of = [](const std::string& line) {
    return resolve(table_of(star("[host]\nmtu = \"44 B\"\n" + line, kOnBoth))).fabric.saturation;
  };
  EXPECT_EQ(model_of(""), fabric::Saturation::per_queue);
  EXPECT_EQ(model_of("saturation = \"head-of-line\"\n"), fabric::Saturation::head_of_line);
  EXPECT_EQ(model_of("saturation = \"full-rate\"\n"), fabric::Saturation::full_rate);
  EXPECT_THAT(refusal_of_run(star("[host]\nsaturation = \"full-rat\"\n", kOnBoth)),
              HasSubstr("host.saturation"));
}

/// Host 0 sends to random hosts, of which three others block host 1 with DBBM's classes.
std::string blocked(const std::string& saturation, const std::string& more = "") {
  return star("[host]\nmtu = \"44 B\"\nsource_queues = \"per-class\"\nsaturation = \"" +
                  saturation +
                  "\"\n[buffer]\ningress = \"880 B\"\n[queueing]\nmodel = \"dbbm\"\nqueues = 2\n",
              entry("rivals", "[3, 4, 5]", "\"fixed\", host = 1") +
                  entry("mine", "[0]", "\"uniform\", among = [1, 2]", more));
}

TEST(SaturatedHosts, ABlockedClassHoldsBackNobodyElseByDefault) {
  EXPECT_NEAR(number(result_of(blocked("head-of-line")), "throughput", "mine"), 4, 0.2);
  EXPECT_NEAR(number(result_of(blocked("per-queue")), "throughput", "mine"), 8, 0.2);
  EXPECT_NEAR(number(result_of(blocked("full-rate")), "throughput", "mine"), 6, 0.2);
  EXPECT_GT(number(result_of(blocked("full-rate")), "messages_refused", "mine"), 400);
  EXPECT_EQ(number(result_of(blocked("per-queue")), "messages_refused", "mine"), 0);
}

// What is left out for a full queue is no message.
TEST(SaturatedHosts, MakeAsManyMessagesAsAskedFor) {
  for (const char* saturation : {"per-queue", "head-of-line"}) {
    const metrics::RunResult result = result_of(blocked(saturation, "messages = 700\n"));
    EXPECT_EQ(number(result, "messages_generated", "mine"), 700) << saturation;
    EXPECT_EQ(number(result, "messages_completed", "mine"), 700) << saturation;
  }
}

TEST(SaturatedHosts, AtFullRateEndWithTheirPhase) {
  const metrics::RunResult result = result_of(blocked("full-rate", "stop = \"44 us\"\n"));
  // A message each 44 ns, from 0 on.
  EXPECT_EQ(
      number(result, "messages_generated", "mine") + number(result, "messages_refused", "mine"),
      1'000);
}

TEST(SaturatedHosts, AtFullRateNeedNoAdmission) {
  EXPECT_THAT(
      refusal_of_run(star("[host]\nmtu = \"44 B\"\nsaturation = \"full-rate\"\n"
                          "[admission]\nmodel = \"link-by-link\"\n",
                          entry("asks", "[0]", "\"fixed\", host = 1", "reserve = \"1 Gbps\"\n"))),
      HasSubstr("host.saturation: \"full-rate\" refuses messages"));
}

}  // namespace
}  // namespace weir::experiment::host_models_test
