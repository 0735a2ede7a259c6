// QCN: congestion points in switches, reaction points at sources, messages between them.
#include <gtest/gtest.h>

#include "reaction/reaction_fixture.hpp"
#include "weir/marking/qcn.hpp"
#include "weir/reaction/staged_rate.hpp"

namespace weir::reaction::testing::qcn_test {
namespace {

using namespace fabric;           // NOLINT(google-build-using-namespace)
using namespace fabric::testing;  // NOLINT(google-build-using-namespace)

std::shared_ptr<marking::CongestionPoint> make_point(const topology::Graph& graph,
                                                     const std::string& toml = "") {
  return std::dynamic_pointer_cast<marking::CongestionPoint>(make_marker("qcn", graph, toml));
}

SmallNetwork network(std::size_t hosts, Architecture architecture = Architecture::cioq) {
  SmallNetwork net = star(hosts, gigabits_per_second(10), nanoseconds(500));
  net.settings.mtu = Bytes(1'482);
  net.settings.header = Bytes(18);
  net.settings.architecture = architecture;
  net.settings.speedup = 4;
  net.settings.egress_buffer = net.settings.ingress_buffer = Bytes(150'000);
  return net;
}

// Q_eq = 26 kB, w = 2: the largest |F_b| is 5 x 26 kB.
TEST(Qcn, FeedbackIsQuantizedExcessAndGrowth) {
  const SmallNetwork net = network(2);
  const auto point = make_point(*net.graph);
  EXPECT_EQ(point->severity(26'000, 26'000), 0U);
  EXPECT_EQ(point->severity(20'000, 10'000), 14'000 * 63 / 130'000U);  // grows fast: -6 + 20 kB
  EXPECT_EQ(point->severity(10'000, 2'000), 0U);                       // -16 + 16 kB
  EXPECT_EQ(point->severity(40'000, 60'000), 0U);                      // falls fast
  EXPECT_EQ(point->severity(52'000, 52'000), 26'000 * 63 / 130'000U);
  EXPECT_EQ(point->severity(150'000, 0), 63U);
}

TEST(Qcn, SamplesComeSoonerTheWorseTheLastOneWas) {
  const SmallNetwork net = network(2);
  const auto point = make_point(*net.graph);
  EXPECT_EQ(point->interval(0), 150'000);
  EXPECT_EQ(point->interval(7), 150'000);
  EXPECT_EQ(point->interval(8), 75'000);
  EXPECT_EQ(point->interval(63), 18'750);
}

TEST(Qcn, CutsInProportionToFeedback) {
  SmallNetwork net = network(2);
  net.mechanisms.marker = make_point(*net.graph);
  const auto source = make_pacer("qcn", net);
  net.mechanisms.reaction = source;
  auto fabric = net.build();
  const auto tell = [&](std::uint32_t severity) {
    source->on_control(PortId(0), {*source, marking::QcnFeedback{0, severity}});
  };
  tell(32);
  EXPECT_EQ(source->paced(0, Time(0)).rate, 0.75);
  tell(63);
  EXPECT_EQ(source->paced(0, Time(0)).rate, 0.75 * (1 - 63.0 / 128));
  EXPECT_EQ(fabric::testing::Told(*source)["qcn_messages"], 2);
  EXPECT_EQ(fabric::testing::Told(*source)["qcn_feedback"], 95);
  // The second cut followed the first one: the target is the full rate still.
  EXPECT_EQ(source->paced(0, milliseconds(15)).rate, (0.75 * (1 - 63.0 / 128) + 1) / 2);
}

TEST(Qcn, PointAndSourcesNeedEachOther) {
  SmallNetwork net = network(2);
  EXPECT_THROW(make_pacer("qcn", net), InputError);
  net.mechanisms.marker = make_point(*net.graph);
  EXPECT_THROW(net.build(), InputError);
  net.mechanisms.reaction = make_pacer("qcn", net);
  EXPECT_NO_THROW(net.build());
  net.mechanisms.marker = make_point(*net.graph, "set_point = \"150 KB\"");
  EXPECT_THROW(net.build(), InputError);
}

}  // namespace
}  // namespace weir::reaction::testing::qcn_test
