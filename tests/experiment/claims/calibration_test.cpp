#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/claims/support.hpp"
#include "weir/experiment/claims/calibration.hpp"
#include "weir/report/table/calibration_text.hpp"
#include "weir/report/table/claims_text.hpp"

namespace weir::experiment::claims::calibration_test {
namespace {

using ::testing::HasSubstr;

std::string claim(const std::string& id, const std::string& axis) {
  std::string text = claim_text("expect = { is = 1 }\nreadings." + axis +
                                " = [\"x\", \"y\"]\nvalues.a = { metric = \"efficiency\", case = "
                                "\"{" +
                                axis + "}\" }\n");
  text.replace(text.find("C-1"), 3, id);
  return text;
}

std::string unknown(const std::string& name, const std::string& axis,
                    const std::string& adopted = "x", const std::string& more = "") {
  return "[[unknown]]\nname = \"" + name +
         "\"\nquestion = \"Which?\"\nallowed = \"Nobody says.\"\nbecause = \"it is first\"\naxes = "
         "[\"" +
         axis + "\"]\nvalues = [\"x\", \"y\"]\nadopted = \"" + adopted + "\"\n" + more;
}

Document document(const std::string& unknowns) {
  return parse_document(
      document_text(claim("A-1", "p") + claim("A-2", "p") + claim("A-3", "q") + claim("A-4", "r")) +
          unknowns,
      "/doc/claims.toml");
}

/// want x of p, A-3 y of q; A-4 has no unknown and depends on its reading.
Findings findings(const Document& document) {
  const auto line = [](const char* id, const char* axis, const char* verdicts) {
    return std::string(id) + ".quick = { verdict = \"depends\", measured = [1, 2], verdicts = \"" +
           verdicts + "\", draws = 5, axes = { " + axis + " = [\"x\", \"y\"] } }\n";
  };
  return parse_findings("[claim]\n" + line("A-1", "p", "hd") + line("A-2", "p", "hu") +
                            line("A-3", "q", "dh") + line("A-4", "r", "hd"),
                        "/doc/findings.toml", document);
}

TEST(Calibration, TheAdoptedValueDecidesAVerdictAndOthersStandBeside) {
  const Document open = document(unknown("P", "p"));
  const Findings found = findings(open);
  const auto verdict = [&](std::size_t i) {
    return found.find(open.claims[i], Scale::quick)->verdict;
  };
  EXPECT_EQ(verdict(0), Verdict::holds);
  EXPECT_EQ(verdict(1), Verdict::holds);
  EXPECT_EQ(verdict(2), Verdict::depends) << "no unknown of it";
  EXPECT_EQ(verdict(3), Verdict::depends);
  const Judgement& first = *found.find(open.claims[0], Scale::quick);
  EXPECT_EQ(report::measured_text(open.claims[0], first), "1");
  EXPECT_EQ(report::others_text(first), "with values that are not adopted 0 of 1 hold");
  EXPECT_EQ(report::combinations_text(first), "");
  EXPECT_THAT(to_toml(found, open), HasSubstr("A-1.quick = { verdict = \"holds\", measured = [1, "
                                              "2], verdicts = \"hd\""))
      << "every point stays in the record";
}

TEST(Calibration, AValueThatWasNotRunDecidesNothing) {
  const std::string text =
      "[claim]\nA-1.quick = { verdict = \"holds\", measured = [1], verdicts = \"h\", draws = 5, "
      "axes "
      "= { p = [\"x\"] } }\n";
  const Document other = document(unknown("P", "p", "y"));
  const Findings found = parse_findings(text, "/doc/findings.toml", other);
  const Judgement& first = *found.find(other.claims[0], Scale::quick);
  EXPECT_EQ(first.verdict, Verdict::undecided);
  EXPECT_THAT(first.reason, HasSubstr("not run with the adopted values"));
  // Once its value is adopted, nothing of that is left.
  const Document open = document(unknown("P", "p"));
  const Findings again = parse_findings(to_toml(found, other), "/doc/findings.toml", open);
  EXPECT_EQ(again.find(open.claims[0], Scale::quick)->verdict, Verdict::holds);
  EXPECT_EQ(again.find(open.claims[0], Scale::quick)->reason, "");
}

TEST(Calibration, EachPointOfTheGridIsScored) {
  const Document open = document(unknown("P", "p") + unknown("Q", "q"));
  const Calibration result = calibrate(open, findings(open));
  ASSERT_EQ(result.points.size(), 4U);
  EXPECT_EQ(result.adopted, 0U);
  // hold, A-3 differs, A-4 depends.
  EXPECT_EQ(result.adopted_point().all.holds, 2U);
  EXPECT_EQ(result.adopted_point().all.decided(), 4U);
  EXPECT_EQ(result.adopted_point().touched.decided(), 3U);
  EXPECT_DOUBLE_EQ(result.adopted_point().all.share(), 0.5);
  const CalibrationPoint& best =
      result.best([](const CalibrationPoint& point) { return point.all; });
  EXPECT_EQ(best.values, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(best.all.holds, 3U);
  const CalibrationPoint& worse = result.with(0, 1);
  EXPECT_EQ(worse.all.holds, 0U);
  EXPECT_EQ(worse.all.undecided, 1U);
  for (const CalibrationPoint& point : result.points) {
    const Score& a = point.halves[0];
    const Score& b = point.halves[1];
    EXPECT_EQ(a.holds + b.holds, point.all.holds);
    EXPECT_EQ(a.decided() + b.decided(), point.all.decided());
  }
  // P is an axis of; with y A-2 is undecided.
  EXPECT_EQ(worse.to_adopted.about, 2U);
  EXPECT_EQ(worse.to_adopted.measured, 2U);
  EXPECT_EQ(worse.to_adopted.claims, 1U);
  EXPECT_EQ(worse.to_adopted.holds, 0U);
  EXPECT_EQ(worse.to_adopted.adopted_holds, 1U);
  const std::string table = report::calibration_table(open, result, false);
  EXPECT_THAT(table, HasSubstr("2 of 4 (50 %)"));
  EXPECT_THAT(table, HasSubstr("0 and 1 of 1"));
  EXPECT_THAT(table, HasSubstr("the best one holds for 3 of 4 (75 %), with Q y"));
  const std::string section = report::calibration_section(open, result);
  EXPECT_THAT(section, HasSubstr("* **P**: Which? Nobody says. Adopted: it is first.\n"));
  EXPECT_THAT(report::calibration_json(open, result), HasSubstr("\"adopted\":\"x\""));
}

TEST(Calibration, ClaimsWithoutARecordAreMissing) {
  const Document open = document(unknown("P", "p"));
  const Findings one = parse_findings(
      "[claim]\nA-1.quick = { verdict = \"holds\", measured = [1, 2], verdicts = \"hd\", draws = "
      "5, "
      "axes = { p = [\"x\", \"y\"] } }\n",
      "/doc/findings.toml", open);
  const Calibration result = calibrate(open, one);
  EXPECT_EQ(result.adopted_point().all.holds, 1U);
  EXPECT_EQ(result.adopted_point().all.missing, 3U);
  EXPECT_EQ(calibrate(open, {}).adopted_point().all.missing, 4U);
}

TEST(Calibration, AnUnknownOfOneExperimentLeavesOthersAlone) {
  const std::string second =
      "[[experiment]]\nname = \"f\"\nfile = \"f.toml\"\npurpose = \"other\"\n";
  std::string elsewhere = claim("B-1", "p");
  elsewhere.replace(elsewhere.find("\"e\""), 3, "\"f\"");
  const Document open = parse_document(document_text(claim("A-1", "p") + elsewhere, second) +
                                           unknown("P", "p", "x", "experiments = [\"e\"]\n"),
                                       "/doc/claims.toml");
  EXPECT_EQ(open.claims[0].adopted.size(), 1U);
  EXPECT_TRUE(open.claims[1].adopted.empty());
}

TEST(Calibration, AClaimAloneMayHaveValuesAndAReadingOfItsOwn) {
  const auto choices = [](const std::string& unknowns) {
    const Document open = document(unknowns);
    const Findings found = findings(open);
    std::string text;
    for (const Claim& one : open.claims) {
      const OwnChoice own = own_choice(open, found, one);
      text += own.by_values ? 'v' : (own.by_readings ? 'r' : '-');
    }
    return text;
  };
  EXPECT_EQ(choices(unknown("P", "p") + unknown("Q", "q")), "vvvr")
      << "A-3 holds with y of Q, A-4 with one of its readings";
  EXPECT_EQ(choices(unknown("P", "p")), "vvrr");
  const Document closed = document("");
  const OwnChoice none = own_choice(closed, {}, closed.claims[0]);
  EXPECT_FALSE(none.by_values || none.by_readings) << "nothing is recorded";
}

TEST(Calibration, DocumentsWithoutUnknownsSaySo) {
  const Document closed = document("");
  const Calibration result = calibrate(closed, findings(closed));
  EXPECT_EQ(result.points.size(), 1U);
  EXPECT_EQ(report::calibration_section(closed, result), "");
  EXPECT_THAT(report::calibration_table(closed, result, false), HasSubstr("no [[unknown]]"));
}

TEST(Calibration, WrongUnknownsAreRefused) {
  const auto refused = [](const std::string& unknowns) {
    return refusal([&] { (void)document(unknowns); });
  };
  EXPECT_THAT(refused(unknown("P", "s")),
              HasSubstr("unknown[P].axes: no claim is measured along 's'"));
  EXPECT_THAT(refused(unknown("P", "p", "xx")), HasSubstr("adopted: 'xx' is none of the values"));
  EXPECT_THAT(refused(unknown("P", "p") + unknown("P", "q")),
              HasSubstr("two unknowns are called 'P'"));
  EXPECT_THAT(refused(unknown("P", "p", "x", "experiments = [\"g\"]\n")),
              HasSubstr("unknown[P].experiments: no experiment is called 'g'"));
  EXPECT_THAT(refused(unknown("P", "p", "x", "whi = 3\n")), HasSubstr("unknown key"));
  std::string one = unknown("P", "p");
  one.replace(one.find("[\"x\", \"y\"]"), 10, "[\"x\"]");
  EXPECT_THAT(refused(one), HasSubstr("two values or more"));
  std::string at = unknown("P", "p");
  at.replace(at.find("[\"x\", \"y\"]"), 10, "[{ name = \"x\", at = { pp = \"x\" } }, \"y\"]");
  EXPECT_THAT(refused(at), HasSubstr("values[0].at.pp: is none of the axes"));
  std::string text = unknown("P", "p");
  text.replace(text.find("[\"x\", \"y\"]"), 10, "[\"x\", \"yy\"]");
  EXPECT_THAT(refused(text), HasSubstr("unknown[P].values: no reading has 'yy' for 'p'"));
  std::string part = unknown("P", "p");
  part.replace(part.find("[\"p\"]"), 5, "[\"p\", \"q\"]");
  part.replace(part.find("[\"x\", \"y\"]"), 10, "[{ name = \"x\", at = { p = \"x\" } }, \"y\"]");
  EXPECT_THAT(refused(part), HasSubstr("at: must say the text at each of the axes"));
}

}  // namespace
}  // namespace weir::experiment::claims::calibration_test
