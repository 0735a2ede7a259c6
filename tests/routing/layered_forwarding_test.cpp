#include "weir/routing/layered_forwarding.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "routing/support.hpp"
#include "support/temporary_folder.hpp"
#include "weir/base/config.hpp"
#include "weir/routing/channel_dependency.hpp"
#include "weir/routing/import_fabric.hpp"
#include "weir/topology/import_ibnetdiscover.hpp"

namespace weir::routing {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr int kSquare = 4;

/// Switches 0 to 3 (LIDs 1 to 4) in a ring, a host (LIDs 5 to 8) at port 3 of each. Port 1 leads to
/// the next switch, port 2 to the one before.
std::string square_text() {
  std::string text;
  for (int s = 0; s < kSquare; ++s) {
    const int next = (s + 1) % kSquare;
    const int before = (s + kSquare - 1) % kSquare;
    text += fmt::format("Switch 4 \"S-{0}\" # \"s{0}\" base port 0 lid {1} lmc 0\n", s, s + 1);
    text += fmt::format("[1] \"S-{0}\"[2] # \"s{0}\" lid {1} 4xHDR\n", next, next + 1);
    text += fmt::format("[2] \"S-{0}\"[1] # \"s{0}\" lid {1} 4xHDR\n", before, before + 1);
    text += fmt::format("[3] \"H-a{0}\"[1](b{0}) # \"h{0}\" lid {1} 4xHDR\n", s, s + 5);
  }
  for (int h = 0; h < kSquare; ++h) {
    text += fmt::format("Ca 1 \"H-a{0}\" # \"h{0}\"\n", h);
    text += fmt::format("[1](b{0}) \"S-{0}\"[3] # lid {1} lmc 0 \"s{0}\" lid {2} 4xHDR\n", h, h + 5,
                        h + 1);
  }
  return text;
}

const topology::Graph& square() {
  static const topology::Graph graph =
      topology::make_subnet_graph(topology::parse_ibnetdiscover(square_text(), "ring.txt"), {});
  return graph;
}

/// Shortest ways, half round by the next switch; or all of them by the next switch.
std::string square_tables(bool is_one_way) {
  std::string text;
  for (int s = 0; s < kSquare; ++s) {
    text +=
        fmt::format("Unicast lids [0x0-0x8] of switch Lid {} guid 0x{:016x} (s{}):\n", s + 1, s, s);
    for (int h = 0; h < kSquare; ++h) {
      const int ahead = (h - s + kSquare) % kSquare;
      const int port = ahead == 0 ? 3 : is_one_way || ahead <= kSquare / 2 ? 1 : 2;
      text += fmt::format("0x{:04x} {:03}\n", h + 5, port);
    }
    text += fmt::format("{} valid lids dumped\n", kSquare);
  }
  return text;
}

/// As saquery prints them; `level` of (source, destination).
template <class Level>
std::string paths_text(Level level) {
  std::string text;
  for (int a = 0; a < kSquare; ++a) {
    for (int b = 0; b < kSquare; ++b) {
      if (a == b) continue;
      text += fmt::format(
          "PathRecord dump:\n\t\tservice_id..............0x0000000000000000\n"
          "\t\tdgid....................fe80::10:3\n\t\tdlid....................{}\n"
          "\t\tslid....................{}\n\t\tsl......................0x{:X}\n"
          "\t\tmtu.....................0x84\n",
          b + 5, a + 5, level(a, b));
    }
  }
  return text;
}

/// As OpenSM dumps them: VL of (switch, in port, out port, service level).
template <class Vl>
std::string sl2vl_text(Vl vl) {
  std::string text;
  for (int s = 0; s < kSquare; ++s) {
    text += fmt::format("Switch 0x{:016x}, base LID {}, \"s{}\"\n", s, s + 1, s);
    text += "#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15\n";
    text += "#--------------------------------------------------------\n";
    for (int in = 0; in <= 3; ++in) {
      for (int out = 1; out <= 3; ++out) {
        text += fmt::format("{:<3} {:<3} :", in, out);
        for (int level = 0; level < 16; ++level)
          text += fmt::format(" {:<2}", vl(s, in, out, level));
        text += '\n';
      }
    }
    text += '\n';
  }
  return text;
}

LayeredForwarding routing_of(bool is_one_way, const std::string& paths, const std::string& sl2vl,
                             std::optional<std::uint8_t> missing = {}) {
  SubnetLayers layers{parse_path_records(paths, "paths.txt"), {}, missing};
  if (!sl2vl.empty()) layers.tables = parse_service_level_tables(sl2vl, "sl2vl.txt");
  return {square(), parse_forwarding_tables(square_tables(is_one_way), "lfts.txt"), layers};
}

template <class Call>
std::string words_of(Call call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

int upper_half(int source, int) { return source >= 2 ? 1 : 0; }

TEST(LayeredForwarding, LayersFreeARingFromDeadlock) {
  const LinearForwarding one_lane(square(),
                                  parse_forwarding_tables(square_tables(false), "lfts.txt"));
  EXPECT_EQ(check_dependencies(square(), one_lane).cycle.size(), 4U);
  const auto routing = routing_of(false, paths_text(upper_half), "");
  EXPECT_EQ(routing.lanes(), 2);
  EXPECT_THAT(routing.vls(), ElementsAre(0, 1));
  EXPECT_EQ(routing.injection_lane(HostId(3U), HostId(1U)), 1);
  EXPECT_EQ(routing.injection_lane(HostId(1U), HostId(3U)), 0);
  EXPECT_TRUE(check_dependencies(square(), routing).ok());
}

TEST(LayeredForwarding, AWrongTableBringsTheCycleBack) {
  const auto right = [](int, int, int, int level) { return level % 8; };
  EXPECT_TRUE(
      check_dependencies(square(), routing_of(false, paths_text(upper_half), sl2vl_text(right)))
          .ok());
  // Two layers that share a VL at the switches; the adapters still tell them apart.
  const auto wrong = [](int, int, int, int level) { return level == 1 ? 0 : level % 8; };
  const auto routing = routing_of(false, paths_text(upper_half), sl2vl_text(wrong));
  EXPECT_EQ(routing.lanes(), 2);
  EXPECT_EQ(routing.assumed_hosts(), 4U);
  const auto report = check_dependencies(square(), routing);
  ASSERT_EQ(report.cycle.size(), 4U);
  for (const Channel& channel : report.cycle) EXPECT_EQ(channel.lane, 0);
}

/// All go one way round. Service level 1 is for routes over the link from switch 3 to 0, and such
/// packets have VL 5 from that link on: at switch 1 that depends on the port they come by.
int dateline(int s, int in, int out, int level) {
  if (level != 1) return 2;
  const bool is_past = (s == 3 && out == 1) || (in == 2 && (s == 0 || s == 1));
  return is_past ? 5 : 2;
}
int crosses(int source, int destination) { return destination < source ? 1 : 0; }

TEST(LayeredForwarding, LanesFollowInPortAndOutPort) {
  const auto routing = routing_of(true, paths_text(crosses), sl2vl_text(dateline));
  EXPECT_THAT(routing.vls(), ElementsAre(0, 1, 2, 5)) << "0 and 1 at adapters";
  EXPECT_TRUE(check_dependencies(square(), routing).ok());
  const Route route = trace(square(), routing, HostId(2U), HostId(1U));
  ASSERT_EQ(route.end, RouteEnd::delivered);
  std::vector<int> vls;
  for (const Channel& channel : route.channels) vls.push_back(routing.vls()[channel.lane]);
  EXPECT_THAT(vls, ElementsAre(1, 2, 5, 5, 5));
  const auto blind = [](int s, int, int out, int level) { return dateline(s, 0, out, level); };
  EXPECT_EQ(check_dependencies(square(), routing_of(true, paths_text(crosses), sl2vl_text(blind)))
                .cycle.empty(),
            false)
      << "back on VL 2 behind the dateline";
}

TEST(LayeredForwarding, ServiceLevelsOfDifferentSourcesShareAnInjectionLane) {
  // Adapters put all levels on VL 0; only behind the first switch do they differ.
  std::string sl2vl = sl2vl_text([](int, int, int, int level) { return level % 2; });
  for (int h = 0; h < kSquare; ++h) {
    sl2vl +=
        fmt::format("Channel Adapter 0x{:016x}, base LID {}, \"h{}\"\n0 0 :", h + 16, h + 5, h);
    for (int level = 0; level < 16; ++level) sl2vl += " 0";
    sl2vl += '\n';
  }
  const auto routing = routing_of(false, paths_text(upper_half), sl2vl);
  EXPECT_EQ(routing.assumed_hosts(), 0U);
  EXPECT_EQ(routing.injection_lane(HostId(3U), HostId(1U)), 0);
  EXPECT_EQ(trace(square(), routing, HostId(3U), HostId(1U)).channels[1].lane, 1);
  EXPECT_TRUE(routing.depends_on_source());
  EXPECT_TRUE(check_dependencies(square(), routing).ok());
}

TEST(LayeredForwarding, SaysWhatIsMissing) {
  const std::string all = paths_text(upper_half);
  const std::string first = all.substr(0, all.find("PathRecord", 1));
  EXPECT_THAT(
      words_of([&] { (void)routing_of(false, first, ""); }),
      HasSubstr("paths.txt: no path record from h0 (LID 5) to h2 (LID 7), and for 10 pairs of "
                "4 hosts more"));
  EXPECT_EQ(routing_of(false, first, "", 3).missing_pairs(), 11U);
  EXPECT_THAT(routing_of(false, first, "", 3).vls(), ElementsAre(0, 3));
  const auto mod = [](int, int, int, int level) { return level % 8; };
  std::string tables = sl2vl_text(mod);
  EXPECT_THAT(
      words_of([&] { (void)routing_of(false, all, tables.substr(tables.find("Switch", 1))); }),
      HasSubstr("sl2vl.txt: switch 's0' (LID 1) has no SL2VL table to port "));
  const auto reserved = [](int, int, int, int level) { return level == 1 ? 15 : 0; };
  EXPECT_THAT(words_of([&] { (void)routing_of(false, all, sl2vl_text(reserved)); }),
              HasSubstr("to VL 15, which carries no data"));
  EXPECT_THAT(
      words_of([&] { (void)routing_of(false, paths_text([](int, int) { return 15; }), ""); }),
      HasSubstr("to VL 15, which carries no data"));
  EXPECT_THAT(words_of([&] {
                (void)routing_of(false, all + "PathRecord dump:\n\tslid..9\n\tdlid..5\n\tsl..0\n",
                                 "");
              }),
              HasSubstr("paths.txt:85: a path record from LID 9, which no node of the fabric has"));
  EXPECT_THAT(words_of([&] {
                (void)routing_of(false, all + "PathRecord dump:\n\tslid..6\n\tdlid..5\n\tsl..7\n",
                                 "");
              }),
              HasSubstr("packets from h1 (LID 6) to h0 (LID 5) have service level 7, and 0 in"));
  EXPECT_THAT(words_of([&] {
                (void)routing_of(false, all,
                                 tables +
                                     "Switch 0x7, base LID 1, \"s0\"\n5 1 :"
                                     " 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
              }),
              HasSubstr("switch 's0' (LID 1), which has 4 ports"));
  EXPECT_THAT(words_of([&] {
                (void)routing_of(false, all,
                                 tables +
                                     "Switch 0x7, base LID 1, \"s0\"\n1 1 :"
                                     " 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
              }),
              HasSubstr("second SL2VL table from port 1 to port 1 of switch 's0' (LID 1), not the "
                        "same: the first is on line "));
}

TEST(PathRecords, OfOpenSmAndOfSaquery) {
  const auto dump = parse_path_records(
      "Channel Adapter 0x0000000000100001, base LID 2, \"node001\", port 1\n"
      "# LID  : SL : MTU : RATE\n0x0001 : 0  : 4   : 16  \n0x0005 : 11 : 4   : 16  \n"
      "0x0007 : UNREACHABLE\n\n",
      "p.txt");
  ASSERT_EQ(dump.records.size(), 2U);
  EXPECT_EQ(dump.records[1].from, 2);
  EXPECT_EQ(dump.records[1].to, 5);
  EXPECT_EQ(dump.records[1].service_level, 11);
  EXPECT_EQ(dump.records[1].line, 4U);
  const auto asked =
      parse_path_records("ibwarn: [1] sim_connect\n" + paths_text(upper_half), "p.txt");
  ASSERT_EQ(asked.records.size(), 12U);
  EXPECT_EQ(asked.records[11].from, 8);
  EXPECT_EQ(asked.records[11].to, 7);
  EXPECT_EQ(asked.records[11].service_level, 1);
}

std::string path_error(const std::string& text) {
  return words_of([&] { (void)parse_path_records(text, "p.txt"); });
}

TEST(PathRecords, RefusesWhatIsNone) {
  EXPECT_THAT(path_error(""), HasSubstr("p.txt: no path record"));
  EXPECT_THAT(path_error("hello\n"), HasSubstr("p.txt:1:1: 'hello' is no line of a list of path"));
  EXPECT_THAT(path_error("PathRecord dump:\n\tslid..1\n\tdlid..2\n"),
              HasSubstr("p.txt:1: the path record has no 'sl'"));
  EXPECT_THAT(path_error("PathRecord dump:\n\tslid..0\n"),
              HasSubstr("p.txt:2:8: expected a unicast LID from 1 to 49151, not '0'"));
  EXPECT_THAT(path_error("PathRecord dump:\n\tsl....0x10\n"),
              HasSubstr("expected a service level from 0 to 15, not '0x10'"));
  EXPECT_THAT(path_error("PathRecord dump:\n\tsl....0x1 x\n"), HasSubstr("'x' is left over"));
  EXPECT_THAT(path_error("Switch 0x12, \"s\"\n"), HasSubstr("expected ', base LID N'"));
  EXPECT_THAT(path_error("Switch 0x12, base LID 1\n0x0002 : 16 : 4 : 3\n"),
              HasSubstr("p.txt:2:10: expected a service level"));
}

std::string vl_error(const std::string& text) {
  return words_of([&] { (void)parse_service_level_tables(text, "v.txt"); });
}

TEST(ServiceLevelTables, OfSaqueryAndSmpquery) {
  const auto tables = parse_service_level_tables(
      "SL2VLTableRecord dump:\n\t\tLID........................7\n"
      "\t\tInPort.....................2\n\t\tOutPort....................3\n"
      "\t\tSL: 0| 1| 2| 3| 4| 5| 6| 7| 8| 9|10|11|12|13|14|15|\n"
      "\t\tVL: 0| 1| 2| 3| 4| 5| 6| 7| 0| 1| 2| 3| 4| 5| 6| 9|\n"
      "# SL2VL table: Lid 4\n#                 SL: | 0| 1| 2|\n"
      "ports: in 10, out 11: | 0| 1| 2| 3| 4| 5| 6| 7| 8| 9|10|11|12|13|14| 7|\n",
      "v.txt");
  ASSERT_EQ(tables.tables.size(), 2U);
  EXPECT_EQ(tables.tables[0].lid, 7);
  EXPECT_EQ(tables.tables[0].in, 2);
  EXPECT_EQ(tables.tables[0].out, 3);
  EXPECT_EQ(tables.tables[0].vl[15], 9);
  EXPECT_EQ(tables.tables[1].lid, 4);
  EXPECT_EQ(tables.tables[1].in, 10);
  EXPECT_EQ(tables.tables[1].out, 11);
  EXPECT_EQ(tables.tables[1].vl[14], 14);
}

TEST(ServiceLevelTables, RefusesWhatIsNone) {
  EXPECT_THAT(vl_error("\n"), HasSubstr("v.txt: no SL2VL table"));
  EXPECT_THAT(vl_error("0 1 : 0\n"), HasSubstr("v.txt:1:1: '0 1 : 0' is no line of a dump"));
  EXPECT_THAT(vl_error("Switch 0x1, base LID 1\n0 1 : 0 1 2\n"),
              HasSubstr("a table has 16 VLs, one for each service level, not 3"));
  EXPECT_THAT(vl_error("Switch 0x1, base LID 1\n0 1 : 0 1 16\n"),
              HasSubstr("expected a VL from 0 to 15, not '16'"));
  EXPECT_THAT(vl_error("SL2VLTableRecord dump:\n\tLID..7\n"),
              HasSubstr("v.txt:1: the SL2VL table is "
                        "cut off"));
  EXPECT_THAT(vl_error("# SL2VL table: DR path slid 65535; dlid 65535; 0,1\n"),
              HasSubstr("ask smpquery by LID"));
}

TEST(PortArbitrations, OfSaqueryAndSmpquery) {
  const auto all = parse_port_arbitrations(
      "# VLArbitration tables: Lid 2 port 1 LowCap 8 HighCap 8\n"
      "# Low priority VL Arbitration Table:\nVL    : |0x0 |0x1 |0x2 |\nWEIGHT: |0x0 |0x4 |0xff|\n"
      "# High priority VL Arbitration Table:\nVL    : |0x0 |\nWEIGHT: |0x4 |\n"
      "# No VLArbitration tables (BSP0): Lid 1 port 0\n"
      "VLArbTableRecord dump:\n\tLID........1\n\tPort.......3\n\tBlock......1\n"
      "\tVL    : 0| 1|\n\tWeight: 9| 0|\n"
      "VLArbTableRecord dump:\n\tLID........1\n\tPort.......3\n\tBlock......3\n"
      "\tVL    : 2|\n\tWeight: 1|\n",
      "a.txt");
  ASSERT_EQ(all.ports.size(), 2U);
  EXPECT_EQ(all.ports[0].lid, 1);
  EXPECT_EQ(all.ports[0].port, 3);
  EXPECT_THAT(all.ports[0].low, ElementsAre(VlEntry{0, 9}));
  EXPECT_THAT(all.ports[0].high, ElementsAre(VlEntry{2, 1}));
  EXPECT_THAT(all.ports[1].low, ElementsAre(VlEntry{1, 4}, VlEntry{2, 255}));
  EXPECT_THAT(all.ports[1].high, ElementsAre(VlEntry{0, 4}));
}

TEST(PortArbitrations, RefusesWhatIsNone) {
  const auto error = [](const std::string& text) {
    return words_of([&] { (void)parse_port_arbitrations(text, "a.txt"); });
  };
  const std::string head = "# VLArbitration tables: Lid 2 port 1\n# Low priority\n";
  EXPECT_THAT(error(""), HasSubstr("a.txt: no VL arbitration table"));
  EXPECT_THAT(error(head + "VL : |0x0 |0x1 |\nWEIGHT: |0x4 |\n"), HasSubstr("1 weights for 2 VLs"));
  EXPECT_THAT(error(head + "VL : |0x0 |\n"), HasSubstr("have no weights"));
  EXPECT_THAT(error("VL : |0x0 |\nWEIGHT: |0x4 |\n"), HasSubstr("weights that belong to no table"));
  EXPECT_THAT(error(head + head),
              HasSubstr("second tables of LID 2 port 1: the first are on line 1"));
  EXPECT_THAT(error(head + "what\n"), HasSubstr("a.txt:3:1: 'what' is no line"));
}

/// The files in a folder of their own.
class LayeredImport : public testing::Test {
 protected:
  void SetUp() override {
    write("topology.txt", square_text());
    write("lfts.txt", square_tables(false));
    write("paths.txt", paths_text(upper_half));
    write("sl2vl.txt",
          sl2vl_text([](int, int, int, int level) { return level == 1 ? 4 : 2; }) + adapters());
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ + name) << text;
  }
  /// Adapters on the switches' VLs.
  static std::string adapters() {
    std::string text;
    for (int h = 0; h < kSquare; ++h) {
      text += fmt::format("Channel Adapter 0x{}, base LID {}, \"h\"\n0 0 :", h, h + 5);
      for (int level = 0; level < 16; ++level) text += level == 1 ? " 4" : " 2";
      text += '\n';
    }
    return text;
  }
  static std::string arbitration(int lid, int port, const std::string& weights) {
    return fmt::format(
        "# VLArbitration tables: Lid {} port {} LowCap 8 HighCap 8\n# Low priority VL Arbitration "
        "Table:\nVL    : |0x0 |0x2 |0x4 |\nWEIGHT: {}\n# High priority VL Arbitration Table:\n"
        "VL    : |0x0 |\nWEIGHT: |0x0 |\n",
        lid, port, weights);
  }
  [[nodiscard]] SubnetFiles files(const std::string& arbitration = "") const {
    return {folder_ + "topology.txt",
            folder_ + "lfts.txt",
            folder_ + "paths.txt",
            folder_ + "sl2vl.txt",
            arbitration.empty() ? "" : folder_ + arbitration,
            {}};
  }

  support::TemporaryFolder temporary_;
  std::string folder_ = temporary_.string() + "/";
};

TEST_F(LayeredImport, TellsLanesAndVerdicts) {
  const std::string text = fabric_experiment(files(), folder_);
  EXPECT_THAT(text, HasSubstr("# on one lane: packets can deadlock, 4 channels wait"));
  EXPECT_THAT(text, HasSubstr("# service levels 0, 1 on VLs 2, 4, which are lanes 0 to 1\n"));
  EXPECT_THAT(text, HasSubstr("# with these lanes: no circle of waiting channels"));
  const ConfigTable table = parse_toml(text, "fabric.toml");
  const auto& routing = table.find("routing")->table();
  EXPECT_EQ(routing.find("paths")->text(), "paths.txt");
  EXPECT_EQ(routing.find("sl2vl")->text(), "sl2vl.txt");
  const auto made = test::make_routing(
      "linear-forwarding-tables", square(),
      fmt::format("file = '{0}lfts.txt'\npaths = '{0}paths.txt'\nsl2vl = '{0}sl2vl.txt'", folder_));
  EXPECT_EQ(made->lanes(), 2);
}

TEST_F(LayeredImport, TakesTheArbitrationThatMostPortsHave) {
  std::string dump;
  for (int lid = 1; lid <= 4; ++lid) {
    for (int port = 1; port <= 3; ++port) {
      dump += arbitration(lid, port, lid == 2 ? "|0x1 |0x9 |0x1 |" : "|0x1 |0x3 |0x20 |");
    }
  }
  write("vlarb.txt", dump);
  const std::string text = fabric_experiment(files("vlarb.txt"), folder_);
  EXPECT_THAT(text, HasSubstr("# VL arbitration: ports have 2 different tables; the experiment has "
                              "those of 9 of 12 ports for all\n"));
  EXPECT_THAT(text, HasSubstr("# VL arbitration: 4 of 16 cabled ports are not in the dump\n"));
  const ConfigTable table = parse_toml(text, "fabric.toml");
  EXPECT_EQ(table.find("switch")->table().find("arbiter")->text(), "vl-weighted");
  const auto& low = table.find("vl_arbitration")->table().find("low")->array();
  ASSERT_EQ(low.size(), 2U) << "VL 0 is in no route's way";
  EXPECT_EQ(low[1].table().find("vl")->integer(), 1) << "VL 4 is lane 1";
  EXPECT_EQ(low[1].table().find("weight")->integer(), 32);
}

TEST_F(LayeredImport, RefusesArbitrationThatStarvesALane) {
  write("vlarb.txt", arbitration(1, 1, "|0x1 |0x3 |0x0 |"));
  EXPECT_THAT(words_of([&] { (void)fabric_experiment(files("vlarb.txt"), folder_); }),
              HasSubstr("vlarb.txt: VL 4 has no weight"));
  write("other.txt", arbitration(9, 1, "|0x1 |0x3 |0x0 |"));
  EXPECT_THAT(words_of([&] { (void)fabric_experiment(files("other.txt"), folder_); }),
              HasSubstr("other.txt:1: tables of LID 9, which no node of the fabric has"));
}

TEST_F(LayeredImport, KeysThatNeedOthers) {
  const std::string file = fmt::format("file = '{}lfts.txt'\n", folder_);
  EXPECT_THAT(test::routing_error("linear-forwarding-tables", square(),
                                  file + fmt::format("sl2vl = '{}sl2vl.txt'", folder_)),
              HasSubstr("SL2VL tables need the service levels of paths"));
  EXPECT_THAT(test::routing_error("linear-forwarding-tables", square(), file + "missing_sl = 1"),
              HasSubstr("pairs without a record"));
  SubnetFiles bare = files();
  bare.paths.clear();
  EXPECT_THAT(words_of([&] { (void)fabric_experiment(bare, folder_); }), HasSubstr("--paths"));
}

}  // namespace
}  // namespace weir::routing
