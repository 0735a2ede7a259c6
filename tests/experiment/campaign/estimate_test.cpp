#include "weir/experiment/campaign/estimate.hpp"

#include <gtest/gtest.h>

#include "experiment/one_run.hpp"
#include "experiment/support.hpp"

namespace weir::experiment {
namespace {

TEST(Estimate, CountsAllMessagesOfRunsWithoutDuration) {
  const std::string text = R"(
[experiment]
until = "drained"
[topology]
model = "single-switch"
hosts = 4
[routing]
model = "shortest-path"
[[traffic]]
name = "all"
destinations = { model = "uniform" }
arrivals = { model = "poisson", load = 0.5 }
sizes = { model = "fixed", size = "1 KiB" }
messages = 3000
)";
  const Estimate expected = estimate(ExperimentFile(table_of(text), {}).variants());
  EXPECT_EQ(expected.packet_hops, number(simulated(text), "packet_hops"));
}

}  // namespace
}  // namespace weir::experiment
