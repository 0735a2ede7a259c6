#include "weir/routing/forwarding_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "routing/support.hpp"
#include "weir/base/config.hpp"
#include "weir/routing/channel_dependency.hpp"
#include "weir/routing/import_fabric.hpp"
#include "weir/topology/import_ibnetdiscover.hpp"

namespace weir::routing {
namespace {

/// Three switches in a ring, a - b - c - a, and a host on port 3 of each: switch LIDs 1 2 3, host
/// LIDs 4 5 6 (host c answers to 6 and 7). Port 1 leads to the next switch, port 2 to the previous.
const std::string kRing = R"(
Switch	4 "S-000000000000000a"	# "a" base port 0 lid 1 lmc 0
[1]	"S-000000000000000b"[2]	# "b" lid 2 4xHDR
[2]	"S-000000000000000c"[1]	# "c" lid 3 4xHDR
[3]	"H-00000000000000a0"[1](a1)	# "ha" lid 4 4xHDR
Switch	4 "S-000000000000000b"	# "b" base port 0 lid 2 lmc 0
[1]	"S-000000000000000c"[2]	# "c" lid 3 4xHDR
[2]	"S-000000000000000a"[1]	# "a" lid 1 4xHDR
[3]	"H-00000000000000b0"[1](b1)	# "hb" lid 5 4xHDR
Switch	4 "S-000000000000000c"	# "c" base port 0 lid 3 lmc 0
[1]	"S-000000000000000a"[2]	# "a" lid 1 4xHDR
[2]	"S-000000000000000b"[1]	# "b" lid 2 4xHDR
[3]	"H-00000000000000c0"[1](c1)	# "hc" lid 6 4xHDR
Ca	1 "H-00000000000000a0"	# "ha"
[1](a1)	"S-000000000000000a"[3]	# lid 4 lmc 0 "a" lid 1 4xHDR
Ca	1 "H-00000000000000b0"	# "hb"
[1](b1)	"S-000000000000000b"[3]	# lid 5 lmc 0 "b" lid 2 4xHDR
Ca	1 "H-00000000000000c0"	# "hc"
[1](c1)	"S-000000000000000c"[3]	# lid 6 lmc 1 "c" lid 3 4xHDR
)";

const std::string kTables =
    R"(Unicast lids [0x0-0x6] of switch DR path slid 0; dlid 0; 0,1 guid 0x000000000000000a (a):
  Lid  Out   Destination
       Port     Info 
0x0001 000 : (Switch portguid 0x000000000000000a: 'a')
0x0004 003 : (Channel Adapter portguid 0x00000000000000a1: 'ha')
0x0005 001 : (Channel Adapter portguid 0x00000000000000b1: 'hb')
0x0006 002 : (Channel Adapter portguid 0x00000000000000c1: 'hc')
4 valid lids dumped 
Unicast lids [0x0-0x6] of switch Lid 2 guid 0x000000000000000b (b):
0x0004 002
0x0005 003
0x0006 001
3 valid lids dumped 
Unicast lids [0x0-0x6] of switch Lid 3 guid 0x000000000000000c ('c'):
0x0000 255 : (illegal port)
0x0004 001 # ha
0x0005 002 # hb
0x0006 003 # hc
0x0007 003 : (path #2 out of 2: portguid 0x00000000000000c1)
5 lids dumped 

*** WARNING ***: this command has been replaced by dump_fts
)";

topology::Graph ring() {
  return topology::make_subnet_graph(topology::parse_ibnetdiscover(kRing, "net.txt"), {});
}

std::string refused(const std::string& tables) {
  try {
    const LinearForwarding routing(ring(), parse_forwarding_tables(tables, "lfts.txt"));
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

/// `kTables` with the first `from` on or after line `line` replaced.
std::string changed(int line, const std::string& from, const std::string& to) {
  std::string text = kTables;
  std::size_t at = 0;
  for (int i = 1; i < line; ++i) at = text.find('\n', at) + 1;
  at = text.find(from, at);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::string route(const topology::Graph& graph, const RoutingFunction& routing, int from, int to) {
  std::string text;
  for (const Channel& c : trace(graph, routing, HostId(from), HostId(to)).channels) {
    text += (text.empty() ? "" : " ") + graph.name(c.port);
  }
  return text;
}

TEST(LinearForwardingTables, RouteAsTheySay) {
  const topology::Graph graph = ring();
  const LinearForwarding routing(graph, parse_forwarding_tables(kTables, "lfts.txt"));
  EXPECT_EQ(route(graph, routing, 0, 1), "ha a[1] b[3]");
  EXPECT_EQ(route(graph, routing, 0, 2), "ha a[2] c[3]");
  EXPECT_EQ(route(graph, routing, 1, 0), "hb b[2] a[3]");
  EXPECT_EQ(route(graph, routing, 2, 1), "hc c[2] b[3]");
  EXPECT_EQ(routing.lanes(), 1);
  EXPECT_FALSE(routing.depends_on_source());
  CandidateList all;
  routing.candidates({SwitchId(0), PortId(0), HostId(0), HostId(2), 0}, all);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0], (Candidate{1, 0}));
  EXPECT_TRUE(check_dependencies(graph, routing).ok());
}

TEST(LinearForwardingTables, ADetourRoundTheRingIsFollowed) {
  const topology::Graph graph = ring();
  const LinearForwarding routing(
      graph, parse_forwarding_tables(changed(7, "0x0006 002", "0x0006 001"), "lfts.txt"));
  EXPECT_EQ(route(graph, routing, 0, 2), "ha a[1] b[1] c[3]");
}

TEST(LinearForwardingTables, RoutesRoundARingAreADependencyCycle) {
  std::string text = changed(7, "0x0006 002", "0x0006 001");
  const auto replace = [&](const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, from.size(), to);
  };
  replace("0x0004 002\n", "0x0004 001\n");
  replace("0x0005 002 #", "0x0005 001 #");
  const topology::Graph graph = ring();
  const LinearForwarding routing(graph, parse_forwarding_tables(text, "lfts.txt"));
  EXPECT_EQ(route(graph, routing, 1, 0), "hb b[1] c[1] a[3]");
  EXPECT_EQ(check_dependencies(graph, routing).cycle.size(), 3U);
}

/// The recorded fat tree without the entry of one switch for one host that no route comes by.
TEST(LinearForwardingTables, MissingEntryOffTheWayIsNoFault) {
  const std::string folder = WEIR_SOURCE_DIR "/experiments/fabrics/rlft-54/";
  const auto graph = test::make_graph("ibnetdiscover", "file = '" + folder + "topology.txt'");
  ForwardingDump dump =
      parse_forwarding_tables(topology::read_text_file(folder + "lfts.txt"), "lfts.txt");
  const auto& shape = *graph.shape<topology::SubnetShape>();
  const HostId host(0);
  std::vector<bool> on_a_way(graph.switch_count(), false);
  const LinearForwarding whole(graph, dump);
  for (int from = 1; from < 54; ++from) {
    for (const Channel& c : trace(graph, whole, HostId(from), host).channels) {
      const NodeId node = graph.port(c.port).node;
      if (!graph.is_host(node)) on_a_way[graph.switch_of(node).index()] = true;
    }
  }
  const auto off = std::find(on_a_way.begin(), on_a_way.end(), false);
  ASSERT_NE(off, on_a_way.end());
  const SwitchId at(static_cast<std::size_t>(off - on_a_way.begin()));
  for (ForwardingTable& table : dump.tables) {
    if (shape.switch_of_guid.at(table.guid) != at) continue;
    std::erase_if(table.entries, [&](const auto& e) { return e.lid == shape.hosts[0].lid; });
  }
  const LinearForwarding routing(graph, dump);
  const RouteQuery query{at, graph.first_port(graph.node(at)), HostId(1), host, 0};
  CandidateList none;
  routing.candidates(query, none);
  EXPECT_TRUE(none.empty());
  EXPECT_THROW((void)routing.default_route(query), RunError);
  EXPECT_TRUE(check_dependencies(graph, routing).ok());
}

struct BadCase {
  int line;
  const char* from;
  const char* to;
  const char* message;
};

class BadTables : public testing::TestWithParam<BadCase> {};

TEST_P(BadTables, AreRefusedWithTheirPlace) {
  const BadCase& bad = GetParam();
  EXPECT_EQ(refused(changed(bad.line, bad.from, bad.to)), bad.message);
}

INSTANTIATE_TEST_SUITE_P(
    Text, BadTables,
    testing::Values(
        BadCase{1, "Unicast lids", "Unicats lids",
                "lfts.txt:1:1: 'Unicats lids [0x0-0x6] of switch DR path slid 0; dlid 0; 0,1...' "
                "is no line of a "
                "forwarding table dump"},
        BadCase{1, "Unicast lids", "Multicast mlids",
                "lfts.txt:1:1: this is a multicast table: dump the unicast tables (dump_fts "
                "without -M)"},
        BadCase{1, " guid 0x", " giud 0x",
                "lfts.txt:1:1: expected 'Unicast lids [..] of switch .. guid 0x.. (name):'"},
        BadCase{1, " guid 0x0", " guid 0xz",
                "lfts.txt:1:69: expected the switch's GUID in hexadecimal"},
        BadCase{9, "000b", "000a",
                "lfts.txt:9:47: second table of switch 0x000000000000000a: the first is on line 1"},
        BadCase{8, "4 valid lids dumped", "",
                "lfts.txt:1: the table of switch 'a' (0x000000000000000a) is cut off: no line 'N "
                "valid lids dumped' "
                "ends it"},
        BadCase{19, "5 lids dumped", "",
                "lfts.txt:14: the table of switch 'c' (0x000000000000000c) is cut off: no line "
                "'N valid lids "
                "dumped' ends it"},
        BadCase{8, "4 valid", "5 valid",
                "lfts.txt:8:1: the table of switch 'a' (0x000000000000000a) has 4 entries, but 5 "
                "were dumped: lines "
                "are missing or too many"},
        BadCase{8, "lids dumped", "lids dunked",
                "lfts.txt:8:1: '4 valid lids dunked ' is no line of a forwarding table dump"},
        BadCase{8, "4 valid lids dumped", "4 valid lids dumped\n4 valid lids dumped",
                "lfts.txt:9:1: a count of LIDs outside of a table"},
        BadCase{
            8, "4 valid lids dumped", "4 valid lids dumped\n0x0004 001",
            "lfts.txt:9:1: an entry outside of a table: no 'Unicast lids' line stands before it"},
        BadCase{4, "0x0001", "0xg001",
                "lfts.txt:4:1: expected a unicast LID from 0x0001 to 0xbfff"},
        BadCase{4, "0x0001", "0xc001",
                "lfts.txt:4:1: expected a unicast LID from 0x0001 to 0xbfff"},
        BadCase{4, "000 :", "256 :", "lfts.txt:4:8: LID 1: expected an output port from 0 to 255"},
        BadCase{4, "000 :", "00x :", "lfts.txt:4:10: LID 1: expected an output port from 0 to 255"},
        BadCase{6, "0x0005", "0x0004",
                "lfts.txt:6: second entry of switch 'a' (0x000000000000000a) for LID 4: the first "
                "is on line 5"},
        BadCase{2, "  Lid", "SubnGet(LFT) failed on switch 'a'",
                "lfts.txt:2:1: the dump is incomplete: SubnGet(LFT) failed on switch 'a'  Out   "
                "Destination"}));

INSTANTIATE_TEST_SUITE_P(
    Fabric, BadTables,
    testing::Values(
        BadCase{1, "00a (a)", "00d (d)",
                "lfts.txt:1: switch 'd' (0x000000000000000d) is not in the fabric"},
        BadCase{
            4, "0x0001 000", "0x0001 005",
            "lfts.txt:4: switch 'a' (0x000000000000000a) sends LID 1 to port 5, but has 4 ports"},
        BadCase{4, "0x0001", "0x0009",
                "lfts.txt:4: switch 'a' (0x000000000000000a) has an entry for LID 9, which no node "
                "of the fabric "
                "has"},
        BadCase{5, "0x0004 003", "0x0004 000",
                "lfts.txt:5: switch 'a' (0x000000000000000a) sends LID 4 (ha) to port 0, which is "
                "the switch "
                "itself"},
        BadCase{5, "0x0004 003", "0x0004 004",
                "lfts.txt:5: switch 'a' (0x000000000000000a) sends LID 4 (ha) to port 4, which is "
                "not cabled"},
        BadCase{6, "0x0005 001", "0x0005 003",
                "lfts.txt:6: switch 'a' (0x000000000000000a) sends LID 5 (hb) to port 3, which "
                "leads to ha"},
        BadCase{7, "0x0006 002", "0x0006 255",
                "lfts.txt: switch 'a' (0x000000000000000a) has no entry for LID 6 (hc); packets "
                "from the hosts of "
                "a come by the way a"},
        BadCase{11, "0x0005 003", "0x0005 001",
                "lfts.txt: the tables send LID 5 (hb) in a loop: b -> c -> b"},
        BadCase{18, "0x0007 003", "0x0007 009",
                "lfts.txt:19: switch 'c' (0x000000000000000c) sends LID 7 to port 9, but has 4 "
                "ports"}));

TEST(LinearForwardingTables, NameTheWayToAMissingEntry) {
  std::string text = changed(7, "0x0006 002", "0x0006 001");
  const std::size_t at = text.find("0x0006 001\n");
  text.replace(at, 11, "0x0006 255\n");
  EXPECT_EQ(refused(text),
            "lfts.txt: switch 'b' (0x000000000000000b) has no entry for LID 6 (hc); packets from "
            "the hosts of a come "
            "by the way a -> b");
}

TEST(LinearForwardingTables, ALoopIsPrintedFromItsFirstSwitch) {
  // LID 4 (ha) seen from b: b -> c -> b.
  std::string text = changed(10, "0x0004 002", "0x0004 001");
  const std::size_t at = text.find("0x0004 001 # ha");
  text.replace(at, 10, "0x0004 002");
  EXPECT_EQ(refused(text), "lfts.txt: the tables send LID 4 (ha) in a loop: b -> c -> b");
}

TEST(LinearForwardingTables, EverySwitchNeedsATable) {
  const std::string text =
      kTables.substr(0, kTables.find("Unicast lids [0x0-0x6] of switch Lid 3"));
  EXPECT_EQ(refused(text), "lfts.txt: no table for switch 'c' (0x000000000000000c)");
  EXPECT_EQ(refused(""),
            "lfts.txt: no line 'Unicast lids ... of switch ...': this is no output of dump_lfts");
}

TEST(LinearForwardingTables, ExcludedAdaptersMayKeepTheirEntries) {
  topology::SubnetOptions options;
  options.exclude = {"hb"};
  const auto graph =
      topology::make_subnet_graph(topology::parse_ibnetdiscover(kRing, "net.txt"), options);
  ASSERT_EQ(graph.host_count(), 2U);
  const LinearForwarding routing(graph, parse_forwarding_tables(kTables, "lfts.txt"));
  EXPECT_EQ(route(graph, routing, 0, 1), "ha a[2] c[3]");
}

TEST(LinearForwardingTables, NeedAnImportedFabric) {
  const auto graph = test::make_graph("single-switch", "hosts = 4");
  const std::string error = test::routing_error("linear-forwarding-tables", graph, "file = 'x'");
  EXPECT_TRUE(error.starts_with(
      "linear-forwarding-tables needs a fabric imported with ibnetdiscover; this is a "
      "single-switch"))
      << error;
}

TEST(LinearForwardingTables, OpenSmsFatTreeTablesAreMinimalAndFreeOfCycles) {
  const std::string folder = WEIR_SOURCE_DIR "/experiments/fabrics/rlft-54/";
  const auto graph = test::make_graph("ibnetdiscover", "file = '" + folder + "topology.txt'");
  const auto routing =
      test::make_routing("linear-forwarding-tables", graph, "file = '" + folder + "lfts.txt'");
  std::size_t longest = 0;
  for (int a = 0; a < 54; ++a) {
    for (int b = 0; b < 54; ++b) {
      if (a == b) continue;
      const Route found = trace(graph, *routing, HostId(a), HostId(b));
      ASSERT_EQ(found.end, RouteEnd::delivered);
      const std::size_t expected = a / 3 == b / 3 ? 1 : a / 9 == b / 9 ? 3 : 5;
      ASSERT_EQ(found.switches(), expected) << a << " to " << b;
      longest = std::max(longest, found.switches());
    }
  }
  EXPECT_EQ(longest, 5U);
  EXPECT_TRUE(check_dependencies(graph, *routing).ok());
}

TEST(FabricExperiment, WritesSectionsWithRelativePaths) {
  const std::string folder = WEIR_SOURCE_DIR "/experiments/fabrics/rlft-54/";
  const std::string text =
      fabric_experiment({folder + "topology.txt", folder + "lfts.txt", {}, {}, {}, {}},
                        WEIR_SOURCE_DIR "/experiments");
  EXPECT_TRUE(text.starts_with("# 54 hosts, 45 switches, 162 links (162 of 200 Gbps)\n")) << text;
  const ConfigTable table = parse_toml(text, "fabric.toml");
  const auto value = [&](const char* section, const char* key) {
    return table.find(section)->table().find(key)->text();
  };
  EXPECT_EQ(value("topology", "model"), "ibnetdiscover");
  EXPECT_EQ(value("topology", "file"), "fabrics/rlft-54/topology.txt");
  EXPECT_EQ(value("routing", "model"), "linear-forwarding-tables");
  EXPECT_EQ(value("routing", "file"), "fabrics/rlft-54/lfts.txt");
}

TEST(FabricExperiment, WithoutTablesRoutesUpAndDown) {
  const std::string folder = WEIR_SOURCE_DIR "/tests/real_fabrics/data/irregular/";
  const std::string text = fabric_experiment({folder + "topology.txt", {}, {}, {}, {}, {}}, folder);
  const ConfigTable table = parse_toml(text, "fabric.toml");
  EXPECT_EQ(table.find("topology")->table().find("file")->text(), "topology.txt");
  EXPECT_EQ(table.find("routing")->table().find("model")->text(), "up-down");
}

TEST(FabricExperiment, ChecksTheFilesFirst) {
  const std::string folder = WEIR_SOURCE_DIR "/experiments/fabrics/rlft-54/";
  EXPECT_THROW(
      (void)fabric_experiment({folder + "lfts.txt", folder + "lfts.txt", {}, {}, {}, {}}, "."),
      InputError);
  EXPECT_THROW((void)fabric_experiment(
                   {folder + "topology.txt", folder + "topology.txt", {}, {}, {}, {}}, "."),
               InputError);
  EXPECT_THROW(
      (void)fabric_experiment({folder + "topology.txt", "/no/such/file", {}, {}, {}, {}}, "."),
      InputError);
}

}  // namespace
}  // namespace weir::routing
