#include <gtest/gtest.h>

#include <cctype>
#include <string>
#include <vector>

#include "weir/experiment/campaign/estimate.hpp"
#include "weir/experiment/campaign/runner.hpp"
#include "weir/experiment/config/read_file.hpp"

namespace weir::experiment {
namespace {

/// A shipped experiment, shortened where it is long, and the packet-hops that a probe may take of
/// it: so few that none of its runs is simulated to the end.
struct Shipped {
  const char* file;
  std::vector<std::string> set;
  double probed;
};

class EstimateOfShipped : public ::testing::TestWithParam<Shipped> {};

double packet_hops(const std::vector<Variant>& variants) {
  double sum = 0;
  for (const RunOutcome& outcome : run_all(variants, {}, {})) {
    const double* hops = outcome.record->result.scalar("packet_hops");
    EXPECT_NE(hops, nullptr) << outcome.record->error;
    if (hops != nullptr) sum += *hops;
  }
  return sum;
}

TEST_P(EstimateOfShipped, IsWithinAFactorOfOneAndAHalf) {
  const Shipped& shipped = GetParam();
  std::vector<ConfigTable> overrides;
  for (const std::string& one : shipped.set) overrides.push_back(parse_override(one));
  const ExperimentFile file(
      read_experiment(std::string(WEIR_SOURCE_DIR "/experiments/") + shipped.file), overrides);
  const std::vector<Variant> variants = file.variants();
  constexpr double kLongEnough = 1e6;
  const double estimated = estimate(variants, {shipped.probed, kLongEnough}).packet_hops;
  const double done = packet_hops(variants);
  EXPECT_LT(estimated, 1.5 * done);
  EXPECT_GT(estimated, done / 1.5);
}

INSTANTIATE_TEST_SUITE_P(
    All, EstimateOfShipped,
    ::testing::Values(
        Shipped{"lippens2010/trees/t8-leaves-to-root.toml", {}, 2e5},
        Shipped{"yan2012/two-switches.toml", {}, 1e5}, Shipped{"yan2012/vl-shares.toml", {}, 1e5},
        Shipped{"ferrer2012/shared-link.toml", {}, 3e4}, Shipped{"ferrer2012/window.toml", {}, 2e5},
        Shipped{"ferrer2012/traces.toml", {}, 2e5},
        Shipped{"ferrer2012/light-messages.toml", {}, 5e5},
        Shipped{"zdornov2009/one-packet-buffers.toml", {}, 1e4},
        Shipped{"zdornov2009/congestion-spreading.toml", {}, 5e4},
        Shipped{"rocher2021/all-reduce.toml", {R"(workload.app.gradient="100 KB")"}, 2e5}),
    [](const ::testing::TestParamInfo<Shipped>& test) {
      std::string name;
      for (const char* c = test.param.file; *c != '\0'; ++c) {
        if (std::isalnum(static_cast<unsigned char>(*c)) != 0) name += *c;
      }
      return name;
    });

}  // namespace
}  // namespace weir::experiment
