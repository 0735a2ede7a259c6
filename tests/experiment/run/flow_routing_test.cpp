#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/one_run.hpp"
#include "experiment/support.hpp"
#include "weir/experiment/run/network.hpp"
#include "weir/experiment/run/simulation.hpp"

namespace weir::experiment::flow_routing_test {
namespace {

using ::testing::HasSubstr;

/// 64 hosts, each with 6 messages to two others.
std::string with_routing(const std::string& keys, const std::string& more = "") {
  return "[experiment]\nuntil = \"drained\"\nduration = \"5 ms\"\n"
         "[topology]\nmodel = \"modified-k-ary-n-tree\"\nk = 4\nn = 3\nwidth = 2\n"
         "[routing]\nmodel = \"d-mod-k\"\n"
         "[host]\nmtu = \"2 KiB\"\nsource_queues = \"per-destination\"\n"
         "[[traffic]]\nname = \"pairs\"\ndestinations = { model = \"random-permutation\", "
         "superposed = 2 }\n"
         "arrivals = { model = \"once\", count = 6 }\nsizes = { model = \"fixed\", size = \"16 "
         "KiB\" }\n"
         "[flow_routing]\n" +
         keys + more;
}

std::string refusal(const std::string& text) {
  try {
    const Configuration configuration = resolve(table_of(text));
    Simulation simulation(configuration, make_network(configuration));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(FlowRoutingByPackets, SetsFlowsUpAndTearsThemDown) {
  const std::string keys = "policy = \"forced-dir\"\nset_up = \"packets\"\n";
  const metrics::RunResult result = result_of(with_routing(keys));
  // The two permutations may have pairs in common.
  const double connections = number(result, "flow_set_ups");
  EXPECT_LE(connections, 128);
  EXPECT_GE(connections, 120);
  EXPECT_EQ(number(result, "flow_tear_downs"), connections);
  EXPECT_EQ(number(result, "route_cache_entries_left"), 0);
  EXPECT_GT(number(result, "port_choices_diverted"), 0);
  EXPECT_EQ(number(result, "route_cache_full"), 0);
  EXPECT_GT(number(result, "flow_set_up_mean"), 0);
  EXPECT_GT(number(result, "flow_control_bytes"), connections * 4 * 2 * 40);
  const metrics::RunResult again = result_of(with_routing(keys));
  EXPECT_EQ(again.fingerprint, result.fingerprint);
  const metrics::RunResult fixed = result_of(with_routing(""));
  EXPECT_EQ(fixed.scalar("flow_set_ups", ""), nullptr);
}

TEST(FlowRoutingByPackets, ASmallCacheSendsFlowsByTheirDefaultPorts) {
  const std::string keys =
      "policy = \"free-dir\"\nset_up = \"packets\"\nflow = \"message\"\ntear_down = "
      "\"last-packet\"\nprc_size = ";
  const metrics::RunResult one = result_of(with_routing(keys + "1\n"));
  EXPECT_EQ(number(one, "flow_set_ups"), 64 * 6);
  EXPECT_EQ(number(one, "flow_tear_downs"), 0);
  EXPECT_GT(number(one, "route_cache_full"), 0);
  EXPECT_EQ(number(one, "route_cache_entries_max"), 1);
  const metrics::RunResult none = result_of(with_routing(keys + "0\n"));
  EXPECT_EQ(number(none, "port_choices_diverted"), 0);
}

TEST(FlowRoutingByPackets, PortsMayBeComparedByWeight) {
  const std::string keys = "policy = \"forced-dir\"\nset_up = \"packets\"\nflow = \"message\"\n";
  const metrics::RunResult flows = result_of(with_routing(keys));
  const metrics::RunResult weight = result_of(with_routing(keys + "metric = \"weight\"\n"));
  EXPECT_EQ(number(weight, "flow_set_ups"), number(flows, "flow_set_ups"));
  EXPECT_EQ(number(weight, "route_cache_entries_left"), 0);
  EXPECT_NE(weight.fingerprint, flows.fingerprint);
}

TEST(FlowRoutingByPackets, IsRefusedWhereItCannotBe) {
  const std::string keys = "policy = \"forced-dir\"\nset_up = \"packets\"\n";
  EXPECT_THAT(refusal(with_routing(keys + "prc_size = -1\n")),
              HasSubstr("flow_routing.prc_size: must be a number of entries from 0"));
  EXPECT_THAT(refusal(with_routing(keys, "[selection]\nmodel = \"random\"\n")),
              HasSubstr("selection.model: flow routing chooses outputs by flow"));
  EXPECT_THAT(refusal(with_routing(keys, "[admission]\nmodel = \"link-by-link\"\n")),
              ::testing::Not("accepted"));
  EXPECT_THAT(refusal(with_routing(keys, "[isolation]\nmodel = \"recn\"\n")),
              HasSubstr("isolation.model: congested points are known by the routes that hosts"));
  EXPECT_EQ(refusal(with_routing(keys, "[isolation]\nmodel = \"fbicm\"\n")), "accepted");
  EXPECT_THAT(refusal(with_routing(keys, "[[failure]]\nrandom = 1\nat = \"1 us\"\n")),
              HasSubstr("failure: flow routing by packets relies on links that do not fail"));
}

}  // namespace
}  // namespace weir::experiment::flow_routing_test
