#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "support/small_network.hpp"
#include "weir/flow_routing/flow_router.hpp"

namespace weir::flow_routing::flow_watch_test {
namespace {

using fabric::MessageRequest;
using fabric::testing::ListSource;

constexpr topology::LinkSpec kLink{Rate(8'000'000'000), Time(2'000)};

/// Keeps what it is told and, if it shall, connections of host 0.
class Diary final : public FlowWatch {
 public:
  void on_generated(const fabric::Message& message) override {
    ++generated;
    source[message.flow] = message.source;
  }
  void on_path(std::uint32_t connection, std::span<const PortId> path) override {
    ++told;
    paths[connection].assign(path.begin(), path.end());
  }
  void on_end(std::uint32_t) override { ++ended; }
  [[nodiscard]] bool goes_on(std::uint32_t connection) const override {
    return keeps && source.at(connection) == 0;
  }

  bool keeps = false;
  int generated = 0;
  int told = 0;
  int ended = 0;
  std::map<std::uint32_t, std::uint32_t> source;  ///< by connection
  std::map<std::uint32_t, std::vector<PortId>> paths;
};

struct Watched : fabric::testing::SmallNetwork {
  explicit Watched(bool per_message = false) {
    graph =
        fabric::testing::make_topology("modified-k-ary-n-tree", "k = 3\nn = 3\nwidth = 2", kLink);
    settings.mtu = Bytes(100);
    settings.ingress_buffer = Bytes(800);
    settings.source_queues = fabric::SourceQueueKind::per_destination;
    defaults = fabric::testing::make_routing("d-mod-k", *graph);
    const FlowRules rules{FlowRules::Sideways::forced, 8, false};
    FlowRouterSettings router_settings;
    router_settings.per_message = per_message;
    router_settings.packet_size = Bytes(10);
    router = std::make_shared<FlowRouter>(router_settings,
                                          std::make_shared<FlowTables>(*graph, *defaults, rules));
    router->tell(&diary);
    mechanisms.flow_routing = router;
    net = build();
  }
  void send(std::uint32_t from, std::vector<MessageRequest> messages) {
    net->add_source(HostId(from), std::make_unique<ListSource>(std::move(messages)));
  }

  Diary diary;
  std::shared_ptr<const routing::RoutingFunction> defaults;
  std::shared_ptr<FlowRouter> router;
  std::unique_ptr<fabric::Fabric> net;
};

TEST(FlowWatch, PathsAreThoseThatPortsCount) {
  Watched network;
  constexpr std::int64_t kLong = 100'000'000;
  for (std::uint32_t h = 0; h < 27; ++h) {
    if (h == 13) continue;
    network.send(
        h, {{Time(0), HostId(13), Bytes(kLong)}, {Time(0), HostId((h + 9) % 27), Bytes(kLong)}});
  }
  network.net->run_until(microseconds(200));
  const FlowRoutingCounters counters = network.router->counters();
  ASSERT_EQ(counters.completed_set_ups, counters.set_ups);
  ASSERT_GT(counters.diverted, 0U);
  std::vector<std::uint64_t> load(network.graph->port_count(), 0);
  for (const auto& [flow, path] : network.diary.paths) {
    const fabric::Flow ends = network.net->flows()[flow];
    EXPECT_EQ(path.front(), network.graph->host_port(HostId(ends.source)));
    EXPECT_EQ(network.graph->port(network.graph->port(path.back()).to).node,
              network.graph->node(HostId(ends.destination)));
    for (std::size_t i = 1; i < path.size(); ++i) {
      const NodeId at = network.graph->port(network.graph->port(path[i - 1]).to).node;
      EXPECT_EQ(network.graph->port(path[i]).node, at) << "the path hangs together";
      ++load[path[i].index()];
    }
  }
  EXPECT_EQ(network.diary.paths.size(), counters.set_ups);
  for (std::size_t p = 0; p < load.size(); ++p) {
    EXPECT_EQ(network.router->load(PortId(p)), load[p]) << network.graph->name(PortId(p));
  }
}

TEST(FlowWatch, WhoJoinsAnActiveConnectionIsToldAtOnce) {
  for (const bool per_message : {false, true}) {
    Watched network(per_message);
    // While the first is on its way the second comes; the third when all is torn down.
    network.send(4, {{Time(0), HostId(22), Bytes(100'000)},
                     {microseconds(20), HostId(22), Bytes(100)},
                     {microseconds(300), HostId(22), Bytes(100)}});
    ASSERT_TRUE(network.net->run_until(microseconds(10'000)));
    EXPECT_EQ(network.diary.generated, 3);
    EXPECT_EQ(network.diary.told, 3);
    EXPECT_EQ(network.diary.ended, per_message ? 3 : 2);
    EXPECT_EQ(network.router->counters().set_ups, per_message ? 3U : 2U);
  }
}

TEST(FlowWatch, AConnectionThatGoesOnIsNotTornDown) {
  Watched network;
  network.diary.keeps = true;
  for (const std::uint32_t from : {0U, 4U}) {
    network.send(from,
                 {{Time(0), HostId(22), Bytes(100)}, {microseconds(300), HostId(22), Bytes(100)}});
  }
  network.net->run_until(microseconds(299));
  EXPECT_EQ(network.router->counters().tear_downs, 1U);
  network.diary.keeps = false;
  ASSERT_TRUE(network.net->run_until(microseconds(400)));
  EXPECT_EQ(network.router->counters().set_ups, 3U) << "one of host 0, two of host 4";
  EXPECT_EQ(network.net->counters().messages_completed, 4U);
}

}  // namespace
}  // namespace weir::flow_routing::flow_watch_test
