// Markers that count packets for each output: ferrer2012, section 4.2, yan2012, section 3.3.1.
#include <gtest/gtest.h>

#include "marking_network.hpp"

namespace weir::marking::testing {
namespace {

using fabric::packet_flag::kMarkA;
using fabric::packet_flag::kMarkB;

/// (source, sequence within its flow)
using Names = std::set<std::pair<std::uint32_t, std::uint32_t>>;

/// Packets of 100 bytes, four in a buffer; any number may leave a buffer at once.
MarkingNetwork small(int hosts) {
  MarkingNetwork net(hosts);
  net.settings.architecture = Architecture::input_queued;
  net.settings.mtu = Bytes(100);
  net.settings.header = Bytes(0);
  net.settings.ingress_buffer = Bytes(400);
  net.settings.check_period = nanoseconds(50);
  return net;
}

Names marked(const MarkingNetwork& net) {
  Names names;
  for (const Delivery& row : net.journal.deliveries) {
    EXPECT_EQ(row.marks & kMarkB, 0);
    if (row.marks != 0) names.insert({row.source.value, row.sequence});
  }
  return names;
}

/// Hosts 0 and 1 send to host 3, a packet a slot of 100 ns, taken in turn. The last packet of host
/// 0 is the one that makes its buffer full; it comes in slot 6, `late` ns after its beginning.
/// Then host 2 sends a packet, which is served before others that came earlier.
MarkingNetwork one_full_buffer(const std::string& name, int late) {
  MarkingNetwork net = small(4);
  net.build(name);
  std::vector<MessageRequest> first = burst(3, 6, 100);
  first.push_back({nanoseconds(600 + late), HostId(3), Bytes(100)});
  net.send(0, first);
  net.send(1, burst(3, 4, 100));
  net.send(2, burst(3, 1, 100, nanoseconds(660)));
  net.drain();
  return net;
}

// Five packets are in the switch when the buffer becomes full: 3 to 6 of host 0, 3 of host 1. The
// next five that leave are marked, among them one that came later; the last of those that were
// meant is not.
TEST(Renato, MarksTheNextPacketsNotThoseThatWereThere) {
  const MarkingNetwork net = one_full_buffer("rpm", 0);
  EXPECT_EQ(marked(net), (Names{{0, 3}, {0, 4}, {0, 5}, {1, 3}, {2, 0}}));
  EXPECT_EQ(net.journal.deliveries.back().source, HostId(0));
  EXPECT_EQ(net.journal.deliveries.back().sequence, 6U);
}

// Packet 3 of host 0 is on the link when the buffer becomes full. It is still in the switch, so C1
// counts it, and one packet more is marked than wait.
TEST(Renato, CountsThePacketOnTheLink) {
  const MarkingNetwork net = one_full_buffer("rpm", 50);
  EXPECT_EQ(marked(net), (Names{{0, 4}, {0, 5}, {0, 6}, {1, 3}, {2, 0}}));
}

TEST(EcnCounters, LeavesOutThePacketOnTheLink) {
  EXPECT_EQ(marked(one_full_buffer("ecn-counters", 0)),
            (Names{{0, 3}, {0, 4}, {0, 5}, {1, 3}, {2, 0}}));
  EXPECT_EQ(marked(one_full_buffer("ecn-counters", 50)), (Names{{0, 4}, {0, 5}, {1, 3}, {2, 0}}));
}

// Output 3 serves hosts 1, 2, 0 in turn. The 20 bytes that come at 452 ns make the buffer of host 0
// full (320 of 400) while eight packets wait. The next small one needs room for a large one, and
// comes when one has left, to a buffer that is full again. It sets C2 anew in Renato's scheme, so
// that one packet more is marked; only the first one is an edge.
TEST(EcnCounters, OnlyTheEdgeTriggers) {
  const auto run = [](const char* name) {
    MarkingNetwork net = small(4);
    net.build(name);
    std::vector<MessageRequest> first;
    for (int i = 0; i < 4; ++i) first.push_back({nanoseconds(50), HostId(3), Bytes(100)});
    for (int i = 0; i < 5; ++i) first.push_back({nanoseconds(50), HostId(3), Bytes(20)});
    net.send(0, first);
    for (const std::uint32_t host : {1U, 2U}) net.send(host, burst(3, 4, 100));
    net.drain();
    return marked(net);
  };
  Names at_the_edge = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {2, 2}, {2, 3}};
  EXPECT_EQ(run("ecn-counters"), at_the_edge);
  at_the_edge.merge(Names{{0, 5}});
  EXPECT_EQ(run("rpm"), at_the_edge);
}

/// Buffer of host 0 becomes full at 602 ns with packets 3, 4, 5 for output 3 and 6 for output 4.
/// For output 3 waits packet 3 of host 1 besides, for output 5 one of two packets.
Names scope(const std::string& toml) {
  MarkingNetwork net = small(7);
  net.build("ecn-counters", toml);
  std::vector<MessageRequest> first = burst(3, 6, 100);
  first.push_back({nanoseconds(600), HostId(4), Bytes(100)});
  net.send(0, first);
  net.send(1, burst(3, 4, 100));
  net.send(2, burst(5, 1, 100, nanoseconds(590)));
  net.send(6, burst(5, 1, 100, nanoseconds(590)));
  net.drain();
  return marked(net);
}

TEST(EcnCounters, ScopeSaysWhatAFullBufferHasMarked) {
  const Names wanted = {{0, 3}, {0, 4}, {0, 5}, {1, 3}, {0, 0}};
  EXPECT_EQ(scope(""), wanted);
  EXPECT_EQ(scope("scope = \"destinations-of-full-buffer\""), wanted);
  Names all = wanted;
  all.insert({6, 0});  // waits for output 5
  EXPECT_EQ(scope("scope = \"all-outputs\""), all);
  EXPECT_EQ(scope("scope = \"naive-full-buffer\""), (Names{{0, 3}, {0, 4}, {0, 5}, {0, 0}}));
  const Names congested = {{0, 3}, {0, 4}, {0, 5}, {1, 3}};
  EXPECT_EQ(scope("scope = \"input-output\""), congested);
  EXPECT_EQ(scope("scope = \"input-output\"\nleast_waiting = 4"), congested);
  EXPECT_EQ(scope("scope = \"input-output\"\nleast_waiting = 5"), Names{});
  EXPECT_EQ(scope("scope = \"input-output\"\nleast_waiting = 1"), wanted);
}

// At 75 % the third stored packet is the edge: one slot pair earlier than a full buffer.
TEST(EcnCounters, LowerThresholdTriggersEarlier) {
  const auto first_mark = [](const char* toml) {
    MarkingNetwork net = small(3);
    net.build("ecn-counters", toml);
    for (const std::uint32_t host : {0U, 1U}) net.send(host, burst(2, 20, 100));
    net.drain();
    return net.marker->marks_a().first;
  };
  EXPECT_LT(first_mark("threshold = 0.75"), first_mark(""));
}

TEST(EcnCounters, KeysThatDoNotBelongTogetherAreRefused) {
  const MarkingNetwork net;
  EXPECT_THROW((void)make_marker("ecn-counters", *net.graph, "least_waiting = 3"), InputError);
  EXPECT_THROW((void)make_marker("ecn-counters", *net.graph, "scope = \"all\""), InputError);
}

// A buffer of four packets does not fill while the flows through it have three under way together.
// Packets under way of a flow are bounded here by sending the next when one has arrived.
class Windows : public fabric::testing::Journal {
 public:
  void on_delivered(const Packet& p, const fabric::Message& m, Time now, bool in_order) override {
    Journal::on_delivered(p, m, now, in_order);
    if (left-- > 0) fabric->submit(HostId(p.source), {now, HostId(p.destination), Bytes(100)});
  }
  Fabric* fabric = nullptr;
  int left = 400;
};

std::uint64_t marks_with_windows(int per_flow) {
  const auto graph = make_topology("single-switch", "hosts = 5", kLink);
  const MarkingNetwork model = small(5);
  Windows windows;
  const auto marker = make_marker("ecn-counters", *graph, "");
  fabric::Mechanisms mechanisms;
  mechanisms.marker = marker;
  Fabric fabric({graph, make_routing("shortest-path", *graph), make_selection("fixed"),
                 make_queueing(one_class(model.settings), *graph)},
                mechanisms, model.settings, windows);
  windows.fabric = &fabric;
  // Three hosts, each with a flow to host 3 and one to host 4.
  for (int i = 0; i < per_flow; ++i) {
    for (const std::uint32_t host : {0U, 1U, 2U}) {
      fabric.submit(HostId(host), {Time(0), HostId(3), Bytes(100)});
      fabric.submit(HostId(host), {Time(0), HostId(4), Bytes(100)});
    }
  }
  EXPECT_TRUE(fabric.run_until(milliseconds(10)));
  EXPECT_GT(windows.deliveries.size(), 400U);
  return marker->marks_a().set;
}

TEST(EcnCounters, WindowsBelowTheBufferNeverTrigger) {
  EXPECT_EQ(marks_with_windows(1), 0U);  // two packets of 2 flows in a buffer for 4
  EXPECT_GT(marks_with_windows(4), 0U);
}

}  // namespace
}  // namespace weir::marking::testing
