// What comes to one port or host in one instant from several senders comes in an order that depends
// on nothing else in the network.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/small_network.hpp"
#include "weir/fabric/control_queue.hpp"

namespace weir::fabric::testing::instant_order_test {
namespace {

using ::testing::ElementsAre;

TEST(ControlMessages, OfOneInstantComeBySenderThenAsSent) {
  ControlQueue queue;
  const std::uint32_t other = queue.add(ControlSender::upstream, {});
  queue.take(other);
  std::vector<std::uint32_t> numbers;
  for (const ControlSender sender :
       {ControlSender::downstream, ControlSender::upstream, ControlSender::own,
        ControlSender::upstream, ControlSender::own, ControlSender::downstream}) {
    numbers.push_back(queue.add(sender, {}));
  }
  const std::vector<std::uint32_t> n = numbers;
  queue.sort(numbers);
  EXPECT_THAT(numbers, ElementsAre(n[2], n[4], n[1], n[3], n[0], n[5]));
}

/// Remembers whose ACKs come.
struct Acks : Reaction {
  Time may_inject(const Message&, Time now) override { return now; }
  void on_injected(const Message&, const Packet&, Time) override {}
  void on_ack(const Packet& ack, Time) override { sources.push_back(ack.source); }
  std::vector<std::uint32_t> sources;
};

// Host 0 sends to hosts 2, 3 and 1; the cables are such that all three packets arrive in the same
// instant, whichever goes first.
TEST(IdealAcks, OfOneInstantComeByDestination) {
  for (const std::vector<std::uint32_t>& order :
       std::vector<std::vector<std::uint32_t>>{{1, 2, 3}, {2, 3, 1}, {3, 2, 1}, {3, 1, 2}}) {
    topology::GraphBuilder builder("star");
    const SwitchId s = builder.add_switch(4);
    constexpr Rate kRate(8'000'000'000);
    builder.connect(builder.add_host(), s, 0, {kRate, nanoseconds(10)});
    for (std::uint16_t host = 1; host <= 3; ++host) {
      const auto place = std::find(order.begin(), order.end(), host) - order.begin();
      builder.connect(builder.add_host(), s, host, {kRate, nanoseconds(500 - 100 * place)});
    }
    auto acks = std::make_shared<Acks>();
    SmallNetwork net;
    net.graph = std::make_shared<topology::Graph>(builder.build());
    net.routing = "shortest-path";
    net.settings.mtu = Bytes(100);
    net.settings.acks = AckMode::ideal;
    net.settings.ack_delay = nanoseconds(50);
    net.mechanisms.reaction = acks;
    auto fabric = net.build();
    std::vector<MessageRequest> messages;
    for (const std::uint32_t host : order) messages.push_back({Time(0), HostId(host), Bytes(100)});
    fabric->add_source(HostId(0), std::make_unique<ListSource>(messages));
    EXPECT_TRUE(fabric->run_until(milliseconds(1)));
    EXPECT_THAT(acks->sources, ElementsAre(1, 2, 3));
    EXPECT_EQ(fabric->now(), net.journal.deliveries.back().delivered + nanoseconds(50));
    EXPECT_EQ(net.journal.deliveries.front().delivered, net.journal.deliveries.back().delivered);
  }
}

}  // namespace
}  // namespace weir::fabric::testing::instant_order_test
