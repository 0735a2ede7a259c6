#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "experiment/one_run.hpp"
#include "experiment/support.hpp"

namespace weir::experiment {
namespace {

using ::testing::HasSubstr;

/// Flows on a 4-ary 2-tree at 10 Gbps that send at the rates of a protocol.
std::string simulation(
    const std::string& protocol, const std::string& flow,
    const std::string& experiment = "duration = \"1 ms\"\nwarmup = \"0.2 ms\"\n") {
  return "[experiment]\n" + experiment +
         "[topology]\nmodel = \"k-ary-n-tree\"\nk = 4\nn = 2\n"
         "[link]\nrate = \"10 Gbps\"\ndelay = \"15 ns\"\n"
         "[switch]\nrouting_delay = \"100 ns\"\narbiter = \"first-come\"\nvoq = true\n"
         "[buffer]\ningress = \"16 KiB\"\n[routing]\nmodel = \"d-mod-k\"\n"
         "[host]\nmtu = \"2 KiB\"\nheader = \"0 B\"\nsource_queues = \"per-destination\"\n"
         "[injection]\nmodel = \"periodic-selection\"\n" +
         flow + "[protocol]\n" + protocol;
}
const std::string kRandomFlows =
    "[[flow]]\ndestinations = { model = \"uniform\" }\nper_source = 2\n";

TEST(FlowProtocol, SourcesSendAtTheRatesThatItFinds) {
  for (const char* model : {"dffa", "saa", "saa-m"}) {
    std::string keys = "model = \"" + std::string(model) + "\"\n";
    // Probes every 2 us take 4 % of the full links.
    if (std::string(model) == "saa") keys += "probe_period = \"20 us\"\n";
    const metrics::RunResult result = result_of(simulation(keys, kRandomFlows));
    EXPECT_EQ(number(result, "calculation_settled"), 1) << model;
    const double expected = number(result, "expected_rate_mean");
    EXPECT_NEAR(number(result, "delivered_rate_mean") / expected, 1, 0.02) << model;
    EXPECT_GT(number(result, "calculation_bytes"), 0);
    if (std::string(model) != "saa-m") {
      EXPECT_LT(number(result, "calculation_deviation"), 1e-9) << model;
    }
  }
}

TEST(FlowProtocol, TimesAreThoseOfTheControlNetworkWithPreemption) {
  const std::string flows = kRandomFlows;
  const metrics::RunResult beside =
      result_of(simulation("model = \"dffa\"\nstart_within = \"10 us\"\n", flows));
  std::string text = simulation("model = \"dffa\"\nstart_within = \"10 us\"\n", flows);
  text.replace(text.find("[experiment]\n"), 13, "[experiment]\nkind = \"rates\"\n");
  const metrics::RunResult alone = result_of(text);
  const metrics::RunResult waiting =
      result_of(simulation("model = \"dffa\"\nstart_within = \"10 us\"\npreempt = false\n", flows));
  const double time = number(alone, "calculation_time_mean");
  EXPECT_NEAR(number(beside, "calculation_time_mean"), time, 0.02 * time);
  EXPECT_GT(number(waiting, "calculation_time_mean"), time);
  EXPECT_LT(number(waiting, "calculation_deviation"), 1e-9);
}

TEST(FlowProtocol, WhoIsLeftGetsWhatOthersLeave) {
  // Both cross the last link: half of it each until the short one is there, then all of it. 200
  // packets of 1.6384 us at half the rate, then the other's 400 less 200.
  const std::string flows =
      "[[flow]]\nsource = 0\ndestination = 13\nsize = \"400 KiB\"\n"
      "[[flow]]\nsource = 5\ndestination = 13\nsize = \"800 KiB\"\n";
  const std::string until = "until = \"drained\"\nduration = \"10 ms\"\n";
  const metrics::RunResult result = result_of(simulation("model = \"dffa\"\n", flows, until));
  const double packet = 1638.4;
  EXPECT_NEAR(number(result, "completion_time"), 600 * packet, 30 * packet);
}

TEST(FlowProtocol, NeedsAnInjectionSchemeThatKeepsRates) {
  std::string text = simulation("model = \"dffa\"\n", kRandomFlows);
  const std::string injection = "[injection]\nmodel = \"periodic-selection\"\n";
  text.replace(text.find(injection), injection.size(), "");
  try {
    (void)result_of(text);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("protocol.model: finds rates that no"));
  }
}

}  // namespace
}  // namespace weir::experiment
