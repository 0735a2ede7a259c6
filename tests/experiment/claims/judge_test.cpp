#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "experiment/claims/support.hpp"
#include "weir/experiment/claims/judge.hpp"
#include "weir/metrics/student_t.hpp"

namespace weir::experiment::claims {
namespace {

using ::testing::HasSubstr;

bool meets(const std::string& expect, double measured, const std::string& tolerance = "{}") {
  return claim_of("expect = " + expect + "\ntolerance = " + tolerance +
                      "\nvalues.a = { metric = \"efficiency\" }",
                  "check")
      .expected()
      .accepted()
      .contains(measured);
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
  EXPECT_TRUE(meets("{ is = 10 }", 5, "{ factor = 2 }"));
  EXPECT_FALSE(meets("{ is = 10 }", 20.1, "{ factor = 2 }"));
}

TEST(ClaimExpectation, AnIntervalIsInsideApartOrAcross) {
  const auto range = [](const std::string& expect) {
    return claim_of("expect = " + expect + "\nvalues.a = { metric = \"efficiency\" }")
        .expected()
        .accepted();
  };
  EXPECT_TRUE(range("{ above = 2 }").is_apart_from(1, 2));  // the limit itself does not do
  EXPECT_FALSE(range("{ at_least = 2 }").is_apart_from(1, 2));
  EXPECT_TRUE(range("{ between = [1, 2] }").is_apart_from(2.1, 3));
  EXPECT_FALSE(range("{ between = [1, 2] }").is_apart_from(0, 3));
  EXPECT_DOUBLE_EQ(range("{ between = [1, 2] }").distance(1.9), 2 * (1 + 1e-9) - 1.9);
}

/// Judges a claim over kSwept, whose runs have the efficiency that `value` gives each.
class ClaimJudge : public ::testing::Test {
 protected:
  struct Run {
    double value;
    double half_width = std::nan("");
  };

  /// One draw is enough unless the claim has several.
  Judgement judged(const std::string& rest, const std::vector<Run>& values,
                   const std::string& kind = "published") {
    folder_.write("e.toml", kSwept);
    const std::size_t seeds = values.size() / 4;
    document_ =
        parse_document(document_text(claim_text(rest, kind),
                                     "quick = { \"replicate.seeds\" = " + std::to_string(seeds) +
                                         " }\n" + (seeds == 1 ? one_draw_ : "")),
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

  /// Five draws of the points whose ratio kRatio is.
  static std::vector<Run> draws(const std::vector<double>& fifo, const std::vector<double>& voq) {
    std::vector<Run> all;
    const std::vector<double> unused(fifo.size(), 9);
    for (const auto& values : {fifo, unused, voq, unused}) {
      for (const double value : values) all.push_back({value});
    }
    return all;
  }

  DocumentFolder folder_;
  Document document_;
  std::vector<RunRecord> records_;
  std::string one_draw_ = "one_draw = \"a test\"\n";
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
  ASSERT_EQ(holds.points.size(), 1U);
  EXPECT_DOUBLE_EQ(holds.points[0].measured, 0.75);
  EXPECT_TRUE(std::isnan(holds.points[0].half_width));
  const Judgement differs = judged("expect = { above = 0.75 }\n" + kRatio, values);
  EXPECT_EQ(differs.verdict, Verdict::differs);
  EXPECT_EQ(differs.count(Verdict::holds), 0U);
}

TEST_F(ClaimJudge, OnlyWhatIsPublishedIsDecided) {
  const std::vector<Run> values{{0.6}, {0.7}, {0.8}, {0.9}};
  for (const char* kind :
       {"circular", "check", "calibration", "derivation", "completion", "choice"}) {
    EXPECT_EQ(judged("expect = { is = 1 }\n" + kRatio, values, kind).verdict, Verdict::noted);
    const Judgement met = judged("expect = { is = 0.75 }\n" + kRatio, values, kind);
    EXPECT_EQ(met.verdict, Verdict::noted);
    EXPECT_EQ(met.count(Verdict::holds), 1U);
  }
}

TEST_F(ClaimJudge, OneSeedPropagatesHalfWidths) {
  const Judgement out =
      judged("expect = { is = 0.75 }\n" + kRatio, {{0.6, 0.06}, {0.7}, {0.8, 0.008}, {0.9}});
  // d(a/b) = da / b and a db / b^2; central differences of 1/b are exact to (db / b)^2.
  EXPECT_NEAR(out.points.at(0).half_width, std::hypot(0.06 / 0.8, 0.6 * 0.008 / 0.64), 1e-5);
}

TEST_F(ClaimJudge, SeedsGiveStudentsInterval) {
  const Judgement out = judged(
      "expect = { is = 0.6 }\ntolerance = { absolute = 0.2, because = \"a figure\" }\n" + kRatio,
      draws({0.6, 0.5, 0.4, 0.6, 0.5}, {1.0, 1.0, 0.5, 1.0, 1.0}));
  // Seed by seed, not the ratio of the means.
  const std::vector<double> ratios{0.6, 0.5, 0.8, 0.6, 0.5};
  const metrics::MeanInterval expected = metrics::mean_interval(ratios);
  ASSERT_EQ(out.points.size(), 1U);
  EXPECT_DOUBLE_EQ(out.points[0].measured, expected.mean);
  EXPECT_DOUBLE_EQ(out.points[0].half_width, expected.half_width);
  EXPECT_EQ(out.points[0].draws, 5U);
  EXPECT_EQ(out.verdict, Verdict::holds);
}

TEST_F(ClaimJudge, AnIntervalAcrossTheLimitIsUndecided) {
  const auto at = [&](const std::string& expect) {
    return judged("expect = " + expect + "\n" + kRatio,
                  draws({0.9, 1.0, 1.1, 1.2, 1.3}, {1, 1, 1, 1, 1}));
  };
  EXPECT_EQ(at("{ above = 0.8 }").verdict, Verdict::holds);
  EXPECT_EQ(at("{ above = 1.4 }").verdict, Verdict::differs);
  const Judgement open = at("{ above = 1 }");  // 1.1 +- 0.196
  EXPECT_EQ(open.verdict, Verdict::undecided);
  // t(12) 0.158 / sqrt(13) = 0.0955 < 0.1 <= t(11) 0.158 / sqrt(12) = 0.1005
  EXPECT_EQ(open.points.at(0).draws_needed, 13U);
  EXPECT_EQ(at("{ is = 1.1 }").verdict, Verdict::undecided);  // a number without tolerance
}

TEST_F(ClaimJudge, FewDrawsDecideNothing) {
  one_draw_ = "";
  const Judgement one = judged("expect = { above = 0.1 }\n" + kRatio, {{0.6}, {0.7}, {0.8}, {0.9}});
  EXPECT_EQ(one.verdict, Verdict::undecided);
  EXPECT_EQ(one.points.at(0).draws_needed, kLeastDraws);
  const Judgement two = judged("expect = { above = 0.1 }\n" + kRatio,
                               {{0.6}, {0.6}, {0}, {0}, {0.8}, {0.8}, {0}, {0}});
  EXPECT_EQ(two.verdict, Verdict::undecided);
  one_draw_ = "one_draw = \"the batch means of a long run\"\n";
  EXPECT_EQ(judged("expect = { above = 0.75 }\n" + kRatio, {{0.6, 0.06}, {0}, {0.8}, {0}}).verdict,
            Verdict::undecided);  // its interval counts
  EXPECT_EQ(judged("expect = { above = 0.5 }\n" + kRatio, {{0.6, 0.06}, {0}, {0.8}, {0}}).verdict,
            Verdict::holds);
}

TEST_F(ClaimJudge, TheWorstRunMayCount) {
  const auto at_most = [&](const char* over) {
    return judged(
        "expect = { at_most = 0.7 }\nover_seeds = \"" + std::string(over) + "\"\n" + kRatio,
        draws({0.5, 0.5, 0.4, 0.5, 0.5}, {1.0, 1.0, 0.5, 1.0, 1.0}));
  };
  EXPECT_EQ(at_most("mean").verdict, Verdict::undecided);
  const Judgement most = at_most("max");
  EXPECT_EQ(most.verdict, Verdict::differs);
  EXPECT_DOUBLE_EQ(most.points.at(0).measured, 0.8);
  EXPECT_TRUE(std::isnan(most.points.at(0).half_width));
  EXPECT_DOUBLE_EQ(at_most("min").points.at(0).measured, 0.5);
}

TEST_F(ClaimJudge, ADocumentMayDivideMeans) {
  // Ratios 1/2, 1/4, 1/6, ... whose mean is above the ratio of the means, 1/6.
  const std::vector<double> a{1, 1, 1, 1, 1};
  const std::vector<double> b{2, 4, 6, 8, 10};
  const auto by = [&](const std::string& over) {
    return judged("expect = { above = 0 }\nover_seeds = \"" + over + "\"\n" + kRatio, draws(a, b))
        .points.at(0);
  };
  EXPECT_NEAR(by("mean").measured, (1. / 2 + 1. / 4 + 1. / 6 + 1. / 8 + 1. / 10) / 5, 1e-12);
  EXPECT_NEAR(by("of-means").measured, 1. / 6, 1e-12);
  // Jackknife: pseudo-values 5/6 - 4 * 4/(30 - b).
  double mean = 0;
  double squares = 0;
  for (const double left_out : b) {
    const double pseudo = 5. / 6 - 4 * 4 / (30 - left_out);
    mean += pseudo / 5;
    squares += pseudo * pseudo;
  }
  const double deviation = std::sqrt((squares - 5 * mean * mean) / 4);
  EXPECT_NEAR(by("of-means").half_width, metrics::student_t(0.95, 4) * deviation / std::sqrt(5.),
              1e-9);
}

TEST_F(ClaimJudge, CombinationsHoldDependOrDiffer) {
  const std::string rest =
      "grid = [\"buffer.ingress\"]\nvalues.a = { metric = \"efficiency\", case = "
      "\"voq\" }";
  const std::vector<Run> values{{0}, {0}, {0.8}, {0.9}};
  EXPECT_EQ(judged("expect = { above = 0.7 }\n" + rest, values).verdict, Verdict::holds);
  const Judgement depends = judged("expect = { above = 0.85 }\n" + rest, values);
  EXPECT_EQ(depends.verdict, Verdict::depends);
  EXPECT_EQ(depends.count(Verdict::holds), 1U);
  ASSERT_EQ(depends.points.size(), 2U);
  EXPECT_EQ(to_string(depends.points[1].at), "buffer.ingress 128 KiB");
  EXPECT_DOUBLE_EQ(depends.lowest(), 0.8);
  EXPECT_DOUBLE_EQ(depends.highest(), 0.9);
  EXPECT_EQ(judged("expect = { above = 0.95 }\n" + rest, values).verdict, Verdict::differs);
  // Readings with numbers of their own.
  const Judgement both = judged(
      "expect = { is = 0.8 }\nreadings = [{ case = \"fifo\", value = 0 }, { case = \"voq\" }]\n"
      "values.a = { metric = \"efficiency\", case = \"{case}\", where = { \"buffer.ingress\" = "
      "\"64 KiB\" } }",
      values);
  EXPECT_EQ(both.verdict, Verdict::holds);
  EXPECT_EQ(to_string(both.points.at(1).at), "case voq");
}

TEST(ClaimVerdict, OfCombinations) {
  const auto of = [](std::initializer_list<Verdict> verdicts) {
    std::vector<PointJudgement> points;
    for (const Verdict verdict : verdicts) points.emplace_back().verdict = verdict;
    return verdict_of(points);
  };
  using enum Verdict;
  EXPECT_EQ(of({holds, holds}), holds);
  EXPECT_EQ(of({differs}), differs);
  EXPECT_EQ(of({holds, undecided}), undecided);
  EXPECT_EQ(of({differs, undecided}), undecided);
  EXPECT_EQ(of({holds, undecided, differs}), depends);
}

TEST_F(ClaimJudge, WhereNothingHappenedANumberMayStand) {
  const std::vector<Run> values{{std::nan("")}, {0}, {0}, {0}};
  const std::string value =
      "values.a = { metric = \"efficiency\", case = \"fifo\", where = { \"buffer.ingress\" = \"64 "
      "KiB\" }";
  EXPECT_EQ(judged("expect = { is = 0 }\n" + value + " }", values).verdict, Verdict::failed);
  EXPECT_EQ(judged("expect = { is = 0 }\n" + value + ", or = 0 }", values).verdict, Verdict::holds);
}

TEST_F(ClaimJudge, BinsOfASeriesAreReduced) {
  const std::vector<Run> values(4);
  const auto measured = [&](const std::string& how) {
    return judged(
               "expect = { is = 1 }\nunit = \"Gbps\"\nvalues.a = { metric = \"throughput\", case = "
               "\"voq\", where = { \"buffer.ingress\" = \"64 KiB\" }, " +
                   how + " }",
               values)
        .points.at(0)
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
          .points.at(0)
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
