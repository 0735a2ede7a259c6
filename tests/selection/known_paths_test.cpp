// Selections that keep every connection on one path: the way that a mechanism is told beforehand is
// the one that its packets take.
#include <gmock/gmock.h>

#include <array>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "support/small_network.hpp"
#include "weir/fabric/hooks/known_paths.hpp"

namespace weir::selection::test::known_paths_test {
namespace {

using fabric::ConnectionName;
using fabric::testing::SmallNetwork;

using Path = std::vector<std::uint32_t>;  ///< transmitting ports of switches

/// Compares the way that each packet takes, ACKs included, with what is known of its connection.
class Witness final : public fabric::Marker {
 public:
  void attach(const fabric::FabricView& fabric) override {
    ports_ = fabric.ports;
    packets_ = fabric.packets;
    paths = fabric::KnownPaths(fabric);
  }
  void on_transmit(PortId port, fabric::Packet& packet) override {
    const ConnectionName name{HostId(packet.source), HostId(packet.destination),
                              packets_.connection_of(packet)};
    const auto key = std::array{packet.source, packet.destination, std::uint32_t{name.number}};
    auto [known, is_new] = known_.try_emplace(key);
    if (is_new) known->second = path_of(name);
    const Path& path = known->second;
    ASSERT_LE(packet.hops, path.size());
    ASSERT_EQ(path[packet.hops - 1U], port.value)
        << "switch " << int{packet.hops} << " from host " << packet.source << " to "
        << packet.destination << ", connection " << name.number;
    ++hops;
    (packet.is_ack() ? acks : data) += packet.hops == path.size() ? 1 : 0;
  }
  [[nodiscard]] Path path_of(const ConnectionName& connection) {
    Path path;
    paths.follow(connection, [&](std::uint32_t at, routing::Candidate next) {
      path.push_back(ports_[at].first_port + next.port);
      return true;
    });
    return path;
  }
  /// Different ways between two hosts.
  [[nodiscard]] std::size_t most_ways() const {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<Path>> ways;
    std::size_t most = 0;
    for (const auto& [key, path] : known_) {
      std::set<Path>& some = ways[{key[0], key[1]}];
      some.insert(path);
      most = std::max(most, some.size());
    }
    return most;
  }

  fabric::KnownPaths paths;
  std::size_t hops = 0;
  std::uint64_t data = 0;  ///< packets that were at the end of their path
  std::uint64_t acks = 0;

 private:
  fabric::Ports ports_;
  fabric::Packets packets_;
  std::map<std::array<std::uint32_t, 3>, Path> known_;
};

struct Case {
  const char* topology;
  const char* topology_toml;
  const char* routing;
  bool has_choice;  ///< somewhere a switch has several outputs for a packet
};
constexpr Case kCases[] = {
    {"k-ary-n-tree", "k = 2\nn = 3", "d-mod-k", true},
    {"k-ary-n-tree", "k = 4\nn = 2", "up-down", true},
    {"bmin-perfect-shuffle", "k = 2\nhosts = 8\nn = 3", "turnaround", true},
    {"mesh", "sizes = [3, 3]", "up-down", true},
    {"torus", "sizes = [5, 3]", "dimension-order", false},
    {"dragonfly", "p = 2\na = 2\nh = 1", "dragonfly-minimal", false},
    {"dragonfly", "p = 1\na = 3\nh = 1", "dragonfly-non-minimal", true},
};

/// Messages of a few packets between random hosts, on several connections.
void add_traffic(fabric::Fabric& network, std::uint64_t seed) {
  const auto hosts = static_cast<std::uint32_t>(network.graph().host_count());
  for (std::uint32_t host = 0; host < hosts; ++host) {
    RandomStream random(seed, host, StreamPurpose::test);
    const auto another = [&] {
      return (host + 1 + static_cast<std::uint32_t>(random.below(hosts - 1))) % hosts;
    };
    const std::uint32_t friend_of = another();
    for (std::uint16_t number = 0; number < 4; ++number) {
      std::vector<fabric::MessageRequest> messages;
      for (int i = 0; i < 6; ++i) {
        const std::uint32_t any = another();
        messages.push_back({nanoseconds(100 * i), HostId(i % 2 == 0 ? friend_of : any),
                            Bytes(1 + static_cast<std::int64_t>(random.below(3'000)))});
      }
      auto source = std::make_unique<fabric::testing::ListSource>(std::move(messages));
      source->connection = number;
      network.add_source(HostId(host), std::move(source));
    }
  }
}

class PathsOf : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(PathsOf, EachConnectionAreThoseThatItsPacketsTake) {
  const auto& [selection, toml] = GetParam();
  for (const Case& one : kCases) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      SCOPED_TRACE(fmt::format("{} {}, seed {}", one.topology, one.topology_toml, seed));
      SmallNetwork net;
      net.graph = fabric::testing::make_topology(one.topology, one.topology_toml,
                                                 {Rate(8'000'000'000), Time(2'000)});
      net.routing = one.routing;
      net.selection = selection;
      net.selection_toml = toml;
      net.settings.seed = seed;
      net.settings.mtu = Bytes(1'000);
      net.settings.ingress_buffer = Bytes(20'000);
      net.settings.acks = fabric::AckMode::in_band;
      const auto witness = std::make_shared<Witness>();
      net.mechanisms.marker = witness;
      const auto network = net.build();
      add_traffic(*network, seed);
      ASSERT_TRUE(network->run_until(milliseconds(10)));
      EXPECT_EQ(witness->data, network->counters().packets_delivered);
      EXPECT_EQ(witness->acks, network->counters().acks_delivered);
      const bool spreads = one.has_choice && net.selection == "ecmp";
      EXPECT_EQ(witness->paths.by_connection(), net.selection == "ecmp");
      EXPECT_EQ(witness->most_ways() > 1, spreads);
      EXPECT_EQ(network->counters().diverted > 0, spreads);
      if (HasFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Selections, PathsOf,
                         ::testing::Values(std::pair("fixed", ""), std::pair("ecmp", ""),
                                           std::pair("ecmp", "salt = \"same\"")));

TEST(KnownPaths, AreThoseOfTwoSelections) {
  std::set<std::string> keeping;
  const std::array<routing::Candidate, 2> allowed{};
  for (const ModelInfo* info : fabric::selection_registry().models()) {
    const auto selection = fabric::testing::make_selection(info->name);
    if (selection->keeps_paths()) keeping.insert(info->name);
    if (selection->keeps_paths() && !selection->is_fixed()) continue;
    EXPECT_THROW((void)selection->output_of({HostId(0), HostId(1), 0}, SwitchId(0), allowed),
                 std::logic_error);
  }
  EXPECT_THAT(keeping, ::testing::ElementsAre("ecmp", "fixed"));
}

}  // namespace
}  // namespace weir::selection::test::known_paths_test
