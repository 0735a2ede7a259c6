#include "weir/experiment/config/default_routing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/support.hpp"
#include "weir/experiment/run/network.hpp"
#include "weir/routing/routing.hpp"
#include "weir/topology/topology.hpp"

namespace weir::experiment {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

/// An experiment on `topology`, TOML behind `topology = `, without [routing] unless `more` has it.
ConfigTable on(const std::string& topology, const std::string& more = "") {
  return table_of("topology = " + topology + "\n" + more + R"(
[experiment]
duration = "20 us"
[[traffic]]
name = "all"
destinations = { model = "uniform" }
arrivals = { model = "poisson", load = 0.5 }
sizes = { model = "fixed", size = "1 KiB" }
)");
}

const std::string kFabric = std::string(WEIR_SOURCE_DIR) + "/experiments/fabrics/rlft-54/";
const std::string kImported =
    R"({ model = "ibnetdiscover", file = ")" + kFabric + R"(topology.txt" })";

TEST(DefaultRouting, EveryTopologyHasOneThatIsThere) {
  for (const ModelInfo* topology : topology::topology_registry().models()) {
    const std::vector<std::string> names = topology::natural_routings(topology->name);
    EXPECT_THAT(names, Not(IsEmpty())) << topology->name;
    for (const std::string& name : names) (void)routing::routing_registry().find(name, {}, "");
  }
}

TEST(DefaultRouting, FitsTheNetworkThatIsBuilt) {
  const std::vector<std::pair<std::string, std::string>> expected{
      {R"({ model = "rlft", ports = 4, stages = 2 })", "d-mod-k"},
      {R"({ model = "xgft", children = [2, 2], parents = [1, 2] })", "d-mod-k"},
      {R"({ model = "torus", sizes = [3, 3] })", "dimension-order"},
      {R"({ model = "mesh", sizes = [3, 3] })", "dimension-order"},
      {R"({ model = "dragonfly", p = 1, a = 2, h = 1 })", "dragonfly-minimal"},
      {R"({ model = "umin-butterfly", k = 2, n = 3 })", "destination-tag"},
      {R"({ model = "bmin-perfect-shuffle", hosts = 8, k = 2, n = 3 })", "turnaround"},
      {R"({ model = "line", switches = 3, hosts_per_switch = [1] })", "shortest-path"},
      {kImported, "up-down"}};
  for (const auto& [topology, routing] : expected) {
    const Configuration configuration = resolve(on(topology));
    EXPECT_EQ(configuration.routing.name, routing) << topology;
    EXPECT_GT(make_network(configuration)->graph->host_count(), 0U);
    // --dump shows it.
    EXPECT_EQ(configuration.resolved.find("routing")->table().find("model")->text(), routing);
  }
}

TEST(DefaultRouting, ImportedFabricsGoByTheirTables) {
  const std::string tables = "routing = { file = \"" + kFabric + "lfts.txt\" }";
  EXPECT_EQ(resolve(on(kImported, tables)).routing.name, "linear-forwarding-tables");
}

TEST(DefaultRouting, IsTheSameRunAsTheOneThatNamesIt) {
  const std::string tree = R"({ model = "rlft", ports = 4, stages = 2 })";
  const Configuration left_out = resolve(on(tree));
  const Configuration named = resolve(on(tree, R"(routing = "d-mod-k")"));
  EXPECT_EQ(configuration_hash(left_out.resolved), configuration_hash(named.resolved));
}

TEST(DefaultRouting, KeysWithoutAModelAreThoseOfTheDefault) {
  const std::string tree = R"({ model = "rlft", ports = 4, stages = 2 })";
  EXPECT_EQ(resolve(on(tree, R"(routing = { up = "source" })")).routing.settings.text("up"),
            "source");
}

TEST(DefaultRouting, TopologyWithoutOneAsksForIt) {
  // As one that is written in a file of its own and says nothing.
  const auto& line = topology::topology_registry().find("line", {}, "");
  topology::topology_registry().replace(
      {{"line-of-my-own", "a line", "weir2026", line.info.parameters}, line.make});
  const std::string mine = R"({ model = "line-of-my-own", switches = 3, hosts_per_switch = [1] })";
  EXPECT_THAT(refusal([&] { (void)resolve(on(mine)); }),
              HasSubstr("routing.model: is missing: the topology 'line-of-my-own' has no routing "
                        "of itself (see weir list routing)"));
  EXPECT_EQ(resolve(on(mine, R"(routing = "up-down")")).routing.name, "up-down");
  EXPECT_THAT(natural_routing_text("line-of-my-own"), StartsWith("none"));
}

TEST(DefaultRouting, IsNotTakenForOneThatIsMisspelt) {
  const std::string tree = R"({ model = "rlft", ports = 4, stages = 2 })";
  EXPECT_EQ(
      refusal([&] { (void)resolve(on(tree, R"(routing = { modle = "up-down", root = "s0" })")); }),
      "x.toml:2:13: routing.modle: unknown key (did you mean 'model'?)");
}

TEST(DefaultRouting, IsWrittenForPeople) {
  EXPECT_EQ(natural_routing_text("ibnetdiscover"),
            "linear-forwarding-tables where there is routing.file, else up-down, unless [routing] "
            "names another");
}

}  // namespace
}  // namespace weir::experiment
