// A network is divided by what its traffic will have each part do.
#include "weir/experiment/run/expected_work.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "weir/experiment/config/read_file.hpp"
#include "weir/experiment/run/simulation.hpp"
#include "weir/fabric/parallel/territories.hpp"

namespace weir::experiment {
namespace {

Configuration configuration_of(const std::string& traffic) {
  return resolve(parse_experiment(R"([experiment]
duration = "30 us"
[topology]
model = "k-ary-n-tree"
k = 4
n = 3
[host]
mtu = "1 KiB"
[[traffic]]
name = "some"
)" + traffic,
                                  "expected"));
}

std::vector<double> packets_of(const Configuration& configuration, const Network& network) {
  return expected_packets(make_traffic(configuration, *network.graph, configuration.fabric),
                          network, configuration.fabric);
}

TEST(ExpectedWork, FollowsTheFirstMessagesAndNoHostGetsMoreThanItsLinkCarries) {
  const Configuration configuration = configuration_of(
      "sources = { range = [0, 7] }\ndestinations = { model = \"fixed\", host = 63 }\n"
      "arrivals = { model = \"constant\", load = 0.5 }\n"
      "sizes = { model = \"fixed\", size = \"2 KiB\" }\n");
  const auto network = make_network(configuration);
  const topology::Graph& graph = *network->graph;
  const std::vector<double> packets = packets_of(configuration, *network);
  const double full = static_cast<double>(graph.port(PortId(0)).link.rate.count) / 8 / 1024;
  // Four times what the link of host 63 carries is asked of it.
  const PortId into = graph.port(graph.host_port(HostId(63))).from;
  EXPECT_NEAR(packets[into.index()] / full, 1, 0.02);
  for (std::uint32_t host = 0; host < 8; ++host)
    EXPECT_NEAR(packets[graph.host_port(HostId(host)).index()] / full, 1.0 / 8, 0.02) << host;
  EXPECT_EQ(packets[graph.host_port(HostId(8)).index()], 0);
}

TEST(ExpectedWork, PartsHaveAsMuchToDoWhereFewHostsSend) {
  const auto by_ports = [](const topology::Graph& graph, std::size_t parts) {
    return fabric::divide(graph, parts);
  };
  // Those of one part, as they would be divided by the ports that there are.
  const std::string rest =
      "destinations = { model = \"shift\", distance = 1 }\n"
      "arrivals = { model = \"constant\", load = 0.9 }\n"
      "sizes = { model = \"fixed\", size = \"1 KiB\" }\n";
  const auto network = make_network(configuration_of("sources = \"all\"\n" + rest));
  const fabric::Territories halves = by_ports(*network->graph, 2);
  std::string senders;
  for (std::size_t host = 0; host < network->graph->host_count(); ++host)
    if (halves.of_node[host] == 0) senders += fmt::format("{}, ", host);
  Configuration configuration = configuration_of("sources = [" + senders + "]\n" + rest);
  configuration.threads = 2;
  const auto balance = [&](const SimulationAdditions& additions) {
    Simulation simulation(configuration, network, additions);
    while (simulation.advance()) continue;
    const fabric::Fabric::Division division = simulation.fabric().division();
    return static_cast<double>(simulation.fabric().counters().events) / 2 /
           static_cast<double>(division.busiest_events);
  };
  SimulationAdditions by_structure;
  by_structure.divide = by_ports;
  EXPECT_LT(balance(by_structure), 0.7) << "all that send are in one part";
  EXPECT_GT(balance({}), 0.75);
}

TEST(ExpectedWork, OfNoTrafficIsUnknown) {
  const Configuration configuration = configuration_of(
      "sources = { range = [0, 7] }\ndestinations = { model = \"uniform\" }\n"
      "arrivals = { model = \"poisson\", load = 0.5 }\n"
      "sizes = { model = \"fixed\", size = \"2 KiB\" }\n");
  const auto network = make_network(configuration);
  EXPECT_TRUE(expected_packets({}, *network, configuration.fabric).empty());
  EXPECT_FALSE(packets_of(configuration, *network).empty());
}

}  // namespace
}  // namespace weir::experiment
