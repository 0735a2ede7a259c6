// Runs that are killed on the way go on from their checkpoints, and end with the same numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "sweep.hpp"

namespace weir::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// Of a few seconds.
const std::string kLongRun = R"(
[experiment]
name = "long"
duration = "20 ms"
warmup = "1 ms"
[topology]
model = "k-ary-n-tree"
k = 4
n = 2
[metrics]
bin = "100 us"
per_flow = true
[host]
acks = "in-band"
[marking]
model = "fecn"
[reaction]
model = "congestion-control-table"
[[traffic]]
name = "cold"
sources = { fraction = 0.8, exclude = [4] }
destinations = { model = "uniform" }
arrivals = { model = "poisson", load = 0.5 }
sizes = { model = "fixed", size = "4 KiB" }
[[traffic]]
name = "hot"
role = "hot"
sources = { fraction = 0.2, exclude = [4] }
destinations = { model = "fixed", host = 4 }
arrivals = { model = "poisson", load = 0.2 }
sizes = { model = "fixed", size = "2 KiB" }
)";

/// Of a few seconds, too: seven simulations.
const std::string kLongSearch = R"(
[experiment]
name = "long"
find = { goal = "saturation", low = 0.3, high = 1.0, resolution = 0.02 }
duration = "3 ms"
warmup = "1 ms"
[topology]
model = "k-ary-n-tree"
k = 4
n = 2
[switch]
architecture = "iq-single"
voq = false
[buffer]
ingress = "4 KiB"
[metrics]
bin = "100 us"
[[traffic]]
name = "all"
destinations = { model = "uniform" }
arrivals = { model = "poisson", load = 0.5 }
sizes = { model = "fixed", size = "1 KiB" }
)";

class Checkpoints : public ::testing::Test {
 public:
  explicit Checkpoints(const std::string& text = kLongRun) {
    place.write("x.toml", text);
    EXPECT_EQ(place.weir("run x.toml -o whole --quiet").status, 0);
  }
  [[nodiscard]] std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    std::error_code error;
    for (const auto& file :
         fs::directory_iterator(place.folder() / "results/long/checkpoints", error))
      if (file.path().extension() == ".state") found.push_back(file.path());
    return found;
  }
  /// Starts the run and signals it once it has kept something that was not there before.
  int run_and_signal(int signal, const std::vector<std::string>& more = {}) const {
    const std::vector<fs::path> before = files();
    const auto last = before.empty() ? fs::file_time_type() : fs::last_write_time(before.front());
    std::vector<std::string> command{WEIR_PROGRAM, "run",           "x.toml",
                                     "--quiet",    "--checkpoints", "0.0005"};
    command.insert(command.end(), more.begin(), more.end());
    Process process(place.folder(), command);
    while (!process.has_ended()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      std::error_code gone;
      const std::vector<fs::path> now = files();
      if (now.empty()) continue;
      const auto written = fs::last_write_time(now.front(), gone);
      if (!gone && (before.empty() || written > last)) break;
    }
    process.signal(signal);
    return process.wait();
  }
  void run_and_kill(const std::vector<std::string>& more = {}) const {
    (void)run_and_signal(SIGKILL, more);
  }

  Workplace place;
};

TEST_F(Checkpoints, AfterAKillTheSameCommandGoesOn) {
  run_and_kill();
  ASSERT_EQ(files().size(), 1U);
  run_and_kill();
  ASSERT_EQ(files().size(), 1U);
  const Outcome last = place.weir("run x.toml");
  EXPECT_EQ(last.status, 0) << last.errors;
  EXPECT_THAT(last.errors, HasSubstr("1 run goes on from the last checkpoint"));
  expect_same_exports(place, "results/long", "whole");
  // Nothing is left of them.
  EXPECT_FALSE(fs::exists(place.folder() / "results/long/checkpoints"));
}

TEST_F(Checkpoints, AnotherNumberOfThreadsGoesOn) {
  run_and_kill();
  run_and_kill({"--threads", "2"});
  ASSERT_EQ(files().size(), 1U);
  EXPECT_EQ(place.weir("run x.toml --quiet").status, 0);
  expect_same_exports(place, "results/long", "whole");
}

TEST_F(Checkpoints, DamagedOnesAreLeftAlone) {
  run_and_kill();
  ASSERT_EQ(files().size(), 1U);
  std::string bytes = read_file(files().front());
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  place.write("results/long/checkpoints/" + files().front().filename().string(), bytes);
  EXPECT_EQ(place.weir("run x.toml --quiet").status, 0);
  expect_same_exports(place, "results/long", "whole");
}

TEST_F(Checkpoints, NoneAreKeptWhereNobodyWantsThem) {
  EXPECT_EQ(place.weir("run x.toml --quiet --checkpoints 0").status, 0);
  EXPECT_FALSE(fs::exists(place.folder() / "results/long/checkpoints"));
}

TEST_F(Checkpoints, AnInterruptKeepsWhatThereIs) {
  EXPECT_EQ(run_and_signal(SIGINT), 1);
  EXPECT_EQ(files().size(), 1U);
  EXPECT_EQ(place.weir("run x.toml --quiet").status, 0);
  expect_same_exports(place, "results/long", "whole");
}

class SearchCheckpoints : public Checkpoints {
 public:
  SearchCheckpoints() : Checkpoints(kLongSearch) {}
};

TEST_F(SearchCheckpoints, AfterKillsTheSameCommandGoesOn) {
  for (int kill = 0; kill < 4; ++kill) {
    run_and_kill();
    ASSERT_EQ(files().size(), 1U);
  }
  const Outcome last = place.weir("run x.toml");
  EXPECT_EQ(last.status, 0) << last.errors;
  EXPECT_THAT(last.errors, HasSubstr("1 run goes on from the last checkpoint"));
  expect_same_exports(place, "results/long", "whole");
  EXPECT_FALSE(fs::exists(place.folder() / "results/long/checkpoints"));
}

TEST_F(SearchCheckpoints, AnInterruptKeepsWhatThereIs) {
  EXPECT_EQ(run_and_signal(SIGINT), 1);
  ASSERT_EQ(files().size(), 1U);
  EXPECT_EQ(run_and_signal(SIGINT, {"--threads", "2"}), 1);
  ASSERT_EQ(files().size(), 1U);
  EXPECT_EQ(place.weir("run x.toml --quiet").status, 0);
  expect_same_exports(place, "results/long", "whole");
}

}  // namespace
}  // namespace weir::cli
