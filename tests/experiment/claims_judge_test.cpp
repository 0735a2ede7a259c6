#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "claims_support.hpp"
#include "weir/experiment/claims/judge.hpp"
#include "weir/metrics/student_t.hpp"

namespace weir::experiment::claims {
namespace {

using ::testing::HasSubstr;

bool meets(const std::string& expect, double measured, const std::string& tolerance = "{}") {
  return claim_of("expect = " + expect + "\ntolerance = " + tolerance +
                  "\nvalues.a = { metric = \"efficiency\" }")
      .expected.is_met_by(measured);
}

TEST(ClaimExpectation, EachFormHasItsLimits) {
  EXPECT_TRUE(meets("{ is = 432 }", 432));
  EXPECT_FALSE(meets("{ is = 432 }", 432.001));
  EXPECT_TRUE(meets("{ at_least = 2 }", 2));
  EXPECT_FALSE(meets("{ above = 2 }", 2));
  EXPECT_TRUE(meets("{ above = 2 }", 2.001));
  EXPECT_TRUE(meets("{ at_most = 2 }", 2));
  EXPECT_FALSE(meets("{ below = 2 }", 2));
  EXPECT_TRUE(meets("{ between = [1, 2] }", 1));
  EXPECT_FALSE(meets("{ between = [1, 2] }", 2.1));
  EXPECT_FALSE(meets("{ is = 1 }", std::nan("")));
}

TEST(ClaimExpectation, ATolerancesWidensTheLimit) {
  EXPECT_TRUE(meets("{ is = 100 }", 102, "{ relative = 0.02 }"));
  EXPECT_FALSE(meets("{ is = 100 }", 102.1, "{ relative = 0.02 }"));
  EXPECT_TRUE(meets("{ is = -100 }", -102, "{ relative = 0.02 }"));
  EXPECT_TRUE(meets("{ at_least = 10 }", 9.5, "{ absolute = 0.5 }"));
  EXPECT_FALSE(meets("{ at_least = 10 }", 9.4, "{ absolute = 0.5 }"));
  EXPECT_TRUE(meets("{ below = 10 }", 10.4, "{ absolute = 0.5 }"));
  EXPECT_TRUE(meets("{ between = [1, 2] }", 2.2, "{ relative = 0.1 }"));
}

/// Judges a claim over kSwept, whose runs have the efficiency that `value` gives each.
class ClaimJudge : public ::testing::Test {
 protected:
  struct Run {
    double value;
    double half_width = std::nan("");
  };

  Judgement judged(const std::string& rest, const std::vector<Run>& values,
                   const std::string& kind = "published") {
    folder_.write("e.toml", kSwept);
    const std::size_t seeds = values.size() / 4;
    document_ = parse_document(
        document_text(claim_text(rest, kind),
                      "quick = { \"replicate.seeds\" = " + std::to_string(seeds) + " }\n"),
        folder_.file("claims.toml"));
    const Plan plan(document_.experiments[0], Scale::quick);
    records_.assign(plan.variants().size(), {});
    EXPECT_EQ(records_.size(), values.size());
    std::vector<const RunRecord*> runs;
    for (std::size_t i = 0; i < values.size(); ++i) {
      records_[i].result.add_scalar("efficiency", "", values[i].value);
      records_[i].result.scalars.back().half_width = values[i].half_width;
      records_[i].result.add_series("throughput", "", Time(0), microseconds(1),
                                    {1, std::nan(""), 3, 8});
      change_(records_[i]);
      runs.push_back(i == missing_ ? nullptr : &records_[i]);
    }
    return judge(document_.claims[0], plan, select(document_.claims[0], plan), runs);
  }

  DocumentFolder folder_;
  Document document_;
  std::vector<RunRecord> records_;
  std::size_t missing_ = SIZE_MAX;
  std::function<void(RunRecord&)> change_ = [](RunRecord&) {};
};

// Runs in the order of the plan: fifo 64, fifo 128, voq 64, voq 128 KiB.
const std::string kRatio = R"(measure = "a / b"
values.a = { metric = "efficiency", case = "fifo", where = { "buffer.ingress" = "64 KiB" } }
values.b = { metric = "efficiency", case = "voq", where = { "buffer.ingress" = "64 KiB" } })";

TEST_F(ClaimJudge, HoldsOrDiffers) {
  const std::vector<Run> values{{0.6}, {0.7}, {0.8}, {0.9}};
  const Judgement holds = judged("expect = { is = 0.75 }\n" + kRatio, values);
  EXPECT_EQ(holds.verdict, Verdict::holds);
  EXPECT_DOUBLE_EQ(holds.measured, 0.75);
  EXPECT_TRUE(std::isnan(holds.half_width));
  const Judgement differs = judged("expect = { above = 0.75 }\n" + kRatio, values);
  EXPECT_EQ(differs.verdict, Verdict::differs);
  EXPECT_EQ(differs.meeting, 0U);
}

TEST_F(ClaimJudge, OnlyWhatIsPublishedIsDecided) {
  const std::vector<Run> values{{0.6}, {0.7}, {0.8}, {0.9}};
  for (const char* kind : {"check", "calibration", "derivation", "completion", "choice"}) {
    EXPECT_EQ(judged("expect = { is = 1 }\n" + kRatio, values, kind).verdict, Verdict::noted);
    const Judgement met = judged("expect = { is = 0.75 }\n" + kRatio, values, kind);
    EXPECT_EQ(met.verdict, Verdict::noted);
    EXPECT_EQ(met.meeting, 1U);
  }
}

TEST_F(ClaimJudge, OneSeedPropagatesHalfWidths) {
  const Judgement out =
      judged("expect = { is = 0.75 }\n" + kRatio, {{0.6, 0.06}, {0.7}, {0.8, 0.008}, {0.9}});
  // d(a/b) = da / b and a db / b^2; central differences of 1/b are exact to (db / b)^2.
  EXPECT_NEAR(out.half_width, std::hypot(0.06 / 0.8, 0.6 * 0.008 / 0.64), 1e-5);
}

TEST_F(ClaimJudge, SeedsGiveStudentsInterval) {
  const std::vector<Run> values{{0.6}, {0.5}, {0.4}, {9}, {9}, {9},
                                {1.0}, {1.0}, {0.5}, {9}, {9}, {9}};
  const Judgement out =
      judged("expect = { is = 0.6 }\ntolerance = { absolute = 0.1 }\n" + kRatio, values);
  // 0.6, 0.5, 0.8: seed by seed, not the ratio of the means.
  const std::vector<double> ratios{0.6, 0.5, 0.8};
  const metrics::MeanInterval expected = metrics::mean_interval(ratios);
  EXPECT_DOUBLE_EQ(out.measured, expected.mean);
  EXPECT_DOUBLE_EQ(out.half_width, expected.half_width);
  EXPECT_EQ(out.verdict, Verdict::holds);
}

TEST_F(ClaimJudge, TheWorstRunMayCount) {
  const std::vector<Run> values{{0.6}, {0.5}, {0.4}, {9}, {9}, {9},
                                {1.0}, {1.0}, {0.5}, {9}, {9}, {9}};
  const auto at_most = [&](const char* over) {
    return judged(
        "expect = { at_most = 0.7 }\nover_seeds = \"" + std::string(over) + "\"\n" + kRatio,
        values);
  };
  EXPECT_EQ(at_most("mean").verdict, Verdict::holds);
  const Judgement most = at_most("max");
  EXPECT_EQ(most.verdict, Verdict::differs);
  EXPECT_DOUBLE_EQ(most.measured, 0.8);
  EXPECT_TRUE(std::isnan(most.half_width));
  EXPECT_DOUBLE_EQ(at_most("min").measured, 0.5);
}

TEST_F(ClaimJudge, AGridHoldsDependsOrDiffers) {
  const std::string rest =
      "grid = [\"buffer.ingress\"]\nvalues.a = { metric = \"efficiency\", case = "
      "\"voq\" }";
  const std::vector<Run> values{{0}, {0}, {0.8}, {0.9}};
  EXPECT_EQ(judged("expect = { above = 0.7 }\n" + rest, values).verdict, Verdict::holds);
  const Judgement depends = judged("expect = { above = 0.85 }\n" + rest, values);
  EXPECT_EQ(depends.verdict, Verdict::depends);
  EXPECT_EQ(depends.meeting, 1U);
  EXPECT_EQ(depends.points, 2U);
  EXPECT_DOUBLE_EQ(depends.lowest, 0.8);
  EXPECT_DOUBLE_EQ(depends.highest, 0.9);
  EXPECT_EQ(judged("expect = { above = 0.95 }\n" + rest, values).verdict, Verdict::differs);
}

TEST_F(ClaimJudge, BinsOfASeriesAreReduced) {
  const std::vector<Run> values(4);
  const auto measured = [&](const std::string& how) {
    return judged(
               "expect = { is = 1 }\nunit = \"Gbps\"\nvalues.a = { metric = \"throughput\", case = "
               "\"voq\", where = { \"buffer.ingress\" = \"64 KiB\" }, " +
                   how + " }",
               values)
        .measured;
  };
  EXPECT_DOUBLE_EQ(measured("from = \"0 us\""), 4);  // the empty bin does not count
  EXPECT_DOUBLE_EQ(measured("from = \"1 us\", to = \"3 us\""), 3);
  EXPECT_DOUBLE_EQ(measured("to = \"3500 ns\""), 2);  // the bin that 3.5 us cuts does not count
  EXPECT_DOUBLE_EQ(measured("from = \"0 us\", reduce = \"max\""), 8);
  EXPECT_DOUBLE_EQ(measured("from = \"0 us\", reduce = \"min\""), 1);
  EXPECT_DOUBLE_EQ(measured("to = \"3 us\", reduce = \"last\""), 3);
}

TEST_F(ClaimJudge, UnitsConvert) {
  const std::vector<Run> values{{0.6}, {0.7}, {0.8}, {0.9}};
  EXPECT_DOUBLE_EQ(
      judged("expect = { is = 3000 }\nunit = \"Mbps\"\nvalues.a = { metric = "
             "\"throughput\", case = \"voq\", where = { \"buffer.ingress\" = \"64 KiB\" "
             "}, from = \"2 us\", to = \"3 us\", unit = \"Mbps\" }",
             values)
          .measured,
      3000);
}

TEST_F(ClaimJudge, MissingRunsAndFailuresAreTold) {
  const std::vector<Run> values{{0.6}, {0.7}, {0.8}, {0.9}};
  missing_ = 2;
  EXPECT_EQ(judged("expect = { is = 1 }\n" + kRatio, values).verdict, Verdict::not_run);
  missing_ = 1;  // not one that the claim needs
  EXPECT_EQ(judged("expect = { is = 0.75 }\n" + kRatio, values).verdict, Verdict::holds);
  missing_ = SIZE_MAX;
  change_ = [](RunRecord& run) {
    run.status = "failed";
    run.error = "deadlock at s3";
  };
  const Judgement failed = judged("expect = { is = 1 }\n" + kRatio, values);
  EXPECT_EQ(failed.verdict, Verdict::failed);
  EXPECT_THAT(failed.reason, HasSubstr("deadlock at s3"));
}

TEST_F(ClaimJudge, WhatWasNotMeasuredIsAFailure) {
  const std::vector<Run> values{{0.6}, {0.7}, {0}, {0.9}};
  EXPECT_THAT(judged("expect = { is = 1 }\n" + kRatio, values).reason, HasSubstr("has no result"));
  change_ = [](RunRecord& run) {
    run.result.scalars.back().quality = metrics::Quality::not_stationary;
  };
  EXPECT_THAT(judged("expect = { is = 1 }\n" + kRatio, values).reason,
              HasSubstr("efficiency is not stationary"));
  change_ = [](RunRecord& run) { run.result.scalars.back().name.label = "cold"; };
  EXPECT_THAT(judged("expect = { is = 1 }\n" + kRatio, values).reason,
              HasSubstr("the run has no efficiency (the run has efficiency[cold])"));
}

}  // namespace
}  // namespace weir::experiment::claims
