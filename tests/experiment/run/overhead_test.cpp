// What mechanisms put on links beside data (overhead_bytes, overhead_share).
#include <gtest/gtest.h>

#include <string>

#include "experiment/one_run.hpp"

namespace weir::experiment::overhead_test {
namespace {

/// Host 0 sends ten packets of 1000 B, one at a time, over three links to host 2.
metrics::RunResult ten_packets(const std::string& more) {
  return result_of(R"(
[experiment]
until = "drained"
duration = "1 ms"
[topology]
model = "line"
switches = 2
hosts_per_switch = [2]
[routing]
model = "shortest-path"
[switch]
architecture = "cioq"
[[traffic]]
name = "a"
sources = [0]
destinations = { model = "fixed", host = 2 }
arrivals = { model = "constant", interval = "2 us" }
sizes = { model = "fixed", size = "1000 B" }
messages = 10
)" + more);
}

TEST(Overhead, NothingIsToldWhereThereIsNone) {
  EXPECT_EQ(ten_packets("").scalar("overhead_bytes"), nullptr);
  EXPECT_EQ(ten_packets("[host]\nacks = \"ideal\"\n").scalar("overhead_share"), nullptr);
}

TEST(Overhead, AcksCountOnEveryLink) {
  const metrics::RunResult run = ten_packets("[host]\nacks = \"in-band\"\nack_size = \"64 B\"\n");
  EXPECT_EQ(number(run, "overhead_bytes", "acks"), 10 * 64 * 3);
  EXPECT_EQ(number(run, "overhead_bytes", "carried"), 0);
  EXPECT_EQ(number(run, "overhead_bytes", "control"), 0);
  EXPECT_EQ(number(run, "overhead_bytes"), 10 * 64 * 3);
  EXPECT_DOUBLE_EQ(number(run, "overhead_share"), 64.0 / 1'064);
}

// Telemetry for two switches is 2 + 2 * 8 bytes, in data and ACKs; headers of the user's own are
// no overhead.
TEST(Overhead, WhatDataCarriesCountsApart) {
  const metrics::RunResult run = ten_packets(
      "[host]\nheader = \"48 B\"\nack_size = \"64 B\"\n[management]\npreset = \"hpcc\"\n");
  EXPECT_EQ(number(run, "overhead_bytes", "carried"), 10 * 18 * 3);
  EXPECT_EQ(number(run, "overhead_bytes", "acks"), 10 * (64 + 18) * 3);
  EXPECT_DOUBLE_EQ(number(run, "overhead_share"), 100.0 / (1'048 + 100));
}

TEST(Overhead, PausesAreControl) {
  const metrics::RunResult run = result_of(R"(
[experiment]
duration = "200 us"
[topology]
model = "single-switch"
hosts = 3
[routing]
model = "shortest-path"
[buffer]
ingress = "32 KiB"
[flow_control]
model = "pfc"
[[traffic]]
name = "a"
sources = [0, 1]
destinations = { model = "fixed", host = 2 }
arrivals = "saturated"
sizes = { model = "fixed", size = "4 KiB" }
)");
  const double control = number(run, "overhead_bytes", "control");
  EXPECT_GT(control, 0);
  EXPECT_EQ(control, number(run, "pause_bytes"));
  EXPECT_EQ(control, number(run, "overhead_bytes"));
}

}  // namespace
}  // namespace weir::experiment::overhead_test
