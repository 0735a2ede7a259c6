// One simulation by several threads: what notifies, admits, finds paths and limits rates gives the
// numbers of one thread.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "experiment/run/threads.hpp"

namespace weir::experiment::threads {
namespace {

/// A fat tree of 16 hosts with a hot spot for a while, whatever else is in it.
std::string tree(const std::string& more) {
  return R"(
[experiment]
duration = "200 us"
warmup = "20 us"
[link]
rate = "100 Gbps"
delay = "30 ns"
[host]
mtu = "2 KiB"
source_queues = "per-destination"
[metrics]
bin = "5 us"
per_flow = true
)" + more;
}

constexpr const char* kRlft = R"(
[topology]
model = "rlft"
ports = 4
stages = 3
[routing]
model = "d-mod-k"
)";

constexpr const char* kIncast = R"(
[[traffic]]
name = "hot"
role = "hot"
sources = { fraction = 0.4, exclude = [4] }
destinations = { model = "fixed", host = 4 }
arrivals = { model = "saturated" }
sizes = { model = "fixed", size = "4 KiB" }
stop = "120 us"
[[traffic]]
name = "cold"
role = "cold"
destinations = "uniform"
arrivals = { model = "poisson", load = 0.4 }
sizes = { model = "fixed", size = "4 KiB" }
)";

/// It has happened, in a run of one thread.
void expect_some(const std::string& text, const char* metric, const char* label = "") {
  const metrics::RunResult one = run(with(text, "experiment.threads=1"));
  const double* value = one.scalar(metric, label);
  ASSERT_NE(value, nullptr) << metric;
  EXPECT_GT(*value, 0) << metric;
}

TEST(ThreadsWithMechanisms, NotifyAndIsolate) {
  for (const char* isolation : {"none", "afi"}) {
    const std::string text =
        tree(std::string(kRlft) + "[buffer]\ningress = \"64 KiB\"\n[queueing]\nmodel = \"dbbm\"\n" +
             "[selection]\nmodel = \"arn\"\nhigh = 0.5\nlow = 0.3\nfree = 0.2\n" +
             "persistence = \"3 us\"\nrefresh = \"2 us\"\nswitch_lifetime = \"20 us\"\n" +
             "host_lifetime = \"30 us\"\nleast_gap = \"500 ns\"\nisolation = \"" + isolation +
             "\"\n" + kIncast);
    expect_some(text, "notifications");
    expect_some(text, "diverted");
    expect_the_same(text);
  }
}

TEST(ThreadsWithMechanisms, TellNeighbours) {
  expect_the_same(tree(
      std::string(kRlft) + "[buffer]\ningress = \"128 KiB\"\n[queueing]\nmodel = \"voqsw\"\n" +
      "flow_control = \"per-queue\"\n[agent]\nmodel = \"lecn\"\nhigh = \"24 KiB\"\n" + kIncast));
}

TEST(ThreadsWithMechanisms, LimitHosts) {
  expect_the_same(tree(std::string(kRlft) +
                       "[injection]\nmodel = \"leaky-bucket\"\nrate = \"70 Gbps\"\n" + kIncast));
}

TEST(ThreadsWithMechanisms, AdmitConnections) {
  const std::string text = tree(std::string(kRlft) + R"(
[queueing]
model = "service-level"
vls = 2
[switch]
arbiter = "vl-weighted"
[vl_arbitration]
low = [{ vl = 0, weight = 10 }]
[admission]
model = "link-by-link"
budgets = [0.3, 0.5]
retry = "3 us"
attempts = 8
tables = "connections"
[[traffic]]
name = "reserved"
role = "hot"
destinations = "uniform"
arrivals = { model = "poisson", load = 0.3 }
sizes = { model = "fixed", size = "6 KiB" }
service_level = 1
reserve = "20 Gbps"
[[traffic]]
name = "other"
role = "cold"
destinations = "uniform"
arrivals = { model = "poisson", load = 0.3 }
sizes = { model = "fixed", size = "4 KiB" }
)");
  expect_some(text, "connections_rejected");
  expect_some(text, "connections_released");
  expect_some(text, "reservation_use_max", "reserved");
  expect_the_same(text);
}

TEST(ThreadsWithMechanisms, FindPaths) {
  for (const char* keys : {"flow = \"message\"\nprc_size = 2\ntear_down = \"last-packet\"\n",
                           "flow = \"message\"\nmetric = \"weight\"\n",
                           "flow = \"idle\"\nprc_size = 4\nmetric = \"weight\"\n"}) {
    const std::string text =
        tree(std::string("[topology]\nmodel = \"modified-k-ary-n-tree\"\nk = 2\nn = 3\n") +
             "width = 2\n[flow_routing]\npolicy = \"forced-dir\"\nset_up = \"packets\"\n" + keys +
             kIncast);
    expect_some(text, "port_choices_diverted");
    expect_the_same(text);
  }
}

}  // namespace
}  // namespace weir::experiment::threads
