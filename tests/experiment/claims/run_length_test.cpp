#include "weir/experiment/claims/run_length.hpp"

#include <gmock/gmock.h>

#include "experiment/claims/support.hpp"
#include "weir/experiment/claims/plan.hpp"

namespace weir::experiment::claims {
namespace {

/// How long the runs of such an experiment file are, with a claims.toml that says more of it.
std::string length_of(const std::string& file, const std::string& more = "") {
  const DocumentFolder folder;
  folder.write("e.toml", file);
  const Document document = parse_document(document_text("", more), folder.file("claims.toml"));
  return run_length(Plan(document.experiments.front(), Scale::quick));
}

TEST(RunLength, IsTheDurationAtTheScale) {
  EXPECT_EQ(length_of(kSwept), "20 us");
  EXPECT_EQ(length_of(kSwept, "quick = { \"experiment.duration\" = \"7 us\" }\n"), "7 us");
}

TEST(RunLength, HasTheShortestAndTheLongestRun) {
  EXPECT_EQ(length_of(kSmall + "[[case]]\nname = \"a\"\n[[case]]\nname = \"b\"\nset = { "
                               "\"experiment.duration\" = \"90 us\" }\n"),
            "20 us to 90 us");
}

TEST(RunLength, SaysWhatEndsARun) {
  const std::string drained =
      "quick = { \"experiment.until\" = \"drained\", \"traffic.all.messages\" = 3 }\n";
  EXPECT_EQ(length_of(kSmall, drained), "20 us at most, until the network is empty");
  EXPECT_EQ(length_of(kSmall,
                      "quick = { \"experiment.until\" = { delivered = \"all\" }, "
                      "\"traffic.all.messages\" = 3 }\n"),
            "20 us at most, until all messages of all are delivered");
  EXPECT_EQ(length_of(kSmall, "quick = { \"experiment.until\" = { metric = \"latency_mean\" } }\n"),
            "20 us at most, until latency_mean is known well enough");
}

TEST(RunLength, OfAQueueIsWhatArrives) {
  const std::string queue =
      "[experiment]\nkind = \"queue\"\n[queue]\nmodel = \"ge\"\narrival_rate = 1.0\nservice_rate = "
      "2.0\ncapacity = 8\n";
  EXPECT_EQ(length_of(queue), "");
  EXPECT_EQ(length_of(queue + "simulate = 10000\n"), "10000 arrivals");
}

/// What was run with another value of an unknown is as long as that value makes it.
TEST(RunLength, IsThatOfTheValuesOfUnknowns) {
  const DocumentFolder folder;
  folder.write("e.toml", kSmall);
  const Document document = parse_document(
      document_text("",
                    "[[unknown]]\nname = \"length\"\nquestion = \"q\"\nallowed = \"a\"\n"
                    "because = \"b\"\nexperiments = [\"e\"]\nvalues = [\"short\", { name = "
                    "\"long\", changes = [{ set = { \"experiment.duration\" = \"3 ms\" } }] "
                    "}]\nadopted = \"short\"\n"),
      folder.file("claims.toml"));
  Findings findings;
  findings.runs["e"].at(Scale::quick) = Provenance{};
  findings.alternatives.push_back(findings);
  findings.alternatives.front().values = {{"length", "long"}};
  add_run_lengths(findings, document);
  EXPECT_EQ(findings.find_run("e", Scale::quick)->length, "20 us");
  EXPECT_EQ(findings.alternatives.front().find_run("e", Scale::quick)->length, "3 ms");
  EXPECT_EQ(findings.find_run("e", Scale::full), nullptr);
}

}  // namespace
}  // namespace weir::experiment::claims
