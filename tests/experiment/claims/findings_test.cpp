#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "experiment/claims/support.hpp"

namespace weir::experiment::claims::findings_test {
namespace {

using ::testing::HasSubstr;

Document document() {
  return parse_document(
      document_text(claim_text("expect = { is = 1 }\nvalues.a = { metric = \"efficiency\" }")),
      "/doc/claims.toml");
}

const std::string kText = R"(# Written by `weir reproduce --record`.

[run]
e.quick = { version = "0.1.0", commit = "1a2b3c4", date = "2026-11-23", draws = 5, cpu_seconds = 81.2, probe = "5f0c", stale = true }

[claim]
C-1.quick = { verdict = "depends", measured = [0.9, 0.96], verdicts = "hd", draws = 5, half_width = [0.0125, "none"], draws_needed = [0, 40], axes = { "scheme" = ["\"voqsw\"", "voq"] } }
C-1.full = { verdict = "failed", reason = "a run failed: deadlock" }
)";

TEST(ClaimFindings, ReadBackToThemselves) {
  const Findings first = parse_findings(kText, "f.toml", document());
  const Claim claim = document().claims[0];
  const Judgement* quick = first.find(claim, Scale::quick);
  ASSERT_NE(quick, nullptr);
  EXPECT_EQ(quick->verdict, Verdict::depends);
  ASSERT_EQ(quick->points.size(), 2U);
  EXPECT_EQ(to_string(quick->points[0].at), "scheme \"voqsw\"");
  EXPECT_EQ(quick->points[1].verdict, Verdict::differs);
  EXPECT_DOUBLE_EQ(quick->points[0].half_width, 0.0125);
  EXPECT_TRUE(std::isnan(quick->points[1].half_width));
  EXPECT_EQ(quick->points[1].draws_needed, 40U);
  EXPECT_EQ(first.find(claim, Scale::full)->reason, "a run failed: deadlock");
  EXPECT_EQ(first.find_run("e", Scale::quick)->commit, "1a2b3c4");
  EXPECT_TRUE(first.is_stale(claim, Scale::quick));
  EXPECT_TRUE(first.is_stale(claim, Scale::full));  // nobody knows where it is from
  EXPECT_EQ(to_toml(first, document()), kText);
}

TEST(ClaimFindings, CombinationsThatAreNoProductAreListed) {
  const std::string text =
      "# Written by `weir reproduce --record`.\n\n[run]\n\n[claim]\n"
      "C-1.quick = { verdict = \"holds\", measured = [1, 2], verdicts = \"hh\", at = [[\"a\", "
      "\"b.c\"], [\"1\", \"x\"], [\"2\", \"y\"]] }\n";
  const Findings findings = parse_findings(text, "f.toml", document());
  const Judgement* judgement = findings.find(document().claims[0], Scale::quick);
  EXPECT_EQ(to_string(judgement->points.at(1).at), "a 2, b.c y");
  EXPECT_EQ(to_toml(findings, document()), text);
}

TEST(ClaimFindings, RecordingKeepsTheOtherScale) {
  Findings findings = parse_findings(kText, "f.toml", document());
  Judgement now;
  now.verdict = Verdict::holds;
  now.points.emplace_back().measured = 1.00000049;
  now.points.back().verdict = Verdict::holds;
  record(findings, document().claims[0], Scale::quick, now);
  const std::string text = to_toml(findings, document());
  EXPECT_THAT(text, HasSubstr("verdict = \"failed\""));
  EXPECT_THAT(text, HasSubstr("C-1.quick = { verdict = \"holds\", measured = [1], verdicts = \"h\" "
                              "}\n"));  // six digits
  now = {};
  record(findings, document().claims[0], Scale::quick, now);
  EXPECT_EQ(findings.find(document().claims[0], Scale::quick)->verdict, Verdict::holds);
}

TEST(ClaimFindings, ALostClaimHeldBefore) {
  const Claim claim = document().claims[0];
  Findings findings;
  Judgement now;
  now.verdict = Verdict::differs;
  EXPECT_FALSE(is_lost(findings, claim, Scale::quick, now));
  findings.claims["C-1"].at(Scale::quick).emplace().verdict = Verdict::holds;
  EXPECT_TRUE(is_lost(findings, claim, Scale::quick, now));
  EXPECT_FALSE(is_lost(findings, claim, Scale::full, now));
  now.verdict = Verdict::undecided;
  EXPECT_TRUE(is_lost(findings, claim, Scale::quick, now));
  now.verdict = Verdict::not_run;
  EXPECT_FALSE(is_lost(findings, claim, Scale::quick, now));
  now.verdict = Verdict::holds;
  EXPECT_FALSE(is_lost(findings, claim, Scale::quick, now));
}

TEST(ClaimFindings, WrongOnesAreRefused) {
  const auto refused = [](const std::string& text) {
    return refusal([&] { (void)parse_findings(text, "f.toml", document()); });
  };
  EXPECT_THAT(refused("[claim]\nC-2.quick = {}\n"),
              HasSubstr("f.toml:2:1: claim.C-2: the document has no such claim (did you mean "
                        "'C-1'?)"));
  EXPECT_THAT(refused("[claim]\nC-1.quick = { verdict = \"hold\" }\n"),
              HasSubstr("claim.C-1.quick.verdict: 'hold' is no verdict (did you mean 'holds'?)"));
  EXPECT_THAT(refused("[claim]\nC-1.quik = {}\n"), HasSubstr("did you mean 'quick'?"));
  EXPECT_THAT(refused("[clam]\n"), HasSubstr("unknown section (did you mean 'claim'?)"));
  EXPECT_THAT(
      refused(
          "[claim]\nC-1.quick = { verdict = \"holds\", measured = [1, 2], verdicts = \"h\" }\n"),
      HasSubstr("another length"));
  EXPECT_THAT(
      refused("[claim]\nC-1.quick = { verdict = \"holds\", measured = [1], verdicts = \"x\" }\n"),
      HasSubstr("'x' is none of h, d, u"));
}

}  // namespace
}  // namespace weir::experiment::claims::findings_test
