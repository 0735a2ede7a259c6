// [[flow]] as the short form of [[traffic]]: names, roles, sources, sizes and times.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "experiment/one_run.hpp"
#include "experiment/run/tree_of_16.hpp"
#include "experiment/support.hpp"
#include "weir/experiment/run/rate_calculation.hpp"

namespace weir::experiment::flow_classes_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

const std::string kScheme =
    "[injection]\nmodel = \"periodic-selection\"\n[rates]\nreserve = 0.25\n";
const std::string kFor2Ms = "duration = \"2 ms\"\nwarmup = \"0.5 ms\"\n";

std::string experiment(const std::string& tables, const std::string& run = kFor2Ms,
                       const std::string& more = kScheme) {
  return tree_of_16(run, more + tables);
}

/// Its victims are those from 5 and 9 to the switch of host 0.
const std::string kCold =
    "[[traffic]]\nname = \"others\"\nrole = \"cold\"\nsources = [5, 9]\n"
    "destinations = { model = \"fixed\", host = 1 }\n"
    "arrivals = { model = \"constant\", load = 0.2 }\n"
    "sizes = { model = \"fixed\", size = \"2 KiB\" }\n";

std::string flow(const std::string& keys) { return "[[flow]]\n" + keys; }
std::string traffic(const std::string& keys) {
  return "[[traffic]]\nrate = \"calculated\"\n" + keys;
}

const std::string kToAny = "destinations = { model = \"uniform\" }\n";
const std::string kToHost0 = "destinations = { model = \"fixed\", host = 0 }\n";

/// Every number of the long form is one of the short form, and there are many.
void expect_same(const metrics::RunResult& brief, const metrics::RunResult& whole) {
  EXPECT_EQ(brief.fingerprint, whole.fingerprint);
  std::size_t compared = 0;
  for (const metrics::Scalar& one : whole.scalars) {
    const double* its = brief.scalar(one.name.metric, one.name.label);
    if (its == nullptr || (std::isnan(*its) && std::isnan(one.value))) continue;
    EXPECT_EQ(*its, one.value) << to_string(one.name);
    ++compared;
  }
  EXPECT_GT(compared, 60U);
  EXPECT_EQ(brief.series.size(), whole.series.size());
  for (std::size_t i = 0; i < std::min(brief.series.size(), whole.series.size()); ++i) {
    const metrics::Series& one = whole.series[i];
    const metrics::Series* its = brief.find_series(one.name.metric, one.name.label);
    ASSERT_NE(its, nullptr) << to_string(one.name);
    for (std::size_t k = 0; k < one.values.size(); ++k) {
      if (std::isnan(one.values[k])) continue;
      EXPECT_EQ(its->values.at(k), one.values[k]) << to_string(one.name) << k;
    }
  }
}

TEST(FlowClasses, OfEndlessFlowsAreThoseOfTheLongForm) {
  const std::string same = "name = \"storage\"\nrole = \"hot\"\nsources = [5, 6, 9]\n" + kToHost0;
  const metrics::RunResult brief = result_of(experiment(kCold + flow(same)));
  const metrics::RunResult whole = result_of(
      experiment(kCold + traffic(same + "arrivals = \"saturated\"\n"
                                        "sizes = { model = \"fixed\", size = \"2 KiB\" }\n")));
  expect_same(brief, whole);
  for (const char* label : {"victim", "hot", "storage", "others"})
    EXPECT_GT(number(brief, "latency_mean", label), 0) << label;
  EXPECT_NEAR(number(brief, "hot_link_utilization", "aimed"), 0.75, 0.01);
  EXPECT_EQ(number(brief, "hot_sources", "3 switches"), 3);
}

// Who sends is drawn by the same streams, and so is how much; both begin when they say.
TEST(FlowClasses, OfDrawnSourcesAndSizesAreThoseOfTheLongForm) {
  const std::string same =
      "name = \"storage\"\nrole = \"hot\"\nstart = \"0.6 ms\"\nservice_level = 3\n"
      "sources = { count = 5, choose = \"random\", exclude = [0] }\n"
      "sizes = { model = \"geometric\", mean = \"3000 B\" }\n" +
      kToHost0;
  // Streams are those of the first table of either kind.
  const std::string workload =
      "[[flow]]\nname = \"others\"\nrole = \"cold\"\nsources = [5, 9]\n"
      "destinations = { model = \"fixed\", host = 1 }\nsize = \"1 MB\"\n";
  const std::string ends = "until = \"drained\"\n";
  const metrics::RunResult brief = result_of(experiment(flow(same) + workload, ends));
  const metrics::RunResult whole =
      result_of(experiment(traffic(same + "arrivals = \"once\"\n") + workload, ends));
  expect_same(brief, whole);
  EXPECT_EQ(number(brief, "messages_completed", "hot"), 5);
  EXPECT_GT(number(brief, "completion_time"), 600'000);
}

TEST(FlowClasses, OfConnectionsAreThoseOfTheLongForm) {
  const std::string same =
      "name = \"storage\"\nsources = [5, 6]\nconnections = 3\nservice_level = 1\n" + kToHost0;
  const std::string run = kFor2Ms;
  const auto numbers = [&](const std::string& table) {
    const Configuration configuration = resolve(table_of(experiment(table, run)));
    const FlowList list = list_flows(configuration, *make_network(configuration)->graph);
    std::vector<std::pair<std::uint32_t, std::uint16_t>> all;
    for (std::size_t f = 0; f < list.flows.size(); ++f)
      all.emplace_back(list.flows[f].source.value, list.connections[f]);
    return all;
  };
  const auto of_flow = numbers(flow(same));
  EXPECT_THAT(of_flow,
              ElementsAre(Pair(5, 0), Pair(5, 1), Pair(5, 2), Pair(6, 0), Pair(6, 1), Pair(6, 2)));
  EXPECT_EQ(of_flow, numbers(traffic(same + "arrivals = { model = \"poisson\", load = 0.1 }\n"
                                            "sizes = { model = \"fixed\", size = \"2 KiB\" }\n")));
  // Others have numbers after them.
  EXPECT_THAT(numbers(flow(same) + flow("source = 5\ndestination = 0\n")).back(), Pair(5, 3));
}

/// What the flows of an experiment come to.
FlowList list_of(const std::string& tables) {
  const Configuration configuration = resolve(table_of(experiment(tables)));
  return list_flows(configuration, *make_network(configuration)->graph);
}

std::string one(int source, int destination, const std::string& keys) {
  return flow("source = " + std::to_string(source) +
              "\ndestination = " + std::to_string(destination) + "\n" + keys);
}

// Tables of one name are one class, whose aims are who sends to whom.
TEST(FlowClasses, AreTablesOfOneName) {
  const std::string hot = "name = \"a\"\nrole = \"hot\"\n";
  const FlowList list =
      list_of(one(1, 0, hot) + one(3, 7, "") + one(2, 5, hot) +
              flow(hot + "sources = [8, 9]\n" + kToHost0) +
              one(4, 6, "name = \"b\"\nrole = \"cold\"\n") + one(4, 7, "name = \"flows\"\n"));
  ASSERT_EQ(list.classes.size(), 3U);
  EXPECT_EQ(list.classes[0].name, "a");
  EXPECT_EQ(list.classes[1].name, "flows");
  EXPECT_EQ(list.classes[2].name, "b");
  EXPECT_THAT(list.class_of, ElementsAre(0, 1, 0, 0, 0, 2, 1));
  EXPECT_THAT(list.classes[0].aims(),
              ElementsAre(Pair(HostId(1), HostId(0)), Pair(HostId(2), HostId(5)),
                          Pair(HostId(8), HostId(0)), Pair(HostId(9), HostId(0))));
  EXPECT_THAT(list.classes[0].targets, ElementsAre(HostId(0), HostId(5)));
  EXPECT_TRUE(list.classes[2].aims().empty());
  // A class with a name is an application, as a [[traffic]] with `rate` is.
  EXPECT_THAT(list.applications, ElementsAre("a", "all", "b", "flows"));
  EXPECT_THAT(list_of(one(1, 0, hot + "application = \"x\"\n")).applications, ElementsAre("x"));
}

TEST(FlowClasses, SourcesMayBeTheRest) {
  const auto sources = [](const std::string& tables, std::size_t table) {
    const FlowList list = list_of(tables);
    std::vector<std::uint32_t> hosts;
    for (std::size_t f = 0; f < list.written; ++f) {
      if (list.tables[f] == table) hosts.push_back(list.flows[f].source.value);
    }
    return hosts;
  };
  const std::string rest = flow("name = \"r\"\nsources = \"rest\"\n" + kToAny);
  // [5, 9] of [[traffic]], and a [[flow]] with a name; one without is no class of its own.
  const std::string others = kCold + rest +
                             flow("name = \"h\"\nsources = { range = [6, 13] }\n" + kToAny) +
                             one(2, 3, "name = \"s\"\n") + one(14, 3, "");
  EXPECT_THAT(sources(others, 0), ElementsAre(0, 1, 3, 4, 14, 15));
  const std::string same =
      flow("name = \"x\"\nsources = { same_as = \"h\", exclude = [7] }\n" + kToHost0);
  EXPECT_THAT(sources(same + one(7, 1, "name = \"h\"\n") + one(2, 1, "name = \"h\"\n") +
                          one(4, 5, "name = \"h\"\n"),
                      0),
              ElementsAre(2, 4));
  EXPECT_THAT(
      refusal_of_run(experiment(same + one(7, 1, "name = \"g\"\n"))),
      AllOf(HasSubstr("flow[0].sources.same_as: no [[traffic]] is called 'h', nor a [[flow]]"),
            HasSubstr("(known: x, g)")));
}

TEST(FlowClasses, LeaveTheRestToTraffic) {
  std::string rest = kCold;
  rest.replace(rest.find("[5, 9]"), 6, "\"rest\"");
  rest.replace(rest.find("\"fixed\", host = 1"), 17, "\"uniform\"");
  const auto sources = [&](const std::string& name) {
    const Configuration configuration =
        resolve(table_of(experiment(rest + flow(name + "sources = [1, 2, 3]\n" + kToHost0))));
    return make_traffic(configuration, *make_network(configuration)->graph)
        .classes[0]
        .sources.size();
  };
  EXPECT_EQ(sources("name = \"a\"\n"), 13U);
  EXPECT_EQ(sources(""), 16U);
}

// Between 0.5 ms and 1 ms three send to one host, then nobody.
TEST(FlowClasses, SendFromStartToStop) {
  const metrics::RunResult result =
      result_of(experiment(flow("name = \"storage\"\nrole = \"hot\"\nsources = [5, 6, 9]\n" +
                                kToHost0 + "start = \"0.5 ms\"\nstop = \"1 ms\"\n"),
                           "duration = \"2 ms\"\n"));
  EXPECT_EQ(number(result, "completed_flows"), 3);
  // A quarter of 10 Gbps for 0.5 ms, and the eight packets that then wait in the host.
  EXPECT_NEAR(number(result, "bytes_delivered") / 3, 2.5e9 / 8 * 0.5e-3 + 8 * 2048, 2 * 2048);
  EXPECT_NEAR(number(result, "hot_link_utilization", "aimed"), 0.75, 0.03);
  // With a stop everything is over some time.
  EXPECT_EQ(refusal_of_run(experiment(one(1, 0, "stop = \"1 ms\"\n"), "until = \"drained\"\n")),
            "accepted");
}

// Who goes on gets the share of who has stopped.
TEST(FlowClasses, LeaveAProtocolWhenTheyStop) {
  const metrics::RunResult result = result_of(
      experiment(one(1, 0, "name = \"a\"\nstop = \"0.5 ms\"\n") + one(2, 0, "name = \"b\"\n"),
                 "duration = \"2 ms\"\nwarmup = \"1 ms\"\n",
                 "[injection]\nmodel = \"periodic-selection\"\n[protocol]\nmodel = \"dffa\"\n"));
  EXPECT_EQ(number(result, "calculation_deviation"), 0);
  EXPECT_NEAR(number(result, "completed_rate_max"), 0.5, 0.01);
  EXPECT_EQ(number(result, "throughput", "a"), 0);
  EXPECT_NEAR(number(result, "throughput", "b"), 10, 0.05);
}

TEST(FlowClasses, EndARunWhenTheyAreDelivered) {
  const std::string tables = one(1, 0, "name = \"a\"\nsize = \"40 KiB\"\n") +
                             one(2, 0, "name = \"a\"\nsize = \"20 KiB\"\n") + one(3, 0, "");
  const metrics::RunResult result =
      result_of(experiment(tables, "duration = \"20 ms\"\nuntil = { delivered = \"a\" }\n"));
  EXPECT_EQ(number(result, "messages_completed", "a"), 2);
  // 20 packets at a quarter of the link.
  EXPECT_NEAR(number(result, "simulated_time"), 20 * 4 * 1638.4, 8 * 1638.4);
  EXPECT_THAT(refusal_of_run(
                  experiment(tables, "duration = \"20 ms\"\nuntil = { delivered = \"flows\" }\n")),
              HasSubstr("[[flow]]s 'flows' need `size`"));
  EXPECT_THAT(
      refusal_of_run(experiment(tables, "duration = \"20 ms\"\nuntil = { delivered = \"b\" }\n")),
      HasSubstr("no traffic is called 'b' (known: a, flows)"));
}

TEST(FlowClasses, AreLabelsOfAnEstimate) {
  const auto refused = [](const std::string& label) {
    return refusal_of_run(experiment(
        kCold + flow("name = \"storage\"\nrole = \"hot\"\nsources = [5, 6, 9]\n" + kToHost0),
        "duration = \"2 ms\"\nwarmup = \"0.5 ms\"\nuntil = { metric = \"latency_mean[" + label +
            "]\", relative_half_width = 0.1 }\n"));
  };
  EXPECT_EQ(refused("storage"), "accepted");
  EXPECT_EQ(refused("victim"), "accepted");
  EXPECT_THAT(refused("storag"), HasSubstr("did you mean 'storage'"));
}

TEST(FlowClasses, AreSetByTheirNames) {
  const std::string tables =
      one(1, 0, "name = \"a\"\n") + one(2, 0, "") + one(3, 0, "name = \"a\"\n");
  const ConfigTable table =
      ExperimentFile(table_of(experiment(tables)), {parse_override("flow.a.start=5 us")})
          .variants()
          .front()
          .table;
  const RateInput& rates = *resolve(table).rates;
  EXPECT_EQ(rates.flows[0].keys->start, microseconds(5));
  EXPECT_EQ(rates.flows[1].keys->start, Time());
  EXPECT_EQ(rates.flows[2].keys->start, microseconds(5));
}

TEST(FlowClasses, OldFilesAreWhatTheyWere) {
  const Configuration configuration = resolve(table_of(experiment(one(1, 0, ""))));
  const ConfigTable& table = configuration.resolved.find("flow")->array()[0].table();
  std::string keys;
  for (const ConfigEntry& entry : table.entries()) keys += entry.key + " ";
  EXPECT_EQ(keys, "source destination weight application ");
  const Configuration again = resolve(configuration.resolved);
  EXPECT_EQ(configuration_hash(again.resolved), configuration_hash(configuration.resolved));
  const std::string named = flow(
      "name = \"a\"\nrole = \"cold\"\nsources = { count = 2 }\nsizes = { model = \"fixed\", size = "
      "\"1 KiB\" }\n" +
      kToHost0);
  const Configuration long_one = resolve(table_of(experiment(named)));
  EXPECT_EQ(configuration_hash(resolve(long_one.resolved).resolved),
            configuration_hash(long_one.resolved));
}

// What packets carry for a reaction is in the way of rates that are kept, and of no others.
TEST(FlowClasses, StandBesideReactionsThatPacketsCarryDataFor) {
  const std::string hpcc = "[management]\npreset = \"hpcc\"\n";
  const std::string tables = one(1, 0, "name = \"a\"\nrole = \"hot\"\n") + one(2, 0, "");
  std::string text = experiment(tables, kFor2Ms, hpcc);
  const std::string own = "[switch]\narchitecture = \"iq\"\narbiter = \"first-come\"\nvoq = true\n";
  text.erase(text.find(own), own.size());
  const metrics::RunResult result = result_of(text);
  EXPECT_GT(number(result, "throughput"), 5);
  EXPECT_EQ(number(result, "flows"), 2);
  text.insert(text.find("[[flow]]"), "[injection]\nmodel = \"periodic-selection\"\n");
  EXPECT_THAT(refusal_of_run(text), HasSubstr("calculated rates are for packets without"));
}

TEST(FlowClasses, AreRefusedWithPlaceAndNearestChoice) {
  const auto refused = [](const std::string& tables) { return refusal_of_run(experiment(tables)); };
  EXPECT_THAT(refused(one(1, 0, "role = \"hott\"\n")),
              AllOf(HasSubstr("x.toml:"), HasSubstr("flow[0].role"), HasSubstr("'hot'")));
  EXPECT_THAT(refused(one(1, 0, "nane = \"a\"\n")),
              AllOf(HasSubstr("flow[0].nane"), HasSubstr("did you mean 'name'")));
  EXPECT_THAT(refused(one(1, 0, "name = \"\"\n")), HasSubstr("flow[0].name: must not be empty"));
  EXPECT_THAT(refused(one(1, 0, "role = \"hot\"\n") + one(2, 0, "")),
              HasSubstr("flow[1].role: is none, and flow[0], which is called 'flows' as well, has "
                        "hot: a class has one"));
  EXPECT_THAT(refused(kCold + one(1, 0, "name = \"others\"\n")),
              HasSubstr("flow[0].name: 'others' is the name of traffic[0] already"));
  EXPECT_THAT(refused(one(1, 0, "connection = \"own\"\nconnections = 2\n")),
              HasSubstr("flow[0].connections: cannot stand beside 'connection'"));
  EXPECT_THAT(
      refused(one(1, 0, "size = \"1 KB\"\nsizes = { model = \"fixed\", size = \"1 KB\" }\n")),
      HasSubstr("flow[0].sizes: cannot stand beside 'size'"));
  EXPECT_THAT(refused(one(1, 0, "sizes = { model = \"fixd\", size = \"1 KB\" }\n")),
              HasSubstr("flow[0].sizes.model"));
  EXPECT_THAT(refused(one(1, 0, "start = \"2 us\"\nstop = \"1 us\"\n")),
              HasSubstr("flow[0].stop: must be later than the start, 2 us"));
  EXPECT_THAT(refused(one(1, 0, "size = \"1 KB\"\nstop = \"1 us\"\n")),
              HasSubstr("flow[0].stop: is for flows without size"));
  EXPECT_THAT(refused(flow("sources = { cuont = 2 }\n" + kToHost0)),
              AllOf(HasSubstr("flow[0].sources.cuont"), HasSubstr("did you mean 'count'")));
  std::string many;
  for (int i = 0; i < 256; ++i) many += one(1, 0, "name = \"c" + std::to_string(i) + "\"\n");
  EXPECT_THAT(refused(many), HasSubstr("flow[255].name: makes more than 255 classes"));
}

}  // namespace
}  // namespace weir::experiment::flow_classes_test
