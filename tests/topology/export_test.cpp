#include "weir/topology/export.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/topology/support.hpp"
#include "weir/topology/import_edge_list.hpp"
#include "weir/topology/import_ibnetdiscover.hpp"

namespace weir::topology {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A fabric with awkward names, unequal directions and exact odd rates and delays.
Graph awkward() {
  GraphBuilder builder("awkward");
  const HostId plain = builder.add_host("node-1.rack_2");
  const HostId spaced = builder.add_host("node 2 \"blue\" <a&b>");
  const HostId colon = builder.add_host("node:3#x\\");
  const HostId twin = builder.add_host("node-1.rack_2");
  const SwitchId leaf = builder.add_switch(6, "leaf");
  const SwitchId spine = builder.add_switch(3, "spine switch");
  builder.connect(plain, leaf, 5, {gigabits_per_second(100), nanoseconds(30)});
  builder.connect(spaced, leaf, 0, {Rate(56'250'000'001), picoseconds(12'345)});
  builder.connect_one_way(colon, leaf, 1, {gigabits_per_second(10), nanoseconds(1)});
  builder.connect_one_way(leaf, 1, colon, {gigabits_per_second(20), nanoseconds(2)});
  builder.connect(twin, spine, 2, {Rate(1), Time(0)});
  builder.connect(leaf, 3, spine, 0, {gigabits_per_second(400), nanoseconds(500)});
  builder.connect_one_way(leaf, 4, spine, 1, {gigabits_per_second(40), nanoseconds(5)});
  return builder.build();
}

/// All that an edge list keeps: nodes with names and port counts, links with rate and delay.
void expect_same(const Graph& a, const Graph& b) {
  ASSERT_EQ(a.host_count(), b.host_count());
  ASSERT_EQ(a.node_count(), b.node_count());
  ASSERT_EQ(a.port_count(), b.port_count());
  for (std::size_t n = 0; n < a.node_count(); ++n) {
    EXPECT_EQ(a.degree(NodeId(n)), b.degree(NodeId(n)));
  }
  for (std::size_t p = 0; p < a.port_count(); ++p) {
    const Port& x = a.port(PortId(p));
    const Port& y = b.port(PortId(p));
    ASSERT_EQ(x.to, y.to) << a.name(PortId(p));
    ASSERT_EQ(x.from, y.from) << a.name(PortId(p));
    EXPECT_EQ(x.link.rate, y.link.rate) << a.name(PortId(p));
    EXPECT_EQ(x.link.delay, y.link.delay) << a.name(PortId(p));
  }
}

Graph read_back(const Graph& graph) {
  return parse_edge_list(to_edge_list(graph), "exported.txt",
                         {gigabits_per_second(1), nanoseconds(999)});
}

TEST(EdgeListExport, ReadsBackToTheSameNetwork) {
  const Graph graph = awkward();
  const Graph again = read_back(graph);
  expect_same(graph, again);
  EXPECT_EQ(again.name(NodeId(std::size_t{0})), "node-1.rack_2");
  EXPECT_EQ(again.name(NodeId(std::size_t{1})), "node 2 \"blue\" <a&b>");
  EXPECT_EQ(again.name(NodeId(std::size_t{2})), "node:3#x\\");
  EXPECT_EQ(again.name(NodeId(std::size_t{3})), "node-1.rack_2#2") << "names are told apart";
  EXPECT_EQ(again.name(NodeId(std::size_t{5})), "spine switch");
  // The first line is a comment that names the family.
  const auto body = [](const std::string& list) { return list.substr(list.find('\n')); };
  EXPECT_EQ(body(to_edge_list(again)), body(to_edge_list(graph)));
}

class ExportOfModel : public testing::TestWithParam<std::pair<const char*, const char*>> {};

INSTANTIATE_TEST_SUITE_P(
    Models, ExportOfModel,
    testing::Values(std::pair{"rlft", "ports = 4\nstages = 3"},
                    std::pair{"umin-butterfly", "k = 2\nn = 3"},
                    std::pair{"bmin-perfect-shuffle", "hosts = 12\nk = 2\nn = 4"},
                    std::pair{"torus", "sizes = [4, 2, 3]"},
                    std::pair{"dragonfly", "p = 2\na = 4\nh = 2\ng = 6"},
                    std::pair{"modified-k-ary-n-tree", "k = 2\nn = 3"}, std::pair{"two-hosts", ""},
                    std::pair{"congestion-spreading", ""}));

TEST_P(ExportOfModel, EdgeListReadsBackToTheSameNetwork) {
  const Graph graph = make(GetParam().first, GetParam().second);
  const Graph again = read_back(graph);
  expect_same(graph, again);
  for (std::size_t n = 0; n < graph.node_count(); ++n) {
    EXPECT_EQ(graph.name(NodeId(n)), again.name(NodeId(n)));
  }
}

TEST(EdgeListExport, WritesAsDocumented) {
  const std::string text = to_edge_list(awkward());
  EXPECT_THAT(text, HasSubstr("\nhost node-1.rack_2\n"));
  EXPECT_THAT(text, HasSubstr("\nhost \"node 2 \\\"blue\\\" <a&b>\"\n"));
  EXPECT_THAT(text, HasSubstr("\nswitch \"spine switch\" 3\n"));
  EXPECT_THAT(text, HasSubstr("\nlink node-1.rack_2 leaf:5 rate=100Gbps delay=30ns\n"));
  EXPECT_THAT(text, HasSubstr("\nlink leaf:1 \"node:3#x\\\\\" rate=20Gbps delay=2ns oneway\n"));
  EXPECT_THAT(text, HasSubstr("\nlink leaf:4 \"spine switch\":1 rate=40Gbps delay=5ns oneway\n"));
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

TEST(DotExport, HasEveryNodeCableAndRank) {
  const Graph graph = make("k-ary-n-tree", "k = 2\nn = 2");
  const std::string text = to_dot(graph);
  EXPECT_THAT(text, testing::StartsWith("graph \"k-ary-n-tree\" {"));
  EXPECT_EQ(count(text, " -- "), 8U);
  EXPECT_EQ(count(text, "[shape=ellipse]"), 4U);
  EXPECT_THAT(text, HasSubstr("{ rank=same; \"s0\"; \"s1\"; }"));
  EXPECT_THAT(text, HasSubstr("\"s0\" -- \"s2\" [taillabel=\"2\", headlabel=\"0\"];"));
}

TEST(DotExport, OneWayLinksAreArrows) {
  const std::string text = to_dot(awkward());
  EXPECT_THAT(text, testing::StartsWith("digraph"));
  EXPECT_THAT(text, HasSubstr("\"leaf\" -> \"spine switch\" [taillabel=\"4\", headlabel=\"1\"];"));
  EXPECT_THAT(text, HasSubstr("headlabel=\"0\", dir=both];"));
  EXPECT_THAT(text, HasSubstr("\"node 2 \\\"blue\\\" <a&b>\" [shape=ellipse]"));
}

TEST(GraphmlExport, HasEveryNodeAndLinkWithItsNumbers) {
  const std::string text = to_graphml(awkward());
  EXPECT_EQ(count(text, "<node "), 6U);
  EXPECT_EQ(count(text, "<edge "), 4U * 2 + 2 + 1);
  EXPECT_THAT(text, HasSubstr("edgedefault=\"directed\""));
  EXPECT_THAT(text, HasSubstr("node 2 &quot;blue&quot; &lt;a&amp;b&gt;"));
  EXPECT_THAT(text,
              HasSubstr("<data key=\"rate\">56250000001</data><data key=\"delay\">12345</data>"));
  EXPECT_THAT(to_graphml(make("mesh", "sizes = [2]")), HasSubstr("edgedefault=\"undirected\""));
}

TEST(IbnetdiscoverExport, ReadsBackToTheSameFabric) {
  const Graph graph = make("k-ary-n-tree", "k = 4\nn = 2");
  const DiscoveredSubnet subnet = parse_ibnetdiscover(to_ibnetdiscover(graph), "fabric.txt");
  ASSERT_EQ(subnet.nodes.size(), graph.node_count());
  for (const DiscoveredNode& node : subnet.nodes) {
    const auto original = [&]() -> NodeId {
      for (std::size_t n = 0; n < graph.node_count(); ++n) {
        if (graph.name(NodeId(n)) == node.name) return NodeId(n);
      }
      return {};
    }();
    ASSERT_TRUE(original.valid()) << node.name;
    EXPECT_EQ(node.is_switch(), !graph.is_host(original));
    EXPECT_EQ(node.port_count, graph.degree(original));
    const auto ports = graph.ports(original);
    const auto cabled =
        std::count_if(ports.begin(), ports.end(), [](const Port& p) { return p.to.valid(); });
    EXPECT_EQ(node.ports.size(), static_cast<std::size_t>(cabled));
    for (const DiscoveredPort& port : node.ports) {
      const Port& peer = graph.port(graph.port(graph.port(original, port.number - 1U)).to);
      EXPECT_EQ(port.remote_port, peer.number + 1);
      EXPECT_EQ(port.remote_kind, graph.is_host(peer.node) ? 'H' : 'S');
    }
  }
}

struct SpeedName {
  std::int64_t megabits;
  const char* name;
};

class IbnetdiscoverSpeed : public testing::TestWithParam<SpeedName> {};

INSTANTIATE_TEST_SUITE_P(Rates, IbnetdiscoverSpeed,
                         testing::Values(SpeedName{8'000, "4xSDR"}, SpeedName{10'000, "1xFDR10"},
                                         SpeedName{16'000, "4xDDR"}, SpeedName{32'000, "4xQDR"},
                                         SpeedName{40'000, "4xFDR10"}, SpeedName{56'000, "4xFDR"},
                                         SpeedName{100'000, "4xEDR"}, SpeedName{200'000, "4xHDR"},
                                         SpeedName{400'000, "4xNDR"}, SpeedName{2'000, "1xSDR"},
                                         SpeedName{300'000, "12xEDR"}));

TEST_P(IbnetdiscoverSpeed, IsTheNearestOfTheLinkRate) {
  const LinkSpec link{Rate(GetParam().megabits * 1'000'000), nanoseconds(1)};
  const std::string text = to_ibnetdiscover(make("single-switch", "hosts = 1", link));
  EXPECT_THAT(text, HasSubstr(fmt::format("lid 2 {}\n", GetParam().name)));
}

TEST(IbnetdiscoverExport, RefusesWhatInfiniBandHasNot) {
  EXPECT_THAT([] { (void)to_ibnetdiscover(make("umin-butterfly", "k = 2\nn = 2")); },
              testing::ThrowsMessage<InputError>(HasSubstr("one-way link")));
  EXPECT_THAT([] { (void)to_ibnetdiscover(make("mesh", "sizes = [200, 200]")); },
              testing::ThrowsMessage<InputError>(HasSubstr("do not fit into a subnet")));
}

}  // namespace
}  // namespace weir::topology
