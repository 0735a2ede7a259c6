#include "weir/report/gnuplot/gnuplot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "report/example_runs.hpp"
#include "support/temporary_folder.hpp"
#include "weir/base/error.hpp"
#include "weir/report/gnuplot/names.hpp"

namespace weir::report {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Gnuplot : public testing::Test {
 public:
  static Figure figure(const std::string& toml, const std::vector<experiment::RunRecord>& runs) {
    return make_figure(PlotSpec::read(parse_toml(toml, "e.toml"), "plot[0]"), runs);
  }
  static std::string read(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  template <class Error>
  static std::string message(const std::function<void()>& work) {
    try {
      work();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  support::TemporaryFolder folder_;
};

constexpr const char* kEfficiency =
    "figure = \"efficiency\"\nmetric = \"efficiency\"\ntitle = \"A hot spot's cost: 'network' "
    "{efficiency}_x\"\n"
    "shade = [\"3 ms\", \"9 ms\"]\nshade_label = \"hot spot\"\n";

TEST_F(Gnuplot, WritesSvgWithTheTextsAsTheyAre) {
  const auto paths = draw(figure(kEfficiency, hot_spot_runs()), {"svg"}, folder_.string());
  ASSERT_EQ(paths.size(), 1U);
  const std::string svg = read(paths[0]);
  for (const char* text : {"<svg", "1q", "dbbm", "voqnet", "simulated time (ms)", "hot spot",
                           "sans-serif", "font-weight=\"bold\"", "{efficiency}_x"}) {
    EXPECT_THAT(svg, HasSubstr(text));
  }
}

TEST_F(Gnuplot, WritesPngPdfAndTheScript) {
  const auto paths =
      draw(figure(kEfficiency, hot_spot_runs()), {"png", "pdf", "gp"}, folder_.string());
  ASSERT_EQ(paths.size(), 3U);
  EXPECT_EQ(read(paths[0]).substr(1, 3), "PNG");
  EXPECT_EQ(read(paths[1]).substr(0, 4), "%PDF");
  EXPECT_THAT(read(paths[2]), HasSubstr("set output 'efficiency.svg'"));
  if (const char* keep = std::getenv("WEIR_KEEP_PLOTS"))
    fs::copy(folder_.path(), keep,
             fs::copy_options::overwrite_existing | fs::copy_options::recursive);
}

TEST_F(Gnuplot, DrawsBarsAndSweeps) {
  const auto bars = draw(
      figure("figure = \"bars\"\nmetric = [\"throughput\", \"throughput[cold]\"]\nx = \"case\"\n",
             hot_spot_runs()),
      {"svg", "png"}, folder_.string());
  EXPECT_THAT(read(bars[0]), HasSubstr("throughput (Tbps)"));
  const auto sweep =
      draw(figure("figure = \"sweep\"\nmetric = \"latency_mean\"\nx = \"traffic.0.load\"\n",
                  sweep_runs()),
           {"svg", "png"}, folder_.string());
  EXPECT_THAT(read(sweep[0]), HasSubstr("latency mean (µs)"));
  if (const char* keep = std::getenv("WEIR_KEEP_PLOTS"))
    fs::copy(folder_.path(), keep,
             fs::copy_options::overwrite_existing | fs::copy_options::recursive);
}

TEST_F(Gnuplot, DrawsPanelsReferencesAndDistributions) {
  auto runs = sweep_runs();
  metrics::Histogram histogram;
  for (std::int64_t i = 1; i < 1000; ++i) histogram.record(i * i);
  for (auto& run : runs) run.result.add_histogram("latency", "", histogram);
  const auto panels =
      draw(figure("figure = \"panels\"\nmetric = \"latency_mean\"\nx = \"traffic.0.load\"\n"
                  "panel = \"case\"\ny_unit = \"us\"\nreference = [{ points = [[0.5, 2]], label = "
                  "\"Fig. 3\" }, { y = 1.5, what = \"limit\" }, { x = 0.8 }]\nsize = \"column\"\n",
                  runs),
           {"svg", "png", "pdf"}, folder_.string());
  for (const char* text : {"published: Fig. 3", "limit", "voqsw", "1q"}) {
    EXPECT_THAT(read(panels[0]), HasSubstr(text));
  }
  for (const std::string& path : panels) EXPECT_GT(fs::file_size(path), 2'000U);
  const auto tail = draw(figure("figure = \"tail\"\nmetric = \"latency\"\ndraw = \"ccdf\"\n"
                                "x_scale = \"log\"\ny_scale = \"log\"\n",
                                runs),
                         {"svg"}, folder_.string());
  EXPECT_THAT(read(tail[0]), HasSubstr("share of values above"));
}

TEST_F(Gnuplot, ManyLinesGetAKey) {
  std::vector<experiment::RunRecord> runs;
  runs.reserve(14);
  for (int i = 0; i < 14; ++i)
    runs.push_back(hot_spot_run("case " + std::to_string(i), 0.05 * i + 0.1));
  const auto paths = draw(figure(kEfficiency, runs), {"svg"}, folder_.string());
  EXPECT_THAT(read(paths[0]), HasSubstr("case 13"));
}

/// Texts that stand behind `before` in the plot command, in their order.
std::vector<std::string> titles(const std::string& script, const std::string& before) {
  std::vector<std::string> found;
  for (auto at = script.find(before); at != std::string::npos; at = script.find(before, at + 1)) {
    const auto open = script.find("title '", at) + 7;
    found.push_back(script.substr(open, script.find('\'', open) - open));
  }
  return found;
}

TEST_F(Gnuplot, NamesStandAtTheEndsOfLinesOrInAKeyInTheirOrder) {
  const std::string sweep = "figure = \"s\"\nmetric = \"latency_mean\"\nx = \"traffic.0.load\"\n";
  const std::string apart = gnuplot_script(figure(sweep, sweep_runs()), "svg", "x.svg");
  EXPECT_THAT(apart, HasSubstr("set label '1q' at graph 1"));
  EXPECT_THAT(apart, HasSubstr("set label 'voqsw' at graph 1"));
  EXPECT_THAT(apart, testing::Not(HasSubstr("keyentry")));

  std::vector<experiment::RunRecord> runs;
  runs.reserve(10);
  for (int i = 0; i < 10; ++i)
    runs.push_back(hot_spot_run("c" + std::to_string(i), 0.5 + 0.001 * i));
  const std::string close = gnuplot_script(figure(kEfficiency, runs), "svg", "x.svg");
  EXPECT_THAT(close, testing::Not(HasSubstr("set label 'c")));
  // they end together: the highest average stands first
  EXPECT_THAT(titles(close, "keyentry with lines"),
              testing::ElementsAre("c9", "c8", "c7", "c6", "c5", "c4", "c3", "c2", "c1", "c0"));
}

TEST_F(Gnuplot, NamesThatWouldTouchAreMovedApartButNotAwayFromTheirLines) {
  Figure f =
      figure("figure = \"s\"\nmetric = \"latency_mean\"\nx = \"traffic.0.load\"\n", sweep_runs());
  std::vector<FigureLine>& lines = f.panels[0].lines;
  ASSERT_EQ(lines.size(), 2U);
  lines[0].end = 0.50;
  lines[1].end = 0.47;
  const std::vector<double> at = name_heights(f, 370);
  ASSERT_EQ(at.size(), 2U);
  EXPECT_NEAR(at[0] - at[1], 18 / 370.0, 1e-6);
  EXPECT_NEAR(at[0] + at[1], 0.97, 1e-6);
  lines.push_back(lines[1]);
  lines.push_back(lines[1]);
  EXPECT_TRUE(name_heights(f, 370).empty()) << "three of one end";
  lines.resize(2);
  lines[1].end.reset();
  EXPECT_TRUE(name_heights(f, 370).empty()) << "a line that ends before the others";
}

TEST_F(Gnuplot, LongNamesUnderBarsAreBrokenOrRotated) {
  const auto script = [&](const std::vector<std::string>& cases) {
    std::vector<experiment::RunRecord> runs;
    for (const std::string& name : cases) runs.push_back(hot_spot_run(name, 0.5));
    return gnuplot_script(
        figure("figure = \"b\"\nmetric = \"throughput\"\nx = \"case\"\nsize = \"column\"\n", runs),
        "svg", "x.svg");
  };
  EXPECT_THAT(script({"a queue for every destination", "one", "two"}),
              HasSubstr("('a queue for'.\"\\n\".'every'.\"\\n\".'destination' 0"));
  EXPECT_THAT(script({"destination-based-buffers", "one", "two"}), HasSubstr("rotate by -30"));
}

TEST_F(Gnuplot, LevelsAndUprightsAreToldApartInTheKey) {
  const std::string script = gnuplot_script(
      figure("figure = \"s\"\nmetric = \"latency_mean\"\nx = \"traffic.0.load\"\ny_unit = \"us\"\n"
             "panel = \"case\"\nreference = [{ y = 1.5, what = \"limit\" }, { x = 0.8, label = "
             "\"knee\" }, { points = [[0.5, 2]], label = \"Fig. 3\" }]\n",
             sweep_runs()),
      "svg", "x.svg");
  EXPECT_THAT(titles(script, "keyentry with lines"),
              testing::ElementsAre("limit", "published: knee"));
  EXPECT_THAT(titles(script, "keyentry with points"), testing::ElementsAre("published: Fig. 3"));
  EXPECT_THAT(script, HasSubstr("dashtype 2 title 'limit'"));
  EXPECT_THAT(script, HasSubstr("dashtype 3 title 'published: knee'"));
}

TEST(GnuplotNames, BreakBetweenWords) {
  EXPECT_EQ(lines_of("queue per output", text_width("queue per  ")),
            (std::vector<std::string>{"queue per", "output"}));
  EXPECT_EQ(lines_of("queue", 1), (std::vector<std::string>{"queue"}));
}

TEST_F(Gnuplot, SaysWhenGnuplotIsMissing) {
  const Figure f = figure(kEfficiency, hot_spot_runs());
  EXPECT_THAT(message<InputError>([&] { draw(f, {"svg"}, folder_.string(), "no-such-gnuplot"); }),
              HasSubstr("plots need gnuplot"));
}

TEST_F(Gnuplot, SaysWhatGnuplotComplainedAbout) {
  const std::string fake = (folder_ / "fake").string();
  std::ofstream(fake) << "#!/bin/sh\necho '     line 3: unknown terminal' >&2\nexit 1\n";
  fs::permissions(fake, fs::perms::owner_all);
  const Figure f = figure(kEfficiency, hot_spot_runs());
  const std::string text = message<RunError>([&] { draw(f, {"svg"}, folder_.string(), fake); });
  EXPECT_THAT(text, HasSubstr("efficiency.svg: line 3: unknown terminal"));
  EXPECT_FALSE(fs::exists(folder_ / "efficiency.svg"));
}

TEST_F(Gnuplot, SaysWhichFolderCannotBeWritten) {
  std::ofstream(folder_ / "plain") << "a file";
  const Figure f = figure(kEfficiency, hot_spot_runs());
  EXPECT_THAT(message<InputError>([&] { draw(f, {"svg"}, (folder_ / "plain").string()); }),
              HasSubstr("cannot make the output folder"));
}

}  // namespace
}  // namespace weir::report
