#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/one_run.hpp"
#include "experiment/support.hpp"
#include "weir/experiment/run/flow_traffic.hpp"
#include "weir/experiment/run/network.hpp"
#include "weir/experiment/run/simulation.hpp"

namespace weir::experiment::flow_traffic_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// 16 hosts, 10 Gbps, packets of 2 KiB that take 1.6384 us, 8 packets a buffer.
std::string simulation_of(const std::string& flows, const std::string& more = "",
                          const std::string& run = "duration = \"4 ms\"\nwarmup = \"1 ms\"\n",
                          const std::string& arbiter = "first-come") {
  return "[experiment]\n" + run +
         "[topology]\nmodel = \"k-ary-n-tree\"\nk = 4\nn = 2\n[routing]\nmodel = \"d-mod-k\"\n"
         "[link]\nrate = \"10 Gbps\"\ndelay = \"15 ns\"\n"
         "[switch]\narchitecture = \"iq\"\narbiter = \"" +
         arbiter +
         "\"\nvoq = true\n"
         "[buffer]\ningress = \"16 KiB\"\n"
         "[host]\nmtu = \"2 KiB\"\nsource_queues = \"per-destination\"\n" +
         more + flows;
}

/// Three to one host, one of the three to another one, too.
constexpr const char* kShared =
    "[[flow]]\nsources = [1, 2, 3]\ndestinations = { model = \"fixed\", host = 0 }\n"
    "[[flow]]\nsource = 3\ndestination = 7\n";

TEST(FlowTraffic, GetsItsCalculatedRatesUnderPeriodicSelection) {
  const metrics::RunResult result =
      result_of(simulation_of(kShared, "[injection]\nmodel = \"periodic-selection\"\n"));
  EXPECT_EQ(number(result, "flows"), 4);
  EXPECT_DOUBLE_EQ(number(result, "assigned_rate_min"), 1.0 / 3);
  EXPECT_DOUBLE_EQ(number(result, "assigned_rate_max"), 2.0 / 3);
  // A packet of 1831 of the window, more or less.
  EXPECT_NEAR(number(result, "delivered_rate_min"), 1.0 / 3, 0.002);
  EXPECT_NEAR(number(result, "delivered_rate_max"), 2.0 / 3, 0.002);
  EXPECT_NEAR(number(result, "delivered_application_rate_mean"), 1.0 / 3, 0.002);
  EXPECT_EQ(number(result, "delivered_rate_sorted", "0.0"), number(result, "delivered_rate_min"));
}

TEST(FlowTraffic, WithoutInjectionSchemeSendsAsFastAsPossible) {
  const metrics::RunResult result = result_of(simulation_of(kShared));
  EXPECT_DOUBLE_EQ(number(result, "assigned_rate_max"), 2.0 / 3);
  // Congestion spreads: host 3 sends to host 7 no more than to host 0, behind which it waits.
  EXPECT_NEAR(number(result, "throughput"), 10 + 3.33, 0.2);
  const metrics::RunResult free =
      result_of(simulation_of(kShared, "[rates]\nalgorithm = \"none\"\n"));
  EXPECT_EQ(free.scalar("assigned_rate_max", ""), nullptr);
  EXPECT_EQ(number(free, "delivered_rate_min"), number(result, "delivered_rate_min"));
}

// Sizes are weights: SAA lets flows of 1 and 3 units over the same link end together, after 4.
TEST(FlowTraffic, OfGivenSizesEndsWhenCalculated) {
  const std::string flows =
      "[[flow]]\nsource = 1\ndestination = 0\nsize = \"200 KiB\"\n"
      "[[flow]]\nsource = 2\ndestination = 0\nsize = \"200 KiB\"\nweight = 3\n";
  const metrics::RunResult result = result_of(simulation_of(
      flows, "[injection]\nmodel = \"periodic-selection\"\n[rates]\nalgorithm = \"saa\"\n",
      "until = \"drained\"\n"));
  EXPECT_DOUBLE_EQ(number(result, "phase_time"), 4);
  EXPECT_NEAR(number(result, "completion_time"), 4 * 163'840, 4 * 1'638);
  EXPECT_NEAR(number(result, "delivered_phase_time"), 4, 0.04);
  EXPECT_EQ(number(result, "messages_completed"), 2);
}

TEST(FlowTraffic, TakesThePathsThatFlowRoutingFinds) {
  // Four hosts of a switch to four of another one whose digits are equal: one root for all under
  // static routing, one each when the way up is chosen.
  const std::string flows =
      "[[flow]]\nsource = 0\ndestination = 4\n[[flow]]\nsource = 1\ndestination = 8\n"
      "[[flow]]\nsource = 2\ndestination = 12\n";
  const metrics::RunResult fixed = result_of(simulation_of(flows));
  EXPECT_NEAR(number(fixed, "delivered_rate_mean"), 1.0 / 3, 0.01);
  const metrics::RunResult routed =
      result_of(simulation_of(flows, "[flow_routing]\npolicy = \"ascent\"\ntie = \"dp-first\"\n"));
  EXPECT_NEAR(number(routed, "delivered_rate_min"), 1, 0.01);
  EXPECT_EQ(number(routed, "assigned_rate_min"), 1);
}

// Two flows of the same pair, which share a connection or not, are measured by themselves.
TEST(FlowTraffic, KeepsFlowsOfOnePairApart) {
  for (const char* connection : {"own", "shared"}) {
    const std::string one =
        "[[flow]]\nsource = 0\ndestination = 5\nconnection = \"" + std::string(connection) + "\"\n";
    const std::string flows = one + one + "[[flow]]\nsource = 0\ndestination = 6\n";
    for (const char* policy : {"static", "ascent"}) {
      const metrics::RunResult result = result_of(simulation_of(
          flows,
          std::string("[injection]\nmodel = \"periodic-selection\"\n[flow_routing]\npolicy = "
                      "\"") +
              policy + "\"\n"));
      EXPECT_NEAR(number(result, "delivered_rate_min"), 1.0 / 3, 0.002) << policy << connection;
      EXPECT_NEAR(number(result, "delivered_rate_max"), 1.0 / 3, 0.002) << policy << connection;
      EXPECT_EQ(number(result, "out_of_order"), 0);
    }
  }
}

/// Three flows that share what a reserve of 98 % leaves them, and traffic between all hosts.
std::string flows_beside(const std::string& scheme, const std::string& load) {
  return "[experiment]\nduration = \"11 ms\"\nwarmup = \"1 ms\"\n"
         "[topology]\nmodel = \"rlft\"\nports = 4\nstages = 2\n[routing]\nmodel = \"d-mod-k\"\n"
         "[link]\nrate = \"100 Gbps\"\ndelay = \"30 ns\"\n"
         "[host]\nmtu = \"4 KiB\"\nsource_queues = \"per-destination\"\n"
         "[rates]\nalgorithm = \"ffa\"\nreserve = 0.98\n[injection]\nmodel = \"" +
         scheme +
         "\"\n[[flow]]\nsources = [1, 2, 3]\ndestinations = { model = \"fixed\", host = 5 }\n"
         "[[traffic]]\nname = \"compute\"\nsources = \"all\"\n"
         "destinations = { model = \"uniform\" }\narrivals = { model = \"poisson\", load = " +
         load + " }\nsizes = { model = \"fixed\", size = \"16 KiB\" }\n";
}

// Flows and traffic of the same pairs: rates are kept to a packet of about 200, and traffic does
// not wait for them.
TEST(FlowTraffic, StaysApartFromTrafficOfTheSamePair) {
  for (const char* scheme :
       {"periodic-selection", "shaped-virtual-clock", "inter-packet-delay", "leaky-buckets-fifo"}) {
    for (const char* load : {"0.001", "0.2", "0.6"}) {
      const metrics::RunResult result = result_of(flows_beside(scheme, load));
      const double assigned = number(result, "assigned_rate_mean");
      EXPECT_NEAR(assigned, 0.02 / 3, 1e-9);
      EXPECT_NEAR(number(result, "delivered_rate_min"), assigned, 0.01 * assigned)
          << scheme << load;
      EXPECT_NEAR(number(result, "delivered_rate_max"), assigned, 0.01 * assigned)
          << scheme << load;
      EXPECT_NEAR(number(result, "throughput", "compute"), 800 * std::stod(load),
                  0.03 * 800 * std::stod(load) + 1);
      EXPECT_LT(number(result, "latency_mean", "compute"), 10'000) << scheme << load;
      EXPECT_EQ(number(result, "out_of_order"), 0);
    }
  }
}

// Traffic beside the flows leaves when no flow may, and gets what is reserved for it.
TEST(FlowTraffic, LeavesRoomForOtherTraffic) {
  const std::string text = simulation_of(
      "[[flow]]\nsource = 1\ndestination = 0\n"
      "[[traffic]]\nname = \"sporadic\"\nsources = [2]\n"
      "destinations = { model = \"fixed\", host = 0 }\n"
      "arrivals = { model = \"constant\", load = 0.2 }\nsizes = { model = \"fixed\", size = \"2 "
      "KiB\" }\n",
      "[injection]\nmodel = \"periodic-selection\"\n[rates]\nreserve = 0.25\n");
  const metrics::RunResult result = result_of(text);
  EXPECT_NEAR(number(result, "delivered_rate_min"), 0.75, 0.002);
  EXPECT_NEAR(number(result, "throughput", "sporadic"), 2, 0.02);
}

/// A flow from host 1 to host 0 at three quarters of the links, on VL 1, and more than the rest of
/// them from hosts 1 and 2 on VL 0.
std::string on_two_vls(const std::string& scheme, const std::string& low) {
  return simulation_of(
      "[[flow]]\nsource = 1\ndestination = 0\nservice_level = 1\n"
      "[[traffic]]\nname = \"other\"\nsources = [1, 2]\n"
      "destinations = { model = \"fixed\", host = 0 }\n"
      "arrivals = \"saturated\"\nsizes = { model = \"fixed\", size = \"2 KiB\" }\n",
      "[queueing]\nmodel = \"service-level\"\nvls = 2\n[vl_arbitration]\nlow = " + low +
          "\n[rates]\nreserve = 0.25\n[injection]\nmodel = \"" + scheme + "\"\n",
      "duration = \"4 ms\"\nwarmup = \"1 ms\"\n", "vl-weighted");
}

TEST(FlowTraffic, PacketsCarryTheServiceLevelOfTheirFlow) {
  const std::string flows =
      "[[flow]]\nsource = 1\ndestination = 0\nservice_level = 3\n"
      "[[flow]]\nsource = 2\ndestination = 0\n";
  const Configuration configuration = resolve(table_of(simulation_of(flows)));
  FlowTraffic made(configuration, make_network(configuration));
  traffic::Traffic traffic;
  made.add_to(traffic);
  ASSERT_EQ(traffic.sources.size(), 2U);
  EXPECT_EQ(traffic.sources[0].source->service_level, 3);
  EXPECT_EQ(traffic.sources[1].source->service_level, 0);
  EXPECT_EQ(configuration.resolved.find("flow")->array()[1].table().find("service_level"), nullptr);
}

// Host 1 sends to hosts 0 and 4; what waits for the link into host 0, which others fill, holds up
// nothing of the other VL behind it.
TEST(FlowTraffic, StandsInTheClassOfItsServiceLevel) {
  for (const int level : {0, 1}) {
    const metrics::RunResult result = result_of(simulation_of(
        "[[flow]]\nsource = 4\ndestination = 0\n[[flow]]\nsource = 8\ndestination = 0\n"
        "[[flow]]\nsource = 12\ndestination = 0\n[[flow]]\nsource = 5\ndestination = 0\n"
        "[[flow]]\nsource = 4\ndestination = 1\nservice_level = " +
            std::to_string(level) + "\n",
        "[queueing]\nmodel = \"service-level\"\nvls = 2\n",
        "duration = \"4 ms\"\nwarmup = \"1 ms\"\n", "round-robin"));
    const double fastest = number(result, "delivered_rate_max");
    if (level == 0) {
      EXPECT_LT(fastest, 0.5);
    } else {
      EXPECT_GT(fastest, 0.7);
    }
  }
}

TEST(FlowTraffic, KeepsItsRateBesideSaturatedTrafficOnAnotherVl) {
  for (const char* scheme :
       {"periodic-selection", "shaped-virtual-clock", "inter-packet-delay", "leaky-buckets-fifo"}) {
    for (const char* low : {"[{ vl = 0, weight = 32 }, { vl = 1, weight = 96 }]",
                            "[{ vl = 0, weight = 32 }, { vl = 1, weight = 128 }]",
                            "[{ vl = 0, weight = 64 }, { vl = 1, weight = 255 }]"}) {
      const metrics::RunResult result = result_of(on_two_vls(scheme, low));
      EXPECT_NEAR(number(result, "assigned_rate_mean"), 0.75, 1e-9);
      EXPECT_NEAR(number(result, "delivered_rate_mean"), 0.75, 0.004) << scheme << low;
      EXPECT_NEAR(number(result, "throughput", "other"), 2.5, 0.1) << scheme << low;
    }
  }
}

// The other VL may send up to 16 packets while a controlled one waits, whose period is four: what
// its host's link is taken for by others does not lower its rate.
TEST(FlowTraffic, KeepsItsRateWhenItsVlHasToWaitForLong) {
  for (const char* scheme :
       {"periodic-selection", "shaped-virtual-clock", "inter-packet-delay", "leaky-buckets-fifo"}) {
    const std::string text = simulation_of(
        "[[flow]]\nsource = 1\ndestination = 0\nservice_level = 1\n"
        "[[traffic]]\nname = \"other\"\nsources = [1]\n"
        "destinations = { model = \"fixed\", host = 5 }\n"
        "arrivals = \"saturated\"\nsizes = { model = \"fixed\", size = \"2 KiB\" }\n",
        std::string("[queueing]\nmodel = \"service-level\"\nvls = 2\n"
                    "[vl_arbitration]\nlow = [{ vl = 0, weight = 255 }, { vl = 0, weight = 255 }, "
                    "{ vl = 1, weight = 255 }]\n"
                    "[rates]\nreserve = 0.75\n[injection]\nmodel = \"") +
            scheme + "\"\n",
        "duration = \"4 ms\"\nwarmup = \"1 ms\"\n", "vl-weighted");
    const metrics::RunResult result = result_of(text);
    EXPECT_NEAR(number(result, "delivered_rate_mean"), 0.25, 0.005) << scheme;
    EXPECT_NEAR(number(result, "throughput", "other"), 7.5, 0.05) << scheme;
  }
}

// For 2 ms the tables leave a flow half of the link in place of three quarters. Hardly anything of
// what it lost is made up for when the others are through.
TEST(FlowTraffic, IsNotMadeUpForAShareThatIsTooSmall) {
  for (const char* scheme : {"periodic-selection", "shaped-virtual-clock", "inter-packet-delay"}) {
    const std::string text = simulation_of(
        "[[flow]]\nsource = 1\ndestination = 0\nservice_level = 1\n"
        "[[traffic]]\nname = \"other\"\nsources = [1]\nmessages = 600\n"
        "destinations = { model = \"fixed\", host = 5 }\n"
        "arrivals = \"saturated\"\nsizes = { model = \"fixed\", size = \"2 KiB\" }\n",
        std::string("[queueing]\nmodel = \"service-level\"\nvls = 2\n[vl_arbitration]\n"
                    "low = [{ vl = 0, weight = 128 }, { vl = 1, weight = 128 }]\n"
                    "[rates]\nreserve = 0.25\n[injection]\nmodel = \"") +
            scheme + "\"\n",
        "duration = \"4 ms\"\nwarmup = \"2.2 ms\"\n", "vl-weighted");
    EXPECT_NEAR(number(result_of(text), "delivered_rate_mean"), 0.75, 0.005) << scheme;
  }
}

// Paths by packets on VL 1, rates by a protocol, and hosts that send all they can on VL 0.
TEST(FlowTraffic, TheWholeSchemeWorksBesideSaturatedTrafficOnAnotherVl) {
  const std::string text =
      "[experiment]\nduration = \"1 ms\"\nwarmup = \"0.4 ms\"\n"
      "[topology]\nmodel = \"modified-k-ary-n-tree\"\nk = 3\nn = 2\n[routing]\nmodel = "
      "\"d-mod-k\"\n"
      "[link]\nrate = \"10 Gbps\"\n[switch]\narbiter = \"vl-weighted\"\n"
      "[queueing]\nmodel = \"service-level\"\nvls = 2\n"
      "[vl_arbitration]\nhigh = [{ vl = 1, weight = 255 }]\nlow = [{ vl = 0, weight = 64 }]\n"
      "[flow_routing]\npolicy = \"forced-dir\"\nset_up = \"packets\"\n"
      "[protocol]\nmodel = \"dffa\"\nstart_within = \"5 us\"\n[rates]\nreserve = 0.25\n"
      "[injection]\nmodel = \"periodic-selection\"\n"
      "[host]\nmtu = \"2 KiB\"\nsource_queues = \"per-destination\"\n"
      "[[flow]]\ndestinations = { model = \"shift\", distance = 4 }\nservice_level = 1\n"
      "[[traffic]]\nname = \"other\"\ndestinations = { model = \"uniform\" }\n"
      "arrivals = \"saturated\"\nsizes = { model = \"fixed\", size = \"2 KiB\" }\n";
  const metrics::RunResult result = result_of(text);
  const double assigned = number(result, "assigned_rate_mean");
  EXPECT_EQ(number(result, "calculation_deviation"), 0);
  EXPECT_NEAR(number(result, "delivered_rate_mean"), assigned, 0.01 * assigned);
  EXPECT_EQ(number(result, "out_of_order"), 0);
}

TEST(FlowTraffic, RefusesServiceLevelsThatCannotBe) {
  const std::string bad = "[[flow]]\nsource = 1\ndestination = 0\nservice_level = ";
  EXPECT_THAT(refusal_of_run(simulation_of(bad + "16\n")),
              AllOf(HasSubstr("x.toml:25"), HasSubstr("flow[0].service_level"), HasSubstr("15")));
  const std::string scheme = "[injection]\nmodel = \"periodic-selection\"\n";
  const std::string shared = "\nconnection = \"shared\"\n";
  EXPECT_THAT(refusal_of_run(simulation_of(bad + "1" + shared + bad + "2" + shared, scheme)),
              AllOf(HasSubstr("flow[1].service_level"), HasSubstr("from host 1 to host 0 has 1")));
  EXPECT_EQ(refusal_of_run(simulation_of(bad + "1" + shared + bad + "2" + shared)), "accepted");
  EXPECT_EQ(refusal_of_run(simulation_of(bad + "1\n" + bad + "2\n", scheme)), "accepted");
}

TEST(FlowTraffic, RefusesWhatCannotWork) {
  const std::string scheme = "[injection]\nmodel = \"periodic-selection\"\n";
  const std::string traffic =
      "[[traffic]]\nname = \"NAME\"\ndestinations = { model = \"shift\", distance = 1 }\n"
      "arrivals = \"saturated\"\nsizes = { model = \"fixed\", size = \"2 KiB\" }\n";
  EXPECT_THAT(refusal_of_run(simulation_of(traffic, scheme)), HasSubstr("there is none"));
  EXPECT_THAT(refusal_of_run(simulation_of(kShared, scheme + "[rates]\nalgorithm = \"none\"\n")),
              HasSubstr("keeps calculated rates"));
  EXPECT_THAT(refusal_of_run(simulation_of(kShared, scheme, "until = \"drained\"\n")),
              HasSubstr("never end"));
  EXPECT_THAT(
      refusal_of_run(simulation_of(kShared, scheme, "duration = \"1 ms\"\nwarmup = \"auto\"\n")),
      HasSubstr("must be a time"));
  std::string named = traffic;
  named.replace(named.find("NAME"), 4, "flows");
  EXPECT_THAT(refusal_of_run(simulation_of(kShared + named, scheme)),
              HasSubstr("flow[0].name: 'flows', the class of [[flow]]s without one, is the name of "
                        "traffic[0] already"));
  EXPECT_THAT(refusal_of_run(simulation_of(kShared,
                                           "[flow_routing]\npolicy = \"ascent\"\n"
                                           "[selection]\nmodel = \"most-credits\"\n")),
              HasSubstr("nothing is left to select"));
  EXPECT_THAT(
      refusal_of_run("[experiment]\nkind = \"rates\"\n[topology]\nmodel = \"k-ary-n-tree\"\n"
                     "k = 4\nn = 2\n[routing]\nmodel = \"d-mod-k\"\n[rates]\nalgorithm = "
                     "\"none\"\n[[flow]]\nsource = 0\ndestination = 1\n"),
      HasSubstr("is for simulations"));
}

}  // namespace
}  // namespace weir::experiment::flow_traffic_test
