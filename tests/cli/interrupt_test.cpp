#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.hpp"

namespace weir::cli {
namespace {

// The shell sends the signal a moment after the start; the run would take minutes.
TEST(Interrupt, EndsCleanlyAndSaysWhatIsMissing) {
  const Workplace place;
  place.write("x.toml", R"(
[experiment]
duration = "1 s"
[topology]
model = "single-switch"
hosts = 16
[routing]
model = "shortest-path"
[[traffic]]
name = "all"
destinations = { model = "uniform" }
arrivals = { model = "saturated" }
sizes = { model = "fixed", size = "64 B" }
)");
  const Outcome outcome =
      place.shell("timeout --foreground --preserve-status -s INT 1 '" WEIR_PROGRAM
                  "' run x.toml --set experiment.duration='20 ms'"
                  " --set sweep.experiment.seed=[1,2,3,4,5,6,7,8]");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.errors, ::testing::HasSubstr("weir: interrupted; "));
}

}  // namespace
}  // namespace weir::cli
