#include <gtest/gtest.h>

#include <fmt/format.h>

#include "topology/support.hpp"
#include "weir/topology/export.hpp"
#include "weir/topology/import_ibnetdiscover.hpp"
#include "weir/topology/statistics.hpp"

namespace weir::topology::import_ibnetdiscover_test {
namespace {

/// A leaf with two hosts and a spine: "leaf one" has LID 1, "spine" 3; node1 has LID 2, node2
/// LID 4.
const std::string kFabric = R"(#
# Topology file: generated on Sat Nov 21 01:30:03 2026
#
# Initiated from node 0000000000200000 port 0000000000200000

vendid=0x0
devid=0x0
sysimgguid=0x200001
switchguid=0x200001(200001)
Switch	8 "S-0000000000200001"		# "spine" base port 0 lid 3 lmc 0
[3]	"S-0000000000200000"[3]		# "leaf one" lid 1 4xNDR
[4]	"S-0000000000200000"[4]		# "leaf one" lid 1 12xQDR

vendid=0x0
devid=0x0
sysimgguid=0x200000
switchguid=0x200000(200000)
Switch	8 "S-0000000000200000"		# "leaf one" enhanced port 0 lid 1 lmc 0
[1]	"H-0000000000100000"[1](100001) 		# "node1 HCA-1" lid 2 4xHDR
[2]	"H-0000000000100003"[1](100004) 		# "node2 HCA-1" lid 4 2xHDR
[3]	"S-0000000000200001"[3]		# "spine" lid 3 4xNDR
[4]	"S-0000000000200001"[4]		# "spine" lid 3 12xQDR

vendid=0x0
devid=0x0
sysimgguid=0x100003
caguid=0x100003
Ca	2 "H-0000000000100003"		# "node2 HCA-1"
[1](100004) 	"S-0000000000200000"[2]		# lid 4 lmc 0 "leaf one" lid 1 2xHDR

vendid=0x0
devid=0x0
sysimgguid=0x100000
caguid=0x100000
Ca	2 "H-0000000000100000"		# "node1 HCA-1"
[1](100001) 	"S-0000000000200000"[1]		# lid 2 lmc 0 "leaf one" lid 1 4xHDR
)";

Graph import(const std::string& text, const SubnetOptions& options = {}) {
  return make_subnet_graph(parse_ibnetdiscover(text, "net.txt"), options);
}

std::string refused(const std::string& text, const SubnetOptions& options = {}) {
  try {
    (void)import(text, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

/// `kFabric` with the first `from` after line `line` (from 1) replaced.
std::string changed(int line, const std::string& from, const std::string& to) {
  std::string text = kFabric;
  std::size_t at = 0;
  for (int i = 1; i < line; ++i) at = text.find('\n', at) + 1;
  at = text.find(from, at);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Ibnetdiscover, MakesHostsSwitchesAndCables) {
  const Graph graph = import(kFabric);
  EXPECT_EQ(graph.family(), "ibnetdiscover");
  ASSERT_EQ(graph.host_count(), 2U);
  ASSERT_EQ(graph.switch_count(), 2U);
  EXPECT_EQ(graph.name(NodeId(0)), "node1 HCA-1");
  EXPECT_EQ(graph.name(NodeId(1)), "node2 HCA-1");
  EXPECT_EQ(graph.name(NodeId(2)), "leaf one");
  EXPECT_EQ(graph.name(NodeId(3)), "spine");
  EXPECT_EQ(graph.degree(NodeId(2)), 8U);
  EXPECT_EQ(leads_to(graph, SwitchId(0), 0), "node1 HCA-1");
  EXPECT_EQ(leads_to(graph, SwitchId(0), 1), "node2 HCA-1");
  EXPECT_EQ(leads_to(graph, SwitchId(0), 2), "spine[3]");
  EXPECT_EQ(leads_to(graph, SwitchId(0), 3), "spine[4]");
  EXPECT_EQ(leads_to(graph, SwitchId(0), 4), "-");
}

TEST(Ibnetdiscover, SpeedAndWidthSetTheRates) {
  const Graph graph = import(kFabric);
  const auto ports = graph.ports(NodeId(2));
  EXPECT_EQ(to_string(ports[0].link.rate), "200 Gbps");
  EXPECT_EQ(to_string(ports[1].link.rate), "100 Gbps");
  EXPECT_EQ(to_string(ports[2].link.rate), "400 Gbps");
  EXPECT_EQ(to_string(ports[3].link.rate), "96 Gbps");
  EXPECT_EQ(graph.port(graph.host_port(HostId(1))).link.rate, gigabits_per_second(100));
}

TEST(Ibnetdiscover, KnowsEverySpeed) {
  const auto rate = [](const char* text) { return link_data_rate(text).value_or(Rate(-1)).count; };
  EXPECT_EQ(rate("1xSDR"), 2'000'000'000);
  EXPECT_EQ(rate("4xDDR"), 16'000'000'000);
  EXPECT_EQ(rate("4xQDR"), 32'000'000'000);
  EXPECT_EQ(rate("4xFDR10"), 40'000'000'000);
  EXPECT_NEAR(static_cast<double>(rate("4xFDR")), 4 * 14.0625e9 * 64 / 66, 4);
  EXPECT_EQ(rate("4xEDR"), 100'000'000'000);
  EXPECT_EQ(rate("2xHDR"), 100'000'000'000);
  EXPECT_EQ(rate("8xNDR"), 800'000'000'000);
  EXPECT_EQ(rate("12xXDR"), 2'400'000'000'000);
  EXPECT_EQ(rate("4x???"), 0);
  EXPECT_EQ(rate("??HDR"), 0);
  EXPECT_EQ(rate("3xHDR"), -1);
  EXPECT_EQ(rate("4xPDR"), -1);
  EXPECT_EQ(rate(""), -1);
}

TEST(Ibnetdiscover, KeepsLidsAndGuids) {
  const Graph graph = import(kFabric);
  const auto* shape = graph.shape<SubnetShape>();
  ASSERT_NE(shape, nullptr);
  EXPECT_EQ(shape->hosts[0].lid, 2);
  EXPECT_EQ(shape->hosts[1].lid, 4);
  EXPECT_EQ(shape->hosts[1].guid, 0x100003U);
  EXPECT_EQ(shape->switches[0].lid, 1);
  EXPECT_EQ(shape->owner[4], NodeId(1));
  EXPECT_EQ(shape->owner[3], NodeId(3));
  EXPECT_FALSE(shape->owner[5].valid());
  EXPECT_EQ(shape->switch_of_guid.at(0x200001), SwitchId(1));
}

TEST(Ibnetdiscover, AdapterWithTwoCabledPortsIsTwoHosts) {
  std::string text =
      changed(1, "[2]\t\"H-0000000000100003\"[1](100004) \t\t# \"node2 HCA-1\" lid 4 2xHDR",
              "[2]\t\"H-0000000000100000\"[2](100002) \t\t# \"node1 HCA-1\" lid 8 2xHDR");
  const std::size_t block = text.find("vendid=0x0\ndevid=0x0\nsysimgguid=0x100003");
  text.erase(block, text.find("vendid", block + 10) - block);
  text += "[2](100002) \t\"S-0000000000200000\"[2]\t\t# lid 8 lmc 2 \"leaf one\" lid 1 2xHDR\n";
  const Graph graph = import(text);
  ASSERT_EQ(graph.host_count(), 2U);
  EXPECT_EQ(graph.name(NodeId(0)), "node1 HCA-1/P1");
  EXPECT_EQ(graph.name(NodeId(1)), "node1 HCA-1/P2");
  const auto* shape = graph.shape<SubnetShape>();
  EXPECT_EQ(shape->hosts[1].lid, 8);
  EXPECT_EQ(shape->owner[11], NodeId(1)) << "LMC 2: LIDs 8 to 11";
  EXPECT_FALSE(shape->owner[12].valid());
}

TEST(Ibnetdiscover, NodesOfOneNameGetTheirGuid) {
  const Graph graph = import(changed(35, "node1 HCA-1", "node2 HCA-1"));
  EXPECT_EQ(graph.name(NodeId(0)), "node2 HCA-1@0x0000000000100000");
  EXPECT_EQ(graph.name(NodeId(1)), "node2 HCA-1@0x0000000000100003");
}

TEST(Ibnetdiscover, NamesMayHoldQuotesAndHashes) {
  const Graph graph = import(changed(28, "node2 HCA-1", "node \"2\" # lid 9"));
  EXPECT_EQ(graph.name(NodeId(0)), "node \"2\" # lid 9");
}

TEST(Ibnetdiscover, AcceptsGroupedAndFullOutput) {
  std::string text = changed(21, "[3]", "[3][ext 12]");
  text.insert(0, "\nChassis 1 (guid 0x8f10400410015)\nHostname: rack4\n");
  const std::size_t at = text.find("4xHDR");
  text.insert(at + 5, " s=4 w=2 v=5 (scp)");
  EXPECT_EQ(import(text).host_count(), 2U);
}

TEST(Ibnetdiscover, WindowsLineEndsAreFine) {
  std::string text;
  for (const char c : kFabric) {
    if (c == '\n') text += '\r';
    text += c;
  }
  EXPECT_EQ(import(text).name(NodeId(0)), "node1 HCA-1");
}

TEST(Ibnetdiscover, ExcludedAdaptersAreLeftOut) {
  SubnetOptions options;
  options.exclude = {"node1"};
  const Graph graph = import(kFabric, options);
  ASSERT_EQ(graph.host_count(), 1U);
  EXPECT_EQ(graph.name(NodeId(0)), "node2 HCA-1");
  EXPECT_EQ(leads_to(graph, SwitchId(0), 0), "-");
  EXPECT_EQ(graph.shape<SubnetShape>()->excluded_lids, std::vector<std::uint16_t>{2});
}

TEST(Ibnetdiscover, ExcludingNothingIsAMistake) {
  SubnetOptions options;
  options.exclude = {"node1", "noed"};
  EXPECT_EQ(refused(kFabric, options),
            "net.txt: nothing to exclude: no adapter's name contains 'noed'");
}

TEST(Ibnetdiscover, RouterPortsAreHosts) {
  std::string text = changed(20, "\"H-", "\"R-");
  text.replace(text.find("Ca\t2 \"H-0000000000100003"), 7, "Rt\t2 \"R");
  text.replace(text.find("caguid=0x100003"), 2, "rt");
  const Graph graph = import(text);
  ASSERT_EQ(graph.host_count(), 2U);
  EXPECT_EQ(leads_to(graph, SwitchId(0), 1), "node2 HCA-1");
}

TEST(Ibnetdiscover, UnknownSpeedNeedsARate) {
  std::string text = changed(19, "4xHDR", "4x???");
  text.replace(text.rfind("4xHDR"), 5, "4x???");
  EXPECT_EQ(refused(text),
            "net.txt:36: the speed of adapter 'node1 HCA-1' (0x0000000000100000) port 1 reads "
            "'4x???"
            "': give "
            "rate_of_unknown_speed for such links");
  SubnetOptions options;
  options.rate_of_unknown_speed = gigabits_per_second(800);
  EXPECT_EQ(import(text, options).port(PortId(0)).link.rate, gigabits_per_second(800));
}

struct BadCase {
  int line;
  const char* from;
  const char* to;
  const char* message;
};

class BadFabric : public testing::TestWithParam<BadCase> {};

TEST_P(BadFabric, IsRefusedWithItsPlace) {
  const BadCase& bad = GetParam();
  EXPECT_EQ(refused(changed(bad.line, bad.from, bad.to)), bad.message);
}

INSTANTIATE_TEST_SUITE_P(
    Lines, BadFabric,
    testing::Values(
        BadCase{10, "Switch", "Swatch",
                "net.txt:10:1: 'Swatch' starts no line of ibnetdiscover: expected Switch, Ca, Rt, "
                "a port in "
                "brackets or a comment"},
        BadCase{10, "\t8 ", "\t0 ", "net.txt:10:9: expected the number of ports, 1 to 254"},
        BadCase{10, "\t8 ", "\t300 ", "net.txt:10:8: expected the number of ports, 1 to 254"},
        BadCase{10, "\"S-", "S-",
                "net.txt:10:10: expected a node id in quotes, as \"S-0002c90200000001\""},
        BadCase{10, "\"S-", "\"X-",
                "net.txt:10:10: \"X-0000000000200001\" is no node id: expected S-, H- or R- and a "
                "GUID in "
                "hexadecimal"},
        BadCase{
            10, "\"S-", "\"H-",
            "net.txt:10:10: id \"H-0000000000200001\" does not fit the kind of node: expected S-"},
        BadCase{10, "200001\"", "200001zz\"",
                "net.txt:10:10: \"S-0000000000200001zz\" is no node id: expected S-, H- or R- and "
                "a GUID in "
                "hexadecimal"},
        BadCase{
            18, "S-0000000000200000", "S-0000000000200001",
            "net.txt:18:10: second block of node \"S-0000000000200001\": the first is on line 10"},
        BadCase{10, "# \"spine\"", "",
                "net.txt:10:33: expected '#' and the name of the node in quotes"},
        BadCase{10, "\"spine\"", "spine", "net.txt:10:34: expected a node name in quotes"},
        BadCase{10, "base", "bass", "net.txt:10:42: expected 'base port 0' or 'enhanced port 0'"},
        BadCase{10, "port 0", "prot 0", "net.txt:10:47: expected 'port 0'"},
        BadCase{10, "lid 3", "lud 3", "net.txt:10:54: expected 'lid' and a number"},
        BadCase{10, "lid 3", "lid x", "net.txt:10:58: expected a LID from 0 to 65535"},
        BadCase{10, "lmc 0", "lmc 8", "net.txt:10:64: expected an LMC from 0 to 7"},
        BadCase{10, "lmc 0", "", "net.txt:10:60: expected 'lmc' and a number"},
        BadCase{11, "[3]", "[0]", "net.txt:11:1: expected a port number from 1 to 254 in brackets"},
        BadCase{11, "[3]", "[9]",
                "net.txt:11:1: port 9 of switch 'spine' (0x0000000000200001), which has 8 ports"},
        BadCase{11, "\"[3]", "\"3",
                "net.txt:11:25: expected a port number from 1 to 254 in brackets"},
        BadCase{19, "(100001)", "(100001", "net.txt:19:28: unclosed bracket"},
        BadCase{11, "# ", "", "net.txt:11:30: expected '#' and LID, width and speed"},
        BadCase{11, "4xNDR", "5xNDR",
                "net.txt:11:49: '5xNDR' is no link width and speed: expected 1x, 2x, 4x, 8x or 12x "
                "and SDR, "
                "DDR, QDR, FDR10, FDR, EDR, HDR, NDR or XDR, as 4xHDR"},
        BadCase{12, "[4]", "[3]",
                "net.txt:12: second line for port 3 of switch 'spine' (0x0000000000200001): the "
                "first is line 11"},
        BadCase{9, "switchguid", "[1]", "net.txt:9:1: a port line before the first node"}));

INSTANTIATE_TEST_SUITE_P(
    Cables, BadFabric,
    testing::Values(
        BadCase{11, "S-0000000000200000", "S-0000000000200009",
                "net.txt:11: switch 'spine' (0x0000000000200001) port 3 is cabled to "
                "\"S-0000000000200009\", which has no block in this file"},
        BadCase{11, "S-0000000000200000", "S-0000000000100000",
                "net.txt:11: switch 'spine' (0x0000000000200001) port 3 is cabled to "
                "\"S-0000000000100000\", but line 35 has that GUID as adapter 'node1 HCA-1' "
                "(0x0000000000100000)"},
        BadCase{11, "\"S-0000000000200000\"[3]", "\"S-0000000000200001\"[3]",
                "net.txt:11: switch 'spine' (0x0000000000200001) port 3 is cabled to itself"},
        BadCase{11, "\"[3]", "\"[7]",
                "net.txt:11: half a link: switch 'spine' (0x0000000000200001) port 3 is cabled to "
                "switch "
                "'leaf one' (0x0000000000200000) port 7, but the block on line 18 does not have "
                "that port"},
        BadCase{11, "\"[3]", "\"[4]",
                "net.txt:11: half a link: switch 'spine' (0x0000000000200001) port 3 is cabled to "
                "switch "
                "'leaf one' (0x0000000000200000) port 4, but line 22 cables that port to "
                "\"S-0000000000200001\"[4]"},
        BadCase{11, "4xNDR", "4xHDR",
                "net.txt:11: the two ends of a cable differ: switch 'spine' (0x0000000000200001) "
                "port 3 "
                "runs at 4xHDR, switch 'leaf one' (0x0000000000200000) port 3 (line 21) at 4xNDR"},
        BadCase{11, "lid 1", "lid 7",
                "net.txt:11: LID 7 is given here for switch 'leaf one' (0x0000000000200000) port "
                "3, but LID 1 on "
                "line 18"},
        BadCase{29, "lid 4", "lid 5",
                "net.txt:20: LID 4 is given here for adapter 'node2 HCA-1' (0x0000000000100003) "
                "port 1, but "
                "LID 5 on line 29"}));

/// `kFabric` with every `from` replaced.
std::string changed_everywhere(const std::string& from, const std::string& to) {
  std::string text = kFabric;
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

TEST(Ibnetdiscover, RefusesBadLids) {
  EXPECT_EQ(refused(changed_everywhere("lid 4", "lid 0")),
            "net.txt:29: adapter 'node2 HCA-1' (0x0000000000100003) port 1 has no LID: no subnet "
            "manager has "
            "set it up");
  EXPECT_EQ(refused(changed_everywhere("lid 3", "lid 0")),
            "net.txt:10: switch 'spine' (0x0000000000200001) has no LID: no subnet manager has set "
            "it up");
  EXPECT_EQ(refused(changed_everywhere("lid 4", "lid 65535")),
            "net.txt:29: adapter 'node2 HCA-1' (0x0000000000100003) port 1 has LID 65535, but "
            "unicast LIDs end "
            "at 49151");
  EXPECT_EQ(refused(changed_everywhere("lid 4", "lid 2")),
            "net.txt:29: adapter 'node2 HCA-1' (0x0000000000100003) port 1 has LID 2, which "
            "belongs to adapter "
            "'node1 HCA-1' (0x0000000000100000), too");
  EXPECT_EQ(refused(changed(36, "lid 2 lmc 0", "lid 2 lmc 2")),
            "net.txt:29: adapter 'node2 HCA-1' (0x0000000000100003) port 1 has LID 4, which "
            "belongs to adapter "
            "'node1 HCA-1' (0x0000000000100000), too");
}

TEST(Ibnetdiscover, RefusesFilesWithoutAFabric) {
  EXPECT_EQ(refused(""), "net.txt: no 'Switch' or 'Ca' line: this is no output of ibnetdiscover");
  EXPECT_EQ(refused("Switch 4 \"S-1\" # \"a\" base port 0 lid 1 lmc 0\n"),
            "net.txt: the fabric has no cabled adapter: no hosts");
}

TEST(Ibnetdiscover, RefusesFabricsBeyondAllMeasure) {
  std::string text;
  for (int i = 0; i < 17'000; ++i) {
    text += fmt::format("Switch 254 \"S-{:x}\" # \"s\" base port 0 lid 1 lmc 0\n", i + 1);
  }
  EXPECT_EQ(refused(text), "net.txt:16514:20: more than 4194304 ports in the fabric");
}

TEST(Ibnetdiscover, ModelReadsFilesAndTakesADelay) {
  const std::string file = WEIR_SOURCE_DIR "/experiments/fabrics/rlft-54/topology.txt";
  LinkSpec link;
  link.delay = nanoseconds(70);
  const Graph graph = make("ibnetdiscover", "file = '" + file + "'", link);
  EXPECT_EQ(graph.host_count(), 54U);
  EXPECT_EQ(graph.switch_count(), 45U);
  EXPECT_EQ(graph.port(PortId(0)).link.delay, nanoseconds(70));
  EXPECT_EQ(graph.name(NodeId(9)), "node010");
  const Graph slow = make("ibnetdiscover", "file = '" + file + "'\ndelay = '25 ns'", link);
  EXPECT_EQ(slow.port(PortId(0)).link.delay, nanoseconds(25));
  EXPECT_EQ(refusal("ibnetdiscover", "file = '/no/such/file'"),
            "test.toml:1:8: topology.file: /no/such/file: cannot open the file: No such file or "
            "directory");
  EXPECT_EQ(refusal("ibnetdiscover", "file = '/'"),
            "test.toml:1:8: topology.file: /: this is a folder, not a file");
}

TEST(Ibnetdiscover, ReadsWhatWeirExports) {
  const std::string file = WEIR_SOURCE_DIR "/tests/real_fabrics/data/irregular/topology.txt";
  const Graph graph = make("ibnetdiscover", "file = '" + file + "'");
  EXPECT_EQ(graph.host_count(), 22U) << "two of the 20 adapters have two cabled ports";
  const Graph again = import(to_ibnetdiscover(graph));
  EXPECT_EQ(to_edge_list(again), to_edge_list(graph));
}

}  // namespace
}  // namespace weir::topology::import_ibnetdiscover_test
