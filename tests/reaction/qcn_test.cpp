// QCN: congestion points in switches, reaction points at sources, messages between them.
#include <gtest/gtest.h>

#include <algorithm>

#include "fabric/test_network.hpp"
#include "fabric/told.hpp"
#include "weir/marking/qcn.hpp"
#include "weir/reaction/staged_rate.hpp"

namespace weir::reaction::testing::qcn_test {
namespace {

using namespace fabric;           // NOLINT(google-build-using-namespace)
using namespace fabric::testing;  // NOLINT(google-build-using-namespace)

std::shared_ptr<marking::CongestionPoint> make_point(const topology::Graph& graph,
                                                     const std::string& toml = "") {
  const auto& model = marker_registry().find("qcn", {}, "marking");
  std::shared_ptr<Marker> made = model.make(settings_of(model.info, toml), graph);
  return std::dynamic_pointer_cast<marking::CongestionPoint>(made);
}

std::shared_ptr<FlowPacer> make_source(const TestNetwork& net, const std::string& toml = "") {
  const auto& model = reaction_registry().find("qcn", {}, "model");
  std::shared_ptr<Reaction> made = model.make(
      settings_of(model.info, toml),
      {net.graph, make_routing(net.routing, *net.graph), net.mechanisms.marker, net.settings});
  return std::dynamic_pointer_cast<FlowPacer>(made);
}

TestNetwork network(int hosts, Architecture architecture = Architecture::cioq) {
  TestNetwork net;
  net.graph = make_topology("single-switch", "hosts = " + std::to_string(hosts),
                            {gigabits_per_second(10), nanoseconds(500)});
  net.routing = "shortest-path";
  net.settings.mtu = Bytes(1'482);
  net.settings.header = Bytes(18);
  net.settings.source_queues = SourceQueueKind::per_destination;
  net.settings.architecture = architecture;
  net.settings.speedup = 4;
  net.settings.egress_buffer = net.settings.ingress_buffer = Bytes(150'000);
  return net;
}

// Q_eq = 26 kB, w = 2: the largest |F_b| is 5 x 26 kB.
TEST(Qcn, FeedbackIsQuantizedExcessAndGrowth) {
  const TestNetwork net = network(2);
  const auto point = make_point(*net.graph);
  EXPECT_EQ(point->severity(26'000, 26'000), 0U);
  EXPECT_EQ(point->severity(20'000, 10'000), 14'000 * 63 / 130'000U);  // grows fast: -6 + 20 kB
  EXPECT_EQ(point->severity(10'000, 2'000), 0U);                       // -16 + 16 kB
  EXPECT_EQ(point->severity(40'000, 60'000), 0U);                      // falls fast
  EXPECT_EQ(point->severity(52'000, 52'000), 26'000 * 63 / 130'000U);
  EXPECT_EQ(point->severity(150'000, 0), 63U);
}

TEST(Qcn, SamplesComeSoonerTheWorseTheLastOneWas) {
  const TestNetwork net = network(2);
  const auto point = make_point(*net.graph);
  EXPECT_EQ(point->interval(0), 150'000);
  EXPECT_EQ(point->interval(7), 150'000);
  EXPECT_EQ(point->interval(8), 75'000);
  EXPECT_EQ(point->interval(63), 18'750);
}

TEST(Qcn, CutsInProportionToFeedback) {
  TestNetwork net = network(2);
  net.mechanisms.marker = make_point(*net.graph);
  const auto source = make_source(net);
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
  TestNetwork net = network(2);
  EXPECT_THROW(make_source(net), InputError);
  net.mechanisms.marker = make_point(*net.graph);
  EXPECT_THROW(net.build(), InputError);
  net.mechanisms.reaction = make_source(net);
  EXPECT_NO_THROW(net.build());
  net.mechanisms.marker = make_point(*net.graph, "set_point = \"150 KB\"");
  EXPECT_THROW(net.build(), InputError);
}

/// What waits for the output to the last host, every 20 us of the second half.
class QueueOf final : public Observer {
 public:
  explicit QueueOf(PortId port) : port_(port) {}
  void on_delivered(const Packet& packet, const Message&, Time now, bool) override {
    if (now >= from) bytes += packet.size;
  }
  void on_sample(const Fabric& fabric, Time now) override {
    if (now < from) return;
    const auto queued = static_cast<double>(fabric.port(port_).queued);
    sum += queued;
    most = std::max(most, queued);
    ++samples;
  }
  Time from = milliseconds(100);
  double sum = 0;
  double most = 0;
  int samples = 0;
  std::int64_t bytes = 0;

 private:
  PortId port_;
};

// Six hosts, one output: the queue stays about its set point and the link busy; without QCN the
// buffers are full.
TEST(Qcn, KeepsAQueueAboutItsSetPoint) {
  for (const Architecture architecture : {Architecture::cioq, Architecture::input_queued}) {
    TestNetwork net = network(7, architecture);
    net.mechanisms.marker = make_point(*net.graph);
    net.mechanisms.reaction = make_source(net, "timer = \"1 ms\"");
    net.settings.sample_period = microseconds(20);
    QueueOf queue{net.graph->port(net.graph->host_port(HostId(6))).to};
    Models models{net.graph, make_routing(net.routing, *net.graph), make_selection("fixed"),
                  make_queueing("voqsw", *net.graph)};
    Fabric fabric(models, net.mechanisms, net.settings, queue);
    for (std::uint32_t h = 0; h < 6; ++h) {
      fabric.add_source(HostId(h), std::make_unique<SaturatedSource>(std::vector<HostId>{HostId(6)},
                                                                     Bytes(148'200)));
    }
    fabric.run_until(milliseconds(200));
    EXPECT_GT(static_cast<double>(queue.bytes), 0.9 * 1.25e9 * 0.1);
    EXPECT_GT(queue.sum / queue.samples, 5'000);
    EXPECT_LT(queue.sum / queue.samples, 60'000);
    EXPECT_LT(queue.most, 149'000);
  }
}

}  // namespace
}  // namespace weir::reaction::testing::qcn_test
