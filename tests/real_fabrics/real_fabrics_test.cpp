// Runs ibsim, OpenSM, ibnetdiscover and dump_fts (see experiments/fabrics/record.sh) and imports
// what they print. A missing program fails these tests: the set-up installs them.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "routing/support.hpp"
#include "weir/routing/channel_dependency.hpp"
#include "weir/routing/import_fabric.hpp"
#include "weir/topology/import_ibnetdiscover.hpp"

namespace weir::routing {
namespace {

namespace fs = std::filesystem;

const std::string kScripts = WEIR_SOURCE_DIR "/experiments/fabrics/";

/// A folder of its own for each test, removed with it.
class RealFabric : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "weir-real-fabric-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

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
  fs::path folder_;
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
  EXPECT_TRUE(fabric_experiment(file("topology.txt"), file("lfts.txt"), "/")
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

}  // namespace
}  // namespace weir::routing
