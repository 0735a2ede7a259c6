#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/claims/support.hpp"
#include "weir/experiment/claims/alternatives.hpp"
#include "weir/experiment/claims/calibration.hpp"
#include "weir/experiment/claims/plan.hpp"
#include "weir/report/table/calibration_text.hpp"
#include "weir/report/table/claims_text.hpp"

namespace weir::experiment::claims {
namespace {

using ::testing::HasSubstr;

const std::string kMemory = R"([[unknown]]
name = "memory of a port"
question = "How much?"
allowed = "Nobody says."
because = "it is first"
experiments = ["e"]
values = ["64 KiB", { name = "1 MiB", changes = [{ where = { "buffer.ingress" = ["64 KiB"] }, set = { "buffer.ingress" = "1 MiB" } }] }]
adopted = "64 KiB"
)";

const std::string kOther = R"([[experiment]]
name = "f"
file = "e.toml"
purpose = "not concerned"
)";

std::string claims() {
  std::string elsewhere =
      claim_text("expect = { is = 1 }\nvalues.a = { metric = \"efficiency\", case = \"voq\" }\n");
  std::string there = elsewhere;
  elsewhere.replace(elsewhere.find("C-1"), 3, "F-1");
  elsewhere.replace(elsewhere.find("\"e\""), 3, "\"f\"");
  there.replace(there.find("C-1"), 3, "E-1");
  return there + elsewhere;
}

Document document(const std::string& unknowns = kMemory) {
  return parse_document(document_text(claims(), kOther) + unknowns, "/doc/claims.toml");
}

std::string line(const std::string& id, const std::string& verdict) {
  return id + ".quick = { verdict = \"" + verdict + "\", measured = [1], verdicts = \"" +
         verdict.front() + "\", draws = 5 }\n";
}

/// Adopted: E-1 differs, F-1 holds. With more memory E-1 holds.
Findings findings(const Document& open) {
  Findings all = parse_findings("[claim]\n" + line("E-1", "differs") + line("F-1", "holds"),
                                "/doc/findings.toml", open);
  all.alternatives.push_back(
      parse_findings("[with]\n\"memory of a port\" = \"1 MiB\"\n[claim]\n" + line("E-1", "holds"),
                     "/doc/findings.memory-of-a-port-1-mib.toml", open));
  return all;
}

TEST(Alternatives, AValueChangesTheRunsThatItIsAbout) {
  const DocumentFolder folder;
  folder.write("e.toml", kSwept);
  folder.write("claims.toml", document_text(claims(), kOther) + kMemory);
  const Document open = read_document(folder.root() + "/doc");
  const Combination choice = read_choice(open, {"memory of a port=1 MiB"});
  const Plan before(open.experiments[0], Scale::quick);
  const Plan after(open.experiments[0], Scale::quick, changes_of(open, choice));
  ASSERT_EQ(after.points().size(), 4U);
  std::vector<std::string> memory;
  for (const Plan::Point& point : after.points()) {
    memory.push_back(find_value(point.resolved, "buffer.ingress")->text());
  }
  EXPECT_THAT(memory, ::testing::ElementsAre("1 MiB", "128 KiB", "1 MiB", "128 KiB"));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(before.points()[i].settings, after.points()[i].settings)
        << "claims select by what the file says";
  }
}

TEST(Alternatives, AValueThatChangesNoRunIsRefused) {
  const DocumentFolder folder;
  folder.write("e.toml", kSmall);  // 128 KiB and more
  std::string unknown = kMemory;
  unknown.replace(unknown.find("[\"64 KiB\"]"), 10, "\"3 KiB\"");
  folder.write("claims.toml", document_text(claims(), kOther) + unknown);
  const Document open = read_document(folder.root() + "/doc");
  const std::vector<Change> changes =
      changes_of(open, read_choice(open, {"memory of a port=1 MiB"}));
  EXPECT_THAT(refusal([&] { (void)Plan(open.experiments[0], Scale::quick, changes); }),
              HasSubstr("experiment[e]: none of its runs is one that the values of the unknown"));
}

TEST(Alternatives, WhatWasRecordedWithOtherValuesStandsBesideAndIsScored) {
  const Document open = document();
  const Findings found = findings(open);
  const Judgement all = with_alternatives(open, found, open.claims[0]);
  ASSERT_EQ(all.points.size(), 2U);
  EXPECT_TRUE(all.points[0].decides);
  EXPECT_FALSE(all.points[1].decides);
  EXPECT_EQ(all.points[1].at, (Combination{{"memory of a port", "1 MiB"}}));
  EXPECT_EQ(all.verdict, Verdict::differs) << "only the adopted value decides";
  EXPECT_EQ(report::others_text(all), "with values that are not adopted 1 of 1 hold");

  const Calibration result = calibrate(open, found);
  EXPECT_EQ(result.adopted_point().all.holds, 1U);
  EXPECT_EQ(result.with(0, 1).all.holds, 2U) << "F-1 is not concerned and stays";
  EXPECT_EQ(result.with(0, 1).touched.decided(), 1U);
  EXPECT_EQ(result.with(0, 1).to_adopted.claims, 1U);
}

TEST(Alternatives, ARecordOfAnExperimentThatIsNotConcernedAnyMoreIsLeftOut) {
  const Document open = document();
  Findings found = findings(open);
  found.alternatives.push_back(
      parse_findings("[with]\n\"memory of a port\" = \"1 MiB\"\n[claim]\n" + line("F-1", "differs"),
                     "/doc/findings.memory-of-a-port-1-mib.toml", open));
  EXPECT_EQ(with_alternatives(open, found, open.claims[1]).points.size(), 1U);
  EXPECT_EQ(calibrate(open, found).adopted_point().all.holds, 1U) << "F-1 holds as adopted";
}

TEST(Alternatives, WhatWasNotRecordedIsMissing) {
  const Document open = document();
  Findings found = findings(open);
  found.alternatives.clear();
  const Calibration result = calibrate(open, found);
  EXPECT_EQ(result.with(0, 1).all.missing, 1U);
  EXPECT_EQ(result.with(0, 1).to_adopted.about, 1U);
  EXPECT_EQ(result.with(0, 1).to_adopted.measured, 0U);
  EXPECT_THAT(report::calibration_table(open, result, false), HasSubstr("not run"));
}

TEST(Alternatives, FindingsSayWithWhichValuesTheyWereMade) {
  const Document open = document();
  const Findings found = findings(open);
  const std::string text = to_toml(found.alternatives[0], open);
  EXPECT_THAT(text, HasSubstr("[with]\n\"memory of a port\" = \"1 MiB\"\n"));
  EXPECT_EQ(parse_findings(text, "f.toml", open).values, found.alternatives[0].values);
  EXPECT_THAT(to_toml(found, open), ::testing::Not(HasSubstr("with")));
  EXPECT_EQ(findings_file({}), "findings.toml");
  EXPECT_EQ(findings_file(found.alternatives[0].values), "findings.memory-of-a-port-1-mib.toml");
  EXPECT_THAT(refusal([&] {
                (void)parse_findings("[with]\n\"memory of a port\" = \"2 MiB\"\n", "f.toml", open);
              }),
              HasSubstr("'2 MiB' is no value of 'memory of a port'"));
}

TEST(Alternatives, WrongChoicesAreRefused) {
  const Document open = document();
  const auto refused = [&](const std::vector<std::string>& texts) {
    return refusal([&] { (void)read_choice(open, texts); });
  };
  EXPECT_THAT(refused({"memory"}), HasSubstr("must be UNKNOWN=VALUE"));
  EXPECT_THAT(refused({"memory of port=1 MiB"}), HasSubstr("did you mean 'memory of a port'?"));
  EXPECT_THAT(refused({"memory of a port=2 MiB"}), HasSubstr("did you mean '1 MiB'?"));
  EXPECT_THAT(refused({"memory of a port=64 KiB"}), HasSubstr("is the adopted value"));
  EXPECT_THAT(refused({"memory of a port=1 MiB", "memory of a port=1 MiB"}),
              HasSubstr("has two values"));
  EXPECT_THAT(refusal([&] { (void)read_choice(document(""), {"a=b"}); }),
              HasSubstr("has no unknown whose values change runs"));
  EXPECT_TRUE(concerns(open, {{"memory of a port", "1 MiB"}}, "e"));
  EXPECT_FALSE(concerns(open, {{"memory of a port", "1 MiB"}}, "f"));
}

TEST(Alternatives, WrongChangesAreRefused) {
  const auto refused = [](const std::string& from, const std::string& to) {
    std::string unknown = kMemory;
    unknown.replace(unknown.find(from), from.size(), to);
    return refusal([&] { (void)document(unknown); });
  };
  EXPECT_THAT(refused("experiments = [\"e\"]", ""), HasSubstr("`experiments` must say"));
  EXPECT_THAT(refused("adopted = \"64 KiB\"", "adopted = \"1 MiB\""),
              HasSubstr("the experiment files must have what is adopted"));
  EXPECT_THAT(refused("[\"64 KiB\", {", "[\"64 KiB\", \"2 KiB\", {"),
              HasSubstr("'2 KiB' has neither axes nor changes"));
  EXPECT_THAT(refused("set = { \"buffer.ingress\" = \"1 MiB\" }", "set = {}"),
              HasSubstr("changes[0].set: is empty"));
  EXPECT_THAT(refused("[{ where", "[{ when = 1, where"), HasSubstr("unknown key"));
  EXPECT_THAT(refused("name = \"memory of a port\"", "name = \"memory of a port\"\naxes = [\"p\"]"),
              HasSubstr("is for an unknown without `axes`"));
}

}  // namespace
}  // namespace weir::experiment::claims
