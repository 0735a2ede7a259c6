// Where packets queue in a combined input- and output-queued switch: the fluid model of spec
// lippens2010, section 3.1, flows at full rate for one output.
#include <gtest/gtest.h>

#include "support/small_network.hpp"

namespace weir::fabric::testing {
namespace {

constexpr std::int64_t kPacket = 128;

/// When the egress queue and the first ingress queue exceed 4096 bytes (ns), or -1.
class Detector : public Observer {
 public:
  explicit Detector(std::uint32_t flows) : flows_(flows) {}
  void on_sample(const Fabric& fabric, Time now) override {
    const auto& graph = fabric.graph();
    std::int64_t waiting = 0;
    std::int64_t first = 0;
    for (std::uint32_t h = 0; h < flows_; ++h) {
      const auto held = fabric.stored(graph.port(graph.host_port(HostId(h))).to, 0).count;
      waiting += held;
      first = h == 0 ? held : first;
    }
    const PortId out = graph.port(graph.host_port(HostId(flows_))).from;
    const std::int64_t egress_bytes = fabric.port(out).queued - waiting;
    if (egress < 0 && egress_bytes > 4'096) egress = to_nanoseconds(now);
    if (ingress < 0 && first > 4'096) ingress = to_nanoseconds(now);
  }
  double egress = -1;
  double ingress = -1;

 private:
  std::uint32_t flows_;
};

struct Row {
  double speedup;
  std::uint32_t flows;
  double egress_growth;   ///< bytes/ns
  double ingress_growth;  ///< bytes/ns and input
};

class Speedup : public ::testing::TestWithParam<Row> {};

TEST_P(Speedup, QueuesGrowWhereTheFluidModelSays) {
  const Row row = GetParam();
  SmallNetwork net;
  net.graph = make_topology("single-switch", "hosts = " + std::to_string(row.flows + 1),
                            {gigabits_per_second(8), nanoseconds(1)});
  net.settings.architecture = Architecture::cioq;
  net.settings.speedup = row.speedup;
  net.settings.mtu = Bytes(kPacket);
  net.settings.ingress_buffer = net.settings.egress_buffer = Bytes(32'768);
  net.settings.sample_period = nanoseconds(10);
  Detector seen(row.flows);
  Models models{net.graph, make_routing("shortest-path", *net.graph), make_selection("fixed"),
                make_queueing(one_class(net.settings), *net.graph)};
  Fabric fabric(models, {}, net.settings, seen);
  for (std::uint32_t h = 0; h < row.flows; ++h) {
    fabric.add_source(HostId(h), std::make_unique<SaturatedSource>(
                                     std::vector<HostId>{HostId(row.flows)}, Bytes(kPacket)));
  }
  fabric.run_until(microseconds(60));
  // Two packets and a round trip of 2 ns, as time at the rate of growth.
  const double slack = 2.0 * kPacket + 2.0;
  if (row.egress_growth > 0) {
    EXPECT_NEAR(seen.egress, 4'096 / row.egress_growth, slack / row.egress_growth);
  } else {
    EXPECT_EQ(seen.egress, -1) << "the egress side must stay empty";
  }
  if (row.ingress_growth > 0) {
    EXPECT_NEAR(seen.ingress, 4'096 / row.ingress_growth, slack / row.ingress_growth);
  } else {
    // Not before the egress memory is full; then at (A - 1) / n.
    const double full = 32'768 / row.egress_growth;
    const double growth = (row.flows - 1.0) / row.flows;
    EXPECT_NEAR(seen.ingress, full + 4'096 / growth, 2 * slack / growth);
  }
}

INSTANTIATE_TEST_SUITE_P(Table, Speedup,
                         ::testing::Values(Row{1, 2, 0, 0.5}, Row{1, 4, 0, 0.75},
                                           Row{1.5, 2, 0.5, 0.25}, Row{2, 2, 1, 0},
                                           Row{2, 3, 1, 1.0 / 3}, Row{1.5, 4, 0.5, 0.625}));

}  // namespace
}  // namespace weir::fabric::testing
