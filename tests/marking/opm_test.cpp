#include <gtest/gtest.h>

#include "support/small_network.hpp"

namespace weir::fabric::testing {
namespace {

constexpr topology::LinkSpec kLink{Rate(8'000'000'000), Time(2'000)};  // 1 B/ns, 2 ns

/// Sequence numbers of marked packets, and of ACKs at their source.
class Marks : public Observer, public Reaction {
 public:
  void on_delivered(const Packet& p, const Message&, Time, bool) override {
    if ((p.flags & packet_flag::kMarkB) != 0) ++marked;
    if ((p.flags & packet_flag::kMarkA) != 0) ++other;
  }
  Time may_inject(const Message&, Time now) override { return now; }
  void on_generated(const Message&, Time) override {}
  using Observer::on_injected;
  using Observer::on_lost;
  using Reaction::on_lost;
  void on_injected(const Message&, const Packet&, Time) override {}
  void on_ack(const Packet& ack, Time) override {
    if ((ack.flags & packet_flag::kMarkB) != 0) ++echoed;
  }
  int marked = 0;
  int other = 0;
  int echoed = 0;
};

/// Two hosts send 20 packets each to a third at speedup 2; egress memory of 10 packets.
std::shared_ptr<Marks> run(const std::string& threshold, int senders) {
  SmallNetwork net;
  net.graph = make_topology("single-switch", "hosts = 3", kLink);
  net.settings.architecture = Architecture::cioq;
  net.settings.speedup = 2;
  net.settings.mtu = Bytes(100);
  net.settings.ingress_buffer = net.settings.egress_buffer = Bytes(1'000);
  net.settings.acks = AckMode::ideal;
  const auto& model = marker_registry().find("opm", {}, "marking");
  const auto marks = std::make_shared<Marks>();
  Mechanisms mechanisms;
  mechanisms.marker = model.make(settings_of(model.info, "threshold = " + threshold), *net.graph);
  mechanisms.reaction = marks;
  Models models{net.graph, make_routing("shortest-path", *net.graph), make_selection("fixed"),
                make_queueing(one_class(net.settings), *net.graph)};
  Fabric fabric(models, mechanisms, net.settings, *marks);
  for (int h = 0; h < senders; ++h) {
    fabric.add_source(HostId(static_cast<std::uint32_t>(h)),
                      std::make_unique<ListSource>(
                          std::vector<MessageRequest>{{Time(0), HostId(2), Bytes(2'000)}}));
  }
  EXPECT_TRUE(fabric.run_until(milliseconds(1)));
  EXPECT_EQ(fabric.counters().packets_delivered, static_cast<std::uint64_t>(20 * senders));
  return marks;
}

TEST(OutputPacketMarking, OneSenderNeverFillsTheEgressBuffer) {
  const auto marks = run("0.2", 1);
  EXPECT_EQ(marks->marked, 0);
  EXPECT_EQ(marks->echoed, 0);
}

TEST(OutputPacketMarking, MarksBeyondTheThresholdAndAcksCarryTheMark) {
  const auto low = run("0.3", 2);
  const auto high = run("0.8", 2);
  EXPECT_GT(low->marked, 20);
  EXPECT_LT(low->marked, 40);
  EXPECT_GT(low->marked, high->marked);
  EXPECT_GT(high->marked, 0);
  EXPECT_EQ(low->echoed, low->marked);
  EXPECT_EQ(high->echoed, high->marked);
  EXPECT_EQ(low->other, 0);
}

}  // namespace
}  // namespace weir::fabric::testing
