#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "claims_support.hpp"

namespace weir::experiment::claims {
namespace {

using ::testing::HasSubstr;

Document document() {
  return parse_document(
      document_text(claim_text("expect = { is = 1 }\nvalues.a = { metric = \"efficiency\" }")),
      "/doc/claims.toml");
}

const std::string kText = R"(
[C-1]
explanation = "two\nlines with \"quotes\""
[C-1.quick]
verdict = "depends"
measured = 0.93
half_width = 0.0125
lowest = 0.9
highest = 0.96
points = 4
meeting = 3
[C-1.full]
verdict = "failed"
reason = "a run failed: deadlock"
)";

TEST(ClaimFindings, ReadBackToThemselves) {
  const Findings first = parse_findings(kText, "f.toml", document());
  const Finding& finding = first.at("C-1");
  EXPECT_EQ(finding.explanation, "two\nlines with \"quotes\"");
  EXPECT_EQ(finding.quick->verdict, Verdict::depends);
  EXPECT_EQ(finding.quick->meeting, 3U);
  EXPECT_DOUBLE_EQ(finding.quick->highest, 0.96);
  EXPECT_EQ(finding.full->reason, "a run failed: deadlock");
  EXPECT_TRUE(std::isnan(finding.full->measured));
  const std::string text = to_toml(first, document());
  EXPECT_EQ(to_toml(parse_findings(text, "f.toml", document()), document()), text);
}

TEST(ClaimFindings, RecordingKeepsExplanationsAndTheOtherScale) {
  Findings findings = parse_findings(kText, "f.toml", document());
  Judgement now;
  now.verdict = Verdict::holds;
  now.measured = 1.00000049;
  now.meeting = 1;
  record(findings, document().claims[0], Scale::quick, now);
  const std::string text = to_toml(findings, document());
  EXPECT_THAT(text, HasSubstr("explanation = "));
  EXPECT_THAT(text, HasSubstr("verdict = \"failed\""));
  EXPECT_THAT(text, HasSubstr("verdict = \"holds\"\nmeasured = 1.0\n"));  // six digits
  now.verdict = Verdict::not_run;
  record(findings, document().claims[0], Scale::quick, now);
  EXPECT_EQ(findings.at("C-1").quick->verdict, Verdict::holds);
}

TEST(ClaimFindings, ALostClaimHeldBefore) {
  Finding finding;
  Judgement now;
  now.verdict = Verdict::differs;
  EXPECT_FALSE(is_lost(finding, Scale::quick, now));
  finding.quick.emplace().verdict = Verdict::holds;
  EXPECT_TRUE(is_lost(finding, Scale::quick, now));
  EXPECT_FALSE(is_lost(finding, Scale::full, now));
  now.verdict = Verdict::depends;
  EXPECT_TRUE(is_lost(finding, Scale::quick, now));
  now.verdict = Verdict::not_run;
  EXPECT_FALSE(is_lost(finding, Scale::quick, now));
  now.verdict = Verdict::holds;
  EXPECT_FALSE(is_lost(finding, Scale::quick, now));
}

TEST(ClaimFindings, WrongOnesAreRefused) {
  const auto refused = [](const std::string& text) {
    return refusal([&] { (void)parse_findings(text, "f.toml", document()); });
  };
  EXPECT_THAT(refused("[C-2]\n"), HasSubstr("f.toml:1:2: C-2: doc has no claim of this id (did you "
                                            "mean 'C-1'?)"));
  EXPECT_THAT(refused("[C-1.quick]\nverdict = \"hold\"\n"),
              HasSubstr("f.toml:2:11: C-1.quick.verdict: 'hold' is no verdict (did you mean "
                        "'holds'?)"));
  EXPECT_THAT(refused("[C-1]\nexplanaton = \"x\"\n"), HasSubstr("unknown key"));
}

}  // namespace
}  // namespace weir::experiment::claims
