// Hosts: source queues, backlog, cutting and reassembly, order, what callbacks may do.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "test_network.hpp"
#include "weir/base/error.hpp"

namespace weir::fabric::testing {
namespace {

constexpr topology::LinkSpec kLink{Rate(8'000'000'000), Time(2'000)};  // 1 B/ns, 2 ns

/// Writes down what happens, with hooks for what a workload does.
class Log : public Observer {
 public:
  void on_generated(const Message& m) override { generated.push_back(Time(m.generated)); }
  void on_refused(HostId, const MessageRequest& request, std::uint8_t) override {
    refused.push_back(request.at);
  }
  void on_injected(const Packet& p, const Message&) override {
    destinations.push_back(static_cast<int>(p.destination));
    sizes.push_back(static_cast<int>(p.size));
    injected.emplace_back(p.injected);
  }
  void on_delivered(const Packet& p, const Message& m, Time now, bool in_order) override {
    ++delivered;
    late += in_order ? 0 : 1;
    if ((p.flags & packet_flag::kLastOfMessage) != 0) last_arrived = now;
    if (on_delivery) on_delivery(p, m);
  }
  void on_message_complete(const Message& m, Time now) override {
    EXPECT_EQ(m.undelivered, 0);
    complete.emplace_back(m.tag, now);
  }
  std::vector<Time> generated;
  std::vector<Time> refused;
  std::vector<Time> injected;
  std::vector<int> destinations;
  std::vector<int> sizes;
  std::vector<std::pair<std::uint32_t, Time>> complete;
  int delivered = 0;
  int late = 0;
  Time last_arrived;
  std::function<void(const Packet&, const Message&)> on_delivery;
};

struct Net {
  explicit Net(const std::string& topology = "single-switch",
               const std::string& toml = "hosts = 6") {
    graph = make_topology(topology, toml, kLink);
    settings.mtu = Bytes(100);
  }
  Fabric& start() {
    Models models{graph, make_routing(routing, *graph), make_selection(selection),
                  make_queueing("dbbm", *graph, "queues = 2")};
    fabric = std::make_unique<Fabric>(models, Mechanisms{}, settings, log);
    return *fabric;
  }
  void send(std::uint32_t host, std::vector<MessageRequest> messages) {
    fabric->add_source(HostId(host), std::make_unique<ListSource>(std::move(messages)));
  }
  std::shared_ptr<const topology::Graph> graph;
  std::string routing = "shortest-path";
  std::string selection = "fixed";
  FabricSettings settings;
  Log log;
  std::unique_ptr<Fabric> fabric;
};

MessageRequest to(std::uint32_t destination, std::int64_t bytes, Time at = Time(0),
                  std::uint32_t tag = 0) {
  return {at, HostId(destination), Bytes(bytes), tag};
}

using Ints = std::vector<int>;

TEST(Cutting, MessagesBecomePacketsOfAtMostTheMtuPlusHeader) {
  Net net;
  net.settings.header = Bytes(20);
  net.start();
  net.send(0, {to(1, 250, Time(0), 7), to(1, 100, Time(0), 8), to(1, 1, Time(0), 9)});
  EXPECT_TRUE(net.fabric->run_until(milliseconds(1)));
  EXPECT_EQ(net.log.sizes, (Ints{120, 120, 70, 120, 21}));
  // 2 + 2 of wire and the packets one after the other.
  const std::vector<std::pair<std::uint32_t, Time>> complete{
      {7, nanoseconds(314)}, {8, nanoseconds(434)}, {9, nanoseconds(455)}};
  EXPECT_EQ(net.log.complete, complete);
}

Ints order_of_destinations(SourceQueueKind kind) {
  Net net;
  net.settings.source_queues = kind;
  net.start();
  net.send(0, {to(1, 300), to(2, 200), to(3, 200)});
  EXPECT_TRUE(net.fabric->run_until(milliseconds(1)));
  return net.log.destinations;
}

TEST(SourceQueues, OneFifo) {
  EXPECT_EQ(order_of_destinations(SourceQueueKind::fifo), (Ints{1, 1, 1, 2, 2, 3, 3}));
}

// Classes are destination mod 2: 1 and 3 share a queue, served in turn with that of 2.
TEST(SourceQueues, OnePerClass) {
  EXPECT_EQ(order_of_destinations(SourceQueueKind::per_class), (Ints{1, 2, 1, 2, 1, 3, 3}));
}

TEST(SourceQueues, OnePerDestination) {
  EXPECT_EQ(order_of_destinations(SourceQueueKind::per_destination), (Ints{1, 2, 3, 1, 2, 3, 1}));
}

// Room for 200 B: the third and fourth message wait with the time they were made.
TEST(Backlog, WaitsForRoom) {
  Net net;
  net.settings.backlog = Bytes(200);
  net.start();
  net.send(0, {to(1, 100), to(1, 100), to(1, 100), to(1, 100)});
  std::int64_t most = 0;
  for (int ns = 0; ns < 500; ns += 10) {
    net.fabric->run_until(nanoseconds(ns));
    most = std::max(most, net.fabric->backlog().count);
  }
  EXPECT_EQ(most, 200);
  EXPECT_EQ(net.log.generated, (std::vector<Time>(4, Time(0))));
  EXPECT_EQ(net.log.injected,
            (std::vector<Time>{Time(0), nanoseconds(100), nanoseconds(200), nanoseconds(300)}));
  EXPECT_TRUE(net.log.refused.empty());
}

TEST(Backlog, DiscardsWhatHasNoRoom) {
  Net net;
  net.settings.backlog = Bytes(200);
  net.settings.when_full = WhenFull::discard;
  net.start();
  // The first leaves at once only after the events of its instant: two are in, two have no room.
  net.send(0, {to(1, 100), to(1, 100), to(1, 100), to(1, 100), to(1, 100, nanoseconds(50))});
  EXPECT_TRUE(net.fabric->run_until(milliseconds(1)));
  EXPECT_EQ(net.log.refused, (std::vector<Time>{Time(0), Time(0)}));
  EXPECT_EQ(net.fabric->counters().messages_refused, 2U);
  EXPECT_EQ(net.log.delivered, 3);
}

// A large message that waits must not be overtaken for ever by small ones of another source.
TEST(Backlog, IsServedInOrderOfWaiting) {
  Net net;
  net.settings.backlog = Bytes(300);
  net.start();
  std::vector<MessageRequest> small;
  for (int i = 0; i < 50; ++i) small.push_back(to(1, 100, nanoseconds(100 * i)));
  net.send(0, small);
  net.send(0, {to(1, 100, Time(0)), to(1, 300, nanoseconds(1), 77)});
  EXPECT_TRUE(net.fabric->run_until(milliseconds(1)));
  for (const auto& [tag, when] : net.log.complete) {
    if (tag != 77) continue;
    EXPECT_LT(when, microseconds(1));
  }
  EXPECT_EQ(net.log.complete.size(), 52U);
}

TEST(ClosedLoop, KeepsSoManyPacketsStaged) {
  Net net;
  net.settings.closed_loop_packets = 3;
  net.start();
  net.fabric->add_source(
      HostId(0), std::make_unique<SaturatedSource>(std::vector<HostId>{HostId(1)}, Bytes(100)));
  std::int64_t most = 0;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (int ns = 5; ns < 2'000; ns += 10) {
    net.fabric->run_until(nanoseconds(ns));
    most = std::max(most, net.fabric->backlog().count);
    least = std::min(least, net.fabric->backlog().count);
  }
  EXPECT_EQ(most, 300);
  EXPECT_GE(least, 200);
  EXPECT_EQ(net.log.injected.size(), 20U);
}

// Packets of a message over many paths: it is complete when the last of them is there, and what
// comes after a later one is counted, per flow too.
TEST(Reassembly, WaitsForAllPacketsInAnyOrder) {
  Net net("k-ary-n-tree", "k = 4\nn = 2");
  net.routing = "d-mod-k";
  net.selection = "random";
  net.settings.ingress_buffer = Bytes(800);
  net.start();
  for (std::uint32_t h = 0; h < 15; ++h) net.send(h, {to(h < 8 ? 15 : (h + 5) % 16, 3'000)});
  EXPECT_TRUE(net.fabric->run_until(milliseconds(10)));
  EXPECT_EQ(net.log.delivered, 15 * 30);
  EXPECT_EQ(net.log.complete.size(), 15U);
  EXPECT_GT(net.log.late, 0);
  int late = 0;
  for (const Flow& flow : net.fabric->flows()) {
    late += static_cast<int>(flow.out_of_order);
    EXPECT_EQ(flow.injected, 30U);
    EXPECT_EQ(flow.delivered, 30U);
    EXPECT_EQ(flow.highest, 30U);
  }
  EXPECT_EQ(late, net.log.late);
}

// A workload answers what it receives, with enough messages to move all of them in memory.
TEST(Callbacks, MaySubmitMessages) {
  for (const AckMode acks : {AckMode::none, AckMode::in_band}) {
    Net net;
    net.settings.acks = acks;
    net.start();
    int rounds = 0;
    net.log.on_delivery = [&](const Packet& p, const Message&) {
      const HostId here(p.destination);
      const HostId there(p.source);
      if (++rounds > 40) return;
      for (int i = 0; i < 50; ++i) net.fabric->submit(here, {Time(0), there, Bytes(10)});
    };
    net.fabric->submit(HostId(0), to(1, 250));
    EXPECT_TRUE(net.fabric->run_until(milliseconds(10)));
    EXPECT_EQ(net.log.delivered, 3 + 40 * 50);
    EXPECT_EQ(net.fabric->counters().messages_completed, 1U + 40U * 50U);
  }
}

TEST(Callbacks, ImpossibleMessagesAreRefused) {
  Net net;
  net.start();
  EXPECT_THROW(net.fabric->submit(HostId(0), to(6, 10)), InputError);
  EXPECT_THROW(net.fabric->submit(HostId(6), to(0, 10)), InputError);
  EXPECT_THROW(net.fabric->submit(HostId(0), to(1, 0)), InputError);
  EXPECT_THROW(net.send(6, {to(0, 10)}), InputError);
  EXPECT_THROW(net.send(0, {to(6, 10)}), RunError);
  EXPECT_TRUE(net.fabric->run_until(milliseconds(1)));
}

}  // namespace
}  // namespace weir::fabric::testing
