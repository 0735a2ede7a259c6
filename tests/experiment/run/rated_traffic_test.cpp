#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "experiment/one_run.hpp"
#include "experiment/run/tree_of_16.hpp"
#include "experiment/support.hpp"
#include "weir/experiment/run/flow_traffic.hpp"

namespace weir::experiment::rated_traffic_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string kScheme = "[injection]\nmodel = \"periodic-selection\"\n";
const std::string kRate = "rate = \"calculated\"\n";
const std::string kFor4Ms = "duration = \"4 ms\"\nwarmup = \"1 ms\"\n";

std::string experiment(const std::string& traffic, const std::string& more = kScheme,
                       const std::string& run = kFor4Ms) {
  return tree_of_16(run, more + traffic);
}

std::string traffic(const std::string& name, const std::string& more) {
  std::string text = "[[traffic]]\nname = \"" + name + "\"\n" + more;
  if (more.find("arrivals") == std::string::npos) text += "arrivals = \"saturated\"\n";
  if (more.find("sizes") == std::string::npos)
    text += "sizes = { model = \"fixed\", size = \"2 KiB\" }\n";
  return text;
}

/// Of three to one host, with one of the three to another one, too.
const std::string kIncast = traffic(
    "storage",
    "role = \"hot\"\nsources = [1, 2, 3]\ndestinations = { model = \"fixed\", host = 0 }\n");
const std::string kRated = kIncast + kRate;
const std::string kOther =
    traffic("other", "sources = [3]\ndestinations = { model = \"fixed\", host = 7 }\n" + kRate);

TEST(RatedTraffic, IsTheSameAsFlowsOfTheSamePairs) {
  const metrics::RunResult result = result_of(experiment(kRated + kOther));
  EXPECT_EQ(number(result, "flows"), 4);
  EXPECT_EQ(number(result, "applications"), 2);
  const metrics::RunResult flows = result_of(
      experiment("[[flow]]\nsources = [1, 2, 3]\ndestinations = { model = \"fixed\", host = 0 }\n"
                 "[[flow]]\nsource = 3\ndestination = 7\n"));
  for (const char* metric : {"assigned_rate_min", "assigned_rate_max", "delivered_rate_min",
                             "delivered_rate_mean", "delivered_rate_max", "throughput"}) {
    EXPECT_EQ(number(result, metric), number(flows, metric)) << metric;
  }
  EXPECT_DOUBLE_EQ(number(result, "assigned_rate_min"), 1.0 / 3);
  EXPECT_DOUBLE_EQ(number(result, "assigned_rate_max"), 2.0 / 3);
  EXPECT_NEAR(number(result, "delivered_rate_max"), 2.0 / 3, 0.002);
  // And it keeps its name: 3 * 10 Gbps / 3.
  EXPECT_NEAR(number(result, "throughput", "storage"), 10, 0.02);
  EXPECT_NEAR(number(result, "throughput", "other"), 20.0 / 3, 0.02);
}

TEST(RatedTraffic, SendsTheSameMessagesWithAndWithoutRates) {
  const std::string bursts =
      "sources = { count = 5, choose = \"random\", exclude = [0] }\n"
      "destinations = { model = \"fixed\", host = 0 }\nrole = \"hot\"\n"
      "arrivals = { model = \"poisson\", load = 0.08 }\nstart = \"0.3 ms\"\nstop = \"2 ms\"\n"
      "sizes = { model = \"geometric\", mean = \"3000 B\" }\n";
  const std::string drained = "until = \"drained\"\n";
  const auto run = [&](const std::string& more, const std::string& keys) {
    return result_of(experiment(traffic("storage", bursts + keys), more, drained));
  };
  const metrics::RunResult free = run("", "");
  const metrics::RunResult inert = run("", kRate);
  const metrics::RunResult rated = run(kScheme, kRate);
  for (const char* metric : {"messages_completed", "packets_delivered"}) {
    if (free.scalar(metric, "") == nullptr) continue;
    EXPECT_EQ(number(free, metric), number(rated, metric)) << metric;
  }
  EXPECT_GT(number(free, "messages_completed"), 100);
  EXPECT_EQ(number(free, "messages_completed"), number(rated, "messages_completed"));
  EXPECT_EQ(number(rated, "completed_flows"), 5);
  // Without a scheme that keeps rates the key means nothing at all.
  EXPECT_EQ(inert.scalar("flows", ""), nullptr);
  EXPECT_EQ(number(free, "latency_mean"), number(inert, "latency_mean"));
  EXPECT_EQ(number(free, "completion_time"), number(inert, "completion_time"));
  // A flow may not send its messages faster than a fifth of the link lets it.
  EXPECT_GT(number(rated, "message_latency_mean"), number(free, "message_latency_mean"));
}

TEST(RatedTraffic, HasRolesVictimsAndAHotLink) {
  // Host 4 and 1 share the way down to the switch of host 0 with what goes there.
  const std::string cold =
      traffic("cold",
              "role = \"cold\"\nsources = [5, 9]\ndestinations = { model = \"fixed\", host = 4 }\n"
              "arrivals = { model = \"constant\", load = 0.2 }\n");
  const std::string hot = traffic("storage",
                                  "role = \"hot\"\nsources = [5, 6, 9]\n"
                                  "destinations = { model = \"fixed\", host = 0 }\n");
  for (const bool is_rated : {false, true}) {
    const metrics::RunResult result =
        result_of(experiment(hot + (is_rated ? kRate : "") + cold,
                             is_rated ? kScheme + "[rates]\nreserve = 0.25\n" : std::string()));
    EXPECT_GT(number(result, "latency_mean", "victim"), 0) << is_rated;
    EXPECT_GT(number(result, "latency_mean", "hot"), 0) << is_rated;
    EXPECT_NEAR(number(result, "hot_link_utilization", "aimed"), is_rated ? 0.75 : 1, 0.01);
  }
}

/// 100 KiB and 300 KiB to one host.
std::string two_bursts(const std::string& more = "") {
  const auto burst = [&](const char* name, const char* source, const char* size) {
    return traffic(name, "sources = [" + std::string(source) +
                             "]\ndestinations = { model = \"fixed\", host = 0 }\n"
                             "arrivals = { model = \"once\", count = 2 }\n"
                             "sizes = { model = \"fixed\", size = \"" +
                             std::string(size) + "\" }\n" + kRate + more);
  };
  return burst("a", "1", "50 KiB") + burst("b", "2", "150 KiB");
}

TEST(RatedTraffic, EndsForAProtocolWhenAllOfItIsThere) {
  constexpr double kPacket = 1638.4;
  const std::string drained = "until = \"drained\"\n";
  // Half a link each, whoever is there.
  const metrics::RunResult fixed = result_of(experiment(two_bursts(), kScheme, drained));
  EXPECT_NEAR(number(fixed, "completion_time"), 300 * kPacket, 4 * kPacket);
  EXPECT_EQ(number(fixed, "completed_flows"), 2);
  EXPECT_NEAR(number(fixed, "completed_rate_max"), 0.5, 0.01);
  EXPECT_NEAR(number(fixed, "completed_rate_min"), 0.5, 0.01);
  // The second has the link for itself when the first is over: 100 packets at a half, 100 at once.
  const metrics::RunResult found =
      result_of(experiment(two_bursts(), kScheme + "[protocol]\nmodel = \"dffa\"\n", drained));
  EXPECT_NEAR(number(found, "completion_time"), 200 * kPacket, 8 * kPacket);
  EXPECT_EQ(number(found, "completed_flows"), 2);
  EXPECT_EQ(number(found, "calculation_settled"), 1);
  EXPECT_GT(number(found, "recalculations"), 1);
}

TEST(RatedTraffic, StartsWithItsClassForAProtocol) {
  const std::string protocol = kScheme + "[protocol]\nmodel = \"dffa\"\n";
  const std::string run = "until = \"drained\"\n";
  const metrics::RunResult result =
      result_of(experiment(two_bursts("start = \"1 ms\"\n"), protocol, run));
  EXPECT_NEAR(number(result, "completion_time"), 1'000'000 + 200 * 1638.4, 8 * 1638.4);
  EXPECT_THAT(refusal_of_run(experiment(two_bursts("start = \"1 ms\"\n"),
                                        kScheme + "[protocol]\nmodel = \"dffa-star\"\n", run)),
              HasSubstr("dffa-star is for flows that are known beforehand"));
}

TEST(RatedTraffic, HasAFlowForEachConnection) {
  const std::string two =
      traffic("two",
              "sources = [1]\ndestinations = { model = \"fixed\", host = 0 }\nconnections = 2\n"
              "arrivals = { model = \"poisson\", load = 1.9, overload = true }\n" +
                  kRate);
  const std::string flow = "[[flow]]\nsource = 1\ndestination = 0\n";
  const metrics::RunResult result = result_of(experiment(two + flow));
  EXPECT_EQ(number(result, "flows"), 3);
  EXPECT_DOUBLE_EQ(number(result, "assigned_rate_min"), 1.0 / 3);
  for (const char* name : {"h1 to h0, 0", "h1 to h0, 1", "h1 to h0, 2"}) {
    EXPECT_NEAR(number(result, "connection_rate", name), 1.0 / 3, 0.01) << name;
  }
}

TEST(RatedTraffic, IsSwitchedOnByACase) {
  const std::string cases =
      "[[case]]\nname = \"free\"\n[[case]]\nname = \"rated\"\n"
      "set = { \"traffic.storage.rate\" = \"calculated\", \"injection.model\" = "
      "\"periodic-selection\" }\n";
  const std::vector<Variant> variants =
      ExperimentFile(table_of(experiment(kIncast, "") + cases), {}).variants();
  ASSERT_EQ(variants.size(), 2U);
  const std::vector<RunOutcome> outcomes = run_all(variants, {}, {});
  EXPECT_EQ(outcomes[0].record->result.scalar("flows", ""), nullptr);
  EXPECT_EQ(number(outcomes[1].record->result, "flows"), 3);
}

TEST(RatedTraffic, CountsForACalculationWithoutPackets) {
  const metrics::RunResult result =
      result_of(experiment(kRated + kOther, "", "kind = \"rates\"\n"));
  EXPECT_EQ(number(result, "flows"), 4);
  EXPECT_DOUBLE_EQ(number(result, "assigned_rate_max"), 2.0 / 3);
  EXPECT_THAT(refusal_of_run(experiment(kIncast, "", "kind = \"rates\"\n")),
              HasSubstr("rate = \"calculated\""));
}

TEST(RatedTraffic, IsRefusedWhereItCannotBe) {
  const std::string uniform = traffic("x", "destinations = { model = \"uniform\" }\n" + kRate);
  EXPECT_THAT(refusal_of_run(experiment(uniform)),
              AllOf(HasSubstr("x.toml:"),
                    HasSubstr("traffic[0].rate: \"calculated\" is for pairs of "
                              "hosts that are known before they send"),
                    HasSubstr("'uniform'")));
  EXPECT_EQ(refusal_of_run(experiment(uniform, "")), "accepted");
  EXPECT_THAT(refusal_of_run(experiment(kIncast)),
              HasSubstr("injection.model: 'periodic-selection' keeps "
                        "calculated rates, and there is none"));
  EXPECT_THAT(refusal_of_run(experiment(kRated, "[protocol]\nmodel = \"dffa\"\n")),
              HasSubstr("protocol.model: finds rates that no injection scheme keeps"));
  EXPECT_THAT(refusal_of_run(experiment(kRated, kScheme + "[rates]\nalgorithm = \"none\"\n")),
              HasSubstr("rates.algorithm"));
  EXPECT_THAT(refusal_of_run(experiment(kRated, kScheme + "[flow_routing]\npolicy = \"ascent\"\n"
                                                          "set_up = \"packets\"\n"
                                                          "[protocol]\nmodel = \"dffa\"\n")),
              HasSubstr("traffic[0].rate: \"calculated\" is for paths that stay"));
  EXPECT_THAT(
      refusal_of_run(experiment(kRated + "[[flow]]\nsource = 1\ndestination = 2\nsize = \"1 KB\"\n"
                                         "[[flow]]\nsource = 1\ndestination = 2\nphase = 2\n")),
      HasSubstr("cannot stand beside phases of [[flow]]s"));
  EXPECT_THAT(refusal_of_run(experiment(kRated + "start_after_packets = 3\n",
                                        kScheme + "[protocol]\nmodel = \"dffa\"\n")),
              HasSubstr("traffic[0].start_after_packets: cannot stand beside a protocol"));
  EXPECT_THAT(refusal_of_run(experiment(kRated + "service_level = 1\n" +
                                        traffic("b",
                                                "sources = [1]\nservice_level = 2\n"
                                                "destinations = { model = \"fixed\", host = 0 }\n" +
                                                    kRate))),
              AllOf(HasSubstr("traffic[1].service_level: is 2"), HasSubstr("have to stay in one")));
  EXPECT_THAT(refusal_of_run(experiment(kIncast + "rate = \"10 Gbps\"\n")),
              HasSubstr("calculated"));
}

TEST(RatedTraffic, IsTheSameByTwoThreads) {
  const metrics::RunResult one = simulated(experiment(kRated + kOther));
  const metrics::RunResult two =
      simulated(experiment(kRated + kOther, kScheme, kFor4Ms + "threads = 2\n"));
  EXPECT_EQ(one.fingerprint, two.fingerprint);
  ASSERT_EQ(one.scalars.size(), two.scalars.size());
  for (std::size_t i = 0; i < one.scalars.size(); ++i) {
    const double value = one.scalars[i].value;
    if (value == value) {  // not a number is nothing to compare
      EXPECT_EQ(value, two.scalars[i].value) << to_string(one.scalars[i].name);
    }
  }
}

}  // namespace
}  // namespace weir::experiment::rated_traffic_test
