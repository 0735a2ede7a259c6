#include "weir/experiment/config/management/presets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/one_run.hpp"
#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/variants.hpp"
#include "weir/experiment/run/network.hpp"

namespace weir::experiment {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* kBase = R"(
[experiment]
duration = "10 us"
[topology]
model = "single-switch"
hosts = 4
[routing]
model = "shortest-path"
[switch]
architecture = "cioq"
[[traffic]]
name = "all"
destinations = { model = "uniform" }
arrivals = { model = "poisson", load = 0.5 }
sizes = { model = "fixed", size = "4 KiB" }
)";

ConfigTable table(const std::string& more) { return parse_toml(kBase + more, "test.toml"); }

std::string error_of(const std::string& more) {
  try {
    (void)resolve(table(more));
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string text(const Configuration& configuration, const std::string& key) {
  const ConfigValue* value = find_value(configuration.resolved, key);
  return value != nullptr && value->is_text() ? value->text() : "";
}

// Marks of any kind do for what a preset fills in; opm needs no other file.
constexpr const char* kOpm = "\n[marking]\nmodel = \"opm\"\n";

TEST(Preset, FillsInWhatTheExperimentDoesNotSet) {
  const Configuration mvcm = resolve(table(std::string("[management]\npreset = \"mvcm\"") + kOpm));
  EXPECT_EQ(text(mvcm, "management.preset"), "mvcm");
  EXPECT_EQ(text(mvcm, "marking.model"), "opm");
  EXPECT_EQ(text(mvcm, "reaction.model"), "dynamic-window");
  EXPECT_EQ(text(mvcm, "host.acks"), "in-band");
  EXPECT_EQ(text(mvcm, "host.source_queues"), "per-destination");
  EXPECT_EQ(mvcm.fabric.acks, fabric::AckMode::in_band);
  const Configuration own =
      resolve(table(std::string("[management]\npreset = \"mvcm\"\n[reaction]\nrecovery = "
                                "\"progressive\"\n[host]\nacks = \"ideal\"") +
                    kOpm));
  EXPECT_EQ(text(own, "reaction.model"), "dynamic-window");
  EXPECT_EQ(text(own, "reaction.recovery"), "progressive");
  EXPECT_EQ(own.fabric.acks, fabric::AckMode::ideal);
  // What it says of its own model means nothing to another one.
  const Configuration other = resolve(table(
      std::string("[management]\npreset = \"renato\"\n[reaction]\nmodel = \"dynamic-window\"") +
      kOpm));
  EXPECT_EQ(find_value(other.resolved, "reaction.window"), nullptr);
}

TEST(Preset, CcfitSetsFlowsAsideAndSlowsThemDown) {
  const Configuration ccfit = resolve(table("[management]\npreset = \"ccfit\""));
  EXPECT_EQ(text(ccfit, "isolation.model"), "fbicm");
  EXPECT_EQ(text(ccfit, "marking.model"), "ccfit");
  EXPECT_EQ(text(ccfit, "reaction.model"), "congestion-control-table");
  EXPECT_EQ(ccfit.fabric.acks, fabric::AckMode::becn);
  EXPECT_THAT(error_of("[management]\npreset = \"ccfit\"\n[isolation]\nmodel = \"none\""),
              AllOf(HasSubstr("isolation.model"), HasSubstr("management.preset = \"ccfit\"")));
  // Presets without isolation leave it alone.
  EXPECT_EQ(error_of(std::string("[management]\npreset = \"mvcm\"\n[isolation]\nmodel = "
                                 "\"none\"") +
                     kOpm),
            "no error");
}

TEST(Preset, WhatWasMadeForEthernetIsLosslessByPauses) {
  for (const char* preset : {"dcqcn", "qcn", "hpcc", "swift", "timely"}) {
    SCOPED_TRACE(preset);
    const std::string section = std::string("[management]\npreset = \"") + preset + "\"\n";
    EXPECT_EQ(resolve(table(section)).fabric.flow_control, fabric::FlowControl::pfc);
    // InfiniBand has credits, whatever hosts do.
    EXPECT_EQ(resolve(table(section + "[flow_control]\nmodel = \"credits\"")).fabric.flow_control,
              fabric::FlowControl::credits);
  }
  EXPECT_EQ(resolve(table("[management]\npreset = \"ib-cca\"")).fabric.flow_control,
            fabric::FlowControl::credits);
}

TEST(Preset, NoneFillsInNothing) {
  const Configuration none = resolve(table("[management]\npreset = \"none\""));
  EXPECT_EQ(text(none, "marking.model"), "none");
  EXPECT_EQ(text(none, "reaction.model"), "none");
  EXPECT_EQ(none.fabric.acks, fabric::AckMode::none);
  EXPECT_EQ(text(resolve(table("")), "management.preset"), "none");
}

TEST(Preset, DumpReadsBackToItself) {
  for (const char* preset : {"none", "mvcm", "iocm", "renato", "ib-cca", "ccfit", "fimd", "pipd"}) {
    SCOPED_TRACE(preset);
    const ConfigTable first =
        resolve(table(std::string("[management]\npreset = \"") + preset + "\"" + kOpm)).resolved;
    const std::string once = to_toml(first);
    EXPECT_EQ(to_toml(resolve(parse_toml(once, "dump.toml")).resolved), once);
  }
}

TEST(Preset, CanBeSwept) {
  const std::string sweep = std::string(kBase) + kOpm +
                            "[management]\npreset = \"mvcm\"\n[sweep]\n\"management.preset\" = "
                            "[\"none\", \"mvcm\", \"renato\"]\n";
  const ExperimentFile file(parse_toml(sweep, "test.toml"), {});
  const auto reactions = [](const ExperimentFile& one) {
    std::vector<std::string> names;
    for (const Variant& variant : one.variants()) {
      names.push_back(resolve(variant.table).reaction.name);
    }
    return names;
  };
  EXPECT_THAT(reactions(file), ::testing::ElementsAre("none", "dynamic-window", "lipd"));
  // So does what is dumped: it must not fix what the first preset has filled in.
  const std::string dump = to_toml(file.resolved());
  const ExperimentFile again(parse_toml(dump, "dump.toml"), {});
  EXPECT_EQ(reactions(again), reactions(file));
  EXPECT_EQ(to_toml(again.resolved()), dump);
}

TEST(Preset, CanBeOfACase) {
  const std::string cases = std::string(kBase) + kOpm +
                            "[[case]]\nname = \"a\"\nset = { \"management.preset\" = \"pfister\", "
                            "\"reaction.hot_spot_degree\" = 3.0 }\n[[case]]\nname = \"b\"\nset = { "
                            "\"management.preset\" = \"mvcm\" }\n";
  const ExperimentFile file(parse_toml(cases, "test.toml"), {});
  const std::vector<Variant> variants = file.variants();
  ASSERT_EQ(variants.size(), 2U);
  EXPECT_EQ(resolve(variants[0].table).reaction.name, "congestion-control-table");
  EXPECT_EQ(resolve(variants[1].table).reaction.name, "dynamic-window");
  const std::string dump = to_toml(file.resolved());
  EXPECT_EQ(to_toml(ExperimentFile(parse_toml(dump, "dump.toml"), {}).resolved()), dump);
}

TEST(Preset, ContradictionsNameBothKeys) {
  EXPECT_THAT(error_of("[management]\npreset = \"mvcm\"\n[marking]\nmodel = \"none\""),
              AllOf(HasSubstr("test.toml:"), HasSubstr("marking.model"),
                    HasSubstr("management.preset = \"mvcm\"")));
  EXPECT_THAT(error_of("[management]\npreset = \"mvcm\"\n[host]\nacks = \"none\""),
              AllOf(HasSubstr("host.acks"), HasSubstr("management.preset = \"mvcm\"")));
  EXPECT_THAT(error_of("[management]\npreset = \"fimd\"\n[reaction]\nmodel = \"none\""),
              AllOf(HasSubstr("reaction.model"), HasSubstr("management.preset = \"fimd\"")));
  EXPECT_THAT(error_of("[management]\npreset = \"pfister\""),
              AllOf(HasSubstr("management.preset"), HasSubstr("reaction.hot_spot_degree")));
  EXPECT_THAT(error_of("[management]\npreset = \"mvmc\""), HasSubstr("mvcm"));
  EXPECT_THAT(error_of("[management]\npresets = \"mvcm\""), HasSubstr("preset"));
}

/// 12 of 64 hosts keep the link of host 0 full, the others send to anyone.
std::string hot_spot(const std::string& management, const std::string& host = "") {
  return R"(
[experiment]
duration = "3 ms"
[topology]
model = "bmin-perfect-shuffle"
hosts = 64
k = 4
n = 3
[routing]
model = "turnaround"
[link]
rate = "8 Gbps"
delay = "1 ns"
[switch]
architecture = "cioq"
speedup = 2
voq = false
[buffer]
ingress = "1112 B"
egress = "1112 B"
[host]
mtu = "256 B"
header = "22 B"
source_queues = "per-destination"
acks = "in-band"
)" + host +
         R"(
[[traffic]]
name = "hot"
role = "hot"
sources = { modulo = [5, 4] }
destinations = { model = "fixed", host = 0 }
arrivals = { model = "constant", load = 0.12 }
sizes = { model = "fixed", size = "256 B" }
[[traffic]]
name = "cold"
role = "cold"
sources = "rest"
destinations = { model = "uniform" }
arrivals = { model = "constant", load = 0.12 }
sizes = { model = "fixed", size = "256 B" }
)" + management;
}

// Its index rises on a full hot link, so that the others are relieved; a timer of T x HSD undoes
// it.
TEST(Preset, PfisterRelievesTheVictimsOfAHotSpot) {
  const std::string none;
  const std::string pfister =
      "[management]\npreset = \"pfister\"\n[reaction]\nhot_spot_degree = 12\n";
  const auto cold = [](const metrics::RunResult& result) {
    return number(result, "latency_mean", "cold");
  };
  const metrics::RunResult unmanaged = result_of(hot_spot(none));
  const metrics::RunResult managed = result_of(hot_spot(pfister));
  const std::string no_places = "source_queue_packets = 0";
  const metrics::RunResult undone =
      result_of(hot_spot(pfister + "timer_factor = 1.0\n", no_places));
  const metrics::RunResult smaller_slots =
      result_of(hot_spot(pfister + "slot_rule = \"share-over-ports\"\n", no_places));
  EXPECT_LT(cold(smaller_slots), cold(unmanaged) / 3);
  EXPECT_LT(cold(managed), cold(smaller_slots));
  EXPECT_GT(cold(undone), cold(unmanaged) / 2);
  EXPECT_GT(number(smaller_slots, "hot_link_utilization"), 0.8);
}

// What was calibrated for Ferrer's comparison of the systems.
TEST(Preset, PfisterHasSlotsOfAShareAndPlacesForTwoPackets) {
  const std::string pfister = "[management]\npreset = \"pfister\"\n[reaction]\n";
  const auto places = [](const Configuration& one) { return one.fabric.source_queue_packets; };
  const Configuration usual = resolve(table(pfister + "hot_spot_degree = 12" + kOpm));
  EXPECT_EQ(text(usual, "reaction.slot_rule"), "share");
  EXPECT_EQ(places(usual), 2U);
  const Configuration own =
      resolve(table(pfister +
                    "hot_spot_degree = 12\nslot_rule = \"share-over-ports\"\n[host]\n"
                    "source_queue_packets = 0" +
                    kOpm));
  EXPECT_EQ(text(own, "reaction.slot_rule"), "share-over-ports");
  EXPECT_EQ(places(own), 0U);
}

// A rule beside a slot, and places in queues that have none, would be refused.
TEST(Preset, PfisterLeavesOutWhatMeansNothingBesideTheExperimentsOwnChoice) {
  const std::string pfister = "[management]\npreset = \"pfister\"\n[reaction]\n";
  for (const char* own : {"slot = \"4 us\"", "table = [\"0 us\", \"4 us\"]"}) {
    SCOPED_TRACE(own);
    const Configuration one = resolve(table(pfister + own + kOpm));
    EXPECT_NE(text(one, "reaction.slot_rule"), "share");
    EXPECT_NE(make_reaction(one, *make_network(one), nullptr), nullptr);
  }
  for (const char* own : {"source_queues = \"fifo\"", "acks = \"becn\""}) {
    SCOPED_TRACE(own);
    const Configuration one =
        resolve(table(pfister + "hot_spot_degree = 12\n[host]\n" + own + kOpm));
    EXPECT_EQ(one.fabric.source_queue_packets, 0U);
  }
  for (const char* own : {"source_queues = \"per-destination\"", "acks = \"ideal\""}) {
    SCOPED_TRACE(own);
    const Configuration one =
        resolve(table(pfister + "hot_spot_degree = 12\n[host]\n" + own + kOpm));
    EXPECT_EQ(one.fabric.source_queue_packets, 2U);
  }
}

TEST(Reaction, WithoutAcksIsRefusedWithItsPlace) {
  const Configuration c = resolve(
      table(std::string("[reaction]\nmodel = \"dynamic-window\"\n[host]\nacks = \"none\"") + kOpm));
  const auto network = make_network(c);
  try {
    (void)make_reaction(c, *network, nullptr);
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("test.toml:"), HasSubstr("host.acks"),
                                    HasSubstr("reaction.model")));
  }
}

}  // namespace
}  // namespace weir::experiment
