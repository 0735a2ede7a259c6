#include "weir/experiment/config/flow_table_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "experiment/one_run.hpp"
#include "experiment/support.hpp"
#include "weir/experiment/config/flow_routing.hpp"
#include "weir/experiment/run/network.hpp"
#include "weir/flow_routing/flow_paths.hpp"

namespace weir::experiment {
namespace {

using flow_routing::FlowTables;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// A file of its own for each test, which is removed with it.
class FlowTableFile : public testing::Test {
 protected:
  void TearDown() override {
    for (const std::string& name : names_) std::filesystem::remove(name);
  }
  std::string write(const std::string& name, const std::string& text) {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    names_.push_back(testing::TempDir() + "weir_" + test->name() + "_" + name);
    std::ofstream(names_.back()) << text;
    return names_.back();
  }

  /// Switches a, b and c in a triangle: ports 0 and 1 have hosts (h0 to h5 in this order), 2 leads
  /// to the next switch, 3 to the one before. Default routes are the direct ones.
  std::string triangle(const std::string& tables, const std::string& more = "",
                       const std::string& run = "kind = \"rates\"\n") {
    const std::string edges = write(
        "triangle.txt",
        "host h0\nhost h1\nhost h2\nhost h3\nhost h4\nhost h5\n"
        "switch a 5\nswitch b 4\nswitch c 4\nlink h0 a:0\nlink h1 a:1\nlink h2 b:0\nlink h3 b:1\n"
        "link h4 c:0\nlink h5 c:1\nlink a:2 b:3\nlink b:2 c:3\nlink c:2 a:3\n");
    return "[experiment]\n" + run + "[topology]\nmodel = \"edge-list\"\nfile = \"" + edges +
           "\"\n[routing]\nmodel = \"shortest-path\"\n[flow_routing]\npolicy = \"tables\"\n"
           "order = \"listed\"\ntables = \"" +
           write("tables.toml", tables) + "\"\n" + more;
  }
  std::string refused(const std::string& tables) {
    return refusal([&] { (void)make_network(resolve(table_of(triangle(tables, kFlows)))); });
  }

  static constexpr const char* kFlows =
      "[[flow]]\nsource = 0\ndestination = 2\n[[flow]]\nsource = 1\ndestination = 3\n";
  /// From a to the hosts of b also by c; not for flows that come from c.
  static constexpr const char* kAround =
      "[[switch]]\nname = \"a\"\n[[switch.group]]\nports = [3]\ndestinations = [[\"h2\", 3]]\n"
      "[[switch.allowed]]\ninputs = [2, \"a[3]\"]\noutputs = []\n";

 private:
  std::vector<std::string> names_;
};

std::vector<PortId> paths(const FlowTables& tables) {
  flow_routing::FlowPathFinder finder(tables, 7);
  std::vector<PortId> all;
  std::vector<PortId> path;
  const auto hosts = static_cast<std::uint32_t>(tables.graph().host_count());
  for (std::uint32_t shift = 1; shift < 6; ++shift) {
    for (std::uint32_t h = 0; h < hosts; ++h) {
      finder.set_up(HostId(h), HostId((h * 7 + shift * 5 + 1) % hosts), 1, path);
      all.insert(all.end(), path.begin(), path.end());
    }
  }
  return all;
}

TEST_F(FlowTableFile, WrittenTablesGiveTheSamePaths) {
  const std::string modified = "model = \"modified-k-ary-n-tree\"\nk = 3\nn = 3\nwidth = 2\n";
  const std::string slimmed =
      "model = \"pgft\"\nchildren = [4, 2]\nparents = [1, 2]\nparallel = [1, 2]\n";
  struct Case {
    std::string topology;
    std::string policy;
    std::string more;
  };
  const std::vector<Case> cases{{modified, "ascent", ""},
                                {modified, "forced-dir", "max_hops = 1\n"},
                                {modified, "forced-dir", "tie = \"dp-first\"\n"},
                                {modified, "free-dir", "max_hops = \"unlimited\"\n"},
                                {slimmed, "ascent", ""}};
  for (const Case& one : cases) {
    const std::string start = "[experiment]\nkind = \"network\"\n[topology]\n" + one.topology +
                              "[routing]\nmodel = \"d-mod-k\"\n[flow_routing]\n" + one.more;
    const Configuration computed = resolve(table_of(start + "policy = \"" + one.policy + "\"\n"));
    const auto network = make_network(computed);
    const auto tables = make_flow_tables(computed.flow_routing, *network->graph, *network->routing);
    const std::string file = write("tables.toml", to_flow_table_file(*tables));
    const Configuration filled =
        resolve(table_of(start + "policy = \"tables\"\ntables = \"" + file + "\"\n"));
    const auto checked = make_network(filled);
    const auto read = make_flow_tables(filled.flow_routing, *checked->graph, *checked->routing);
    EXPECT_EQ(paths(*read), paths(*tables)) << one.policy << one.more;
    EXPECT_EQ(to_flow_table_file(*read), to_flow_table_file(*tables));
  }
}

TEST_F(FlowTableFile, ServesAnyTopology) {
  const metrics::RunResult result = result_of(triangle(kAround, kFlows));
  EXPECT_EQ(number(result, "flow_contention_max"), 1);
  EXPECT_EQ(number(result, "assigned_rate_min"), 1);
  std::string plain = triangle(kAround, kFlows);
  plain.replace(plain.find("policy = \"tables\""), 17, "policy = \"static\"");
  EXPECT_EQ(number(result_of(plain), "flow_contention_max"), 2);
}

// The default port wins when as many flows have gone by the other one.
TEST_F(FlowTableFile, TakesAnAlternateOnlyForFewerFlows) {
  const std::string third = "[[flow]]\nsource = 0\ndestination = 3\n";
  const metrics::RunResult result = result_of(triangle(kAround, kFlows + third));
  EXPECT_EQ(number(result, "flow_contention_max"), 2);
  const Configuration configuration = resolve(table_of(triangle(kAround, kFlows)));
  const auto network = make_network(configuration);
  const auto tables =
      make_flow_tables(configuration.flow_routing, *network->graph, *network->routing);
  flow_routing::FlowPathFinder finder(*tables, 1);
  std::vector<PortId> path;
  std::vector<std::size_t> lengths;
  for (const std::uint32_t source : {0U, 1U, 0U, 1U}) {
    finder.set_up(HostId(source), HostId(2), 1, path);
    lengths.push_back(path.size());
  }
  EXPECT_THAT(lengths, testing::ElementsAre(3, 4, 3, 4));
  finder.set_up(HostId(4), HostId(2), 1, path);
  EXPECT_EQ(path.size(), 3U);
}

TEST_F(FlowTableFile, PacketsSetPathsUpByIt) {
  const std::string run = "until = \"drained\"\nduration = \"1 ms\"\n";
  const std::string packets =
      "set_up = \"packets\"\n[host]\nsource_queues = \"per-destination\"\n"
      "[[traffic]]\nname = \"flows\"\nsources = [0, 1]\n"
      "destinations = { model = \"shift\", distance = 2 }\narrivals = { model = \"once\" }\n"
      "sizes = { model = \"fixed\", size = \"40 KiB\" }\n";
  const metrics::RunResult result = result_of(triangle(kAround, packets, run));
  EXPECT_EQ(number(result, "flow_set_ups"), 2);
  EXPECT_EQ(number(result, "port_choices_diverted"), 1);
  EXPECT_EQ(number(result, "route_cache_entries_left"), 0);
}

// Both flows at full rate, along the paths that were found before.
TEST_F(FlowTableFile, PacketsFollowPathsFoundBefore) {
  const std::string more =
      "[host]\nsource_queues = \"per-destination\"\n"
      "[injection]\nmodel = \"periodic-selection\"\n";
  const metrics::RunResult result =
      result_of(triangle(kAround, more + kFlows, "duration = \"0.5 ms\"\nwarmup = \"0.1 ms\"\n"));
  EXPECT_EQ(number(result, "assigned_rate_min"), 1);
  EXPECT_NEAR(number(result, "delivered_rate_min"), 1, 0.005);
}

// Default ports are those of OpenSM; ports count from 1, as on the switches.
TEST_F(FlowTableFile, ServesAnImportedFabric) {
  const std::string folder = std::string(WEIR_SOURCE_DIR) + "/experiments/fabrics/rlft-54/";
  const auto text = [&](const std::string& ports) {
    return "[experiment]\nkind = \"rates\"\n[topology]\nmodel = \"ibnetdiscover\"\nfile = \"" +
           folder + "topology.txt\"\n[routing]\nmodel = \"linear-forwarding-tables\"\nfile = \"" +
           folder + "lfts.txt\"\n[flow_routing]\npolicy = \"tables\"\ntables = \"" +
           write("tables.toml",
                 "[[switch]]\nname = \"sw1-01\"\n[[switch.group]]\nports = " + ports +
                     "\ndestinations = [[\"node004\", \"node054\"]]\n"
                     "[[switch.allowed]]\ninputs = [[4, 6]]\noutputs = []\n") +
           "\"\n[[flow]]\nsources = [0, 1, 2]\ndestinations = { model = \"shift\", distance = 27 "
           "}\n"
           "[[flow]]\nsources = [0, 1, 2]\ndestinations = { model = \"shift\", distance = 30 }\n";
  };
  const metrics::RunResult result = result_of(text("[4, \"sw1-01[5]\", 6]"));
  EXPECT_EQ(number(result, "flows"), 6);
  EXPECT_THAT(refusal([&] { (void)make_network(resolve(table_of(text("[0]")))); }),
              HasSubstr("sw1-01 has no port 0: its ports are 1 to 6"));
}

TEST_F(FlowTableFile, RefusesCyclesOfChannels) {
  // Each switch sends to the hosts of the next one also by the one before.
  const std::string text =
      "[[switch]]\nname = \"a\"\ngroup = { ports = [3], destinations = [2, 3] }\n"
      "[[switch]]\nname = \"b\"\ngroup = { ports = [3], destinations = [4, 5] }\n"
      "[[switch]]\nname = \"c\"\ngroup = { ports = [3], destinations = [0, 1] }\n";
  EXPECT_THAT(refused(text), AllOf(HasSubstr("x.toml:"), HasSubstr("flow_routing.tables"),
                                   HasSubstr("can deadlock, or go in a circle"),
                                   HasSubstr("cycle of 3 channels")));
  EXPECT_EQ(refused(text.substr(0, text.find("[[switch]]\nname = \"c\""))), "no error");
}

// A multistage network of one-way links: whoever leaves the only path cannot come back to it.
TEST_F(FlowTableFile, RefusesPathsThatDoNotArrive) {
  const std::string start =
      "[experiment]\nkind = \"rates\"\n[topology]\nmodel = \"umin-butterfly\"\nk = 2\nn = 3\n"
      "[routing]\nmodel = \"destination-tag\"\n[flow_routing]\npolicy = \"tables\"\ntables = \"";
  const std::string tables = write("tables.toml",
                                   "[[switch]]\nname = \"s0\"\n[[switch.group]]\n"
                                   "ports = [0, 1]\ndestinations = \"all\"\n");
  EXPECT_THAT(
      refusal([&] { (void)make_network(resolve(table_of(start + tables + "\"\n" + kFlows))); }),
      AllOf(HasSubstr("flow_routing.tables"), HasSubstr("may not arrive")));
}

TEST_F(FlowTableFile, ErrorsNameLineAndNearestChoice) {
  const std::string a = "[[switch]]\nname = \"a\"\n";
  const auto group = [&](const std::string& ports, const std::string& destinations) {
    return a + "[[switch.group]]\nports = " + ports + "\ndestinations = " + destinations + "\n";
  };
  EXPECT_THAT(refused("[[switch]]\nname = \"aa\"\n"),
              AllOf(HasSubstr("tables.toml:2"), HasSubstr("switch[0].name"),
                    HasSubstr("did you mean 'a'?")));
  EXPECT_THAT(refused(a + a), AllOf(HasSubstr("tables.toml:4"), HasSubstr("a has tables already")));
  EXPECT_THAT(refused(a + "groups = []\n"), HasSubstr("did you mean 'group'?"));
  EXPECT_THAT(refused(group("[7]", "[2]")),
              AllOf(HasSubstr("tables.toml:4"), HasSubstr("switch[0].group[0].ports[0]"),
                    HasSubstr("a has no port 7: its ports are 0 to 4")));
  EXPECT_THAT(refused(group("[\"a[33]\"]", "[2]")), HasSubstr("did you mean 'a[3]'?"));
  EXPECT_THAT(refused(group("[4]", "[2]")), HasSubstr("a[4] has no cable"));
  EXPECT_THAT(refused(group("[1]", "\"all\"")), HasSubstr("a[1] leads to h1"));
  EXPECT_THAT(refused(group("[3]", "[\"h33\"]")),
              AllOf(HasSubstr("tables.toml:5"), HasSubstr("did you mean 'h3'?")));
  EXPECT_THAT(refused(group("[3]", "[[3, 2]]")), HasSubstr("ends before it begins"));
  EXPECT_THAT(refused(group("[3]", "[[3, 2, 1]]")), HasSubstr("the first and the last"));
  EXPECT_THAT(refused(group("[3]", "[2, 2]")), HasSubstr("h2 has a group of a already, group[0]"));
  EXPECT_THAT(refused(group("[3]", "[2]") + "tie = \"dp\"\n"), HasSubstr("dp-first"));
  EXPECT_THAT(refused(a + "allowed = [{ inputs = [0], outputs = [] }, { inputs = [[0, 1]], "
                          "outputs = [] }]\n"),
              HasSubstr("a[0] is an input of an earlier table"));
  std::string many = a;
  for (int i = 0; i < 65; ++i) many += "[[switch.group]]\nports = []\ndestinations = []\n";
  EXPECT_THAT(refused(many), HasSubstr("a switch can have 64 groups"));
}

TEST_F(FlowTableFile, GoesWithItsPolicyOnly) {
  std::string text = triangle(kAround, kFlows);
  text.replace(text.find("policy = \"tables\""), 17, "policy = \"ascent\"");
  EXPECT_THAT(refusal([&] { (void)make_network(resolve(table_of(text))); }),
              AllOf(HasSubstr("flow_routing.tables"), HasSubstr("are computed")));
  EXPECT_THAT(refusal([] {
                const Configuration configuration = resolve(
                    table_of("[experiment]\nkind = \"rates\"\n[topology]\nmodel = "
                             "\"single-switch\"\nhosts = 4\n[routing]\nmodel = \"shortest-path\"\n"
                             "[flow_routing]\npolicy = \"tables\"\n" +
                             std::string(kFlows)));
                (void)make_network(configuration);
              }),
              HasSubstr("is missing"));
  EXPECT_THAT(refusal([] {
                (void)make_network(resolve(
                    table_of("[experiment]\nkind = \"rates\"\n[topology]\nmodel = \"torus\"\n"
                             "sizes = [3, 3]\n[routing]\nmodel = \"dimension-order\"\n"
                             "[flow_routing]\npolicy = \"tables\"\ntables = \"/dev/null\"\n" +
                             std::string(kFlows))));
              }),
              HasSubstr("tables"));
}

}  // namespace
}  // namespace weir::experiment
