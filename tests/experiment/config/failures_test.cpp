#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/one_run.hpp"
#include "experiment/support.hpp"

namespace weir::experiment {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string kTree = R"(
[experiment]
duration = "100 us"
[topology]
model = "rlft"
ports = 4
stages = 3
[routing]
model = "d-mod-k"
[[traffic]]
name = "all"
destinations = "uniform"
arrivals = { model = "poisson", load = 0.3 }
sizes = { model = "fixed", size = "1 KiB" }
)";

double lost(const metrics::RunResult& result) {
  const double* value = result.scalar("packets_lost", "");
  return value == nullptr ? 0 : *value;
}

TEST(Failures, LosePacketsOnlyWhileTheyLast) {
  const auto with = [](const std::string& times) {
    return kTree + "[[failure]]\nlinks = [\"s0[2]\"]\n" + times;
  };
  const double all = lost(simulated(with("at = \"0 us\"")));
  const double half = lost(simulated(with("at = \"0 us\"\nuntil = \"50 us\"")));
  EXPECT_GT(all, 20);
  EXPECT_NEAR(half, all / 2, all / 4);
  EXPECT_EQ(lost(simulated(with("at = \"200 us\""))), 0);
}

TEST(Failures, AreNamedInANote) {
  const metrics::RunResult result =
      simulated(kTree + "[[failure]]\nlinks = [\"s0[2]\"]\nat = \"10 us\"\n");
  EXPECT_THAT(result.notes, testing::Contains(HasSubstr("were lost where links were down")));
}

TEST(Failures, RandomCablesFollowTheSeed) {
  const std::string text = kTree + "[[failure]]\nrandom = 4\nat = \"10 us\"\n";
  const auto with_seed = [&](int seed) {
    std::string seeded = text;
    seeded.replace(seeded.find("duration"), 0, "seed = " + std::to_string(seed) + "\n");
    return simulated(seeded).fingerprint;
  };
  EXPECT_EQ(with_seed(3), with_seed(3));
  EXPECT_GT(lost(simulated(text)), 0);
}

TEST(Failures, AreTakenFromTheResolvedConfigurationToo) {
  const Configuration once =
      resolve(table_of(kTree + "[failure]\nlinks = [\"s0[2]\", \"s1[3]\"]\nat = \"10 us\"\n"));
  ASSERT_EQ(once.failures.size(), 1U);
  const Configuration again = resolve(once.resolved);
  ASSERT_EQ(again.failures.size(), 1U);
  EXPECT_EQ(again.failures[0]->links, once.failures[0]->links);
  EXPECT_EQ(again.failures[0]->at, microseconds(10));
}

TEST(Failures, RefuseWhatCannotBe) {
  const auto told = [](const std::string& failure) {
    return refusal([&] { simulated(kTree + "[[failure]]\n" + failure); });
  };
  EXPECT_THAT(told("links = [\"s0[9]\"]\nat = \"1 us\""),
              AllOf(HasSubstr("failure[0].links"), HasSubstr("s0[9]"), HasSubstr("did you mean")));
  EXPECT_THAT(told("links = [\"s0[2]\"]"), HasSubstr("failure[0].at"));
  EXPECT_THAT(told("at = \"1 us\""), HasSubstr("failure[0].links"));
  EXPECT_THAT(told("random = 33\nat = \"1 us\""), HasSubstr("32 cables between switches"));
  EXPECT_THAT(told("random = 1\nat = \"5 us\"\nuntil = \"5 us\""), HasSubstr("failure[0].until"));
  EXPECT_THAT(told("random = 1\nat = \"5 us\"\nupto = \"5 us\""), HasSubstr("upto"));
  EXPECT_THAT(refusal([] { simulated("failure = 3\n" + kTree); }), HasSubstr("failure"));
}

}  // namespace
}  // namespace weir::experiment
