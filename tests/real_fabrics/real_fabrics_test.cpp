// Runs ibsim, OpenSM, ibnetdiscover and dump_fts (see experiments/fabrics/record.sh) and imports
// what they print. A missing program fails these tests: the set-up installs them.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>

#include "routing/support.hpp"
#include "support/temporary_folder.hpp"
#include "weir/routing/channel_dependency.hpp"
#include "weir/routing/import_fabric.hpp"
#include "weir/topology/import_ibnetdiscover.hpp"
#include "weir/topology/port_counters.hpp"

namespace weir::routing {
namespace {

namespace fs = std::filesystem;

const std::string kScripts = WEIR_SOURCE_DIR "/experiments/fabrics/";

class RealFabric : public testing::Test {
 protected:
  [[nodiscard]] std::string folder() const { return folder_.string(); }
  [[nodiscard]] std::string file(const std::string& name) const {
    return (folder_ / name).string();
  }
  [[nodiscard]] std::string contents(const std::string& name) const {
    std::ifstream in(file(name));
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }

  /// Exit status of a shell command; what it prints goes to the file "log".
  [[nodiscard]] int run(const std::string& command) const {
    const int status = std::system((command + " >'" + file("log") + "' 2>&1").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  void write_netlist(const std::string& arguments) const {
    const std::string command =
        kScripts + "make_netlist.py " + arguments + " -o '" + file("net.txt") + "'";
    ASSERT_EQ(run(command), 0) << contents("log");
  }
  /// With service levels and virtual lanes; `options` are OpenSM's.
  [[nodiscard]] int record_layers(const std::string& engine,
                                  const std::string& options = "") const {
    return run(kScripts + "record.sh -l -o '" + options + "' '" + file("net.txt") + "' " + engine +
               " '" + folder_.string() + "'");
  }
  [[nodiscard]] int record(const std::string& engine, const std::string& roots = "") const {
    return run(kScripts + "record.sh '" + file("net.txt") + "' " + engine + " '" +
               folder_.string() + "' " + roots);
  }

  [[nodiscard]] topology::Graph fabric() const {
    return test::make_graph("ibnetdiscover", "file = '" + file("topology.txt") + "'");
  }
  [[nodiscard]] std::unique_ptr<RoutingFunction> tables(const topology::Graph& graph) const {
    return test::make_routing("linear-forwarding-tables", graph,
                              "file = '" + file("lfts.txt") + "'");
  }

 private:
  support::TemporaryFolder folder_;
};

/// Every pair of hosts has a route, as OpenSM promises; returns the most switches on one.
std::size_t longest_route(const topology::Graph& graph, const RoutingFunction& routing) {
  std::size_t longest = 0;
  for (std::size_t a = 0; a < graph.host_count(); ++a) {
    for (std::size_t b = 0; b < graph.host_count(); ++b) {
      if (a == b) continue;
      const Route route = trace(graph, routing, HostId(a), HostId(b));
      EXPECT_EQ(route.end, RouteEnd::delivered);
      longest = std::max(longest, route.switches());
    }
  }
  return longest;
}

/// What perfquery and ibqueryerrors print of a fat tree with 8 hosts and 6 switches.
TEST_F(RealFabric, Counters) {
  write_netlist("fat-tree --radix 4 --levels 2");
  ASSERT_EQ(run(kScripts + "record.sh -c '" + file("net.txt") + "' ftree '" + folder() + "'"), 0)
      << contents("log");
  const topology::Graph graph = fabric();
  const auto snapshot = [&](const char* name) {
    return topology::parse_port_counters(contents(name), name);
  };
  const auto before = snapshot("counters-before.txt");
  const auto listed = snapshot("ibqueryerrors.txt");
  const auto after = snapshot("counters.txt");
  const auto first = topology::count_links(graph, before, nullptr);
  const auto middle = topology::count_links(graph, listed, nullptr);
  const auto last = topology::count_links(graph, after, nullptr);
  const auto between = topology::count_links(graph, after, &before);
  std::uint64_t sent = 0;
  for (std::size_t p = 0; p < graph.port_count(); ++p) {
    SCOPED_TRACE(graph.name(PortId(p)));
    ASSERT_EQ(last.links[p].words.state, topology::CounterState::counted);
    EXPECT_EQ(last.links[p].ticks.state, topology::CounterState::counted);
    EXPECT_LE(first.links[p].words.count, middle.links[p].words.count);
    EXPECT_LE(middle.links[p].words.count, last.links[p].words.count);
    EXPECT_EQ(between.links[p].words.count, last.links[p].words.count - first.links[p].words.count);
    sent += between.links[p].words.count;
  }
  EXPECT_GT(sent, 0U) << "ibsim counts what asks for the counters";
  EXPECT_TRUE(between.notes.empty()) << between.notes.front();
}

/// What verdict.py says of the recorded files, which has nothing in common with weir.
struct OtherVerdict {
  bool is_free_on_one_lane = false;
  bool is_free_on_vls = false;
  std::string text;
};

class LayeredFabric : public RealFabric {
 protected:
  [[nodiscard]] SubnetFiles files() const {
    return {file("topology.txt"), file("lfts.txt"),  file("paths.txt"),
            file("sl2vl.txt"),    file("vlarb.txt"), {}};
  }
  [[nodiscard]] std::unique_ptr<RoutingFunction> layers(const topology::Graph& graph) const {
    return test::make_routing("linear-forwarding-tables", graph,
                              "file = '" + file("lfts.txt") + "'\npaths = '" + file("paths.txt") +
                                  "'\nsl2vl = '" + file("sl2vl.txt") + "'");
  }
  [[nodiscard]] OtherVerdict other_verdict() const {
    const int status = run(WEIR_SOURCE_DIR "/tests/real_fabrics/verdict.py '" + folder() + "'");
    OtherVerdict other;
    other.text = contents("log");
    EXPECT_EQ(status, 0) << other.text;
    other.is_free_on_one_lane = other.text.find("one lane: free") != std::string::npos;
    other.is_free_on_vls = other.text.find("VLs: free") != std::string::npos;
    return other;
  }
  /// weir's verdicts are those of the other program; with their lanes the routes are free.
  void expect_free_with_lanes_only() const {
    const auto graph = fabric();
    const OtherVerdict other = other_verdict();
    EXPECT_FALSE(other.is_free_on_one_lane) << other.text;
    EXPECT_TRUE(other.is_free_on_vls) << other.text;
    EXPECT_FALSE(check_dependencies(graph, *tables(graph)).cycle.empty());
    const auto routing = layers(graph);
    EXPECT_GE(routing->lanes(), 2);
    EXPECT_TRUE(check_dependencies(graph, *routing).ok());
    EXPECT_GE(longest_route(graph, *routing), 2U);
  }
  /// Messages that arrive in 100 us of uniform traffic at 90 %.
  [[nodiscard]] int simulate() const {
    std::ofstream(file("fabric.toml")) << fabric_experiment(files(), folder());
    std::ofstream(file("run.toml")) << "include = ['fabric.toml']\n"
                                       "[experiment]\nduration = '100 us'\nwarmup = '10 us'\n"
                                       "[buffer]\ningress = '64 KiB'\n"
                                       "[[traffic]]\nname = 'all'\n"
                                       "destinations = 'uniform'\n"
                                       "arrivals = { model = 'poisson', load = 0.9 }\n"
                                       "sizes = { model = 'fixed', size = '8 KiB' }\n";
    return run(std::string(WEIR_PROGRAM) + " run '" + file("run.toml") + "' -o '" +
               file("results") + "'");
  }
};

class RealFatTree : public RealFabric, public testing::WithParamInterface<const char*> {};

TEST_P(RealFatTree, IsImportedWithItsTables) {
  write_netlist("fat-tree --radix 8 --levels 3 --speed 4xEDR");
  ASSERT_EQ(record(GetParam()), 0) << contents("log");
  const auto graph = fabric();
  EXPECT_EQ(graph.host_count(), 128U);
  EXPECT_EQ(graph.switch_count(), 80U);
  EXPECT_EQ(graph.port(PortId(0)).link.rate, gigabits_per_second(100));
  const auto routing = tables(graph);
  EXPECT_EQ(longest_route(graph, *routing), 5U);
  EXPECT_TRUE(check_dependencies(graph, *routing).ok()) << "shortest routes in a tree";
  EXPECT_TRUE(fabric_experiment({file("topology.txt"), file("lfts.txt"), {}, {}, {}, {}}, "/")
                  .starts_with("# 128 hosts, 80 switches, 384 links (384 of 100 Gbps)\n"));
}

INSTANTIATE_TEST_SUITE_P(Engines, RealFatTree, testing::Values("ftree", "updn", "minhop"),
                         [](const auto& engine) { return std::string(engine.param); });

TEST_F(RealFabric, TwoLevelFatTree) {
  write_netlist("fat-tree --radix 8 --levels 2 --speed 2xHDR");
  ASSERT_EQ(record("ftree"), 0) << contents("log");
  const auto graph = fabric();
  EXPECT_EQ(graph.host_count(), 32U);
  EXPECT_EQ(graph.switch_count(), 12U);
  EXPECT_EQ(longest_route(graph, *tables(graph)), 3U);
}

TEST_F(RealFabric, IrregularWithUpDown) {
  write_netlist("irregular --switches 12 --hosts 30 --extra 8 --seed 3");
  ASSERT_EQ(record("updn", "0x200000"), 0) << contents("log");
  const auto graph = fabric();
  EXPECT_EQ(graph.host_count(), 33U) << "three adapters have two ports";
  EXPECT_EQ(graph.switch_count(), 12U);
  const auto routing = tables(graph);
  EXPECT_GE(longest_route(graph, *routing), 3U);
  EXPECT_TRUE(check_dependencies(graph, *routing).ok()) << "up*/down* has no cycle on any graph";
}

TEST_F(RealFabric, IrregularWithMinHop) {
  write_netlist("irregular --switches 12 --hosts 30 --extra 8 --seed 3");
  ASSERT_EQ(record("minhop"), 0) << contents("log");
  const auto graph = fabric();
  const auto routing = tables(graph);
  const auto shortest = test::make_routing("shortest-path", graph);
  for (std::size_t a = 0; a < graph.host_count(); ++a) {
    for (std::size_t b = 0; b < graph.host_count(); ++b) {
      if (a == b) continue;
      const Route route = trace(graph, *routing, HostId(a), HostId(b));
      ASSERT_EQ(route.end, RouteEnd::delivered);
      ASSERT_EQ(route.switches(), trace(graph, *shortest, HostId(a), HostId(b)).switches());
    }
  }
}

TEST_F(RealFabric, AnEngineThatGivesUpIsNotRecorded) {
  write_netlist("irregular --switches 8 --hosts 20");
  EXPECT_EQ(record("ftree"), 1);
  EXPECT_NE(contents("log").find("opensm did not route with ftree"), std::string::npos)
      << contents("log");
  EXPECT_FALSE(fs::exists(file("topology.txt")));
}

/// The tables of one engine on the fabric of another: LIDs and switches agree, the cables do not.
TEST_F(RealFabric, TablesOfAnotherFabricAreRefused) {
  write_netlist("irregular --switches 8 --hosts 20 --seed 5");
  ASSERT_EQ(record("minhop"), 0) << contents("log");
  fs::rename(file("lfts.txt"), file("other.txt"));
  write_netlist("irregular --switches 8 --hosts 20 --seed 6");
  ASSERT_EQ(record("minhop"), 0) << contents("log");
  EXPECT_EQ(test::routing_error("linear-forwarding-tables", fabric(),
                                "file = '" + file("lfts.txt") + "'"),
            "");
  const std::string error = test::routing_error("linear-forwarding-tables", fabric(),
                                                "file = '" + file("other.txt") + "'");
  EXPECT_NE(error.find("LID"), std::string::npos) << error;
}

/// LASH puts pairs into layers, each with a VL of its own.
TEST_F(LayeredFabric, LashOnATorusIsFreeInItsLayers) {
  write_netlist("torus --dimensions 4x4");
  ASSERT_EQ(record_layers("lash"), 0) << contents("log");
  expect_free_with_lanes_only();
  const std::string text = fabric_experiment(files(), folder());
  EXPECT_THAT(text, testing::HasSubstr("# on one lane: packets can deadlock"));
  EXPECT_THAT(text, testing::HasSubstr("# with these lanes: no circle of waiting channels"));
  EXPECT_THAT(text, testing::HasSubstr("# VL arbitration: all 96 ports have the same tables"));
  ASSERT_EQ(simulate(), 0) << contents("log");
}

/// DFSSSP spreads pairs over all VLs that the links have.
TEST_F(LayeredFabric, DfssspOnARingIsFreeInItsLayers) {
  write_netlist("torus --dimensions 6");
  ASSERT_EQ(record_layers("dfsssp"), 0) << contents("log");
  expect_free_with_lanes_only();
  // All service levels on VL 0: both programs see the cycle that is then there again.
  ASSERT_EQ(run("sed -i 's/^\\([0-9]* *[0-9]* *:\\).*/\\1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0/' '" +
                file("sl2vl.txt") + "'"),
            0);
  EXPECT_FALSE(other_verdict().is_free_on_vls);
  const auto graph = fabric();
  EXPECT_EQ(layers(graph)->lanes(), 1);
  EXPECT_FALSE(check_dependencies(graph, *layers(graph)).cycle.empty());
}

TEST_F(LayeredFabric, NueOnARingIsFreeInItsLayers) {
  write_netlist("torus --dimensions 6");
  ASSERT_EQ(record_layers("nue", "--nue_max_num_vls 2"), 0) << contents("log");
  expect_free_with_lanes_only();
}

/// Its SL2VL tables depend on the port that packets leave by: more service levels than VLs.
TEST_F(LayeredFabric, TorusTwoQosIsFreeByDatelines) {
  write_netlist("torus --dimensions 5x3");
  std::ofstream(file("torus.conf")) << "torus 5 3 1\nxp_link 0x200000 0x200003\n"
                                       "yp_link 0x200000 0x200001\n";
  ASSERT_EQ(record_layers("torus-2QoS", "--torus_config " + file("torus.conf")), 0)
      << contents("log");
  expect_free_with_lanes_only();
  const auto graph = fabric();
  EXPECT_EQ(layers(graph)->lanes(), 2) << "four service levels on two VLs";
}

}  // namespace
}  // namespace weir::routing
