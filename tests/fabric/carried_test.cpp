// What packets carry for mechanisms, and messages from switches to hosts.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "support/small_network.hpp"

namespace weir::fabric::testing::carried_test {
namespace {

struct Stamp {
  std::int64_t sent;
  std::int64_t arrived;
  std::uint32_t sequence;
  std::uint32_t hops;
};

/// Counts the switches that a packet leaves, in what it carries.
class HopCounter final : public Marker {
 public:
  void attach(const FabricView& fabric) override {
    packets_ = fabric.packets;
    slot_ = packets_.reserve<Stamp>();
  }
  void on_transmit(PortId, Packet& packet) override {
    if (!packet.is_ack()) ++packets_.record(slot_, packet).hops;
  }
  [[nodiscard]] RecordSlot<Stamp> slot() const { return slot_; }
  [[nodiscard]] CarriedBytes carried() const override { return {Bytes(4), Bytes(4)}; }

 private:
  Packets packets_;
  RecordSlot<Stamp> slot_;
};

/// Writes when a packet leaves and arrives, and reads it when its ACK is back.
class RoundTrips final : public Reaction {
 public:
  void attach(const FabricView& fabric) override {
    packets_ = fabric.packets;
    slot_ = packets_.reserve<Stamp>();
  }
  [[nodiscard]] CarriedBytes carried() const override { return {Bytes(8), Bytes(16)}; }
  Time may_inject(const Message&, Time now) override { return now; }
  void on_injected(const Message&, const Packet& packet, Time now) override {
    Stamp& stamp = packets_.record(slot_, packet);
    EXPECT_EQ(stamp.sent, 0);
    EXPECT_EQ(stamp.arrived, 0);
    stamp.sent = now.count;
    stamp.sequence = packet.sequence;
    const Packet copy = packet;
    EXPECT_THROW((void)packets_.record(slot_, copy), std::logic_error);
  }
  bool on_received(const Packet& packet, std::uint32_t flow, Time now) override {
    EXPECT_EQ(packets_.flow_of(packet), flow);
    packets_.record(slot_, packet).arrived = now.count;
    return packet.sequence % 3 == 0;
  }
  void on_ack(const Packet& ack, Time now) override {
    acks.push_back({packets_.record(slot_, ack), now.count, ack.sequence, ack.size});
    if (counter != nullptr) hops.push_back(packets_.record(counter->slot(), ack).hops);
  }

  struct Row {
    Stamp stamp;
    std::int64_t back;
    std::uint32_t sequence;
    std::uint32_t size;
  };
  std::vector<Row> acks;
  std::vector<std::uint32_t> hops;
  const HopCounter* counter = nullptr;

 private:
  Packets packets_;
  RecordSlot<Stamp> slot_;
};

struct Carrying {
  explicit Carrying(AckMode acks) {
    net.graph =
        make_topology("rlft", "ports = 4\nstages = 2", {Rate(8'000'000'000), nanoseconds(5)});
    net.settings.mtu = Bytes(256);
    net.settings.header = Bytes(20);
    net.settings.ack_size = Bytes(10);
    net.settings.acks = acks;
    counter = std::make_shared<HopCounter>();
    trips = std::make_shared<RoundTrips>();
    trips->counter = counter.get();
    net.mechanisms.marker = counter;
    net.mechanisms.reaction = trips;
    fabric = net.build();
    const auto hosts = static_cast<std::uint32_t>(net.graph->host_count());
    for (std::uint32_t h = 0; h < hosts; ++h) {
      fabric->add_source(HostId(h), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                        {Time(0), HostId((h + 1) % hosts), Bytes(10'000)},
                                        {Time(0), HostId((h + hosts / 2) % hosts), Bytes(5'000)}}));
    }
  }
  SmallNetwork net;
  std::shared_ptr<HopCounter> counter;
  std::shared_ptr<RoundTrips> trips;
  std::unique_ptr<Fabric> fabric;
};

TEST(Carried, WhatADataPacketCarriesIsInItsAck) {
  for (const AckMode acks : {AckMode::in_band, AckMode::ideal}) {
    Carrying run(acks);
    ASSERT_TRUE(run.fabric->run_until(milliseconds(1)));
    std::map<std::int64_t, int> sent;
    for (const Delivery& one : run.net.journal.deliveries) ++sent[one.injected.count];
    EXPECT_EQ(run.trips->acks.size(), run.net.journal.deliveries.size());
    for (const RoundTrips::Row& row : run.trips->acks) {
      EXPECT_EQ(row.stamp.sequence, row.sequence);
      EXPECT_GT(row.stamp.arrived, row.stamp.sent);
      EXPECT_GT(row.back, row.stamp.arrived);
      EXPECT_GT(sent[row.stamp.sent]--, 0);
    }
    // Neighbours under one leaf switch, or three switches on the way.
    EXPECT_EQ(*std::min_element(run.trips->hops.begin(), run.trips->hops.end()), 1U);
    EXPECT_EQ(*std::max_element(run.trips->hops.begin(), run.trips->hops.end()), 3U);
  }
}

// 256 + 20 B, and 12 for both mechanisms.
TEST(Carried, AMemoryOfAHostHoldsAPacketWithWhatItCarries) {
  SmallNetwork net;
  net.graph = make_topology("rlft", "ports = 4\nstages = 2", {Rate(8'000'000'000), nanoseconds(5)});
  net.settings.mtu = Bytes(256);
  net.settings.header = Bytes(20);
  net.settings.source_queues = SourceQueueKind::shared_memory;
  net.settings.acks = AckMode::in_band;
  net.mechanisms.marker = std::make_shared<HopCounter>();
  net.mechanisms.reaction = std::make_shared<RoundTrips>();
  net.settings.source_memory = Bytes(287);
  try {
    (void)net.build();
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).find("host.source_memory"), 0U) << error.what();
  }
  net.settings.source_memory = Bytes(288);
  const auto fabric = net.build();
  fabric->add_source(HostId(0), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                    {Time(0), HostId(3), Bytes(1'000)}}));
  EXPECT_TRUE(fabric->run_until(milliseconds(1)));
  EXPECT_EQ(fabric->counters().messages_completed, 1U);
}

TEST(Carried, ItIsPaidForInBytes) {
  Carrying run(AckMode::in_band);
  const FabricSettings& settings = run.fabric->settings();
  EXPECT_EQ(settings.header, Bytes(20 + 4 + 8));
  EXPECT_EQ(settings.ack_size, Bytes(10 + 4 + 16));
  ASSERT_TRUE(run.fabric->run_until(milliseconds(1)));
  for (const RoundTrips::Row& row : run.trips->acks) EXPECT_EQ(row.size, 30U);
  const auto hosts = static_cast<std::int64_t>(run.net.graph->host_count());
  std::int64_t bytes = 0;
  for (std::int64_t h = 0; h < hosts; ++h) {
    bytes +=
        run.fabric->port(run.net.graph->host_port(HostId(static_cast<std::uint32_t>(h)))).bytes;
  }
  EXPECT_EQ(bytes, hosts * (15'000 + (40 + 20) * (32 + 30)));
  // Once more, as who asks beforehand does: nothing is added twice.
  FabricSettings again = settings;
  carry(again, run.net.mechanisms);
  EXPECT_EQ(again.header, settings.header);
}

TEST(Carried, ABufferHasToHoldAPacketWithAllThatItCarries) {
  Carrying run(AckMode::in_band);
  run.net.settings.ingress_buffer = Bytes(256 + 20 + 12);
  EXPECT_NO_THROW(run.net.build());
  run.net.settings.ingress_buffer = Bytes(256 + 20 + 11);
  EXPECT_THROW(run.net.build(), InputError);
}

TEST(Carried, NotificationsAreThoseThatTheReactionWants) {
  Carrying run(AckMode::becn);
  // Nothing is marked: no notification, and the reaction is not asked.
  ASSERT_TRUE(run.fabric->run_until(milliseconds(1)));
  EXPECT_TRUE(run.trips->acks.empty());

  class MarksAll final : public Marker {
   public:
    void on_transmit(PortId, Packet& p) override { p.flags |= packet_flag::kMarkB; }
  };
  Carrying marked(AckMode::becn);
  marked.trips->counter = nullptr;
  marked.net.mechanisms.marker = std::make_shared<MarksAll>();
  marked.net.journal.deliveries.clear();
  marked.fabric = marked.net.build();
  marked.fabric->add_source(HostId(0), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                           {Time(0), HostId(1), Bytes(256 * 30)}}));
  ASSERT_TRUE(marked.fabric->run_until(milliseconds(1)));
  ASSERT_EQ(marked.trips->acks.size(), 10U);
  for (const RoundTrips::Row& row : marked.trips->acks) EXPECT_EQ(row.sequence % 3, 0U);
}

TEST(Carried, RunsWithoutHaveNoRecords) {
  SmallNetwork net;
  net.graph = make_topology("single-switch", "hosts = 2");
  net.routing = "shortest-path";
  auto fabric = net.build();
  fabric->add_source(HostId(0), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                    {Time(0), HostId(1), Bytes(10'000)}}));
  ASSERT_TRUE(fabric->run_until(milliseconds(1)));
  EXPECT_FALSE(fabric->core().records.any());
  EXPECT_EQ(fabric->core().records.memory(), 0U);
}

// --- Messages from switches to hosts

/// Where a packet with sequence `which` leaves the first switch, that tells the source.
class Teller final : public Marker {
 public:
  explicit Teller(std::uint32_t which) : which_(which) {}
  void attach(const FabricView& fabric) override {
    clock_ = fabric.clock;
    ports_ = fabric.ports;
    to_hosts_ = &fabric.to_hosts;
  }
  void on_transmit(PortId port, Packet& packet) override {
    if (packet.sequence != which_ || ports_[port].node != at_node) return;
    told_at = clock_.now().count;
    to_hosts_->send_to_source(port, packet, Bytes(64), {*this, packet.sequence});
  }
  void on_control(PortId port, const ControlMessage& message) override {
    EXPECT_EQ(message.as<std::uint32_t>(), which_);
    heard.emplace_back(port, clock_.now().count);
  }
  [[nodiscard]] std::uint64_t lost() const { return to_hosts_->lost(); }

  std::uint32_t at_node = 0;
  std::int64_t told_at = 0;
  std::vector<std::pair<PortId, std::int64_t>> heard;

 private:
  std::uint32_t which_;
  Clock clock_;
  Ports ports_;
  MessagesToHosts* to_hosts_ = nullptr;
};

/// Host 0 sends to the last host over three switches, at 1 B/ns, cables of 5 ns.
struct Telling {
  explicit Telling(std::size_t switch_on_the_way, Time routing_delay = nanoseconds(100)) {
    net.graph =
        make_topology("rlft", "ports = 4\nstages = 2", {Rate(8'000'000'000), nanoseconds(5)});
    net.settings.mtu = Bytes(1'000);
    net.settings.routing_delay = routing_delay;
    teller = std::make_shared<Teller>(2);
    net.mechanisms.marker = teller;
    fabric = net.build();
    const auto last = static_cast<std::uint32_t>(net.graph->host_count() - 1);
    std::uint32_t port = net.graph->host_port(HostId(0)).value;
    for (std::size_t i = 0;; ++i) {
      const std::uint32_t in = fabric->view().links.receiver(port);
      const NodeId node = net.graph->port(PortId(in)).node;
      if (i == switch_on_the_way) {
        teller->at_node = node.value;
        break;
      }
      routing::RouteQuery query;
      query.at = net.graph->switch_of(node);
      query.in_port = PortId(in);
      query.source = HostId(0);
      query.destination = HostId(last);
      port = net.graph->first_port(node).value + fabric->view().routing.default_route(query).port;
    }
    fabric->add_source(HostId(0), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                      {Time(0), HostId(last), Bytes(5'000)}}));
  }
  SmallNetwork net;
  std::shared_ptr<Teller> teller;
  std::unique_ptr<Fabric> fabric;
};

TEST(MessagesToHosts, TakeTheRouteBackHopByHop) {
  for (const std::size_t place : {0U, 1U, 2U}) {
    Telling run(place);
    ASSERT_TRUE(run.fabric->run_until(milliseconds(1)));
    ASSERT_EQ(run.teller->heard.size(), 1U) << place;
    EXPECT_EQ(run.teller->heard[0].first, run.net.graph->host_port(HostId(0)));
    const auto hops = static_cast<std::int64_t>(place) + 1;
    EXPECT_EQ(run.teller->heard[0].second - run.teller->told_at,
              hops * (64 + 5) * 1'000 + (hops - 1) * 100'000)
        << place;
  }
}

// What the other host has on its way back loses the time of the message on the shared link, once.
TEST(MessagesToHosts, TakeTheirTimeFromData) {
  const auto finish = [](bool tells) {
    Telling run(0);
    if (!tells) run.teller->at_node = UINT32_MAX;
    run.fabric->add_source(HostId(1), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                          {Time(0), HostId(0), Bytes(9'000)}}));
    EXPECT_TRUE(run.fabric->run_until(milliseconds(1)));
    Time last;
    for (const Delivery& one : run.net.journal.deliveries) {
      if (one.destination == HostId(0)) last = std::max(last, one.delivered);
    }
    return last;
  };
  EXPECT_EQ(finish(true) - finish(false), nanoseconds(64));
}

// Packet 2 leaves the second switch at 4 us, and the message would leave the first at 5.1 us. The
// host has sent all it had by then.
TEST(MessagesToHosts, AreLostAtALinkThatIsDown) {
  Telling run(1, nanoseconds(1'000));
  run.fabric->change_cable(run.net.graph->host_port(HostId(0)), nanoseconds(5'050), false);
  EXPECT_TRUE(run.fabric->run_until(milliseconds(1)));
  EXPECT_NEAR(static_cast<double>(run.teller->told_at), 4e6, 0.1e6);
  EXPECT_TRUE(run.teller->heard.empty());
  EXPECT_EQ(run.teller->lost(), 1U);
}

// From the last stage of a one-way network only other hosts can be reached.
TEST(MessagesToHosts, NeedLinksInBothDirections) {
  SmallNetwork net;
  net.graph = make_topology("umin-butterfly", "k = 4\nn = 2");
  net.routing = "destination-tag";
  const auto teller = std::make_shared<Teller>(0);
  teller->at_node =
      net.graph->port(net.graph->port(net.graph->host_port(HostId(5))).from).node.value;
  net.mechanisms.marker = teller;
  const auto fabric = net.build();
  fabric->add_source(HostId(0), std::make_unique<ListSource>(
                                    std::vector<MessageRequest>{{Time(0), HostId(5), Bytes(100)}}));
  EXPECT_THROW(fabric->run_until(milliseconds(1)), InputError);
}

}  // namespace
}  // namespace weir::fabric::testing::carried_test
