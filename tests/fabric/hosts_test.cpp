// Hosts: source queues, backlog, cutting and reassembly, order, what callbacks may do.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "support/small_network.hpp"
#include "weir/base/error.hpp"

namespace weir::fabric::testing::hosts_test {
namespace {

constexpr topology::LinkSpec kLink{Rate(8'000'000'000), Time(2'000)};  // 1 B/ns, 2 ns

/// Writes down what happens, with hooks for what a workload does.
class Log : public Observer {
 public:
  void on_generated(const Message& m, Time) override { generated.push_back(Time(m.generated)); }
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
                  one_class ? make_queueing(testing::one_class(settings), *graph)
                            : make_queueing("dbbm", *graph, "queues = 2")};
    fabric = std::make_unique<Fabric>(models, mechanisms, settings, log);
    return *fabric;
  }
  void send(std::uint32_t host, std::vector<MessageRequest> messages) {
    fabric->add_source(HostId(host), std::make_unique<ListSource>(std::move(messages)));
  }
  std::shared_ptr<const topology::Graph> graph;
  std::string routing = "shortest-path";
  std::string selection = "fixed";
  FabricSettings settings;
  Mechanisms mechanisms;
  bool one_class = false;
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

// --- Saturated hosts

/// Host 0 sends to hosts 1 (class 1) and 2 (class 0), of which three others share host 1 with it: a
/// quarter of that link is its part.
struct HalfBlocked {
  explicit HalfBlocked(Saturation saturation, SourceQueueKind kind = SourceQueueKind::per_class) {
    net.settings.saturation = saturation;
    net.settings.source_queues = kind;
    net.settings.ingress_buffer = Bytes(1'600);
    net.start();
    for (std::uint32_t h = 3; h < 6; ++h) add(h, {HostId(1)});
    add(0, {HostId(1), HostId(2)});
    net.fabric->run_until(microseconds(200));
    net.log.destinations.clear();
    for (int i = 0; i < 100; ++i) {
      net.fabric->run_until(net.fabric->now() + microseconds(4));
      most_waiting = std::max(most_waiting, net.fabric->backlog().count);
    }
  }
  void add(std::uint32_t host, const std::vector<HostId>& destinations) {
    net.fabric->add_source(HostId(host),
                           std::make_unique<SaturatedSource>(destinations, Bytes(100), 7 + host));
  }
  /// Of what is sent to `host`, over the 400 us.
  [[nodiscard]] double share_to(int host) const {
    return static_cast<double>(
               std::count(net.log.destinations.begin(), net.log.destinations.end(), host)) /
           4'000;
  }
  Net net;
  std::int64_t most_waiting = 0;
};

TEST(Saturation, HeadOfLineIsOneClosedLoop) {
  const HalfBlocked run(Saturation::head_of_line);
  // As many to the one as to the other.
  EXPECT_NEAR(run.share_to(2), 0.25, 0.02);
  EXPECT_NEAR(run.share_to(1), 1, 0.02);
  EXPECT_EQ(run.net.fabric->counters().messages_refused, 0U);
}

TEST(Saturation, ABlockedQueueHoldsBackNobodyElse) {
  for (const SourceQueueKind kind :
       {SourceQueueKind::per_class, SourceQueueKind::per_destination}) {
    const HalfBlocked run(Saturation::per_queue, kind);
    EXPECT_NEAR(run.share_to(2), 0.75, 0.02) << static_cast<int>(kind);
    EXPECT_NEAR(run.share_to(1), 1, 0.02) << static_cast<int>(kind);
    EXPECT_EQ(run.net.fabric->counters().messages_refused, 0U);
    // At most 8 packets in each queue: two of host 0, one of each other host.
    EXPECT_LE(run.most_waiting, 5 * 800);
  }
}

TEST(Saturation, AtFullRateWhatFindsItsQueueFullIsRefused) {
  const HalfBlocked run(Saturation::full_rate);
  EXPECT_NEAR(run.share_to(1), 1, 0.02);
  // Every other message is for host 2, and finds room.
  EXPECT_NEAR(run.share_to(2), 0.5, 0.02);
  EXPECT_LE(run.most_waiting, 5 * 800);
  const Counters& counters = run.net.fabric->counters();
  // Four sources, a message each 100 ns; what is not delivered is refused or on its way.
  EXPECT_NEAR(static_cast<double>(counters.messages_generated + counters.messages_refused),
              4 * 6'000, 40);
  EXPECT_NEAR(static_cast<double>(counters.messages_refused), 24'000 * (1 - 1.5 / 4), 300);
}

TEST(Saturation, FullRateIsBoundedByTheBacklogWhereThereIsOne) {
  Net net;
  net.settings.saturation = Saturation::full_rate;
  net.settings.backlog = Bytes(300);
  net.settings.ingress_buffer = Bytes(400);
  net.start();
  for (std::uint32_t h = 0; h < 2; ++h) {
    net.fabric->add_source(
        HostId(h), std::make_unique<SaturatedSource>(std::vector<HostId>{HostId(3)}, Bytes(100)));
  }
  std::int64_t most = 0;
  for (int ns = 0; ns < 20'000; ns += 50) {
    net.fabric->run_until(nanoseconds(ns));
    most = std::max(most, net.fabric->backlog().count);
  }
  EXPECT_EQ(most, 600);
  EXPECT_GT(net.fabric->counters().messages_refused, 100U);
}

std::uint64_t trajectory(Saturation saturation, SourceQueueKind kind, bool one_class) {
  Net net;
  net.settings.saturation = saturation;
  net.settings.source_queues = kind;
  net.settings.source_memory = Bytes(400);
  net.settings.ingress_buffer = Bytes(400);
  net.one_class = one_class;
  net.start();
  for (std::uint32_t h = 0; h < 6; ++h) {
    std::vector<HostId> others;
    for (std::uint32_t d = 0; d < 6; ++d) {
      if (d != h) others.emplace_back(d);
    }
    net.fabric->add_source(HostId(h), std::make_unique<SaturatedSource>(others, Bytes(250), h));
  }
  net.fabric->run_until(microseconds(200));
  return net.fabric->fingerprint();
}

// With one queue a host there is nobody else to hold back: the same packets at the same times.
TEST(Saturation, ClosedLoopsCoincideWhereAHostHasOneQueue) {
  for (const SourceQueueKind kind : {SourceQueueKind::fifo, SourceQueueKind::shared_memory}) {
    EXPECT_EQ(trajectory(Saturation::per_queue, kind, false),
              trajectory(Saturation::head_of_line, kind, false));
  }
  EXPECT_EQ(trajectory(Saturation::per_queue, SourceQueueKind::per_class, true),
            trajectory(Saturation::head_of_line, SourceQueueKind::per_class, true));
  EXPECT_NE(trajectory(Saturation::per_queue, SourceQueueKind::per_class, false),
            trajectory(Saturation::head_of_line, SourceQueueKind::per_class, false));
}

// A destination whose flow may not inject at all: the others have the link to themselves.
TEST(Saturation, AFlowThatMayNotInjectHoldsBackNobodyElse) {
  struct Closed : Reaction {
    Time may_inject(const Message& message, Time now) override {
      return message.destination == 1 ? Time::max() : now;
    }
    void on_injected(const Message&, const Packet&, Time) override {}
    void on_ack(const Packet&, Time) override {}
  };
  for (const Saturation saturation : {Saturation::per_queue, Saturation::head_of_line}) {
    Net net;
    net.settings.saturation = saturation;
    net.settings.source_queues = SourceQueueKind::per_destination;
    net.settings.acks = AckMode::ideal;
    net.mechanisms.reaction = std::make_shared<Closed>();
    net.start();
    net.fabric->add_source(
        HostId(0),
        std::make_unique<SaturatedSource>(
            std::vector<HostId>{HostId(1), HostId(2), HostId(3), HostId(4)}, Bytes(100), 5));
    if (saturation == Saturation::head_of_line) {
      EXPECT_THROW(net.fabric->run_until(microseconds(100), WhenIdle::keep_time), RunError);
      EXPECT_LT(net.log.destinations.size(), 100U);
    } else {
      net.fabric->run_until(microseconds(100), WhenIdle::keep_time);
      EXPECT_GE(net.log.destinations.size(), 999U);
      for (const int destination : {2, 3, 4}) {
        EXPECT_NEAR(static_cast<double>(std::count(net.log.destinations.begin(),
                                                   net.log.destinations.end(), destination)),
                    333, 40);
      }
    }
  }
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
}  // namespace weir::fabric::testing::hosts_test
