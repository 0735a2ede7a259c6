#include "weir/report/table/claims_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "weir/report/page/reproduction_page.hpp"
#include "weir/report/table/claims_text.hpp"
#include "weir/report/table/text_table.hpp"

namespace weir::report {
namespace {

using experiment::claims::Document;
using experiment::claims::Findings;
using experiment::claims::Judgement;
using experiment::claims::PointJudgement;
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

std::string accepted(const std::string& expect) {
  return accepted_text(document(expect).claims.front());
}

PointJudgement point(Verdict verdict, double value, double half_width,
                     const std::string& load = "") {
  PointJudgement out;
  if (!load.empty()) out.at = {{"load", load}, {"switches", "two"}};
  out.verdict = verdict;
  out.measured = value;
  out.half_width = half_width;
  out.draws = 5;
  return out;
}

Judgement measured(Verdict verdict, double value, double half_width) {
  return {verdict, {point(verdict, value, half_width)}, ""};
}

Judgement mixed() {
  return {Verdict::depends,
          {point(Verdict::holds, 4, 0, "low"), point(Verdict::differs, 5, 0, "high")},
          ""};
}

TEST(ClaimsText, WhatIsPublishedAndWhatIsAcceptedStandApart) {
  const auto published = [](const std::string& expect) {
    return published_text(document(expect).claims.front());
  };
  const std::string why = "because = \"a figure\" }";
  EXPECT_EQ(published("expect = { is = 4 }"), "4 us");
  EXPECT_EQ(accepted("expect = { is = 4 }"), "");
  EXPECT_EQ(published("expect = { is = 4 }\ntolerance = { relative = 0.02, " + why), "4 us");
  EXPECT_EQ(accepted("expect = { is = 4 }\ntolerance = { relative = 0.02, " + why),
            "4 us ± 2 % (a figure)");
  EXPECT_EQ(accepted("expect = { is = 4 }\ntolerance = { absolute = 0.5, " + why),
            "4 ± 0.5 us (a figure)");
  EXPECT_EQ(accepted("expect = { is = 4 }\ntolerance = { factor = 2, " + why),
            "4 us within a factor of 2 (a figure)");
  EXPECT_EQ(published("expect = { at_least = 4 }"), "≥ 4 us");
  EXPECT_EQ(published("expect = { at_most = 4 }"), "≤ 4 us");
  EXPECT_EQ(published("expect = { above = 4 }"), "> 4 us");
  EXPECT_EQ(published("expect = { below = 4 }"), "< 4 us");
  EXPECT_EQ(published("expect = { between = [0.1, 4] }"), "0.1 to 4 us");
  EXPECT_EQ(published("expect = { above = 4 }\npublished = \"much more\""), "much more");
  EXPECT_EQ(accepted("expect = { above = 4 }\npublished = \"much more\""), "> 4 us");
}

TEST(ClaimsText, ManyCombinationsAreCountedByWhatMakesADifference) {
  Judgement many = mixed();
  for (int i = 0; i < 4; ++i) {
    many.points.push_back(many.points[0]);
    many.points.push_back(many.points[1]);
  }
  many.points[0].verdict = Verdict::undecided;
  EXPECT_EQ(combinations_text(many), "holds by load: low 4 of 5, high 0 of 5");
}

TEST(ClaimsText, UndecidedTellsHowManyDrawsWouldDecide) {
  Judgement open = measured(Verdict::undecided, 4, 1);
  EXPECT_EQ(draws_text(open), "");
  open.points[0].draws_needed = 13;
  EXPECT_EQ(draws_text(open), "about 13 draws would decide");
  open.points[0].draws_needed = 100'000;
  EXPECT_THAT(draws_text(open), HasSubstr("it lies on the limit"));
}

TEST(ClaimsTable, ALineAClaim) {
  const Document one = document("expect = { is = 4 }");
  const std::string table =
      claims_table({{&one.claims[0], measured(Verdict::differs, 5.25, 0.31), {}}}, 60);
  EXPECT_THAT(table, HasSubstr("5.25 ± 0.31 us  differs"));
  EXPECT_THAT(table, HasSubstr("C-1 differs: not yet explained"));
  EXPECT_THAT(table, Not(HasSubstr("other")));
  // The statement is broken; the other lines hold nothing else.
  EXPECT_THAT(table, HasSubstr("\n     "));
  const Document explained = document(
      "expect = { is = 4 }\nexplanation = \"one two three\\nfour five\"\ncause = \"unknown\"");
  const std::string at_length =
      claims_table({{&explained.claims[0], measured(Verdict::differs, 5.25, 0.31), {}}}, 30);
  EXPECT_THAT(at_length, HasSubstr("C-1 differs: one two three\n  four five\n"));
}

TEST(ClaimsTable, WhatDoesNotCountStandsApart) {
  const Document one = document("expect = { is = 4 }", "calibration");
  Judgement noted = measured(Verdict::noted, 5, 1);
  noted.points[0].verdict = Verdict::differs;
  const std::string table = claims_table({{&one.claims[0], noted, {}}}, 200);
  EXPECT_THAT(table, HasSubstr("4 us (calibration): not met"));
  std::istringstream narrow(claims_table({{&one.claims[0], noted, {}}}, 60));
  std::size_t count = 0;
  for (std::string line; std::getline(narrow, line); ++count) EXPECT_LE(display_width(line), 60U);
  EXPECT_GT(count, 4U) << "texts go on below";
}

TEST(ClaimsTable, CombinationsShowTheirRange) {
  const Document one = document("expect = { is = 4 }");
  Judgement both = mixed();
  EXPECT_EQ(measured_text(one.claims[0], both), "4 to 5 us");
  EXPECT_EQ(verdict_text(both), "depends (1 of 2 hold)");
  EXPECT_THAT(claims_table({{&one.claims[0], both, {}}}, 200),
              HasSubstr("holds at load low, switches two. differs at load high"));
  both.points[1].measured = 4;
  EXPECT_EQ(measured_text(one.claims[0], both), "4 us");
}

TEST(ReproductionPages, AreMadeOfDocumentsAndFindings) {
  Findings findings;
  auto& finding = findings.claims["C-1"];
  finding.at(Scale::quick) = mixed();
  finding.at(Scale::full) = measured(Verdict::holds, 4, 0.1);
  experiment::claims::Provenance run;
  run.version = "0.1.0";
  run.commit = "1a2b3c4";
  run.date = "2026-11-23";
  run.draws = 5;
  run.cpu_seconds = 12;
  run.length = "2 ms";
  findings.runs["e"].at(Scale::quick) = run;
  findings.runs["e"].at(Scale::full) = run;
  const auto make = [&] {
    return reproduction_pages(
        {{document("expect = { is = 4 }\nexplanation = \"Another clock.\"\nshown_by = [\"e\"]"),
          findings}});
  };
  auto pages = make();
  EXPECT_THAT(pages["README.md"],
              HasSubstr("| [d](d.md) | 1 | 1 (100 %) | 0 (0 %) | 0 (0 %) | 0 (0 %) | 0 | 0 | 0 | 0 "
                        "| 0 | 0 |"));
  EXPECT_THAT(pages["README.md"], HasSubstr("Of 1 decided statements 1 hold (100 %)"));
  EXPECT_THAT(pages["README.md"], Not(HasSubstr("contradicted by their own document")));
  EXPECT_THAT(pages["d.md"], HasSubstr("Of 1 statements 1 holds."));
  EXPECT_THAT(pages["d.md"], HasSubstr("| 4 us |  | 4 to 5 us: depends (1 of 2 hold) | 4.00 ± 0.10 "
                                       "us: holds |"));
  EXPECT_THAT(pages["d.md"], HasSubstr("narrow table \\| at all"));  // no column of its own
  EXPECT_THAT(pages["d.md"], HasSubstr("* C-1 (`weir reproduce d/C-1`): quick: holds at load low, "
                                       "switches two. differs at load high, switches two."));
  EXPECT_THAT(pages["d.md"],
              HasSubstr("| e | why | quick | 2 ms | 0.1.0 1a2b3c4 | 2026-11-23 | 5 | 12 s |"));
  // Once the full runs are stale, the quick ones count.
  findings.runs["e"].at(Scale::full)->is_stale = true;
  pages = make();
  EXPECT_THAT(pages["d.md"], HasSubstr("Of 1 statements 1 depends."));
  EXPECT_THAT(pages["d.md"], HasSubstr("4.00 ± 0.10 us: holds (stale) |"));
  EXPECT_THAT(pages["d.md"], HasSubstr("Another clock. Shown by `weir reproduce d/e`."));
}

TEST(ReproductionPages, BoundWhatAnyChoiceCouldGive) {
  Findings findings;
  findings.claims["C-1"].at(Scale::quick) = mixed();  // holds for one of its readings
  Document other = document("expect = { is = 3 }\ncontradicted_by = \"Table 2 has 5.\"");
  other.name = "o";
  Findings wrong;
  wrong.claims["C-1"].at(Scale::quick) = measured(Verdict::differs, 5, 0.1);
  const auto pages =
      reproduction_pages({{document("expect = { is = 4 }"), findings}, {other, wrong}});
  const std::string& text = pages.at("README.md");
  EXPECT_THAT(text, HasSubstr("| d | 1 | 0 (0 %) | 0 of 1 (0 %) | 0 (0 %) | 1 (100 %) |\n"
                              "| o | 1 | 0 (0 %) | 0 of 1 (0 %) | 0 (0 %) | 0 (0 %) |\n"
                              "| all | 2 | 0 (0 %) | 0 of 2 (0 %) | 0 (0 %) | 1 (50 %) |\n"
                              "| not contradicted | 1 | 0 (0 %) |  | 0 (0 %) | 1 (100 %) |\n"));
  EXPECT_THAT(text, HasSubstr("the values that were tried, 0 of 2 would hold (0 %), and with its "
                              "own choice among the readings besides 1 (50 %): no choice"));
  EXPECT_THAT(reproduction_pages({{document("expect = { is = 4 }"), {}}}).at("README.md"),
              Not(HasSubstr("How much could hold")))
      << "nothing is decided";
}

TEST(ReproductionPages, CountWhatADocumentContradictsApart) {
  Findings findings;
  findings.claims["C-1"].at(Scale::quick) = measured(Verdict::differs, 5, 0.1);
  const auto make = [&](const std::string& contradicted_by) {
    Document other = document("expect = { is = 3 }");
    other.name = "o";
    return reproduction_pages(
        {{document("expect = { is = 4 }\n" + contradicted_by), findings}, {other, findings}});
  };
  auto pages = make("contradicted_by = \"Table 2 has 5.\"");
  EXPECT_THAT(pages["README.md"],
              HasSubstr("Of 2 decided statements 0 hold (0 %), 2 differ and 0 depend.\n"
                        "1 of the decided ones is contradicted by their own document; of the other "
                        "1 0 hold (0 %).\n"));
  EXPECT_THAT(pages["README.md"],
              HasSubstr("| 1 | 0 (0 %) | 1 (100 %) | 0 (0 %) | 0 (0 %) | 0 | 1 | 1 | 0 | 0 | 0 |"));
  pages = make(
      "contradicted_by = \"Table 2 has 5.\"\nexplanation = \"So has the model.\"\n"
      "shown_by = [\"e\"]");
  EXPECT_THAT(pages["d.md"], HasSubstr(" Contradicted by the document: Table 2 has 5. So has the "
                                       "model. Shown by `weir reproduce d/e`."));
}

// Recorded with different unknowns: not every combination has every key.
TEST(ClaimsTable, CountsValuesOfCombinationsThatHaveThem) {
  Judgement judgement{Verdict::depends, {}, ""};
  for (int i = 0; i < 12; ++i) {
    PointJudgement one = point(i % 2 == 0 ? Verdict::holds : Verdict::differs, i, 0.1);
    one.at = {{"load", i % 2 == 0 ? "low" : "high"}};
    if (i >= 8) one.at.insert(one.at.begin(), {"slot", i == 8 ? "short" : "long"});
    one.decides = false;
    judgement.points.push_back(one);
  }
  const std::string text = others_text(judgement);
  EXPECT_THAT(text, HasSubstr("holds by load: low 6 of 6, high 0 of 6"));
  EXPECT_THAT(text, HasSubstr("holds by slot: short 1 of 1, long 1 of 3"));
}
}  // namespace
}  // namespace weir::report
