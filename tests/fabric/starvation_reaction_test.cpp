// Nobody starves where sources react to marks, with ACKs in band, or outputs are chosen.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "starvation_network.hpp"

namespace weir::fabric::testing::starvation_reaction_test {
namespace {

struct Scheme {
  const char* marker;
  const char* reaction;
  const char* toml;
};
const std::vector<Scheme> kSchemes{
    {"", "static-window", "window = 2"},
    {"mvpm", "dynamic-window", ""},
    {"mvpm", "dynamic-window", "window_kind = \"none\""},
    {"mvpm", "lipd", ""},
    {"opm", "aimd", ""},
    {"ecn-counters", "fimd", ""},
    {"ecn-counters", "pipd", ""},
    {"fecn", "congestion-control-table", "timer = \"20 us\""},
    {"fecn", "congestion-control-table", "timer = \"20 us\"\nscope = \"service-level\""},
};

// Host 1 gets packets of 64 B at link rate and sends to host 0 itself, whose link is busy with
// others: ACKs wait in front of its own data all the time.
void expect_turns_beside_acks(Network& net, std::int64_t size) {
  net.graph = single_switch(3);
  net.settings.architecture = Architecture::cioq;
  net.settings.speedup = 2;
  net.settings.header = net.settings.ack_size = Bytes(22);
  net.settings.ingress_buffer = net.settings.egress_buffer = Bytes(32'768);
  net.settings.acks = AckMode::in_band;
  const Flows counts = net.run({{0, 1, 64}, {1, 0, size}, {2, 0, 2'048}}, milliseconds(2));
  // ACKs for every 64 B need a quarter of the link, and the switch lets hosts 1 and 2 take turns
  // packet by packet: 94 ACKs for a packet of 2,070 B, then one of data.
  EXPECT_GT(counts.of(1, 0).packets, 5);
  EXPECT_EQ(net.passed_over, "");
}

TEST(StarvationByAcks, DataHasATurnAfterAPacketsWorthOfAcks) {
  for (const std::int64_t size : {100, 2'048}) {
    SCOPED_TRACE(size);
    Network plain;
    expect_turns_beside_acks(plain, size);
    Network isolating;
    isolating.isolation = "fbicm";
    expect_turns_beside_acks(isolating, size);
    Network with_vls;  // both in VL 0
    with_vls.queueing = "service-level";
    with_vls.queueing_toml = "vls = 2";
    with_vls.settings.arbiter = ArbiterKind::vl_weighted;
    with_vls.settings.vl_arbitration.low = {{0, 64}, {1, 64}};
    expect_turns_beside_acks(with_vls, size);
  }
}

// Any flows whose sources slow down: none that always has something to send gets nothing.
RC_GTEST_PROP(StarvationSlow, NobodyGetsNothingWhereSourcesReact, ()) {
  Network net;
  net.graph = any_graph();
  net.routing = "up-down";
  net.selection = one_of<std::string>({"fixed", "fixed", "random", "most-credits"});
  net.settings.architecture = Architecture::cioq;
  net.settings.speedup = one_of<double>({1.0, 1.3, 2.0});
  net.settings.voq = number(0, 1) == 1;
  net.settings.header = net.settings.ack_size = Bytes(22);
  net.settings.ingress_buffer = Bytes(number(1, 8) * 2 * 2'200);
  net.settings.egress_buffer = Bytes(number(1, 8) * 2 * 2'200);
  const Scheme scheme = kSchemes[static_cast<std::size_t>(number(0, 8))];
  net.marker = scheme.marker;
  net.reaction = scheme.reaction;
  net.reaction_toml = scheme.toml;
  net.settings.acks = AckMode::in_band;
  if (net.marker == "fecn" && number(0, 1) == 0) net.settings.acks = AckMode::becn;
  const std::vector<Flow> flows = hot_flows(*net.graph);
  // Waits of sources take their own time, besides.
  const Flows counts = run_turns_of_all(net, flows, milliseconds(1));
  nobody_got_nothing(
      net, flows, counts,
      fmt::format("{} hosts, {}, {} with {} {}, speedup {}, {} + {} B;", net.graph->host_count(),
                  net.selection, net.reaction, net.marker, scheme.toml, net.settings.speedup,
                  net.settings.ingress_buffer.count, net.settings.egress_buffer.count));
}

}  // namespace
}  // namespace weir::fabric::testing::starvation_reaction_test
