#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "sweep.hpp"

namespace weir::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;

class Watch : public ::testing::Test {
 public:
  Watch() { place.write("x.toml", kSweep); }
  [[nodiscard]] Process start() const {
    return {
        place.folder(),
        {WEIR_PROGRAM, "run", "x.toml", "--jobs", "1", "--set", "experiment.duration=\"20 ms\""}};
  }
  [[nodiscard]] fs::path database() const {
    return place.folder() / "results/sweep/results.sqlite";
  }

  Workplace place;
};

TEST_F(Watch, SaysWhatIsDoneAndAtWorkUntilTheEnd) {
  Process run = start();
  run.wait_for(1, database());
  const Outcome watched = place.weir("watch results/sweep");
  EXPECT_EQ(watched.status, 0) << watched.errors;
  EXPECT_EQ(run.wait(), 0);
  EXPECT_THAT(watched.output, ContainsRegex("left; [0-9]+ of 16 runs; at work: .*load = 0"));
  EXPECT_THAT(watched.output, EndsWith("16 of 16 runs, ended\n"));
  // Each line tells of a change.
  EXPECT_EQ(watched.output.find("16 of 16 runs, ended"),
            watched.output.rfind("16 of 16 runs, ended"));
  // What is over is told, too.
  const Outcome later = place.weir("watch results/sweep/results.sqlite");
  EXPECT_EQ(later.status, 0);
  EXPECT_EQ(later.output, "16 of 16 runs, ended\n");
}

TEST_F(Watch, NoticesAProgramThatDied) {
  Process run = start();
  run.wait_for(1, database());
  run.signal(SIGKILL);
  EXPECT_EQ(run.wait(), -1);
  const Outcome watched = place.weir("watch results/sweep");
  EXPECT_EQ(watched.status, 1);
  EXPECT_THAT(watched.output, HasSubstr(" of 16 runs, died "));
  // The next one takes the place of the one that is gone.
  ASSERT_EQ(place.weir("run x.toml -q --set 'experiment.duration=\"20 ms\"'").status, 0);
  EXPECT_EQ(place.weir("watch results/sweep").output, "16 of 16 runs, ended\n");
}

TEST_F(Watch, SaysThatOneWasInterrupted) {
  Process run = start();
  run.wait_for(1, database());
  run.signal(SIGTERM);
  EXPECT_EQ(run.wait(), 1);
  const Outcome watched = place.weir("watch results/sweep");
  EXPECT_EQ(watched.status, 1);
  EXPECT_THAT(watched.output, HasSubstr("interrupted; the same command goes on from there"));
}

TEST_F(Watch, CountsWhatFailed) {
  place.write("bad.toml", kSweep + R"([[case]]
name = "too small"
set = { "buffer.ingress" = "1 KiB" }
)");
  EXPECT_NE(place.weir("run bad.toml -q").status, 0);
  const Outcome watched = place.weir("watch results/sweep");
  EXPECT_EQ(watched.status, 1);
  EXPECT_EQ(watched.output, "24 of 24 runs, 8 failed, ended\n");
}

TEST_F(Watch, NeedsResults) {
  const Outcome none = place.weir("watch results/none");
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.errors, HasSubstr("results/none: there are no results"));
}

}  // namespace
}  // namespace weir::cli
