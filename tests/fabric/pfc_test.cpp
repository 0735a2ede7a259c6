// Priority flow control: the headroom to the byte, what is refused, and that nothing is lost with
// just enough of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "support/small_network.hpp"
#include "support/told.hpp"
#include "weir/base/error.hpp"

namespace weir::fabric::testing::pfc_test {
namespace {

using ::testing::HasSubstr;

constexpr topology::LinkSpec kFast{Rate(8'000'000'000), Time(50'000)};  // 1 B/ns, 50 ns
constexpr topology::LinkSpec kSlow{Rate(8'000'000), Time(50'000)};      // 1 B/us

/// Hosts 0 and 1 on fast cables, host 2 on a slow one. Host 0 sends to host 2, and its packets of
/// 100 B pile up in its ingress buffer; host 1 sends a packet to host 0, which the pause frame to
/// host 0 finds on the wire.
///
/// Host 0's packets come in at 50, 150, ..., 650 ns; the seventh is the first above a stop
/// threshold of 600 B. The frame of 64 B waits up to 100 ns and is at host 0 214 ns after it was
/// wanted, and takes effect 37 ns later: 301 B that host 0 may have sent meanwhile, and a packet
/// that it has just begun: 400 B.
struct Pile : SmallNetwork {
  static std::shared_ptr<const topology::Graph> make_graph(std::uint16_t slow_hosts) {
    topology::GraphBuilder builder("pile");
    const SwitchId s = builder.add_switch(2U + slow_hosts);
    builder.connect(builder.add_host(), s, 0, kFast);
    builder.connect(builder.add_host(), s, 1, kFast);
    for (std::uint16_t i = 0; i < slow_hosts; ++i)
      builder.connect(builder.add_host(), s, static_cast<std::uint16_t>(2 + i), kSlow);
    return std::make_shared<topology::Graph>(builder.build());
  }
  explicit Pile(std::int64_t buffer) {
    graph = make_graph(1);
    routing = "shortest-path";
    settings.mtu = Bytes(100);
    settings.ingress_buffer = Bytes(buffer);
    settings.flow_control = FlowControl::pfc;
    settings.pause_response = nanoseconds(37);
  }
  void add_slow_host() { graph = make_graph(2); }
  /// Runs it; the packet to host 0 leaves the switch at `on_the_wire`.
  void run(Time on_the_wire) {
    auto fabric = build();
    const bool stores = settings.switching == Switching::store_and_forward;
    const Time sent = on_the_wire - nanoseconds(stores ? 150 : 50);
    fabric->add_source(HostId(0), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                      {Time(0), HostId(2), Bytes(5'000)}}));
    fabric->add_source(HostId(1), std::make_unique<ListSource>(
                                      std::vector<MessageRequest>{{sent, HostId(0), Bytes(100)}}));
    EXPECT_TRUE(fabric->run_until(milliseconds(100)));
    EXPECT_EQ(fabric->counters().packets_delivered, 51U);
    const PortId in = fabric->graph().port(fabric->graph().host_port(HostId(0))).to;
    back_bytes = fabric->port(in).bytes;
  }
  std::int64_t back_bytes = 0;  ///< on the link to host 0
};

constexpr Time kJustBefore{649'999};

TEST(PfcHeadroom, IsExact) {
  Pile enough(1'000);
  enough.settings.headroom = Bytes(400);
  enough.run(kJustBefore);

  Pile little(999);
  little.settings.headroom = Bytes(399);
  EXPECT_THAT(little.refusal(), HasSubstr("flow_control.headroom"));
  EXPECT_THAT(little.refusal(), HasSubstr("400 B"));
  little.settings.verify_headroom = false;
  try {
    little.run(kJustBefore);
    ADD_FAILURE() << "the fourth packet after the threshold has no room";
  } catch (const RunError& error) {
    EXPECT_THAT(error.what(), HasSubstr("flow_control.headroom"));
    EXPECT_THAT(error.what(), HasSubstr("lossless violation at 950000 ps"));
  }
}

TEST(PfcHeadroom, IsNotNeededWhenTheWireIsFree) {
  Pile net(999);
  net.settings.headroom = Bytes(399);
  net.settings.verify_headroom = false;
  net.run(nanoseconds(2'000));
}

// By default it is computed: as above.
TEST(PfcHeadroom, ByDefaultIsWhatTheCableNeeds) {
  Pile net(999);  // a threshold of 599 B: the sixth packet is above it, and four more come
  net.run(Time(549'999));
  Pile tight(600);  // 400 and two packets between pause and resume
  tight.run(nanoseconds(50));
  Pile smaller(599);
  EXPECT_THAT(smaller.refusal(), HasSubstr("buffer.ingress"));
}

// A switch notices a packet when it has all of it; a hundred bytes more come.
TEST(PfcHeadroom, HasAPacketMoreWithStoreAndForward) {
  Pile net(1'100);
  net.settings.switching = Switching::store_and_forward;
  net.settings.headroom = Bytes(500);
  net.run(Time(749'999));  // the seventh packet is in at 750 ns
  net.settings.headroom = Bytes(499);
  net.settings.ingress_buffer = Bytes(1'099);
  EXPECT_THAT(net.refusal(), HasSubstr("500 B"));
  net.settings.verify_headroom = false;
  EXPECT_THROW(net.run(Time(749'999)), RunError);
}

// A pause, a resume, a pause, ...: each is a frame of 64 B on the way back.
TEST(PauseFrames, TakeTheLinkBack) {
  Pile net(1'000);
  net.run(nanoseconds(50));
  EXPECT_EQ((net.back_bytes - 100) % 64, 0);
  EXPECT_GE(net.back_bytes, 100 + 2 * 64);
}

TEST(PauseFrames, NeedALinkBack) {
  SmallNetwork net;
  net.graph = make_topology("umin-butterfly", "k = 2\nn = 2");
  net.routing = "destination-tag";
  net.settings.flow_control = FlowControl::pfc;
  EXPECT_THAT(net.refusal(), HasSubstr("flow_control.model"));
}

/// Of all mechanisms together.
double told(const Fabric& fabric, const char* metric) {
  double sum = 0;
  for (const Mechanism* one : fabric.mechanisms()) sum += Told(*one, fabric.now())[metric];
  return sum;
}

// Two classes that no packet may wait in: the pause of the first waits for the wire, and the
// second one's, 50 ns later, goes with it. The resumes come while the first is on the wire.
TEST(PauseFrames, CarryWhatIsTrueWhenTheyLeave) {
  Pile net(2'000);
  net.add_slow_host();
  net.queueing = "dbbm";
  net.queueing_toml = "queues = 2";
  net.settings.headroom = Bytes(1'000);
  net.settings.hysteresis = Bytes(0);
  for (const bool is_wire_busy : {true, false}) {
    auto fabric = net.build();
    fabric->add_source(HostId(0), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                      {nanoseconds(9), HostId(2), Bytes(50)},
                                      {nanoseconds(9), HostId(3), Bytes(50)}}));
    if (is_wire_busy) {
      fabric->add_source(HostId(1), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                        {Time(0), HostId(0), Bytes(100)}}));
    }
    EXPECT_TRUE(fabric->run_until(milliseconds(100)));
    const double frames = told(*fabric, "pause_frames");
    // Two more stop and release host 1.
    EXPECT_EQ(frames, is_wire_busy ? 3 + 2 : 4);
    EXPECT_EQ(told(*fabric, "pause_bytes"), 64 * frames);
  }
}

// Packets of all sizes and two classes, hosts that talk and listen, with as little memory as the
// headroom allows: nothing is lost, nothing stands still.
TEST(PfcHeadroom, IsEnoughForAnyTraffic) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    RandomStream random(seed, 0, StreamPurpose::test);
    SmallNetwork net;
    const topology::LinkSpec link{
        Rate(static_cast<std::int64_t>(7 + random.below(30)) * 1'000'000'000),
        Time(static_cast<std::int64_t>(random.below(300'000)))};
    net.graph = make_topology("k-ary-n-tree", "k = 2\nn = 3", link);
    net.settings.architecture =
        std::array{Architecture::input_queued, Architecture::cioq}[random.below(2)];
    net.settings.speedup = net.settings.architecture == Architecture::cioq ? 2 : 1;
    net.settings.switching =
        std::array{Switching::cut_through, Switching::store_and_forward}[random.below(2)];
    net.settings.flow_control = FlowControl::pfc;
    net.settings.mtu = Bytes(static_cast<std::int64_t>(40 + random.below(400)));
    net.settings.routing_delay = Time(static_cast<std::int64_t>(random.below(100'000)));
    net.settings.hysteresis = Bytes(1);
    net.settings.ingress_buffer = Bytes(1);
    net.queueing = "dbbm";
    net.queueing_toml = "queues = 2";
    // The refusal says how much is needed.
    for (std::int64_t bytes = 100;; bytes += 2) {
      net.settings.ingress_buffer = net.settings.egress_buffer = Bytes(bytes);
      if (net.refusal().empty()) break;
      ASSERT_LT(bytes, 20'000) << net.refusal();
    }
    auto fabric = net.build();
    std::uint64_t packets = 0;
    for (std::uint32_t host = 0; host < 8; ++host) {
      std::vector<MessageRequest> messages;
      for (int m = 0; m < 60; ++m) {
        const auto to = static_cast<std::uint32_t>(random.below(3) == 0 ? random.below(8) : 0);
        const auto size = static_cast<std::int64_t>(1 + random.below(900));
        if (to == host) continue;
        messages.push_back({Time(0), HostId(to), Bytes(size)});
        packets += static_cast<std::uint64_t>((size + net.settings.mtu.count - 1) /
                                              net.settings.mtu.count);
      }
      fabric->add_source(HostId(host), std::make_unique<ListSource>(messages));
    }
    EXPECT_TRUE(fabric->run_until(milliseconds(100))) << seed;
    EXPECT_EQ(fabric->counters().packets_delivered, packets) << seed;
  }
}

}  // namespace
}  // namespace weir::fabric::testing::pfc_test
