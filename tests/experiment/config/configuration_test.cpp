#include "weir/experiment/config/configuration.hpp"

#include <gtest/gtest.h>

#include "experiment/support.hpp"
#include "weir/experiment/run/network.hpp"
#include "weir/experiment/run/simulation.hpp"

namespace weir::experiment {
namespace {

std::string refused_set(const std::string& set) {
  return refusal([&] { (void)resolve(small_with({set})); });
}

/// Message when the run is built.
std::string refused_build(const std::vector<std::string>& set) {
  return refusal([&] {
    const Configuration configuration = resolve(small_with(set));
    (void)Simulation(configuration, make_network(configuration));
  });
}

TEST(Configuration, DefaultsAreFilledIn) {
  const Configuration small = resolve(table_of(kSmall));
  EXPECT_EQ(small.queueing.name, "voqsw");
  EXPECT_EQ(small.selection.name, "fixed");
  EXPECT_EQ(small.marking.make, nullptr);
  EXPECT_EQ(small.fabric.mtu, Bytes(4096));
  EXPECT_EQ(small.fabric.ingress_buffer, Bytes(84 * 4096));
  EXPECT_EQ(small.fabric.backlog, Bytes::max());
  EXPECT_EQ(small.bin, microseconds(1));
}

TEST(Configuration, ChoicesBecomeEnumerators) {
  const auto fabric =
      resolve(small_with({"switch.architecture=cioq", "switch.speedup=1.5",
                          "switch.switching=store-and-forward", "switch.arbiter=vl-weighted",
                          "buffer.memory=reserved", "flow_control.model=stop-and-go",
                          "host.source_queues=per-destination", "host.when_full=discard",
                          "host.acks=in-band", "vl_arbitration.low=[{vl = 0, weight = 7}]"}))
          .fabric;
  EXPECT_EQ(fabric.architecture, fabric::Architecture::cioq);
  EXPECT_EQ(fabric.speedup, 1.5);
  EXPECT_EQ(fabric.switching, fabric::Switching::store_and_forward);
  EXPECT_EQ(fabric.arbiter, fabric::ArbiterKind::vl_weighted);
  EXPECT_EQ(fabric.memory, fabric::Memory::reserved);
  EXPECT_EQ(fabric.flow_control, fabric::FlowControl::stop_and_go);
  EXPECT_EQ(fabric.source_queues, fabric::SourceQueueKind::per_destination);
  EXPECT_EQ(fabric.when_full, fabric::WhenFull::discard);
  EXPECT_EQ(fabric.acks, fabric::AckMode::in_band);
  ASSERT_EQ(fabric.vl_arbitration.low.size(), 1U);
  EXPECT_EQ(fabric.vl_arbitration.low[0].weight, 7);
}

TEST(Configuration, ResolvedReadsBackToItself) {
  const ConfigTable first = resolve(table_of(kSmall)).resolved;
  const ConfigTable second = resolve(parse_experiment(to_toml(first), "dump.toml")).resolved;
  EXPECT_EQ(to_toml(second), to_toml(first));
  EXPECT_EQ(configuration_hash(second), configuration_hash(first));
}

TEST(Configuration, HashIsOfWhatDecidesTheNumbers) {
  const auto hash = [](const std::string& set) {
    return configuration_hash(resolve(small_with({set})).resolved);
  };
  const std::string same = hash("experiment.title=a");
  EXPECT_EQ(same.size(), 32U);
  EXPECT_EQ(hash("experiment.name=other"), same);
  EXPECT_EQ(hash("host.mtu=4096 B"), same);
  EXPECT_NE(hash("host.mtu=2 KiB"), same);
  EXPECT_NE(hash("experiment.seed=2"), same);
}

TEST(Configuration, WrongKeysNameTheNearest) {
  EXPECT_EQ(refusal("\n[experimnet]\n" + kSmall.substr(kSmall.find("name"))),
            "x.toml:2:2: experimnet: unknown section (did you mean 'experiment'?)");
  EXPECT_EQ(refusal(kSmall + "[switch]\nroutingdelay = \"1 ns\"\n"),
            "x.toml:16:1: switch.routingdelay: unknown key (did you mean 'routing_delay'?)");
  EXPECT_EQ(refused_set("queueing.modle=voqsw"),
            "--set: queueing.modle: unknown key (did you mean 'model'?)");
  EXPECT_EQ(refused_set("queueing.model=dbmm"),
            "--set: queueing.model: no queueing is called 'dbmm' (did you mean 'dbbm'?)");
  EXPECT_EQ(refused_set("traffic.all.arrivals.laod=0.5"),
            "--set: traffic[0].arrivals.laod: unknown key (did you mean 'load'?)");
}

TEST(Configuration, WrongValues) {
  EXPECT_EQ(refused_set("host.mtu=4"), "--set: host.mtu: needs a unit, as in \"4 KiB\"");
  EXPECT_NE(refused_set("host.mtu=4 ns").find("--set: host.mtu: "), std::string::npos);
  EXPECT_NE(refused_set("topology.hosts=0").find("must be between 1 and 256, not 0"),
            std::string::npos);
  EXPECT_NE(refused_set("experiment.warmup=1 ms").find("leaves nothing of the duration"),
            std::string::npos);
  EXPECT_EQ(refused_set("switch=3"), "--set: switch: must be a section, [switch], not an integer");
  EXPECT_NE(refused_set("experiment.name=a/b").find("experiment.name: must be a word"),
            std::string::npos);
}

TEST(Configuration, WhatIsMissingIsNamed) {
  EXPECT_EQ(
      refusal("[experiment]\nname = \"a\"\n"),
      "x.toml:1:1: experiment.duration: is missing; say how long, as in \"1 ms\", or until "
      "= \"drained\"\n"
      "x.toml:1:1: topology.model: is missing; it names the network (see weir list topology)\n"
      "x.toml:1:1: traffic: is missing; at least one [[traffic]] says who sends what, or a "
      "[[workload]] what a parallel program does, or a [[flow]] which hosts have flows");
}

TEST(Configuration, TrafficThatNeverEndsCannotDrain) {
  const std::string endless =
      "[experiment]\nuntil = \"drained\"\n" + kSmall.substr(kSmall.find("[topology]"));
  EXPECT_NE(refusal(endless).find("x.toml:2:9: experiment.until: traffic 'all' never ends"),
            std::string::npos)
      << refusal(endless);
}

TEST(Build, ErrorsOfTheFabricGetThePlaceOfTheKey) {
  EXPECT_EQ(refused_build({"buffer.ingress=1 KiB"}).find("--set: buffer.ingress: 1 KiB for 1 "), 0U)
      << refused_build({"buffer.ingress=1 KiB"});
  const std::string text = kSmall + "[buffer]\n  ingress = \"6 KiB\"\n[queueing]\nmodel=\"dbbm\"\n";
  const std::string placed = refusal([&] {
    const Configuration configuration = resolve(table_of(text));
    (void)Simulation(configuration, make_network(configuration));
  });
  EXPECT_EQ(placed.find("x.toml:16:13: buffer.ingress: 6 KiB for 3 classes"), 0U) << placed;
}

TEST(Build, RoutingThatDoesNotFitTheTopology) {
  const std::string text = refused_build({"routing.model=dimension-order"});
  EXPECT_EQ(text.find("--set: routing.model: dimension-order needs "), 0U) << text;
}

TEST(Build, HostsThatDoNotExist) {
  const std::string text = refused_build({"traffic.0.destinations={model = \"fixed\", host = 9}"});
  EXPECT_EQ(text.find("--set"), 0U) << text;
  EXPECT_NE(text.find("traffic[0].destinations.host"), std::string::npos) << text;
}

TEST(Build, ACycleIsPrintedAndRefusedUnlessAllowed) {
  const std::vector<std::string> ring{"topology={model = \"torus\", sizes = [5]}",
                                      "routing={model = \"shortest-path\"}"};
  const std::string text = refused_build(ring);
  EXPECT_EQ(text.find("--set: routing.model: shortest-path can deadlock here"), 0U) << text;
  EXPECT_NE(text.find("->"), std::string::npos) << text;
  auto allowed = ring;
  allowed.emplace_back("routing.allow_cycles=true");
  EXPECT_EQ(refused_build(allowed), "no error");
}

}  // namespace
}  // namespace weir::experiment
