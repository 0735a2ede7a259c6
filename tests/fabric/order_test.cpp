// Hosts that hold packets until those before them are there (host.order).
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "support/small_network.hpp"
#include "support/told.hpp"

namespace weir::fabric::testing::order_test {
namespace {

using ::testing::Gt;
using ::testing::Lt;

/// 64 hosts that send to each other at random over a tree that sprays packets; 1 B/ns. A third of
/// the packets goes to hosts 0 to 3.
struct Sprayed : SmallNetwork {
  explicit Sprayed(HostOrder order) {
    graph = make_topology("k-ary-n-tree", "k = 4\nn = 3", {Rate(8'000'000'000), Time(2'000)});
    selection = "spray";
    settings.mtu = Bytes(1'000);
    settings.header = Bytes(20);
    settings.ingress_buffer = Bytes(20'400);
    settings.order = order;
    settings.check_period = microseconds(10);
  }
  std::unique_ptr<Fabric> start() {
    auto fabric = build();
    RandomStream random(7, 0, StreamPurpose::test);
    for (std::uint32_t host = 0; host < 64; ++host) {
      std::vector<MessageRequest> messages;
      for (int i = 0; i < 60; ++i) {
        const auto to =
            static_cast<std::uint32_t>(random.below(3) == 0 ? random.below(4) : random.below(64));
        if (to == host) continue;
        messages.push_back({nanoseconds(3'000 * i), HostId(to),
                            Bytes(static_cast<std::int64_t>(1 + random.below(5'000)))});
      }
      send(*fabric, host, messages);
    }
    return fabric;
  }
};

using PacketName = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

std::map<PacketName, Delivery> by_name(const Journal& journal) {
  std::map<PacketName, Delivery> found;
  for (const Delivery& d : journal.deliveries)
    found[{d.source.value, d.destination.value, d.sequence}] = d;
  return found;
}

Told told_by(const Fabric& fabric) {
  for (const Mechanism* mechanism : fabric.mechanisms()) {
    Told told(*mechanism, fabric.now());
    if (told.has("reorder_packets")) return told;
  }
  throw std::logic_error("nobody tells of reordering");
}

// Without ACKs nothing in the network depends on what its hosts hold: with reordering a packet is
// delivered exactly when it and all before it have arrived. The metrics follow from that.
TEST(HostOrder, HoldsAPacketUntilAllBeforeItAreThere) {
  Sprayed plain(HostOrder::as_they_come);
  Sprayed ordered(HostOrder::reorder);
  auto with_plain = plain.start();
  auto with_order = ordered.start();
  ASSERT_TRUE(with_plain->run_until(milliseconds(5)));
  ASSERT_TRUE(with_order->run_until(milliseconds(5)));
  ASSERT_THAT(plain.journal.out_of_order(), Gt(500U));
  EXPECT_EQ(ordered.journal.out_of_order(), 0U);
  EXPECT_EQ(with_order->packets_in_flight(), 0U);

  const auto arrived = by_name(plain.journal);
  const auto delivered = by_name(ordered.journal);
  ASSERT_EQ(arrived.size(), delivered.size());
  std::map<std::pair<std::uint32_t, std::uint32_t>, Time> latest;
  double byte_time = 0;
  double waited = 0;
  double held = 0;
  struct Change {
    Time at;
    std::int64_t bytes;
    std::uint32_t host;
  };
  std::vector<Change> changes;
  for (const auto& [name, packet] : arrived) {  // of a flow in the order of its numbers
    Time& all_before = latest[{std::get<0>(name), std::get<1>(name)}];
    all_before = std::max(all_before, packet.delivered);
    const Delivery& in_turn = delivered.at(name);
    EXPECT_EQ(in_turn.delivered, all_before);
    if (packet.delivered == all_before) continue;
    const Time wait = all_before - packet.delivered;
    byte_time += static_cast<double>(packet.bytes) * static_cast<double>(wait.count);
    waited += static_cast<double>(wait.count);
    ++held;
    changes.push_back({packet.delivered, packet.bytes, packet.destination.value});
    changes.push_back({all_before, -packet.bytes, packet.destination.value});
  }
  const Told told = told_by(*with_order);
  EXPECT_EQ(told["reorder_packets"], held);
  EXPECT_NEAR(told["reorder_wait"] / told.whole("reorder_wait"), waited * 1e-12 / held, 1e-12);
  EXPECT_EQ(told.whole("reorder_wait"), held * 1e12);
  EXPECT_NEAR(told["reorder_memory"], byte_time, 1e-9 * byte_time);

  // What comes goes after what goes in the same instant: no two packets come to a host at once.
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return std::tuple(a.at.count, a.bytes) < std::tuple(b.at.count, b.bytes);
  });
  std::map<std::uint32_t, std::int64_t> at;
  std::int64_t most_at_host = 0;
  for (const Change& change : changes) {
    at[change.host] += change.bytes;
    most_at_host = std::max(most_at_host, at[change.host]);
  }
  EXPECT_EQ(told["reorder_memory_host"], static_cast<double>(most_at_host));
  EXPECT_THAT(told["reorder_memory_max"], Gt(told["reorder_memory_host"]));
}

TEST(HostOrder, SpanIsHowFarThePacketThatIsFurthestAheadWas) {
  Sprayed plain(HostOrder::as_they_come);
  Sprayed ordered(HostOrder::reorder);
  auto with_plain = plain.start();
  auto with_order = ordered.start();
  with_plain->run_until(milliseconds(5));
  with_order->run_until(milliseconds(5));
  // Of each flow: all numbers that have come, and the first that has not.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::vector<bool>, std::uint32_t>>
      flows;
  std::uint32_t most = 0;
  for (const Delivery& d : plain.journal.deliveries) {
    auto& [come, next] = flows[{d.source.value, d.destination.value}];
    if (come.size() <= d.sequence + 1) come.resize(d.sequence + 2);
    come[d.sequence] = true;
    most = std::max(most, d.sequence - std::min(next, d.sequence));
    while (come[next]) ++next;
  }
  ASSERT_THAT(most, Gt(1U));
  EXPECT_EQ(told_by(*with_order)["reorder_span_max"], most);
}

/// When the ACK of each packet came back.
struct AckTimes : Reaction {
  Time may_inject(const Message&, Time now) override { return now; }
  void on_injected(const Message&, const Packet&, Time) override {}
  void on_ack(const Packet& ack, Time now) override {
    times[{ack.destination, ack.source, ack.sequence}] = now;
  }
  std::map<PacketName, Time> times;
};

TEST(HostOrder, AnAckSaysThatAPacketIsThereNotThatItIsInOrder) {
  std::map<PacketName, Time> times[2];
  for (const HostOrder order : {HostOrder::as_they_come, HostOrder::reorder}) {
    Sprayed net(order);
    auto acks = std::make_shared<AckTimes>();
    net.mechanisms.reaction = acks;
    net.settings.acks = AckMode::in_band;
    auto fabric = net.start();
    EXPECT_TRUE(fabric->run_until(milliseconds(5)));
    EXPECT_EQ(net.journal.out_of_order() == 0, order == HostOrder::reorder);
    times[order == HostOrder::reorder ? 1 : 0] = acks->times;
  }
  EXPECT_THAT(times[0].size(), Gt(1'000U));
  EXPECT_EQ(times[0], times[1]);
}

/// Counts what is lost and complete, beside the journal.
struct Losses : Journal {
  void on_lost(const Packet&, const Message&, PortId, Time) override { ++lost; }
  void on_message_complete(const Message&, Time) override { ++complete; }
  std::uint64_t lost = 0;
  std::uint64_t complete = 0;
};

TEST(HostOrder, NobodyWaitsForWhatWasLost) {
  Sprayed net(HostOrder::reorder);
  Losses losses;
  auto fabric = net.build(losses);
  std::vector<MessageRequest> messages;
  for (int i = 0; i < 200; ++i)
    messages.push_back({nanoseconds(500 * i), HostId(63), Bytes(3'000)});
  send(*fabric, 0, messages);
  send(*fabric, 1, messages);
  // One of the four ways down to the leaf switch of host 63, for a while.
  const auto leaf = net.graph->port(PortId(net.at_host(63))).node;
  for (std::size_t p = 0; p < net.graph->ports(leaf).size(); ++p) {
    if (net.graph->ports(leaf)[p].role != topology::PortRole::up) continue;
    fabric->change_cable(net.graph->port(leaf, p), microseconds(30), false);
    fabric->change_cable(net.graph->port(leaf, p), microseconds(150), true);
    break;
  }
  EXPECT_TRUE(fabric->run_until(milliseconds(5)));
  const Counters& c = fabric->counters();
  ASSERT_THAT(losses.lost, Gt(20U));
  ASSERT_THAT(losses.lost, Lt(600U));
  EXPECT_EQ(c.packets_delivered + c.packets_lost, 1'200U);
  EXPECT_EQ(c.messages_completed + c.messages_lost, 400U);
  EXPECT_EQ(losses.complete, c.messages_completed);
  EXPECT_EQ(losses.out_of_order(), 0U);
  EXPECT_EQ(fabric->packets_in_flight(), 0U);
  EXPECT_THAT(told_by(*fabric)["reorder_packets"], Gt(0));
  std::map<std::uint32_t, std::uint32_t> last;
  for (const Delivery& d : losses.deliveries) {
    std::uint32_t& next = last[d.source.value];
    EXPECT_GE(d.sequence, next);
    next = d.sequence + 1;
  }
}

}  // namespace
}  // namespace weir::fabric::testing::order_test
