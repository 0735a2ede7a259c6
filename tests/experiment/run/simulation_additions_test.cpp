// What a program adds to a run: sources of its own, and somebody who is told of everything.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "experiment/support.hpp"
#include "weir/experiment/config/read_file.hpp"
#include "weir/experiment/run/network.hpp"
#include "weir/experiment/run/pace.hpp"
#include "weir/experiment/run/simulation.hpp"

namespace weir::experiment {
namespace {

using ::testing::HasSubstr;

constexpr const char* kNetwork = R"(
experiment = { duration = "50 us", warmup = "5 us" }
topology = { model = "k-ary-n-tree", k = 2, n = 2 }
routing = "d-mod-k"
metrics = { bin = "10 us" }
)";
constexpr const char* kTraffic = R"(
[[traffic]]
name = "all"
destinations = "uniform"
arrivals = { model = "poisson", load = 0.3 }
sizes = { model = "fixed", size = "1 KiB" }
)";

Configuration configuration(const std::string& text, TrafficFrom from = TrafficFrom::file) {
  return resolve(parse_experiment(text, "x.toml"), from);
}

struct Heard : fabric::Observer {
  void on_delivered(const fabric::Packet& packet, const fabric::Message&, Time, bool) override {
    if (!packet.is_ack()) ++deliveries;
  }
  void on_sample(const fabric::Fabric&, Time) override { ++samples; }
  std::uint64_t deliveries = 0;
  int samples = 0;
};

/// Three messages, ten microseconds apart.
struct Three : fabric::MessageSource {
  std::optional<fabric::MessageRequest> next(Time now) override {
    if (sent++ == 3) return std::nullopt;
    return fabric::MessageRequest{now + microseconds(10), HostId(3), Bytes(512)};
  }
  int sent = 0;
};

TEST(SimulationAdditions, AnObserverHearsAllAndChangesNothing) {
  const Configuration plain = configuration(std::string(kNetwork) + kTraffic);
  const auto network = make_network(plain);
  Simulation alone(plain, network);
  while (alone.advance()) continue;
  Heard heard;
  Simulation told(plain, network, {&heard});
  while (told.advance()) continue;
  EXPECT_EQ(told.fabric().fingerprint(), alone.fabric().fingerprint());
  EXPECT_GT(heard.deliveries, 100U);
  EXPECT_EQ(heard.deliveries, told.fabric().counters().packets_delivered);
  EXPECT_EQ(heard.samples, 5);
  EXPECT_EQ(told.recorder().counts(0).packets_delivered,
            static_cast<std::int64_t>(heard.deliveries));
}

TEST(SimulationAdditions, SourcesOfAProgramAreAClassOfTheirOwn) {
  EXPECT_THAT(refusal([] { (void)configuration(kNetwork); }), HasSubstr("traffic: is missing"));
  const Configuration none = configuration(kNetwork, TrafficFrom::program);
  SimulationAdditions additions;
  additions.add_traffic = [](const topology::Graph& graph, traffic::Traffic& traffic) {
    EXPECT_EQ(graph.host_count(), 4U);
    traffic.classes.push_back({"mine", traffic::Role::hot, {HostId(1)}, {}});
    traffic.sources.push_back({HostId(1), std::make_unique<Three>(), 0});
  };
  Simulation simulation(none, make_network(none), additions);
  while (simulation.advance()) continue;
  const metrics::RunResult result = simulation.finish(0);
  ASSERT_NE(result.scalar("throughput", "hot"), nullptr);  // its role
  EXPECT_GT(*result.scalar("throughput", "hot"), 0);
  EXPECT_EQ(simulation.recorder().counts(0).messages_completed, 3);
}

TEST(Pace, StepsGrowWhileTheyAreShort) {
  Pace pace(microseconds(5));
  std::vector<Time> steps;
  for (int i = 0; i < 4; ++i) {
    steps.push_back(pace.step());
    pace.took();
  }
  EXPECT_EQ(steps,
            (std::vector{microseconds(1), microseconds(2), microseconds(4), microseconds(5)}));
  EXPECT_EQ(Pace(Time(7)).step(), Time(7));  // the longest step is shorter than the first
}

}  // namespace
}  // namespace weir::experiment
