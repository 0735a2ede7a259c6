// Flow control by thresholds where classes share memory: pauses and resumes by hand, what is
// refused, and that nothing is lost or stands still whatever comes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "fabric/random_network.hpp"
#include "support/small_network.hpp"
#include "support/told.hpp"
#include "weir/base/error.hpp"

namespace weir::fabric::testing::shared_flow_control_test {
namespace {

using random_network::number;
using random_network::one_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr topology::LinkSpec kFast{Rate(8'000'000'000), Time(50'000)};  // 1 B/ns, 50 ns
constexpr topology::LinkSpec kSlow{Rate(8'000'000), Time(50'000)};      // 1 B/us

/// Host 0 on a fast cable sends to hosts 1 and 2 on slow ones, which take a packet of 100 B every
/// 100 us, from 50 ns on. With pfc a pause is at host 0 64 + 50 ns after it was wanted, and takes
/// effect 37 ns later; it may wait for a packet on the wire. So a class needs 400 B of headroom.
struct Pair : SmallNetwork {
  explicit Pair(FlowControl model = FlowControl::pfc) {
    topology::GraphBuilder builder("pair");
    const SwitchId s = builder.add_switch(3);
    builder.connect(builder.add_host(), s, 0, kFast);
    builder.connect(builder.add_host(), s, 1, kSlow);
    builder.connect(builder.add_host(), s, 2, kSlow);
    graph = std::make_shared<topology::Graph>(builder.build());
    routing = "shortest-path";
    settings.mtu = Bytes(100);
    settings.memory = Memory::shared;
    settings.flow_control = model;
    settings.pause_response = nanoseconds(37);
    settings.source_queues = SourceQueueKind::per_class;
  }
  /// Host 1 has class 1, host 2 class 0.
  void use_two_classes() {
    queueing = "dbbm";
    queueing_toml = "queues = 2";
  }
  /// When packets to host `to` leave host 0, in ns.
  std::vector<double> sent(std::uint32_t to, const std::vector<MessageRequest>& messages) {
    journal = {};
    const auto fabric = build();
    send(*fabric, 0, messages);
    EXPECT_TRUE(fabric->run_until(milliseconds(100)));
    frames = 0;
    for (const Mechanism* one : fabric->mechanisms())
      frames += Told(*one, fabric->now())["pause_frames"];
    std::vector<double> times;
    for (const Delivery& d : journal.deliveries) {
      if (d.destination == HostId(to)) times.push_back(to_nanoseconds(d.injected));
    }
    return times;
  }
  double frames = 0;
};

// 600 B to share, of which a class takes half when it is alone: the fourth packet, at 350 ns, is
// too much. Two more leave before the pause takes effect at 501 ns. At 400,050 ns 200 B are left,
// two packets below the 400 B that are free: 151 ns later host 0 goes on, with four packets until
// the next pause.
TEST(SharedPfc, OneClassHasHalfOfTheMemory) {
  Pair net;
  net.settings.ingress_buffer = Bytes(1'000);
  EXPECT_THAT(net.sent(1, {{Time(0), HostId(1), Bytes(1'100)}}),
              ElementsAre(0, 100, 200, 300, 400, 500, 400'201, 400'301, 400'401, 400'501, 800'201));
  EXPECT_EQ(net.frames, 4);
}

// Twice of what is free: 400 of 600 B, so that the fifth packet is too much. Resumed at 300 B, when
// 300 are free and the threshold is 600 B.
TEST(SharedPfc, AlphaSaysHowMuchIsLeftFree) {
  Pair net;
  net.settings.ingress_buffer = Bytes(1'000);
  net.settings.alpha = 2;
  EXPECT_THAT(net.sent(1, {{Time(0), HostId(1), Bytes(800)}}),
              ElementsAre(0, 100, 200, 300, 400, 500, 600, 400'201));
}

// The same with 300 B for the class alone and 300 to share, of which it may have half: the fifth
// packet, at 450 ns, is too much. Resumed at 300 B, of which nothing is shared.
TEST(ReservedPfc, ReservationComesFirst) {
  Pair net;
  net.settings.memory = Memory::reserved;
  net.settings.reserved = Bytes(300);
  net.settings.ingress_buffer = Bytes(1'000);
  EXPECT_THAT(net.sent(1, {{Time(0), HostId(1), Bytes(800)}}),
              ElementsAre(0, 100, 200, 300, 400, 500, 600, 400'201));
}

/// Class 0 takes 300 of 600 B. The first packet of class 1, at 350 ns, leaves 200 free: class 0
/// stands still and is paused. Another packet of it wants to go at 1 us.
std::vector<MessageRequest> two_classes() {
  return {{Time(0), HostId(2), Bytes(300)},
          {nanoseconds(250), HostId(1), Bytes(500)},
          {microseconds(1), HostId(2), Bytes(100)}};
}

// Class 0 has 200 B, two packets below the threshold, when 400 are free: from 200,050 ns on. (At
// 100,050 ns it has 200 and 300 are free, which is enough without hysteresis.) Class 1 is paused by
// its second packet and holds 400 B of it when that takes effect, 300 of them in its headroom,
// which is empty at 300,350 ns.
TEST(SharedPfc, ThresholdThatFallsPausesWhoStandsStill) {
  Pair net;
  net.use_two_classes();
  net.settings.ingress_buffer = Bytes(1'400);
  EXPECT_THAT(net.sent(2, two_classes()), ElementsAre(0, 100, 200, 200'201));
  EXPECT_THAT(net.sent(1, two_classes()), ElementsAre(300, 400, 500, 600, 300'501));
  net.settings.hysteresis = Bytes(0);
  EXPECT_THAT(net.sent(2, two_classes()), ElementsAre(0, 100, 200, 100'201));
  net.settings.alpha = 8;  // nobody has too much
  EXPECT_THAT(net.sent(2, two_classes()), ElementsAre(0, 100, 200, 1'000));
}

// 1000 B: 100 reserved, 300 of headroom (two packets and 100 on the wire), 600 to share. Stopped
// above three quarters of that: by the sixth packet, at 550 ns; the word is there at 600 ns. Told
// to go at 400 B, 300 of them shared: at 200,050 ns.
TEST(SharedStopAndGo, SharesAreOfTheSharedMemory) {
  Pair net(FlowControl::stop_and_go);
  net.settings.memory = Memory::reserved;
  net.settings.reserved = Bytes(100);
  net.settings.ingress_buffer = Bytes(1'000);
  net.settings.threshold = Threshold::fixed;
  EXPECT_THAT(net.sent(1, {{Time(0), HostId(1), Bytes(700)}}),
              ElementsAre(0, 100, 200, 300, 400, 500, 200'100));
}

// All that is shared is the class's, as if it had its memory for itself.
TEST(SharedPfc, OneClassWithAStaticThresholdIsAsSplit) {
  for (const std::int64_t bytes : {600, 700, 1'050}) {
    Pair net;
    net.settings.ingress_buffer = Bytes(bytes);
    net.settings.threshold = Threshold::fixed;
    const std::vector<MessageRequest> messages{{Time(0), HostId(1), Bytes(2'330)}};
    const auto shared = net.sent(1, messages);
    const double frames = net.frames;
    net.settings.threshold = Threshold::dynamic;
    net.settings.memory = Memory::split;
    EXPECT_EQ(net.sent(1, messages), shared);
    EXPECT_EQ(net.frames, frames);
  }
}

// The memories of three ports, one of 1000 B with 400 of headroom, two with slow cables, which need
// little. Alone, class and port may have half of what the whole switch shares.
TEST(SwitchWidePfc, PortTakesWhatOthersDoNotUse) {
  Pair net;
  net.settings.ingress_buffer = Bytes(1'000);
  net.settings.scope = MemoryScope::whole_switch;
  // Slow cables: ceil(0.001 (2 * 50 + 37 + 1000 (100 + 64))) + 99 = 265 B of headroom, if the
  // switch answers at 1 B/us: 600 + 735 + 735 = 2070 B. Ten packets leave 1070 free, the eleventh
  // too little.
  const auto sent = net.sent(1, {{Time(0), HostId(1), Bytes(2'000)}});
  EXPECT_EQ(std::count_if(sent.begin(), sent.end(), [](double at) { return at < 50'000; }), 12 + 1);
}

TEST(SharedPfc, RefusesWhatDoesNotFit) {
  Pair net;
  net.use_two_classes();
  net.settings.ingress_buffer = Bytes(999);  // twice 400, and two packets
  EXPECT_THAT(net.refusal(), HasSubstr("buffer.ingress"));
  EXPECT_THAT(net.refusal(), HasSubstr("400 B"));
  net.settings.ingress_buffer = Bytes(1'000);
  EXPECT_EQ(net.refusal(), "");
  net.settings.memory = Memory::reserved;
  net.settings.reserved = Bytes(101);
  EXPECT_THAT(net.refusal(), HasSubstr("buffer.reserved"));
  net.settings.reserved = Bytes(100);
  EXPECT_THAT(net.refusal(),
              HasSubstr("buffer.ingress"));  // 100 for a class that needs two packets
  net.settings.hysteresis = Bytes(100);
  EXPECT_EQ(net.refusal(), "");
  net.settings.headroom = Bytes(399);
  EXPECT_THAT(net.refusal(), HasSubstr("flow_control.headroom"));
}

// A byte less than what may come is lost in the worst case: the pause of the fourth packet finds
// another packet on the wire to host 0.
TEST(SharedPfc, HeadroomIsExact) {
  for (const std::int64_t headroom : {400, 399}) {
    SmallNetwork net;
    topology::GraphBuilder builder("triple");
    const SwitchId s = builder.add_switch(3);
    builder.connect(builder.add_host(), s, 0, kFast);
    builder.connect(builder.add_host(), s, 1, kFast);
    builder.connect(builder.add_host(), s, 2, kSlow);
    net.graph = std::make_shared<topology::Graph>(builder.build());
    net.routing = "shortest-path";
    net.settings.mtu = Bytes(100);
    net.settings.memory = Memory::shared;
    net.settings.flow_control = FlowControl::pfc;
    net.settings.pause_response = nanoseconds(37);
    net.settings.ingress_buffer = Bytes(600 + headroom);
    net.settings.headroom = Bytes(headroom);
    net.settings.verify_headroom = false;
    const auto fabric = net.build();
    send(*fabric, 0, {{Time(0), HostId(2), Bytes(1'000)}});
    send(*fabric, 1, {{Time(299'999), HostId(0), Bytes(100)}});
    if (headroom == 400) {
      EXPECT_TRUE(fabric->run_until(milliseconds(100)));
      EXPECT_EQ(fabric->counters().packets_delivered, 11U);
    } else {
      try {
        fabric->run_until(milliseconds(100));
        ADD_FAILURE() << "the fourth packet from the pause on has no room";
      } catch (const RunError& error) {
        EXPECT_THAT(error.what(), HasSubstr("lossless violation at 650000 ps"));
      }
    }
  }
}

TEST(SharedFlowControl, KeysThatMeanNothingAreRefused) {
  Pair net;
  net.settings.static_share = 0.5;
  EXPECT_THAT(net.refusal(), HasSubstr("flow_control.static_share"));
  net.settings.threshold = Threshold::fixed;
  EXPECT_EQ(net.refusal(), "");
  net.settings.alpha = 1;
  EXPECT_THAT(net.refusal(), HasSubstr("flow_control.alpha"));
  net.settings.alpha.reset();
  net.settings.static_share = 0;
  EXPECT_THAT(net.refusal(), HasSubstr("flow_control.static_share"));
  net.settings.static_share.reset();
  net.settings.memory = Memory::split;
  EXPECT_THAT(net.refusal(), HasSubstr("flow_control.threshold"));
  net.settings.threshold = Threshold::dynamic;
  net.settings.scope = MemoryScope::whole_switch;
  EXPECT_THAT(net.refusal(), HasSubstr("buffer.scope"));
  net.settings.memory = Memory::shared;
  net.settings.flow_control = FlowControl::credits;
  EXPECT_THAT(net.refusal(), HasSubstr("buffer.scope"));
}

/// Thresholds, memory and traffic as they come, with hardly more memory than is needed.
void draw_settings(SmallNetwork& net) {
  FabricSettings& s = net.settings;
  const auto sample = random_network::any_network();
  net.graph = sample.graph;
  net.routing = sample.routing;
  s.flow_control = one_of({FlowControl::pfc, FlowControl::pfc, FlowControl::stop_and_go});
  s.memory = one_of({Memory::shared, Memory::reserved});
  s.scope = one_of({MemoryScope::port, MemoryScope::whole_switch});
  s.threshold = one_of({Threshold::dynamic, Threshold::dynamic, Threshold::fixed});
  if (s.threshold == Threshold::dynamic) s.alpha = one_of({0.0625, 0.3, 1.0, 2.0, 8.0, 100.0});
  if (s.threshold == Threshold::fixed) s.static_share = one_of({0.2, 0.5, 1.0});
  s.go_threshold = one_of({0.1, 0.5, 0.74});
  s.architecture = one_of({Architecture::input_queued, Architecture::input_queued_single,
                           Architecture::cioq, Architecture::output_queued});
  s.speedup = s.architecture == Architecture::cioq ? 1.5 : 1;
  s.switching = one_of({Switching::cut_through, Switching::store_and_forward});
  s.mtu = Bytes(number(1, 500));
  s.header = Bytes(number(0, 30));
  s.routing_delay = nanoseconds(one_of({0, 13, 100}));
  s.crossbar_delay = nanoseconds(one_of({0, 9}));
  s.reserved = Bytes(s.memory == Memory::reserved ? number(0, 1'500) : 0);
  if (s.flow_control == FlowControl::pfc) {
    s.pause_response = nanoseconds(one_of({0, 5, 300}));
    if (number(0, 1) == 1) s.hysteresis = Bytes(number(0, 1'000));
  }
  s.source_queues = one_of({SourceQueueKind::fifo, SourceQueueKind::per_class});
  s.acks = one_of({AckMode::none, AckMode::in_band});
  s.check_period = microseconds(2);
  const int classes = number(1, 4);
  net.queueing = classes == 1 ? "voqsw" : "dbbm";
  net.queueing_toml = classes == 1 ? "" : fmt::format("queues = {}", classes);
}

/// The least that is not refused, to the byte.
std::int64_t least_memory(SmallNetwork& net) {
  std::int64_t low = 0;
  std::int64_t high = 8 << 20;
  while (high - low > 1) {
    const std::int64_t middle = (low + high) / 2;
    net.settings.ingress_buffer = Bytes(middle);
    (net.refusal().empty() ? high : low) = middle;
  }
  return high;
}

RC_GTEST_PROP(SharedFlowControl, LosesNothingAndAlwaysGoesOn, ()) {
  SmallNetwork net;
  draw_settings(net);
  net.settings.egress_buffer = Bytes(8 << 20);
  const std::int64_t least = least_memory(net);
  net.settings.ingress_buffer = Bytes(least + one_of({0, 0, 1, 100, 3'000, 20'000}));
  net.settings.egress_buffer = Bytes(number(1, 3) * 4 * 600);
  RC_PRE(net.refusal().empty());
  const auto fabric = net.build();
  const auto hosts = static_cast<std::uint32_t>(net.graph->host_count());
  std::uint64_t packets = 0;
  for (std::uint32_t host = 0; host < hosts; ++host) {
    std::vector<MessageRequest> messages;
    std::int64_t at = 0;
    for (int m = number(0, 25); m > 0; --m) {
      // Bursts, to a few hosts.
      at += number(0, 3) == 0 ? number(0, 20'000'000) : 0;
      const auto to = static_cast<std::uint32_t>(
          number(0, 2) == 0 ? number(0, static_cast<int>(hosts) - 1) : 0);
      const auto size = static_cast<std::int64_t>(number(1, 3'000));
      if (to == host) continue;
      messages.push_back({Time(at), HostId(to), Bytes(size)});
      packets +=
          static_cast<std::uint64_t>((size + net.settings.mtu.count - 1) / net.settings.mtu.count);
    }
    send(*fabric, host, messages);
  }
  RC_ASSERT(fabric->run_until(milliseconds(1'000)));
  RC_ASSERT(fabric->counters().packets_delivered == packets);
  // Nobody is left stopped.
  for (std::uint32_t port = 0; port < net.graph->port_count(); ++port)
    RC_ASSERT(!fabric->port(PortId(port)).blocked);
}

}  // namespace
}  // namespace weir::fabric::testing::shared_flow_control_test
