#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "support/small_network.hpp"

namespace weir::fabric::testing::injection_test {
namespace {

constexpr topology::LinkSpec kLink{Rate(8'000'000'000), Time(2'000)};  // 1 B/ns, 2 ns

template <class Make>
auto make_model(const Registry<Make>& registry, const std::string& name, const std::string& toml,
                const topology::Graph& graph) {
  const auto& model = registry.find(name, {}, "model");
  return model.make(settings_of(model.info, toml), graph);
}

/// Counts packets per flow between injection and delivery.
class Outstanding : public Journal {
 public:
  void on_injected(const Packet& p, const Message&) override {
    most = std::max(most, ++out[p.destination]);
    injections.push_back(Time(p.injected));
  }
  void on_delivered(const Packet& p, const Message& m, Time now, bool in_order) override {
    --out[p.destination];
    Journal::on_delivered(p, m, now, in_order);
  }
  std::map<std::uint32_t, int> out;
  int most = 0;
  std::vector<Time> injections;
};

std::shared_ptr<Reaction> make_reaction(const std::string& name, const std::string& toml,
                                        const SmallNetwork& net) {
  const auto& model = reaction_registry().find(name, {}, "model");
  return model.make(
      settings_of(model.info, toml),
      {net.graph, make_routing(net.routing, *net.graph), net.mechanisms.marker, net.settings});
}

struct Window : SmallNetwork {
  Window(int window, AckMode acks) {
    graph = make_topology("line", "switches = 3", kLink);
    routing = "shortest-path";
    settings.mtu = Bytes(100);
    settings.acks = acks;
    settings.ack_size = Bytes(20);
    settings.routing_delay = nanoseconds(5);
    settings.crossbar_delay = nanoseconds(7);
    mechanisms.reaction =
        make_reaction("static-window", "window = " + std::to_string(window), *this);
  }
  std::unique_ptr<Fabric> start(Observer& observer) {
    Models models{graph, make_routing(routing, *graph), make_selection("fixed"),
                  make_queueing(one_class(settings), *graph)};
    return std::make_unique<Fabric>(models, mechanisms, settings, observer);
  }
};

// Data: 4 links of 2, 3 switches of 12, 100 of its own = 144. The ACK takes the same way, 20 long:
// 64. So a window of one packet sends every 208 ns.
TEST(StaticWindow, OfOneSendsOncePerRoundTrip) {
  for (const AckMode acks : {AckMode::ideal, AckMode::in_band}) {
    Window net(1, acks);
    Outstanding record;
    auto fabric = net.start(record);
    fabric->add_source(HostId(0), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                      {Time(0), HostId(2), Bytes(400)}}));
    EXPECT_TRUE(fabric->run_until(milliseconds(1)));
    EXPECT_EQ(record.most, 1);
    EXPECT_EQ(record.injections,
              (std::vector<Time>{Time(0), nanoseconds(208), nanoseconds(416), nanoseconds(624)}));
    EXPECT_EQ(fabric->counters().acks_injected, acks == AckMode::in_band ? 4U : 0U);
    EXPECT_EQ(fabric->counters().acks_delivered, acks == AckMode::in_band ? 4U : 0U);
  }
}

/// Times between the packets of a flow with a window of one.
std::vector<std::int64_t> rounds(Window& net, int packets) {
  Outstanding record;
  auto fabric = net.start(record);
  fabric->add_source(HostId(0), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                    {Time(0), HostId(2), Bytes(100 * packets)}}));
  EXPECT_TRUE(fabric->run_until(milliseconds(1)));
  std::vector<std::int64_t> gaps;
  for (std::size_t i = 1; i < record.injections.size(); ++i)
    gaps.push_back((record.injections[i] - record.injections[i - 1]).count);
  return gaps;
}

// Data take 144 ns, see above.
TEST(IdealAcks, ComeAfterADelayOfTheirOwn) {
  Window net(1, AckMode::ideal);
  net.settings.ack_delay = nanoseconds(30);
  EXPECT_EQ(rounds(net, 4), std::vector<std::int64_t>(3, 174'000));
}

TEST(IdealAcks, ComeUniformlyLateWithJitter) {
  Window net(1, AckMode::ideal);
  net.settings.ack_delay = nanoseconds(30);
  net.settings.ack_jitter = nanoseconds(40);
  const std::vector<std::int64_t> gaps = rounds(net, 2'001);
  ASSERT_EQ(gaps.size(), 2'000U);
  EXPECT_GE(*std::min_element(gaps.begin(), gaps.end()), 174'000);
  EXPECT_LE(*std::max_element(gaps.begin(), gaps.end()), 214'000);
  const double mean = std::accumulate(gaps.begin(), gaps.end(), 0.0) / 2'000;
  // Four standard errors: 40 / sqrt(12 * 2000) ns each.
  EXPECT_NEAR(mean, 194'000, 4 * 258);
  EXPECT_EQ(rounds(net, 2'001), gaps);
  net.settings.seed = 2;
  EXPECT_NE(rounds(net, 2'001), gaps);
}

TEST(IdealAcks, AloneHaveDelayAndJitter) {
  for (const bool jitter : {false, true}) {
    Window net(1, AckMode::in_band);
    if (jitter) {
      net.settings.ack_jitter = nanoseconds(1);
    } else {
      net.settings.ack_delay = nanoseconds(1);
    }
    Journal record;
    EXPECT_THAT([&] { net.start(record); },
                ::testing::ThrowsMessage<InputError>(
                    ::testing::HasSubstr(jitter ? "host.ack_jitter" : "host.ack_delay")));
  }
}

TEST(StaticWindow, BoundsEveryFlowByItself) {
  for (const int window : {1, 2, 3}) {
    Window net(window, AckMode::in_band);
    net.settings.source_queues = SourceQueueKind::per_destination;
    Outstanding record;
    auto fabric = net.start(record);
    fabric->add_source(
        HostId(0), std::make_unique<ListSource>(std::vector<MessageRequest>{
                       {Time(0), HostId(1), Bytes(3'000)}, {Time(0), HostId(2), Bytes(3'000)}}));
    fabric->add_source(HostId(1), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                      {Time(0), HostId(2), Bytes(3'000)}}));
    EXPECT_TRUE(fabric->run_until(milliseconds(1)));
    EXPECT_EQ(record.deliveries.size(), 90U);
    // Host 2 receives two flows of a window each.
    EXPECT_LE(record.most, 2 * window);
    EXPECT_GE(record.most, window);
  }
}

TEST(LeakyBucket, SpacesThePacketsOfAHost) {
  SmallNetwork net;
  net.graph = make_topology("single-switch", "hosts = 3", kLink);
  net.routing = "shortest-path";
  net.settings.mtu = Bytes(100);
  net.mechanisms.injection =
      make_model(injection_registry(), "leaky-bucket", "rate = \"2 Gbps\"", *net.graph);
  auto fabric = net.build();
  fabric->add_source(HostId(0), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                    {Time(0), HostId(1), Bytes(150)},
                                    {Time(0), HostId(2), Bytes(100)},
                                    {microseconds(10), HostId(2), Bytes(100)}}));
  EXPECT_TRUE(fabric->run_until(milliseconds(1)));
  std::vector<std::int64_t> injected;
  for (const Delivery& d : net.journal.deliveries) injected.push_back(d.injected.count / 1'000);
  // 100 B and 50 B at 0.25 B/ns, whatever their destination; nothing is saved up.
  EXPECT_EQ(injected, (std::vector<std::int64_t>{0, 400, 600, 10'000}));
}

/// Closes the injection port for good after the first packet.
class Once : public Injection {
 public:
  Time may_inject(HostId, Time now) override { return sent_ ? Time::max() : now; }
  void on_injected(HostId, const Packet&, const Message&, Time) override { sent_ = true; }

 private:
  bool sent_ = false;
};

TEST(InjectionScheme, NeverMeansNever) {
  SmallNetwork net;
  net.graph = make_topology("single-switch", "hosts = 2", kLink);
  net.routing = "shortest-path";
  net.settings.mtu = Bytes(100);
  net.mechanisms.injection = std::make_shared<Once>();
  auto fabric = net.build();
  fabric->add_source(HostId(0), std::make_unique<ListSource>(
                                    std::vector<MessageRequest>{{Time(0), HostId(1), Bytes(300)}}));
  EXPECT_THROW(fabric->run_until(milliseconds(1)), RunError);
  EXPECT_EQ(fabric->counters().packets_injected, 1U);
}

}  // namespace
}  // namespace weir::fabric::testing::injection_test
