// Organizations of the source queues of a host: which packet leaves next where some flows may not
// inject (ferrer2012, section 6.4).
#include <gtest/gtest.h>

#include <map>

#include "support/small_network.hpp"
#include "weir/base/error.hpp"

namespace weir::fabric::testing::source_queues_test {
namespace {

constexpr topology::LinkSpec kLink{Rate(8'000'000'000), Time(2'000)};  // 1 B/ns, 2 ns
constexpr std::uint32_t kHosts = 8;

/// Flows to some destinations may not inject before a time, or not before an ACK has come.
class Gates : public Reaction {
 public:
  std::map<std::uint32_t, Time> closed_until;
  std::map<std::uint32_t, bool> waits_for_ack;
  int window = 1'000'000;
  int asked = 0;

  Time may_inject(const Message& message, Time now) override {
    ++asked;
    if (outstanding_[message.destination] >= window) return Time::max();
    if (waits_for_ack.contains(message.destination) && acks_ == 0) return Time::max();
    return std::max(now, closed_until[message.destination]);
  }
  void on_injected(const Message& message, const Packet&, Time) override {
    ++outstanding_[message.destination];
  }
  void on_ack(const Packet& ack, Time) override {
    ++acks_;
    --outstanding_[ack.source];
  }
  [[nodiscard]] bool shares_states() const override { return !waits_for_ack.empty(); }

 private:
  int acks_ = 0;
  std::map<std::uint32_t, int> outstanding_;
};

struct Sent {
  std::uint32_t destination;
  std::int64_t at;  ///< ns
  std::uint32_t bytes;
};

class Log : public Observer {
 public:
  void on_injected(const Packet& p, const Message&) override {
    sent.push_back({p.destination, p.injected / 1'000, p.size});
  }
  void on_delivered(const Packet& p, const Message&, Time, bool in_order) override {
    delivered += p.size;
    late += in_order ? 0 : 1;
  }
  [[nodiscard]] std::vector<std::uint32_t> order() const {
    std::vector<std::uint32_t> all;
    for (const Sent& one : sent) all.push_back(one.destination);
    return all;
  }
  std::vector<Sent> sent;
  std::int64_t delivered = 0;
  int late = 0;
};

/// One switch; host 0 sends messages of 100 bytes, one packet each.
struct Net {
  explicit Net(SourceQueueKind kind) {
    graph = make_topology("single-switch", "hosts = 8", kLink);
    settings.mtu = Bytes(100);
    settings.acks = AckMode::ideal;
    settings.source_queues = kind;
  }
  Fabric& start() {
    Models models{graph, make_routing("shortest-path", *graph), make_selection("fixed"),
                  make_queueing(one_class(settings), *graph)};
    Mechanisms mechanisms;
    mechanisms.reaction = gates;
    fabric = std::make_unique<Fabric>(models, mechanisms, settings, log);
    return *fabric;
  }
  void send(const std::vector<std::uint32_t>& destinations, std::int64_t bytes = 100) {
    for (const std::uint32_t destination : destinations)
      fabric->submit(HostId(0), {fabric->now(), HostId(destination), Bytes(bytes)}, 0, 0);
  }
  void drain() { ASSERT_TRUE(fabric->run_until(milliseconds(10), WhenIdle::stop)); }

  std::shared_ptr<const topology::Graph> graph;
  FabricSettings settings;
  std::shared_ptr<Gates> gates = std::make_shared<Gates>();
  Log log;
  std::unique_ptr<Fabric> fabric;
};

using Order = std::vector<std::uint32_t>;

TEST(SourceQueues, AFlowThatMustWaitHoldsEverythingBehindItInAFifo) {
  Net net(SourceQueueKind::fifo);
  net.gates->closed_until[1] = microseconds(1);
  net.start();
  net.send({1, 2, 3});
  net.drain();
  EXPECT_EQ(net.log.order(), (Order{1, 2, 3}));
  EXPECT_EQ(net.log.sent.front().at, 1'000);
}

TEST(SourceQueues, QueuesByDestinationModuloHoldOnlyTheirOwn) {
  Net net(SourceQueueKind::modulo);
  net.settings.source_queue_count = 2;
  net.gates->closed_until[1] = microseconds(1);
  net.start();
  net.send({1, 3, 2, 4, 5});
  net.drain();
  EXPECT_EQ(net.log.order(), (Order{2, 4, 1, 3, 5}));
  EXPECT_EQ(net.log.sent[1].at, 100);
  EXPECT_EQ(net.log.sent[2].at, 1'000);
}

TEST(SourceQueues, AsManyQueuesAsHostsAreAQueueForEachDestination) {
  for (const SourceQueueKind kind : {SourceQueueKind::modulo, SourceQueueKind::per_destination}) {
    Net net(kind);
    net.settings.source_queue_count = kHosts;
    net.gates->closed_until[1] = microseconds(1);
    net.start();
    net.send({1, 3, 2, 3, 5, 1});
    net.drain();
    EXPECT_EQ(net.log.order(), (Order{3, 2, 5, 3, 1, 1}));
  }
}

TEST(SourceQueues, APausedQueueKeepsItsTurn) {
  Net net(SourceQueueKind::per_destination);
  net.gates->closed_until[1] = Time(150'000);
  net.start();
  net.send({1, 2, 3, 4, 2, 3, 4, 1});
  net.drain();
  // Queue 1 is the one that has waited longest when it may go, at the next end of a packet.
  EXPECT_EQ(net.log.order(), (Order{2, 3, 1, 4, 2, 3, 1, 4}));
}

TEST(SourceQueues, PausedQueuesAreNotAskedAgainAndAgain) {
  Net net(SourceQueueKind::per_destination);
  net.gates->closed_until[1] = milliseconds(1);
  net.start();
  net.send({1});
  for (int i = 0; i < 200; ++i) net.send({2});
  net.drain();
  EXPECT_LE(net.gates->asked, 1 + 200 + 2);
}

TEST(SourceQueues, AnAckResumesItsFlow) {
  Net net(SourceQueueKind::per_destination);
  net.gates->window = 1;
  net.start();
  net.send({1, 1});
  net.drain();
  EXPECT_EQ(net.log.order(), (Order{1, 1}));
  EXPECT_GT(net.log.sent[1].at, 100 + 4);  // a round trip, not the end of the packet before
}

TEST(SourceQueues, AnAckOfOneFlowResumesOthersWhereTheyShareStates) {
  for (const SourceQueueKind kind : {SourceQueueKind::fifo, SourceQueueKind::modulo}) {
    Net net(kind);
    net.settings.source_queue_count = 4;
    net.gates->waits_for_ack[1] = true;
    net.start();
    net.send({2, 1});
    net.drain();
    EXPECT_EQ(net.log.order(), (Order{2, 1}));
  }
}

TEST(SourceQueues, ASharedMemorySendsTheOldestPacketThatMayGo) {
  Net net(SourceQueueKind::shared_memory);
  net.settings.source_memory = Bytes(1'000);
  net.gates->closed_until[1] = Time(350'000);
  net.start();
  // One after the other: a shared memory goes by age, not by flow.
  for (const std::uint32_t destination : {1U, 2U, 2U, 2U, 3U, 1U}) {
    net.send({destination});
    net.fabric->run_until(net.fabric->now() + nanoseconds(1), WhenIdle::keep_time);
  }
  net.drain();
  EXPECT_EQ(net.log.order(), (Order{2, 2, 2, 3, 1, 1}));
}

TEST(SourceQueues, AgeAlsoCountsForAFlowThatWasPaused) {
  Net net(SourceQueueKind::shared_memory);
  net.settings.source_memory = Bytes(1'000);
  net.gates->closed_until[1] = Time(150'000);
  net.start();
  for (const std::uint32_t destination : {1U, 2U, 3U, 1U, 2U}) {
    net.send({destination});
    net.fabric->run_until(net.fabric->now() + nanoseconds(1), WhenIdle::keep_time);
  }
  net.drain();
  EXPECT_EQ(net.log.order(), (Order{2, 3, 1, 1, 2}));
}

TEST(SourceQueues, AFullSharedMemoryHoldsWhatComesBehind) {
  Net net(SourceQueueKind::shared_memory);
  net.settings.source_memory = Bytes(250);  // two packets
  net.gates->closed_until[1] = microseconds(1);
  net.start();
  net.send({1, 1, 2, 3});
  net.drain();
  EXPECT_EQ(net.log.order(), (Order{1, 1, 2, 3}));
  EXPECT_EQ(net.log.sent.front().at, 1'000);
}

TEST(SourceQueues, RoomInASharedMemoryComesBackWithEachPacketSent) {
  Net net(SourceQueueKind::shared_memory);
  net.settings.source_memory = Bytes(250);
  net.gates->closed_until[1] = microseconds(1);
  net.start();
  net.send({2, 1, 3, 4});
  net.drain();
  EXPECT_EQ(net.log.order(), (Order{2, 3, 4, 1}));
}

TEST(SourceQueues, AMessageLargerThanTheSharedMemoryPassesThroughIt) {
  Net net(SourceQueueKind::shared_memory);
  net.settings.header = Bytes(22);
  net.settings.source_memory = Bytes(250);  // two packets of 122 bytes
  net.start();
  net.send({1}, 1'050);
  net.send({2});
  net.drain();
  EXPECT_EQ(net.log.delivered, 1'050 + 100 + 12 * 22);
  EXPECT_EQ(net.log.sent[10].bytes, 72U);  // the last of the message
  EXPECT_EQ(net.log.sent[11].destination, 2U);
}

TEST(SourceQueues, EveryOrganizationSendsEverythingInOrder) {
  for (const SourceQueueKind kind :
       {SourceQueueKind::fifo, SourceQueueKind::per_class, SourceQueueKind::per_destination,
        SourceQueueKind::modulo, SourceQueueKind::shared_memory}) {
    for (const int window : {1, 2, 5}) {
      Net net(kind);
      net.settings.source_queue_count = 3;
      net.settings.source_memory = Bytes(500);
      net.gates->window = window;
      for (std::uint32_t i = 1; i < kHosts; i += 2)
        net.gates->closed_until[i] = nanoseconds(700 * i);
      net.start();
      RandomStream random(7, static_cast<std::uint32_t>(window), StreamPurpose::test);
      std::int64_t bytes = 0;
      for (int i = 0; i < 300; ++i) {
        const std::int64_t size = 1 + static_cast<std::int64_t>(random.below(350));
        bytes += size;
        net.send({1 + static_cast<std::uint32_t>(random.below(kHosts - 1))}, size);
        net.fabric->run_until(
            net.fabric->now() + Time(static_cast<std::int64_t>(random.below(400'000))),
            WhenIdle::keep_time);
      }
      net.drain();
      EXPECT_EQ(net.log.delivered, bytes);
      EXPECT_EQ(net.log.late, 0);
    }
  }
}

TEST(SourceQueues, ASaturatedSourceKeepsEveryOrganizationBusy) {
  for (const SourceQueueKind kind :
       {SourceQueueKind::fifo, SourceQueueKind::modulo, SourceQueueKind::shared_memory}) {
    Net net(kind);
    net.settings.source_queue_count = 2;
    net.settings.source_memory = Bytes(300);
    net.start();
    net.fabric->add_source(HostId(0),
                           std::make_unique<SaturatedSource>(
                               std::vector<HostId>{HostId(1), HostId(2), HostId(3)}, Bytes(100)));
    net.fabric->run_until(microseconds(10), WhenIdle::keep_time);
    EXPECT_GE(net.log.sent.size(), 99U);
  }
}

// FVOQ of ferrer2012, section 6.4: a packet keeps its place from the start until its ACK.
TEST(SourceQueues, PlacesAreFreeWhenTheAckIsBack) {
  for (const AckMode acks : {AckMode::ideal, AckMode::in_band}) {
    Net net(SourceQueueKind::per_destination);
    net.settings.acks = acks;
    net.settings.source_queue_packets = 2;
    net.start();
    net.send({1, 1, 1, 1, 2});
    net.drain();
    // An ACK needs 130 ns: when the link is free of the first three, two places are free again.
    ASSERT_EQ(net.log.sent.size(), 5U);
    EXPECT_EQ(net.log.order(), (Order{1, 2, 1, 1, 1}));
    EXPECT_EQ(net.log.sent[2].at, 200);
    EXPECT_EQ(net.log.sent[3].at, 300);
    EXPECT_EQ(net.log.late, 0);
    EXPECT_EQ(net.log.delivered, 500);
  }
}

TEST(SourceQueues, OnePlaceIsAPacketARoundTrip) {
  Net net(SourceQueueKind::per_destination);
  net.settings.source_queue_packets = 1;
  net.settings.ack_delay = microseconds(1);
  net.start();
  net.send({1, 1, 1, 2}, 250);  // of three packets each
  net.drain();
  ASSERT_EQ(net.log.sent.size(), 12U);
  EXPECT_EQ(net.log.late, 0);
  EXPECT_EQ(net.log.delivered, 1'000);
  // 100 ns and two links of 2 ns there, 1 us back.
  std::int64_t before = -1;
  for (const Sent& one : net.log.sent) {
    if (one.destination != 1) continue;
    if (before >= 0) {
      EXPECT_GE(one.at - before, 1'054);
      EXPECT_LE(one.at - before, 1'204);
    }
    before = one.at;
  }
}

TEST(SourceQueues, PlacesOfLostPacketsAreFree) {
  Net net(SourceQueueKind::per_destination);
  net.settings.source_queue_packets = 1;
  net.start();
  const PortId link = net.graph->port(net.graph->host_port(HostId(1))).to;
  net.fabric->change_cable(link, nanoseconds(150), false);
  net.fabric->change_cable(link, microseconds(2), true);
  net.send(std::vector<std::uint32_t>(30, 1));
  net.drain();
  EXPECT_EQ(net.log.sent.size(), 30U);
  EXPECT_GT(net.fabric->counters().packets_lost, 5U);
  EXPECT_EQ(net.fabric->counters().packets_delivered + net.fabric->counters().packets_lost, 30U);
}

TEST(SourceQueues, PlacesNeedAcksAndAQueueForEachDestination) {
  const auto refused = [](SourceQueueKind kind, AckMode acks) {
    Net net(kind);
    net.settings.acks = acks;
    net.settings.source_queue_packets = 2;
    try {
      net.start();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(refused(SourceQueueKind::per_destination, AckMode::none).find("host.acks"),
            std::string::npos);
  EXPECT_NE(refused(SourceQueueKind::per_destination, AckMode::becn).find("host.acks"),
            std::string::npos);
  EXPECT_NE(refused(SourceQueueKind::fifo, AckMode::ideal).find("per-destination"),
            std::string::npos);
}

}  // namespace
}  // namespace weir::fabric::testing::source_queues_test
