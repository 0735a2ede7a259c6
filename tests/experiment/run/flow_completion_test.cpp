// Slowdowns in whole experiments, by hand.
#include <gmock/gmock.h>

#include "experiment/one_run.hpp"

namespace weir::experiment::flow_completion_test {
namespace {

using ::testing::HasSubstr;

/// 4 hosts at one switch, 8 Gbps (1 ns a byte) and 10 ns; packets of 1000 B with 24 B of header.
std::string star(const std::string& traffic, const std::string& more = "") {
  return R"(
[experiment]
name = "star"
until = "drained"
[topology]
model = "single-switch"
hosts = 4
[link]
rate = "8 Gbps"
delay = "10 ns"
[switch]
routing_delay = "100 ns"
[host]
mtu = "1000 B"
header = "24 B"
source_queues = "per-destination"
[routing]
model = "shortest-path"
[metrics]
slowdown = true
sizes = ["1 KB"]
)" + more +
         traffic;
}

std::string once(const std::string& name, int source, const std::string& size) {
  return "[[traffic]]\nname = \"" + name + "\"\nsources = [" + std::to_string(source) +
         "]\ndestinations = { model = \"fixed\", host = 3 }\narrivals = \"once\"\n" +
         "sizes = { model = \"fixed\", size = \"" + size + "\" }\n";
}

// Alone, 3 packets of 1024 B take 3072 ns and 120 ns of delays. Two messages share the last link
// packet by packet, so that the first is done after 5 packets and the second after 6; headers of
// both arrive at the same time.
TEST(FlowCompletion, TwoMessagesToOneHost) {
  const metrics::RunResult alone = result_of(star(once("a", 0, "3000 B")));
  EXPECT_DOUBLE_EQ(number(alone, "slowdown_mean"), 1);
  EXPECT_DOUBLE_EQ(number(alone, "message_completion_max"), 3'192);
  const metrics::RunResult two = result_of(star(once("a", 0, "3000 B") + once("b", 1, "3000 B")));
  EXPECT_DOUBLE_EQ(number(two, "message_completion_max"), 6 * 1'024 + 120);
  EXPECT_NEAR(number(two, "slowdown_max", "> 1 KB"), (6 * 1'024 + 120) / 3'192.0, 1e-6);
  EXPECT_NEAR(number(two, "slowdown_mean"), (11 * 1'024 + 240) / 2 / 3'192.0, 1e-6);
  EXPECT_DOUBLE_EQ(number(two, "messages_unfinished"), 0);
}

// Every switch adds telemetry, which is not in the ideal time.
TEST(FlowCompletion, TelemetryCountsAgainstTheSchemeThatCarriesIt) {
  const std::string traffic = once("a", 0, "1000 B");
  const metrics::RunResult plain = result_of(star(traffic));
  const metrics::RunResult hpcc = result_of(star(traffic, "[management]\npreset = \"hpcc\"\n"));
  const double longer = number(hpcc, "message_completion_max") - 1'144;
  EXPECT_DOUBLE_EQ(number(plain, "slowdown_max"), 1);
  EXPECT_GT(longer, 0);
  EXPECT_NEAR(number(hpcc, "slowdown_max"), 1 + longer / 1'144, 1e-6);
}

TEST(FlowCompletion, MeasuringChangesNothing) {
  const std::string traffic = once("a", 0, "3000 B") + once("b", 1, "900 B");
  std::string without = star(traffic);
  without.erase(without.find("slowdown = true"), 15);
  without.erase(without.find("sizes = [\"1 KB\"]"), 16);
  const metrics::RunResult plain = result_of(without);
  EXPECT_EQ(plain.scalar("slowdown_mean"), nullptr);
  EXPECT_EQ(result_of(star(traffic)).fingerprint, plain.fingerprint);
}

TEST(FlowCompletion, SizeClassesAscendAndNeedSlowdowns) {
  const auto refused = [](const std::vector<std::string>& set) {
    return refusal([&] { (void)resolve(small_with(set)); });
  };
  EXPECT_THAT(refused({"metrics.sizes=[\"1 KB\"]"}),
              HasSubstr("metrics.sizes: are size classes of slowdowns: it needs slowdown = true"));
  EXPECT_THAT(refused({"metrics.slowdown=true", "metrics.sizes=[\"2 KB\", \"1 KB\"]"}),
              HasSubstr("metrics.sizes: must be at least 1 B and ascend: 1 KB does not"));
  EXPECT_THAT(refused({"metrics.slowdown=true", "metrics.sizes=[\"2 furlongs\"]"}),
              HasSubstr("metrics.sizes: "));
}

TEST(FlowCompletion, IncastsHaveSlowdownsByHand) {
  // Three messages of one packet to host 3, all at once: done after 1, 2 and 3 packets.
  const metrics::RunResult result =
      result_of(star("[[traffic]]\nname = \"i\"\nincast = { fan_in = 3, size = \"1 KB\", "
                     "destinations = 3, times = "
                     "[\"1 us\"] }\n"));
  EXPECT_DOUBLE_EQ(number(result, "message_completion_mean"), 2 * 1'024 + 120);
  EXPECT_NEAR(number(result, "slowdown_max", "<= 1 KB"), (3 * 1'024 + 120) / 1'144.0, 1e-6);
}

// A message of one packet behind a large one to the same host waits for all of it, and with a
// connection of its own for the packet on the link only, in the mean.
TEST(FlowCompletion, ConnectionsKeepSmallMessagesFromWaitingForLargeOnes) {
  const auto small = [](int connections) {
    const metrics::RunResult result = result_of(star(
        "[[traffic]]\nname = \"a\"\nsources = [0]\ndestinations = { model = \"fixed\", host = 3 }\n"
        "arrivals = { model = \"poisson\", load = 0.5 }\nstop = \"40 ms\"\nconnections = " +
        std::to_string(connections) +
        "\nsizes = { model = \"bimodal\", small = \"1 KB\", large = \"100 KB\" }\n"));
    return number(result, "slowdown_mean", "<= 1 KB");
  };
  EXPECT_GT(small(1), 5 * small(64));
}

}  // namespace
}  // namespace weir::experiment::flow_completion_test
