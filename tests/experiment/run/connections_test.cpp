// Several [[flow]]s between the same two hosts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "experiment/one_run.hpp"
#include "experiment/support.hpp"
#include "weir/experiment/config/flows.hpp"

namespace weir::experiment {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double kPacket = 1638.4;  // ns

struct Parts {
  std::string experiment = "duration = \"2 ms\"\nwarmup = \"1 ms\"\n";
  std::string queueing = "[queueing]\nmodel = \"voqsw\"\n";
  std::string more;  ///< sections
};

/// Flows on a 4-ary 2-tree at 10 Gbps that send packets of 2 KiB at rates.
std::string simulation_of(const std::string& flows, const Parts& parts = {}) {
  return "[experiment]\n" + parts.experiment +
         "[topology]\nmodel = \"k-ary-n-tree\"\nk = 4\nn = 2\n"
         "[link]\nrate = \"10 Gbps\"\ndelay = \"15 ns\"\n"
         "[switch]\nrouting_delay = \"100 ns\"\narbiter = \"first-come\"\nvoq = true\n"
         "[buffer]\ningress = \"16 KiB\"\n[routing]\nmodel = \"d-mod-k\"\n" +
         parts.queueing +
         "[host]\nmtu = \"2 KiB\"\nheader = \"0 B\"\nsource_queues = \"per-destination\"\n"
         "[injection]\nmodel = \"periodic-selection\"\n" +
         parts.more + flows;
}
std::string flow(int source, int destination, const std::string& keys = "") {
  return "[[flow]]\nsource = " + std::to_string(source) +
         "\ndestination = " + std::to_string(destination) + "\n" + keys;
}
const std::string kDrained = "until = \"drained\"\nduration = \"20 ms\"\n";
const std::string kShared = "connection = \"shared\"\n";

/// Numbers of the connections of all flows.
std::vector<std::uint16_t> numbers(const std::string& flows) {
  const Configuration configuration = resolve(table_of(simulation_of(flows)));
  const auto network = make_network(configuration);
  return make_flows(*configuration.rates, {*network->graph, 1}).connections;
}

TEST(Connections, AreTheEntriesThatNameTheSameHosts) {
  EXPECT_THAT(numbers(flow(0, 5) + flow(0, 6) + flow(0, 5) + flow(5, 0) + flow(0, 5)),
              ElementsAre(0, 0, 1, 0, 2));
  EXPECT_THAT(numbers(flow(0, 5, kShared) + flow(0, 5) + flow(0, 5, kShared) + flow(0, 5)),
              ElementsAre(0, 1, 0, 2));
  const std::string many =
      "[[flow]]\nsources = [0, 1]\ndestinations = { model = \"fixed\", host = 5 }\n";
  EXPECT_THAT(numbers(many + many), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(numbers(flow(0, 5) + many), ElementsAre(1, 0, 0)) << "the shared one is number 0";
  EXPECT_THAT(numbers(many + many + "connection = \"own\"\n"), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(numbers(many + "per_source = 3\nconnection = \"own\"\n"),
              ElementsAre(0, 1, 2, 0, 1, 2));
}

// A flow of weight 3 beside one of weight 1, as if they went between different hosts: SAA gives
// each its share of the link.
TEST(Connections, HaveTheirOwnRates) {
  Parts parts;
  parts.more = "[rates]\nalgorithm = \"saa\"\n";
  const metrics::RunResult result =
      result_of(simulation_of(flow(0, 5) + flow(0, 5, "weight = 3\n"), parts));
  EXPECT_EQ(number(result, "connection_assigned_rate", "h0 to h5, 0"), 0.25);
  EXPECT_EQ(number(result, "connection_assigned_rate", "h0 to h5, 1"), 0.75);
  EXPECT_NEAR(number(result, "connection_rate", "h0 to h5, 0"), 0.25, 0.003);
  EXPECT_NEAR(number(result, "connection_rate", "h0 to h5, 1"), 0.75, 0.003);
  EXPECT_EQ(number(result, "out_of_order"), 0);
  const metrics::RunResult shared =
      result_of(simulation_of(flow(0, 5, kShared) + flow(0, 5, "weight = 3\n" + kShared), parts));
  EXPECT_NEAR(number(shared, "delivered_rate_min"), 0.5, 0.003) << "in turn, whatever the weight";
  EXPECT_EQ(shared.scalar("connection_rate", "h0 to h5, 0"), nullptr) << "there is one";
}

/// Packets over the ports up of the first switch, which hosts 0 to 3 have.
std::multiset<std::int64_t> packets_up(const std::string& text) {
  const Configuration configuration = resolve(table_of(text));
  Simulation simulation(configuration, make_network(configuration));
  while (simulation.advance()) {
  }
  const fabric::Fabric& fabric = simulation.fabric();
  const topology::Graph& graph = fabric.graph();
  const NodeId first = graph.port(graph.port(graph.host_port(HostId(0))).to).node;
  std::multiset<std::int64_t> out;
  for (std::uint16_t up = 4; up < 8; ++up) {
    const std::int64_t packets = fabric.port(graph.port(first, up)).packets;
    if (packets > 0) out.insert(packets);
  }
  return out;
}

// Flow routing finds a path for each: together they have sent 100 packets, apart 40 and 60.
TEST(Connections, FollowTheirOwnPaths) {
  Parts parts;
  parts.experiment = kDrained;
  for (const char* injection : {"periodic-selection", "none"}) {
    for (const bool adapts : {true, false}) {
      parts.more = adapts ? "[flow_routing]\npolicy = \"ascent\"\ntie = \"dp-first\"\n" : "";
      const auto text = [&](const std::string& keys) {
        std::string all = simulation_of(
            flow(0, 5, "size = \"80 KiB\"\n" + keys) + flow(0, 5, "size = \"120 KiB\"\n" + keys),
            parts);
        if (injection == std::string("none"))
          all.replace(all.find("periodic-selection"), 18, "none");
        return all;
      };
      const std::multiset<std::int64_t> together{100};
      const std::multiset<std::int64_t> apart{40, 60};
      EXPECT_EQ(packets_up(text("")), adapts ? apart : together) << injection;
      EXPECT_EQ(packets_up(text(kShared)), together) << injection;
    }
  }
}

TEST(Connections, AreSetUpByThemselves) {
  Parts parts;
  parts.experiment = kDrained;
  parts.more =
      "[flow_routing]\npolicy = \"ascent\"\ntie = \"dp-first\"\nset_up = \"packets\"\n"
      "[protocol]\nmodel = \"dffa\"\n";
  const std::string text =
      simulation_of(flow(0, 5, "size = \"80 KiB\"\n") + flow(0, 5, "size = \"120 KiB\"\n"), parts);
  // With a packet each that sets up and one that tears down.
  const std::multiset<std::int64_t> apart{40 + 2, 60 + 2};
  EXPECT_EQ(packets_up(text), apart);
  const metrics::RunResult result = result_of(text);
  EXPECT_EQ(number(result, "flow_set_ups"), 2);
  EXPECT_EQ(number(result, "flow_tear_downs"), 2);
  EXPECT_EQ(number(result, "completed_flows"), 2);
  EXPECT_EQ(number(result, "route_cache_entries_left"), 0);
  // 80 packets at half the rate, then 20 alone.
  EXPECT_NEAR(number(result, "connection_end", "h0 to h5, 0"), 80 * kPacket, 8 * kPacket);
  EXPECT_NEAR(number(result, "connection_end", "h0 to h5, 1"), 100 * kPacket, 8 * kPacket);
}

// Host 0 sends to host 5 three times and host 1 once: their own rates are the max-min fair ones.
TEST(Connections, GetTheRatesOfTheCalculationFromAProtocol) {
  const std::string flows =
      flow(0, 5) + flow(1, 5) + flow(0, 5) + flow(0, 6) + flow(0, 5, "start = \"200 us\"\n");
  for (const char* set_up : {"", "[flow_routing]\npolicy = \"ascent\"\nset_up = \"packets\"\n",
                             "[flow_routing]\npolicy = \"ascent\"\n"}) {
    for (const char* model : {"dffa", "saa-m"}) {
      Parts parts;
      parts.more = std::string(set_up) + "[protocol]\nmodel = \"" + model + "\"\n";
      const metrics::RunResult result = result_of(simulation_of(flows, parts));
      EXPECT_EQ(number(result, "calculation_settled"), 1) << model << set_up;
      EXPECT_LT(number(result, "calculation_deviation"), 1e-6) << model << set_up;
      for (const char* one : {"h0 to h5, 0", "h0 to h5, 1", "h0 to h5, 2"}) {
        EXPECT_NEAR(number(result, "connection_assigned_rate", one), 0.25, 1e-6) << model << set_up;
        EXPECT_NEAR(number(result, "connection_rate", one), 0.25, 0.005) << model << set_up;
      }
      EXPECT_EQ(result.scalar("connection_rate", "h0 to h6, 0"), nullptr);
      EXPECT_NEAR(number(result, "delivered_rate_max"), 0.25, 0.005);
    }
  }
}

// The second starts when the first is half done, and stops before it.
TEST(Connections, StartAndEndByThemselves) {
  Parts parts;
  parts.experiment = kDrained;
  parts.more = "[protocol]\nmodel = \"dffa\"\n";
  const metrics::RunResult result = result_of(simulation_of(
      flow(0, 5, "size = \"800 KiB\"\n") +
          flow(0, 5, "size = \"100 KiB\"\nstart = \"" + std::to_string(200 * 1638) + " ns\"\n"),
      parts));
  EXPECT_EQ(number(result, "completed_flows"), 2);
  EXPECT_NEAR(number(result, "connection_end", "h0 to h5, 0"), 450 * kPacket, 10 * kPacket);
  EXPECT_NEAR(number(result, "connection_end", "h0 to h5, 1"), 300 * kPacket, 10 * kPacket);
  EXPECT_NEAR(number(result, "completed_rate_min"), 0.5, 0.05);
  EXPECT_GE(number(result, "recalculations"), 3);
}

// Nobody's data wait for those of the other, which has no rate before it starts.
TEST(Connections, WaitForTheirOwnStart) {
  Parts parts;
  parts.experiment = kDrained;
  parts.more = "[protocol]\nmodel = \"dffa\"\n";
  for (const char* starts : {"late", "early"}) {
    const std::string late = "size = \"2 KiB\"\nstart = \"100 us\"\n";
    const std::string early = "size = \"2 KiB\"\n";
    const bool is_late = starts == std::string("late");
    const metrics::RunResult result = result_of(simulation_of(
        flow(0, 5, is_late ? late : early) + flow(0, 5, is_late ? early : late), parts));
    const double first = number(result, "connection_end", "h0 to h5, 0");
    const double second = number(result, "connection_end", "h0 to h5, 1");
    EXPECT_LT(is_late ? second : first, 10'000);
    EXPECT_GT(is_late ? first : second, 100'000);
  }
}

// One of them in each of two VLs, of which the second has the lower rate.
TEST(Connections, HaveTheirOwnServiceLevels) {
  Parts parts;
  parts.queueing = "[queueing]\nmodel = \"service-level\"\nvls = 2\n";
  parts.more = "[rates]\nalgorithm = \"saa\"\n";
  for (const char* set_up : {"", "[flow_routing]\npolicy = \"ascent\"\nset_up = \"packets\"\n"}) {
    if (*set_up != 0) parts.more = std::string(set_up) + "[protocol]\nmodel = \"dffa\"\n";
    const metrics::RunResult result = result_of(
        simulation_of(flow(0, 5, "weight = 3\n") + flow(0, 5, "service_level = 1\n"), parts));
    EXPECT_NEAR(number(result, "connection_rate", "h0 to h5, 0"), 0.75, 0.005) << set_up;
    EXPECT_NEAR(number(result, "connection_rate", "h0 to h5, 1"), 0.25, 0.005) << set_up;
  }
}

TEST(Connections, MayBeSetUpMessageByMessageForAnApplication) {
  Parts parts;
  parts.experiment = kDrained;
  parts.more =
      "[flow_routing]\npolicy = \"ascent\"\nset_up = \"packets\"\nflow = \"message\"\n"
      "[protocol]\nmodel = \"dafa\"\nbarrier = \"1 us\"\n";
  const std::string size = "size = \"80 KiB\"\n";
  const metrics::RunResult result =
      result_of(simulation_of(flow(0, 5, size) + flow(0, 5, size) + flow(0, 5, size), parts));
  EXPECT_EQ(number(result, "completed_flows"), 3);
  EXPECT_EQ(number(result, "flow_set_ups"), 3);
}

/// `path` from host 0 to host 5 by a port up of the first switch of simulation_of().
std::string path_up(std::uint16_t up) {
  const auto network = make_network(resolve(table_of(simulation_of(flow(0, 5)))));
  const topology::Graph& graph = *network->graph;
  std::string out = "path = [";
  PortId port = graph.host_port(HostId(0));
  for (const std::uint16_t number : {up, std::uint16_t{1}, std::uint16_t{1}}) {
    port = graph.port(graph.port(graph.port(port).to).node, number);
    out += "\"" + graph.name(port) + "\", ";
  }
  return out + "]\n";
}

TEST(Connections, FollowThePathsThatTheySay) {
  Parts parts;
  parts.experiment = kDrained;
  const std::string first = "size = \"80 KiB\"\n";
  const std::string second = "size = \"120 KiB\"\n";
  const std::multiset<std::int64_t> apart{40, 60};
  const std::multiset<std::int64_t> together{100};
  for (const char* protocol : {"", "[protocol]\nmodel = \"dffa\"\n"}) {
    parts.more = protocol;
    EXPECT_EQ(packets_up(simulation_of(
                  flow(0, 5, first + path_up(4)) + flow(0, 5, second + path_up(7)), parts)),
              apart);
    EXPECT_EQ(packets_up(simulation_of(
                  flow(0, 5, first + path_up(6)) + flow(0, 5, second + path_up(6)), parts)),
              together);
  }
  // Rates are calculated for them: where a third flow shares the last link but one of the second.
  parts = {};
  const std::string flows = flow(0, 5, path_up(4)) + flow(0, 5, path_up(7)) + flow(1, 6, "");
  const metrics::RunResult result = result_of(simulation_of(flows, parts));
  EXPECT_NEAR(number(result, "connection_rate", "h0 to h5, 0"), 0.5, 0.005);
  EXPECT_NEAR(number(result, "connection_rate", "h0 to h5, 1"), 0.5, 0.005);
}

// Which port it is shows a path of one flow.
TEST(Connections, TakeThePortThatTheySay) {
  for (std::uint16_t up = 4; up < 8; ++up) {
    Parts parts;
    parts.experiment = kDrained;
    const Configuration configuration =
        resolve(table_of(simulation_of(flow(0, 5, "size = \"80 KiB\"\n" + path_up(up)), parts)));
    Simulation simulation(configuration, make_network(configuration));
    while (simulation.advance()) {
    }
    const topology::Graph& graph = simulation.fabric().graph();
    const NodeId first = graph.port(graph.port(graph.host_port(HostId(0))).to).node;
    EXPECT_EQ(simulation.fabric().port(graph.port(first, up)).packets, 40) << up;
  }
}

/// A network with set-aside queues.
std::string set_aside(const std::string& model, const std::string& flows) {
  return "[experiment]\n" + kDrained +
         "[topology]\nmodel = \"k-ary-n-tree\"\nk = 4\nn = 2\n[routing]\nmodel = \"d-mod-k\"\n"
         "[link]\nrate = \"10 Gbps\"\ndelay = \"15 ns\"\n"
         "[switch]\narchitecture = \"cioq\"\nspeedup = 1.5\nvoq = false\n"
         "[buffer]\ningress = \"32 KiB\"\negress = \"32 KiB\"\n"
         "[host]\nmtu = \"2 KiB\"\nheader = \"0 B\"\nsource_queues = \"per-destination\"\n"
         "[isolation]\n" +
         model + flows;
}
const std::vector<std::string> kSetAside = {"model = \"fbicm\"\ncfqs = 4\n",
                                            "model = \"recn-enhanced\"\nsaqs = 4\n"};

// Three from each of eight hosts to one host, and one to another host.
TEST(Connections, MayBeSetAsideWhereTheyTakeDefaultRoutes) {
  std::string flows;
  for (int source = 4; source < 12; ++source) {
    for (const int destination : {0, 0, 0, 1}) {
      flows += flow(source, destination, "size = \"64 KiB\"\n");
    }
  }
  for (const std::string& model : kSetAside) {
    const metrics::RunResult result = result_of(set_aside(model, flows));
    EXPECT_EQ(number(result, "completed_flows"), 32) << model;
    EXPECT_EQ(number(result, "out_of_order"), 0) << model;
    // 24 flows share the link of host 0.
    EXPECT_NEAR(number(result, "completion_time"), 24 * 32 * kPacket, 0.02 * 24 * 32 * kPacket);
    EXPECT_LT(number(result, "connection_end", "h4 to h0, 2"), 24 * 32 * kPacket * 1.02);
    EXPECT_EQ(result.scalar("connection_end", "h4 to h1, 0"), nullptr);
  }
}

// FBICM knows destinations, whichever way the three connections of two hosts take.
TEST(Connections, MayBeSetAsideByDestinationsOnPathsOfTheirOwn) {
  std::string flows;
  for (int source = 4; source < 12; ++source) {
    for (const int destination : {0, 0, 0, 1})
      flows += flow(source, destination, "size = \"64 KiB\"\n");
  }
  const std::string routed = "[flow_routing]\npolicy = \"ascent\"\n";
  for (const char* ingress : {"per-output", "single"}) {
    const std::string model =
        "model = \"fbicm\"\ncfqs = 4\ningress = \"" + std::string(ingress) + "\"\n";
    const metrics::RunResult result = result_of(set_aside(model, routed + flows));
    EXPECT_EQ(number(result, "completed_flows"), 32) << ingress;
    EXPECT_EQ(number(result, "out_of_order"), 0) << ingress;
    EXPECT_NEAR(number(result, "completion_time"), 24 * 32 * kPacket, 0.02 * 24 * 32 * kPacket);
    EXPECT_GT(number(result, "set_aside_allocations"), 0) << ingress;
    EXPECT_EQ(number(result, "set_aside_left"), 0) << ingress;
    EXPECT_NE(result.fingerprint, result_of(set_aside(model, flows)).fingerprint) << ingress;
  }
}

// A number changes nothing: the same run with connections 1 only, as connections 0 start too late.
TEST(Connections, AreSetAsideWhateverTheirNumbers) {
  const auto run = [](const std::string& model, const std::string& keys) {
    std::string flows;
    for (int source = 4; source < 16; ++source) {
      for (const int destination : {0, source % 4 == 0 ? 1 : source - 3}) {
        flows += flow(source, destination, "size = \"512 KiB\"\n" + keys);
        flows += flow(source, destination, "size = \"2 KiB\"\nstart = \"18 ms\"\n" + kShared);
      }
    }
    return result_of(set_aside(model, flows));
  };
  for (const std::string& model : kSetAside) {
    const metrics::RunResult own = run(model, "");
    const metrics::RunResult shared = run(model, kShared);
    for (const char* metric : {"message_latency_mean", "network_latency_mean", "completion_time",
                               "completed_rate_mean", "set_aside_bytes", "set_aside_bytes_max"}) {
      EXPECT_EQ(number(own, metric), number(shared, metric)) << model << metric;
    }
    EXPECT_EQ(number(own, "completed_flows"), 48) << model;
  }
}

std::string refused(const std::string& flows, const Parts& parts = {}) {
  return refusal([&] { (void)simulated(simulation_of(flows, parts)); });
}

TEST(Connections, AreRefusedWhereTheyCannotBe) {
  Parts parts;
  parts.queueing = "[queueing]\nmodel = \"service-level\"\nvls = 2\n";
  EXPECT_THAT(
      refused(flow(0, 5, kShared) + flow(0, 5, "service_level = 1\n" + kShared), parts),
      HasSubstr("flow[1].service_level: is 1, and an earlier [[flow]] from host 0 to host 5 "
                "has 0: flows that share a connection have to stay in one class"));
  EXPECT_THAT(refused(flow(0, 5, "connection = \"mine\"\n")), HasSubstr("flow[0].connection: "));
  parts = {};
  parts.more = "[flow_routing]\npolicy = \"ascent\"\n[isolation]\nmodel = \"recn\"\n";
  EXPECT_THAT(refused(flow(0, 5) + flow(0, 5), parts),
              HasSubstr("isolation.model: knows one route between two hosts"));
  EXPECT_EQ(refused(flow(0, 5) + flow(0, 6)), "no error");
}

TEST(Connections, SayPathsThatThereAre) {
  const auto refused_path = [](const std::string& path) {
    return refused(flow(0, 6) + flow(0, 5, "path = " + path + "\n"));
  };
  EXPECT_THAT(refused_path("\"s0[4]\""), HasSubstr("flow[1].path: must be a list of ports"));
  EXPECT_THAT(refused_path("[4]"), HasSubstr("flow[1].path: must be names of ports"));
  EXPECT_THAT(refused_path("[\"s0[9]\"]"),
              HasSubstr("flow[1].path: no port with a cable is called 's0[9]'"));
  EXPECT_THAT(refused_path("[\"s1[4]\"]"),
              HasSubstr("flow[1].path: s1[4] comes after h0, which leads to s0"));
  EXPECT_THAT(refused_path("[\"s0[4]\"]"), HasSubstr("flow[1].path: ends at s4, not at h5"));
  EXPECT_THAT(refused_path("[]"), HasSubstr("flow[1].path: ends at s0, not at h5"));
  EXPECT_THAT(refused_path("[\"s0[4]\", \"s4[0]\", \"s0[4]\"]"),
              HasSubstr("flow[1].path: comes to s0[4] twice"));
  EXPECT_THAT(refused(flow(0, 5, path_up(4) + kShared)),
              HasSubstr("flow[0].path: is that of a connection of its own"));
  EXPECT_THAT(refused("[[flow]]\ndestinations = { model = \"uniform\" }\n" + path_up(4)),
              HasSubstr("flow[0].path: stands beside source and destination only"));
  Parts parts;
  parts.more = "[flow_routing]\npolicy = \"ascent\"\n";
  EXPECT_THAT(refused(flow(0, 5, path_up(4)), parts),
              HasSubstr("flow_routing.policy: finds the paths of all flows"));
}

// On a square of switches x goes before y; the first of these two paths turns from y to x, and the
// circle is complete with the second.
TEST(Connections, SayNoPathsThatDeadlock) {
  const auto mesh = [](const std::string& flows, const std::string& routing = "") {
    return refusal([&] {
      (void)simulated(
          "[experiment]\nduration = \"10 us\"\n[topology]\nmodel = \"mesh\"\n"
          "sizes = [2, 2]\n[routing]\nmodel = \"dimension-order\"\n" +
          routing + "[host]\nsource_queues = \"per-destination\"\n" + flows);
    });
  };
  const Configuration configuration = resolve(table_of(
      "[experiment]\nduration = \"10 us\"\n[topology]\nmodel = \"mesh\"\nsizes = [2, 2]\n"
      "[routing]\nmodel = \"dimension-order\"\n[[traffic]]\nname = \"all\"\ndestinations = { model "
      "= "
      "\"uniform\" }\narrivals = { model = \"saturated\" }\nsizes = { model = \"fixed\", size = "
      "\"1 KiB\" }\n"));
  const topology::Graph graph = *make_network(configuration)->graph;
  /// Over these switches, from the host of the first to that of the last.
  const auto over = [&](const std::vector<std::uint32_t>& switches) {
    std::string path;
    for (std::size_t i = 0; i < switches.size(); ++i) {
      const NodeId here = graph.node(SwitchId(switches[i]));
      const NodeId next = i + 1 < switches.size() ? graph.node(SwitchId(switches[i + 1]))
                                                  : graph.node(HostId(switches[i]));
      for (std::size_t p = 0; p < graph.degree(here); ++p) {
        const PortId port = graph.port(here, p);
        const PortId to = graph.port(port).to;
        if (to.valid() && graph.port(to).node == next) path += "\"" + graph.name(port) + "\", ";
      }
    }
    return flow(static_cast<int>(switches.front()), static_cast<int>(switches.back()),
                "path = [" + path + "]\n");
  };
  const std::string one = over({1, 3, 2});
  const std::string other = over({2, 0, 1});
  EXPECT_EQ(mesh(one), "no error");
  EXPECT_EQ(mesh(other), "no error");
  EXPECT_THAT(mesh(one + other), HasSubstr("flow.path: flows on these paths can deadlock"));
  // Also where it is the second connection of a pair.
  EXPECT_THAT(mesh(flow(1, 2) + one + flow(2, 1) + other),
              HasSubstr("flow.path: flows on these paths can deadlock"));
  EXPECT_EQ(mesh(one + other, "allow_cycles = true\n"), "no error");
}

}  // namespace
}  // namespace weir::experiment
