#include <gtest/gtest.h>

#include "support/small_network.hpp"
#include "weir/base/error.hpp"

namespace weir::fabric::testing::xon_xoff_test {
namespace {

constexpr topology::LinkSpec kLink{Rate(8'000'000'000), Time(2'000)};  // 1 B/ns, 2 ns

std::shared_ptr<PortAgent> make_agent(const std::string& toml, const topology::Graph& graph) {
  const auto& model = agent_registry().find("xon-xoff", {}, "agent");
  return model.make(settings_of(model.info, toml), graph);
}

/// Host 0 and 1 send to host 2 behind one switch; ample credits, Xoff above `xoff`.
struct Incast : SmallNetwork {
  Incast(Architecture architecture, const std::string& xoff, const std::string& xon) {
    graph = make_topology("single-switch", "hosts = 4", kLink);
    routing = "shortest-path";
    settings.architecture = architecture;
    settings.mtu = Bytes(100);
    settings.ingress_buffer = Bytes(2'000);
    settings.egress_buffer = Bytes(100);
    mechanisms.agent = make_agent("xoff = \"" + xoff + "\"\nxon = \"" + xon + "\"", *graph);
  }
};

class XonXoff : public ::testing::TestWithParam<Architecture> {};

class Peak : public Observer {
 public:
  void on_sample(const Fabric& fabric, Time) override {
    const PortId in = fabric.graph().port(fabric.graph().host_port(HostId(0))).to;
    peak = std::max(peak, fabric.stored(in, 0).count);
  }
  std::int64_t peak = 0;
};

TEST_P(XonXoff, BoundsTheOccupancyAndLosesNoThroughput) {
  Incast net(GetParam(), "400 B", "300 B");
  net.settings.sample_period = nanoseconds(10);
  Peak peak;
  Models models{net.graph, make_routing("shortest-path", *net.graph), make_selection("fixed"),
                make_queueing(one_class(net.settings), *net.graph)};
  Fabric fabric(models, net.mechanisms, net.settings, peak);
  for (std::uint32_t h = 0; h < 2; ++h) {
    fabric.add_source(HostId(h), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                     {Time(0), HostId(2), Bytes(20'000)}}));
  }
  EXPECT_TRUE(fabric.run_until(milliseconds(1)));
  EXPECT_LT(fabric.now(), nanoseconds(40'400));
  // What crossed the threshold, and what was sent before the message came.
  EXPECT_GT(peak.peak, 400);
  EXPECT_LE(peak.peak, 600);
}

// Every packet must bring the sender to a stop and its leaving must start it again, also when the
// queue holds nothing but the packet that leaves.
TEST_P(XonXoff, StartsAgainWhenTheLastPacketLeaves) {
  Incast net(GetParam(), "150 B", "50 B");
  auto fabric = net.build();
  for (std::uint32_t h = 0; h < 2; ++h) {
    fabric->add_source(HostId(h), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                      {Time(0), HostId(2), Bytes(2'000)}}));
  }
  EXPECT_TRUE(fabric->run_until(milliseconds(1)));
  EXPECT_EQ(fabric->counters().packets_delivered, 40U);
}

INSTANTIATE_TEST_SUITE_P(Architectures, XonXoff,
                         ::testing::Values(Architecture::input_queued,
                                           Architecture::input_queued_single, Architecture::cioq));

/// Says off and on to a neighbour within one instant, several times with handles in use before.
class Chatter : public PortAgent {
 public:
  void attach(const FabricView& fabric) override {
    ports_ = fabric.ports;
    messages_ = fabric.messages;
  }
  void on_stored(PortId port, const Packet&) override {
    for (int i = 0; i < 4; ++i) {
      messages_.send(ports_.upstream_of(port), port, {*this, sent_++});
    }
  }
  void on_control(PortId, const ControlMessage& message) override {
    EXPECT_EQ(message.as<std::uint32_t>(), received_++) << "overtaken";
  }
  [[nodiscard]] std::uint32_t received() const { return received_; }

 private:
  Ports ports_;
  fabric::ControlMessages messages_;
  std::uint32_t sent_ = 0;
  std::uint32_t received_ = 0;
};

TEST(ControlMessages, OfOneInstantKeepTheirOrder) {
  SmallNetwork net;
  net.graph = make_topology("single-switch", "hosts = 2", kLink);
  net.routing = "shortest-path";
  net.settings.mtu = Bytes(100);
  auto chatter = std::make_shared<Chatter>();
  net.mechanisms.agent = chatter;
  auto fabric = net.build();
  fabric->add_source(HostId(0), std::make_unique<ListSource>(
                                    std::vector<MessageRequest>{{Time(0), HostId(1), Bytes(300)}}));
  EXPECT_TRUE(fabric->run_until(milliseconds(1)));
  EXPECT_EQ(chatter->received(), 12U);
}

TEST(XonXoffSettings, XonAboveXoffIsRefused) {
  const auto graph = make_topology("single-switch", "hosts = 2", kLink);
  EXPECT_THROW(make_agent("xoff = \"100 B\"\nxon = \"200 B\"", *graph), InputError);
}

}  // namespace
}  // namespace weir::fabric::testing::xon_xoff_test
