#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.hpp"
#include "support/otf2_archive.hpp"

namespace weir::cli {
namespace {

using ::testing::HasSubstr;

TEST(Workload, WritesGoalThatReadsBack) {
  const Workplace place;
  const Outcome made =
      place.weir("workload ring-all-reduce --ranks 4 --set \"bytes=1 KB\" -o ring.goal");
  ASSERT_EQ(made.status, 0) << made.errors;
  const Outcome numbers = place.weir("workload ring.goal");
  EXPECT_EQ(numbers.status, 0) << numbers.errors;
  EXPECT_THAT(numbers.output, HasSubstr("messages             24\n"));
  EXPECT_THAT(numbers.output, HasSubstr("bytes                6 KB\n"));
  EXPECT_EQ(place.weir("workload ring.goal -o -").output,
            place.weir("workload ring-all-reduce --ranks 4 --set \"bytes=1 KB\" -o -").output);
}

#ifdef WEIR_HAS_OTF2
TEST(Workload, ArchivesOfOtf2BecomeGoal) {
  const Workplace place;
  otf2_support::Otf2Archive archive((place.folder() / "run").string(), 2);
  archive.enter(0, 0, "main");
  archive.enter(0, 100, "MPI_Send");
  archive.send(0, 110, 1, 7, 4096);
  archive.leave(0, 120, "MPI_Send");
  archive.enter(1, 100, "MPI_Recv");
  archive.receive(1, 500, 0, 7, 4096);
  archive.leave(1, 510, "MPI_Recv");
  archive.close();
  const Outcome made = place.weir("workload run/traces.otf2 -o -");
  EXPECT_EQ(made.status, 0) << made.errors;
  EXPECT_THAT(made.output, HasSubstr("calc 100\n"));
  EXPECT_THAT(made.output, HasSubstr("send 4096b to 1 tag 7\n"));
  EXPECT_EQ(place.weir("workload run/traces.otf2 --ranks 3").status, 2);
}
#endif

TEST(Workload, MistakesAreTold) {
  const Workplace place;
  place.write("x.goal", "num_ranks 2\nrank 0 {\nsend 5b to 1\n}\n");
  const auto told = [&](const std::string& command) {
    const Outcome outcome = place.weir("workload " + command);
    EXPECT_EQ(outcome.status, 2);
    return outcome.errors;
  };
  EXPECT_THAT(told("x.goal"), HasSubstr("x.goal:3: send: rank 0: send 5b to 1 tag 0 (line 3): "
                                        "rank 1 has no receive left for it"));
  EXPECT_THAT(told("ring --ranks 2"), HasSubstr("no workload is called 'ring'"));
  EXPECT_THAT(told("gather --set \"bytes=1 KB\""), HasSubstr("--ranks is missing"));
  EXPECT_THAT(told("gather --ranks 4"), HasSubstr("workload.bytes: is missing"));
}

TEST(Run, ParallelProgramsGiveAnExecutionTime) {
  const Workplace place;
  place.write("app.goal",
              "num_ranks 2\nrank 0 {\nsend 1000b to 1\n}\nrank 1 {\nrecv 1000b from 0\n}\n");
  place.write("x.toml", R"(
[experiment]
until = "workload"
[topology]
model = "single-switch"
hosts = 2
[routing]
model = "shortest-path"
[[workload]]
name = "app"
model = "goal"
file = "app.goal"
[results]
columns = ["execution_time"]
)");
  const Outcome outcome = place.weir("run x.toml");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("execution time"));
  EXPECT_THAT(outcome.output, HasSubstr("0.1400 µs"));
  EXPECT_EQ(place.weir("check x.toml").status, 0);
  EXPECT_GT(std::filesystem::file_size(place.folder() / "results/x/report.html"), 0U);
}

}  // namespace
}  // namespace weir::cli
