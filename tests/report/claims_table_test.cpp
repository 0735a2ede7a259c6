#include "weir/report/claims_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weir/report/reproduction_page.hpp"

namespace weir::report {
namespace {

using experiment::claims::Document;
using experiment::claims::Findings;
using experiment::claims::Judgement;
using experiment::claims::Scale;
using experiment::claims::Verdict;
using ::testing::HasSubstr;
using ::testing::Not;

Document document(const std::string& expect, const std::string& kind = "published") {
  return experiment::claims::parse_document(
      "[document]\nname = \"d\"\ntitle = \"about\"\n[[experiment]]\nname = \"e\"\nfile = "
      "\"e.toml\"\npurpose = \"why\"\n[[claim]]\nid = \"C-1\"\nexperiment = \"e\"\nstatement = "
      "\"a long statement that does not fit into one line of a narrow table | at all\"\n"
      "source = \"p. 1\"\nkind = \"" +
          kind + "\"\n" + expect + "\nunit = \"us\"\n" +
          "values.a = { metric = \"latency_mean\", unit = \"us\" }\n",
      "/d/claims.toml");
}

std::string expected(const std::string& expect) {
  return expected_text(document(expect).claims.front());
}

Judgement measured(Verdict verdict, double value, double half_width) {
  Judgement out;
  out.verdict = verdict;
  out.measured = out.lowest = out.highest = value;
  out.half_width = half_width;
  out.meeting = verdict == Verdict::holds ? 1 : 0;
  return out;
}

TEST(ClaimsTable, ExpectationsAreWrittenOut) {
  EXPECT_EQ(expected("expect = { is = 4 }"), "4 us");
  EXPECT_EQ(expected("expect = { is = 4 }\ntolerance = { relative = 0.02 }"), "4 us ± 2 %");
  EXPECT_EQ(expected("expect = { is = 4 }\ntolerance = { relative = 0.001 }"), "4 us ± 0.1 %");
  EXPECT_EQ(expected("expect = { at_least = 4 }\ntolerance = { absolute = 0.5 }"), "≥ 4 ± 0.5 us");
  EXPECT_EQ(expected("expect = { at_most = 4 }"), "≤ 4 us");
  EXPECT_EQ(expected("expect = { above = 4 }"), "> 4 us");
  EXPECT_EQ(expected("expect = { below = 4 }"), "< 4 us");
  EXPECT_EQ(expected("expect = { between = [0.1, 4] }"), "0.1 to 4 us");
}

TEST(ClaimsTable, ALineAClaim) {
  const Document one = document("expect = { is = 4 }");
  const std::string table =
      claims_table({{&one.claims[0], measured(Verdict::differs, 5.25, 0.31), "", {}}}, 60);
  EXPECT_THAT(table, HasSubstr("5.25 ± 0.31 us  differs"));
  EXPECT_THAT(table, HasSubstr("C-1 differs: not yet explained"));
  EXPECT_THAT(table, Not(HasSubstr("other")));
  // The statement is broken; the other lines hold nothing else.
  EXPECT_THAT(table, HasSubstr("\n     "));
  const std::string explained =
      claims_table({{&one.claims[0], measured(Verdict::differs, 5.25, 0.31), "slow", {}}}, 60);
  EXPECT_THAT(explained, HasSubstr("C-1 differs: slow"));
  const std::string at_length = claims_table(
      {{&one.claims[0], measured(Verdict::differs, 5.25, 0.31), "one two three\nfour five", {}}},
      30);
  EXPECT_THAT(at_length, HasSubstr("C-1 differs: one two three\n  four five\n"));
}

TEST(ClaimsTable, WhatIsNotPublishedStandsApart) {
  const Document one = document("expect = { is = 4 }", "calibration");
  const std::string table =
      claims_table({{&one.claims[0], measured(Verdict::noted, 5, 1), "", {}}}, 200);
  EXPECT_THAT(table, HasSubstr("4 us (calibration): not met"));
  EXPECT_THAT(table, Not(HasSubstr("differs")));
}

TEST(ClaimsTable, AGridShowsItsRange) {
  const Document one = document("expect = { is = 4 }");
  Judgement grid = measured(Verdict::depends, 4.5, 0);
  grid.lowest = 4;
  grid.highest = 5;
  grid.points = 2;
  grid.meeting = 1;
  EXPECT_EQ(measured_text(one.claims[0], grid), "4 to 5 us");
  EXPECT_EQ(verdict_text(grid), "depends (1 of 2)");
  grid.highest = 4;
  EXPECT_EQ(measured_text(one.claims[0], grid), "4 us");
}

TEST(ReproductionPage, IsMadeOfDocumentsAndFindings) {
  Findings findings;
  findings["C-1"].explanation = "Another clock.";
  findings["C-1"].quick = measured(Verdict::differs, 5.25, 0.31);
  findings["C-1"].full = measured(Verdict::holds, 4, 0.1);
  const std::string page = reproduction_page(
      {{document("expect = { is = 4 }"), findings}, {document("expect = { is = 4 }"), {}}});
  EXPECT_THAT(page, HasSubstr("| quick | 5.25 ± 0.31 us | differs |"));
  EXPECT_THAT(page, HasSubstr("| full | 4.00 ± 0.10 us | holds |"));
  EXPECT_THAT(page, HasSubstr("narrow table \\| at all"));  // no column of its own
  EXPECT_THAT(page, HasSubstr("* C-1: Another clock."));
  EXPECT_THAT(page, HasSubstr("| [d](#d) | about | 1 holds |"));
  EXPECT_THAT(page, HasSubstr("| [d](#d) | about | 1 not run |"));
}

}  // namespace
}  // namespace weir::report
