// One simulation by several threads: the numbers are those of one thread.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "experiment/run/threads.hpp"
#include "experiment/support.hpp"

namespace weir::experiment::threads {
namespace {

using ::testing::HasSubstr;

/// A hot spot with victims, messages of several packets, and every kind of number that is measured.
constexpr const char* kHotSpot = R"(
[experiment]
duration = "150 us"
warmup = "20 us"
[topology]
model = "rlft"
ports = 8
stages = 3
[link]
rate = "100 Gbps"
delay = "30 ns"
[switch]
routing_delay = "100 ns"
[buffer]
ingress = "64 KiB"
[host]
mtu = "4 KiB"
[routing]
model = "d-mod-k"
[metrics]
bin = "5 us"
per_flow = true
slowdown = true
[[traffic]]
name = "hot"
role = "hot"
sources = { fraction = 0.2, exclude = [4] }
destinations = { model = "fixed", host = 4 }
arrivals = { model = "saturated" }
sizes = { model = "fixed", size = "16 KiB" }
[[traffic]]
name = "cold"
role = "cold"
destinations = "uniform"
arrivals = { model = "poisson", load = 0.4 }
sizes = { model = "bimodal", small = "512 B", large = "20 KiB", large_probability = 0.4 }
)";

TEST(Threads, GiveTheNumbersOfOneThread) { expect_the_same(kHotSpot); }

/// Sums cut into slices and stretches of time, whose begin is found at the end.
TEST(Threads, WithAWarmUpThatIsDetectedAndIntervals) {
  std::string text = kHotSpot;
  text.replace(text.find("\"20 us\""), 7, "\"auto\"");
  text.replace(text.find("bin = "), 0, "intervals = true\n");
  expect_the_same(text);
}

/// How well a mean is known is asked for again and again on the way.
TEST(Threads, EndWhereAMeanIsKnown) {
  const std::string text = R"(
experiment = { duration = "2 ms", warmup = "20 us", until = { metric = "throughput", relative_half_width = 0.05 } }
topology = { model = "k-ary-n-tree", k = 4, n = 2 }
link = { delay = "30 ns" }
routing = "d-mod-k"
traffic = [{ name = "all", destinations = "uniform", arrivals = { model = "poisson", load = 0.5 }, sizes = { model = "fixed", size = "1 KiB" } }]
)";
  const metrics::RunResult one = run(with(text, "experiment.threads=1"));
  ASSERT_NE(one.scalar("simulated_time"), nullptr);
  EXPECT_LT(*one.scalar("simulated_time"), 2e6) << "it ends before its time";
  expect_the_same(text);
}

/// Credit that is still on its way to another part does not keep a drained network busy until the
/// next sample, as it does not in one part.
TEST(Threads, EndWithTheLastArrivalAndNotWithItsCredit) {
  const std::string text = R"(
experiment = { duration = "1 ms", until = "drained" }
topology = { model = "rlft", ports = 4, stages = 3, stage_delays = ["18727 ps", "18272 ps", "471932 ps"] }
link = { delay = "10 ns", rate = "8 Gbps" }
buffer = { ingress = "32 KiB", egress = "32 KiB" }
host = { mtu = "256 B", acks = "in-band", ack_size = "13 B" }
metrics = { bin = "BIN ns" }
traffic = [{ name = "hot", stop = "5 us", sources = {count = 3, choose = "last"}, destinations = { model = "fixed", host = 0 }, arrivals = { model = "constant", load = 1.0 }, sizes = { model = "fixed", size = "2 KiB" } },
 { name = "all", stop = "5 us", sources = "rest", destinations = "uniform", arrivals = { model = "poisson", load = 0.45 }, sizes = { model = "fixed", size = "512 B" } }]
)";
  // Whether a sample is between the two is a matter of the bin: with 400 ns one is.
  for (const char* bin : {"100", "200", "300", "400", "1000"}) {
    SCOPED_TRACE(bin);
    std::string its = text;
    its.replace(its.find("BIN"), 3, bin);
    expect_the_same(its, 100);
  }
}

/// The same with what schemes of feedback need of switches and buffers.
std::string managed(const std::string& preset, const std::string& more = "") {
  std::string text = kHotSpot;
  const auto put_in = [&](const std::string& section, const std::string& keys) {
    text.insert(text.find(section) + section.size(), keys);
  };
  put_in("[switch]\n", "architecture = \"cioq\"\nspeedup = 2\n");
  put_in("[buffer]\n", "egress = \"256 KiB\"\n");
  return text + "[management]\npreset = \"" + preset + "\"\n" + more;
}

/// Series of links over long queues in egress buffers, and where only the window is measured.
TEST(Threads, WithEgressBuffersAndWithoutSeries) {
  expect_the_same(managed("none"));
  std::string text = kHotSpot;
  text.replace(text.find("bin = "), 0, "links = false\n");
  expect_the_same(text);
}

class ThreadsWithPreset : public ::testing::TestWithParam<const char*> {};

TEST_P(ThreadsWithPreset, GiveTheNumbersOfOneThread) {
  const std::string preset = GetParam();
  std::string text =
      managed(preset, preset == "pfister" ? "[reaction]\nhot_spot_degree = 25\n" : "");
  // One packet of a flow at a time fills small buffers only.
  if (preset == "renato") text.replace(text.find("64 KiB"), 6, "8 KiB");
  const metrics::RunResult one = run(with(text, "experiment.threads=1"));
  ASSERT_NE(one.scalar("throttled_flows"), nullptr);
  EXPECT_GT(*one.scalar("throttled_flows"), 0) << "nothing reacts";
  expect_the_same(text);
}

INSTANTIATE_TEST_SUITE_P(All, ThreadsWithPreset,
                         ::testing::Values("dcqcn", "fimd", "hpcc", "ib-cca", "iocm", "mvcm",
                                           "pfister", "pipd", "qcn", "renato", "swift", "timely"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(Threads, WithBuffersThatStopTheirSenders) {
  expect_the_same(managed("dcqcn", "[flow_control]\nmodel = \"pfc\"\n"));
  expect_the_same(managed("none", "[flow_control]\nmodel = \"stop-and-go\"\n"));
}

TEST(Threads, WithMemoryThatPortsShare) {
  std::string text = managed("none", "[flow_control]\nmodel = \"pfc\"\n");
  const std::string section = "[buffer]\n";
  text.insert(text.find(section) + section.size(), "memory = \"shared\"\nscope = \"switch\"\n");
  expect_the_same(text);
}

/// Keys put into a section of the hot spot.
std::string changed(std::string text, const std::string& section, const std::string& keys) {
  return text.insert(text.find(section) + section.size(), keys);
}

class ThreadsWithIsolation : public ::testing::TestWithParam<const char*> {};

TEST_P(ThreadsWithIsolation, GiveTheNumbersOfOneThread) {
  const std::string model = GetParam();
  std::string text = kHotSpot;
  text = changed(text, "[buffer]\n", "egress = \"64 KiB\"\n");
  text = changed(text, "[metrics]\n", "set_aside_events = 500\n");
  text += "[isolation]\nmodel = \"" + model + "\"\n";
  const std::string input_queued = changed(text, "[switch]\n", "architecture = \"iq\"\n");
  ASSERT_GT(*run(with(input_queued, "experiment.threads=1")).scalar("set_aside_allocations"), 0);
  expect_the_same(input_queued);
  text = changed(text, "[switch]\n", "architecture = \"cioq\"\nspeedup = 2\n");
  expect_the_same(changed(text, "[host]\n", "acks = \"in-band\"\n") +
                  "[selection]\nmodel = \"ecmp\"\n");
}

INSTANTIATE_TEST_SUITE_P(All, ThreadsWithIsolation,
                         ::testing::Values("recn", "recn-enhanced", "fbicm"), [](const auto& one) {
                           std::string name = one.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(Threads, WithIsolationAndThrottling) { expect_the_same(managed("ccfit")); }

TEST(Threads, WithOrderThatHostsRestore) {
  for (const char* selection : {"random", "spray"}) {
    const std::string text = changed(kHotSpot, "[host]\n", "order = \"reorder\"\n") +
                             "[selection]\nmodel = \"" + selection + "\"\n";
    EXPECT_GT(*run(with(text, "experiment.threads=1")).scalar("reorder_memory_max"), 0);
    expect_the_same(text);
  }
}

TEST(Threads, WithLanesOfVls) {
  std::string text = changed(kHotSpot, "[host]\n", "source_queues = \"per-class\"\n");
  text = changed(text, "[buffer]\n", "egress = \"64 KiB\"\n");
  text.insert(text.find("role = \"cold\""), "service_level = 1\n");
  text += "[queueing]\nmodel = \"service-level\"\nvls = 2\n[vl_sharing]\n";
  const std::string lanes = text + "model = \"one-lane\"\nhost_rate = \"70 Gbps\"\n";
  EXPECT_NE(run(with(lanes, "experiment.threads=1")).scalar("vl_busy", "h0 VL 1"), nullptr);
  expect_the_same(lanes + "switch_rate = \"80 Gbps\"\nservice_scv = 2.0\n");
  text += R"(model = "entry-threshold"
own_rate = "60 Gbps"
borrowed_rate = "100 Gbps"
threshold = 2
lenders = [0, 1]
)";
  for (const char* ports : {"hosts", "switches"})
    expect_the_same(text + "ports = \"" + ports + "\"\n");
}

TEST(Threads, MayBeMoreThanThereAreSwitches) {
  const std::string small = R"(
experiment = { duration = "20 us" }
topology = { model = "k-ary-n-tree", k = 2, n = 2 }
link = { delay = "10 ns" }
routing = "d-mod-k"
traffic = [{ name = "all", destinations = "uniform", arrivals = { model = "poisson", load = 0.5 }, sizes = { model = "fixed", size = "1 KiB" } }]
)";
  EXPECT_EQ(results(small, "experiment.threads=16"), results(small, "experiment.threads=1"));
}

TEST(Threads, AreNoPartOfWhatIdentifiesARun) {
  const Configuration one = with(kHotSpot, "experiment.threads=1");
  const Configuration two = with(kHotSpot, "experiment.threads=2");
  EXPECT_EQ(configuration_hash(one.resolved), configuration_hash(two.resolved));
  EXPECT_EQ(two.threads, 2U);
}

TEST(Threads, RefuseWhatActsOnTheWholeNetworkAtOnce) {
  const std::string base = kHotSpot;
  EXPECT_THAT(
      refused(base + "[[failure]]\nrandom = 1\nat = \"1 us\"\n[agent]\nmodel = \"xon-xoff\"\n"),
      HasSubstr("no link fails"));
}

}  // namespace
}  // namespace weir::experiment::threads
