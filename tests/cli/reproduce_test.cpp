#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.hpp"
#include "weir/base/version.hpp"

namespace weir::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kNetwork = R"([experiment]
kind = "network"
[topology]
model = "rlft"
ports = 4
stages = 2
[routing]
model = "d-mod-k"
)";

const std::string kSwitch = R"([experiment]
duration = "20 us"
[topology]
model = "single-switch"
hosts = 4
[routing]
model = "shortest-path"
[[traffic]]
name = "all"
destinations = { model = "uniform" }
arrivals = { model = "saturated" }
sizes = { model = "fixed", size = "4 KiB" }
[[case]]
name = "fifo"
set = { "switch.voq" = false }
[[case]]
name = "voq"
set = { "switch.voq" = true }
[[plot]]
figure = "efficiency"
metric = "efficiency"
x = "case"
)";

const std::string kClaims = R"([document]
name = "tiny"
title = "a document for a test"
[[experiment]]
name = "size"
file = "size.toml"
purpose = "how large it is"
[[experiment]]
name = "load"
file = "load.toml"
purpose = "what it carries"
quick = { "replicate.seeds" = 5 }
[[experiment]]
name = "long"
file = "load.toml"
purpose = "the same for long"
scales = ["full"]
[[claim]]
id = "A-1"
experiment = "size"
statement = "There are eight hosts"
source = "section 1"
kind = "published"
expect = { is = 8 }
values.a = { metric = "hosts" }
[[claim]]
id = "A-2"
experiment = "size"
statement = "There are five switches"
source = "section 1"
kind = "published"
expect = { is = 5 }
values.a = { metric = "switches" }
[[claim]]
id = "B-1"
experiment = "load"
statement = "Queues at the outputs help"
source = "Fig. 2"
kind = "published"
expect = { above = 1 }
measure = "b / a"
values.a = { metric = "efficiency", case = "fifo" }
values.b = { metric = "efficiency", case = "voq" }
[[claim]]
id = "B-2"
experiment = "load"
statement = "Half the capacity is carried"
source = "own model"
kind = "check"
expect = { at_least = 0.5 }
values.a = { metric = "efficiency", case = "voq" }
)";

class Reproduce : public ::testing::Test {
 protected:
  Reproduce() {
    place_.write("shipped/tiny/claims.toml", kClaims);
    place_.write("shipped/tiny/size.toml", kNetwork);
    place_.write("shipped/tiny/load.toml", kSwitch);
  }
  [[nodiscard]] Outcome reproduce(const std::string& arguments) const {
    return place_.shell("WEIR_EXPERIMENTS=shipped '" WEIR_PROGRAM "' reproduce " + arguments);
  }
  [[nodiscard]] Outcome calibrate(const std::string& arguments) const {
    return place_.shell("WEIR_EXPERIMENTS=shipped '" WEIR_PROGRAM "' calibrate " + arguments);
  }
  [[nodiscard]] std::string file(const std::string& name) const {
    return read_file(place_.folder() / name);
  }

  Workplace place_;
};

TEST_F(Reproduce, FromClaimsToVerdicts) {
  EXPECT_THAT(reproduce("").output, HasSubstr("tiny: a document for a test"));
  const Outcome outcome = reproduce("tiny -q --no-report --record");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("A-1  There are eight hosts"));
  EXPECT_THAT(outcome.output, HasSubstr("A-2 differs: not yet explained"));
  EXPECT_THAT(outcome.output, HasSubstr("≥ 0.5 (check): met"));
  EXPECT_THAT(outcome.output, HasSubstr("tiny/long is not run at scale quick"));
  EXPECT_TRUE(exists(place_.folder() / "results/tiny/load/quick/efficiency.svg"));
  EXPECT_TRUE(exists(place_.folder() / "results/tiny/size/quick/results.sqlite"));
  const std::string findings = file("shipped/tiny/findings.toml");
  EXPECT_THAT(findings,
              HasSubstr("A-1.quick = { verdict = \"holds\", measured = [8], verdicts = \"h\" }\n"));
  EXPECT_THAT(
      findings,
      HasSubstr("A-2.quick = { verdict = \"differs\", measured = [6], verdicts = \"d\" }\n"));
  EXPECT_THAT(findings, HasSubstr("B-2.quick = { verdict = \"noted\""));
  EXPECT_THAT(findings, HasSubstr(fmt::format("\nload.quick = {{ version = \"{}\"", version())));
  EXPECT_THAT(findings, HasSubstr("draws = 5, cpu_seconds = "));
  EXPECT_THAT(reproduce("").output, HasSubstr("(quick: 1 holds, 1 differs)"));
  EXPECT_THAT(calibrate("tiny").output, HasSubstr("tiny has no [[unknown]]"));
  EXPECT_THAT(calibrate("").output, HasSubstr("2 of 3 (67 %)"));
  EXPECT_EQ(calibrate("--format json").status, 2);
  EXPECT_THAT(calibrate("tyny").errors, HasSubstr("did you mean 'tiny'?"));
  // What is there is not run again, and gives the same.
  const Outcome again = reproduce("tiny --no-report --record");
  EXPECT_THAT(again.errors, HasSubstr("all of 10 runs there already"));
  EXPECT_EQ(file("shipped/tiny/findings.toml"), findings);
}

TEST_F(Reproduce, OneExperimentAsJson) {
  const Outcome outcome = reproduce("tiny/load -q --no-report --format json");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  const auto json = nlohmann::json::parse(outcome.output);
  EXPECT_EQ(json["document"], "tiny");
  EXPECT_EQ(json["scale"], "quick");
  ASSERT_EQ(json["claims"].size(), 2U);
  EXPECT_EQ(json["claims"][0]["id"], "B-1");
  EXPECT_EQ(json["claims"][0]["verdict"], "holds");
  const auto& point = json["claims"][0]["combinations"][0];
  EXPECT_GT(point["measured"], 1);
  EXPECT_EQ(point["draws"], 5);
  EXPECT_TRUE(point["half_width"].is_number());
  EXPECT_EQ(json["claims"][1]["verdict"], "noted");
  EXPECT_FALSE(exists(place_.folder() / "results/tiny/size"));
  const auto list = nlohmann::json::parse(reproduce("--format json").output);
  EXPECT_EQ(list[0]["experiments"][1]["claims"], 2);
}

TEST_F(Reproduce, OneClaimRunsOnlyWhatItNeeds) {
  const Outcome outcome = reproduce("tiny/B-2 -q --no-report");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("B-2"));
  EXPECT_THAT(outcome.output, Not(HasSubstr("B-1")));
  EXPECT_THAT(reproduce("tiny/load --no-report").errors, HasSubstr("5 of 10 runs there already"));
  EXPECT_THAT(reproduce("tiny/B-2 --record").errors,
              HasSubstr("--record needs whole experiments: tiny/load"));
}

TEST_F(Reproduce, ACheckRunsNothing) {
  const Outcome outcome = reproduce("tiny --check");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("5 draws"));
  EXPECT_THAT(outcome.output, HasSubstr("exact"));
  EXPECT_FALSE(exists(place_.folder() / "results"));
}

TEST_F(Reproduce, StrictTellsWhatDoesNotHoldAnyLonger) {
  const std::string held =
      "[claim]\nA-1.quick = { verdict = \"holds\", measured = [8], verdicts = \"h\" }\n";
  place_.write("shipped/tiny/findings.toml", held);
  EXPECT_EQ(reproduce("tiny/size -q --no-report --strict").status, 0);
  place_.write("shipped/tiny/findings.toml",
               held + "A-2.quick = { verdict = \"holds\", measured = [5], verdicts = \"h\" }\n");
  const Outcome lost = reproduce("tiny/size -q --no-report --strict");
  EXPECT_EQ(lost.status, 1);
  EXPECT_THAT(lost.errors, HasSubstr("weir: A-2 held and does not any longer: differs (its record "
                                     "is older than a change"));
  EXPECT_EQ(reproduce("tiny/size -q --no-report").status, 0);
  // With the fingerprint of these very runs the record cannot be right.
  EXPECT_EQ(reproduce("tiny/size -q --no-report --record").status, 0);
  std::string findings = file("shipped/tiny/findings.toml");
  findings.replace(findings.find("\"differs\""), 9, "\"holds\"");
  findings.replace(findings.find("verdicts = \"d\""), 14, "verdicts = \"h\"");
  place_.write("shipped/tiny/findings.toml", findings);
  EXPECT_THAT(reproduce("tiny/size -q --no-report --strict").errors,
              HasSubstr("the record is wrong"));
}

TEST_F(Reproduce, AFigureThatCannotBeDrawnTakesNoVerdictAway) {
  place_.write("shipped/tiny/load.toml", kSwitch + "where = { case = \"neither\" }\n");
  const Outcome outcome = reproduce("tiny/load -q --no-report --record");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("figure 'efficiency': no run has case = neither"));
  EXPECT_THAT(file("shipped/tiny/findings.toml"), HasSubstr("B-1.quick = { verdict = \"holds\""));
  // One claim needs not all the runs that a figure does.
  place_.write("shipped/tiny/load.toml", kSwitch + "where = { case = \"fifo\" }\n");
  EXPECT_EQ(reproduce("tiny/B-2 -q --no-report").status, 0);
}

TEST_F(Reproduce, WhatAnotherProcessRecordsMeanwhileStays) {
  std::string load = kSwitch;
  load.replace(load.find("20 us"), 5, "400 us");
  place_.write("shipped/tiny/load.toml", load);
  // The second begins and ends while the first one runs.
  const Outcome outcome = place_.shell("WEIR_EXPERIMENTS=shipped '" WEIR_PROGRAM
                                       "' reproduce tiny/load -q --no-report --record --jobs 1 & "
                                       "WEIR_EXPERIMENTS=shipped '" WEIR_PROGRAM
                                       "' reproduce tiny/size -q --no-report --record && wait");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  const std::string findings = file("shipped/tiny/findings.toml");
  EXPECT_THAT(findings, HasSubstr("A-1.quick"));
  EXPECT_THAT(findings, HasSubstr("B-1.quick"));
}

TEST_F(Reproduce, AProbeFindsRecordsThatAreOlderThanAChange) {
  EXPECT_EQ(reproduce("tiny -q --no-report --record").status, 0);
  EXPECT_THAT(reproduce("tiny --probe").output, HasSubstr("tiny/load (quick): as recorded"));
  std::string load = kSwitch;
  load.replace(load.find("hosts = 4"), 9, "hosts = 5");
  place_.write("shipped/tiny/load.toml", load);
  EXPECT_THAT(reproduce("tiny --probe").output, HasSubstr("tiny/load (quick): stale"));
  EXPECT_THAT(file("shipped/tiny/findings.toml"), HasSubstr("stale = true"));
  // What was made before the change is not taken for what would be made now.
  const Outcome again = reproduce("tiny/load --no-report --record");
  EXPECT_THAT(again.errors, HasSubstr("are older than a change that affects them: again"));
  EXPECT_THAT(reproduce("tiny/load --no-report").errors, HasSubstr("all of 10 runs there already"));
  EXPECT_THAT(file("shipped/tiny/findings.toml"), Not(HasSubstr("stale")));
}

TEST_F(Reproduce, OtherValuesOfAnUnknownAreRecordedBesideTheFindings) {
  place_.write("shipped/tiny/claims.toml", kClaims + R"([[unknown]]
name = "ports"
question = "How many ports has a switch?"
allowed = "No section says."
because = "the text draws four"
experiments = ["size"]
values = ["4", { name = "6", changes = [{ where = { "topology.ports" = 4 }, set = { "topology.ports" = 6 } }] }]
adopted = "4"
)");
  EXPECT_EQ(reproduce("tiny -q --no-report --record").status, 0);
  const std::string adopted = file("shipped/tiny/findings.toml");
  const Outcome outcome = reproduce("tiny -q --no-report --record --with ports=6");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("As with the adopted values: load, long"));
  EXPECT_EQ(file("shipped/tiny/findings.toml"), adopted);
  EXPECT_THAT(file("shipped/tiny/findings.ports-6.toml"), HasSubstr("measured = [18]"));
  EXPECT_TRUE(exists(place_.folder() / "results/tiny/findings.ports-6/size/quick/results.sqlite"));
  EXPECT_THAT(reproduce("--probe --document-to pages").output,
              HasSubstr("tiny/size (quick) with ports=6: as recorded"));
  const std::string page = file("pages/tiny.md");
  EXPECT_THAT(page, HasSubstr("A-1 (`weir reproduce tiny/A-1`): quick: with values that are not "
                              "adopted 0 of 1 hold."));
  EXPECT_THAT(page, HasSubstr("| size | the same with ports 6 | quick |"));
  EXPECT_THAT(calibrate("tiny").output, HasSubstr("ports"));
  const Outcome wrong = reproduce("tiny/load --with ports=6");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.errors, HasSubstr("the values chosen for unknowns do not concern tiny/load"));
}

TEST_F(Reproduce, ThePagesHoldEveryClaim) {
  std::string claims = kClaims;
  const std::string mark = "expect = { is = 5 }\n";
  claims.insert(claims.find(mark) + mark.size(),
                "explanation = \"The text | counts otherwise.\"\ncause = \"unknown\"\n");
  place_.write("shipped/tiny/claims.toml", claims);
  const Outcome outcome = reproduce("tiny/size -q --no-report --record --document-to pages");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  const std::string page = file("pages/tiny.md");
  EXPECT_THAT(page, HasSubstr("A-1 | There are eight hosts | section 1 | 8 |  | 8: holds |  |"));
  EXPECT_THAT(page,
              HasSubstr("A-2 | There are five switches | section 1 | 5 |  | 6: differs |  |"));
  EXPECT_THAT(page,
              HasSubstr("* A-2 (`weir reproduce tiny/A-2`): The text \\| counts otherwise. The "
                        "cause is not known."));
  EXPECT_THAT(page, HasSubstr("B-1 | Queues at the outputs help | Fig. 2 | > 1 |  |  |  |"));
  EXPECT_THAT(page, HasSubstr("Of 3 statements 1 holds, 1 differs, 1 not run."));
  EXPECT_THAT(file("pages/README.md"), HasSubstr("| [tiny](tiny.md) | 3 | 1 (50 %) | 1 (50 %) |"));
  // The recorded verdicts alone give the same pages.
  EXPECT_EQ(reproduce("--document-to again").status, 0);
  EXPECT_EQ(file("again/tiny.md"), page);
}

// docs/results/reproduction is made by `weir reproduce --document-to docs/results/reproduction`.
TEST(ReproduceShipped, ThePagesAreWhatTheFindingsSay) {
  const Workplace place;
  const std::filesystem::path source(WEIR_SOURCE_DIR);
  const Outcome outcome = place.shell("WEIR_EXPERIMENTS='" + (source / "experiments").string() +
                                      "' " WEIR_PROGRAM " reproduce --document-to pages");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  for (const auto& page : std::filesystem::directory_iterator(place.folder() / "pages")) {
    const auto shipped = source / "docs/results/reproduction" / page.path().filename();
    ASSERT_TRUE(exists(shipped)) << shipped;
    EXPECT_TRUE(read_file(page.path()) == read_file(shipped)) << shipped;
  }
}

// docs/reference is made by `weir reference docs/reference`.
TEST(ReferenceShipped, ThePagesAreWhatTheProgramSays) {
  const Workplace place;
  const Outcome outcome = place.shell(WEIR_PROGRAM " reference pages");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  int count = 0;
  for (const auto& page : std::filesystem::directory_iterator(place.folder() / "pages")) {
    const auto shipped =
        std::filesystem::path(WEIR_SOURCE_DIR) / "docs/reference" / page.path().filename();
    ASSERT_TRUE(exists(shipped)) << shipped;
    EXPECT_TRUE(read_file(page.path()) == read_file(shipped)) << shipped;
    ++count;
  }
  EXPECT_EQ(count, 7);
}

TEST_F(Reproduce, WhatIsWrongIsToldBeforeAnythingRuns) {
  const auto refused = [&](const std::string& arguments) {
    const Outcome outcome = reproduce(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(outcome.output, "");
    return outcome.errors;
  };
  EXPECT_THAT(refused("tyny"), HasSubstr("no document is called 'tyny' (did you mean 'tiny'?)"));
  EXPECT_THAT(refused("tiny/lod"),
              HasSubstr("tiny has no experiment 'lod' (did you mean 'load'?)"));
  EXPECT_THAT(refused("--strict"), HasSubstr("need a DOCUMENT"));
  EXPECT_THAT(refused("tiny --scale fast"), HasSubstr("--scale"));
  std::string claims = kClaims;
  claims.replace(claims.find("case = \"voq\""), 12, "case = \"vok\"");
  place_.write("shipped/tiny/claims.toml", claims);
  EXPECT_THAT(refused("tiny"),
              HasSubstr("claims.toml:43:44: claim[B-1].values.b.case: no case is called 'vok' (did "
                        "you mean 'voq'?)"));
  EXPECT_FALSE(exists(place_.folder() / "results"));
}

TEST_F(Reproduce, ARunThatFailsIsAVerdict) {
  // A ring without datelines, allowed to deadlock.
  place_.write("shipped/tiny/load.toml", R"([experiment]
duration = "1 ms"
[topology]
model = "torus"
sizes = [8]
[routing]
model = "shortest-path"
allow_cycles = true
[buffer]
ingress = "8 KiB"
[[traffic]]
name = "all"
destinations = { model = "uniform" }
arrivals = { model = "saturated" }
sizes = { model = "fixed", size = "4 KiB" }
[[case]]
name = "fifo"
set = { "switch.voq" = false }
[[case]]
name = "voq"
set = { "switch.voq" = true }
)");
  const Outcome outcome = reproduce("tiny/load -q --no-report");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("B-1 failed: a run failed: "));
  EXPECT_THAT(outcome.errors, HasSubstr("failed"));
}

TEST_F(Reproduce, TheShippedFolderIsFoundWithoutHelp) {
  const Outcome outcome = place_.shell("unset WEIR_EXPERIMENTS; '" WEIR_PROGRAM "' reproduce");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  const Outcome wrong = place_.shell("WEIR_EXPERIMENTS=/nowhere '" WEIR_PROGRAM "' reproduce");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.errors, HasSubstr("WEIR_EXPERIMENTS names '/nowhere', which is no folder"));
}

}  // namespace
}  // namespace weir::cli
