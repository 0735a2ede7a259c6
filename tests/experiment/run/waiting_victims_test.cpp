// Victims by what happened to them: metrics.waiting, from files to numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "experiment/one_run.hpp"

namespace weir::experiment::waiting_victims_test {
namespace {

/// 16 hosts, four to a switch, four roots. Hosts 4, 8 and 12 send all they can to host 0, and all
/// others a little to everybody.
std::string hot_spot(const std::string& more, const std::string& hot_role = "hot") {
  return "[experiment]\nduration = \"300 us\"\n"
         "[topology]\nmodel = \"k-ary-n-tree\"\nk = 4\nn = 2\n[routing]\nmodel = \"d-mod-k\"\n"
         "[link]\nrate = \"10 Gbps\"\n[host]\nmtu = \"2 KiB\"\n"
         "[metrics]\nwaiting = true\n"
         "[[traffic]]\nname = \"storage\"\nrole = \"" +
         hot_role +
         "\"\nsources = [4, 8, 12]\n"
         "destinations = { model = \"fixed\", host = 0 }\narrivals = \"saturated\"\n"
         "sizes = { model = \"fixed\", size = \"2 KiB\" }\n"
         "[[traffic]]\nname = \"other\"\nrole = \"cold\"\nsources = \"rest\"\n"
         "destinations = \"uniform\"\narrivals = { model = \"poisson\", load = 0.3 }\n"
         "sizes = { model = \"fixed\", size = \"2 KiB\" }\n" +
         more;
}

std::string buffers(const std::string& architecture) {
  return "[switch]\narchitecture = \"" + architecture +
         "\"\n[buffer]\ningress = \"32 KiB\"\negress = \"32 KiB\"\n";
}

double mean(const std::string& text) { return number(simulated(text), "behind_hot_mean", "cold"); }

// One queue for all, one for each output, and queues that are set aside for the packets of a
// congestion tree: this is what the latter are for.
TEST(WaitingVictims, AreFewerTheMoreQueuesPartThemFromHotPackets) {
  const double fifo = mean(hot_spot(buffers("cioq") + "[queueing]\nmodel = \"fifo\"\n"));
  const double voqs = mean(hot_spot(buffers("cioq") + "[queueing]\nmodel = \"voqsw\"\n"));
  EXPECT_GT(fifo, 1'000);
  EXPECT_LT(voqs, fifo);
  for (const char* architecture : {"cioq", "iq"}) {
    const double set_aside =
        mean(hot_spot(buffers(architecture) + "[queueing]\nmodel = \"fifo\"\n"
                                              "[isolation]\nmodel = \"recn-enhanced\"\n"));
    EXPECT_LT(set_aside, fifo / 100) << architecture;
  }
}

TEST(WaitingVictims, AreThereWithEveryArchitecture) {
  for (const char* architecture : {"iq", "iq-single", "cioq", "oq"}) {
    const bool has_ingress = std::string(architecture) != "oq";
    const std::string queueing = has_ingress ? "[queueing]\nmodel = \"fifo\"\n" : std::string();
    const metrics::RunResult result = simulated(hot_spot(buffers(architecture) + queueing));
    const double packets = number(result, "behind_hot_packets", "cold");
    const double time = number(result, "behind_hot_time", "cold");
    EXPECT_GT(packets, 0) << architecture;
    EXPECT_GT(time, 0) << architecture;
    const double share = number(result, "behind_hot_share", "cold");
    EXPECT_NEAR(number(result, "behind_hot_mean", "cold"), time * share / packets,
                1e-6 * time * share / packets);
    const double flows = number(result, "victims_by_waiting", "cold");
    EXPECT_GT(flows, 0) << architecture;
    EXPECT_LE(number(result, "victims_by_waiting_share", "cold"), 1) << architecture;
  }
}

TEST(WaitingVictims, AreKnownWherePacketsChooseTheirRoutes) {
  for (const char* selection : {"fixed", "random", "most-credits", "arn"}) {
    const metrics::RunResult result =
        simulated(hot_spot(buffers("iq") + "[selection]\nmodel = \"" + selection + "\"\n"));
    EXPECT_GT(number(result, "behind_hot_packets", "cold"), 0) << selection;
    EXPECT_GT(number(result, "victims_by_routes", "cold"), 0) << selection;
  }
}

TEST(WaitingVictims, AreNoneWithoutHotTraffic) {
  const metrics::RunResult result =
      simulated(hot_spot(buffers("iq") + "[queueing]\nmodel = \"fifo\"\n", ""));
  EXPECT_GT(number(result, "packets_delivered", "cold"), 0);
  for (const char* metric : {"behind_hot_packets", "behind_hot_share", "behind_hot_time",
                             "behind_hot_mean", "victims_by_waiting", "victims_by_waiting_share"})
    EXPECT_EQ(number(result, metric, "cold"), 0) << metric;
  EXPECT_EQ(result.scalar("victims_by_routes", "cold"), nullptr);
}

TEST(WaitingVictims, AddUpOverClasses) {
  const std::string second =
      "[[traffic]]\nname = \"third\"\nrole = \"cold\"\nsources = [5, 9]\n"
      "destinations = { model = \"fixed\", host = 12 }\n"
      "arrivals = { model = \"constant\", load = 0.2 }\n"
      "sizes = { model = \"fixed\", size = \"1 KiB\" }\n";
  const metrics::RunResult result =
      simulated(hot_spot(second + buffers("iq") + "[queueing]\nmodel = \"fifo\"\n"));
  for (const char* metric : {"behind_hot_packets", "behind_hot_time", "victims_by_waiting"}) {
    const double other = number(result, metric, "other");
    const double third = number(result, metric, "third");
    EXPECT_GT(other, 0) << metric;
    EXPECT_GT(third, 0) << metric;
    EXPECT_DOUBLE_EQ(number(result, metric, "cold"), other + third) << metric;
    EXPECT_DOUBLE_EQ(number(result, metric), other + third) << metric;
  }
  EXPECT_EQ(result.scalar("behind_hot_packets", "hot"), nullptr);
  EXPECT_EQ(result.scalar("behind_hot_packets", "storage"), nullptr);
  // What the bins tell is all there is.
  double sum = 0;
  for (const metrics::Series& series : result.series) {
    if (series.name != MetricName{"behind_hot_packets", "cold"}) continue;
    for (const double value : series.values) sum += value;
  }
  EXPECT_EQ(sum, number(result, "behind_hot_packets", "cold"));
}

TEST(WaitingVictims, LeaveTheRunAsItIs) {
  for (const char* more : {"[isolation]\nmodel = \"recn\"\n", "[queueing]\nmodel = \"voqsw\"\n",
                           "[marking]\nmodel = \"fecn\"\n"}) {
    const std::string with = hot_spot(buffers("cioq") + more);
    std::string without = with;
    without.replace(without.find("waiting = true"), 14, "waiting = false");
    const metrics::RunResult one = simulated(with);
    const metrics::RunResult other = simulated(without);
    EXPECT_EQ(one.fingerprint, other.fingerprint) << more;
    EXPECT_EQ(number(one, "latency_mean", "victim"), number(other, "latency_mean", "victim"));
    EXPECT_EQ(other.scalar("behind_hot_packets", "cold"), nullptr);
    EXPECT_EQ(other.scalar("victims_by_routes", "cold"), nullptr);
  }
}

TEST(WaitingVictims, RefuseWhatTheyCannotMeasure) {
  std::string text = hot_spot("");
  text.replace(text.find("role = \"cold\""), 13, "role = \"\"");
  EXPECT_THAT(refusal_of_run(text), ::testing::HasSubstr("no traffic has role = \"cold\""));
  text = hot_spot("");
  text.insert(text.find("duration"), "threads = 2\n");
  EXPECT_THAT(refusal_of_run(text), ::testing::HasSubstr("needs experiment.threads = 1"));
  text = hot_spot("");
  text.replace(text.find("waiting = true"), 14, "victim_wait = \"1 us\"");
  EXPECT_THAT(refusal_of_run(text), ::testing::HasSubstr("needs waiting = true"));
}

}  // namespace
}  // namespace weir::experiment::waiting_victims_test
