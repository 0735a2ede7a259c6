#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "experiment/one_run.hpp"
#include "experiment/support.hpp"
#include "weir/experiment/campaign/runner.hpp"
#include "weir/experiment/run/rate_calculation.hpp"

namespace weir::experiment::rates_kind_test {
namespace {

using ::testing::HasSubstr;

std::string rates_of(const std::string& flows, const std::string& more = "") {
  return "[experiment]\nkind = \"rates\"\n[topology]\nmodel = \"k-ary-n-tree\"\nk = 4\nn = 2\n"
         "[routing]\nmodel = \"d-mod-k\"\n" +
         more + flows;
}

/// The message of a configuration, network or set of flows that is refused.
std::string refusal(const std::string& text) {
  try {
    const Configuration configuration = resolve(table_of(text));
    const auto network = make_network(configuration);
    (void)route_flows(configuration, *network);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(RatesKind, ShiftsHaveNoContentionUnderStaticRouting) {
  const metrics::RunResult result =
      result_of(rates_of("[[flow]]\ndestinations = { model = \"shift\", distance = 5 }\n"));
  EXPECT_EQ(number(result, "flows"), 16);
  EXPECT_EQ(number(result, "assigned_rate_min"), 1);
  EXPECT_EQ(number(result, "phase_time"), 1);
  EXPECT_EQ(number(result, "flow_contention_max"), 1);
  EXPECT_EQ(number(result, "link_flows_share", "injection: 1"), 1);
}

TEST(RatesKind, AllToOneShareTheLastLink) {
  const std::string flows =
      "[[flow]]\nsources = [1, 2, 3, 4, 5]\n"
      "destinations = { model = \"fixed\", host = 0 }\nweight = 2\n";
  const metrics::RunResult result = result_of(rates_of(flows, "[rates]\nalgorithm = \"saa\"\n"));
  EXPECT_DOUBLE_EQ(number(result, "assigned_rate_mean"), 0.2);
  EXPECT_DOUBLE_EQ(number(result, "application_rate_min"), 0.1);
  EXPECT_EQ(number(result, "link_weight_max"), 10);
  EXPECT_EQ(number(result, "link_flows_max", "ejection"), 5);
}

const char* const kModifiedTree =
    "[experiment]\nkind = \"rates\"\n[topology]\nmodel = \"modified-k-ary-n-tree\"\nk = 8\nn = 3\n"
    "[routing]\nmodel = \"d-mod-k\"\n[[flow]]\ndestinations = { model = \"random-permutation\" }\n";

TEST(RatesKind, FlowRoutingSpreadsFlowsOverHorizontalLinks) {
  const std::string text = kModifiedTree;
  const metrics::RunResult fixed = result_of(text);
  EXPECT_EQ(number(fixed, "link_flows_max", "horizontal"), 0);
  EXPECT_EQ(number(result_of(text + "[flow_routing]\n"), "flow_contention_mean"),
            number(fixed, "flow_contention_mean"));
  double before = number(fixed, "flow_contention_mean");
  for (const char* policy : {"forced-dir", "free-dir"}) {
    const metrics::RunResult result =
        result_of(text + "[flow_routing]\npolicy = \"" + policy + "\"\n");
    EXPECT_LT(number(result, "flow_contention_mean"), before);
    EXPECT_LT(number(result, "flow_contention_max"), number(fixed, "flow_contention_max"));
    EXPECT_GT(number(result, "link_flows_max", "horizontal"), 0);
  }
  const metrics::RunResult ascent = result_of(text + "[flow_routing]\npolicy = \"ascent\"\n");
  EXPECT_EQ(number(ascent, "link_flows_max", "up"), 1);
  EXPECT_EQ(number(ascent, "link_flows_max", "horizontal"), 0);
}

TEST(RatesKind, FlowRoutingErrorsNameTheirPlace) {
  const std::string text = kModifiedTree;
  EXPECT_THAT(refusal(text + "[flow_routing]\npolicy = \"forced\"\n"),
              HasSubstr("12:10: flow_routing.policy: "));
  EXPECT_THAT(refusal(text + "[flow_routing]\nmax_hops = \"infinite\"\n"),
              HasSubstr("12:12: flow_routing.max_hops: must be a number of hops from 0"));
  EXPECT_THAT(refusal(rates_of("[[flow]]\nsource = 0\ndestination = 9\n",
                               "[flow_routing]\npolicy = \"free-dir\"\n")),
              HasSubstr("10:10: flow_routing.policy: "));
}

TEST(RatesKind, SporadicTrafficKeepsItsShare) {
  const metrics::RunResult result =
      result_of(rates_of("[[flow]]\nsource = 0\ndestination = \"h9\"\n",
                         "[rates]\nreserve = 0.25\nreserve_of = { \"h0\" = 0.5 }\n"));
  EXPECT_EQ(number(result, "assigned_rate_max"), 0.5);
}

TEST(RatesKind, FragmentedApplicationsKeepToThemselves) {
  const std::string flows =
      "[[flow]]\nfragmented = { applications = 4, fragments = 2, permutations = 2 }\n";
  const Configuration configuration = resolve(table_of(rates_of(flows)));
  const auto network = make_network(configuration);
  const RoutedFlows routed = route_flows(configuration, *network);
  EXPECT_EQ(routed.set.application_count(), 4U);
  ASSERT_EQ(routed.set.flow_count(), 16U * 2);
  std::vector<rates::ApplicationId> owner(16);
  for (const rates::FlowRequest& flow : routed.list.flows) {
    for (const HostId host : {flow.source, flow.destination}) {
      rates::ApplicationId& known = owner[host.index()];
      if (!known.valid()) known = flow.application;
      EXPECT_EQ(known, flow.application);
    }
    EXPECT_NE(flow.source, flow.destination);
  }
  for (std::size_t h = 0; h < 16; h += 2) EXPECT_EQ(owner[h], owner[h + 1]) << "groups of two";
}

TEST(RatesKind, DrawsAsManyFlowsASourceAsAsked) {
  const Configuration configuration = resolve(table_of(
      rates_of("[[flow]]\ndestinations = { model = \"uniform\" }\nper_source = [2, 4]\n")));
  const RoutedFlows routed = route_flows(configuration, *make_network(configuration));
  std::vector<int> count(16);
  for (const rates::FlowRequest& flow : routed.list.flows) ++count[flow.source.index()];
  EXPECT_THAT(count, ::testing::Each(::testing::AllOf(::testing::Ge(2), ::testing::Le(4))));
  EXPECT_THAT(count, ::testing::Contains(2));
  EXPECT_THAT(count, ::testing::Contains(4));
}

TEST(RatesKind, RefusesWhatHasNoRate) {
  const std::string one = "[[flow]]\nsource = 0\ndestination = 5\n";
  EXPECT_EQ(refusal(rates_of(one)), "accepted");
  EXPECT_THAT(refusal(rates_of("")), HasSubstr("flow: is missing"));
  EXPECT_THAT(refusal(rates_of("[[flow]]\nsource = 0\n")), HasSubstr("flow[0].destination"));
  EXPECT_THAT(refusal(rates_of("[[flow]]\n")), HasSubstr("flow[0].source: is missing"));
  EXPECT_THAT(refusal(rates_of("[[flow]]\nsource = 0\ndestination = 0\n")),
              HasSubstr("flow[0].destination: is the source"));
  EXPECT_THAT(refusal(rates_of("[[flow]]\nsource = 0\ndestination = 16\n")),
              HasSubstr("there is no host 16"));
  EXPECT_THAT(refusal(rates_of(one + "weight = 0\n")),
              HasSubstr("flow[0].weight: must be greater than 0, not 0"));
  EXPECT_THAT(refusal(rates_of(one + "weight = -1.5\n")), HasSubstr("not -1.5"));
  EXPECT_THAT(refusal(rates_of(one + "wieght = 2\n")), HasSubstr("did you mean 'weight'?"));
  EXPECT_THAT(refusal(rates_of(one, "[rates]\nalgorithm = \"ffaa\"\n")),
              HasSubstr("did you mean 'ffa'?"));
  EXPECT_THAT(refusal(rates_of(one, "[rates]\nreserve = 1\n")),
              HasSubstr("rates.reserve: leaves the links no capacity"));
  EXPECT_THAT(refusal(rates_of(one, "[rates]\nreserve_of = { \"h0\" = 1.0 }\n")),
              HasSubstr("no capacity"));
  EXPECT_THAT(refusal(rates_of(one, "[rates]\nreserve_of = { \"h77\" = 0.1 }\n")),
              HasSubstr("no port with a cable is called so"));
  EXPECT_THAT(refusal(rates_of("[[flow]]\nsources = [0]\napplication = \"b\"\n"
                               "destinations = { model = \"fixed\", host = 0 }\n")),
              HasSubstr("flow[0]"));
  EXPECT_THAT(refusal(rates_of("[[flow]]\nsources = [0]\napplication = \"b\"\n"
                               "destinations = { model = \"shift\", distance = 16 }\n")),
              HasSubstr("flow[0]"));
  EXPECT_THAT(refusal(rates_of("[[flow]]\nfragmented = { applications = 3 }\n")),
              HasSubstr("cannot be shared out evenly"));
  EXPECT_THAT(refusal(rates_of("[[flow]]\nfragmented = { applications = 4, fragments = 3 }\n")),
              HasSubstr("flow[0].fragmented.fragments"));
  EXPECT_THAT(refusal(rates_of("[[flow]]\ndestinations = \"uniform\"\nper_source = 0\n")),
              HasSubstr("flow[0].per_source"));
}

TEST(RatesKind, ReadsFlowsFromAFile) {
  const auto with = [](const std::string& lines) {
    const std::string path = ::testing::TempDir() + "weir_flows.csv";
    std::ofstream(path) << lines;
    return rates_of("[[flow]]\nfile = \"" + path + "\"\n");
  };
  const Configuration configuration =
      resolve(table_of(with("# comment\n0, 5\n1, 5, 2\n2, 6, 0.5, b\n")));
  const RoutedFlows routed = route_flows(configuration, *make_network(configuration));
  ASSERT_EQ(routed.set.flow_count(), 3U);
  EXPECT_EQ(routed.set.weight(rates::FlowId(1)), rates::Fraction(2));
  EXPECT_EQ(routed.set.weight(rates::FlowId(2)), rates::Fraction(1, 2));
  EXPECT_THAT(routed.list.applications, ::testing::ElementsAre("all", "b"));
  EXPECT_THAT(refusal(with("0, 5, -1\n")), HasSubstr("weir_flows.csv:1:7: weight"));
  EXPECT_THAT(refusal(with("0, 5, x\n")), HasSubstr("not 'x'"));
  EXPECT_THAT(refusal(with("0, 50\n")), HasSubstr("destination"));
  EXPECT_THAT(refusal(with("0\n")), HasSubstr("source destination [weight [application]]"));
  EXPECT_THAT(refusal(with("# nothing\n")), HasSubstr("has no flow"));
}

}  // namespace
}  // namespace weir::experiment::rates_kind_test
