#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/claims/support.hpp"
#include "weir/experiment/claims/plan.hpp"
#include "weir/report/table/assumptions_text.hpp"

namespace weir::experiment::claims {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string refusal_of(const std::string& text) {
  return refusal([&] { (void)parse_document(text, "/doc/claims.toml"); });
}

std::string refusal_of_claim(const std::string& rest) {
  return refusal_of(document_text(claim_text(rest)));
}

TEST(ClaimDocument, IsRead) {
  const Document document = parse_document(
      document_text(claim_text(R"(expect = { at_least = 2 }
tolerance = { absolute = 0.5 }
unit = "us"
measure = "a - b"
values.a = { metric = "latency_mean[cold]", case = "x", from = "1 us", to = "2 us", reduce = "max", unit = "us" }
values.b = { metric = "latency_p99", where = { "queueing.model" = "dbbm" }, unit = "us" }
grid = ["switch.speedup"]
scales = ["full"])",
                               "derivation"),
                    "quick = { \"experiment.duration\" = \"1 us\", queueing = \"dbbm\" }\n"),
      "/doc/claims.toml");
  ASSERT_EQ(document.claims.size(), 1U);
  const Claim& claim = document.claims[0];
  EXPECT_EQ(claim.kind, ClaimKind::derivation);
  EXPECT_EQ(claim.expected().form, Expectation::Form::at_least);
  EXPECT_EQ(claim.expected().absolute, 0.5);
  EXPECT_EQ(claim.unit.name, "us");
  EXPECT_FALSE(claim.scales.has(Scale::quick));
  ASSERT_EQ(claim.readings.size(), 1U);
  const std::vector<ClaimValue>& values = claim.readings[0].values;
  ASSERT_EQ(values.size(), 2U);
  EXPECT_EQ(to_string(values[0].metric), "latency_mean[cold]");
  EXPECT_TRUE(values[0].is_series);
  EXPECT_EQ(values[0].to, microseconds(2));
  EXPECT_EQ(values[0].reduce, ClaimValue::Reduce::max);
  EXPECT_FALSE(values[1].is_series);
  ASSERT_EQ(values[1].where.size(), 1U);
  EXPECT_EQ(values[1].where[0].key, "queueing.model");
  EXPECT_EQ(document.experiment("e").file, "/doc/e.toml");
  EXPECT_EQ(find_value(document.experiment("e").quick, "queueing.model")->text(), "dbbm");
  EXPECT_EQ(document.claims_of("e").size(), 1U);
}

TEST(ClaimDocument, WhatIsWrongIsToldWithItsPlace) {
  const std::string value = "values.a = { metric = \"efficiency\" }";
  EXPECT_THAT(
      refusal_of("[document]\nname = \"doc\"\ntitel = \"x\"\n"),
      StartsWith("/doc/claims.toml:3:1: document.titel: unknown key (did you mean 'title'?)"));
  EXPECT_THAT(refusal_of("[document]\nname = \"d\"\ntitle = \"x\"\n[claims]\n"),
              HasSubstr("unknown section (did you mean 'claim'?)"));
  EXPECT_THAT(refusal_of_claim("expect = { equals = 1 }\n" + value), HasSubstr("unknown key"));
  EXPECT_THAT(refusal_of_claim("expect = { is = 1, above = 0 }\n" + value),
              HasSubstr("exactly one of"));
  EXPECT_THAT(refusal_of_claim("expect = { between = [2, 1] }\n" + value),
              HasSubstr("the smaller first"));
  EXPECT_THAT(refusal_of_claim("expect = { is = 1 }\ntolerance = { relative = -1 }\n" + value),
              HasSubstr("tolerance.relative: must be at least 0"));
  EXPECT_THAT(refusal_of_claim("expect = { is = 1 }\nvalues.a = { metric = \"eficiency\" }"),
              HasSubstr("/doc/claims.toml:15:23: claim[C-1].values.a.metric: no metric is called "
                        "'eficiency' (did you mean 'efficiency'?)"));
  EXPECT_THAT(refusal_of_claim("expect = { is = 1 }\nvalues.max = { metric = \"efficiency\" }"),
              HasSubstr("is no name for a value"));
  EXPECT_THAT(refusal_of_claim("expect = { is = 1 }\nvalues.a = { metric = \"latency\" }"),
              HasSubstr("is no single number of a run"));
  EXPECT_THAT(refusal_of_claim(
                  "expect = { is = 1 }\nvalues.a = { metric = \"fairness\", from = \"1 us\" }"),
              HasSubstr("has no series over time"));
  EXPECT_THAT(refusal_of_claim(
                  "expect = { is = 1 }\nvalues.a = { metric = \"efficiency\", reduce = \"max\" }"),
              HasSubstr("needs from or to"));
  EXPECT_THAT(refusal_of_claim("expect = { is = 1 }\nmeasure = \"a + c\"\n" + value),
              HasSubstr("/doc/claims.toml:15:16: claim[C-1].measure: 'a + c': 'c' is no value"));
  EXPECT_THAT(refusal_of(document_text(claim_text("expect = { is = 1 }\n" + value) +
                                       claim_text("expect = { is = 1 }\n" + value))),
              HasSubstr("there are two of this id"));
}

const std::string kPlain = "values.a = { metric = \"efficiency\" }";

TEST(ClaimDocument, AStatedLimitIsNotWidened) {
  EXPECT_THAT(refusal_of_claim("expect = { below = 8 }\ntolerance = { relative = 0.3, because = "
                               "\"figure\" }\n" +
                               kPlain),
              HasSubstr("claim[C-1].tolerance: widens a limit that the document states"));
  EXPECT_THAT(refusal_of_claim("expect = { is = 8 }\ntolerance = { relative = 0.3 }\n" + kPlain),
              HasSubstr("needs its reason"));
  EXPECT_THAT(refusal_of_claim("expect = { is = 8 }\ntolerance = { relative = 0.3, factor = 2, "
                               "because = \"figure\" }\n" +
                               kPlain),
              HasSubstr("one of relative, absolute and factor"));
  EXPECT_THAT(refusal_of_claim("expect = { is = -8 }\ntolerance = { factor = 2, because = \"x\" "
                               "}\n" +
                               kPlain),
              HasSubstr("needs an expected number above 0"));
  // A check of our own may have any.
  EXPECT_THAT(refusal_of(document_text(claim_text(
                  "expect = { below = 8 }\ntolerance = { relative = 0.3 }\n" + kPlain, "check"))),
              "no error");
}

TEST(ClaimDocument, ASentenceHasReadings) {
  const Claim product = claim_of(
      "expect = { above = 1 }\nreadings.scheme = [\"voqsw\", \"voq\"]\nreadings.load = [0.5, 1]\n"
      "values.a = { metric = \"latency_p99[{scheme}]\", case = \"{scheme} at {load}\", where = { "
      "\"traffic.0.arrivals.load\" = \"{load}\" }, unit = \"us\" }\nunit = \"us\"");
  ASSERT_EQ(product.readings.size(), 4U);
  EXPECT_EQ(to_string(product.readings[1].names), "scheme voqsw, load 1");
  const ClaimValue& value = product.readings[2].values[0];
  EXPECT_EQ(to_string(value.metric), "latency_p99[voq]");
  EXPECT_EQ(value.case_name, "voq at 0.5");
  EXPECT_EQ(std::get<double>(value.where[0].value.data), 0.5);  // still a number
  const Claim listed = claim_of(
      "expect = { is = 1 }\nreadings = [{ to = \"1 us\", value = 1.4 }, { to = \"2 us\" }]\n"
      "values.a = { metric = \"efficiency\", to = \"{to}\" }");
  ASSERT_EQ(listed.readings.size(), 2U);
  EXPECT_EQ(listed.readings[0].expected.value, 1.4);
  EXPECT_EQ(listed.readings[1].expected.value, 1);
  EXPECT_EQ(listed.readings[1].values[0].to, microseconds(2));
}

TEST(ClaimDocument, ReadingsThatCannotBeAreRefused) {
  const auto refused = [](const std::string& readings, const std::string& name) {
    return refusal_of_claim("expect = { is = 1 }\n" + readings +
                            "\nvalues.a = { metric = \"efficiency\", case = \"" + name + "\" }");
  };
  EXPECT_THAT(refused("readings.scheme = [\"voqsw\"]", "{sceme}"),
              HasSubstr("'{sceme}' is not among the readings (did you mean 'scheme'?)"));
  EXPECT_THAT(refused("readings.scheme = [\"voqsw\"]", "x"),
              HasSubstr("no value names {scheme}: this reading changes nothing"));
  EXPECT_THAT(refused("readings.scheme = \"voqsw\"", "{scheme}"), HasSubstr("must be a list"));
  EXPECT_THAT(refused("readings = [{ a = 1 }, { b = 1 }]", "{a}"),
              HasSubstr("must have the same names in the same order"));
  EXPECT_THAT(refused("readings = 3", "x"), HasSubstr("must be a table of lists"));
}

TEST(ClaimDocument, AnExplanationHasItsExperiment) {
  const std::string rest = "expect = { is = 1 }\n" + kPlain;
  EXPECT_THAT(refusal_of_claim(rest + "\nexplanation = \"why\""), HasSubstr("needs shown_by"));
  EXPECT_THAT(refusal_of_claim(rest + "\nexplanation = \"why\"\nshown_by = [\"f\"]"),
              HasSubstr("claim[C-1].shown_by: 'f' is no experiment, no claim and no file"));
  EXPECT_THAT(refusal_of_claim(rest + "\nexplanation = \"why\"\nshown_by = [\"e\"]"), "no error");
  EXPECT_THAT(refusal_of_claim(rest + "\nexplanation = \"why\"\ncause = \"unknown\""), "no error");
  EXPECT_THAT(refusal_of_claim(rest + "\nshown_by = [\"e\"]"), HasSubstr("needs an explanation"));
}

TEST(ClaimDocument, OnlyWhatADocumentStatesCanBeContradictedByIt) {
  const std::string rest = "expect = { is = 1 }\n" + kPlain;
  EXPECT_EQ(claim_of(rest + "\ncontradicted_by = \"table 2\"").contradicted_by, "table 2");
  EXPECT_THAT(
      refusal_of(document_text(claim_text(rest + "\ncontradicted_by = \"table 2\"", "check"))),
      HasSubstr("contradicted_by: is for what a document states"));
}

TEST(ClaimDocument, ValuesSayWhereTheyComeFrom) {
  const std::string claim =
      claim_text("expect = { is = 1 }\nvalues.a = { metric = \"efficiency\" }\n");
  const auto read = [&](const std::string& assumption) {
    return parse_document(document_text(claim) + "[[assumption]]\n" + assumption,
                          "/doc/claims.toml");
  };
  const Document document = read(
      "key = \"buffer.ingress\"\nvalue = \"64 KiB\"\norigin = \"published\"\nsource = \"p. 2\"\n");
  ASSERT_EQ(document.assumptions.size(), 1U);
  const Assumption& one = document.assumptions.front();
  EXPECT_EQ(one.origin, Origin::published);
  EXPECT_TRUE(one.concerns("e"));
  EXPECT_THAT(report::assumptions_table(document, false),
              HasSubstr("published  buffer.ingress  64 KiB  p. 2"));
  EXPECT_THAT(report::assumptions_section(document),
              HasSubstr("| published | `buffer.ingress` | 64 KiB | p. 2 |"));

  const DocumentFolder folder;
  folder.write("e.toml", kSwept);
  folder.write("claims.toml", document_text(claim));
  const Plan plan(read_document(folder.root() + "/doc").experiments[0], Scale::quick);
  EXPECT_TRUE(one.is_met(plan));
  Assumption other = one;
  other.value = ConfigValue(std::string("65536 B"), {});
  EXPECT_TRUE(other.is_met(plan)) << "the same in another unit";
  other.value = ConfigValue(std::string("65 KiB"), {});
  EXPECT_FALSE(other.is_met(plan));
  other.key = "buffer.ingres";
  EXPECT_FALSE(other.is_met(plan));

  EXPECT_THAT(refusal([&] {
                (void)read("key = \"a.b\"\nvalue = 1\norigin = \"guessed\"\nsource = \"s\"\n");
              }),
              HasSubstr("assumption[0].origin: no choice is called 'guessed'"));
  EXPECT_THAT(refusal([&] {
                (void)read(
                    "key = \"a.b\"\nvalue = 1\norigin = \"chosen\"\nsource = "
                    "\"s\"\nexperiments = [\"f\"]\n");
              }),
              HasSubstr("assumption[0].experiments: no experiment is called 'f'"));
}

TEST(ClaimDocument, WhatNoClaimIsAboutIsListed) {
  const Document document = parse_document(
      document_text(
          "[[unchecked]]\nstatement = \"s\"\nsource = \"p. 2\"\nbecause = \"hardware\"\n"),
      "/doc/claims.toml");
  ASSERT_EQ(document.unchecked.size(), 1U);
  EXPECT_EQ(document.unchecked[0].because, "hardware");
  EXPECT_THAT(refusal_of(document_text("[[unchecked]]\nstatement = \"s\"\nsource = \"p\"\n")),
              HasSubstr("unchecked[0].because"));
}

TEST(ClaimDocument, ExperimentsOfClaimsExist) {
  const std::string text = document_text(
      "[[claim]]\nid = \"a\"\nexperiment = \"ee\"\nstatement = \"s\"\nsource = \"p\"\n"
      "kind = \"check\"\nexpect = { is = 1 }\nvalues.a = { metric = \"hosts\" }\n");
  EXPECT_THAT(refusal_of(text), HasSubstr("no experiment is called 'ee' (did you mean 'e'?)"));
}

TEST(ClaimDocument, UnitsFitTheArithmetic) {
  const std::string time = "values.a = { metric = \"latency_mean\" }";
  const std::string both =
      "values.a = { metric = \"latency_mean\", unit = \"us\" }\n"
      "values.b = { metric = \"latency_max\", unit = \"us\" }\n";
  EXPECT_THAT(refusal_of_claim("expect = { is = 1 }\n" + time),
              HasSubstr("claim[C-1].unit: does not fit: the measure is in ns"));
  EXPECT_THAT(refusal_of_claim("expect = { is = 1 }\nunit = \"us\"\n" + time),
              HasSubstr("the values are in ns; give them unit = \"us\", too"));
  EXPECT_THAT(refusal_of_claim("expect = { is = 1 }\nunit = \"us\"\nmeasure = \"a / b\"\n" + both),
              HasSubstr("the measure is a plain number"));
  EXPECT_THAT(refusal_of_claim("expect = { is = 1 }\nunit = \"us\"\nmeasure = \"a + b\"\n" + both),
              "no error");
  EXPECT_THAT(refusal_of_claim("expect = { is = 1 }\nmeasure = \"a / b - 1\"\n" + both),
              "no error");
  EXPECT_THAT(refusal_of_claim("expect = { is = 1 }\nunit = \"us\"\nvalues.a = "
                               "{ metric = \"latency_mean\", unit = \"Gbps\" }"),
              HasSubstr("values.a.unit: does not fit 'latency_mean', which is in ns"));
  EXPECT_THAT(refusal_of_claim("expect = { is = 1 }\nunit = \"uss\"\n" + time),
              HasSubstr("no unit is called 'uss'"));
}

TEST(ClaimDocument, IsCalledLikeItsFolder) {
  const DocumentFolder folder;
  folder.write("claims.toml", document_text(""));
  EXPECT_EQ(document_names(folder.root()), std::vector<std::string>{"doc"});
  EXPECT_EQ(read_document(folder.root() + "/doc").name, "doc");
  folder.write("claims.toml", "[document]\nname = \"other\"\ntitle = \"x\"\n");
  EXPECT_THAT(refusal([&] { (void)read_document(folder.root() + "/doc"); }),
              HasSubstr("claims.toml:2:8: document.name: must be that of the folder, 'doc'"));
}

/// The points that the first claim of a document over kSwept selects, or the refusal.
class ClaimSelection : public ::testing::Test {
 protected:
  Selection selected(const std::string& rest, const std::string& quick = "") {
    folder_.write("e.toml", kSwept);
    document_ = parse_document(document_text(claim_text("expect = { is = 1 }\n" + rest), quick),
                               folder_.file("claims.toml"));
    plan_.emplace(document_.experiments[0], Scale::quick);
    return select(document_.claims[0], *plan_);
  }
  std::string refused(const std::string& rest) {
    return refusal([&] { (void)selected(rest); });
  }

  DocumentFolder folder_;
  Document document_;
  std::optional<Plan> plan_;
};

TEST_F(ClaimSelection, TakesAllSeedsOfOnePoint) {
  const Selection selection = selected(
      R"(values.a = { metric = "efficiency", case = "voq", where = { "buffer.ingress" = "131072 B" } })",
      "quick = { \"replicate.seeds\" = 3 }\n");
  ASSERT_EQ(selection.combinations.size(), 1U);
  const Plan::Point& point = plan_->points()[selection.combinations[0].points[0]];
  EXPECT_EQ(point.case_name, "voq");
  EXPECT_EQ(point.settings[0].second, "128 KiB");
  EXPECT_EQ(point.runs.size(), 3U);
}

TEST_F(ClaimSelection, KeysOfTheConfigurationSelectCasesToo) {
  const Selection selection = selected(
      R"(values.a = { metric = "efficiency", where = { "switch.voq" = false, "buffer.ingress" = "64 KiB", "topology.hosts" = 4 } })");
  EXPECT_EQ(plan_->points()[selection.combinations[0].points[0]].case_name, "fifo");
}

TEST_F(ClaimSelection, SeveralPointsAreRefused) {
  const std::string message = refused(R"(values.a = { metric = "efficiency", case = "fifo" })");
  EXPECT_THAT(message, HasSubstr("claims.toml:15:12: claim[C-1].values.a: selects 2 points, which "
                                 "differ in buffer.ingress (64 KiB, 128 KiB)"));
}

TEST_F(ClaimSelection, WhatSelectsNothingIsRefused) {
  EXPECT_THAT(refused(R"(values.a = { metric = "efficiency", case = "fif" })"),
              HasSubstr("no case is called 'fif' (did you mean 'fifo'?)"));
  EXPECT_THAT(
      refused(R"(values.a = { metric = "efficiency", where = { "buffer.ingres" = "64 KiB" } })"),
      HasSubstr("no run has this key (did you mean 'buffer.ingress'?)"));
  EXPECT_THAT(
      refused(R"(values.a = { metric = "efficiency", where = { "buffer.ingress" = "65 KiB" } })"),
      HasSubstr("no run has 65 KiB here (there are: 128 KiB, 64 KiB)"));
}

TEST_F(ClaimSelection, AGridIsWalked) {
  const Selection selection = selected(R"(grid = ["buffer.ingress"]
measure = "a / b"
values.a = { metric = "efficiency", case = "fifo" }
values.b = { metric = "efficiency", case = "voq", where = { "buffer.ingress" = "64 KiB" } })");
  ASSERT_EQ(selection.combinations.size(), 2U);
  EXPECT_EQ(to_string(selection.combinations[1].at), "buffer.ingress 128 KiB");
  EXPECT_NE(selection.combinations[0].points[0], selection.combinations[1].points[0]);
  // What names the key itself stands still.
  EXPECT_EQ(selection.combinations[0].points[1], selection.combinations[1].points[1]);
}

TEST_F(ClaimSelection, ReadingsAreCombinedWithTheGrid) {
  const Selection selection = selected(R"(grid = ["buffer.ingress"]
readings.scheme = ["fifo", "voq"]
values.a = { metric = "efficiency", case = "{scheme}" })");
  ASSERT_EQ(selection.combinations.size(), 4U);
  EXPECT_EQ(to_string(selection.combinations[3].at), "scheme voq, buffer.ingress 128 KiB");
  EXPECT_EQ(selection.runs(*plan_), (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST_F(ClaimSelection, RunsAreThoseOfItsPoints) {
  const Selection selection = selected(
      R"(values.a = { metric = "efficiency", case = "voq", where = { "buffer.ingress" = "64 KiB" } })",
      "quick = { \"replicate.seeds\" = 2 }\n");
  EXPECT_EQ(selection.runs(*plan_), (std::vector<std::size_t>{4, 5}));
}

TEST_F(ClaimSelection, AGridIsSwept) {
  EXPECT_THAT(refused("grid = [\"buffer.egress\"]\nvalues.a = { metric = \"efficiency\" }"),
              HasSubstr("claim[C-1].grid: 'buffer.egress' is not swept (did you mean "
                        "'buffer.ingress'?)"));
  // A scale may fix what the file sweeps.
  const Selection selection = selected(
      "grid = [\"buffer.ingress\"]\nvalues.a = { metric = \"efficiency\", case = \"voq\" }",
      "quick = { \"buffer.ingress\" = \"32 KiB\" }\n");
  EXPECT_EQ(selection.combinations.size(), 1U);
}

}  // namespace
}  // namespace weir::experiment::claims
