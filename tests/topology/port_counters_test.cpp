#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "topology/support.hpp"
#include "weir/base/error.hpp"
#include "weir/topology/import_ibnetdiscover.hpp"
#include "weir/topology/port_counters.hpp"

namespace weir::topology::port_counters_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// "leaf" with LID 1; node1 has LIDs 2 and 3 (LMC 1), node2 two ports with LIDs 4 and 5, of an
/// adapter whose GUID is not that of a port. Port 4 of the leaf is free.
const std::string kFabric = R"(
switchguid=0x200000(200001)
Switch	4 "S-0000000000200000"		# "leaf" base port 0 lid 1 lmc 0
[1]	"H-0000000000100000"[1](100001) 		# "node1" lid 2 4xHDR
[2]	"H-0000000000100010"[1](100011) 		# "node2" lid 4 4xHDR
[3]	"H-0000000000100010"[2](100012) 		# "node2" lid 5 4xHDR
Ca	1 "H-0000000000100000"		# "node1"
[1](100001) 	"S-0000000000200000"[1]		# lid 2 lmc 1 "leaf" lid 1 4xHDR
Ca	2 "H-0000000000100010"		# "node2"
[1](100011) 	"S-0000000000200000"[2]		# lid 4 lmc 0 "leaf" lid 1 4xHDR
[2](100012) 	"S-0000000000200000"[3]		# lid 5 lmc 0 "leaf" lid 1 4xHDR
)";

/// As perfquery 1 4 and perfquery -x 1 4 of infiniband-diags 44 printed it over ibsim.
const std::string kRecorded = R"(ibwarn: [15332] sim_connect: attached as client 0 at node "sw1-01"
# Port counters: Lid 1 port 1 (CapMask: 0x1300)
PortSelect:......................1
CounterSelect:...................0x0000
SymbolErrorCounter:..............0
LinkErrorRecoveryCounter:........0
LinkDownedCounter:...............0
PortRcvErrors:...................0
PortRcvRemotePhysicalErrors:.....0
PortRcvSwitchRelayErrors:........0
PortXmitDiscards:................0
PortXmitConstraintErrors:........0
PortRcvConstraintErrors:.........0
CounterSelect2:..................0x00
LocalLinkIntegrityErrors:........0
ExcessiveBufferOverrunErrors:....0
QP1Dropped:......................0
VL15Dropped:.....................0
PortXmitData:....................648
PortRcvData:.....................652
PortXmitPkts:....................9
PortRcvPkts:.....................9
PortXmitWait:....................0
# Port extended counters: Lid 1 port 1 (CapMask: 0x1300 CapMask2: 0x0000000)
PortSelect:......................1
CounterSelect:...................0x0000
PortXmitData:....................649
PortRcvData:.....................652
PortXmitPkts:....................9
PortRcvPkts:.....................9
PortUnicastXmitPkts:.............0
PortUnicastRcvPkts:..............0
PortMulticastXmitPkts:...........0
PortMulticastRcvPkts:............0
)";

std::string plain(int lid, int port, std::uint64_t words, std::uint64_t ticks) {
  return fmt::format(
      "# Port counters: Lid {} port {} (CapMask: 0x5A00)\nPortXmitData:....................{}\n"
      "PortXmitWait:....................{}\n",
      lid, port, words, ticks);
}

std::string extended(int lid, int port, std::uint64_t words) {
  return fmt::format(
      "# Port extended counters: Lid {} port {} (CapMask: 0x5A00 CapMask2: 0x0)\n"
      "PortXmitData:....................{}\n",
      lid, port, words);
}

class PortCounters : public testing::Test {
 protected:
  SubnetCounters count(const std::string& after, const std::string& before = "") const {
    const CounterSnapshot last = parse_port_counters(after, "after.txt");
    if (before.empty()) return count_links(graph_, last, nullptr);
    const CounterSnapshot first = parse_port_counters(before, "before.txt");
    return count_links(graph_, last, &first);
  }
  LinkCounters link(const SubnetCounters& counters, const std::string& name) const {
    for (std::size_t p = 0; p < graph_.port_count(); ++p) {
      if (graph_.name(PortId(p)) == name) return counters.links[p];
    }
    ADD_FAILURE() << "no port " << name;
    return {};
  }
  std::string refused(const std::string& after) const {
    try {
      (void)count(after);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }
  static std::string rows(const std::string& rows) {
    return "Errors for 0x200000 \"leaf\"\n" + rows;
  }
  static std::string summary(int nodes, const std::string& suppressed = "") {
    return fmt::format(
        "\n## Summary: {} nodes checked, 1 bad nodes found\n##          5 ports checked, 1 ports "
        "have errors beyond threshold\n## Thresholds: \n## Suppressed:{}\n",
        nodes, suppressed);
  }

  Graph graph_ = make_subnet_graph(parse_ibnetdiscover(kFabric, "net.txt"), {});
};

TEST_F(PortCounters, AsPerfqueryPrintsThem) {
  const CounterSnapshot snapshot = parse_port_counters(kRecorded, "counters.txt");
  ASSERT_THAT(snapshot.ports, SizeIs(2));
  EXPECT_EQ(snapshot.ports[0].lid, 1);
  EXPECT_EQ(snapshot.ports[0].port, 1);
  EXPECT_EQ(snapshot.ports[0].line, 2U);
  EXPECT_EQ(snapshot.ports[0].sent.plain, 648U);
  EXPECT_EQ(snapshot.ports[0].waited.plain, 0U);
  EXPECT_EQ(snapshot.ports[1].sent.extended, 649U);
  EXPECT_EQ(snapshot.ports[1].waited.extended, std::nullopt);
}

TEST_F(PortCounters, OfOldVersions) {
  const CounterSnapshot snapshot = parse_port_counters(
      "# Port counters: Lid 6 port 1\nXmtData:.........................7\n", "old.txt");
  EXPECT_EQ(snapshot.ports.at(0).sent.plain, 7U);
}

TEST_F(PortCounters, BelongToTheTransmitterOfALink) {
  // node1 answers to LIDs 2 and 3; an adapter answers at any of its LIDs for all of its ports.
  const SubnetCounters counters =
      count(plain(1, 2, 10, 1) + plain(3, 1, 20, 2) + plain(5, 1, 30, 3) + plain(5, 2, 40, 4));
  EXPECT_EQ(link(counters, "leaf[2]").words.count, 10U);
  EXPECT_EQ(link(counters, "node1").words.count, 20U);
  EXPECT_EQ(link(counters, "node2/P1").words.count, 30U);
  EXPECT_EQ(link(counters, "node2/P2").words.count, 40U);
  EXPECT_EQ(link(counters, "node2/P2").ticks.count, 4U);
  EXPECT_EQ(link(counters, "leaf[1]").words.state, CounterState::missing);
}

TEST_F(PortCounters, TheLongerCounterCountsWhereBothSnapshotsHaveIt) {
  const std::string after = plain(1, 1, 500, 70) + extended(1, 1, 10'000'000'500);
  const std::string before = plain(1, 1, 100, 50) + extended(1, 1, 10'000'000'000);
  EXPECT_EQ(link(count(after), "leaf[1]").words.count, 10'000'000'500U);
  const LinkCounters between = link(count(after, before), "leaf[1]");
  EXPECT_EQ(between.words.count, 500U);
  EXPECT_EQ(between.ticks.count, 20U);
  EXPECT_EQ(link(count(after, plain(1, 1, 100, 50)), "leaf[1]").words.count, 400U);
}

TEST_F(PortCounters, WhatIsSaturatedResetOrMissingIsNotUsed) {
  constexpr std::uint64_t kFull = 0xFFFFFFFF;
  const SubnetCounters counters = count(
      plain(1, 1, kFull, 70) + plain(1, 2, 50, kFull) + plain(1, 3, 50, 3) + plain(2, 1, 9, 9),
      plain(1, 1, 100, 50) + plain(1, 2, 100, kFull) + plain(1, 3, 50, 4));
  EXPECT_EQ(link(counters, "leaf[1]").words.state, CounterState::saturated);
  EXPECT_EQ(link(counters, "leaf[1]").ticks.count, 20U);
  EXPECT_EQ(link(counters, "leaf[2]").words.state, CounterState::reset);
  EXPECT_EQ(link(counters, "leaf[2]").ticks.state, CounterState::saturated);
  EXPECT_EQ(link(counters, "leaf[3]").words.state, CounterState::counted);
  EXPECT_EQ(link(counters, "leaf[3]").ticks.state, CounterState::reset);
  EXPECT_EQ(link(counters, "node1").words.state, CounterState::missing);
  EXPECT_THAT(counters.notes,
              testing::Contains(AllOf(HasSubstr("PortXmitData of 1 link stands at its highest"),
                                      HasSubstr("(leaf[1])"))));
  EXPECT_THAT(counters.notes,
              testing::Contains(AllOf(HasSubstr("PortXmitWait of 1 link is lower than before"),
                                      HasSubstr("(leaf[3])"))));
}

TEST_F(PortCounters, ASaturatedOneIsReplacedByTheLongerOne) {
  const SubnetCounters counters = count(plain(1, 1, 0xFFFFFFFF, 0) + extended(1, 1, 5'000'000'000));
  EXPECT_EQ(link(counters, "leaf[1]").words.count, 5'000'000'000U);
}

TEST_F(PortCounters, XmitWaitThatADeviceDoesNotKeepIsMissing) {
  const SubnetCounters counters = count(
      "# Port counters: Lid 1 port 1 (CapMask: 0x0200)\nPortXmitData:....................5\n"
      "PortXmitWait:....................0\n");
  EXPECT_EQ(link(counters, "leaf[1]").words.count, 5U);
  EXPECT_EQ(link(counters, "leaf[1]").ticks.state, CounterState::missing);
}

TEST_F(PortCounters, PortsThatAreNoLinksAreCounted) {
  const SubnetCounters counters = count(plain(1, 1, 1, 0) + plain(1, 0, 5, 0) + plain(1, 4, 5, 0));
  EXPECT_THAT(counters.notes, testing::Contains(HasSubstr("2 ports without a cable")));
}

TEST_F(PortCounters, OfAdaptersThatWereLeftOut) {
  SubnetOptions options;
  options.exclude = {"node1"};
  graph_ = make_subnet_graph(parse_ibnetdiscover(kFabric, "net.txt"), options);
  const SubnetCounters counters =
      count(plain(2, 1, 1, 0) + rows("   GUID 0x100001 port 1: [PortXmitWait == 3]\n"));
  EXPECT_THAT(counters.notes, testing::Contains(HasSubstr("2 ports of adapters that were left")));
}

TEST_F(PortCounters, AsIbqueryerrorsListsThem) {
  // GUIDs of ports; --counters prints those of nodes.
  const SubnetCounters counters =
      count(rows("   GUID 0x200001 port ALL: [PortXmitWait == 1000]\n"
                 "   GUID 0x200001 port 2: [SymbolErrorCounter == 1] [PortXmitWait == 17] "
                 "[PortXmitData == 1152 (4.500KB)]\n"
                 "       Link info:      1   2[  ] ==( 4X        53.125 Gbps Active/  LinkUp)==>  "
                 "0x0000000000100011      4    1[  ] \"node2\" ( )\n") +
            "Errors for \"node2\"\n   GUID 0x100012 port 2: [PortXmitWait == 5]\n" + summary(3) +
            "Data Counters for 0x100010 \"node2\"\n"
            "   GUID 0x100010 port 1: [PortXmitData == 99 (396.000B)] [PortRcvData == 1 (4.0B)]\n");
  EXPECT_EQ(link(counters, "leaf[2]").ticks.count, 17U);
  EXPECT_EQ(link(counters, "leaf[2]").words.count, 1152U);
  EXPECT_EQ(link(counters, "node2/P2").ticks.count, 5U);
  EXPECT_EQ(link(counters, "node2/P1").words.count, 99U);
  // Not listed: it did not wait. What it sent is not known.
  EXPECT_EQ(link(counters, "node1").ticks.state, CounterState::counted);
  EXPECT_EQ(link(counters, "node1").ticks.count, 0U);
  EXPECT_EQ(link(counters, "node1").words.state, CounterState::missing);
}

TEST_F(PortCounters, WhatIbqueryerrorsDidNotLookAtIsMissing) {
  const std::string one = rows("   GUID 0x200000 port 1: [PortXmitWait == 17]\n");
  for (const std::string& end : {std::string(), summary(2), summary(3, " PortXmitWait")}) {
    EXPECT_EQ(link(count(one + end), "node1").ticks.state, CounterState::missing) << end;
  }
  EXPECT_THAT(count(one + summary(2)).notes, testing::Contains(HasSubstr("fewer nodes")));
  EXPECT_EQ(link(count(one + summary(3)), "node1").ticks.state, CounterState::counted);
}

TEST_F(PortCounters, RefusesWithFileAndLine) {
  const std::string good = plain(1, 1, 1, 0);
  for (const auto& [text, message] : {
           std::pair<std::string, std::string>{"", "after.txt: no port counters"},
           {good + "hello\n", "after.txt:4:1: 'hello' is no line of perfquery or ibqueryerrors"},
           {"PortXmitData:....5\n", "after.txt:1:1: 'PortXmitData:....5' is no line"},
           {plain(77, 1, 1, 0), "after.txt:1: counters of LID 77, which no node"},
           {plain(1, 9, 1, 0), "after.txt:1: counters of port 9 of leaf, which has 4 ports"},
           {plain(1, 255, 1, 0), "after.txt:1:29: counters of all ports of the node together"},
           {good + good, "after.txt:4: a second PortXmitData of leaf[1]: the first is on line 1"},
           {good + "PortXmitWait:....7\n", "after.txt:4:19: a second PortXmitWait of one port"},
           {"# Port counters: Lid 1 port 1\nPortXmitWait:....7\n" + good,
            "after.txt:1: the counters are cut off"},
           {"# Port counters: DR path slid 0; dlid 0; 0,1 port 1\n", "without LID"},
           {"# PortXmitDataSL counters: Lid 1 port 1\n", "begins counters that are not compared"},
           {"# Port counters: Lid 1 port 1\nPortXmitData:....many\n",
            "after.txt:2:18: expected a counter from 0 to"},
           {"# Port counters: Lid 1 port 1\nPortXmitData:....-1\n", "expected a counter"},
           {rows("   GUID 0x77 port 1: [PortXmitWait == 1]\n"),
            "after.txt:2: counters of GUID 0x77, which no node"},
           {rows("   GUID 0x200000 port 1: [PortXmitWait == 1\n"), "expected ']'"},
           {rows("   GUID 0x200000 port 1: PortXmitWait\n"), "expected '[' and a counter"},
       }) {
    EXPECT_THAT(refused(text), HasSubstr(message)) << text;
  }
}

TEST_F(PortCounters, NeedAFabricWithLids) {
  graph_ = make("single-switch", "hosts = 3");
  EXPECT_THAT(refused(plain(1, 1, 1, 0)), HasSubstr("read from ibnetdiscover"));
}

TEST_F(PortCounters, LeaveNothingToTellWhereAllIsThere) {
  EXPECT_THAT(count(plain(1, 1, 1, 0) + plain(1, 2, 1, 0) + plain(1, 3, 1, 0) + plain(2, 1, 1, 0) +
                    plain(4, 1, 1, 0) + plain(5, 2, 1, 0))
                  .notes,
              IsEmpty());
}

}  // namespace
}  // namespace weir::topology::port_counters_test
