#include "weir/report/figure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/example_runs.hpp"
#include "weir/base/error.hpp"

namespace weir::report {
namespace {

using testing::HasSubstr;

PlotSpec spec(const std::string& toml) {
  return PlotSpec::read(parse_toml(toml, "e.toml"), "plot[0]");
}

std::string error(const std::string& toml) {
  try {
    spec(toml);
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

TEST(PlotSpec, ReadsATable) {
  const PlotSpec s = spec(
      "figure = \"eff\"\nmetric = [\"efficiency\", \"efficiency[cold]\"]\ntitle = \"T\"\n"
      "y_range = [0.0, 1.0]\nshade = [\"3 ms\", \"9 ms\"]\nformat = [\"pdf\"]\n");
  EXPECT_EQ(s.figure, "eff");
  ASSERT_EQ(s.metrics.size(), 2U);
  EXPECT_EQ(s.metrics[1].label, "cold");
  EXPECT_EQ(s.x, "time");
  EXPECT_EQ(s.y_range, std::pair(0.0, 1.0));
  EXPECT_FALSE(s.x_range.has_value());
  EXPECT_EQ(s.shade->second, milliseconds(9));
  EXPECT_EQ(s.formats, std::vector<std::string>{"pdf"});
  EXPECT_EQ(spec("figure = \"f\"\nmetric = \"throughput\"\n").formats,
            (std::vector<std::string>{"svg", "png"}));
}

TEST(PlotSpec, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(error("figure = \"f\"\nmetric = \"eficiency\"\n"),
              HasSubstr("e.toml:2:10: plot[0].metric: no metric is called 'eficiency' (did you "
                        "mean 'efficiency'?)"));
  EXPECT_THAT(error("metric = \"efficiency\"\n"), HasSubstr("figure"));
  EXPECT_THAT(error("figure = \"../f\"\nmetric = \"efficiency\"\n"),
              HasSubstr("must be a plain file name"));
  EXPECT_THAT(error("figure = \"f\"\nmetric = \"latency_p99\"\n"),
              HasSubstr("has no series to draw over time"));
  EXPECT_THAT(error("figure = \"f\"\nmetric = \"link_queued\"\nx = \"case\"\n"),
              HasSubstr("no single number"));
  EXPECT_THAT(error("figure = \"f\"\nmetric = \"efficiency\"\ny_range = [1.0, 0.0]\n"),
              HasSubstr("low below high"));
  EXPECT_THAT(error("figure = \"f\"\nmetric = \"efficiency\"\nshade = [\"3 ms\", \"9 mm\"]\n"),
              HasSubstr("plot[0].shade"));
  EXPECT_THAT(error("figure = \"f\"\nmetric = \"efficiency\"\nformat = [\"pngg\"]\n"),
              HasSubstr("did you mean 'png'"));
  EXPECT_THAT(error("figure = \"f\"\nmetric = \"efficiency\"\ntitel = \"x\"\n"),
              HasSubstr("did you mean 'title'"));
  EXPECT_THAT(error("figure = \"f\"\nmetric = []\n"), HasSubstr("names no metric"));
}

TEST(Figure, DrawsALinePerCaseOverTime) {
  auto runs = hot_spot_runs();
  runs.push_back(hot_spot_run("broken", 0.1));
  runs.back().status = "failed";
  const Figure f = make_figure(
      spec("figure = \"f\"\nmetric = \"efficiency\"\nshade = [\"3 ms\", \"9 ms\"]\n"), runs);
  ASSERT_EQ(f.lines.size(), 3U);
  EXPECT_EQ(f.lines[1].label, "dbbm");
  EXPECT_EQ(f.lines[0].points.size(), 120U);
  EXPECT_DOUBLE_EQ(f.lines[0].points[0].first, 0.05);  // middle of the first bin, ms
  EXPECT_EQ(f.x_label, "simulated time (ms)");
  EXPECT_EQ(f.x_range, std::pair(0.0, 12.0));
  EXPECT_EQ(f.y_range, std::pair(0.0, 1.0));
  EXPECT_EQ(f.shade, std::pair(3.0, 9.0));
}

TEST(Figure, DrawsScalarsOverASweptKeyWithSeedsAveraged) {
  const Figure f = make_figure(
      spec("figure = \"f\"\nmetric = \"latency_mean\"\nx = \"traffic.0.load\"\n"), sweep_runs());
  ASSERT_EQ(f.lines.size(), 2U);
  EXPECT_EQ(f.lines[0].label, "1q");
  ASSERT_EQ(f.lines[0].points.size(), 9U);
  EXPECT_DOUBLE_EQ(f.lines[0].points[0].first, 0.1);
  EXPECT_NEAR(f.lines[0].points[0].second, (1'000 / 0.95 + 30) / 1'000, 1e-9);  // µs
  EXPECT_EQ(f.y_label, "latency mean (µs)");
}

TEST(Figure, DrawsBarsPerCase) {
  const Figure f = make_figure(
      spec("figure = \"f\"\nmetric = [\"throughput\", \"throughput[cold]\"]\nx = \"case\"\n"),
      hot_spot_runs());
  EXPECT_TRUE(f.is_bars);
  EXPECT_EQ(f.bar_groups, (std::vector<std::string>{"1q", "dbbm", "voqnet"}));
  ASSERT_EQ(f.lines.size(), 2U);
  EXPECT_EQ(f.lines[0].label, "all");
  EXPECT_EQ(f.lines[1].label, "cold");
  EXPECT_EQ(f.y_label, "throughput (Tbps)");
}

TEST(Figure, SaysWhenNoRunHasTheMetric) {
  EXPECT_THROW(make_figure(spec("figure = \"f\"\nmetric = \"tree_roots\"\n"), hot_spot_runs()),
               InputError);
  EXPECT_THROW(make_figure(spec("figure = \"f\"\nmetric = \"efficiency\"\nx = \"nokey\"\n"),
                           hot_spot_runs()),
               InputError);
  EXPECT_THROW(
      make_figure(spec("figure = \"f\"\nmetric = \"efficiency\"\nx = \"queueing.model\"\n"),
                  {hot_spot_run("dbbm", 0.5)}),
      InputError);
  EXPECT_THROW(make_figure(spec("figure = \"f\"\nmetric = \"efficiency\"\n"), {}), InputError);
}

}  // namespace
}  // namespace weir::report
