#include <gtest/gtest.h>

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "support/temporary_folder.hpp"
#include "topology/support.hpp"
#include "weir/topology/export.hpp"
#include "weir/topology/import_edge_list.hpp"

namespace weir::topology {
namespace {

const LinkSpec kLink{gigabits_per_second(100), nanoseconds(30)};

Graph parse(const std::string& text) { return parse_edge_list(text, "net.txt", kLink); }

std::string refused(const std::string& text) {
  try {
    (void)parse(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(EdgeList, ReadsNodesAndLinks) {
  const Graph graph = parse(
      "# two hosts\n"
      "host a   # the first\n"
      "host \"b \\\"2\\\"\"\n"
      "switch s 4\n"
      "link a s:2 rate=10Gbps delay=5ns\n"
      "link \"b \\\"2\\\"\":0 s\n"
      "\n");
  ASSERT_EQ(graph.host_count(), 2U);
  ASSERT_EQ(graph.switch_count(), 1U);
  EXPECT_EQ(graph.family(), "edge-list");
  EXPECT_EQ(graph.name(NodeId(1)), "b \"2\"");
  EXPECT_EQ(leads_to(graph, SwitchId(0), 0), "b \"2\"");
  EXPECT_EQ(leads_to(graph, SwitchId(0), 1), "-");
  EXPECT_EQ(leads_to(graph, SwitchId(0), 2), "a");
  EXPECT_EQ(graph.port(PortId(0)).link.rate, gigabits_per_second(10));
  EXPECT_EQ(graph.port(PortId(0)).link.delay, nanoseconds(5));
  EXPECT_EQ(graph.port(PortId(1)).link.rate, gigabits_per_second(100));
  EXPECT_EQ(graph.port(PortId(1)).link.delay, nanoseconds(30));
}

TEST(EdgeList, NodesMayFollowTheirLinksAndNamedPortsComeFirst) {
  const Graph graph = parse("link a s\nlink b s:0\nswitch s 2\nhost a\nhost b\n");
  EXPECT_EQ(leads_to(graph, SwitchId(0), 0), "b");
  EXPECT_EQ(leads_to(graph, SwitchId(0), 1), "a");
}

TEST(EdgeList, OneWayLinksUseOneDirectionOfAPort) {
  const Graph graph = parse(
      "host a\nhost b\nswitch s 2\nswitch t 2\n"
      "link a s oneway\nlink s t oneway\nlink t b oneway\n"
      "link b t oneway rate=\"40 Gbps\"\nlink t s oneway\nlink s a oneway\n");
  const auto s = graph.ports(graph.node(SwitchId(0)));
  EXPECT_EQ(graph.name(s[0].from), "a");
  EXPECT_EQ(graph.name(s[0].to), "t[0]");
  EXPECT_EQ(graph.name(s[1].from), "t[1]");
  EXPECT_EQ(graph.name(s[1].to), "a");
  EXPECT_EQ(graph.port(graph.host_port(HostId(1))).link.rate, gigabits_per_second(40));
}

TEST(EdgeList, TwoHostsBackToBack) {
  const Graph graph = parse("host a\nhost b\nlink a b rate=1Gbps\n");
  EXPECT_EQ(graph.port(PortId(0)).to, PortId(1));
  EXPECT_EQ(graph.port(PortId(1)).link.rate, gigabits_per_second(1));
}

TEST(EdgeList, ReadsBackWhatIsExported) {
  for (const char* model : {"k-ary-n-tree", "dragonfly", "umin-butterfly", "torus"}) {
    const auto& found = topology_registry().find(model, {}, "model");
    std::string settings;
    if (found.info.name == "k-ary-n-tree") settings = "k = 3\nn = 2";
    if (found.info.name == "dragonfly") settings = "p = 2\na = 4\nh = 2";
    if (found.info.name == "umin-butterfly") settings = "k = 2\nn = 3";
    if (found.info.name == "torus") settings = "sizes = [4, 3]";
    SCOPED_TRACE(model);
    const std::string error = refusal(model, settings);
    ASSERT_EQ(error, "");
    const Graph graph = make(model, settings);
    const std::string text = to_edge_list(graph);
    const Graph again = parse(text);
    EXPECT_EQ(to_edge_list(again).substr(to_edge_list(again).find('\n')),
              text.substr(text.find('\n')));
  }
}

TEST(EdgeList, ModelReadsAFile) {
  const support::TemporaryFolder folder;
  const auto file = folder / "edge-list.txt";
  std::ofstream(file) << "host a\nhost b\nswitch s 2\nlink a s\nlink b s\n";
  const Graph graph = make("edge-list", "file = '" + file.string() + "'");
  EXPECT_EQ(graph.host_count(), 2U);
  std::filesystem::remove(file);
  EXPECT_EQ(refusal("edge-list", "file = '" + file.string() + "'"),
            "test.toml:1:8: topology.file: " + file.string() +
                ": cannot open the file: No such file or directory");
}

struct BadCase {
  const char* text;
  const char* message;
};

class BadEdgeList : public testing::TestWithParam<BadCase> {};

TEST_P(BadEdgeList, IsRefusedWithItsPlace) {
  EXPECT_EQ(refused(GetParam().text), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, BadEdgeList,
    testing::Values(
        BadCase{"hist a\n", "net.txt:1:1: unknown statement 'hist' (did you mean 'host'?)"},
        BadCase{"host\n", "net.txt:1:5: expected the name of a node"},
        BadCase{"host a b\n", "net.txt:1:8: 'b' is too much on this line"},
        BadCase{"host \"a\n", "net.txt:1:6: a quote that is never closed"},
        BadCase{"host \"a\\", "net.txt:1:6: a quote that is never closed"},
        BadCase{"host a\nswitch a 4\n", "net.txt:2:8: 'a' is declared twice: first on line 1"},
        BadCase{"switch s\n", "net.txt:1:9: expected the number of ports of switch 's', 1 to 256"},
        BadCase{"switch s 0\n",
                "net.txt:1:11: expected the number of ports of switch 's', 1 to 256"},
        BadCase{"switch s 257\n",
                "net.txt:1:10: expected the number of ports of switch 's', 1 to 256"},
        BadCase{"switch s 4x\n",
                "net.txt:1:11: expected the number of ports of switch 's', 1 to 256"},
        BadCase{"host node1\nswitch s 4\nlink nodel s\n",
                "net.txt:3:6: no host or switch is called 'nodel' (did you mean 'node1'?)"},
        BadCase{"host a\nswitch s 4\nlink a zzzzzz\n",
                "net.txt:3:8: no host or switch is called 'zzzzzz'"},
        BadCase{"host a\nswitch s 4\nlink a s:4\n", "net.txt:3:8: 's' has ports 0 to 3, no port 4"},
        BadCase{"host a\nswitch s 4\nlink a s:x\n",
                "net.txt:3:10: expected a port number from 0 to 255"},
        BadCase{"host a\nswitch s 4\nlink a s:1x\n",
                "net.txt:3:11: 'x' does not belong to NAME:PORT"},
        BadCase{"host a\nswitch s 4\nlink a:1 s\n",
                "net.txt:3:6: 'a' is a host: it has port 0 only"},
        BadCase{"host a\nhost b\nswitch s 4\nlink a s:1\nlink b s:1\n",
                "net.txt:5:8: port 1 of 's' is already cabled by line 4"},
        BadCase{"host a\nswitch s 4\nlink a s\nlink a s\n",
                "net.txt:4:6: port 0 of 'a' is already cabled by line 3"},
        BadCase{"host a\nhost b\nswitch s 1\nlink a s\nlink b s\n",
                "net.txt:5:8: all 1 ports of switch 's' are cabled already"},
        BadCase{"host a\nswitch s 4\nlink a s rate=10\n",
                "net.txt:3:15: '10' needs a unit, as in '100 Gbps'"},
        BadCase{"host a\nswitch s 4\nlink a s rate=0Gbps\n",
                "net.txt:3:10: the rate must be positive"},
        BadCase{"host a\nswitch s 4\nlink a s delay=-1ns\n",
                "net.txt:3:10: the delay must not be negative"},
        BadCase{"host a\nswitch s 4\nlink a s onewa\n",
                "net.txt:3:10: unknown option 'onewa' of a link (did you mean 'oneway'?)"},
        BadCase{"host a\nswitch s 4\nlink a s rate=\"1 Gbps\"x\n",
                "net.txt:3:23: 'x' does not belong here"},
        BadCase{
            "host a\nhost b\nlink a b oneway\n",
            "net.txt:3:6: a one-way link between two hosts: only a full-duplex one can join them"},
        BadCase{"switch s 4\nlink s:1 s:1 oneway\n",
                "net.txt:2:10: port 1 of 's' cannot lead to itself"},
        BadCase{"host a\n", "net.txt:1:6: host 'a' is not cabled"},
        BadCase{"host a\nswitch s 1\nlink a s oneway\n",
                "net.txt:1:6: host 'a' has no link that leads to it"},
        BadCase{"host a\nswitch s 1\nlink s a oneway\n",
                "net.txt:1:6: host 'a' has no link that leaves it"},
        BadCase{"switch s 1\n", "net.txt: no 'host' line: a network needs at least one host"}));

TEST(EdgeList, RefusesWhatIsBeyondAllMeasure) {
  EXPECT_EQ(refused("host " + std::string(300, 'a')),
            "net.txt:1:6: a name of 300 bytes: at most 255");
  EXPECT_EQ(refused("host a\nswitch s 2\nlink a s rate=" + std::string(300, '1')),
            "net.txt:3:15: this value is too long");
  std::string text;
  for (int i = 0; i < 17'000; ++i) text += fmt::format("switch s{} 256\n", i);
  EXPECT_EQ(refused(text), "net.txt:16385:8: more than 4194304 ports in the network");
}

}  // namespace
}  // namespace weir::topology
