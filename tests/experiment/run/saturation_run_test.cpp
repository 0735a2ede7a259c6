#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/support.hpp"
#include "weir/experiment/campaign/estimate.hpp"
#include "weir/experiment/campaign/runner.hpp"
#include "weir/experiment/config/keys.hpp"

namespace weir::experiment::saturation_run_test {
namespace {

using ::testing::HasSubstr;

/// One switch with a packet of 64 ns, a slot for each, and the FIFOs or VOQs of a textbook.
ConfigTable one_switch(int hosts, const std::vector<std::string>& set) {
  const std::string text = R"(
[experiment]
name = "one-switch"
find = "saturation"
[topology]
model = "single-switch"
[routing]
model = "shortest-path"
[switch]
architecture = "iq-single"
[host]
mtu = "800 B"
[[traffic]]
name = "all"
destinations = { model = "uniform" }
arrivals = { model = "bernoulli", load = 0.5, slot = "64 ns" }
sizes = { model = "fixed", size = "800 B" }
)";
  std::vector<ConfigTable> overrides{
      parse_override("topology.hosts=" + std::to_string(hosts)),
      parse_override("experiment.duration=1 ms"),
      parse_override("experiment.warmup=100 us"),
  };
  for (const std::string& one : set) overrides.push_back(parse_override(one));
  return ExperimentFile(table_of(text), overrides).variants().front().table;
}

metrics::RunResult run(const ConfigTable& table) {
  const Configuration configuration = resolve(table);
  NetworkCache networks;
  const auto record = run_one(configuration, {}, networks, [](const RunProgress&) { return true; });
  EXPECT_EQ(record->status, "done") << record->error;
  return record->result;
}

double value(const metrics::RunResult& result, std::string_view metric,
             std::string_view label = {}) {
  const double* found = result.scalar(metric, label);
  EXPECT_NE(found, nullptr) << metric;
  return found == nullptr ? -1 : *found;
}

std::string notes(const metrics::RunResult& result) {
  std::string text;
  for (const std::string& note : result.notes) text += note + "\n";
  return text;
}

TEST(SaturationRun, RefusesASweepOverTheLoadThatItSets) {
  const ConfigTable found = one_switch(8, {});
  for (const char* key : {"traffic.all.arrivals.load", "traffic.0.arrivals.load"}) {
    ConfigTable file = found;
    lay_over(file, parse_toml("[sweep]\n\"" + std::string(key) + "\" = [0.3, 0.5]", "sweep"));
    try {
      check_variants(ExperimentFile(file, {}).variants());
      FAIL() << key << " was swept";
    } catch (const InputError& error) {
      EXPECT_EQ(error.key(), std::string("sweep.") + key);
    }
  }
}

// Karol, Hluchyj, Morgan 1987: a FIFO at every input of a large switch carries 2 - sqrt(2). A host
// does not send to itself, which a switch of 32 hardly feels.
TEST(SaturationRunSlow, FifoInputsCarry59PercentOfALargeSwitch) {
  const auto result = run(one_switch(32, {"switch.voq=false", "switch.iterations=8"}));
  EXPECT_NEAR(value(result, "saturation_load"), 0.59, 0.012);
  EXPECT_NEAR(value(result, "saturation_throughput") / 3200, 0.59, 0.012);
}

TEST(SaturationRunSlow, VirtualOutputQueuesCarryNearlyEverything) {
  const auto result = run(one_switch(8, {"switch.iterations=8"}));
  EXPECT_GT(value(result, "saturation_load"), 0.95);
}

TEST(SaturationRunSlow, ReportsTheHighestLoadThatWasDelivered) {
  const auto result = run(one_switch(8, {"switch.voq=false"}));
  double highest = 0;
  int probes = 0;
  for (; result.scalar("probe_load", std::to_string(probes + 1)) != nullptr; ++probes) {
    const std::string label = std::to_string(probes + 1);
    const double load = value(result, "probe_load", label);
    const double lost = load - value(result, "probe_delivered", label);
    if (lost <= 0.005) highest = std::max(highest, load);
  }
  EXPECT_GE(probes, 7);  // the highest load, then halves of a hundred steps
  EXPECT_LE(probes, 8);
  EXPECT_NEAR(value(result, "saturation_load"), highest, 0.0001);
  EXPECT_NEAR(value(result, "offered") / 800, highest, 0.01);
  EXPECT_THAT(notes(result), HasSubstr("all other numbers are those at load"));
}

TEST(SaturationRun, SaysWhenTheRangeEndsBelowSaturation) {
  const auto result =
      run(one_switch(4, {R"(experiment.find={ goal = "saturation", high = 0.3 })"}));
  EXPECT_EQ(value(result, "saturation_load"), 0.3);
  EXPECT_THAT(notes(result), HasSubstr("not saturated"));
  EXPECT_EQ(result.scalar("probe_load", "2"), nullptr);
}

TEST(SaturationRun, EndsWhenItIsTold) {
  const Configuration configuration = resolve(one_switch(4, {}));
  NetworkCache networks;
  int asked = 0;
  const auto record = run_one(configuration, {}, networks, [&](const RunProgress& progress) {
    EXPECT_LE(progress.now, progress.end);
    return ++asked < 500;  // in the third simulation
  });
  EXPECT_FALSE(record);
  EXPECT_EQ(asked, 500);
}

TEST(SaturationRun, IsEstimatedWithAllItsSimulations) {
  const auto hops = [](const std::vector<std::string>& set) {
    return estimate_plan({Variant{"", "", {}, one_switch(4, set), 0}}, {0},
                         *std::make_unique<NetworkCache>(), 1)
        .packet_hops[0];
  };
  const double eight = hops({});
  const double one = hops({R"(experiment.find={ goal = "saturation", resolution = 1.0 })"});
  EXPECT_GT(one, 0);
  EXPECT_NEAR(eight, 8 * one, 1e-6 * eight);
}

TEST(SaturationRun, ResolvedExperimentReadsBackToItself) {
  const Configuration once = resolve(one_switch(4, {}));
  const Configuration twice = resolve(once.resolved);
  EXPECT_EQ(to_toml(once.resolved), to_toml(twice.resolved));
  EXPECT_EQ((*twice.find)->resolution, 0.01);
}

std::string refused(const std::vector<std::string>& set) {
  return refusal([&] { (void)resolve(one_switch(4, set)); });
}

TEST(SaturationRun, RefusesWhatCannotBeSearched) {
  EXPECT_THAT(refused({R"(experiment.find="saturatoin")"}),
              HasSubstr("experiment.find.goal: no choice is called"));
  EXPECT_THAT(refused({"experiment.find=3"}), HasSubstr("experiment.find: must be \"saturation\""));
  EXPECT_THAT(refused({"experiment.find.lod=3"}), HasSubstr("did you mean 'load'?"));
  EXPECT_THAT(refused({R"(experiment.find={ load = "traffic.al.arrivals.load" })"}),
              HasSubstr("did you mean 'traffic.all.arrivals.load'?"));
  EXPECT_THAT(refused({"experiment.find={ low = 0.7, high = 0.6 }"}),
              HasSubstr("experiment.find.low: 0.7 is not below"));
  EXPECT_THAT(refused({"experiment.find={ resolution = 0.0001 }"}),
              HasSubstr("experiment.find.resolution: would take 15 runs"));
  EXPECT_THAT(refused({"host.backlog=64 KiB"}), HasSubstr("host.backlog: makes sources wait"));
  EXPECT_THAT(refused({R"(traffic.all.arrivals={ model = "saturated" })"}),
              HasSubstr("there is nothing to vary"));
  EXPECT_THAT(refused({"experiment.warmup=1 ms"}), HasSubstr("leaves nothing of the duration"));
}

TEST(SaturationRun, RefusesLoadsThatTheLinksCannotCarry) {
  const ConfigTable table = one_switch(4, {"experiment.find={ high = 1.5 }"});
  EXPECT_THAT(refusal([&] { (void)run(table); }), HasSubstr("overload = true"));
  EXPECT_THAT(refusal([&] {
                (void)estimate({Variant{"", "", {}, table, 0}});
              }),
              HasSubstr("overload = true"));
}

}  // namespace
}  // namespace weir::experiment::saturation_run_test
