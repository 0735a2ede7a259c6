#include "weir/report/figure/figure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "report/example_runs.hpp"
#include "weir/base/error.hpp"
#include "weir/report/figure/look.hpp"

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

TEST(Figure, WhereKeepsTheRunsThatItMeans) {
  const std::string base = "figure = \"f\"\nmetric = \"efficiency\"\n";
  const Figure one = make_figure(spec(base + "where = { case = \"dbbm\" }\n"), hot_spot_runs());
  ASSERT_EQ(one.panels.size(), 1U);
  ASSERT_EQ(one.panels[0].lines.size(), 1U);
  const Figure all = make_figure(spec(base), hot_spot_runs());
  EXPECT_EQ(one.panels[0].lines[0].points.back().y, all.panels[0].lines[1].points.back().y);
  EXPECT_EQ(make_figure(spec(base + "where = { \"queueing.model\" = \"1q\" }\n"), hot_spot_runs())
                .panels[0]
                .lines.size(),
            1U);
  try {
    make_figure(spec(base + "where.queueing.model = \"dbm\"\n"), hot_spot_runs());
    ADD_FAILURE() << "accepted";
  } catch (const InputError& refused) {
    EXPECT_THAT(refused.what(),
                HasSubstr("figure 'f': no run has queueing.model = dbm (did you mean 'dbbm'?)"));
  }
  EXPECT_THAT(error(base + "where = \"1q\"\n"), HasSubstr("plot[0].where: must be a table"));
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
  const std::string latency = "figure = \"f\"\nmetric = \"latency_mean\"\nx = \"a.b\"\n";
  EXPECT_THAT(error(latency + "y_scale = \"log\"\ny_range = [0.0, 1.0]\n"),
              HasSubstr("e.toml:5:11: plot[0].y_range: must be above 0"));
  EXPECT_THAT(error(latency + "y_unit = \"Gbps\"\n"), HasSubstr("does not measure"));
  EXPECT_THAT(error(latency + "y_unit = \"uss\"\n"), HasSubstr("did you mean 'us'"));
  EXPECT_THAT(error(latency + "draw = \"cdf\"\n"), HasSubstr("values of its metric along x"));
  EXPECT_THAT(error(latency + "along = \"a.c\"\n"), HasSubstr("over another metric only"));
  EXPECT_THAT(error(latency + "panel = \"a.b\"\n"), HasSubstr("is along x already"));
  EXPECT_THAT(error(latency + "shade = [\"1 ms\", \"2 ms\"]\n"), HasSubstr("needs x = \"time\""));
  EXPECT_THAT(error("figure = \"f\"\nmetric = \"latency\"\n"), HasSubstr("no series"));
  EXPECT_THAT(error("figure = \"f\"\nmetric = \"efficiency\"\ndraw = \"cdf\"\n"),
              HasSubstr("has no distribution"));
  EXPECT_THAT(error("figure = \"f\"\nmetric = [\"efficiency\", \"latency_mean\"]\n"),
              HasSubstr("have different units"));
  EXPECT_THAT(error("figure = \"f\"\nmetric = \"efficiency\"\nx = \"link_queued[up]\"\n"),
              HasSubstr("no single number"));
}

TEST(PlotSpec, RefusesReferencesThatLeaveAnythingOpen) {
  const std::string plot = "figure = \"f\"\nmetric = \"latency_mean\"\nx = \"a.b\"\n";
  EXPECT_THAT(error(plot + "reference = [{ y = 3.0 }]\n"),
              HasSubstr("e.toml:4:20: plot[0].reference[0].y: needs y_unit"));
  const std::string us = plot + "y_unit = \"us\"\n";
  EXPECT_EQ(error(us + "reference = [{ y = 3.0 }]\n"), "no error");
  EXPECT_THAT(error(us + "reference = [{ y = 3.0, x = 1.0 }]\n"), HasSubstr("one of x, y and"));
  EXPECT_THAT(error(us + "reference = [{ label = \"l\" }]\n"), HasSubstr("one of x, y and"));
  EXPECT_THAT(error(us + "reference = [{ points = [[1, 2], [3]] }]\n"), HasSubstr("two numbers"));
  EXPECT_THAT(error(us + "reference = [{ points = [] }]\n"), HasSubstr("two numbers"));
  EXPECT_THAT(error(us + "reference = [{ what = \"publish\", y = 1.0 }]\n"),
              HasSubstr("did you mean 'published'"));
  EXPECT_THAT(error(us + "reference = [{ y = 1.0, panel = \"p\" }]\n"), HasSubstr("has no panels"));
  EXPECT_THAT(error(us + "reference = [{ lable = \"l\", y = 1.0 }]\n"),
              HasSubstr("did you mean 'label'"));
  EXPECT_THAT(error(us + "reference = 3\n"), HasSubstr("list of tables"));
}

TEST(PlotSpec, ResolvesToItself) {
  const ConfigTable table = parse_toml(
      "figure = \"f\"\nmetric = \"latency_mean\"\nx = \"a.b\"\ny_unit = \"us\"\n"
      "reference = [{ y = 3.0 }]\n",
      "e.toml");
  const std::string once = to_toml(PlotSpec::resolved(table, "plot[0]"));
  EXPECT_THAT(once, HasSubstr("interval = \"auto\""));
  EXPECT_THAT(once, HasSubstr("format = [\"svg\", \"png\"]"));
  EXPECT_EQ(to_toml(PlotSpec::resolved(parse_toml(once, "once"), "plot[0]")), once);
}

TEST(Figure, DrawsALinePerCaseOverTime) {
  auto runs = hot_spot_runs();
  runs.push_back(hot_spot_run("broken", 0.1));
  runs.back().status = "failed";
  const Figure f = make_figure(
      spec("figure = \"f\"\nmetric = \"efficiency\"\nshade = [\"3 ms\", \"9 ms\"]\n"), runs);
  ASSERT_EQ(f.panels.size(), 1U);
  const auto& lines = f.panels[0].lines;
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[1].label, "dbbm");
  EXPECT_EQ(lines[0].points.size(), 120U);
  EXPECT_DOUBLE_EQ(lines[0].points[0].x, 0.05);            // middle of the first bin, ms
  EXPECT_TRUE(std::isnan(lines[0].points[0].half_width));  // one seed says nothing of others
  EXPECT_EQ(f.x_label, "simulated time (ms)");
  EXPECT_EQ(f.x_range, std::pair(0.0, 12.0));
  EXPECT_EQ(f.panels[0].y_range, std::pair(0.0, 1.0));
  EXPECT_EQ(f.shade, std::pair(3.0, 9.0));
}

TEST(Figure, BandsOverTimeAreIntervalsAcrossSeeds) {
  std::vector<experiment::RunRecord> runs{hot_spot_run("1q", 0.4), hot_spot_run("1q", 0.5),
                                          hot_spot_run("1q", 0.6)};
  for (std::size_t i = 0; i < 3; ++i) {
    runs[i].seed = i + 1;
    runs[i].parameters.emplace_back("experiment.seed", std::to_string(i + 1));
    runs[i].result.series[0].values = {0.4 + 0.1 * static_cast<double>(i)};
  }
  const Figure f = make_figure(spec("figure = \"f\"\nmetric = \"efficiency\"\n"), runs);
  EXPECT_TRUE(f.has_bands);
  ASSERT_EQ(f.panels[0].lines.size(), 1U);
  ASSERT_EQ(f.panels[0].lines[0].points.size(), 1U);
  const FigurePoint& point = f.panels[0].lines[0].points[0];
  EXPECT_NEAR(point.y, 0.5, 1e-12);
  EXPECT_NEAR(point.half_width, 4.302653 * 0.1 / std::sqrt(3.0), 1e-6);  // t of 2 degrees, 97.5 %
}

constexpr const char* kLatencyOverLoad =
    "figure = \"f\"\nmetric = \"latency_mean\"\nx = \"traffic.0.load\"\n";

TEST(Figure, DrawsScalarsOverASweptKeyWithIntervals) {
  const Figure f = make_figure(spec(kLatencyOverLoad), sweep_runs());
  const auto& lines = f.panels[0].lines;
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].label, "1q");
  ASSERT_EQ(lines[0].points.size(), 9U);
  EXPECT_DOUBLE_EQ(lines[0].points[0].x, 0.1);
  EXPECT_NEAR(lines[0].points[0].y, (1'000 / 0.95 + 30) / 1'000, 1e-9);  // µs
  // Two seeds 20 ns apart: s = 20 / sqrt(2), over sqrt(2), times t of one degree of freedom.
  EXPECT_NEAR(lines[0].points[0].half_width, 12.7062 * 10 / 1'000, 1e-5);
  EXPECT_EQ(f.panels[0].lines[1].color, 1U);
  EXPECT_EQ(f.x_label, "load");
  EXPECT_EQ(f.y_label, "latency mean (µs)");
  const std::string none = std::string(kLatencyOverLoad) + "interval = \"none\"\n";
  EXPECT_TRUE(
      std::isnan(make_figure(spec(none), sweep_runs()).panels[0].lines[0].points[0].half_width));
}

TEST(Figure, OneSeedHasTheIntervalItMeasured) {
  auto runs = sweep_runs();
  std::erase_if(runs, [](const auto& run) { return run.seed != 1; });
  runs[0].result.scalars[0].half_width = 50;
  runs[1].result.scalars[0].quality = metrics::Quality::not_stationary;
  runs[1].result.scalars[0].value = std::nan("");
  const Figure f = make_figure(spec(kLatencyOverLoad), runs);
  const auto& points = f.panels[0].lines[0].points;
  EXPECT_DOUBLE_EQ(points[0].half_width, 0.05);
  EXPECT_TRUE(std::isnan(points[1].y));
  EXPECT_TRUE(std::isnan(points[2].half_width));
}

TEST(Figure, ASeedWithoutSteadyStateLeavesTheMeanUnknown) {
  auto runs = sweep_runs();  // seeds 1 and 2 of each point follow each other
  runs[1].result.scalars[0].quality = metrics::Quality::not_stationary;
  const auto figure = make_figure(spec(kLatencyOverLoad), runs);
  EXPECT_TRUE(std::isnan(figure.panels[0].lines[0].points[0].y));
  EXPECT_FALSE(std::isnan(figure.panels[0].lines[0].points[1].y));
}

TEST(Figure, AnotherSweptKeyMakesLinesOfItsOwn) {
  auto runs = sweep_runs();
  for (auto& run : runs) {
    run.parameters.emplace_back("host.mtu", run.seed == 1 ? "2 KiB" : "4 KiB");
  }
  const Figure f = make_figure(spec(kLatencyOverLoad), runs);
  EXPECT_EQ(f.names, (std::vector<std::string>{"1q, mtu = 2 KiB", "1q, mtu = 4 KiB",
                                               "voqsw, mtu = 2 KiB", "voqsw, mtu = 4 KiB"}));
  EXPECT_NEAR(f.panels[0].lines[0].points[0].y, (1'000 / 0.95 + 20) / 1'000, 1e-9);
}

TEST(Figure, QuantitiesAlongXAreOnOneScale) {
  auto runs = sweep_runs();
  runs.resize(6);
  const std::vector<std::string> sizes{"512 KiB", "512 KiB", "1 MiB", "1 MiB", "2 MiB", "2 MiB"};
  for (std::size_t i = 0; i < 6; ++i) runs[i].parameters = {{"buffer.ingress", sizes[i]}};
  const std::string plot = "figure = \"f\"\nmetric = \"latency_mean\"\nx = \"buffer.ingress\"\n";
  const Figure f = make_figure(spec(plot + "x_unit = \"KiB\"\n"), runs);
  ASSERT_EQ(f.panels[0].lines[0].points.size(), 3U);
  EXPECT_DOUBLE_EQ(f.panels[0].lines[0].points[1].x, 1024);
  EXPECT_EQ(f.x_label, "ingress (KiB)");
  runs[0].parameters[0].second = "3 us";
  EXPECT_THROW(make_figure(spec(plot), runs), InputError);
}

/// Latency against accepted traffic, which saturates: x goes back at the end.
std::vector<experiment::RunRecord> accepted_runs() {
  auto runs = sweep_runs();
  for (auto& run : runs) {
    const double load = std::stod(run.parameters[0].second);
    run.result.add_scalar("throughput", "", load < 0.75 ? 100 * load : 60);
  }
  return runs;
}

TEST(Figure, ACurveOverAMetricFollowsTheSweptKey) {
  const std::string plot = "figure = \"f\"\nmetric = \"latency_mean\"\nx = \"throughput\"\n";
  const Figure f = make_figure(spec(plot), accepted_runs());
  const auto& points = f.panels[0].lines[0].points;
  ASSERT_EQ(points.size(), 9U);
  EXPECT_NEAR(points[6].x, 70, 1e-9);
  EXPECT_NEAR(points[7].x, 60, 1e-9);
  EXPECT_NEAR(points[7].y, (1'000 / 0.25 + 30) / 1'000, 1e-9);
  EXPECT_EQ(f.x_label, "throughput (Gbps)");
  auto runs = accepted_runs();
  for (auto& run : runs) run.parameters.emplace_back("host.mtu", run.seed == 1 ? "1 KiB" : "2 KiB");
  EXPECT_THROW(make_figure(spec(plot), runs), InputError);
  EXPECT_EQ(make_figure(spec(plot + "along = \"traffic.0.load\"\n"), runs).names.size(), 4U);
}

TEST(Figure, ALogarithmicAxisOverAMetricBeginsAboveZero) {
  const std::string plot = "figure = \"f\"\nmetric = \"latency_mean\"\nx = \"throughput\"\n";
  EXPECT_LE(make_figure(spec(plot), accepted_runs()).x_range.first, 0);
  const Figure f = make_figure(spec(plot + "x_scale = \"log\"\n"), accepted_runs());
  EXPECT_TRUE(f.x_log);
  EXPECT_GT(f.x_range.first, 0);
  EXPECT_GE(f.x_range.second, 70);
}

TEST(Figure, DrawsBarsPerCase) {
  const Figure f = make_figure(
      spec("figure = \"f\"\nmetric = [\"throughput\", \"throughput[cold]\"]\nx = \"case\"\n"),
      hot_spot_runs());
  EXPECT_EQ(f.kind, Figure::Kind::bars);
  EXPECT_EQ(f.bar_groups, (std::vector<std::string>{"1q", "dbbm", "voqnet"}));
  EXPECT_EQ(f.names, (std::vector<std::string>{"all", "cold"}));
  EXPECT_NEAR(f.panels[0].lines[1].points[2].y, 1.2345, 1e-9);
  EXPECT_EQ(f.y_label, "throughput (Tbps)");
}

TEST(Figure, LinesAreNamedForWhatTheirMetricsDifferIn) {
  auto runs = hot_spot_runs();
  runs.resize(1);
  const auto of = [&](const std::string& metrics) {
    return make_figure(spec("figure = \"f\"\nx = \"case\"\nmetric = " + metrics + "\n"), runs);
  };
  const Figure one_class = of(R"(["latency_mean[cold]", "latency_p99[cold]"])");
  EXPECT_EQ(one_class.names, (std::vector<std::string>{"mean", "p99"}));
  EXPECT_EQ(one_class.y_label, "latency [cold] (µs)");
  runs[0].result.add_scalar("latency_mean", "hot", 5e6);
  const Figure both = of(R"(["latency_mean[hot]", "latency_p99[cold]"])");
  EXPECT_EQ(both.names, (std::vector<std::string>{"mean [hot]", "p99 [cold]"}));
  EXPECT_EQ(both.y_label, "latency (ms)");
  runs[0].result.add_scalar("completion_time", "", 5e6);
  EXPECT_EQ(of(R"(["latency_mean[hot]", "completion_time"])").y_label, "ms");
}

TEST(Figure, WordsAlongXMakeBars) {
  auto runs = hot_spot_runs();
  for (auto& run : runs) run.case_name.clear();
  const Figure f =
      make_figure(spec("figure = \"f\"\nmetric = \"throughput\"\nx = \"queueing.model\"\n"), runs);
  EXPECT_EQ(f.kind, Figure::Kind::bars);
  EXPECT_EQ(f.bar_groups, (std::vector<std::string>{"1q", "dbbm", "voqnet"}));
  EXPECT_EQ(f.names.size(), 1U);
  EXPECT_THROW(make_figure(spec("figure = \"f\"\nmetric = \"throughput\"\nx = \"queueing.model\"\n"
                                "draw = \"lines\"\n"),
                           runs),
               InputError);
}

TEST(Figure, DistributionsAddUpSeeds) {
  std::vector<experiment::RunRecord> runs{hot_spot_run("1q", 0.5), hot_spot_run("1q", 0.5)};
  runs[1].seed = 2;
  for (int i = 0; i < 2; ++i) {
    metrics::Histogram histogram;
    histogram.record(100, 3);  // 0.1 ns
    histogram.record(127, 1);  // exact below 128
    runs[static_cast<std::size_t>(i)].result.add_histogram("latency", "cold", histogram);
  }
  const std::string plot = "figure = \"f\"\nmetric = \"latency[cold]\"\n";
  const Figure f = make_figure(spec(plot + "draw = \"cdf\"\n"), runs);
  EXPECT_EQ(f.kind, Figure::Kind::steps);
  const auto& points = f.panels[0].lines[0].points;
  ASSERT_EQ(points.size(), 3U);
  EXPECT_DOUBLE_EQ(points[0].y, 0);
  EXPECT_DOUBLE_EQ(points[1].x, 0.1);
  EXPECT_DOUBLE_EQ(points[1].y, 0.75);
  EXPECT_DOUBLE_EQ(points[2].y, 1);
  EXPECT_EQ(f.x_label, "latency [cold] (ns)");
  const Figure above = make_figure(spec(plot + "draw = \"ccdf\"\ny_scale = \"log\"\n"), runs);
  EXPECT_DOUBLE_EQ(above.panels[0].lines[0].points[1].y, 0.25);
  EXPECT_EQ(above.panels[0].y_range, std::pair(0.2, 1.0));
}

TEST(Figure, PanelsShareTheirAxesAndColours) {
  const Figure f =
      make_figure(spec("figure = \"f\"\nmetric = [\"throughput\", \"throughput[cold]\"]\n"
                       "x = \"queueing.model\"\npanel = \"case\"\n"),
                  hot_spot_runs());
  ASSERT_EQ(f.panels.size(), 3U);
  EXPECT_EQ(f.panels[1].title, "dbbm");
  EXPECT_EQ(f.panels[1].lines[1].label, "cold");
  EXPECT_EQ(f.panels[1].lines[1].color, 1U);
  EXPECT_EQ(f.panels[0].y_range, f.panels[2].y_range);
}

TEST(Figure, AGroupOfCasesStandsForItsPartOfTheName) {
  std::vector<experiment::RunRecord> runs;
  for (const char* system : {"none", "mvcm"}) {
    for (const char* load : {"low", "high"}) {
      runs.push_back(hot_spot_run(std::string(system) + ", " + load, 0.5));
      runs.back().parameters = {{"system", system}, {"load", load}};
    }
  }
  const std::string base = "figure = \"f\"\nmetric = \"efficiency\"\n";
  const Figure panels = make_figure(spec(base + "panel = \"load\"\n"), runs);
  ASSERT_EQ(panels.panels.size(), 2U);
  EXPECT_EQ(panels.panels[0].title, "low");
  EXPECT_EQ(panels.names, (std::vector<std::string>{"none", "mvcm"}));
  const Figure bars = make_figure(spec(base + "x = \"system\"\n"), runs);
  EXPECT_EQ(bars.names, (std::vector<std::string>{"low", "high"}));
  EXPECT_EQ(make_figure(spec(base), runs).names[3], "mvcm, high");
  const Figure some = make_figure(spec(base + "where = { load = \"low\" }\n"), runs);
  EXPECT_EQ(some.names, (std::vector<std::string>{"none, low", "mvcm, low"}));
}

TEST(Figure, APanelForEachMetricHasItsOwnUnit) {
  const Figure f = make_figure(spec("figure = \"f\"\nmetric = [\"latency_mean\", \"throughput\"]\n"
                                    "x = \"traffic.0.load\"\npanel = \"metric\"\n"),
                               accepted_runs());
  ASSERT_EQ(f.panels.size(), 2U);
  EXPECT_EQ(f.panels[0].y_label, "latency mean (µs)");
  EXPECT_EQ(f.panels[1].y_label, "throughput (Gbps)");
  EXPECT_EQ(f.names, (std::vector<std::string>{"1q", "voqsw"}));
}

TEST(Figure, ReferencesAreNamedForWhatTheyAre) {
  const std::string plot = std::string(kLatencyOverLoad) + "y_unit = \"us\"\n";
  const Figure f = make_figure(
      spec(plot + "reference = [{ label = \"voqsw\", points = [[0.5, 30]] }, { y = 2.0, what = "
                  "\"limit\", label = \"wire\" }]\n"),
      sweep_runs());
  const auto& references = f.panels[0].references;
  ASSERT_EQ(references.size(), 2U);
  EXPECT_EQ(references[0].text, "published: voqsw");
  EXPECT_EQ(references[0].color, 1U);
  EXPECT_EQ(references[1].text, "limit: wire");
  EXPECT_FALSE(references[1].color.has_value());
  EXPECT_GE(f.panels[0].y_range.second, 30);  // seen as a whole
  EXPECT_THROW(
      make_figure(spec(plot + "panel = \"case\"\nreference = [{ y = 2.0, panel = \"1p\" }]"),
                  sweep_runs()),
      InputError);
}

TEST(Figure, LogarithmicAxesEndAtRoundNumbers) {
  const Figure f =
      make_figure(spec(std::string(kLatencyOverLoad) + "y_scale = \"log\"\n"), sweep_runs());
  EXPECT_EQ(f.panels[0].y_range, std::pair(0.5, 10.0));
  EXPECT_TRUE(f.y_log);
}

TEST(Figure, LogarithmicAxesHaveTheirTicks) {
  const auto texts = [](double low, double high) {
    std::vector<std::string> all;
    for (const AxisTick& tick : log_ticks({low, high})) {
      if (!tick.text.empty()) all.push_back(tick.text);
    }
    return all;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(texts(1e-5, 1), (Texts{"10⁻⁵", "10⁻⁴", "0.001", "0.01", "0.1", "1"}));
  EXPECT_EQ(texts(0.5, 10), (Texts{"0.5", "1", "2", "5", "10"}));
  EXPECT_EQ(texts(0.38, 0.84), (Texts{"0.4", "0.5", "0.6", "0.7", "0.8"}));
  EXPECT_EQ(texts(1e-12, 1).size(), 7U) << "every second";
  const Figure f =
      make_figure(spec(std::string(kLatencyOverLoad) + "y_scale = \"log\"\n"), sweep_runs());
  EXPECT_FALSE(f.panels[0].y_ticks.empty());
  EXPECT_TRUE(f.x_ticks.empty());
}

TEST(Figure, AKeyHasNamesInTheOrderInWhichLinesEnd) {
  const Figure f = make_figure(spec(kLatencyOverLoad), sweep_runs());
  ASSERT_EQ(f.names, (std::vector<std::string>{"1q", "voqsw"}));
  EXPECT_EQ(f.key_order, (std::vector<std::size_t>{0, 1})) << "1q has the higher latency";
  ASSERT_TRUE(f.panels[0].lines[0].end && f.panels[0].lines[1].end);
  EXPECT_GT(*f.panels[0].lines[0].end, *f.panels[0].lines[1].end);

  const Figure over_time =
      make_figure(spec("figure = \"f\"\nmetric = \"efficiency\"\n"), hot_spot_runs());
  EXPECT_EQ(over_time.names.front(), "1q");
  EXPECT_EQ(over_time.key_order, (std::vector<std::size_t>{2, 1, 0}))
      << "all end together: that of the highest average first";
}

TEST(Figure, PointsThatNobodyCouldTellApartAreLeftOut) {
  auto runs = hot_spot_runs();
  metrics::Histogram histogram;
  for (std::int64_t i = 0; i < 20'000; ++i) histogram.record(1'000'000 + i * i);
  for (auto& run : runs) run.result.add_histogram("latency", "", histogram);
  const Figure f =
      make_figure(spec("figure = \"f\"\nmetric = \"latency\"\ndraw = \"cdf\"\n"), runs);
  const auto& points = f.panels[0].lines[0].points;
  EXPECT_LT(points.size(), histogram.stored().buckets.size());
  for (std::size_t k = 1; k + 1 < points.size(); ++k) {
    EXPECT_TRUE(points[k].x - points[k - 1].x > 4e-4 * f.x_range.second ||
                points[k].y - points[k - 1].y > 4e-4);
  }
  EXPECT_DOUBLE_EQ(points.back().y, 1);
}

TEST(Figure, ReferencesOfEqualTextsLookAlike) {
  const Figure f = make_figure(
      spec(
          std::string(kLatencyOverLoad) +
          "y_unit = \"us\"\nreference = [{ points = [[0.5, 2]], label = \"Fig. 3\" }, { points = "
          "[[0.6, 2]], label = \"Fig. 4\" }, { points = [[0.7, 3]], label = \"Fig. 3\" }, { points "
          "= [[0.7, 1]], label = \"1q\" }, { y = 2 }, { y = 3, what = \"limit\" }]\n"),
      sweep_runs());
  std::vector<std::size_t> styles;
  for (const FigureReference& one : f.panels[0].references) styles.push_back(one.style);
  EXPECT_EQ(styles, (std::vector<std::size_t>{0, 1, 0, 2, 0, 1}));
}

using Rgb = std::array<double, 3>;

Rgb linear(std::string_view color) {
  Rgb out{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double part = std::stoi(std::string(color.substr(1 + 2 * i, 2)), nullptr, 16) / 255.0;
    out[i] = part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  }
  return out;
}

Rgb times(const std::array<Rgb, 3>& matrix, const Rgb& color) {
  Rgb out{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) out[i] += matrix[i][j] * color[j];
  }
  return out;
}

/// Distance of two colours as seen: in OKLab, hundredths.
double seen_distance(const Rgb& a, const Rgb& b) {
  const auto lab = [](const Rgb& rgb) {
    Rgb cones = times({{{0.4122214708, 0.5363325363, 0.0514459929},
                        {0.2119034982, 0.6806995451, 0.1073969566},
                        {0.0883024619, 0.2817188376, 0.6299787005}}},
                      rgb);
    for (double& cone : cones) cone = std::cbrt(std::clamp(cone, 0.0, 1.0));
    return times({{{0.2104542553, 0.793617785, -0.0040720468},
                   {1.9779984951, -2.428592205, 0.4505937099},
                   {0.0259040371, 0.7827717662, -0.808675766}}},
                 cones);
  };
  const Rgb p = lab(a);
  const Rgb q = lab(b);
  return 100 * std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

/// What people without one kind of cones see of a colour (Machado, Oliveira, Fernandes 2009).
constexpr std::array<std::array<Rgb, 3>, 3> kColorBlind{{{{{0.152286, 1.052583, -0.204868},
                                                           {0.114503, 0.786281, 0.099216},
                                                           {-0.003882, -0.048116, 1.051998}}},
                                                         {{{0.367322, 0.860646, -0.227968},
                                                           {0.280085, 0.672501, 0.047413},
                                                           {-0.011820, 0.042940, 0.968881}}},
                                                         {{{1.255528, -0.076749, -0.178779},
                                                           {-0.078411, 0.930809, 0.147602},
                                                           {0.004733, 0.691367, 0.303900}}}}};

TEST(Look, PeopleWithColourBlindnessTellAllColoursApart) {
  for (std::size_t i = 0; i < kLineColors.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      for (const auto& matrix : kColorBlind) {
        const auto distance = [&](std::string_view a, std::string_view b) {
          return seen_distance(times(matrix, linear(a)), times(matrix, linear(b)));
        };
        EXPECT_GT(distance(kLineColors[i].light, kLineColors[j].light), 7) << i << " and " << j;
        EXPECT_GT(distance(kLineColors[i].dark, kLineColors[j].dark), 7) << i << " and " << j;
      }
    }
  }
}

TEST(Look, ColoursAreTheSameOnPaperAndOnThePageAndReturnDashed) {
  for (const LineColor& color : kLineColors) {
    EXPECT_EQ(color.light.size(), 7U);
    EXPECT_EQ(color.dark.size(), 7U);
    EXPECT_EQ(color.letters.size(), 7U);
  }
  EXPECT_EQ(line_color(8).light, line_color(0).light);
  EXPECT_FALSE(is_dashed(7));
  EXPECT_TRUE(is_dashed(8));
  EXPECT_EQ(to_string(line_symbol(4)), "triangle-down");
}

TEST(Figure, SaysWhenNoRunHasTheMetric) {
  EXPECT_THROW(make_figure(spec("figure = \"f\"\nmetric = \"tree_roots\"\n"), hot_spot_runs()),
               InputError);
  EXPECT_THROW(make_figure(spec("figure = \"f\"\nmetric = \"efficiency\"\nx = \"no.key\"\n"),
                           hot_spot_runs()),
               InputError);
  EXPECT_THROW(make_figure(spec("figure = \"f\"\nmetric = \"efficiency\"\n"), {}), InputError);
  EXPECT_THROW(
      make_figure(spec("figure = \"f\"\nmetric = \"latency\"\ndraw = \"cdf\"\n"), hot_spot_runs()),
      InputError);
}

TEST(LatestRuns, OlderRunsOfOtherSettingsAreLeftOut) {
  auto runs = hot_spot_runs();
  runs.push_back(hot_spot_run("dbbm", 0.9));  // written later
  runs.back().configuration_hash = "other";
  runs.front().experiment = "another";
  const auto kept = latest_runs(runs);
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[0].case_name, "voqnet");
  EXPECT_EQ(kept[1].configuration_hash, "other");
}

/// Three choices with two draws each: what a memory costs, and what waiting it saves.
std::vector<experiment::RunRecord> help_and_cost(const std::vector<std::uint64_t>& seeds) {
  struct Choice {
    const char* name;
    double wait;
    double memory;
  };
  std::vector<experiment::RunRecord> runs;
  for (const Choice& one : {Choice{"none", 100, 4096}, Choice{"dear", 25, 65536},
                            Choice{"vain", 125, 8192}, Choice{"good", 50, 8192}}) {
    for (const std::uint64_t seed : seeds) {
      experiment::RunRecord& run = runs.emplace_back();
      run.experiment = "e";
      run.case_name = one.name;
      run.seed = seed;
      run.status = "done";
      // Draws are a factor of ten apart; by how much a choice is better differs little.
      const double draw = seed == 1 ? 1 : 10;
      const double own = one.wait == 50 && seed == 1 ? 40 : one.wait;
      run.result.add_scalar("latency_mean", "", draw * own);
      run.result.add_scalar("memory_per_port", "", one.memory);
    }
  }
  return runs;
}

constexpr const char* kHelpAgainstCost =
    "figure = \"f\"\nmetric = \"latency_mean\"\nx = \"memory_per_port\"\ndraw = \"points\"\n"
    "baseline = \"none\"\ny_scale = \"log\"\nx_unit = \"KiB\"\n";

TEST(Figure, PointsSetHelpAgainstCost) {
  const Figure figure = make_figure(spec(kHelpAgainstCost), help_and_cost({1, 2}));
  EXPECT_EQ(figure.kind, Figure::Kind::points);
  EXPECT_TRUE(figure.has_symbols);
  EXPECT_EQ(figure.y_label, "latency mean: times better than 'none'");
  EXPECT_EQ(figure.x_label, "memory per port (KiB)");
  ASSERT_EQ(figure.panels.size(), 1U);
  const FigurePanel& panel = figure.panels[0];
  EXPECT_EQ(panel.title, "");
  std::map<std::string, FigurePoint> points;
  for (const FigureLine& line : panel.lines) {
    ASSERT_EQ(line.points.size(), 1U);
    points[line.label] = line.points[0];
  }
  ASSERT_EQ(points.size(), 4U);
  EXPECT_DOUBLE_EQ(points["none"].y, 1);
  EXPECT_DOUBLE_EQ(points["none"].x, 4);
  EXPECT_EQ(points["none"].above(), 0) << "it is what others are compared with";
  EXPECT_DOUBLE_EQ(points["dear"].y, 4);
  EXPECT_DOUBLE_EQ(points["vain"].y, 0.8);
  // Draws 2.5 and 2 times better: the geometric mean, and an interval that a ratio has.
  const FigurePoint& good = points["good"];
  EXPECT_NEAR(good.y, std::sqrt(5), 1e-12);
  EXPECT_GT(good.above(), 0);
  EXPECT_NEAR((good.y + good.above()) / good.y, good.y / (good.y - good.below()), 1e-9);
  EXPECT_LT(good.below(), good.above());
  std::vector<std::string> front;
  for (const std::size_t i : panel.front) front.push_back(panel.lines[i].label);
  EXPECT_THAT(front, testing::ElementsAre("none", "good", "dear"))
      << "\"good\" costs as much as \"vain\" and is better";
}

TEST(Figure, PointsOfASingleDrawHaveNoInterval) {
  const Figure figure = make_figure(spec(kHelpAgainstCost), help_and_cost({2}));
  ASSERT_EQ(figure.panels[0].lines.size(), 4U);
  for (const FigureLine& line : figure.panels[0].lines) {
    EXPECT_EQ(line.points[0].above(), 0) << line.label;
    if (line.label == "good") {
      EXPECT_DOUBLE_EQ(line.points[0].y, 2);
    }
  }
}

TEST(Figure, PointsThatHaveNoCostCostNothing) {
  std::vector<experiment::RunRecord> runs = help_and_cost({1, 2});
  for (experiment::RunRecord& run : runs) {
    if (run.case_name == "none") run.result.scalars.pop_back();
  }
  const Figure figure = make_figure(spec(kHelpAgainstCost), runs);
  EXPECT_EQ(figure.panels[0].lines.size(), 4U);
  for (const FigureLine& line : figure.panels[0].lines) {
    if (line.label == "none") {
      EXPECT_EQ(line.points[0].x, 0);
    }
  }
  // Without a baseline x is any metric, and who lacks it has no point.
  const std::string plain =
      "figure = \"f\"\nmetric = \"latency_mean\"\nx = \"memory_per_port\"\ndraw = \"points\"\n";
  const Figure two = make_figure(spec(plain), runs);
  EXPECT_EQ(two.panels[0].lines.size(), 3U);
  EXPECT_EQ(two.y_label, "latency mean (ns)");
}

TEST(PlotSpec, SaysWhatPointsNeed) {
  const std::string points = "figure = \"f\"\nmetric = \"latency_mean\"\ndraw = \"points\"\n";
  EXPECT_THAT(error(points), HasSubstr("plot[0].x: points stand over another metric"));
  EXPECT_THAT(error(points + "x = \"memory_per_port\"\npanel = \"case\"\n"),
              HasSubstr("plot[0].panel: points have a panel for whatever else"));
  EXPECT_THAT(error("figure = \"f\"\nmetric = \"efficiency\"\nbaseline = \"none\"\n"),
              HasSubstr("plot[0].baseline: is for draw = \"points\" only"));
  try {
    make_figure(spec(points + "x = \"memory_per_port\"\nbaseline = \"nono\"\n"),
                help_and_cost({1, 2}));
    ADD_FAILURE() << "accepted";
  } catch (const InputError& refused) {
    EXPECT_THAT(refused.what(), HasSubstr("no run is of the baseline 'nono' (did you mean 'none'"));
  }
}

}  // namespace
}  // namespace weir::report
