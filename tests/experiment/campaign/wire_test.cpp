#include "weir/experiment/campaign/wire.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "experiment/support.hpp"
#include "weir/experiment/campaign/run_queue.hpp"

namespace weir::experiment {
namespace {

TEST(Wire, AVariantKeepsItsValuesAndTheirPlaces) {
  const auto variants =
      ExperimentFile(table_of(kSmall + "[sweep]\nbuffer.ingress = [\"512 B\", \"64 KiB\"]\n"
                                       "[replicate]\nseeds = 2\n"),
                     {parse_override("host.mtu=600 B")})
          .variants();
  for (const Variant& variant : variants) {
    const Variant back = unpack_variant(pack(variant));
    EXPECT_EQ(back.name, variant.name);
    EXPECT_EQ(back.case_name, variant.case_name);
    EXPECT_EQ(back.settings, variant.settings);
    EXPECT_EQ(back.place, variant.place);
    EXPECT_EQ(to_toml(back.table), to_toml(variant.table));
    EXPECT_EQ(configuration_hash(resolve(back.table).resolved),
              configuration_hash(resolve(variant.table).resolved));
  }
  // What is wrong is told at the same place.
  NetworkCache networks;
  const auto error = [&](const Variant& variant) {
    return carry_out(variant, networks, [](const RunProgress&) { return true; }).record->error;
  };
  EXPECT_EQ(error(unpack_variant(pack(variants[0]))), error(variants[0]));
  EXPECT_EQ(error(variants[0]).find("x.toml:16:19: buffer.ingress: "), 0U) << error(variants[0]);
}

TEST(Wire, ARecordKeepsItsBits) {
  RunOutcome out;
  out.is_input_error = true;
  RunRecord& run = out.record.emplace();
  run.experiment = "e";
  run.case_name = "c";
  run.place = 42;
  run.parameters = {{"a.b", "1"}, {"c", "\"x\""}};
  run.configuration = "a = 1\n";
  run.configuration_hash = "h";
  run.seed = std::numeric_limits<std::uint64_t>::max();
  run.version = "0.1.0";
  run.status = "failed";
  run.error = "why, with an ü";
  run.host = "node7";
  run.started = "then";
  run.finished = "later";
  metrics::RunResult& r = run.result;
  r.add_scalar("efficiency", "", 0.1 + 0.2);
  r.scalars.push_back({{"latency_mean", "hot"},
                       std::nan(""),
                       std::numeric_limits<double>::infinity(),
                       metrics::Quality::not_stationary});
  r.add_series("throughput", "cold", Time(5), microseconds(1), {1.0 / 3, std::nan(""), -0.0});
  metrics::Histogram histogram;
  for (std::int64_t v = 1; v < 5'000'000'000; v *= 7) histogram.record(v, 3);
  r.add_histogram("latency", "", histogram);
  r.links.push_back({"s0[1]", "up", 0.1, 0.7, 1'000'000'000'000, 42, 4'096});
  r.trees.push_back({microseconds(3), "s2[1]", 2, {"s1[2]", "h2"}, {1, 2}, {"h2"}});
  r.frames = metrics::pack({{microseconds(1), microseconds(3)}, 1, {0, 255}, {7, 0}, {0, 5}});
  r.set_aside_trees.push_back({"s2[1]",
                               microseconds(1),
                               microseconds(9),
                               12,
                               5,
                               2,
                               4'096,
                               {"s2[0] ingress", "s1[2] egress"},
                               {0, 1},
                               {"s1[2] egress"}});
  r.set_aside_events.push_back(
      {microseconds(9), "s1[2] egress", "s2[1]", 1, "released", microseconds(4)});
  r.notes = {"note"};
  r.fingerprint = 0xfedcba9876543210ULL;
  r.wall_seconds = 1.0 / 7;
  r.cpu_seconds = 1.0 / 9;

  const RunOutcome back = unpack_outcome(pack(out));
  EXPECT_EQ(pack(back), pack(out));
  EXPECT_TRUE(back.is_input_error);
  ASSERT_TRUE(back.record);
  const RunRecord& b = *back.record;
  EXPECT_EQ(b.parameters, run.parameters);
  EXPECT_EQ(b.seed, run.seed);
  EXPECT_EQ(b.place, 42);
  EXPECT_EQ(b.error, run.error);
  EXPECT_EQ(b.result.scalars[0].value, 0.1 + 0.2);
  EXPECT_TRUE(std::isnan(b.result.scalars[0].half_width));
  EXPECT_TRUE(std::isnan(b.result.scalars[1].value));
  EXPECT_TRUE(std::isinf(b.result.scalars[1].half_width));
  EXPECT_EQ(b.result.scalars[1].quality, metrics::Quality::not_stationary);
  EXPECT_EQ(b.result.series[0].values[0], 1.0 / 3);
  EXPECT_TRUE(std::signbit(b.result.series[0].values[2]));
  EXPECT_EQ(b.result.histograms[0].histogram.stored(), r.histograms[0].histogram.stored());
  EXPECT_EQ(b.result.links[0].wait, 0.7);
  EXPECT_EQ(b.result.trees[0].branch_depths, r.trees[0].branch_depths);
  EXPECT_EQ(b.result.frames, r.frames);
  EXPECT_EQ(b.result.set_aside_trees, r.set_aside_trees);
  EXPECT_EQ(b.result.set_aside_events, r.set_aside_events);
  EXPECT_EQ(b.result.fingerprint, r.fingerprint);
  EXPECT_EQ(b.result.wall_seconds, 1.0 / 7);
  EXPECT_EQ(b.result.cpu_seconds, 1.0 / 9);
  EXPECT_FALSE(unpack_outcome(pack(RunOutcome{})).record);
}

}  // namespace
}  // namespace weir::experiment
